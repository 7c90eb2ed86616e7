// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/network/tensor.h"

namespace palimpsest {

/// Features of training images, by view (ShownImages::views), so that pixels that are shown again are not computed
/// again. When all rows are taken, the oldest makes room. It is meant for features that do not depend on what else is
/// in a batch: then no number depends on what it holds.
class FeatureCache {
public:
    /// Images [K, 3, H, W] -> features [K, D], without gradient.
    using Compute = std::function<Tensor(const Tensor& images)>;

    /// Rows for a run: what fits into 256 MB of float32 where past images may come back, otherwise those of one batch.
    static std::int64_t rowsFor(std::int64_t width, bool replays, std::int64_t shownInBatch);

    explicit FeatureCache(std::int64_t rows) : rows_(rows) {}

    /// Features [B, D] of the images [B, 3, H, W] with these views [B]; `compute` gets those that are not held, each
    /// view once, and is not called without any.
    Tensor features(const Tensor& images, std::span<const std::int64_t> views, const Compute& compute);

    std::int64_t held() const { return std::ssize(views_); }

private:
    void keep(std::span<const std::int64_t> views, const Tensor& fresh);

    std::int64_t rows_, oldest_ = 0;
    Tensor kept_;                                            // [rows, D]; memory that was never written takes no room
    std::vector<std::int64_t> views_;                        // of each row that is taken
    std::unordered_map<std::int64_t, std::int64_t> row_of_;  // by view
};

}  // namespace palimpsest
