// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace palimpsest {

/// A program that learns has not answered for a while.
struct LearnerWait {
    std::string learner;       ///< as it calls itself; "the learner" before it did
    std::int64_t seconds = 0;  ///< so far
    double limit = 0;          ///< seconds after which it is given up; 0: not known
    bool operator==(const LearnerWait&) const = default;
};

/// Told of a wait about once a second, and of none once it is over.
using LearnerWaitListener = std::function<void(const std::optional<LearnerWait>&)>;

}  // namespace palimpsest
