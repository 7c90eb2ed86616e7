// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/tip_widget.h"

#include <QHelpEvent>
#include <QToolTip>

namespace palimpsest {

void TipWidget::fixHeightByWidth() {
    // Not Fixed: that would be the height of the size hint, whatever the width.
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

bool TipWidget::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = textAt(help->pos());
    if (text.isEmpty()) return QWidget::event(event);
    QToolTip::showText(help->globalPos(), text, this);
    return true;
}

}  // namespace palimpsest
