// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/record/run_diff.h"
#include "engine/run/laboratory.h"
#include "engine/stream/stream_compare.h"

namespace palimpsest {

/// Where the streams of two runs part.
struct StreamsApart {
    std::optional<BatchApart> batch;  ///< the first with other images; absent: the streams are the same, or see `why`
    std::string why;                  ///< the reason that it cannot be told; may be empty
};

/// Plans both streams, unless they are the same, over what `labels` reads (Laboratory::labels); it may be null.
StreamsApart streamsApart(const OptionTable& table, const RunDifferences& found, const std::filesystem::path& first,
                          const std::filesystem::path& second,
                          const std::function<std::shared_ptr<const DatasetLabels>(const Experiment&)>& labels);

/// All that was found, a line for each, and the verdict last.
std::string differencesText(const RunDifferences& found, const StreamsApart& streams);

}  // namespace palimpsest
