// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

struct LwfOptions {
    double weight = 0.2;     ///< of keeping to what the network said one batch ago
    double temperature = 2;  ///< divides the logits that are compared
};

}  // namespace palimpsest
