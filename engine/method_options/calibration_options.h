// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// Calibration of the features that a head gets.
struct CalibrationOptions {
    std::string form = "none";  ///< "none", "exact" or "as-published"
    std::string file;           ///< .safetensors with "covariance" [D, D]
    double share = 0.5;         ///< of the calibrated feature in the one that the head gets
};

const SharedOptions& calibrationOptions();

}  // namespace palimpsest
