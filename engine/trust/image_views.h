// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "datasets/table/image_dataset.h"
#include "engine/data/sources.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

/// The images of another table at some positions, under their own labels.
std::shared_ptr<const ImageTable> subsetOf(std::shared_ptr<const ImageTable> table,
                                           std::vector<std::int64_t> positions);
/// The same images under other labels, one for each.
std::shared_ptr<const ImageTable> relabelled(std::shared_ptr<const ImageTable> table, std::vector<std::int32_t> labels);

/// The labels, mixed up at random among the images: each class keeps its number of images.
std::vector<std::int32_t> permutedLabels(std::span<const std::int32_t> labels, std::uint64_t seed);

/// The stream with about so many images: every session keeps its share, evenly spread over it, and at least one image.
/// The whole where it has no more, or where `images` is 0.
StreamPlan cutStream(StreamPlan plan, std::int64_t images);

/// Test images of another source in another order: image i is image order[i] of the source.
class ReorderedTest : public TestSource {
public:
    /// `order`: each position of the source once.
    ReorderedTest(TestSource& source, std::vector<std::int64_t> order);

    std::span<const std::int32_t> labels() const override { return labels_; }
    void expect(std::span<const std::int64_t> samples) override;
    ShownImages images(std::span<const std::int64_t> samples) override;

private:
    std::vector<std::int64_t> inSource(std::span<const std::int64_t> samples) const;

    TestSource& source_;
    std::vector<std::int64_t> order_, place_;  // place_: the inverse
    std::vector<std::int32_t> labels_;
};

}  // namespace palimpsest
