// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace palimpsest {

class MainWindow;

struct TourPlan {
    QString folder;                ///< the pictures go here; made when it is absent
    std::int64_t train_limit = 0;  ///< images a run; 0: as the presets say
};

/// Drives the shown window through its main screens on real runs and writes a picture of each. Prints the pictures'
/// names and, for each run, the longest stall of the window's thread. Returns the program's exit code.
int takeTour(MainWindow& window, const TourPlan& plan);

}  // namespace palimpsest
