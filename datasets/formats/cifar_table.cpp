// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/cifar_table.h"

#include "datasets/table/table_support.h"

#include <opencv2/core.hpp>

namespace palimpsest {

CifarTable::CifarTable(std::vector<CifarBatch> batches, std::int64_t limit) {
    for (CifarBatch& batch : batches) {
        if (limit > 0 && size() >= limit) break;
        labels_.insert(labels_.end(), batch.labels.begin(), batch.labels.end());
        batches_.push_back(std::move(batch));
    }
    labels_.resize(static_cast<std::size_t>(limited(size(), limit)));
}

cv::Mat CifarTable::image(std::int64_t index) const {
    checkImageIndex(index, size());
    auto at = static_cast<std::size_t>(index);
    std::size_t batch = 0;
    while (at >= batches_[batch].labels.size()) at -= batches_[batch++].labels.size();
    const std::uint8_t* const pixels = batches_[batch].picture(at);
    cv::Mat picture(static_cast<int>(kCifarSide), static_cast<int>(kCifarSide), CV_8UC3);
    auto* to = picture.ptr<std::uint8_t>();
    for (std::size_t p = 0; p < kCifarPixels; ++p)
        for (std::size_t channel = 0; channel < 3; ++channel) *to++ = pixels[channel * kCifarPixels + p];
    return picture;
}

}  // namespace palimpsest
