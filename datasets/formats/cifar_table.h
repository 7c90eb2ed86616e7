// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/formats/cifar_batch.h"
#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// Pictures of several files in sequence, kept in memory in the files' layout.
class CifarTable : public ImageTable {
public:
    /// `limit`: number of pictures to keep, from the first; 0: all.
    CifarTable(std::vector<CifarBatch> batches, std::int64_t limit);

    std::int64_t size() const override { return static_cast<std::int64_t>(labels_.size()); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override;

private:
    std::vector<CifarBatch> batches_;
    std::vector<std::int32_t> labels_;
};

}  // namespace palimpsest
