// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "engine/network/tensor.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// The training images as the loop asks for them, batch after batch in stream order.
class TrainSource {
public:
    virtual ~TrainSource() = default;
    virtual std::int32_t label(std::int64_t sample) const = 0;
    /// float32 [B, 3, H, W] on the run's device: stream samples first, then replayed ones, transformed together with the
    /// random draws of (batch, update) alone.
    virtual Tensor images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                          std::span<const std::int64_t> replay) = 0;
    /// Small pictures of the samples for a person to look at; may be empty.
    virtual std::vector<Thumbnail> thumbnails(std::int64_t batch, std::span<const std::int64_t> stream) = 0;
};

/// The test images, in data set order.
class TestSource {
public:
    virtual ~TestSource() = default;
    virtual std::span<const std::int32_t> labels() const = 0;
    /// float32 [B, 3, H, W] on the run's device, test transform.
    virtual Tensor images(std::span<const std::int64_t> samples) = 0;
};

}  // namespace palimpsest
