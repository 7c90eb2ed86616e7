// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/record/run_folder.h"
#include "engine/record/run_history.h"
#include "engine/report/figure.h"
#include "engine/report/run_groups.h"

namespace palimpsest::report {

/// Anytime accuracy of all groups; what is left of session 1 where there are several; the retention of every session
/// for each group; the R matrix where there is one group.
std::vector<Figure> makeFigures(const ReportedRuns& runs);

/// A figure with all of its numbers; the figure has room for some of them alone.
struct MeasuredFigure {
    Figure figure;
    std::string csv;
};

/// Figures of what one run measured besides its accuracies, read from its folder: class-accuracy, confusion-matrix,
/// loss, prompt-use, memory-balance, pushes; those that the folder knows of. The confusion matrix is that of the last
/// evaluation, or of the last one up to `moment`, in images seen. Never throws: what cannot be read is absent,
/// and told to `unread` in a sentence.
std::vector<MeasuredFigure> measuredFigures(const RunRecord& run, std::optional<std::int64_t> moment = {},
                                            std::vector<std::string>* unread = nullptr);
/// The same where the folder has been read; its warnings go to `unread` as well.
std::vector<MeasuredFigure> measuredFigures(const RunRecord& run, const RunHistory& history,
                                            std::optional<std::int64_t> moment, std::vector<std::string>* unread);

/// Loss of every update of one run; absent where it has none.
std::optional<MeasuredFigure> lossFigure(const RunHistory& history);
/// Losses of several runs, read from their folders: each run's losses as a thin line, and over them the mean of each
/// experiment's, taken over a fortieth of the images at a time; absent where none has any. Never throws: what cannot be
/// read is left out.
std::optional<MeasuredFigure> lossFigure(const ReportedRuns& runs);

}  // namespace palimpsest::report
