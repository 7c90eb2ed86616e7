// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/metric_hover.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWidget>

#include "ui/plots/metric_tip.h"

namespace palimpsest {

MetricHover::MetricHover(QWidget* watched, Ask ask, QWidget* keys)
    : QObject(watched), watched_(watched), keys_(keys ? keys : watched), ask_(std::move(ask)) {
    watched_->setMouseTracking(true);
    watched_->installEventFilter(this);
    if (keys_ != watched_) keys_->installEventFilter(this);
}

MetricTip* MetricHover::tip() const {
    return tip_;
}

bool MetricHover::present(std::optional<QPoint> point) {
    const std::optional<Answer> answer = ask_(point);
    if (!answer) return false;
    QWidget* window = watched_->window();
    if (!tip_ || tip_->parentWidget() != window) {
        delete tip_;
        tip_ = new MetricTip(window);
    }
    place_ = answer->place;
    tip_->setCard(answer->card, answer->run);
    tip_->showBeside({watched_->mapTo(window, place_.topLeft()), place_.size()});
    keys_->setAccessibleDescription(tip_->text());
    return true;
}

bool MetricHover::putAway() {
    if (!tip_ || !tip_->isVisible()) return false;
    tip_->hide();
    return true;
}

bool MetricHover::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::ToolTip:
            if (watched == watched_ && present(static_cast<QHelpEvent*>(event)->pos())) return true;
            break;
        case QEvent::MouseMove:
            if (watched == watched_ && !place_.contains(static_cast<QMouseEvent*>(event)->pos())) putAway();
            break;
        case QEvent::Leave:
        case QEvent::MouseButtonPress:
        case QEvent::Wheel:
        case QEvent::FocusOut:
        case QEvent::Hide:
            putAway();
            break;
        case QEvent::KeyPress: {
            if (watched != keys_) break;
            const auto* key = static_cast<QKeyEvent*>(event);
            const bool help = key->key() == Qt::Key_F1 && key->modifiers() == Qt::ShiftModifier;
            const bool enter = return_ && (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter);
            if (help || enter) {
                if (putAway() || present(std::nullopt)) return true;
                break;
            }
            // The key that begins a combination means nothing yet.
            if (key->key() == Qt::Key_Shift || key->key() == Qt::Key_Control || key->key() == Qt::Key_Alt) break;
            // Escape is for the card alone while there is one.
            if (putAway() && key->key() == Qt::Key_Escape) return true;
            break;
        }
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

}  // namespace palimpsest
