// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor_file.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_npz {

FUZZ_TARGET(npz, 400) {
    const std::filesystem::path file = fuzz::fileWith(input, "weights.npz");
    fuzz::answers([&] {
        for (const NamedTensor& entry : readNpz(file).tensors) fuzz::requireLine(entry.name);
    });
}

}  // namespace palimpsest::fuzz_npz
