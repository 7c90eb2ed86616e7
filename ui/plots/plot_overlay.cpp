// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_overlay.h"

#include <QFocusEvent>
#include <QPainter>
#include <algorithm>
#include <utility>
#include <vector>

#include "ui/state/key_names.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr double kOverlayPad = 9;
constexpr double kMarkerColumn = 14;
constexpr double kOverlayBetween = 14;       // from the longest name to the values
constexpr double kLineGap = 3;               // between two lines
constexpr double kAway = 12;                 // from the hair line to the box
constexpr qsizetype kMostRows = 6;           // and a line for the others
constexpr double kMostHeight = 0.5;          // of the plot's, where two lines take less
constexpr double kMostWidth = 0.6;           // of the plot
constexpr double kFromEdge = 8;              // from the box to the ends of the axes
constexpr double kClear = 3;                 // that a curve keeps from it
constexpr std::size_t kMostLookedAt = 4000;  // points of curves
constexpr int kBoxSteps = 12;                // places along the top and the foot
// In points of curves that it covers: a mark, all the way from the line, and a move. The foot and a place elsewhere as
// shares of that way.
constexpr double kMarkWorth = 12, kAwayWorth = 8, kStayWorth = 6, kFoot = 0.1, kElsewhere = 0.25;
constexpr double kLeastOverlayName = 60;  // pixels that a name has even where that is more

/// The first so many rows, in their order; those that are kept come before others.
QVector<Readout::Row> listed(const Readout& out, qsizetype most) {
    qsizetype others = most - std::ranges::count_if(out.rows, &Readout::Row::kept);
    QVector<Readout::Row> rows;
    for (const Readout::Row& row : out.rows)
        if (rows.size() < most && (row.kept || others-- > 0)) rows.append(row);
    return rows;
}

}  // namespace

PlotOverlay::PlotOverlay(QWidget* plot) : QWidget(plot) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    plot->installEventFilter(this);
    connect(&KeyNames::instance(), &KeyNames::changed, this, qOverload<>(&QWidget::update));
}

void PlotOverlay::setArea(const QRect& area) {
    if (area == area_) return;
    area_ = area;
    update();
}

void PlotOverlay::setReadout(std::optional<Readout> readout) {
    if (!readout && !readout_) return;
    readout_ = std::move(readout);
    update();
}

void PlotOverlay::setCurves(const std::vector<QPointF>& points) {
    // Every few of very many say as well where there is room.
    const std::size_t step = points.size() / kMostLookedAt + 1;
    curves_.clear();
    for (std::size_t i = 0; i < points.size(); i += step) curves_.push_back(points[i]);
    if (readout_) update();
}

void PlotOverlay::setBoxShown(bool shown) {
    if (shown == box_shown_) return;
    box_shown_ = shown;
    update();
}

QString PlotOverlay::invitation() const {
    return KeyNames::instance().filled(invitation_);
}

void PlotOverlay::setInvitation(const QString& text, const QVector<QPolygonF>& lines) {
    invitation_ = text;
    drawing_ = lines;
    update();
}

void PlotOverlay::setEmpty(bool empty) {
    if (empty == empty_) return;
    empty_ = empty;
    update();
}

void PlotOverlay::setFramed(bool framed) {
    if (framed == framed_) return;
    framed_ = framed;
    update();
}

bool PlotOverlay::eventFilter(QObject* watched, QEvent* event) {
    if (watched != parentWidget()) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::Resize:
            setGeometry(parentWidget()->rect());
            break;
        case QEvent::FocusIn: {
            const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
            setFramed(reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason);
            break;
        }
        case QEvent::FocusOut:
            setFramed(false);
            break;
        // Words on top of the readout would hide it.
        case QEvent::ToolTip:
            return readout_.has_value();
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

void PlotOverlay::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    if (framed_) {
        painter.setPen(QPen(Theme::of(this).accent, Theme::of(this).weight));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
    if (empty_)
        paintInvitation(painter);
    else if (readout_)
        paintReadout(painter);
}

void PlotOverlay::paintInvitation(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    for (int i = 0; i < drawing_.size(); ++i) {
        QPolygonF line;
        for (const QPointF& point : drawing_[i])
            line.push_back({area_.left() + point.x() * area_.width(), area_.bottom() - point.y() * area_.height()});
        QPen pen(theme.line, (i == 0 ? 2.5 : 1.5) * theme.weight);
        pen.setJoinStyle(Qt::RoundJoin);
        pen.setCapStyle(Qt::RoundCap);
        if (i > 0) pen.setDashPattern({4, 4});
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawPolyline(line);
    }
    drawEmptyState(painter, area_, font(), theme, invitation_);
}

void PlotOverlay::paintReadout(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const Readout& out = *readout_;
    QColor hair = theme.quiet;
    hair.setAlphaF(0.6F);
    painter.setPen(QPen(hair, theme.weight));
    painter.drawLine(QPointF(out.x, area_.top()), QPointF(out.x, area_.bottom()));
    for (const Readout::Row& row : out.rows)
        if (row.marked)
            drawMarker(painter, row.shape, row.at, 4 * theme.weight, QPen(theme.panel, 1.5 * theme.weight), row.colour);

    if (!box_shown_) return;

    const QFont small = textFont(font(), text_size::kCaption);
    const QFont text = textFont(font(), text_size::kText);
    const QFont bold = textFont(font(), text_size::kText, QFont::DemiBold);
    const QFontMetricsF smallMetrics(small), textMetrics(text);
    const Box layout = boxOf(out);
    const QRectF& box = layout.rect;
    const double line = textMetrics.height() + kLineGap;
    painter.setClipRect(rect());

    painter.setPen(QPen(theme.line, theme.weight));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(box, 6, 6);
    double y = box.top() + kOverlayPad;
    painter.setFont(small);
    painter.setPen(theme.quiet);
    painter.drawText(QPointF(box.left() + kOverlayPad, y + smallMetrics.ascent()),
                     smallMetrics.elidedText(out.heading, Qt::ElideRight, box.width() - 2 * kOverlayPad));
    y += smallMetrics.height() + kLineGap;
    for (const Readout::Row& row : layout.rows) {
        drawMarker(painter, row.shape, {box.left() + kOverlayPad + 4, y + textMetrics.height() / 2}, 3.5, Qt::NoPen,
                   row.colour);
        painter.setPen(theme.text);
        painter.setFont(text);
        painter.drawText(QPointF(box.left() + kOverlayPad + kMarkerColumn, y + textMetrics.ascent()),
                         textMetrics.elidedText(row.name, Qt::ElideMiddle, layout.names));
        painter.setFont(bold);
        painter.drawText(QRectF(box.left(), y, box.width() - kOverlayPad, textMetrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, row.value);
        y += line;
    }
    painter.setPen(theme.quiet);
    painter.setFont(text);
    painter.drawText(QPointF(box.left() + kOverlayPad + kMarkerColumn, y + textMetrics.ascent()), layout.more);
}

PlotOverlay::Box PlotOverlay::boxOf(const Readout& out) const {
    const QFontMetricsF small(textFont(font(), text_size::kCaption)), text(textFont(font(), text_size::kText));
    const QFontMetricsF bold(textFont(font(), text_size::kText, QFont::DemiBold));
    const double line = text.height() + kLineGap, head = small.height() + kLineGap + 2 * kOverlayPad - kLineGap;
    Box box;
    // Most of the plot stays in sight; "and 1 more" would take the row's own place.
    const qsizetype all = out.rows.size() + out.more;
    const auto fit = std::max<qsizetype>(2, static_cast<qsizetype>((kMostHeight * height() - head) / line));
    const auto high = std::max<qsizetype>(2, static_cast<qsizetype>((height() - head) / line));
    const qsizetype kept = std::ranges::count_if(out.rows, &Readout::Row::kept);
    const qsizetype most = std::clamp(kept + (kept < all ? 1 : 0), std::min(kMostRows + 1, fit), high);
    box.rows = listed(out, all <= most ? out.rows.size() : most - 1);
    if (all > box.rows.size()) box.more = tr("and %1 more").arg(all - box.rows.size());
    double values = 0;
    for (const Readout::Row& row : std::as_const(box.rows)) {
        box.names = std::max(box.names, text.horizontalAdvance(row.name));
        values = std::max(values, bold.horizontalAdvance(row.value));
    }
    box.names = std::max(box.names, text.horizontalAdvance(box.more) - kOverlayBetween - values);
    const double beside = kMarkerColumn + kOverlayBetween + values + 2 * kOverlayPad;
    const double widest = std::min<double>(width(), std::max(kMostWidth * width(), beside + scaled(kLeastOverlayName)));
    const double wanted = std::max(small.horizontalAdvance(out.heading) + 2 * kOverlayPad, beside + box.names);
    box.names = std::max(0.0, std::min(box.names, widest - beside));
    const double lines = static_cast<double>(box.rows.size() + (box.more.isEmpty() ? 0 : 1));
    const QSizeF size(std::min(wanted, widest), head + line * lines);
    box.rect = QRectF(placeFor(out, size), size);
    return box;
}

QPointF PlotOverlay::placeFor(const Readout& out, const QSizeF& size) const {
    const double after = out.x + kAway, before = out.x - kAway - size.width();
    const double top = area_.top() + kFromEdge, foot = area_.bottom() - kFromEdge - size.height();
    const double first = area_.left() + kFromEdge, last = area_.right() - kFromEdge - size.width();
    const bool fits_after = after + size.width() <= area_.right();
    const bool fits_before = before >= std::min<double>(area_.left(), out.x);
    struct Place {
        QPointF at;
        bool possible;
        double away;  // from the line, and from the top: a share
    };
    // Beside the line first, then anywhere along the top and the foot. Places have their numbers for good.
    std::vector<Place> places{{{after, top}, fits_after, 0},
                              {{before, top}, fits_before || !fits_after, 0},
                              {{after, foot}, fits_after, kFoot},
                              {{before, foot}, fits_before, kFoot}};
    for (int step = 0; step <= kBoxSteps; ++step) {
        const double left = first + (last - first) * step / kBoxSteps;
        const double distance = std::max({0.0, left - after, before - left});
        const bool possible = last > first && (left >= after || left <= before);
        const double away = kElsewhere + distance / std::max(1, area_.width());
        places.push_back({{left, top}, possible, away});
        places.push_back({{left, foot}, possible, away + kFoot});
    }
    int best = -1;
    double least = 0;
    for (int i = 0; i < static_cast<int>(places.size()); ++i) {
        const auto& [at, possible, away] = places[static_cast<std::size_t>(i)];
        if (!possible) continue;
        const QRectF box = QRectF(at, size).adjusted(-kClear, -kClear, kClear, kClear);
        auto covered = static_cast<double>(
            std::ranges::count_if(curves_, [&](const QPointF& point) { return box.contains(point); }));
        for (const Readout::Row& row : out.rows) covered += row.marked && box.contains(row.at) ? kMarkWorth : 0;
        covered += kAwayWorth * away - (i == place_ ? kStayWorth : 0);
        if (best >= 0 && covered >= least) continue;
        best = i;
        least = covered;
    }
    place_ = best;
    QPointF at = places[static_cast<std::size_t>(best)].at;
    at.setX(std::clamp(at.x(), 0.0, std::max(0.0, width() - size.width())));
    at.setY(std::clamp(at.y(), 0.0, std::max(0.0, height() - size.height())));
    return at;
}

QStringList PlotOverlay::readoutLines() const {
    QStringList lines;
    if (!readout_) return lines;
    const Box box = boxOf(*readout_);
    for (const Readout::Row& row : box.rows) lines.append(row.name + ' ' + row.value);
    if (!box.more.isEmpty()) lines.append(box.more);
    return lines;
}

}  // namespace palimpsest
