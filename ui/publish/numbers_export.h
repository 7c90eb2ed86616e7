// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

#include "ui/state/background.h"

class QWidget;

namespace palimpsest {

class MessageBar;
struct WindowState;

/// Writes what the runs in sight measured for another program, as `palimpsest-cli export` does it.
class NumbersExport : public QObject {
    Q_OBJECT
public:
    enum class Format { TensorBoard, Mlflow };

    NumbersExport(WindowState& state, MessageBar* messages, QWidget* window);

    /// Asks for a folder first. `folder`: where the dialog begins.
    void askWhereTo(Format format, const QString& folder);

private:
    /// Folders of the runs in sight.
    QStringList runs() const;
    void write(Format format, const QStringList& runs, const QString& folder);

    WindowState& state_;
    MessageBar* messages_;
    QWidget* window_;
    Background background_{Background::Waiting::Finished};
};

}  // namespace palimpsest
