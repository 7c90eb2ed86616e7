// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <cstdint>

namespace palimpsest {

class MainWindow;

struct TourPlan {
    QString folder;                ///< folder for the pictures; created if missing
    std::int64_t train_limit = 0;  ///< images a run; 0: as in the presets
};

/// Drives the shown window through its main screens on real runs and saves a picture of each. Prints the pictures'
/// names and, for each run, the longest stall of the window's thread. Returns the program's exit code.
int runTour(MainWindow& window, const TourPlan& plan);

}  // namespace palimpsest
