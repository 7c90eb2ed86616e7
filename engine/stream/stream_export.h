// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/stream/stream_compare.h"
#include "engine/stream/stream_plan.h"

namespace palimpsest {

enum class StreamFormat { Json, Text, Csv };

/// Format by a file's ending; JSON for any other ending.
StreamFormat streamFormatOf(std::string_view fileName);

/// A plan and the data that its written form adds.
struct StreamReport {
    const StreamPlan& plan;
    std::span<const std::int32_t> labels;
    std::span<const std::string> class_names;  ///< may be empty
    std::vector<std::string> warnings;
    bool statistics = false;  ///< add them; CSV never has them
};

/// JSON: sessions, classes, fingerprints and warnings, in the form that importStream() reads; a single line without
/// statistics. Text: readable tables, sessions counted from 1. CSV: a line a sample,
/// `session,position,sample,class,kind`, all counted from 0.
std::string formatStream(const StreamReport& report, StreamFormat format);

/// The minimal JSON that importStream() needs; a run folder stores it.
std::string formatIndexList(const StreamPlan& plan);

std::string formatComparisonJson(const StreamComparison& comparison, std::span<const std::string> classNames);
std::string formatComparisonText(const StreamComparison& comparison, std::span<const std::string> classNames);

/// The number with so many digits behind the point; "-" when absent or not finite.
std::string decimal(std::optional<double> value, int digits);

}  // namespace palimpsest
