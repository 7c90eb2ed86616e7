// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHelpEvent>
#include <QToolTip>
#include <QWidget>

namespace palimpsest {

/// A painted widget whose parts have tooltips of their own; beside them the widget's own tooltip shows.
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
        if (event->type() != QEvent::ToolTip) return QWidget::event(event);
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString text = textAt(help->pos());
        if (text.isEmpty()) return QWidget::event(event);
        QToolTip::showText(help->globalPos(), text, this);
        return true;
    }
};

}  // namespace palimpsest
