// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

struct AnalyticHeadOptions {
    std::string readout = "ridge";  ///< "ridge", "ncm" or "lda"
    double ridge = 1e5;             ///< of the regression on the classes
};

}  // namespace palimpsest
