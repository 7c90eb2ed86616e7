// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QVariantMap>

#include "ui/window/workspace_file.h"

namespace palimpsest {

class CommandPalette;
class GuideController;
class MainMenus;
class MessageBar;
class OptionFinder;
class ShortcutsDialog;
class WindowCommands;
struct WindowState;

/// Everything that can be done, found by a few letters, and the keys that do it.
class CommandController : public QObject {
    Q_OBJECT
public:
    CommandController(WindowState& state, MainMenus* menus, GuideController* help, OptionFinder* options,
                      MessageBar* messages, QWidget* window);

    /// Experiments and runs that were opened before.
    void setRecent(const QList<WorkspaceState::Recent>& recent);

Q_SIGNALS:
    void openAsked(const QString& what);
    void keysChosen(const QVariantMap& changes);

private:
    void showShortcuts();

    MainMenus* menus_;
    QWidget* window_;
    WindowCommands* commands_;
    CommandPalette* palette_;
    QPointer<ShortcutsDialog> shortcuts_;
};

}  // namespace palimpsest
