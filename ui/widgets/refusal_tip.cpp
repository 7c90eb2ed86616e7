// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/refusal_tip.h"

#include <QAbstractScrollArea>
#include <QAccessible>
#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

constexpr int kWidth = 300;
constexpr int kTipPad = 8, kFar = 3, kEdge = 4;

/// True if the field is neither hidden nor scrolled away. visibleRegion() would lack the area of a field's line edit.
bool inSight(const QWidget& field, const QWidget* window) {
    if (!window->isAncestorOf(&field)) return false;
    if (!field.isVisibleTo(window)) return false;
    QRect seen = field.rect();
    for (const QWidget* widget = &field; widget != window; widget = widget->parentWidget())
        seen = seen.translated(widget->pos()) & widget->parentWidget()->rect();
    return !seen.isEmpty();
}

/// Scroll area of the field, else the field's neighbours; in the window.
QRect formOf(const QWidget& field, QWidget* window) {
    QWidget* form = field.parentWidget();
    for (QWidget* widget = form; widget && widget != window; widget = widget->parentWidget())
        if (qobject_cast<QAbstractScrollArea*>(widget)) form = widget;
    return {form->mapTo(window, QPoint()), form->size()};
}

}  // namespace

RefusalTip::RefusalTip(QWidget* window)
    : QFrame(window), label_(makeLabel({}, text_size::kText, QFont::Normal, false, this)) {
    setObjectName(QStringLiteral("refusalTip"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setProperty("refusal", true);
    label_->setObjectName(QStringLiteral("refusalWords"));
    label_->setTextFormat(Qt::PlainText);
    label_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kTipPad, kTipPad - 2, kTipPad, kTipPad - 2);
    column->addWidget(label_);
    fade_.setInterval(kMs);
    fade_.setSingleShot(true);
    connect(&fade_, &QTimer::timeout, this, &RefusalTip::timedOut);
    hide();
}

void RefusalTip::clear() {
    fade_.stop();
    hide();
}

QString RefusalTip::text() const {
    return label_->text();
}

void RefusalTip::showRefusal(const QString& why, QWidget* field) {
    if (field != field_) watch(field);
    const bool news = isHidden() || why != label_->text();
    label_->setText(why);
    fade_.start();
    place();
    if (!news || isHidden()) return;
    setAccessibleName(why);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

/// Follows the field, whichever of the widgets around it is moved.
void RefusalTip::watch(QWidget* field) {
    const auto around = [this](auto&& each) {
        for (QWidget* widget = field_; widget && widget != parentWidget(); widget = widget->parentWidget())
            each(widget);
    };
    around([this](QWidget* widget) { widget->removeEventFilter(this); });
    field_ = field;
    around([this](QWidget* widget) { widget->installEventFilter(this); });
}

/// Place beside the form, where it lies over no other field; without room there below its field, or above it; nowhere
/// while the field is out of sight.
void RefusalTip::place() {
    if (!field_ || !inSight(*field_, parentWidget())) {
        hide();
        return;
    }
    const QRect field(field_->mapTo(parentWidget(), QPoint()), field_->size());
    const QRect room = parentWidget()->rect().adjusted(kEdge, kEdge, -kEdge, -kEdge);
    label_->setFixedWidth(std::min(scaled(kWidth), std::max(1, room.width() - 2 * kTipPad)));
    adjustSize();
    const QRect form = formOf(*field_, parentWidget());
    const bool right = form.right() + kFar + width() <= room.right(),
               left = form.left() - kFar - width() >= room.left();
    int x = field.left(), y = field.bottom() + kFar;
    if (right || left) {
        x = right ? form.right() + kFar : form.left() - kFar - width();
        y = field.top();
    } else if (y + height() > room.bottom()) {
        y = field.top() - kFar - height();
    }
    move(std::clamp(x, room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(y, room.top(), std::max(room.top(), room.bottom() - height())));
    show();
    raise();
}

bool RefusalTip::eventFilter(QObject* watched, QEvent* event) {
    const bool moved =
        event->type() == QEvent::Move || event->type() == QEvent::Resize || event->type() == QEvent::Hide;
    if (moved && fade_.isActive()) place();
    return QFrame::eventFilter(watched, event);
}

}  // namespace palimpsest
