// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHelpEvent>
#include <QToolTip>
#include <QWidget>

namespace palimpsest {

/// A painted widget whose parts have tooltips of their own; beside them the widget's own tooltip shows. A tooltip in
/// sight says what its part is now, also after the moment that is shown has changed.
class TipWidget : public QWidget {
    Q_OBJECT
public:
    explicit TipWidget(QWidget* parent = nullptr) : QWidget(parent) {}

    /// Text about the part under a point; empty beside the parts.
    virtual QString textAt(const QPoint& point) const = 0;

protected:
    /// The height is heightForWidth(), no more and no less.
    void fixHeightByWidth() {
        // Not Fixed: that would be the height of the size hint, whatever the width.
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    bool event(QEvent* event) override {
        // Whatever changes the parts has them painted anew; no window is moved while one is painted.
        if (event->type() == QEvent::Paint && !tip_.isEmpty())
            QMetaObject::invokeMethod(this, &TipWidget::renewTip, Qt::QueuedConnection);
        if (event->type() != QEvent::ToolTip) return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        tip_place_ = help->pos();
        tip_ = textAt(tip_place_);
        if (tip_.isEmpty()) return QWidget::event(event);
        QToolTip::showText(help->globalPos(), tip_, this);
        return true;
    }

private:
    void renewTip() {
        // Only the newest tooltip is in sight, and one that the mouse has left must not come back.
        if (!QToolTip::isVisible() || QToolTip::text() != tip_ || !underMouse()) return tip_.clear();
        const QString text = textAt(tip_place_);
        if (text == tip_) return;
        tip_ = text;
        QToolTip::showText(mapToGlobal(tip_place_), text, this);
    }

    QPoint tip_place_;  ///< of the newest tooltip about a part
    QString tip_;       ///< its text; empty: none is in sight
};

}  // namespace palimpsest
