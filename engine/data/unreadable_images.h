// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace palimpsest {

class StateArchive;

/// An image that could not be read.
struct UnreadableImage {
    std::int64_t sample = 0;
    std::string name;    ///< ImageTable::name()
    std::string reason;  ///< a sentence

    /// One or two sentences for the user.
    std::string text() const;
};

/// The unreadable images of one table in a run. Each is reported once, in the order in which they are needed, whichever
/// thread tried to read them. Used on the run's thread alone.
class UnreadableImages {
public:
    using Listener = std::function<void(const UnreadableImage&)>;
    /// `what`: "training images"; `place`: the folder or data set they come from; `total`: number that will be tried.
    UnreadableImages(std::string what, std::string place, std::int64_t total);
    void listen(Listener listener) { listener_ = std::move(listener); }

    /// Records samples that were tried for the first time, and those of them that failed (in the same order). Throws
    /// Error(Run) when more than half of the first 100 images failed: then the cause is not single damaged images.
    void tried(std::span<const std::int64_t> samples, std::span<const UnreadableImage> failed);
    /// Records images that could be read before, but no longer.
    void lost(std::span<const UnreadableImage> failed);
    /// Archives the known images, so that they are not reported again.
    void keep(StateArchive& archive);
    bool holds(std::int64_t sample) const { return known_.contains(sample); }
    std::int64_t count() const { return static_cast<std::int64_t>(known_.size()); }

private:
    void add(const UnreadableImage& image);

    std::string what_, place_;
    std::int64_t first_;  // number of first images that decide about an error
    std::int64_t tried_ = 0, early_ = 0;
    std::unordered_set<std::int64_t> known_;
    Listener listener_;
};

}  // namespace palimpsest
