// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace palimpsest {

/// When a run pauses by itself, once, at the next batch border.
struct PauseCondition {
    bool session_end = false;               ///< after the end of the present session
    std::optional<std::int64_t> session{};  ///< when the accuracy on the data of this one, from 0,
    double below = 0;                       ///< falls below this, from 0 to 1, in any evaluation

    bool any() const { return session_end || session.has_value(); }
};

}  // namespace palimpsest
