// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QHash>
#include <QSet>
#include <QString>
#include <string>
#include <string_view>
#include <vector>

#include "engine/library/run_family.h"
#include "engine/library/run_query.h"

namespace palimpsest {

/// Columns of the list of runs.
enum class RunColumn {
    Shown,
    Name,
    Data,
    Method,
    Mask,
    Prompts,
    Memory,
    Images,
    Seed,
    AreaUnderCurve,
    DeltaArea,
    LastAccuracy,
    DeltaLast,
    LastForgetting,
    DeltaForgetting,
    Tags,
    Note,
    When
};

/// A line of the list: a run, or the heading of runs that differ in the seed alone.
struct RunLine {
    int run = -1;          ///< place in RunArrangement::rows; -1: a heading
    int family = -1;       ///< place in RunArrangement::families, of a heading and of the runs below it
    std::string_view key;  ///< stays the line's own: the run's folder, or the family; lives as long as the arrangement
};

/// What a person asked the list for.
struct RunOrder {
    RunQuery query;
    bool grouped = false;
    bool hidden = false;        ///< hidden runs, too
    QSet<QString> open;         ///< families whose runs are listed below their heading
    QHash<QString, int> shown;  ///< ids of runs in the plots, the larger the nearer to the eye
    RunColumn column = RunColumn::When;
    Qt::SortOrder order = Qt::DescendingOrder;
};

/// The list that follows from it. Plain data, made on any thread; its lines' keys point into it.
struct RunArrangement {
    RunArrangement() = default;
    RunArrangement(RunArrangement&&) = default;
    RunArrangement& operator=(RunArrangement&&) = default;
    RunArrangement(const RunArrangement&) = delete;
    RunArrangement& operator=(const RunArrangement&) = delete;

    std::vector<RunRowPtr> rows;
    std::vector<RunFamily> families;
    std::vector<std::string> headings;  ///< keys of the families
    std::vector<RunLine> lines;
    int matching = 0;  ///< runs, whether their line is open or not
    int offered = 0;   ///< runs that would match an empty search
};

/// Key of the heading of a family.
std::string familyKey(const std::string& family);
RunArrangement arrangeRuns(std::vector<RunRowPtr> rows, const RunOrder& order);

}  // namespace palimpsest
