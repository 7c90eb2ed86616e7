// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>

#include "datasets/table/source.h"
#include "engine/support/random.h"

namespace palimpsest {

inline constexpr std::uint64_t kTrainPart = 0;
inline constexpr std::uint64_t kTestPart = 1;

/// Pictures drawn on demand, each from its own generator: faster than decoding a file, and safe from any number of
/// threads, as nothing is cached.
class DrawnTable : public ImageTable {
public:
    using Draw = std::function<cv::Mat(std::int32_t label, Random& random)>;

    /// Generators are identified by (seed, purpose, part, index); `part` distinguishes train and test.
    DrawnTable(std::vector<std::int32_t> labels, std::uint64_t seed, std::uint64_t purpose, std::uint64_t part,
               Draw draw)
        : labels_(std::move(labels)), seed_(seed), purpose_(purpose), part_(part), draw_(std::move(draw)) {}

    std::int64_t size() const override { return static_cast<std::int64_t>(labels_.size()); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        checkImageIndex(index, size());
        Random random(seed_, purpose_, part_, static_cast<std::uint64_t>(index));
        return draw_(labels_[static_cast<std::size_t>(index)], random);
    }

private:
    std::vector<std::int32_t> labels_;
    std::uint64_t seed_;
    std::uint64_t purpose_;
    std::uint64_t part_;
    Draw draw_;
};

/// Description of one data set of drawn images.
struct DrawnSet {
    DatasetInfo info;  ///< without the numbers of images
    std::int64_t train_each = 0, test_each = 0;
    std::uint64_t purpose = 0;  ///< of the generators of its images
    Statistics statistics{};
    std::function<std::string(std::int64_t label)> className;
    /// Makes the function that draws images of the first `classes` classes, `side` pixels wide.
    std::function<DrawnTable::Draw(std::uint64_t seed, std::int64_t classes, int side)> drawing;
};

/// Data set source of a drawn set. Classes alternate; `side`, `train_each` and `first_class` of a request are observed.
DatasetSource drawnSource(DrawnSet set);

}  // namespace palimpsest
