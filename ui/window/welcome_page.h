// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QWidget>

#include "ui/window/workspace_file.h"

class QBoxLayout;
class QLabel;
class QVBoxLayout;

namespace palimpsest {

/// One of the ways into the program: a small drawing, what it is and what will happen. The whole card is the button.
class WelcomeCard : public QAbstractButton {
    Q_OBJECT
public:
    enum class Drawing { Demo, Doodle, Images, Run };
    WelcomeCard(Drawing drawing, const QString& title, const QString& words, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent*) override { update(); }
    void leaveEvent(QEvent*) override { update(); }
    void keyPressEvent(QKeyEvent* event) override;

private:
    int wordsHeight(int width) const;

    Drawing drawing_;
    QString words_;
};

/// Stands where the curves will be until there is something to show: four ways in, and what was open before.
class WelcomePage : public QWidget {
    Q_OBJECT
public:
    explicit WelcomePage(QWidget* parent = nullptr);

    void setRecent(const QList<WorkspaceState::Recent>& recent);

Q_SIGNALS:
    void demoAsked();
    void drawAsked();
    void dataAsked();
    void runAsked();
    void lessonsAsked();
    void recentAsked(const QString& path);
    /// The figures shall be seen instead.
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
