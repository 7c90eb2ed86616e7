// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QObject>
#include <QPointer>
#include <QVariantMap>
#include <utility>
#include <vector>

#include "engine/config/experiment_file.h"
#include "ui/commands/palette_model.h"
#include "ui/window/workspace_file.h"

namespace palimpsest {

class GuideController;
class MainMenus;
class MessageBar;
class OptionFinder;
class ShortcutsDialog;
struct WindowState;

/// Everything that can be done, found by a few letters, and the keys that do it. The palette offers the menus'
/// commands, the presets, what was open before, the pages of the guide, and every option of the table.
class CommandController : public QObject {
    Q_OBJECT
public:
    CommandController(WindowState& state, MainMenus* menus, GuideController* guide, OptionFinder* options,
                      MessageBar* messages, QWidget* window);

    /// Experiments and runs that were opened before.
    void setRecent(const QList<WorkspaceState::Recent>& recent) { recent_ = recent; }

Q_SIGNALS:
    void openAsked(const QString& what) const;
    void keysChosen(const QVariantMap& changes);

private:
    void showShortcuts();
    QList<PaletteCommand> commands() const;
    void addActions(QList<PaletteCommand>& commands) const;
    void addMenus(QList<PaletteCommand>& commands) const;
    void addOpenings(QList<PaletteCommand>& commands) const;
    void addPages(QList<PaletteCommand>& commands) const;
    void addTerms(QList<PaletteCommand>& commands) const;
    void addOptions(QList<PaletteCommand>& commands) const;

    MainMenus* menus_;
    GuideController* guide_;
    OptionFinder* options_;
    const OptionTable& table_;
    QWidget* window_;
    QPointer<ShortcutsDialog> shortcuts_;
    /// Menus that are filled when they open, and whose commands have no place in the book, each with its group. They
    /// may go.
    QList<std::pair<QString, QPointer<QMenu>>> filled_menus_;
    std::vector<Preset> presets_;
    QList<WorkspaceState::Recent> recent_;
};

}  // namespace palimpsest
