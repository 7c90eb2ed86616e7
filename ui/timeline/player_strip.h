// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <array>

class QComboBox;

namespace palimpsest {

class FittingLabel;

/// One line over the figures while a recorded run is played back: which one, how fast, and a way to end it.
class PlayerStrip : public QFrame {
    Q_OBJECT
public:
    /// Times as fast as the run learned.
    static constexpr std::array<int, 7> kSpeeds{1, 2, 5, 10, 20, 50, 100};

    explicit PlayerStrip(QWidget* parent = nullptr);

    void setRun(const QString& name);
    /// One of kSpeeds.
    void setSpeed(int speed);

Q_SIGNALS:
    void speedChosen(int speed);
    void endAsked();

private:
    FittingLabel* title_;
    QComboBox* speed_;
};

}  // namespace palimpsest
