// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/image_dataset.h"
#include "engine/train/sources.h"

namespace palimpsest {

/// Test images with the test transform (resize, normalise). Resized bytes are kept while they fit in `budget`.
class TestImages : public TestSource {
public:
    TestImages(std::shared_ptr<const ImageTable> table, std::int64_t imageSize, std::array<float, 3> mean,
               std::array<float, 3> deviation, at::Device device, std::int64_t budget = std::int64_t{1} << 30);

    std::span<const std::int32_t> labels() const override { return table_->labels(); }
    Tensor images(std::span<const std::int64_t> samples) override;

private:
    std::shared_ptr<const ImageTable> table_;
    std::int64_t side_;
    std::array<float, 3> mean_, deviation_;
    at::Device device_;
    Tensor kept_;                    // [N, 3, S, S] bytes, or undefined when over budget
    std::vector<bool> known_;
};

}  // namespace palimpsest
