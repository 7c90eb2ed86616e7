// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/stream/stream_plan.h"
#include "engine/stream/stream_statistics.h"

namespace palimpsest {

/// One of two streams to compare.
struct StreamSide {
    std::string data;  ///< names the data set; two streams of different data share no samples
    std::span<const std::int32_t> labels;
    const StreamPlan& plan;
};

/// Distinct samples of two sets: in both, and in only one. Repeated samples count once.
struct Overlap {
    std::int64_t shared = 0;
    std::int64_t only_first = 0;
    std::int64_t only_second = 0;
    /// shared / all, 0 to 1; 1 for two empty sets (Jaccard, New Phytologist 11, 1912).
    double jaccard() const;
};

enum class Sameness {
    Identical,     ///< the same samples in the same sessions in the same order
    SameSessions,  ///< the same samples in each session, in another order
    SameSamples,   ///< the same samples, in other sessions
    Different,
    OtherData,  ///< samples cannot be compared
};

/// First and last occurrence of one class in two streams.
struct ClassTiming {
    std::int64_t label = 0;
    ClassAppearance first, second;
    /// True if the first session, the last session or the first position differ.
    bool differs() const;
};

struct StreamComparison {
    std::string first, second;  ///< fingerprints
    Sameness sameness = Sameness::Different;
    Overlap samples;  ///< of the whole streams; empty for other data
    std::vector<Overlap>
        sessions;  ///< the k-th session of one with the k-th of the other; a missing one counts as empty
    std::vector<ClassTiming> classes;  ///< by class; empty for other data
};

/// Compares two streams. Label lists of the same data may differ in length (a limit), but not in their common part.
StreamComparison compareStreams(const StreamSide& first, const StreamSide& second);

/// Where two streams begin to differ.
struct BatchApart {
    std::int64_t batch = 0;         ///< from 1
    std::int64_t session = 0;       ///< from 0
    std::int64_t samples_seen = 0;  ///< before it
};
/// The first batch of so many samples that does not have the same samples in the same order, as a run learns them: the
/// last batch of a session may be shorter. Absent: there is none.
std::optional<BatchApart> firstBatchApart(const StreamPlan& first, const StreamPlan& second, std::int64_t batchSize);

/// One sentence, such as "The same stream: ...".
std::string sentenceOf(const StreamComparison& comparison);

}  // namespace palimpsest
