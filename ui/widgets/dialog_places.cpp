// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/dialog_places.h"

#include <QChildEvent>
#include <QDialog>
#include <QGuiApplication>
#include <QScreen>

namespace palimpsest {
namespace {

constexpr QPoint kHandle(40, 12);  // a point of a title that the mouse can take hold of

}  // namespace

DialogPlaces::DialogPlaces(QWidget* window) : QObject(window), window_(window) {
    window->installEventFilter(this);
}

bool DialogPlaces::eventFilter(QObject* watched, QEvent* event) {
    if (watched == window_) {
        if (event->type() == QEvent::ChildPolished)
            if (auto* dialog = qobject_cast<QDialog*>(static_cast<QChildEvent*>(event)->child());
                dialog && !dialog->objectName().isEmpty())
                dialog->installEventFilter(this);
        return false;
    }
    // A desktop that puts the window away does the same with its dialogs, and brings them back itself.
    if (event->spontaneous()) return false;
    auto* dialog = static_cast<QWidget*>(watched);
    // A question stands over what it asks about.
    if (dialog->isModal()) return false;
    if (event->type() == QEvent::Hide) {
        places_[dialog->objectName()] = dialog->pos();
    } else if (event->type() == QEvent::Show) {
        const auto place = places_.constFind(dialog->objectName());
        if (place != places_.constEnd() && QGuiApplication::screenAt(*place + kHandle)) dialog->move(*place);
    }
    return false;
}

}  // namespace palimpsest
