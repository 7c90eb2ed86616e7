// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/spotlight.h"

#include <QEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QRadialGradient>
#include <algorithm>
#include <cmath>

namespace palimpsest {
namespace {

constexpr int kDim = 150;            // alpha of what is dimmed
constexpr double kBright = 0.72;     // share of the radius that is not dimmed at all
constexpr int kSmallestRadius = 24;  // pixels

}  // namespace

Spotlight::Spotlight(QWidget* below) : QWidget(below), below_(below) {
    setObjectName("spotlight");
    setAccessibleName(tr("Spotlight"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    hide();
    below->installEventFilter(this);
}

void Spotlight::setOn(bool on) {
    if (on == on_) return;
    on_ = on;
    refresh();
}

int Spotlight::radius() const {
    return std::max(kSmallestRadius, static_cast<int>(share_ * below_->height()));
}

QRect Spotlight::lit() const {
    const int reach = radius();
    return place_ ? QRect(*place_ - QPoint(reach, reach), QSize(2 * reach, 2 * reach)) : QRect();
}

void Spotlight::moveTo(std::optional<QPoint> place) {
    if (place == place_) return;
    const bool seen = isVisible() && place;
    const QRect before = lit();
    place_ = place;
    if (seen) {
        update(before);
        update(lit());
    }
    refresh();
}

void Spotlight::grow(int steps) {
    const QRect before = lit();
    share_ = std::clamp(share_ * std::pow(kStep, steps), kLeastShare, kMostShare);
    pool_ = {};
    update(before.united(lit()));
}

void Spotlight::refresh() {
    const bool seen = on_ && place_;
    if (seen == !isHidden()) return;
    if (seen) {
        setGeometry(below_->rect());
        raise();
    }
    setVisible(seen);
}

const QPixmap& Spotlight::pool() {
    const qreal ratio = devicePixelRatio();
    const QSize size = lit().size() * ratio;
    if (pool_.size() == size) return pool_;
    pool_ = QPixmap(size);
    pool_.setDevicePixelRatio(ratio);
    pool_.fill(Qt::transparent);
    QPainter painter(&pool_);
    const double reach = radius();
    QRadialGradient light(QPointF(reach, reach), reach);
    light.setColorAt(0, Qt::transparent);
    light.setColorAt(kBright, Qt::transparent);
    light.setColorAt(1, QColor(0, 0, 0, kDim));
    painter.fillRect(QRectF(0, 0, 2 * reach, 2 * reach), light);
    return pool_;
}

void Spotlight::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    const QRect circle = lit();
    for (const QRect& dimmed : event->region().subtracted(circle)) painter.fillRect(dimmed, QColor(0, 0, 0, kDim));
    if (event->region().intersects(circle)) painter.drawPixmap(circle.topLeft(), pool());
}

bool Spotlight::eventFilter(QObject* watched, QEvent* event) {
    if (watched == below_ && event->type() == QEvent::Resize) {
        pool_ = {};
        setGeometry(below_->rect());
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace palimpsest
