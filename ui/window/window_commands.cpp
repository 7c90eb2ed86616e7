// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/window_commands.h"

#include <QAction>
#include <QMenu>
#include <algorithm>
#include <functional>

#include "ui/commands/action_book.h"
#include "ui/widgets/icons.h"
#include "ui/window/guide_controller.h"
#include "ui/window/option_finder.h"

namespace palimpsest {
namespace {

/// A command of the menu bar stands in another menu, too.
bool twice(const ActionBook& book, const QString& words) {
    const auto& entries = book.entries();
    return std::any_of(entries.begin(), entries.end(),
                       [&](const ActionBook::Entry& entry) { return ActionBook::plainTitle(entry.action) == words; });
}

}  // namespace

WindowCommands::WindowCommands(ActionBook* book, GuideController* help, OptionFinder* options, const OptionTable* table,
                               QObject* parent)
    : QObject(parent), book_(book), help_(help), options_(options), table_(table) {}

QList<PaletteCommand> WindowCommands::all() const {
    QList<PaletteCommand> commands;
    addActions(commands);
    addMenus(commands);
    addOpenings(commands);
    addPages(commands);
    addOptions(commands);
    return commands;
}

void WindowCommands::addActions(QList<PaletteCommand>& commands) const {
    for (const ActionBook::Entry& entry : book_->entries()) {
        QAction* action = entry.action;
        if (action == book_->action(Command::FindAnything)) continue;  // opens this very list
        const QString state = action->isCheckable() && action->isChecked() ? tr("%1 ✓").arg(entry.group) : entry.group;
        commands.append({"action." + action->objectName(), ActionBook::plainTitle(action), state, action->toolTip(),
                         ActionBook::keysText(action),
                         action->isEnabled() ? QString() : tr("There is nothing to do this with at the moment."),
                         [action] { action->trigger(); }, action->icon()});
    }
}

void WindowCommands::addMenus(QList<PaletteCommand>& commands) const {
    const std::function<void(const QString&, const QString&, const QMenu*)> add = [&](const QString& group,
                                                                                      const QString& within,
                                                                                      const QMenu* menu) {
        for (QAction* action : menu->actions()) {
            const QString words = ActionBook::plainTitle(action);
            if (action->menu()) {
                add(group, words, action->menu());
                continue;
            }
            if (action->isSeparator() || (within.isEmpty() && twice(*book_, words))) continue;
            commands.append({"menu." + action->objectName(),
                             within.isEmpty() ? words : tr("%1: %2").arg(within, words),
                             action->isChecked() ? tr("%1 ✓").arg(group) : group,
                             action->toolTip(),
                             {},
                             action->isEnabled() ? QString() : tr("There is nothing to do this with at the moment."),
                             [deed = QPointer(action)] {
                                 if (deed) deed->trigger();
                             },
                             action->icon()});
        }
    };
    for (const auto& [group, menu] : menus_) {
        if (!menu) continue;
        Q_EMIT menu->aboutToShow();  // fills it
        add(group, {}, menu);
    }
}

void WindowCommands::addOpenings(QList<PaletteCommand>& commands) const {
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

void WindowCommands::addPages(QList<PaletteCommand>& commands) const {
    for (const GuidePage& page : help_->pages())
        commands.append({"help." + page.name,
                         page.title,
                         tr("Guide"),
                         tr("help page"),
                         {},
                         {},
                         [this, name = page.name] { help_->showPage(name); },
                         icon("guide", &Theme::quiet)});
}

void WindowCommands::addOptions(QList<PaletteCommand>& commands) const {
    for (const Option& option : table_->options()) {
        const QString key = QString::fromStdString(option.key);
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

}  // namespace palimpsest
