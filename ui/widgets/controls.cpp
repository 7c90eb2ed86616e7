// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/controls.h"

#include <QAbstractItemDelegate>
#include <QCoreApplication>
#include <QCursor>
#include <QDialog>
#include <QEvent>
#include <QFrame>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr int kQuestionWidth = 500;  // of its texts

/// Return presses it where it has the focus; Qt leaves that to buttons that Return presses from elsewhere, too.
class FocusedButton : public QPushButton {
public:
    using QPushButton::QPushButton;

protected:
    void keyPressEvent(QKeyEvent* event) override {
        const bool presses = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
        if (!presses || event->modifiers() & ~Qt::KeypadModifier) return QPushButton::keyPressEvent(event);
        if (!event->isAutoRepeat()) click();
    }
};

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
    auto* button = new FocusedButton(text);
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

QFrame* makeCardPanel(QListView* list, QAbstractItemDelegate* delegate, int width) {
    delegate->setParent(list);
    list->setItemDelegate(delegate);
    list->setFrameShape(QFrame::NoFrame);
    list->setMouseTracking(true);
    list->setUniformItemSizes(true);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    auto* panel = new QFrame;
    panel->setProperty("panel", true);
    fitToText(panel, [panel, width] { panel->setFixedWidth(scaled(width)); });
    auto* column = new QVBoxLayout(panel);
    column->setContentsMargins(6, 6, 4, 6);
    column->addWidget(list);
    return panel;
}

void alignTexts(QMessageBox* box) {
    auto* grid = qobject_cast<QGridLayout*>(box->layout());
    if (!grid) return;
    for (const char* name : {"qt_msgbox_label", "qt_msgbox_informativelabel"}) {
        auto* label = box->findChild<QLabel*>(QLatin1String(name));
        if (!label) continue;
        label->setIndent(0);
        label->setContentsMargins(0, 0, 0, 0);
    }
    QLayoutItem* first = grid->itemAtPosition(0, 0);
    QSpacerItem* gap = first ? first->spacerItem() : nullptr;
    if (!gap) return;
    // Buttons that are wider than the texts would else widen the column of the icon that is not there.
    grid->setColumnStretch(1, 1);
    grid->setColumnMinimumWidth(1, scaled(kQuestionWidth));
    gap->changeSize(0, 0, QSizePolicy::Fixed, QSizePolicy::Fixed);
    grid->setHorizontalSpacing(0);
    grid->invalidate();
}

void growToContent(QDialog* dialog) {
    QLayout* layout = dialog->layout();
    // One that is shown for the first time fits by itself.
    if (!layout || !dialog->isVisible()) return;
    layout->activate();
    int needed =
        layout->hasHeightForWidth() ? layout->totalHeightForWidth(dialog->width()) : layout->totalSizeHint().height();
    if (const QScreen* screen = dialog->screen()) needed = std::min(needed, screen->availableSize().height());
    if (dialog->height() < needed) dialog->resize(dialog->width(), needed);
}

}  // namespace palimpsest
