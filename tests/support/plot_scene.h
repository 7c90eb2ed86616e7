// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include "ui/state/run_set.h"

namespace palimpsest::testing {

/// A figure on the screen, with the set of runs it shows.
template <class Plot>
struct PlotScene {
    explicit PlotScene(int width = 700) : plot(&store) {
        plot.resize(width, 300);
        plot.show();
        if (!QTest::qWaitForWindowExposed(&plot)) qFatal("The figure does not appear.");
        plot.drawNow();
    }
    RunSet store;
    Plot plot;
};

}  // namespace palimpsest::testing
