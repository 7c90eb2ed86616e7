// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/key_capture.h"

#include <QKeyEvent>

namespace palimpsest {
namespace {

bool isModifier(int key) {
    return key == Qt::Key_Shift || key == Qt::Key_Control || key == Qt::Key_Alt || key == Qt::Key_Meta ||
           key == Qt::Key_AltGr || key == Qt::Key_CapsLock || key == Qt::Key_NumLock || key == Qt::Key_unknown ||
           key == 0;
}

bool isReserved(int key, Qt::KeyboardModifiers modifiers) {
    const bool plain = (modifiers & ~Qt::ShiftModifier) == 0;
    return plain && (key == Qt::Key_Tab || key == Qt::Key_Backtab || key == Qt::Key_Return || key == Qt::Key_Enter);
}

}  // namespace

KeyCapture::KeyCapture(QWidget* parent) : QPushButton(parent) {
    setAutoDefault(false);
}

void KeyCapture::setIdleText(const QString& text) {
    idle_text_ = text;
    if (!listening_) setText(text);
}

void KeyCapture::listen() {
    listening_ = true;
    setText(tr("Press the new keys …"));
    setFocus(Qt::OtherFocusReason);
}

void KeyCapture::stop() {
    listening_ = false;
    setText(idle_text_);
}

void KeyCapture::press(int key, Qt::KeyboardModifiers modifiers) {
    if (isModifier(key)) return;
    stop();
    if (key == Qt::Key_Escape && modifiers == Qt::NoModifier) return;
    // Shift is part of what Backtab means, and the pad of numbers has the same keys as the rest.
    modifiers &= ~Qt::KeypadModifier;
    const QKeySequence keys(QKeyCombination(modifiers, static_cast<Qt::Key>(key)));
    if (isReserved(key, modifiers))
        Q_EMIT reserved(keys.toString(QKeySequence::NativeText));
    else
        Q_EMIT captured(keys);
}

bool KeyCapture::event(QEvent* event) {
    if (!listening_) return QPushButton::event(event);
    // Before any shortcut of the window, and before Tab moves the focus.
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept();
        return true;
    }
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        press(key->key(), key->modifiers());
        return true;
    }
    if (event->type() == QEvent::KeyRelease) return true;
    return QPushButton::event(event);
}

void KeyCapture::focusOutEvent(QFocusEvent* event) {
    if (listening_) stop();
    QPushButton::focusOutEvent(event);
}

}  // namespace palimpsest
