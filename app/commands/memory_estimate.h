// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

namespace palimpsest {

/// Peaks of the program's memory in a short run, each of what it was at, bytes.
struct MemoryPeaks {
    std::int64_t images = 0;  ///< of the stream, in a batch
    std::int64_t tests = 0;   ///< in a forward pass of the evaluation
    std::int64_t start = 0, update = 0, evaluation = 0;
};

/// A peak of so many images, from those of more and of fewer ones: it grows in proportion to them.
constexpr std::int64_t extendedPeak(std::int64_t peakOfMore, std::int64_t more, std::int64_t peakOfFewer,
                                    std::int64_t fewer, std::int64_t images) {
    const std::int64_t least = std::max(peakOfMore, peakOfFewer);
    if (images <= more || more <= fewer) return least;
    const double image =
        static_cast<double>(std::max<std::int64_t>(0, peakOfMore - peakOfFewer)) / static_cast<double>(more - fewer);
    return std::max(least, peakOfMore + static_cast<std::int64_t>(image * static_cast<double>(images - more)));
}

/// Peak of a run with so many images in a batch and in a forward pass of its evaluations, bytes. What is greatest
/// decides: methods whose network is frozen need most when they are tested, others when they learn.
constexpr std::int64_t wholePeak(const MemoryPeaks& larger, const MemoryPeaks& smaller, std::int64_t images,
                                 std::int64_t tests) {
    return std::max({larger.start, smaller.start,
                     extendedPeak(larger.update, larger.images, smaller.update, smaller.images, images),
                     extendedPeak(larger.evaluation, larger.tests, smaller.evaluation, smaller.tests, tests)});
}

}  // namespace palimpsest
