// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "engine/config/experiment.h"

class QWidget;

namespace palimpsest {

class MessageBar;
struct WindowState;

/// Asks for files to open and to write, shows what became of them, and begins where the last one lies.
class FileDialogs : public QObject {
    Q_OBJECT
public:
    FileDialogs(WindowState& state, MessageBar* messages, QWidget* window);

    /// Without it, or when it is gone, dialogs begin in the user's documents.
    void setSaveFolder(const QString& folder) { save_folder_ = folder; }
    QString saveFolder() const;
    void askForExperiment();
    /// `folder`: where the dialog begins.
    void askForRun(const QString& folder);
    void askWhereToSave();

Q_SIGNALS:
    void openAsked(const QString& what);
    void saveFolderChanged(const QString& folder);
    /// An experiment was written.
    void saved(const QString& name, const QString& file);

private:
    WindowState& state_;
    MessageBar* messages_;
    QWidget* window_;
    QString save_folder_;
    Experiment written_;  ///< is being written, or was
};

}  // namespace palimpsest
