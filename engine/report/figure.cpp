// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

/// The smallest of 1, 2, 2.5, 5 times a power of ten that needs at most `most` steps.
double roundStep(double range, int most) {
    const double rough = range / most;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    constexpr std::array kSteps{1.0, 2.0, 2.5, 5.0, 10.0};
    const auto fits = [&](double step) { return step * power >= rough * (1 - 1e-9); };
    const auto* found = std::find_if(kSteps.begin(), kSteps.end(), fits);
    return (found == kSteps.end() ? kSteps.back() : *found) * power;
}

std::string tickText(double value, double step) {
    if (value == 0) {
        return "0";
    }
    if (step >= 500'000) {
        return trimmedText(value / 1e6, 3) + "M";
    }
    return step >= 500 ? trimmedText(value / 1e3, 3) + "k" : trimmedText(value, 3);
}

}  // namespace

Axis roundAxis(double high, int most) {
    Axis axis;
    axis.high = high > 0 ? high : 1;
    const double step = roundStep(axis.high, most);
    for (int k = 0; k * step <= axis.high * (1 + 1e-9); ++k) {
        axis.ticks.push_back({k * step, tickText(k * step, step)});
    }
    return axis;
}

Axis percentAxis(double largest) {
    Axis axis = roundAxis(largest < 45 ? std::max(10.0, std::ceil(largest * 1.1 / 10) * 10) : 100, 5);
    axis.grid = true;
    return axis;
}

}  // namespace palimpsest::report
