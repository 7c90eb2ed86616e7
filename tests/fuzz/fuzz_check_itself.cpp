// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_check_itself {

/// A reader with the defects that targets must see: the tests expect each of them to be reported.
FUZZ_TARGET(check_itself, 0) {
    fuzz::answers([&] {
        if (input.starts_with("throw")) throw std::length_error("no Error");
        if (input.starts_with("abort")) std::abort();
        if (input.starts_with("stop")) throw inputError("A sentence that does not end");
        if (input.starts_with("line")) fuzz::requireLine("two\nlines");
        throw inputError("All is well.", "Nothing is to be done.");
    });
}

}  // namespace palimpsest::fuzz_check_itself
