// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace palimpsest {

/// Tells when the next progress report is due: four times a second, the first time at once.
class ProgressInterval {
public:
    using Clock = std::chrono::steady_clock;

    bool due() {
        const auto now = Clock::now();
        if (now < next_) return false;
        next_ = now + std::chrono::milliseconds(250);
        return true;
    }

private:
    Clock::time_point next_{};
};

}  // namespace palimpsest
