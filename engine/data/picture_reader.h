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

/// How the pictures of a run, of its stream or of its evaluations, are loaded and shown to the network.
struct PictureSettings {
    std::int64_t image_size = 32;
    std::uint64_t seed = 1;
    at::Device device = at::kCPU;
    std::array<float, 3> mean{}, deviation{};
    LoadShape load_shape = LoadShape::Native;
    std::string place;                    ///< the folder or data set, for people
    std::shared_ptr<ReadPool> pool;       ///< null: all is read on the run's thread, when it is needed
    std::shared_ptr<PictureCache> cache;  ///< may be null
};

/// Loads pictures of one table (loadedImage) into byte batches on the threads of a pool, from the cache where it has
/// them. Neither the cache nor the number of threads changes a byte.
class PictureReader {
public:
    struct Setup {
        std::shared_ptr<const ImageTable> table;
        LoadShape shape = LoadShape::Native;
        std::int64_t side = 32;
        bool train = true;
        std::uint64_t seed = 1, purpose = 0;  ///< of the random crops
        std::shared_ptr<PictureCache> cache;  ///< may be null
    };
    /// What became of a reading.
    struct Pictures {
        Tensor bytes;                         ///< [K, 3, side, side], of those that could be read
        std::vector<std::int64_t> samples;    ///< which they are, in the order they were asked for
        std::vector<UnreadableImage> failed;  ///< the others, likewise
    };
    /// Pictures on their way. When it goes, what has not begun is given up.
    class Reading {
    public:
        ~Reading();
        const std::vector<std::int64_t>& samples() const;
        std::int64_t bytes() const;

    private:
        friend class PictureReader;
        struct State;
        std::shared_ptr<ReadPool> pool_;
        std::shared_ptr<ReadPool::Work> work_;
        std::shared_ptr<State> state_;
    };

    PictureReader(std::shared_ptr<const ImageTable> table, const PictureSettings& settings, bool train);
    /// `pool` may be null: then all is read by the one who waits for it.
    PictureReader(Setup setup, std::shared_ptr<ReadPool> pool);

    /// A sample's random crop belongs to (draw, sample).
    std::unique_ptr<Reading> begin(std::vector<std::int64_t> samples, std::uint64_t draw,
                                   ReadPool::Urgency urgency) const;
    /// Waits for the rest. Throws what went wrong other than an image that cannot be decoded.
    Pictures finish(std::unique_ptr<Reading> reading) const;
    Pictures read(std::vector<std::int64_t> samples, std::uint64_t draw) const {
        return finish(begin(std::move(samples), draw, ReadPool::Urgency::Now));
    }

private:
    std::shared_ptr<const Setup> setup_;  // pieces in progress may outlive the reader; the pool they may not
    std::shared_ptr<ReadPool> pool_;
};

}  // namespace palimpsest
