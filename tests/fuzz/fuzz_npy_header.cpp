// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/npy_header.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_npy_header {

FUZZ_TARGET(npy_header, 5000) {
    const NpyComplaint bad = [](const std::string& why) { return inputError("The array " + why + ".", "Mend it."); };
    fuzz::answers([&] {
        const NpyHeader header = readNpyHeader(input, bad);
        fuzz::require(header.data <= input.size(), "the numbers lie behind the end");
        fuzz::requireSentence(unknownNpyType(header.type, bad));
        checkNpySize(input, header, 8, bad);
    });
}

}  // namespace palimpsest::fuzz_npy_header
