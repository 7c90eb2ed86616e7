// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/method/method.h"

namespace palimpsest::test {

/// The methods that learn within this program: all but the one that starts another.
inline std::vector<MethodEntry> ownMethods() {
    std::vector<MethodEntry> own;
    for (const MethodEntry& entry : methodList())
        if (entry.choice.value != "external") own.push_back(entry);
    return own;
}

}  // namespace palimpsest::test
