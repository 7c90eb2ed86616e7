// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/weights.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_weights {

/// A file of weights in any of the formats, and what its names say of the network.
FUZZ_TARGET(weights, 400) {
    const std::filesystem::path file = fuzz::fileWith(input, "weights.pt");
    fuzz::answers([&] {
        const TensorFile content = readTensorFile(file);
        fuzz::requireLine(content.format);
        const NamedWeights named = withTimmNames(content);
        fuzz::requireLines(named.notes);
        fuzz::requireLine(named.layout);
        const VitShape shape = inferShape(named.tensors, named.metadata, content.origin, named.own);
        fuzz::require(shape.width > 0 && shape.depth > 0 && shape.heads > 0 && shape.patches() > 0,
                      "a network without a size");
    });
}

}  // namespace palimpsest::fuzz_weights
