// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"
#include "engine/report/figure.h"

namespace palimpsest::report {

/// A figure with all of its numbers; the figure has room for some of them alone.
struct MeasuredFigure {
    Figure figure;
    std::string csv;
};

/// Figures of what one run measured besides its accuracies, read from its folder: class-accuracy, confusion-matrix,
/// loss, prompt-use, memory-balance; those that the folder knows of. The confusion matrix is that of the last
/// evaluation, or of the last one up to `moment`, in images seen. Never throws: what cannot be read is absent.
std::vector<MeasuredFigure> measuredFigures(const RunRecord& run, std::optional<std::int64_t> moment = {});

}  // namespace palimpsest::report
