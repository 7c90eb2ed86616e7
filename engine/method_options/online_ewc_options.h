// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace palimpsest {

struct OnlineEwcOptions {
    double strength = 25;  ///< lambda
    double decay = 1;      ///< gamma: share of the importance found before that a new session leaves
};

}  // namespace palimpsest
