// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointer>
#include <QRect>
#include <functional>
#include <optional>

#include "engine/metrics/metric_card.h"

class QWidget;

namespace palimpsest {

class MetricTip;

/// Shows the card of a number when the mouse rests on it, in place of a tooltip, and by keyboard with Shift+F1, where
/// the widget is nothing but the number also with Return. Leaving, Escape or another key puts it away.
class MetricHover : public QObject {
    Q_OBJECT
public:
    struct Answer {
        MetricCard card;
        QString run;
        QRect place;  ///< of the number, in the watched widget
    };
    /// What lies under a point of the widget, or has the keyboard where there is no point; nothing: the widget's own
    /// tooltip shows.
    using Ask = std::function<std::optional<Answer>(std::optional<QPoint> point)>;

    /// `keys`: the widget that has the keyboard, where that is another one.
    MetricHover(QWidget* watched, Ask ask, QWidget* keys = nullptr);
    /// Return shows the card, too.
    void answerToReturn() { return_ = true; }
    /// Null until a card was shown.
    MetricTip* tip() const;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    bool present(std::optional<QPoint> point);
    bool putAway();

    QWidget* watched_;
    QWidget* keys_;
    Ask ask_;
    bool return_ = false;
    QPointer<MetricTip> tip_;
    QRect place_;
};

}  // namespace palimpsest
