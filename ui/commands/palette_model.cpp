// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/palette_model.h"

#include <QPainter>
#include <algorithm>

#include "ui/commands/fuzzy_matcher.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr qsizetype kUsedKept = 20;
constexpr int kUsedBonus = 8;
constexpr int kExactBonus = 100;  // what is called exactly so comes before what only has all the words
constexpr int kWordBonus = 90;    // a word that is meant for it
constexpr int kSectionMalus = 60;
constexpr int kRefusedMalus = 40;  // what can be done comes before what cannot

QString spoken(const PaletteCommand& command) {
    QStringList parts{command.title, command.group, command.keys, command.refusal};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(", "));
}

constexpr int kRowHeight = 30;
constexpr int kPad = 12;
constexpr int kKeyPad = 7;

/// The keys at the right end of `line`; returns what is left of it.
QRectF drawKeys(QPainter& painter, const QRectF& line, const QString& keys, const QFont& font, const Theme& theme) {
    if (keys.isEmpty()) return line;
    painter.setFont(textFont(font, text_size::kCaption, QFont::Medium));
    const double width = painter.fontMetrics().horizontalAdvance(keys) + 2 * kKeyPad;
    const double height = painter.fontMetrics().height() + 4;
    const QRectF cap(line.right() - width, line.center().y() - height / 2, width, height);
    painter.setPen(QPen(theme.line, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(cap.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.setPen(theme.quiet);
    painter.drawText(cap, Qt::AlignCenter, keys);
    return line.adjusted(0, 0, -width - 10, 0);
}

QRectF drawGroup(QPainter& painter, const QRectF& line, const QString& group, const QFont& font, const Theme& theme) {
    painter.setFont(textFont(font, text_size::kCaption));
    painter.setPen(theme.quiet);
    const double width = painter.fontMetrics().horizontalAdvance(group);
    painter.drawText(line, Qt::AlignRight | Qt::AlignVCenter, group);
    return line.adjusted(0, 0, -width - 12, 0);
}

/// Letter by letter where some were found, so that those stand out.
void drawTitle(QPainter& painter, const QRectF& line, const QString& title, const QList<int>& places, const QFont& font,
               const QColor& text, const QColor& found) {
    const QFont plain = textFont(font, text_size::kText), bold = textFont(font, text_size::kText, QFont::DemiBold);
    painter.save();
    painter.setClipRect(line);
    double x = line.left();
    for (qsizetype i = 0; i < title.size();) {
        const bool marked = places.contains(static_cast<int>(i));
        qsizetype end = i + 1;
        while (end < title.size() && places.contains(static_cast<int>(end)) == marked) ++end;
        const QString part = title.mid(i, end - i);
        painter.setFont(marked ? bold : plain);
        painter.setPen(marked ? found : text);
        painter.drawText(QRectF(x, line.top(), line.width(), line.height()), Qt::AlignLeft | Qt::AlignVCenter, part);
        x += QFontMetricsF(painter.font()).horizontalAdvance(part);
        i = end;
    }
    painter.restore();
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
        if (command.section && matcher.isEmpty()) continue;
        const auto match = command.section
                               ? matcher.matchWords(command.title)
                               : matcher.match(command.title, command.group + ' ' + command.more + ' ' + command.words);
        if (!match) continue;
        const qsizetype used = used_.indexOf(command.name);
        int score = matcher.isEmpty() ? 0 : match->score;
        if (used >= 0) score += matcher.isEmpty() ? static_cast<int>(kUsedKept - used) : kUsedBonus;
        if (command.section) score -= kSectionMalus;
        if (!matcher.isEmpty() && command.words.split(' ').contains(query.simplified(), Qt::CaseInsensitive))
            score += kWordBonus;
        if (!command.section && !matcher.isEmpty() &&
            command.title.compare(query.simplified(), Qt::CaseInsensitive) == 0)
            score += kExactBonus;
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

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Theme& theme = Theme::of(option.widget);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    paintRowGround(*painter, QRectF(option.rect).adjusted(4, 1, -4, -1), option);
    QRectF line = QRectF(option.rect).adjusted(kPad, 0, -kPad, 0);
    line = drawKeys(*painter, line, index.data(PaletteModel::KeysRole).toString(), option.font, theme);
    line = drawGroup(*painter, line, index.data(PaletteModel::GroupRole).toString(), option.font, theme);
    const double side = scaled(16.0);
    const QRectF sign(line.left(), line.center().y() - side / 2, side, side);
    line.setLeft(sign.right() + kPad);
    const bool refused = !index.data(PaletteModel::RefusalRole).toString().isEmpty();
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, sign.toRect(), Qt::AlignCenter, refused ? QIcon::Disabled : QIcon::Normal);
    drawTitle(*painter, line, index.data().toString(), index.data(PaletteModel::PlacesRole).value<QList<int>>(),
              option.font, refused ? theme.quiet : theme.text, refused ? theme.quiet : theme.accent);
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex&) const {
    return {scaled(200), scaled(kRowHeight)};
}

}  // namespace palimpsest
