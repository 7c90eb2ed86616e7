// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/test_catalogue.h"

namespace palimpsest::fuzz {

/// Made once: it takes longer than most readers.
inline const OptionTable& optionTable() {
    static const OptionTable table(testCatalogue());
    return table;
}

}  // namespace palimpsest::fuzz
