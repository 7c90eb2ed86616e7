// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls.h"

#include <QCoreApplication>
#include <QCursor>
#include <QEvent>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>

#include "ui/widgets/labels.h"

namespace palimpsest {
namespace {

class WheelGuard : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* object, QEvent* event) override {
        if (event->type() != QEvent::Wheel || static_cast<QWidget*>(object)->hasFocus()) return false;
        event->ignore();
        return true;
    }
};

}  // namespace

QPushButton* makeButton(const QString& name, const QString& text, const QString& tip) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setAccessibleName(text.isEmpty() ? tip : text);
    button->setToolTip(tip);
    button->setAutoDefault(false);
    return button;
}

QToolButton* makeLink(const QString& name, const QString& text, const QString& tip, int pixels) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    button->setAccessibleName(text);
    button->setToolTip(tip);
    button->setProperty("link", true);
    button->setFocusPolicy(Qt::StrongFocus);
    fitToText(button, [button, pixels] { button->setFont(textFont(button->font(), pixels)); });
    return button;
}

QLabel* makeTextLabel(int pixels, QFont::Weight weight, bool quiet) {
    QLabel* label = makeLabel({}, pixels, weight, quiet);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

QScrollArea* makeScroll(const QString& name, QWidget* content) {
    content->setObjectName("scrollBody");
    auto* scroll = new QScrollArea;
    scroll->setObjectName(name);
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    return scroll;
}

QUrl webPage(const QString& text) {
    const QUrl url(text, QUrl::StrictMode);
    return url.scheme() == "https" || url.scheme() == "http" ? url : QUrl();
}

void guardWheel(QWidget* control) {
    control->installEventFilter(new WheelGuard(control));
}

void attachMenu(QToolButton* button, QMenu* menu) {
    button->setMenu(menu);
    // After the button's own answer to the end.
    const auto cool = [button] {
        if (button->rect().contains(button->mapFromGlobal(QCursor::pos()))) return;
        QEvent leave(QEvent::Leave);
        button->setAttribute(Qt::WA_UnderMouse, false);
        QCoreApplication::sendEvent(button, &leave);
        button->update();
    };
    QObject::connect(menu, &QMenu::aboutToHide, button, cool, Qt::QueuedConnection);
}

}  // namespace palimpsest
