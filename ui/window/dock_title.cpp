// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_title.h"

#include <QCursor>
#include <QDockWidget>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kFloatingHeight = 28;
constexpr int kButton = 18, kSign = 12;
constexpr QSizeF kGrip(32, 3);

QToolButton* makeTool(const QString& name, const QString& sign, const QString& words, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    withIcon(button, sign, &Theme::quiet);
    button->setAccessibleName(words);
    button->setToolTip(tip);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::NoFocus);
    button->setProperty("grip", true);
    button->setCursor(Qt::ArrowCursor);
    return button;
}

}  // namespace

DockTitle::DockTitle(QDockWidget* dock)
    : QWidget(dock),
      dock_(dock),
      name_(makeLabel(dock->windowTitle(), text_size::kText, QFont::DemiBold, false, this)),
      buttons_(new QFrame(dock)),
      float_(makeTool(dock->objectName() + "Float", "detach", tr("Detach or attach %1").arg(dock->windowTitle()),
                      tr("A window of its own, or back into this one"))),
      hide_(makeTool(dock->objectName() + "Hide", "close", tr("Hide %1").arg(dock->windowTitle()),
                     tr("Put this panel away; the Window menu brings it back"))) {
    setObjectName(dock->objectName() + "Title");
    setAccessibleName(tr("Grip of %1").arg(dock->windowTitle()));
    setToolTip(tr("Drag to move %1; double click detaches or attaches it").arg(dock->windowTitle()));
    setCursor(Qt::OpenHandCursor);
    buttons_->setObjectName(dock->objectName() + "Buttons");
    buttons_->setProperty("gripButtons", true);
    buttons_->installEventFilter(this);
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins(1, 1, 1, 1);
    row->setSpacing(0);
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

bool DockTitle::underPointer() const {
    const QPoint at = dock_->mapFromGlobal(QCursor::pos());
    return underMouse() || (buttons_->isVisible() && buttons_->geometry().contains(at));
}

void DockTitle::refresh() {
    const bool floating = dock_->isFloating();
    name_->setVisible(floating);
    float_->setVisible(dock_->features().testFlag(QDockWidget::DockWidgetFloatable));
    for (QToolButton* button : {float_, hide_}) {
        button->setFixedSize(scaled(kButton), scaled(kButton));
        button->setIconSize({scaled(kSign), scaled(kSign)});
    }
    buttons_->setVisible(floating || underPointer());
    placeButtons();
    updateGeometry();
    update();
}

void DockTitle::placeButtons() {
    name_->setGeometry(rect().adjusted(12, 0, 0, 0));
    buttons_->resize(buttons_->sizeHint());
    const int middle = x() + width() / 2;
    buttons_->move(
        dock_->isFloating() ? x() + width() - buttons_->width() - 4 : middle + static_cast<int>(kGrip.width() / 2) + 6,
        dock_->isFloating() ? y() + (height() - buttons_->height()) / 2 : y());
    buttons_->raise();
}

void DockTitle::enterEvent(QEnterEvent*) {
    refresh();
}

void DockTitle::leaveEvent(QEvent*) {
    refresh();
}

void DockTitle::resizeEvent(QResizeEvent*) {
    placeButtons();
}

bool DockTitle::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Leave) refresh();
    return QWidget::eventFilter(watched, event);
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
