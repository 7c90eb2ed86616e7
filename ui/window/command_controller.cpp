// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_controller.h"

#include <QAction>
#include <QMenu>

#include "ui/commands/action_book.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/shortcuts_dialog.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_menus.h"
#include "ui/window/window_commands.h"

namespace palimpsest {

CommandController::CommandController(WindowState& state, MainMenus* menus, GuideController* help, OptionFinder* options,
                                     MessageBar* messages, QWidget* window)
    : menus_(menus), window_(window) {
    ActionBook* book = menus->book();
    commands_ = new WindowCommands(book, help, options, &state.table, this);
    connect(commands_, &WindowCommands::openAsked, this, &CommandController::openAsked);
    connect(&state.files, &FileWorker::presetsFound, commands_, &WindowCommands::setPresets);
    const QList<std::pair<QString, QString>> run_menus{{tr("Runs"), "runsMoreMenu"}, {tr("Filter"), "runsFilterMenu"}};
    for (const auto& [group, menu] : run_menus) commands_->addMenu(group, window->findChild<QMenu*>(menu));
    palette_ = new CommandPalette([this] { return commands_->all(); }, window);
    connect(menus_->action(Command::FindAnything), &QAction::triggered, palette_, &CommandPalette::open);
    connect(palette_, &CommandPalette::refused, this, [messages](const QString& title, const QString& reason) {
        messages->showLatest(MessageBar::Kind::Note, "palette", tr("“%1” cannot be done now.").arg(title), reason);
    });
    connect(menus_->action(Command::Shortcuts), &QAction::triggered, this, &CommandController::showShortcuts);
    connect(book, &ActionBook::keysChanged, this, [this, book] { Q_EMIT keysChosen(book->changes()); });
}

void CommandController::setRecent(const QList<WorkspaceState::Recent>& recent) {
    commands_->setRecent(recent);
}

void CommandController::showShortcuts() {
    if (!shortcuts_) {
        shortcuts_ = new ShortcutsDialog(menus_->book(), window_);
        shortcuts_->setAttribute(Qt::WA_DeleteOnClose);
    }
    shortcuts_->show();
    shortcuts_->raise();
    shortcuts_->activateWindow();
}

}  // namespace palimpsest
