// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QObject>
#include <QPointer>
#include <QRect>
#include <functional>
#include <optional>

#include "engine/metrics/metric_card.h"

class QLabel;
class QWidget;

namespace palimpsest {

/// A card that floats over the window: what a number means, the formula with its values, and how the other definition
/// differs. The mouse passes through it.
class MetricTip : public QFrame {
    Q_OBJECT
public:
    explicit MetricTip(QWidget* window);

    /// `run` names the run; may be empty.
    void setCard(const MetricCard& card, const QString& run);
    /// Beside `place` of the window, inside of it, and above whatever else floats there.
    void showBeside(const QRect& place);
    /// Text of the card, without its markup.
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void write();

    QLabel* label_;
    MetricCard card_;
    QString run_;
};

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
    /// The number under a point of the widget, or the one with the keyboard without a point; nothing: the widget's own
    /// tooltip shows.
    using Ask = std::function<std::optional<Answer>(std::optional<QPoint> point)>;

    /// `keys`: the widget that has the keyboard, where that is another one.
    MetricHover(QWidget* watched, Ask ask, QWidget* keys = nullptr);
    /// Return shows the card, too.
    void answerToReturn() { return_ = true; }
    /// Null until a card was shown.
    MetricTip* tip() const { return tip_; }

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
