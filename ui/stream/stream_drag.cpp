// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stream/stream_drag.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyleHints>

#include "ui/stream/stream_preview.h"

namespace palimpsest {

StreamDrag::StreamDrag(StreamPreview* preview) : QObject(preview), preview_(preview) {
    preview->installEventFilter(this);
    preview->setToolTip(tr(
        "Drag a class to another session, or send it there with Ctrl+Left and Ctrl+Right. Of a blurry class only that "
        "session's images go; with Shift all do."));
}

bool StreamDrag::eventFilter(QObject* watched, QEvent* event) {
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            return press(static_cast<const QMouseEvent&>(*event));
        case QEvent::MouseMove:
            return drag(static_cast<const QMouseEvent&>(*event));
        case QEvent::MouseButtonRelease:
            return release(static_cast<const QMouseEvent&>(*event));
        case QEvent::KeyPress:
            return key(static_cast<const QKeyEvent&>(*event));
        case QEvent::FocusOut:
        case QEvent::Hide:
            cancel();
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

bool StreamDrag::isFull(int label, int session) const {
    const auto& stream = preview_->stream();
    // Another stream may have come since the cell was pressed.
    if (!stream || label < 0 || session < 0 || label >= std::ssize(stream->counts)) return false;
    const auto& row = stream->counts[static_cast<std::size_t>(label)];
    return session < std::ssize(row) && row[static_cast<std::size_t>(session)] > 0;
}

bool StreamDrag::press(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton) return false;
    const int label = preview_->labelAt(event.position());
    const int session = label < 0 ? -1 : preview_->columnAt(event.position().x());
    if (!isFull(label, session)) return false;
    pressed_ = event.position();
    label_ = label;
    from_ = session;
    // Gets the focus, so that Escape and Ctrl+arrows work from here on.
    preview_->setFocus(Qt::MouseFocusReason);
    return true;
}

bool StreamDrag::drag(const QMouseEvent& event) {
    if (label_ < 0) {
        const int label = preview_->labelAt(event.position());
        const bool held = label >= 0 && isFull(label, preview_->columnAt(event.position().x()));
        preview_->setCursor(held ? Qt::OpenHandCursor : Qt::ArrowCursor);
        return false;
    }
    if (!isFull(label_, from_)) {
        cancel();
        return true;
    }
    const int far = QGuiApplication::styleHints()->startDragDistance();
    if (!dragging_ && (event.position() - pressed_).manhattanLength() < far) return true;
    dragging_ = true;
    preview_->setCursor(Qt::ClosedHandCursor);
    const int column = preview_->columnAt(event.position().x());
    preview_->showMove(label_, from_, column == from_ ? -1 : column);
    return true;
}

bool StreamDrag::release(const QMouseEvent& event) {
    if (label_ < 0 || event.button() != Qt::LeftButton) return false;
    const int label = label_, from = from_, to = preview_->columnAt(event.position().x());
    const bool asked = dragging_ && to >= 0 && to != from && isFull(label, from);
    const bool clicked = !dragging_;
    cancel();
    if (clicked) preview_->select(label, from);
    if (!asked) return true;
    preview_->select(label, to);
    Q_EMIT moveRequested(label, from, to, event.modifiers().testFlag(Qt::ShiftModifier));
    return true;
}

bool StreamDrag::key(const QKeyEvent& event) {
    if (event.key() == Qt::Key_Escape && label_ >= 0) {
        cancel();
        return true;
    }
    const bool sideways = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    const auto& stream = preview_->stream();
    if (!sideways || !event.modifiers().testFlag(Qt::ControlModifier) || !stream) return false;
    const int label = preview_->selectedLabel(), from = preview_->selectedSession();
    const int to = from + (event.key() == Qt::Key_Right ? 1 : -1);
    // Just after a move the picture still shows what was before it: the class is not yet where it was sent.
    const bool underWay = std::pair(label, from) == sent_;
    if (label < 0 || to < 0 || to >= std::ssize(stream->plan.sessions) || !(underWay || isFull(label, from)))
        return true;
    sent_ = {label, to};
    preview_->select(label, to);
    Q_EMIT moveRequested(label, from, to, event.modifiers().testFlag(Qt::ShiftModifier));
    return true;
}

void StreamDrag::cancel() {
    label_ = from_ = -1;
    dragging_ = false;
    preview_->unsetCursor();
    preview_->showMove(-1, -1, -1);
}

}  // namespace palimpsest
