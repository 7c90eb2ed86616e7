// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHelpEvent>
#include <QToolTip>
#include <QWidget>

namespace palimpsest {

/// A painted widget, or button, whose parts have tooltips of their own; beside them the widget's own tooltip shows. A
/// tooltip in sight says what its part is now, also after the moment that is shown has changed; it ends where the part
/// has nothing to say any more.
template <class Base>
class PartTips : public Base {
public:
    using Base::Base;

    /// Text about the part under a point; empty beside the parts.
    virtual QString textAt(const QPoint& point) const = 0;
    /// Where the tooltip about a point begins.
    virtual QPoint tipPlace(const QPoint& point) const { return point; }

protected:
    bool event(QEvent* event) override {
        // Whatever changes the parts has them painted anew; no window is moved while one is painted.
        if (event->type() == QEvent::Paint && !tip_.isEmpty())
            QMetaObject::invokeMethod(
                this, [this] { renewTip(); }, Qt::QueuedConnection);
        if (event->type() != QEvent::ToolTip) return Base::event(event);
        tip_point_ = static_cast<QHelpEvent*>(event)->pos();
        tip_ = textAt(tip_point_);
        if (tip_.isEmpty()) return Base::event(event);
        showTip();
        return true;
    }

private:
    void showTip() { QToolTip::showText(this->mapToGlobal(tipPlace(tip_point_)), tip_, this); }
    void renewTip() {
        // Only the newest tooltip is in sight, and one that the mouse has left must not come back.
        if (!QToolTip::isVisible() || QToolTip::text() != tip_ || !this->underMouse()) return tip_.clear();
        const QString text = textAt(tip_point_);
        if (text == tip_) return;
        tip_ = text;
        showTip();
    }

    QPoint tip_point_;  ///< of the newest tooltip about a part
    QString tip_;       ///< its text; empty: none is in sight
};

/// A painted widget whose parts have tooltips of their own.
class TipWidget : public PartTips<QWidget> {
    Q_OBJECT
public:
    explicit TipWidget(QWidget* parent = nullptr) : PartTips(parent) {}

protected:
    /// The height is heightForWidth(), no more and no less.
    void fixHeightByWidth() {
        // Not Fixed: that would be the height of the size hint, whatever the width.
        QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Preferred);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
};

}  // namespace palimpsest
