// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/palette_model.h"

#include <algorithm>

#include "ui/commands/fuzzy_matcher.h"

namespace palimpsest {
namespace {

constexpr qsizetype kUsedKept = 20;
constexpr int kUsedBonus = 8;
constexpr int kRefusedMalus = 40;  // what can be done comes before what cannot

QString spoken(const PaletteCommand& command) {
    QStringList parts{command.title, command.group, command.keys, command.refusal};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

}  // namespace

void PaletteModel::setCommands(const QList<PaletteCommand>& commands) {
    beginResetModel();
    commands_ = commands;
    rows_.clear();
    endResetModel();
    setQuery({});
}

void PaletteModel::setQuery(const QString& query) {
    beginResetModel();
    rows_.clear();
    const FuzzyMatcher matcher(query);
    for (qsizetype i = 0; i < commands_.size(); ++i) {
        const PaletteCommand& command = commands_[i];
        const auto match = matcher.match(command.title, command.group + ' ' + command.more);
        if (!match) continue;
        const qsizetype used = used_.indexOf(command.name);
        int score = matcher.isEmpty() ? 0 : match->score;
        if (used >= 0) score += matcher.isEmpty() ? static_cast<int>(kUsedKept - used) : kUsedBonus;
        if (!command.refusal.isEmpty()) score -= kRefusedMalus;
        rows_.push_back({i, score, match->places});
    }
    std::stable_sort(rows_.begin(), rows_.end(), [](const Row& a, const Row& b) { return a.score > b.score; });
    endResetModel();
}

void PaletteModel::noteUse(const QString& name) {
    used_.removeAll(name);
    used_.prepend(name);
    used_ = used_.mid(0, kUsedKept);
}

const PaletteCommand& PaletteModel::command(int row) const {
    return commands_[rows_[static_cast<std::size_t>(row)].command];
}

int PaletteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const PaletteCommand& shown = command(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return shown.title;
        case Qt::DecorationRole:
            return shown.icon;
        case Qt::AccessibleTextRole:
            return spoken(shown);
        case Qt::ToolTipRole:
            return shown.refusal;
        case GroupRole:
            return shown.group;
        case KeysRole:
            return shown.keys;
        case RefusalRole:
            return shown.refusal;
        case NameRole:
            return shown.name;
        case PlacesRole:
            return QVariant::fromValue(rows_[static_cast<std::size_t>(index.row())].places);
        default:
            return {};
    }
}

}  // namespace palimpsest
