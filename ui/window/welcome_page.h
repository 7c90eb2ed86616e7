// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/window/workspace_file.h"

class QBoxLayout;
class QLabel;
class QVBoxLayout;

namespace palimpsest {

/// Stands where the curves will be until there is something to show: three ways in, and what was open before.
class WelcomePage : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(QWidget* parent = nullptr);

    void setRecent(const QList<WorkspaceState::Recent>& recent);

Q_SIGNALS:
    void demoAsked();
    void dataAsked();
    void runAsked();
    void recentAsked(const QString& path);
    /// The empty figures shall be seen instead.
    void leaveAsked();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();

    QBoxLayout* cards_;
    QLabel* recent_title_;
    QVBoxLayout* recent_;
};

}  // namespace palimpsest
