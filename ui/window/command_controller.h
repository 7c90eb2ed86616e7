// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QVariantMap>

#include "ui/window/workspace_file.h"

namespace palimpsest {

class AdaptationController;
class CommandPalette;
class ExperimentDraft;
class ExperimentPanel;
class FileWorker;
class GuideController;
class MainMenus;
class MessageBar;
class ShortcutsDialog;
class WindowCommands;

/// Everything that can be done, found by a few letters, and the keys that do it.
class CommandController : public QObject {
    Q_OBJECT
public:
    struct Parts {
        MainMenus* menus;
        GuideController* help;
        FileWorker* files;
        ExperimentPanel* experiment;
        AdaptationController* adaptation;
        const ExperimentDraft* draft;
        MessageBar* messages;
    };
    CommandController(const Parts& parts, QWidget* window);

    /// What was opened before.
    void setRecent(const QList<WorkspaceState::Recent>& recent);

Q_SIGNALS:
    void openAsked(const QString& what);
    void keysChosen(const QVariantMap& changes);

private:
    void showShortcuts();

    const Parts parts_;
    QWidget* window_;
    WindowCommands* commands_;
    CommandPalette* palette_;
    QPointer<ShortcutsDialog> shortcuts_;
};

}  // namespace palimpsest
