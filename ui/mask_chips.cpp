// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/mask_chips.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kMostChips = 24;
constexpr double kUsualChipHeight = 22, kChipGap = 5, kPad = 8, kDot = 5, kDotGap = 4;
struct CellSize {
    double side, gap;
};
constexpr std::array<CellSize, 4> kCells = {{{12, 3}, {8, 2}, {5, 2}, {3, 1}}};
constexpr double kMostCellHeight = 132;
constexpr int kGhostChips = 9;
constexpr qsizetype kMostSpoken = 24;  // names

double chipHeight() {
    return scaled(kUsualChipHeight);
}

/// A class that competes before it has come is tinted, one that is learned among others is filled.
QBrush groundOf(const Theme& theme, MaskChips::State state) {
    QColor ground = theme.accent;
    if (state == MaskChips::State::Open)
        ground.setAlphaF(0.22F);
    else if (state != MaskChips::State::Visible)
        return Qt::NoBrush;
    return ground;
}

QFont chipFont(const QFont& base) {
    return textFont(base, text_size::kText - 1, QFont::Medium);
}

}  // namespace

MaskChips::MaskChips(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("maskChips"));
    setAccessibleName(tr("Classes the mask lets through"));
    setToolTip(
        tr("Filled: the training mask lets the class through.\nOutlined: hidden. Dotted: not seen yet.\n"
           "Dotted and tinted: not seen yet, but competing."));
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

QString MaskChips::openText() {
    return tr("dotted and tinted: not seen yet, but competing");
}

void MaskChips::setMask(const std::vector<std::int32_t>& visible, const std::vector<std::int32_t>& seen,
                        bool unseenOpen) {
    mask_known_ = true;
    take(visible, seen, unseenOpen);
}

void MaskChips::setSeen(const std::vector<std::int32_t>& seen) {
    mask_known_ = false;
    take(seen, seen, false);
}

void MaskChips::take(const std::vector<std::int32_t>& visible, const std::vector<std::int32_t>& seen, bool unseenOpen) {
    QVector<State> states(names_.size(), unseenOpen ? State::Open : State::NotSeen);
    for (const auto& [labels, state] : {std::pair(&seen, State::Hidden), std::pair(&visible, State::Visible)})
        for (const std::int32_t label : *labels)
            if (label >= 0 && label < states.size()) states[label] = state;
    if (states == states_) return;
    states_ = states;
    QStringList through;
    qsizetype more = 0, open = 0;
    for (int i = 0; i < states_.size(); ++i) {
        if (states_[i] == State::Open) ++open;
        if (states_[i] != State::Visible) continue;
        if (through.size() < kMostSpoken)
            through.push_back(names_[i]);
        else
            ++more;
    }
    if (more > 0) through.push_back(tr("and %1 more").arg(countText(more)));
    if (open > 0) through.push_back(tr("and %1 not seen yet").arg(countText(open)));
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

MaskChips::CellGrid MaskChips::cellGrid(int width) const {
    CellGrid grid;
    for (const CellSize& cell : kCells) {
        grid.side = cell.side;
        grid.pitch = cell.side + cell.gap;
        grid.columns = std::max(1, static_cast<int>((width + cell.gap) / grid.pitch));
        if (count() <= grid.columns * static_cast<int>(kMostCellHeight / grid.pitch)) break;
    }
    const int room = grid.columns * static_cast<int>(kMostCellHeight / grid.pitch);
    grid.classes = (count() + room - 1) / room;
    grid.cells = (count() + grid.classes - 1) / grid.classes;
    return grid;
}

QRectF MaskChips::CellGrid::rect(int cell) const {
    return {cell % columns * pitch, cell / columns * pitch, side, side};
}

std::vector<QRectF> MaskChips::layoutChips(int width) const {
    std::vector<QRectF> rects;
    const QFontMetricsF metrics(chipFont(font()));
    double x = 0, y = 0;
    const qsizetype chips = names_.isEmpty() ? kGhostChips : names_.size();
    for (qsizetype i = 0; i < chips; ++i) {
        const double wide = names_.isEmpty()
                                ? 44 + 11 * static_cast<double>((i * 7) % 4)  // uneven, as names are
                                : std::min(metrics.horizontalAdvance(names_[i]) + 2 * kPad + kDot + kDotGap,
                                           static_cast<double>(width));
        if (x > 0 && x + wide > width) {
            x = 0;
            y += chipHeight() + kChipGap;
        }
        rects.emplace_back(x, y, wide, chipHeight());
        x += wide + kChipGap;
    }
    return rects;
}

QRectF MaskChips::chipRect(int label) const {
    if (label < 0 || label >= count()) return {};
    if (!compact()) return layoutChips(width())[static_cast<std::size_t>(label)];
    const CellGrid grid = cellGrid(width());
    return grid.rect(label / grid.classes);
}

MaskChips::Shown MaskChips::shown(const std::vector<QRectF>& rects) const {
    Shown found;
    while (found.chips < count() && rects[static_cast<std::size_t>(found.chips)].bottom() <= height()) ++found.chips;
    if (found.chips == count()) return found;
    const double wide = QFontMetricsF(chipFont(font())).horizontalAdvance(moreText(0)) + kPad;
    // The last ones make room for the words that others are left out.
    for (; found.chips > 0; --found.chips) {
        const QRectF& last = rects[static_cast<std::size_t>(found.chips - 1)];
        found.more = QRectF(last.right() + kChipGap, last.top(), wide, last.height());
        if (found.more.right() <= width()) return found;
    }
    found.more = QRectF(0, 0, wide, chipHeight());
    return found;
}

int MaskChips::shownCount() const {
    return compact() || names_.isEmpty() ? count() : shown(layoutChips(width())).chips;
}

int MaskChips::heightForWidth(int width) const {
    if (!compact()) return static_cast<int>(std::ceil(layoutChips(width).back().bottom())) + 1;
    const CellGrid grid = cellGrid(width);
    return static_cast<int>(std::ceil(grid.rect(grid.cells - 1).bottom())) + 1;
}

QSize MaskChips::sizeHint() const {
    return {236, heightForWidth(236)};
}

QSize MaskChips::minimumSizeHint() const {
    return {120, 24};
}

QString MaskChips::textAt(const QPoint& point) const {
    if (!compact()) {
        const std::vector<QRectF> rects = layoutChips(width());
        const Shown part = shown(rects);
        for (int i = 0; i < part.chips; ++i)
            if (rects[static_cast<std::size_t>(i)].contains(point)) return textOf(i);
        QStringList others;
        for (int i = part.chips; part.more.contains(point) && i < count(); ++i) others.append(textOf(i));
        return others.join('\n');
    }
    const CellGrid grid = cellGrid(width());
    const int column = static_cast<int>(point.x() / grid.pitch), row = static_cast<int>(point.y() / grid.pitch);
    const int cell = row * grid.columns + column;
    if (column >= grid.columns || cell >= grid.cells || !grid.rect(cell).contains(point)) return {};
    const int first = cell * grid.classes, last = std::min(first + grid.classes, count()) - 1;
    if (first == last) return textOf(first);
    std::array<int, 4> numbers{};
    for (int i = first; i <= last; ++i) ++numbers[static_cast<std::size_t>(states_[i])];
    const auto number = [&](State state) { return numbers[static_cast<std::size_t>(state)]; };
    const int open = number(State::Open);
    return (open > 0 ? tr("%1 to %2: %3 let through, %4 hidden, %5 not seen yet, but competing")
                     : tr("%1 to %2: %3 let through, %4 hidden, %5 not seen yet"))
        .arg(names_[first], names_[last])
        .arg(number(State::Visible))
        .arg(number(State::Hidden))
        .arg(open > 0 ? open : number(State::NotSeen));
}

QString MaskChips::textOf(int label) const {
    const State state = stateOf(label);
    const QString what = state == State::Visible  ? (mask_known_ ? tr("let through") : tr("seen"))
                         : state == State::Hidden ? tr("hidden")
                         : state == State::Open   ? tr("not seen yet, but competing")
                                                  : tr("not seen yet");
    const QString kind = QString::fromLatin1(kindText(kinds_[static_cast<std::size_t>(label)]));
    return kind.isEmpty() ? tr("%1: %2").arg(names_[label], what)
                          : tr("%1, %2 class: %3").arg(names_[label], kind, what);
}

void MaskChips::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) updateGeometry();
}

void MaskChips::paintEvent(QPaintEvent* event) {
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    if (compact()) {
        paintCells(painter, theme, event->rect());
        return;
    }
    painter.setRenderHint(QPainter::Antialiasing);
    const std::vector<QRectF> rects = layoutChips(width());
    if (names_.isEmpty()) {
        painter.setPen(QPen(theme.line, 1));
        for (const QRectF& rect : rects)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), chipHeight() / 2, chipHeight() / 2);
        return;
    }
    const Shown part = shown(rects);
    for (int i = 0; i < part.chips; ++i) paintChip(painter, theme, rects[static_cast<std::size_t>(i)], i);
    if (part.more.isEmpty()) return;
    painter.setFont(chipFont(font()));
    painter.setPen(theme.quiet);
    painter.drawText(part.more, Qt::AlignVCenter | Qt::AlignLeft, moreText(part.chips));
}

void MaskChips::paintChip(QPainter& painter, const Theme& theme, const QRectF& rect, int label) const {
    const State state = stateOf(label);
    const QRectF frame = rect.adjusted(0.5, 0.5, -0.5, -0.5);
    QPen outline(state == State::Visible || state == State::Open ? theme.accent : theme.line, theme.weight);
    if (state == State::NotSeen) outline.setColor(theme.quiet);
    if (state == State::NotSeen || state == State::Open) {
        outline.setDashPattern({1, 3});
    } else if (state == State::Hidden) {
        QColor firm = theme.quiet;
        firm.setAlphaF(0.55F);
        outline.setColor(firm);
    }
    painter.setPen(outline);
    painter.setBrush(groundOf(theme, state));
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
    painter.setPen(state == State::Visible ? theme.on_accent : state == State::NotSeen ? theme.quiet : theme.text);
    const QRectF words = rect.adjusted(kPad + kDot + kDotGap, 0, -kPad / 2, 0);
    painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetricsF(type).elidedText(names_[label], Qt::ElideRight, words.width()));
}

void MaskChips::paintCells(QPainter& painter, const Theme& theme, const QRect& area) {
    const CellGrid grid = cellGrid(width());
    makeStamps(theme, grid.side);
    const int from = std::max(0, static_cast<int>(area.top() / grid.pitch)) * grid.columns;
    const int to = std::min(grid.cells, (static_cast<int>(area.bottom() / grid.pitch) + 1) * grid.columns);
    for (int cell = from; cell < to; ++cell) {
        const auto first = states_.constBegin() + cell * grid.classes;
        const auto last = states_.constBegin() + std::min((cell + 1) * grid.classes, count());
        painter.drawPixmap(grid.rect(cell).topLeft(),
                           stamps_[static_cast<std::size_t>(*std::max_element(first, last))]);
    }
}

void MaskChips::makeStamps(const Theme& theme, double side) {
    const double ratio = devicePixelRatioF();
    if (stamps_theme_ == &theme && stamps_side_ == side && stamps_.front().devicePixelRatio() == ratio) return;
    stamps_theme_ = &theme;
    stamps_side_ = side;
    for (const State state : {State::NotSeen, State::Hidden, State::Open, State::Visible}) {
        QPixmap& stamp = stamps_[static_cast<std::size_t>(state)];
        const int pixels = std::max(1, static_cast<int>(std::ceil(side * ratio)));
        stamp = QPixmap(pixels, pixels);
        stamp.setDevicePixelRatio(ratio);
        stamp.fill(Qt::transparent);
        QPainter painter(&stamp);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen outline(state == State::Visible || state == State::Open ? theme.accent : theme.quiet, theme.weight);
        if (state == State::NotSeen || state == State::Open) outline.setDashPattern({1, 3});
        painter.setPen(outline);
        painter.setBrush(groundOf(theme, state));
        painter.drawRoundedRect(QRectF(0.5, 0.5, side - 1, side - 1), side / 4, side / 4);
    }
}

}  // namespace palimpsest
