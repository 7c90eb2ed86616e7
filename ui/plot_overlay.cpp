// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot_overlay.h"

#include <QFocusEvent>
#include <QPainter>

#include "ui/invitation.h"
#include "ui/key_names.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr double kPad = 9;
constexpr double kMarkerColumn = 14;

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
    drawInvitation(painter, area_, font(), theme, invitation_);
}

void PlotOverlay::paintReadout(QPainter& painter) const {
    const Theme& theme = Theme::of(this);
    const Readout& out = *readout_;
    QColor hair = theme.quiet;
    hair.setAlphaF(0.6F);
    painter.setPen(QPen(hair, theme.weight));
    painter.drawLine(QPointF(out.x, area_.top()), QPointF(out.x, area_.bottom()));
    for (const Readout::Row& row : out.rows)
        drawMarker(painter, row.shape, row.at, 4 * theme.weight, QPen(theme.panel, 1.5 * theme.weight), row.colour);

    const QFont small = textFont(font(), text_size::kCaption);
    const QFont text = textFont(font(), text_size::kText);
    const QFont bold = textFont(font(), text_size::kText, QFont::DemiBold);
    const QFontMetricsF smallMetrics(small), textMetrics(text), boldMetrics(bold);
    double names = 0, values = 0;
    for (const Readout::Row& row : out.rows) {
        names = std::max(names, textMetrics.horizontalAdvance(row.name));
        values = std::max(values, boldMetrics.horizontalAdvance(row.value));
    }
    const double line = textMetrics.height() + 3;
    const double width =
        std::max(smallMetrics.horizontalAdvance(out.heading), kMarkerColumn + names + 14 + values) + 2 * kPad;
    const double height = smallMetrics.height() + 3 + line * static_cast<double>(out.rows.size()) + 2 * kPad - 3;
    QRectF box(out.x + 12, area_.top() + 8, width, height);
    if (box.right() > area_.right()) box.moveRight(out.x - 12);
    if (box.left() < 0) box.moveLeft(0);

    painter.setPen(QPen(theme.line, theme.weight));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(box, 6, 6);
    double y = box.top() + kPad;
    painter.setFont(small);
    painter.setPen(theme.quiet);
    painter.drawText(QPointF(box.left() + kPad, y + smallMetrics.ascent()), out.heading);
    y += smallMetrics.height() + 3;
    for (const Readout::Row& row : out.rows) {
        drawMarker(painter, row.shape, {box.left() + kPad + 4, y + textMetrics.height() / 2}, 3.5, Qt::NoPen,
                   row.colour);
        painter.setPen(theme.text);
        painter.setFont(text);
        painter.drawText(QPointF(box.left() + kPad + kMarkerColumn, y + textMetrics.ascent()), row.name);
        painter.setFont(bold);
        painter.drawText(QRectF(box.left(), y, box.width() - kPad, textMetrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, row.value);
        y += line;
    }
}

}  // namespace palimpsest
