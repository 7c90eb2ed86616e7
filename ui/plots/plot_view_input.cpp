// SPDX-License-Identifier: GPL-3.0-or-later
// How a person looks into a figure: mouse and keyboard, and the readout that follows them.
#include <qcustomplot.h>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>

#include "ui/plots/plot_view.h"
#include "ui/state/curve_cursor.h"
#include "ui/state/series.h"

namespace palimpsest {
namespace {

constexpr int kClickReach = 4;  // pixels; a press that moves farther is a drag

}  // namespace

QString PlotView::namesAt(const QPoint& point) const {
    const std::vector<QRectF> rects = decor_->labelRects();
    const bool at_one =
        std::any_of(rects.begin(), rects.end(), [&](const QRectF& rect) { return rect.contains(point); });
    return at_one || point.x() > canvas_->axisRect()->right() ? decor_->hiddenNames().join('\n') : QString();
}

void PlotView::read(std::optional<double> place) {
    reading_ = place;
    overlay_->setReadout(place && canvas_->xAxis->range().contains(*place) ? std::optional(readoutAt(*place))
                                                                           : std::nullopt);
}

void PlotView::look(std::optional<double> place) {
    const auto moment = place ? momentAt(*place) : std::nullopt;
    if (cursor_ && (moment || !place)) {
        cursor_->hover(moment);
        // Where two places are the same moment, the one that was asked for.
        if (place) read(place);
    } else {
        read(place);
    }
}

void PlotView::pin(std::optional<double> place) {
    if (!cursor_) return;
    cursor_->pin(place ? momentAt(*place) : std::nullopt);
    read(place);
}

void PlotView::takeCursor() {
    if (!isVisible()) return;  // it looks when it is shown
    const CurveCursor::Moment moment = cursor_->moment();
    const auto wanted = moment ? placeOf(*moment) : std::nullopt;
    const std::vector<double> places = wanted ? readingPlaces() : std::vector<double>();
    if (places.empty()) return read(std::nullopt);
    read(*nearestIn(places, *wanted));
}

/// The nearest place at which the readout can stand.
std::optional<double> PlotView::placeAt(double pixel) const {
    const std::vector<double> places = readingPlaces();
    if (places.empty()) return std::nullopt;
    return *nearestIn(places, canvas_->xAxis->pixelToCoord(pixel));
}

void PlotView::stepReadout(int direction) {
    const std::vector<double> places = readingPlaces();
    if (places.empty()) return;
    if (!reading_) {
        look(places.back());
    } else {
        const auto at = std::lower_bound(places.begin(), places.end(), *reading_);
        const auto index = std::clamp<std::ptrdiff_t>(at - places.begin() + direction, 0,
                                                      static_cast<std::ptrdiff_t>(places.size()) - 1);
        look(places[static_cast<std::size_t>(index)]);
    }
    if (const auto& shown = overlay_->readout()) {
        QStringList parts{shown->heading};
        for (const Readout::Row& row : shown->rows) parts.push_back(row.name + ' ' + row.value);
        canvas_->setAccessibleDescription(parts.join(QStringLiteral(", ")));
    }
}

void PlotView::zoomBy(double factor) {
    canvas_->xAxis->scaleRange(factor, reading_.value_or(canvas_->xAxis->range().center()));
    replotSoon();
}

bool PlotView::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    const bool shift = modifiers & Qt::ShiftModifier;
    if (modifiers & Qt::ControlModifier) return false;  // the text size of the window
    switch (key) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (!shift) return false;  // Right alone steps the run
            stepReadout(key == Qt::Key_Left ? -1 : 1);
            return true;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomBy(0.8);
            return true;
        case Qt::Key_Minus:
            zoomBy(1.25);
            return true;
        case Qt::Key_Home:
            showAll();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!reading_ || !cursor_) return false;
            pin(reading_);
            return true;
        case Qt::Key_Escape:
            if (!reading_) return false;
            pin(std::nullopt);
            look(std::nullopt);
            return true;
        default:
            return false;
    }
}

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != canvas_) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::MouseMove: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            hovered(mouse->position());
            look(canvas_->axisRect()->rect().contains(mouse->pos()) ? placeAt(mouse->pos().x()) : std::nullopt);
            break;
        }
        case QEvent::Leave:
            look(std::nullopt);
            break;
        case QEvent::MouseButtonPress:
            pressed_ = static_cast<QMouseEvent*>(event)->pos();
            pinned_before_.reset();
            break;
        case QEvent::MouseButtonRelease: {
            const QPoint here = static_cast<QMouseEvent*>(event)->pos();
            const bool click = pressed_ && (here - *pressed_).manhattanLength() <= kClickReach;
            pressed_.reset();
            if (!click || !canvas_->axisRect()->rect().contains(here)) break;
            if (cursor_) pinned_before_ = cursor_->pinned();
            pin(placeAt(here.x()));
            break;
        }
        case QEvent::MouseButtonDblClick:
            // Its first click was no wish to keep the readout here.
            if (cursor_ && pinned_before_) cursor_->pin(*pinned_before_);
            pinned_before_.reset();
            showAll();
            return true;
        case QEvent::ToolTip: {
            const auto* help = static_cast<QHelpEvent*>(event);
            const QString names = namesAt(help->pos());
            if (names.isEmpty()) break;
            QToolTip::showText(help->globalPos(), names, canvas_);
            return true;
        }
        case QEvent::KeyPress: {
            const auto* press = static_cast<QKeyEvent*>(event);
            if (handleKey(press->key(), press->modifiers())) return true;
            break;
        }
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace palimpsest
