// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/test_images.h"

#include "engine/data/image_tensor.h"

namespace palimpsest {

TestImages::TestImages(std::shared_ptr<const ImageTable> table, std::int64_t imageSize, std::array<float, 3> mean,
                       std::array<float, 3> deviation, at::Device device, std::int64_t budget)
    : table_(std::move(table)), side_(imageSize), mean_(mean), deviation_(deviation), device_(device) {
    if (table_->size() * 3 * side_ * side_ <= budget) {
        // Unread rows are never looked at: pages of memory that no image fills are never taken.
        kept_ = at::empty({table_->size(), 3, side_, side_}, at::kByte);
        known_.resize(static_cast<std::size_t>(table_->size()), false);
    }
}

Tensor TestImages::images(std::span<const std::int64_t> samples) {
    const auto side = static_cast<int>(side_);
    Tensor bytes;
    if (kept_.defined()) {
        for (const std::int64_t sample : samples) {
            if (known_[static_cast<std::size_t>(sample)]) continue;
            storeImage(kept_, sample, resizedRgb(table_->image(sample), side));
            known_[static_cast<std::size_t>(sample)] = true;
        }
        bytes = kept_.index_select(0, at::tensor(std::vector<std::int64_t>(samples.begin(), samples.end()), at::kLong));
    } else {
        bytes = at::empty({static_cast<std::int64_t>(samples.size()), 3, side_, side_}, at::kByte);
        for (std::size_t i = 0; i < samples.size(); ++i)
            storeImage(bytes, static_cast<std::int64_t>(i), resizedRgb(table_->image(samples[i]), side));
    }
    return normalised(bytes.to(device_), mean_, deviation_);
}

}  // namespace palimpsest
