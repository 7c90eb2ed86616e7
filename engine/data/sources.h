// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "engine/network/tensor.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// Images that a source returns for a list of samples; unreadable ones are missing in both members.
struct ShownImages {
    Tensor images;                      ///< float32 [B, 3, H, W] on the run's device
    std::vector<std::int64_t> samples;  ///< [B], in the requested order
    /// [B]: numbers of sample and variant; images of the same number are the same pixels throughout a run. Empty where
    /// the variants have no numbers.
    std::vector<std::int64_t> views{};
};

/// Memory slots of the images in `shown`. `slots` may be empty, or has one entry for each sample of `requested`.
inline std::vector<std::int64_t> slotsShown(const std::vector<std::int64_t>& slots,
                                            const std::vector<std::int64_t>& requested, const ShownImages& shown) {
    std::vector<std::int64_t> there;
    for (std::size_t i = 0; i < slots.size() && there.size() < shown.samples.size(); ++i)
        if (requested[i] == shown.samples[there.size()]) there.push_back(slots[i]);
    return there;
}

/// Training images, batch after batch in stream order.
class TrainSource {
public:
    virtual ~TrainSource() = default;
    virtual std::int32_t label(std::int64_t sample) const = 0;
    /// Begins a batch, once each; returns its readable samples. The default: all.
    virtual std::vector<std::int64_t> open(std::int64_t /*batch*/, std::span<const std::int64_t> stream) {
        return {stream.begin(), stream.end()};
    }
    /// Announces the samples replayed in each update of a later batch, so that they can be read ahead.
    virtual void expect(std::int64_t /*batch*/, const std::vector<std::vector<std::int64_t>>& /*replay*/) {}
    /// Stream samples first, as open() returned them, then replayed ones, transformed together with random draws that
    /// depend on (batch, update) alone.
    virtual ShownImages images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                               std::span<const std::int64_t> replay) = 0;
    /// Past samples alone, transformed together with random draws that depend on (batch, draw) alone: for replay that
    /// is separate from the stream, where `draw` may be the update that it was announced for.
    virtual ShownImages past(std::int64_t batch, std::int64_t draw, std::span<const std::int64_t> samples) {
        return images(batch, draw, {}, samples);
    }
    /// Streamed samples without augmentation; those of the batch that was opened last need no reading.
    virtual ShownImages plain(std::span<const std::int64_t> samples) { return images(0, 0, {}, samples); }
    /// Thumbnails of the samples for display; may be empty.
    virtual std::vector<Thumbnail> thumbnails(std::int64_t batch, std::span<const std::int64_t> stream) = 0;
};

/// Test images, in data set order.
class TestSource {
public:
    virtual ~TestSource() = default;
    virtual std::span<const std::int32_t> labels() const = 0;
    /// Announces the samples of the next call of images(), so that they can be read ahead.
    virtual void expect(std::span<const std::int64_t> /*samples*/) {}
    /// The images under the test transform.
    virtual ShownImages images(std::span<const std::int64_t> samples) = 0;
};

}  // namespace palimpsest
