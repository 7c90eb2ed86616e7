// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/test_images.h"

#include "engine/data/picture_tensor.h"
#include "engine/network/device_copies.h"

namespace palimpsest {
TestImages::TestImages(std::shared_ptr<const ImageTable> table, const Settings& settings)
    : table_(std::move(table)),
      settings_(settings),
      reader_(table_, settings, false),
      unreadable_("test images", settings.place, table_->size()),
      tried_(static_cast<std::size_t>(table_->size()), false) {
    const std::int64_t side = settings.image_size;
    if (!settings.cache && table_->size() * 3 * side * side <= settings.memory) {
        // Memory pages of rows that are never filled are never allocated by the system.
        kept_ = at::empty({table_->size(), 3, side, side}, at::kByte);
        known_.resize(static_cast<std::size_t>(table_->size()), false);
    }
}

std::vector<std::int64_t> TestImages::missing(std::span<const std::int64_t> samples) const {
    std::vector<std::int64_t> result;
    for (const std::int64_t sample : samples)
        if (!unreadable_.holds(sample) && (!kept_.defined() || !known_[static_cast<std::size_t>(sample)]))
            result.push_back(sample);
    return result;
}

void TestImages::expect(std::span<const std::int64_t> samples) {
    ahead_.reset();
    std::vector<std::int64_t> unread = missing(samples);
    if (!unread.empty()) ahead_ = reader_.begin(std::move(unread), 0, ReadPool::Urgency::Now);
}

PictureReader::Pictures TestImages::read(const std::vector<std::int64_t>& samples) {
    if (samples.empty()) return {};
    const bool expected = ahead_ && ahead_->samples() == samples;
    PictureReader::Pictures pictures = expected ? reader_.finish(std::move(ahead_)) : reader_.read(samples, 0);
    std::vector<std::int64_t> first;
    std::vector<UnreadableImage> failed, lost;
    for (const std::int64_t sample : samples)
        if (!tried_[static_cast<std::size_t>(sample)]) first.push_back(sample);
    for (const UnreadableImage& image : pictures.failed)
        (tried_[static_cast<std::size_t>(image.sample)] ? lost : failed).push_back(image);
    for (const std::int64_t sample : first) tried_[static_cast<std::size_t>(sample)] = true;
    unreadable_.tried(first, failed);
    unreadable_.lost(lost);
    return pictures;
}

ShownImages TestImages::images(std::span<const std::int64_t> samples) {
    PictureReader::Pictures pictures = read(missing(samples));
    if (kept_.defined()) {
        for (std::size_t i = 0; i < pictures.samples.size(); ++i) {
            kept_[pictures.samples[i]].copy_(pictures.bytes[static_cast<std::int64_t>(i)]);
            known_[static_cast<std::size_t>(pictures.samples[i])] = true;
        }
        pictures.samples.clear();
        for (const std::int64_t sample : samples)
            if (known_[static_cast<std::size_t>(sample)]) pictures.samples.push_back(sample);
        pictures.bytes = kept_.index_select(0, at::tensor(pictures.samples, at::kLong));
    }
    if (pictures.samples.empty()) return {};
    return {normalised(onDevice(pictures.bytes, settings_.device), settings_.mean, settings_.deviation),
            std::move(pictures.samples)};
}

}  // namespace palimpsest
