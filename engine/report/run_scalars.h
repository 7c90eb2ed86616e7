// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"

namespace palimpsest::report {

/// One number of a run. Its name is grouped by slashes, as in "test/accuracy"; `step`: images seen.
using ScalarSink = std::function<void(const std::string& name, std::int64_t step, double value)>;

/// Every number that a run recorded over its way, name after name, each in order of images seen: what tests measured,
/// losses of training, accuracies on the sessions' own data, and at its end the numbers of its summary. Numbers that
/// are not finite are left out. Returns a sentence on each line that cannot be read, and so was left out, too.
std::vector<std::string> eachScalar(const RunRecord& run, const ScalarSink& sink);

/// Milliseconds since 1970 of a moment as run.json writes it; 0 for any other text.
std::int64_t unixMilliseconds(const std::string& stamp);

/// The name of a run's folder as a file name that any system bears; never empty.
std::string exportedName(const RunRecord& run);

}  // namespace palimpsest::report
