// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace palimpsest {

/// Test images of one forward pass: four stream batches (twice the official batch of stream and memory together: MISA,
/// methods/_trainer.py), but few enough for the memory and enough for the cores whatever the stream's batch is. The
/// loss, a mean over these batches, depends on it a little; the accuracy does not.
constexpr std::int64_t evaluationBatch(std::int64_t streamBatch) {
    return std::clamp<std::int64_t>(4 * streamBatch, 64, 256);
}

}  // namespace palimpsest
