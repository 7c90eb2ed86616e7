// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dock_title.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr int kFloatingHeight = 28;
constexpr QSizeF kGrip(32, 3);

QToolButton* makeTool(const QString& name, const QString& sign, const QString& words, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(sign);
    button->setAccessibleName(words);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setProperty("grip", true);
    return button;
}

}  // namespace

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock),
      dock_(dock),
      name_(makeLabel(dock->windowTitle(), text_size::kText, QFont::DemiBold, false)),
      float_(makeTool(dock->objectName() + "Float", QStringLiteral("▫"),
                      tr("Detach or attach %1").arg(dock->windowTitle()),
                      tr("A window of its own, or back into this one"))),
      hide_(makeTool(dock->objectName() + "Hide", QStringLiteral("×"), tr("Hide %1").arg(dock->windowTitle()),
                     tr("Put this panel away; the Window menu brings it back"))) {
    setObjectName(dock->objectName() + "Title");
    setAccessibleName(tr("Grip of %1").arg(dock->windowTitle()));
    setToolTip(tr("Drag to move %1; double click detaches or attaches it").arg(dock->windowTitle()));
    setCursor(Qt::OpenHandCursor);
    float_->setCursor(Qt::ArrowCursor);
    hide_->setCursor(Qt::ArrowCursor);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 4, 0);
    row->setSpacing(2);
    row->addWidget(name_);
    row->addStretch(1);
    row->addWidget(float_);
    row->addWidget(hide_);
    connect(float_, &QToolButton::clicked, dock_, [this] { dock_->setFloating(!dock_->isFloating()); });
    connect(hide_, &QToolButton::clicked, this, &DockTitle::hideAsked);
    connect(dock_, &QDockWidget::topLevelChanged, this, &DockTitle::refresh);
    connect(dock_, &QDockWidget::featuresChanged, this, &DockTitle::refresh);
    fitToText(this, [this] { refresh(); });
}

QSize DockTitle::sizeHint() const {
    return {60, dock_->isFloating() ? scaled(kFloatingHeight) : kHeight};
}

void DockTitle::refresh() {
    const bool floating = dock_->isFloating(), seen = floating || underMouse();
    name_->setVisible(floating);
    float_->setVisible(seen && dock_->features().testFlag(QDockWidget::DockWidgetFloatable));
    hide_->setVisible(seen);
    for (QToolButton* button : {float_, hide_}) {
        button->setFixedHeight(floating ? scaled(20) : kHeight);
        button->setFixedWidth(floating ? scaled(20) : 20);
    }
    updateGeometry();
    update();
}

void DockTitle::enterEvent(QEnterEvent*) {
    refresh();
}

void DockTitle::leaveEvent(QEvent*) {
    refresh();
}

void DockTitle::paintEvent(QPaintEvent*) {
    if (dock_->isFloating()) return;
    const Theme& theme = Theme::of(this);
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QRectF grip({}, kGrip);
    grip.moveCenter(QRectF(rect()).center());
    painter.setPen(Qt::NoPen);
    painter.setBrush(underMouse() ? theme.quiet : theme.line);
    painter.drawRoundedRect(grip, kGrip.height() / 2, kGrip.height() / 2);
}

}  // namespace palimpsest
