// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/method_declaration.h"

namespace palimpsest {

/// What answers in an evaluation of a method with prompts.
struct ReadoutOptions {
    std::string kind = "head";  ///< or "ncm" or "ridge"
    double ridge = 100;         ///< lambda
};

const SharedOptions& readoutOptions();

}  // namespace palimpsest
