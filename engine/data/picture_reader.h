// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <memory>
#include <string>

#include "datasets/table/image_dataset.h"
#include "engine/data/picture_cache.h"
#include "engine/data/read_pool.h"
#include "engine/data/unreadable_images.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// Settings for loading the pictures of a run's stream or evaluations and preparing them for the network.
struct PictureSettings {
    std::int64_t image_size = 32;
    std::uint64_t seed = 1;
    at::Device device = at::kCPU;
    std::array<float, 3> mean{}, deviation{};
    LoadShape load_shape = LoadShape::Native;
    std::string place;                    ///< the folder or data set, for messages
    std::shared_ptr<ReadPool> pool;       ///< null: everything is read on the run's thread, on demand
    std::shared_ptr<PictureCache> cache;  ///< may be null
};

/// Loads pictures of one table (loadedImage) into byte batches on the threads of a pool, or from the cache. Neither the
/// cache nor the number of threads changes a byte.
class PictureReader {
public:
    struct Setup {
        std::shared_ptr<const ImageTable> table;
        LoadShape shape = LoadShape::Native;
        std::int64_t side = 32;
        bool train = true;
        std::uint64_t seed = 1, purpose = 0;  ///< seeds of the random crops
        std::shared_ptr<PictureCache> cache;  ///< may be null
        at::Device device = at::kCPU;         ///< where the pictures will go
    };
    /// Result of a reading.
    struct Pictures {
        Tensor bytes;                         ///< [K, 3, side, side], readable pictures only
        std::vector<std::int64_t> samples;    ///< their samples, in the requested order
        std::vector<UnreadableImage> failed;  ///< the unreadable ones, in the requested order
    };
    /// Pictures being read. The destructor cancels the pieces that have not begun.
    class Reading {
    public:
        ~Reading();
        const std::vector<std::int64_t>& samples() const;
        std::int64_t bytes() const;
        /// True when finish() would not wait.
        bool isDone() const { return pool_->isDone(*work_); }

    private:
        friend class PictureReader;
        struct State;
        std::shared_ptr<ReadPool> pool_;
        std::shared_ptr<ReadPool::Work> work_;
        std::shared_ptr<State> state_;
    };

    PictureReader(std::shared_ptr<const ImageTable> table, const PictureSettings& settings, bool train);
    /// `pool` may be null: then finish() reads everything.
    PictureReader(Setup setup, std::shared_ptr<ReadPool> pool);

    /// Begins to read. The random crop of a sample depends on (draw, sample).
    std::unique_ptr<Reading> begin(std::vector<std::int64_t> samples, std::uint64_t draw,
                                   ReadPool::Urgency urgency) const;
    /// Waits for the rest. Throws any error other than an image that cannot be decoded.
    Pictures finish(std::unique_ptr<Reading> reading) const;
    Pictures read(std::vector<std::int64_t> samples, std::uint64_t draw) const {
        return finish(begin(std::move(samples), draw, ReadPool::Urgency::Now));
    }

private:
    std::shared_ptr<const Setup>
        setup_;  // shared, since pieces in progress may outlive the reader, though not the pool
    std::shared_ptr<ReadPool> pool_;
};

}  // namespace palimpsest
