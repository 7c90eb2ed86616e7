// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// A moving average of the head, which answers in its place.
struct HeadAverageOptions {
    double decay = 0;  ///< 0: there is none
};

const SharedOptions& headAverageOptions();

}  // namespace palimpsest
