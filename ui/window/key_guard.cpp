// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/key_guard.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QKeyEvent>

#include "ui/stream/stream_preview.h"

namespace palimpsest {

bool KeyGuard::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->modifiers() != Qt::NoModifier) return false;
    const bool space = key->key() == Qt::Key_Space;
    const bool sideways = key->key() == Qt::Key_Left || key->key() == Qt::Key_Right;
    const bool needed = (space && qobject_cast<QAbstractButton*>(object)) ||
                        (sideways && (qobject_cast<QAbstractSlider*>(object) || qobject_cast<StreamPreview*>(object)));
    if (needed) event->accept();
    return needed;
}

}  // namespace palimpsest
