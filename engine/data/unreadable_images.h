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

    /// One sentence for a person, or two.
    std::string text() const;
};

/// The images of one table that cannot be read in a run: each is told once, in the order in which they are needed,
/// whichever thread tried to read them. The run's thread alone.
class UnreadableImages {
public:
    using Listener = std::function<void(const UnreadableImage&)>;
    /// `what`: "training images"; `place`: the folder or data set they come from; `total`: how many will be tried.
    UnreadableImages(std::string what, std::string place, std::int64_t total);
    void listen(Listener listener) { listener_ = std::move(listener); }

    /// Samples that were tried for the first time, and which of them failed (in the same order). Throws Error(Run) when
    /// more than half of the first 100 images did: then it is not the images that are damaged.
    void tried(std::span<const std::int64_t> samples, std::span<const UnreadableImage> failed);
    /// Images that could be read before, but no longer.
    void lost(std::span<const UnreadableImage> failed);
    /// Those that were told are not told again.
    void keep(StateArchive& archive);
    bool holds(std::int64_t sample) const { return known_.contains(sample); }
    std::int64_t count() const { return static_cast<std::int64_t>(known_.size()); }

private:
    void add(const UnreadableImage& image);

    std::string what_, place_;
    std::int64_t first_;  // images that decide
    std::int64_t tried_ = 0, early_ = 0;
    std::unordered_set<std::int64_t> known_;
    Listener listener_;
};

}  // namespace palimpsest
