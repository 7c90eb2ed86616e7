// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_chips.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kMostChips = 24;
constexpr double kChipHeight = 22, kChipGap = 5, kPad = 8, kDot = 5, kDotGap = 4;
struct CellSize {
    double side, gap;
};
constexpr std::array<CellSize, 4> kCells = {{{12, 3}, {8, 2}, {5, 1.5}, {3, 1}}};
constexpr double kMostCellHeight = 132;
constexpr int kGhostChips = 9;

/// The largest cells that leave room for the rest of the panel.
CellSize cellSize(qsizetype count, double width) {
    for (const CellSize& cell : kCells) {
        const double columns = std::max(1.0, std::floor((width + cell.gap) / (cell.side + cell.gap)));
        if (std::ceil(static_cast<double>(count) / columns) * (cell.side + cell.gap) <= kMostCellHeight) return cell;
    }
    return kCells.back();
}

QFont chipFont(const QFont& base) {
    return textFont(base, text_size::kText - 1, QFont::Medium);
}

}  // namespace

MaskChips::MaskChips(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("maskChips"));
    setAccessibleName(tr("Classes the mask lets through"));
    setToolTip(tr("Filled: the training mask lets the class through.\nOutlined: hidden. Dotted: not seen yet."));
    fixHeightByWidth();
}

void MaskChips::setClasses(const QStringList& names, std::vector<ClassKind> kinds) {
    names_ = names;
    kinds_ = std::move(kinds);
    kinds_.resize(static_cast<std::size_t>(names.size()), ClassKind::Unknown);
    states_ = QVector<State>(names.size(), State::NotSeen);
    setAccessibleDescription({});
    updateGeometry();
    update();
}

void MaskChips::setMask(const std::vector<std::int32_t>& visible, const std::vector<std::int32_t>& seen) {
    QVector<State> states(names_.size(), State::NotSeen);
    for (const auto& [labels, state] : {std::pair(&seen, State::Hidden), std::pair(&visible, State::Visible)})
        for (const std::int32_t label : *labels)
            if (label >= 0 && label < states.size()) states[label] = state;
    if (states == states_) return;
    states_ = states;
    QStringList through;
    for (int i = 0; i < states_.size(); ++i)
        if (states_[i] == State::Visible) through.push_back(names_[i]);
    setAccessibleDescription(through.isEmpty() ? tr("none") : through.join(QStringLiteral(", ")));
    update();
}

void MaskChips::clear() {
    setClasses({}, {});
}

MaskChips::State MaskChips::stateOf(int label) const {
    return states_.value(label, State::NotSeen);
}

bool MaskChips::compact() const {
    return names_.size() > kMostChips;
}

std::vector<QRectF> MaskChips::layoutChips(int width) const {
    std::vector<QRectF> rects;
    const QFontMetricsF metrics(chipFont(font()));
    const CellSize cell = cellSize(names_.size(), width);
    const double gap = compact() ? cell.gap : kChipGap;
    const double height = compact() ? cell.side : kChipHeight;
    double x = 0, y = 0;
    const qsizetype count = names_.isEmpty() ? kGhostChips : names_.size();
    for (qsizetype i = 0; i < count; ++i) {
        double wide = cell.side;
        if (names_.isEmpty())
            wide = 44 + 11 * static_cast<double>((i * 7) % 4);  // uneven, as names are
        else if (!compact())
            wide =
                std::min(metrics.horizontalAdvance(names_[i]) + 2 * kPad + kDot + kDotGap, static_cast<double>(width));
        if (x > 0 && x + wide > width) {
            x = 0;
            y += height + gap;
        }
        rects.emplace_back(x, y, wide, height);
        x += wide + gap;
    }
    return rects;
}

QRectF MaskChips::chipRect(int label) const {
    const std::vector<QRectF> rects = layoutChips(width());
    return label >= 0 && label < count() ? rects[static_cast<std::size_t>(label)] : QRectF();
}

int MaskChips::heightForWidth(int width) const {
    return static_cast<int>(std::ceil(layoutChips(width).back().bottom())) + 1;
}

QSize MaskChips::sizeHint() const {
    return {236, heightForWidth(236)};
}

QSize MaskChips::minimumSizeHint() const {
    return {120, 24};
}

QString MaskChips::textAt(const QPoint& point) const {
    const std::vector<QRectF> rects = layoutChips(width());
    for (int i = 0; i < count(); ++i) {
        if (!rects[static_cast<std::size_t>(i)].contains(point)) continue;
        const State state = stateOf(i);
        const QString what = state == State::Visible  ? tr("let through")
                             : state == State::Hidden ? tr("hidden")
                                                      : tr("not seen yet");
        const QString kind = QString::fromLatin1(kindText(kinds_[static_cast<std::size_t>(i)]));
        return kind.isEmpty() ? tr("%1: %2").arg(names_[i], what) : tr("%1, %2 class: %3").arg(names_[i], kind, what);
    }
    return {};
}

void MaskChips::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateGeometry();
}

void MaskChips::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const std::vector<QRectF> rects = layoutChips(width());
    if (names_.isEmpty()) {
        painter.setPen(QPen(theme.line, 1));
        for (const QRectF& rect : rects)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), kChipHeight / 2, kChipHeight / 2);
        return;
    }
    for (int i = 0; i < count(); ++i)
        compact() ? paintCell(painter, theme, rects[static_cast<std::size_t>(i)], i)
                  : paintChip(painter, theme, rects[static_cast<std::size_t>(i)], i);
}

void MaskChips::paintChip(QPainter& painter, const Theme& theme, const QRectF& rect, int label) const {
    const State state = stateOf(label);
    const QRectF frame = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    QPen outline(state == State::Visible ? theme.accent : theme.line, 1);
    if (state == State::NotSeen) {
        outline.setColor(theme.quiet);
        outline.setDashPattern({1, 3});
    } else if (state == State::Hidden) {
        QColor firm = theme.quiet;
        firm.setAlphaF(0.55F);
        outline.setColor(firm);
    }
    painter.setPen(outline);
    painter.setBrush(state == State::Visible ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
    painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);

    const ClassKind kind = kinds_[static_cast<std::size_t>(label)];
    if (kind != ClassKind::Unknown) {
        QColor dot = kindColour(theme, kind);
        if (state == State::NotSeen) dot.setAlphaF(0.5F);
        const QPointF centre(rect.left() + kPad + kDot / 2, rect.center().y());
        painter.setPen(Qt::NoPen);
        if (state == State::Visible) {
            // On the accent a sky blue dot would drown.
            painter.setBrush(theme.dark ? theme.text : theme.on_accent);
            painter.drawEllipse(centre, kDot / 2 + 2, kDot / 2 + 2);
        }
        painter.setBrush(dot);
        painter.drawEllipse(centre, kDot / 2 + 0.5, kDot / 2 + 0.5);
    }
    const QFont type = chipFont(font());
    painter.setFont(type);
    painter.setPen(state == State::Visible ? theme.on_accent : state == State::Hidden ? theme.text : theme.quiet);
    const QRectF words = rect.adjusted(kPad + kDot + kDotGap, 0, -kPad / 2, 0);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(type).elidedText(names_[label], Qt::ElideRight, words.width()));
}

void MaskChips::paintCell(QPainter& painter, const Theme& theme, const QRectF& rect, int label) const {
    const State state = stateOf(label);
    QPen outline(state == State::Visible ? theme.accent : theme.quiet, 1);
    if (state == State::NotSeen) outline.setDashPattern({1, 3});
    painter.setPen(outline);
    painter.setBrush(state == State::Visible ? QBrush(theme.accent) : QBrush(Qt::NoBrush));
    const double corner = rect.width() / 4;
    painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), corner, corner);
}

}  // namespace palimpsest
