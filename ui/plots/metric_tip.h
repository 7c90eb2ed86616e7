// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "engine/metrics/metric_card.h"

class QLabel;

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
    /// What the card says, without its looks.
    QString text() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void write();

    QLabel* words_;
    MetricCard card_;
    QString run_;
};

}  // namespace palimpsest
