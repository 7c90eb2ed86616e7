// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window_commands.h"

#include <QAction>

#include "ui/action_book.h"
#include "ui/help_desk.h"
#include "ui/icons.h"
#include "ui/option_finder.h"

namespace palimpsest {

WindowCommands::WindowCommands(ActionBook* book, HelpDesk* help, OptionFinder* options, const OptionTable* table,
                               QObject* parent)
    : QObject(parent), book_(book), help_(help), options_(options), table_(table) {}

QList<PaletteCommand> WindowCommands::all() const {
    QList<PaletteCommand> commands;
    addActions(commands);
    addOpenings(commands);
    addPages(commands);
    addOptions(commands);
    return commands;
}

void WindowCommands::addActions(QList<PaletteCommand>& commands) const {
    for (const ActionBook::Entry& entry : book_->entries()) {
        QAction* action = entry.action;
        if (action->objectName() == QLatin1String("findAnything")) continue;  // is what it is found in
        const QString state = action->isCheckable() && action->isChecked() ? tr("%1 ✓").arg(entry.group) : entry.group;
        commands.append({"action." + action->objectName(), ActionBook::words(action), state, action->toolTip(),
                         ActionBook::keysText(action),
                         action->isEnabled() ? QString() : tr("There is nothing to do this with at the moment."),
                         [action] { action->trigger(); }, action->icon()});
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
    for (const DocsPage& page : help_->pages())
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
