// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/operation_counts.h"

namespace palimpsest {
namespace {

/// Operations of [rows, depth] times [depth, columns].
std::int64_t product(std::int64_t rows, std::int64_t depth, std::int64_t columns) {
    return 2 * rows * depth * columns;
}

std::int64_t extrasOf(std::span<const std::int64_t> extras, std::int64_t block) {
    return block < static_cast<std::int64_t>(extras.size()) ? extras[static_cast<std::size_t>(block)] : 0;
}

/// Linear layers of block i's tokens: the gradient of a layer's input is a product of the same size as its output.
struct LinearOperations {
    std::int64_t qkv, proj, mlp;
    std::int64_t queries;  ///< tokens that ask

    LinearOperations(const VitShape& shape, std::int64_t block) {
        const std::int64_t tokens = shape.tokens(), d = shape.width;
        queries = block + 1 == shape.depth ? 1 : tokens;
        qkv = product(queries, d, d) + product(tokens, d, 2 * d);
        proj = product(queries, d, d);
        mlp = 2 * product(queries, d, d * shape.mlp_ratio);
    }
};

}  // namespace

PassOperations forwardOperations(const VitShape& shape, std::span<const std::int64_t> extras) {
    PassOperations all;
    std::int64_t side = shape.image_size;
    for (std::size_t i = 0; i < shape.stem.size(); ++i) {
        side /= shape.stemStep(i);
        all.patches += product(side * side, 9 * shape.stemInputs(i), shape.stem[i]);
    }
    all.patches += product(shape.patches(), shape.mapChannels() * shape.mapPatch() * shape.mapPatch(), shape.width);
    for (std::int64_t i = 0; i < shape.depth; ++i) {
        const LinearOperations linear(shape, i);
        all.qkv += linear.qkv;
        all.attention += 2 * product(linear.queries, shape.width, shape.tokens() + extrasOf(extras, i));
        all.proj += linear.proj;
        all.mlp += linear.mlp;
    }
    return all;
}

PassOperations backwardOperations(const VitShape& shape, std::span<const std::int64_t> extras) {
    PassOperations all;
    std::int64_t lowest = 0;
    while (lowest < shape.depth && extrasOf(extras, lowest) == 0) ++lowest;
    for (std::int64_t i = shape.depth; i-- > lowest;) {
        const LinearOperations linear(shape, i);
        const std::int64_t prompts = extrasOf(extras, i), keys = shape.tokens() + prompts;
        const bool below = i > lowest;
        all.mlp += linear.mlp;
        all.proj += linear.proj;
        // Gradients of the scores, and of the keys and the values that somebody asks for.
        const std::int64_t wanted = below ? keys : prompts;
        all.attention += product(linear.queries, shape.width, keys) + 2 * product(linear.queries, shape.width, wanted);
        if (!below) break;
        all.attention += product(linear.queries, shape.width, keys);  // of the queries
        all.qkv += linear.qkv;
    }
    return all;
}

std::int64_t keysValuesOperations(const VitShape& shape, std::int64_t tokens) {
    return product(tokens, shape.width, 2 * shape.width);
}

std::int64_t headOperations(const VitShape& shape, std::int64_t classes) {
    return product(1, shape.width, classes);
}

}  // namespace palimpsest
