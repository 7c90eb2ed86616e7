// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/mask_chips.h"

#include <QBrush>
#include <QEvent>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/cell_grid.h"

namespace palimpsest {
namespace {

constexpr int kMostChips = 24;
constexpr double kUsualChipHeight = 22, kChipGap = 5, kPad = 8, kDot = 5, kDotGap = 4;
constexpr int kGhostChips = 9;
constexpr float kNotSeenInk = 0.6F;
constexpr qsizetype kMostSpoken = 24;  // names

double chipHeight() {
    return scaled(kUsualChipHeight);
}

std::vector<int> allLabels(int count) {
    std::vector<int> labels(static_cast<std::size_t>(count));
    std::iota(labels.begin(), labels.end(), 0);
    return labels;
}

QFont chipFont(const QFont& base) {
    return textFont(base, text_size::kText - 1, QFont::Medium);
}

/// A class that competes before it has come is tinted, one that is learned among others is filled.
QBrush maskGround(const Theme& theme, MaskState state) {
    QColor ground = theme.accent;
    if (state == MaskState::Open)
        ground.setAlphaF(0.22F);
    else if (state != MaskState::Visible)
        return Qt::NoBrush;
    return ground;
}

}  // namespace

void MaskStamps::prepare(const Theme& theme, double side, double ratio) {
    if (theme_ == &theme && side_ == side && stamps_.front().devicePixelRatio() == ratio) return;
    theme_ = &theme;
    side_ = side;
    for (const MaskState state : {MaskState::NotSeen, MaskState::Hidden, MaskState::Open, MaskState::Visible}) {
        QPixmap& stamp = stamps_[static_cast<std::size_t>(state)];
        const int pixels = std::max(1, static_cast<int>(std::ceil(side * ratio)));
        stamp = QPixmap(pixels, pixels);
        stamp.setDevicePixelRatio(ratio);
        stamp.fill(Qt::transparent);
        QPainter painter(&stamp);
        painter.setRenderHint(QPainter::Antialiasing);
        QPen outline(state == MaskState::Visible || state == MaskState::Open ? theme.accent : theme.quiet,
                     theme.weight);
        if (state == MaskState::Open) outline.setDashPattern({1, 3});
        if (state == MaskState::NotSeen) {
            // A ground, however many there are, that what is learned stands out from.
            QColor faint = theme.quiet;
            faint.setAlphaF(kNotSeenInk);
            outline.setColor(faint);
            outline.setDashPattern({1, 1.5});
        }
        painter.setPen(outline);
        painter.setBrush(maskGround(theme, state));
        painter.drawRoundedRect(QRectF(0.5, 0.5, side - 1, side - 1), side / 4, side / 4);
    }
}

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
    applyMask(visible, seen, unseenOpen);
}

void MaskChips::setSeen(const std::vector<std::int32_t>& seen) {
    mask_known_ = false;
    applyMask(seen, seen, false);
}

void MaskChips::applyMask(const std::vector<std::int32_t>& visible, const std::vector<std::int32_t>& seen,
                          bool unseenOpen) {
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

bool MaskChips::compact() const {
    return names_.size() > kMostChips;
}

std::vector<QRectF> MaskChips::layoutChips(int width, const std::vector<int>& labels) const {
    std::vector<QRectF> rects;
    const QFontMetricsF metrics(chipFont(font()));
    double x = 0, y = 0;
    const std::size_t chips = names_.isEmpty() ? kGhostChips : labels.size();
    for (std::size_t i = 0; i < chips; ++i) {
        const double wide = names_.isEmpty()
                                ? 44 + 11 * static_cast<double>((i * 7) % 4)  // uneven, as names are
                                : std::min(metrics.horizontalAdvance(names_[labels[i]]) + 2 * kPad + kDot + kDotGap,
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

MaskChips::Placed MaskChips::placed() const {
    Placed all{allLabels(count()), {}};
    all.rects = layoutChips(width(), all.labels);
    if (all.rects.back().bottom() <= height()) return all;
    const auto rank = [this](int label) {
        const State state = states_[label];
        return state == State::Visible ? 0 : state == State::Open ? 1 : state == State::Hidden ? 2 : 3;
    };
    std::ranges::stable_sort(all.labels, {}, rank);
    all.rects = layoutChips(width(), all.labels);
    return all;
}

QRectF MaskChips::chipRect(int label) const {
    if (label < 0 || label >= count()) return {};
    if (!compact()) {
        const Placed all = placed();
        const auto place = std::ranges::find(all.labels, label) - all.labels.begin();
        return all.rects[static_cast<std::size_t>(place)];
    }
    const CellGrid grid = CellGrid::fitted(count(), width(), height());
    return grid.rect(label / grid.members);
}

MaskChips::Shown MaskChips::shown(const std::vector<QRectF>& rects) const {
    Shown found;
    while (found.chips < count() && rects[static_cast<std::size_t>(found.chips)].bottom() <= height()) ++found.chips;
    if (found.chips == count()) return found;
    const double wide = QFontMetricsF(chipFont(font())).horizontalAdvance(moreText(0)) + kPad;
    // The last ones make room for the note that others are left out.
    for (; found.chips > 0; --found.chips) {
        const QRectF& last = rects[static_cast<std::size_t>(found.chips - 1)];
        found.more = QRectF(last.right() + kChipGap, last.top(), wide, last.height());
        if (found.more.right() <= width()) return found;
    }
    found.more = QRectF(0, 0, wide, chipHeight());
    return found;
}

int MaskChips::heightForWidth(int width) const {
    if (!compact()) return static_cast<int>(std::ceil(layoutChips(width, allLabels(count())).back().bottom())) + 1;
    const CellGrid grid = CellGrid::fitted(count(), width);
    return static_cast<int>(std::ceil(grid.rect(grid.cells - 1).bottom())) + 1;
}

QString MaskChips::textAt(const QPoint& point) const {
    if (!compact()) {
        const auto [labels, rects] = placed();
        const Shown part = shown(rects);
        const auto ending = std::min(labels.begin() + part.chips, labels.end());
        for (auto label = labels.begin(); label != ending; ++label)
            if (rects[static_cast<std::size_t>(label - labels.begin())].contains(point)) return textOf(*label);
        QStringList others;
        for (auto label = ending; part.more.contains(point) && label != labels.end(); ++label)
            others.append(textOf(*label));
        return others.join('\n');
    }
    const CellGrid grid = CellGrid::fitted(count(), width(), height());
    const int cell = grid.cellAt(point);
    if (cell < 0) return {};
    const int first = cell * grid.members, last = std::min(first + grid.members, count()) - 1;
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
    const auto [labels, rects] = placed();
    if (names_.isEmpty()) {
        painter.setPen(QPen(theme.line, 1));
        for (const QRectF& rect : rects)
            painter.drawRoundedRect(rect.adjusted(0.5, 0.5, -0.5, -0.5), chipHeight() / 2, chipHeight() / 2);
        return;
    }
    const Shown part = shown(rects);
    for (std::size_t i = 0; i < static_cast<std::size_t>(part.chips); ++i)
        paintChip(painter, theme, rects[i], labels[i]);
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
    painter.setBrush(maskGround(theme, state));
    painter.drawRoundedRect(frame, frame.height() / 2, frame.height() / 2);

    const ClassKind kind = kinds_[static_cast<std::size_t>(label)];
    if (kind != ClassKind::Unknown) {
        QColor dot = kindColour(theme, kind);
        if (state == State::NotSeen) dot.setAlphaF(0.5F);
        const QPointF centre(rect.left() + kPad + kDot / 2, rect.center().y());
        painter.setPen(Qt::NoPen);
        if (state == State::Visible) {
            // A sky blue dot would drown on the accent.
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
    const CellGrid grid = CellGrid::fitted(count(), width(), height());
    stamps_.prepare(theme, grid.side, devicePixelRatioF());
    const int from = std::max(0, static_cast<int>(area.top() / grid.pitch)) * grid.columns;
    const int to = std::min(grid.cells, (static_cast<int>(area.bottom() / grid.pitch) + 1) * grid.columns);
    for (int cell = from; cell < to; ++cell) {
        const auto first = states_.constBegin() + cell * grid.members;
        const auto last = states_.constBegin() + std::min((cell + 1) * grid.members, count());
        painter.drawPixmap(grid.rect(cell).topLeft(), stamps_.of(*std::max_element(first, last)));
    }
}

}  // namespace palimpsest
