// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

struct DerPlusPlusOptions {
    double logit_weight = 0.2;   ///< alpha
    double replay_weight = 0.5;  ///< beta
};

}  // namespace palimpsest
