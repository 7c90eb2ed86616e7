// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/unreadable_images.h"

#include <algorithm>

#include "engine/checkpoint/state_archive.h"
#include "engine/support/error.h"

namespace palimpsest {

std::string UnreadableImage::text() const {
    const std::string what = reason.find(name) == std::string::npos ? name + ": " + reason : reason;
    return what + " The image is left out.";
}

UnreadableImages::UnreadableImages(std::string what, std::string place, std::int64_t total)
    : what_(std::move(what)), place_(std::move(place)), first_(std::min<std::int64_t>(total, 100)) {}

void UnreadableImages::add(const UnreadableImage& image) {
    if (known_.insert(image.sample).second && listener_) listener_(image);
}

void UnreadableImages::lost(std::span<const UnreadableImage> failed) {
    for (const UnreadableImage& image : failed) add(image);
}

void UnreadableImages::tried(std::span<const std::int64_t> samples, std::span<const UnreadableImage> failed) {
    auto next = failed.begin();
    for (const std::int64_t sample : samples) {
        const bool fails = next != failed.end() && next->sample == sample;
        if (fails) add(*next);
        if (tried_ < first_) {
            ++tried_;
            early_ += fails;
            if (2 * early_ > first_)
                throw runError("More than half of the first " + std::to_string(first_) + " " + what_ + " of " + place_ +
                                   " cannot be read, " + next->name + " among them.",
                               "Check that the folder is complete and that you may read it.");
        }
        if (fails) ++next;
    }
}

void UnreadableImages::keep(StateArchive& archive) {
    std::vector<std::int64_t> known(known_.begin(), known_.end());
    std::sort(known.begin(), known.end());
    archive("known", known);
    known_ = {known.begin(), known.end()};
    // The count depends on how far was read ahead, so it is no part of the state; a resumed run is past the first
    // images.
    if (archive.restoring()) tried_ = first_;
}

}  // namespace palimpsest
