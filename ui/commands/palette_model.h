// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "ui/commands/palette_command.h"

namespace palimpsest {

/// The commands that match what was typed, nearest first.
class PaletteModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        GroupRole = Qt::UserRole,
        KeysRole,
        RefusalRole,
        PlacesRole,  ///< of the letters that were found, as QList<int>
        NameRole
    };
    using QAbstractListModel::QAbstractListModel;

    void setCommands(const QList<PaletteCommand>& commands);
    void setQuery(const QString& query);
    /// Was done just now: stands first while nothing is typed, and before others that match as well.
    void noteUse(const QString& name);
    const PaletteCommand& command(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    struct Row {
        qsizetype command;
        int score;
        QList<int> places;
    };
    QList<PaletteCommand> commands_;
    std::vector<Row> rows_;
    QStringList used_;  ///< newest first
};

}  // namespace palimpsest
