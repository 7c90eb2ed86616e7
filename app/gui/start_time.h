// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

class QWidget;

namespace palimpsest {

/// Seconds since the system began to load this program, in steps of 10 ms; absent if the system does not provide it.
std::optional<double> secondsSinceExec();

/// Prints the time until the window was first drawn, and ends the program.
class StartTime : public QObject {
public:
    explicit StartTime(QWidget* window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* window_;
};

}  // namespace palimpsest
