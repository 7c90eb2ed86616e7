// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>
#include <QObject>
#include <QPointer>
#include <utility>
#include <vector>

#include "engine/config/experiment_file.h"
#include "ui/commands/palette_model.h"
#include "ui/window/workspace_file.h"

namespace palimpsest {

class ActionBook;
class GuideController;
class OptionFinder;

/// Everything the command palette offers: the menus' commands, the presets, what was open before, the pages of the
/// guide, and every option of the table.
class WindowCommands : public QObject {
    Q_OBJECT
public:
    WindowCommands(ActionBook* book, GuideController* help, OptionFinder* options, const OptionTable* table,
                   QObject* parent = nullptr);

    void setPresets(const std::vector<Preset>& presets) { presets_ = presets; }
    void setRecent(const QList<WorkspaceState::Recent>& recent) { recent_ = recent; }
    /// A menu that is filled when it opens, and whose commands have no place in the book. It may go.
    void addMenu(const QString& group, QMenu* menu) { menus_.append({group, menu}); }
    QList<PaletteCommand> all() const;

Q_SIGNALS:
    void openAsked(const QString& what) const;

private:
    void addActions(QList<PaletteCommand>& commands) const;
    void addMenus(QList<PaletteCommand>& commands) const;
    void addOpenings(QList<PaletteCommand>& commands) const;
    void addPages(QList<PaletteCommand>& commands) const;
    void addOptions(QList<PaletteCommand>& commands) const;

    ActionBook* book_;
    GuideController* help_;
    OptionFinder* options_;
    const OptionTable* table_;
    QList<std::pair<QString, QPointer<QMenu>>> menus_;
    std::vector<Preset> presets_;
    QList<WorkspaceState::Recent> recent_;
};

}  // namespace palimpsest
