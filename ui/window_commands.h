// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <vector>

#include "engine/config/experiment_file.h"
#include "ui/palette_command.h"
#include "ui/workspace_file.h"

namespace palimpsest {

class ActionBook;
class HelpDesk;
class OptionFinder;

/// Everything the command palette offers: the menus' commands, the presets, what was open before, the pages of the
/// guide, and every option of the table.
class WindowCommands : public QObject {
    Q_OBJECT
public:
    WindowCommands(ActionBook* book, HelpDesk* help, OptionFinder* options, const OptionTable* table,
                   QObject* parent = nullptr);

    void setPresets(const std::vector<Preset>& presets) { presets_ = presets; }
    void setRecent(const QList<WorkspaceState::Recent>& recent) { recent_ = recent; }
    QList<PaletteCommand> all() const;

Q_SIGNALS:
    void openAsked(const QString& what) const;

private:
    void addActions(QList<PaletteCommand>& commands) const;
    void addOpenings(QList<PaletteCommand>& commands) const;
    void addPages(QList<PaletteCommand>& commands) const;
    void addOptions(QList<PaletteCommand>& commands) const;

    ActionBook* book_;
    HelpDesk* help_;
    OptionFinder* options_;
    const OptionTable* table_;
    std::vector<Preset> presets_;
    QList<WorkspaceState::Recent> recent_;
};

}  // namespace palimpsest
