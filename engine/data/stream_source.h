// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

#include "datasets/image_dataset.h"
#include "engine/data/augment.h"
#include "engine/stream/stream_plan.h"
#include "engine/train/sources.h"

namespace palimpsest {

/// Training images of a planned stream. One thread reads and resizes a few batches ahead, as far as memory allows; every
/// random draw belongs to a (batch, update), so neither that thread nor a pause changes a number.
class StreamSource : public TrainSource {
public:
    struct Settings {
        std::int64_t image_size = 32;
        std::int64_t batch_size = 32;
        Augment augment = Augment::CropFlip;
        std::uint64_t seed = 1;
        at::Device device = at::kCPU;
        std::array<float, 3> mean{}, deviation{};
        std::int64_t ahead_bytes = 256 << 20;   ///< at most; one batch is read ahead whatever its size
    };
    StreamSource(std::shared_ptr<const ImageTable> table, std::shared_ptr<const StreamPlan> plan,
                 const Settings& settings);
    ~StreamSource() override;

    std::int32_t label(std::int64_t sample) const override;
    Tensor images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                  std::span<const std::int64_t> replay) override;
    /// The first 64 pictures of the batch at most, of at most 64 pixels a side: what is looked at, and no more.
    std::vector<Thumbnail> thumbnails(std::int64_t batch, std::span<const std::int64_t> stream) override;

private:
    struct Ready {
        std::int64_t batch = 0;
        Tensor bytes;                 // [B, 3, S, S]
    };
    void readAhead(std::stop_token stop);
    Tensor read(std::span<const std::int64_t> samples) const;
    /// May so many images be read ahead of those that wait already? Holds mutex_.
    bool hasRoom(std::size_t images) const;
    /// The bytes of a batch; a fault of the reading thread is thrown here.
    const Tensor& bytesOf(std::int64_t batch);

    std::shared_ptr<const ImageTable> table_;
    std::shared_ptr<const StreamPlan> plan_;
    Settings settings_;
    Ready current_;
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<Ready> ready_;
    std::exception_ptr fault_;
    bool exhausted_ = false;
    std::jthread reader_;             // last: it uses all of the above
};

}  // namespace palimpsest
