// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>
#include <stop_token>

#include "ui/state/background.h"

class QWidget;

namespace palimpsest {

class MessageBar;
struct WindowState;

/// Writes a page that plays the selected run in any browser, and the run that it is compared with beside it, as
/// `palimpsest-cli report --format replay` does it.
class ReplayExport : public QObject {
    Q_OBJECT
public:
    ReplayExport(WindowState& state, MessageBar* messages, QWidget* window);
    /// A page that is being made is given up.
    ~ReplayExport() override;

    /// Asks for a file first. `folder`: where the dialog begins.
    void askWhereTo(const QString& folder);

private:
    /// The selected run, and the one it is compared with, as far as they have folders.
    QStringList runs() const;
    void write(const QStringList& runs, const QString& file);

    WindowState& state_;
    MessageBar* messages_;
    QWidget* window_;
    std::stop_source stop_;
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
