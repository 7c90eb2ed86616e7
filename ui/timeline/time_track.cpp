// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/time_track.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "ui/state/series.h"
#include "ui/style/curve_style.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kTrackHeight = 36, kUsualWidth = 400, kLeastWidth = 60;
constexpr double kBarHeight = 8, kBarMiddle = 19;  // from the top: above it stand numbers, below it the caption
constexpr double kHandle = 7, kDiamond = 4.5, kDot = 2;
constexpr double kTickRoom = 4;  // pixels; where evaluations lie closer they are not drawn
constexpr double kOver = 3;      // of a stroke beyond either side of the line
constexpr double kReach = 5;     // pixels around a mark in which its tip shows
constexpr double kPointer = 14;  // pixels that the mouse's arrow covers, right of where it points

}  // namespace

TimeTrackContent::Moment TimeTrackContent::nearest(std::int64_t samples) const {
    if (evaluations.empty()) return std::nullopt;
    return *nearestIn(evaluations, static_cast<double>(samples));
}

TimeTrackContent::Moment TimeTrackContent::stepped(Moment chosen, int direction) const {
    const std::vector<std::int64_t>& all = evaluations;
    if (all.empty()) return std::nullopt;
    const std::int64_t now = chosen.value_or(all.back());
    const auto at = direction < 0 ? std::lower_bound(all.begin(), all.end(), now) - all.begin() - 1
                                  : std::upper_bound(all.begin(), all.end(), now) - all.begin();
    return all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, std::ssize(all) - 1))];
}

TimeTrackContent::Moment TimeTrackContent::sessionStepped(Moment chosen, int direction) const {
    if (evaluations.empty() || starts.empty()) return stepped(chosen, direction);
    const auto firstOf = [this](std::int64_t start) {
        const auto at = std::upper_bound(evaluations.begin(), evaluations.end(), start);
        return at == evaluations.end() ? evaluations.back() : *at;
    };
    const std::int64_t now = chosen.value_or(evaluations.back());
    Moment before;
    for (const std::int64_t start : starts) {
        const std::int64_t first = firstOf(start);
        if (direction > 0 && first > now) return first;
        if (first < now) before = first;
    }
    if (direction > 0) return evaluations.back();
    return before ? before : evaluations.front();
}

TimeTrack::TimeTrack(QWidget* parent) : TipWidget(parent) {
    setObjectName(QStringLiteral("timeTrack"));
    setAccessibleName(tr("Time line"));
    setToolTip(
        tr("The moment that all figures and Now show. Drag, or press Left and Right, to look back.\n"
           "Double click or Escape: the newest again."));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    fitToText(this, [this] {
        updateGeometry();
        update();
    });
    setEnabled(false);
}

void TimeTrack::setContent(TimeTrackContent content) {
    if (content == content_) return;
    content_ = std::move(content);
    setEnabled(content_.total > 0);
    update();
}

void TimeTrack::setSeen(std::int64_t seen) {
    if (seen == content_.seen) return;
    content_.seen = seen;
    update();
}

void TimeTrack::setSpan(std::optional<std::pair<double, double>> span) {
    if (span == span_) return;
    span_ = span;
    update();
}

double TimeTrack::edge() {
    return scaled(kHandle) + 2;
}

QString TimeTrack::caption() const {
    return hovered_ && content_.total > 0 ? tr("%1 images").arg(countText(*hovered_)) : QString();
}

void TimeTrack::setMoments(Moment chosen, Moment hovered) {
    if (chosen == chosen_ && hovered == hovered_) return;
    chosen_ = chosen;
    hovered_ = hovered;
    update();
}

QSize TimeTrack::sizeHint() const {
    return {scaled(kUsualWidth), scaled(kTrackHeight)};
}

QSize TimeTrack::minimumSizeHint() const {
    return {kLeastWidth, scaled(kTrackHeight)};
}

QRectF TimeTrack::bar() const {
    const double tall = scaled(kBarHeight), top = scaled(kBarMiddle) - tall / 2;
    if (span_) return {span_->first, top, std::max(1.0, span_->second - span_->first), tall};
    return {edge(), top, std::max(1.0, width() - 2 * edge()), tall};
}

double TimeTrack::pixelOf(std::int64_t samples) const {
    const QRectF line = bar();
    const double part = content_.total > 0 ? static_cast<double>(samples) / static_cast<double>(content_.total) : 0;
    return line.left() + std::clamp(part, 0.0, 1.0) * line.width();
}

TimeTrack::Moment TimeTrack::nearest(double pixel) const {
    if (content_.evaluations.empty()) return std::nullopt;
    const QRectF line = bar();
    return content_.nearest(static_cast<std::int64_t>(
        std::lround((pixel - line.left()) / line.width() * static_cast<double>(content_.total))));
}

void TimeTrack::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) choose(nearest(event->position().x()));
}

void TimeTrack::mouseMoveEvent(QMouseEvent* event) {
    const Moment moment = nearest(event->position().x());
    if (event->buttons() & Qt::LeftButton)
        choose(moment);
    else
        Q_EMIT hovered(moment);
}

void TimeTrack::mouseDoubleClickEvent(QMouseEvent*) {
    Q_EMIT released();
}

void TimeTrack::leaveEvent(QEvent* event) {
    Q_EMIT hovered(std::nullopt);
    TipWidget::leaveEvent(event);
}

void TimeTrack::keyPressEvent(QKeyEvent* event) {
    if (event->modifiers() & ~Qt::KeypadModifier) return TipWidget::keyPressEvent(event);
    const std::vector<std::int64_t>& all = content_.evaluations;
    switch (event->key()) {
        case Qt::Key_Left:
            return choose(content_.stepped(chosen_, -1));
        case Qt::Key_Right:
            return choose(content_.stepped(chosen_, 1));
        case Qt::Key_PageUp:
            return choose(content_.sessionStepped(chosen_, -1));
        case Qt::Key_PageDown:
            return choose(content_.sessionStepped(chosen_, 1));
        case Qt::Key_Home:
            return choose(all.empty() ? Moment() : Moment(all.front()));
        case Qt::Key_End:
            return choose(all.empty() ? Moment() : Moment(all.back()));
        case Qt::Key_Escape:
            if (!chosen_) break;
            Q_EMIT released();
            return;
        default:
            break;
    }
    TipWidget::keyPressEvent(event);
}

bool TimeTrack::event(QEvent* event) {
    // Elsewhere these keys steer the run.
    if (event->type() == QEvent::ShortcutOverride) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool mine = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right || key->key() == Qt::Key_PageUp ||
                          key->key() == Qt::Key_PageDown || key->key() == Qt::Key_Home || key->key() == Qt::Key_End ||
                          (key->key() == Qt::Key_Escape && chosen_);
        if (mine && !(key->modifiers() & ~Qt::KeypadModifier)) {
            event->accept();
            return true;
        }
    }
    return TipWidget::event(event);
}

void TimeTrack::changeEvent(QEvent* event) {
    TipWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::EnabledChange) update();
}

QString TimeTrack::textAt(const QPoint& point) const {
    if (content_.total <= 0) return {};
    const double x = point.x();
    const auto near = [&](std::int64_t samples) { return std::abs(pixelOf(samples) - x) <= kReach; };
    QStringList lines;
    for (const TimeTrackContent::Change& change : content_.changes)
        if (near(change.at)) lines.append(tr("%1, from %2 images").arg(change.text, countText(change.at)));
    for (const TimeTrackContent::Plateau& plateau : content_.plateaus)
        if (near(plateau.at))
            lines.append(tr("plateau of the loss after %1 images, update %2")
                             .arg(countText(plateau.at), countText(plateau.update)));
    for (const std::int64_t samples : content_.checkpoints)
        if (near(samples)) {
            lines.append(tr("checkpoint after %1 images").arg(countText(samples)));
            break;
        }
    const Moment moment = nearest(x);
    if (moment && near(*moment)) lines.append(tr("evaluation after %1 images").arg(countText(*moment)));
    if (lines.isEmpty()) return {};
    lines.append(toolTip());
    return lines.join('\n');
}

void TimeTrack::paintSessions(QPainter& painter, const QRectF& bar) const {
    const Theme& theme = Theme::of(this);
    QPainterPath shape;
    shape.addRoundedRect(bar, bar.height() / 2, bar.height() / 2);
    painter.save();
    painter.setClipPath(shape);
    painter.fillRect(bar, theme.raised);
    QColor learned = theme.accent, later = theme.accent;
    learned.setAlphaF(isEnabled() ? 0.60F : 0.0F);
    later.setAlphaF(isEnabled() ? 0.42F : 0.0F);
    const double seen = pixelOf(content_.seen);
    const auto sessions = std::max<std::size_t>(1, content_.starts.size());
    for (std::size_t i = 0; i < sessions; ++i) {
        const double from = content_.starts.empty() ? bar.left() : pixelOf(content_.starts[i]);
        const double to = i + 1 < content_.starts.size() ? pixelOf(content_.starts[i + 1]) : bar.right();
        if (i % 2 == 1) painter.fillRect(QRectF(from, bar.top(), to - from, bar.height()), theme.line);
        if (seen > from)
            painter.fillRect(QRectF(from, bar.top(), std::min(seen, to) - from, bar.height()),
                             i % 2 == 1 ? later : learned);
    }
    painter.restore();
    const QFont font = textFont(this->font(), text_size::kCaption);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    painter.setPen(theme.quiet);
    for (std::size_t i = 0; i < content_.starts.size(); ++i) {
        const double from = pixelOf(content_.starts[i]);
        const double to = i + 1 < content_.starts.size() ? pixelOf(content_.starts[i + 1]) : bar.right();
        const QString number = QString::number(i + 1);
        if (metrics.horizontalAdvance(number) + 4 > to - from) continue;
        painter.drawText(QRectF(from, 0, to - from, bar.top() - scaled(3.0)), Qt::AlignHCenter | Qt::AlignBottom,
                         number);
    }
}

void TimeTrack::paintMarks(QPainter& painter, const QRectF& bar) const {
    const Theme& theme = Theme::of(this);
    const std::vector<std::int64_t>& ticks = content_.evaluations;
    if (ticks.size() > 1) {
        const double span = pixelOf(ticks.back()) - pixelOf(ticks.front());
        if (span / static_cast<double>(ticks.size() - 1) >= scaled(kTickRoom)) {
            painter.setPen(QPen(theme.quiet, theme.weight));
            for (const std::int64_t samples : ticks) {
                const double x = std::round(pixelOf(samples)) + 0.5;
                painter.drawLine(QPointF(x, bar.bottom() + 2), QPointF(x, bar.bottom() + 2 + scaled(3.0)));
            }
        }
    }
    painter.setPen(QPen(theme.text, 1.5 * theme.weight));
    for (const TimeTrackContent::Plateau& plateau : content_.plateaus) {
        const double x = pixelOf(plateau.at);
        painter.drawLine(QPointF(x, bar.top() - scaled(kOver)), QPointF(x, bar.bottom() + scaled(kOver)));
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.text);
    double drawn = -1;
    for (const std::int64_t samples : content_.checkpoints) {
        const double x = pixelOf(samples);
        if (x - drawn < 2 * scaled(kDot) && drawn >= 0) continue;
        painter.drawEllipse(QPointF(x, bar.center().y()), scaled(kDot), scaled(kDot));
        drawn = x;
    }
    for (const TimeTrackContent::Change& change : content_.changes)
        drawMarker(painter, MarkerShape::Diamond, QPointF(pixelOf(change.at), bar.center().y()), scaled(kDiamond),
                   QPen(theme.panel, 1.5 * theme.weight), theme.text);
}

void TimeTrack::paintMoments(QPainter& painter, const QRectF& bar) const {
    const Theme& theme = Theme::of(this);
    if (hovered_) {
        painter.setPen(QPen(theme.quiet, theme.weight));
        const double x = std::round(pixelOf(*hovered_)) + 0.5;
        painter.drawLine(QPointF(x, bar.top() - scaled(4.0)), QPointF(x, bar.bottom() + scaled(6.0)));
        // Over the ticks of evaluations: the numbers of the sessions stay in sight. Left of the mouse if there is room.
        const QFont font = textFont(this->font(), text_size::kCaption);
        const double wide = QFontMetricsF(font).horizontalAdvance(caption()) + scaled(6.0);
        const double top = bar.bottom() + scaled(1.0), left = x - wide - 1;
        const double right = std::clamp(x + kPointer, 0.0, std::max(0.0, width() - wide));
        const QRectF room(left >= 0 ? left : right, top, wide, height() - top);
        painter.fillRect(room, theme.panel);
        painter.setFont(font);
        painter.drawText(room, Qt::AlignHCenter | Qt::AlignBottom, caption());
    }
    // Not chosen: a small one at the newest, which says that it can be taken.
    const double radius = scaled(chosen_ ? kHandle : kHandle - 2.5);
    const QPointF centre(pixelOf(chosen_.value_or(content_.seen)), bar.center().y());
    painter.setPen(QPen(theme.accent, (chosen_ ? 2.5 : 2) * theme.weight));
    painter.setBrush(chosen_ ? theme.panel : theme.accent);
    painter.drawEllipse(centre, radius, radius);
}

void TimeTrack::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF line = bar();
    paintSessions(painter, line);
    if (content_.total <= 0) return;
    paintMarks(painter, line);
    paintMoments(painter, line);
    if (hasFocus()) paintFocusRing(painter, rect(), Theme::of(this));
}

}  // namespace palimpsest
