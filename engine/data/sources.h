// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/network/tensor.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// What a source gives for the samples it was asked for: those whose image cannot be read are left out of both.
struct ShownImages {
    Tensor images;                      ///< float32 [B, 3, H, W] on the run's device
    std::vector<std::int64_t> samples;  ///< [B], in the order asked for
};

/// Memory slots of the images that are shown, out of those asked for: of `slots`, which may be empty, one belongs to
/// each sample of `asked`.
inline std::vector<std::int64_t> slotsShown(const std::vector<std::int64_t>& slots,
                                            const std::vector<std::int64_t>& asked, const ShownImages& shown) {
    std::vector<std::int64_t> there;
    for (std::size_t i = 0; i < slots.size() && there.size() < shown.samples.size(); ++i)
        if (asked[i] == shown.samples[there.size()]) there.push_back(slots[i]);
    return there;
}

/// The training images as the loop asks for them, batch after batch in stream order.
class TrainSource {
public:
    virtual ~TrainSource() = default;
    virtual std::int32_t label(std::int64_t sample) const = 0;
    /// Begins a batch, once each: which of its samples can be read. The default: all.
    virtual std::vector<std::int64_t> open(std::int64_t /*batch*/, std::span<const std::int64_t> stream) {
        return {stream.begin(), stream.end()};
    }
    /// What will be replayed in each update of a batch to come, so that it can be read meanwhile.
    virtual void expect(std::int64_t /*batch*/, const std::vector<std::vector<std::int64_t>>& /*replay*/) {}
    /// Stream samples first, as open() left them, then replayed ones, transformed together with the random draws of
    /// (batch, update) alone.
    virtual ShownImages images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                               std::span<const std::int64_t> replay) = 0;
    /// Past samples alone, transformed together with the random draws of (batch, draw) alone: for what is replayed
    /// apart from the stream, where `draw` may be the update that it was announced for.
    virtual ShownImages past(std::int64_t batch, std::int64_t draw, std::span<const std::int64_t> samples) {
        return images(batch, draw, {}, samples);
    }
    /// Streamed samples as they are, unvaried; those of the batch that was opened last need no reading.
    virtual ShownImages plain(std::span<const std::int64_t> samples) { return images(0, 0, {}, samples); }
    /// Small pictures of the samples for a person to look at; may be empty.
    virtual std::vector<Thumbnail> thumbnails(std::int64_t batch, std::span<const std::int64_t> stream) = 0;
};

/// The test images, in data set order.
class TestSource {
public:
    virtual ~TestSource() = default;
    virtual std::span<const std::int32_t> labels() const = 0;
    /// What images() will be asked for next, so that it can be read meanwhile.
    virtual void expect(std::span<const std::int64_t> /*samples*/) {}
    /// With the test transform.
    virtual ShownImages images(std::span<const std::int64_t> samples) = 0;
};

}  // namespace palimpsest
