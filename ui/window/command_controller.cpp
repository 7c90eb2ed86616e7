// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_controller.h"

#include <QAction>
#include <QMenu>

#include "ui/commands/action_book.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/shortcuts_dialog.h"
#include "ui/state/experiment_draft.h"
#include "ui/state/file_worker.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_menus.h"
#include "ui/window/option_finder.h"
#include "ui/window/window_commands.h"

namespace palimpsest {

CommandController::CommandController(const Parts& parts, QWidget* window)
    : QObject(window), parts_(parts), window_(window) {
    ActionBook* book = parts_.menus->book();
    auto* finder = new OptionFinder(parts_.experiment, parts_.adaptation, parts_.draft, this);
    connect(finder, &OptionFinder::panelNeeded, this, [book] {
        QAction* shown = book->action("showExperiment");
        if (!shown->isChecked()) shown->trigger();
    });
    commands_ = new WindowCommands(book, parts_.help, finder, &parts_.draft->table(), this);
    connect(commands_, &WindowCommands::openAsked, this, &CommandController::openAsked);
    connect(parts_.files, &FileWorker::presetsFound, commands_, &WindowCommands::setPresets);
    const QList<std::pair<QString, QString>> menus{{tr("Runs"), "runsMoreMenu"}, {tr("Filter"), "runsFilterMenu"}};
    for (const auto& [group, menu] : menus) commands_->addMenu(group, window->findChild<QMenu*>(menu));
    palette_ = new CommandPalette([this] { return commands_->all(); }, window);
    connect(parts_.menus, &MainMenus::paletteAsked, palette_, &CommandPalette::open);
    connect(palette_, &CommandPalette::refused, this, [this](const QString& title, const QString& reason) {
        parts_.messages->showLatest(MessageBar::Kind::Note, "palette", tr("“%1” cannot be done now.").arg(title),
                                    reason);
    });
    connect(parts_.menus, &MainMenus::shortcutsAsked, this, &CommandController::showShortcuts);
    connect(book, &ActionBook::keysChanged, this, [this, book] { Q_EMIT keysChosen(book->changes()); });
}

void CommandController::setRecent(const QList<WorkspaceState::Recent>& recent) {
    commands_->setRecent(recent);
}

void CommandController::showShortcuts() {
    if (!shortcuts_) {
        shortcuts_ = new ShortcutsDialog(parts_.menus->book(), window_);
        shortcuts_->setAttribute(Qt::WA_DeleteOnClose);
    }
    shortcuts_->show();
    shortcuts_->raise();
    shortcuts_->activateWindow();
}

}  // namespace palimpsest
