// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/point_frame.h"

#include <QEvent>
#include <QPainter>

#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr int kFrameLine = 3, kAroundFramed = 3;
constexpr double kFrameRounding = 9;

}  // namespace

void PointFrame::show(QWidget* framed, const QRect& part) {
    for (PointFrame* other : framed->window()->findChildren<PointFrame*>(Qt::FindDirectChildrenOnly)) delete other;
    auto* frame = new PointFrame(framed, part);
    frame->place();
    frame->raise();
    frame->QWidget::show();
    QTimer::singleShot(kShownMs, frame, &QObject::deleteLater);
}

PointFrame::PointFrame(QWidget* framed, const QRect& part) : QWidget(framed->window()), framed_(framed), part_(part) {
    setObjectName("pointFrame");
    setAccessibleName(tr("Frame around what the lesson shows"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    framed->installEventFilter(this);
}

void PointFrame::place() {
    if (!framed_) return;
    const QRect part = part_.isEmpty() ? framed_->rect() : part_;
    const QRect whole(framed_->mapTo(framed_->window(), part.topLeft()), part.size());
    setGeometry(whole.adjusted(-kAroundFramed, -kAroundFramed, kAroundFramed, kAroundFramed)
                    .intersected(framed_->window()->rect()));
}

bool PointFrame::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize || event->type() == QEvent::Move) place();
    if (event->type() == QEvent::Hide) deleteLater();
    return QWidget::eventFilter(watched, event);
}

void PointFrame::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::of(this).accent, kFrameLine));
    painter.setBrush(Qt::NoBrush);
    const double half = kFrameLine / 2.0;
    painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), kFrameRounding, kFrameRounding);
}

}  // namespace palimpsest
