// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor_file.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_safetensors {

FUZZ_TARGET(safetensors, 2000) {
    const std::filesystem::path file = fuzz::fileWith(input, "weights.safetensors");
    fuzz::answers([&] {
        const TensorFile content = readSafetensors(file);
        for (const NamedTensor& entry : content.tensors) {
            fuzz::requireLine(entry.name);
            fuzz::require(entry.tensor.is_contiguous() && entry.tensor.nbytes() <= input.size() * 8,
                          "a tensor that is larger than its file");
        }
    });
}

}  // namespace palimpsest::fuzz_safetensors
