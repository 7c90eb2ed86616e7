// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/refusal_tip.h"

#include <QAccessible>
#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/text_style.h"

namespace palimpsest {
namespace {

constexpr int kWidth = 300;
constexpr int kPad = 8, kFar = 3, kEdge = 4;

/// Not hidden, nor scrolled away. Not visibleRegion(), from which a field's own line edit is taken away.
bool inSight(const QWidget& field, const QWidget* window) {
    if (!field.isVisibleTo(window)) return false;
    QRect seen = field.rect();
    for (const QWidget* widget = &field; widget != window; widget = widget->parentWidget())
        seen = seen.translated(widget->pos()) & widget->parentWidget()->rect();
    return !seen.isEmpty();
}

}  // namespace

RefusalTip::RefusalTip(QWidget* window)
    : QFrame(window), words_(makeLabel({}, text_size::kText, QFont::Normal, false, this)) {
    setObjectName(QStringLiteral("refusalTip"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setProperty("refusal", true);
    words_->setObjectName(QStringLiteral("refusalWords"));
    words_->setTextFormat(Qt::PlainText);
    words_->setWordWrap(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(kPad, kPad - 2, kPad, kPad - 2);
    column->addWidget(words_);
    fade_.setInterval(kMs);
    fade_.setSingleShot(true);
    connect(&fade_, &QTimer::timeout, this, &RefusalTip::over);
    hide();
}

void RefusalTip::clear() {
    fade_.stop();
    hide();
}

QString RefusalTip::text() const {
    return words_->text();
}

void RefusalTip::tell(const QString& why, QWidget* field) {
    if (field != field_) watch(field);
    const bool news = isHidden() || why != words_->text();
    words_->setText(why);
    fade_.start();
    place();
    if (!news || isHidden()) return;
    setAccessibleName(why);
    QAccessibleEvent alert(this, QAccessible::Alert);
    QAccessible::updateAccessibility(&alert);
}

/// It goes where the field goes, whichever of those around it is moved.
void RefusalTip::watch(QWidget* field) {
    const auto around = [this](auto&& each) {
        for (QWidget* widget = field_; widget && widget != parentWidget(); widget = widget->parentWidget())
            each(widget);
    };
    around([this](QWidget* widget) { widget->removeEventFilter(this); });
    field_ = field;
    around([this](QWidget* widget) { widget->installEventFilter(this); });
}

/// Below its field, or above it where there is no room; nowhere while the field is out of sight.
void RefusalTip::place() {
    if (!field_ || !inSight(*field_, parentWidget())) {
        hide();
        return;
    }
    const QRect field(field_->mapTo(parentWidget(), QPoint()), field_->size());
    const QRect room = parentWidget()->rect().adjusted(kEdge, kEdge, -kEdge, -kEdge);
    words_->setFixedWidth(std::min(scaled(kWidth), std::max(1, room.width() - 2 * kPad)));
    adjustSize();
    int y = field.bottom() + kFar;
    if (y + height() > room.bottom()) y = field.top() - kFar - height();
    move(std::clamp(field.left(), room.left(), std::max(room.left(), room.right() - width())),
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
