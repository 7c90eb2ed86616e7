// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/command_controller.h"

#include <QAction>
#include <QMenu>
#include <algorithm>
#include <functional>

#include "ui/commands/action_book.h"
#include "ui/commands/command_palette.h"
#include "ui/commands/shortcuts_dialog.h"
#include "ui/guide/guide_viewer.h"
#include "ui/state/window_state.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/term_card.h"
#include "ui/window/guide_controller.h"
#include "ui/window/main_menus.h"
#include "ui/window/option_finder.h"

namespace palimpsest {
namespace {

/// A command of the menu bar stands in another menu, too.
bool twice(const ActionBook& book, const QString& words) {
    const auto& entries = book.entries();
    return std::any_of(entries.begin(), entries.end(),
                       [&](const ActionBook::Entry& entry) { return ActionBook::plainTitle(entry.action) == words; });
}

/// Words that a page of the guide is looked for by, and that its headings do not have.
QString furtherWords(const QString& page) {
    if (page == "sweeps") return CommandController::tr("queue many runs seeds overnight confidence paired");
    if (page == "metrics") return CommandController::tr("forget forgetting forgotten why drops chance");
    if (page == "masks") return CommandController::tr("why cure hide classes");
    if (page == "index") return CommandController::tr("tutorial glossary");
    return {};
}

/// The same for an entry of a list's own menu, by its object name.
QString wordsOfEntry(const QString& name) {
    if (name == "runsGroupSeeds") return CommandController::tr("real difference chance luck significant significance");
    return {};
}

}  // namespace

CommandController::CommandController(WindowState& state, MainMenus* menus, GuideController* guide,
                                     OptionFinder* options, MessageBar* messages, QWidget* window)
    : menus_(menus), guide_(guide), options_(options), table_(state.table), window_(window) {
    connect(&state.files, &FileWorker::presetsFound, this,
            [this](const std::vector<Preset>& presets) { presets_ = presets; });
    filled_menus_ = {{tr("Runs"), window->findChild<QMenu*>("runsMoreMenu")},
                     {tr("Filter"), window->findChild<QMenu*>("runsFilterMenu")}};
    auto* palette = new CommandPalette([this] { return commands(); }, window);
    connect(menus_->action(Command::FindAnything), &QAction::triggered, palette, &CommandPalette::open);
    connect(palette, &CommandPalette::refused, this, [messages](const QString& title, const QString& reason) {
        messages->showLatest(MessageBar::Kind::Note, "palette", tr("“%1” cannot be done now.").arg(title), reason);
    });
    connect(menus_->action(Command::Shortcuts), &QAction::triggered, this, &CommandController::showShortcuts);
    const ActionBook* book = menus->book();
    connect(book, &ActionBook::keysChanged, this, [this, book] { Q_EMIT keysChosen(book->changes()); });
}

QList<PaletteCommand> CommandController::commands() const {
    QList<PaletteCommand> commands;
    addActions(commands);
    addMenus(commands);
    addOpenings(commands);
    addPages(commands);
    addTerms(commands);
    addOptions(commands);
    return commands;
}

void CommandController::addActions(QList<PaletteCommand>& commands) const {
    for (const ActionBook::Entry& entry : menus_->book()->entries()) {
        QAction* action = entry.action;
        if (action == menus_->book()->action(Command::FindAnything)) continue;  // opens this very list
        const QString state = action->isCheckable() && action->isChecked() ? tr("%1 ✓").arg(entry.group) : entry.group;
        commands.append({"action." + action->objectName(), ActionBook::plainTitle(action), state, action->toolTip(),
                         ActionBook::keysText(action),
                         action->isEnabled() ? QString() : tr("There is nothing to do this with at the moment."),
                         [action] { action->trigger(); }, action->icon()});
        commands.last().words = menus_->book()->wordsOf(action);
    }
}

void CommandController::addMenus(QList<PaletteCommand>& commands) const {
    const std::function<void(const QString&, const QString&, const QMenu*)> add = [&](const QString& group,
                                                                                      const QString& within,
                                                                                      const QMenu* menu) {
        for (QAction* action : menu->actions()) {
            const QString words = ActionBook::plainTitle(action);
            if (action->menu()) {
                add(group, words, action->menu());
                continue;
            }
            if (action->isSeparator() || (within.isEmpty() && twice(*menus_->book(), words))) continue;
            commands.append({"menu." + action->objectName(),
                             within.isEmpty() ? words : tr("%1: %2").arg(within, words),
                             action->isChecked() ? tr("%1 ✓").arg(group) : group,
                             action->toolTip(),
                             {},
                             action->isEnabled() ? QString() : tr("There is nothing to do this with at the moment."),
                             [kept = QPointer(action)] {
                                 if (kept) kept->trigger();
                             },
                             action->icon()});
            commands.last().words = wordsOfEntry(action->objectName());
        }
    };
    for (const auto& [group, menu] : filled_menus_) {
        if (!menu) continue;
        Q_EMIT menu->aboutToShow();  // fills it
        add(group, {}, menu);
    }
}

void CommandController::addOpenings(QList<PaletteCommand>& commands) const {
    const auto add = [&](const QString& name, const QString& title, const QString& group, const QString& more,
                         const QString& what, const QString& sign) {
        commands.append(
            {name, title, group, more, {}, {}, [this, what] { Q_EMIT openAsked(what); }, icon(sign, &Theme::quiet)});
    };
    for (const Preset& preset : presets_) {
        const QString name = QString::fromStdString(preset.name);
        add("preset." + name, QString::fromStdString(preset.title), tr("Preset"),
            name + ' ' + QString::fromStdString(preset.summary), name, "stream");
    }
    for (const WorkspaceState::Recent& each : recent_)
        add("recent." + each.path, each.title, tr("Recent"), each.path, each.path, "restore");
}

void CommandController::addPages(QList<PaletteCommand>& commands) const {
    const auto add = [&](const QString& name, const QString& title, const QString& group, const QString& more,
                         const QString& page, const QString& section) {
        commands.append({name,
                         title,
                         group,
                         more,
                         {},
                         {},
                         [this, page, section] { guide_->showPage(page, section); },
                         icon("guide", &Theme::quiet),
                         !section.isEmpty()});
    };
    for (const GuidePage& page : guide_->pages()) {
        add("help." + page.name, page.title, tr("Guide"), tr("help page"), page.name, {});
        commands.last().words = furtherWords(page.name);
        for (const QString& heading : page.headings) {
            const QString section = GuideViewer::sectionOf(heading);
            add("help." + page.name + '#' + section, heading, tr("Guide: %1").arg(page.title), {}, page.name, section);
        }
    }
}

void CommandController::addTerms(QList<PaletteCommand>& commands) const {
    for (const Term term : kTerms) {
        const TermText text = textOf(term);
        commands.append({"term." + text.name,
                         text.title,
                         tr("What does it mean?"),
                         text.text,
                         {},
                         {},
                         [this, term] {
                             const QRect all = window_->rect();
                             TermCards::instance().show(term, window_, QRect(all.width() / 3, all.height() / 4, 1, 1));
                         },
                         icon("guide", &Theme::quiet)});
        commands.last().words = text.words;
    }
}

void CommandController::addOptions(QList<PaletteCommand>& commands) const {
    for (const Option& option : table_.options()) {
        const QString key = QString::fromStdString(option.key);
        if (!options_->hasRow(key)) continue;
        commands.append({"option." + key,
                         QString::fromStdString(option.title),
                         tr("Setting: %1").arg(key),
                         QString::fromStdString(option.help),
                         {},
                         options_->refusal(key),
                         [this, key] { options_->go(key); },
                         icon("settings", &Theme::quiet)});
    }
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
