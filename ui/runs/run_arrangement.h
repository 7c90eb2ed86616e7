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

/// Columns of the list of runs: plain numbers, as Qt counts columns.
struct RunColumn {
    enum Index {
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
        SessionAccuracy,
        DeltaSessionAccuracy,
        SessionForgetting,
        DeltaSessionForgetting,
        Tags,
        Note,
        When,
        kColumns
    };
};

/// Columns of numbers stand at the right.
constexpr bool isNumberColumn(int column) {
    return column >= RunColumn::Memory && column <= RunColumn::DeltaSessionForgetting;
}

/// Each listed metric has a column, and one for its difference to the baseline behind it.
constexpr bool isMetricOrDifference(int column) {
    return column >= RunColumn::AreaUnderCurve && column <= RunColumn::DeltaSessionForgetting;
}

constexpr bool isDifferenceColumn(int column) {
    return isMetricOrDifference(column) && (column - RunColumn::AreaUnderCurve) % 2 == 1;
}

constexpr bool isMetricColumn(int column) {
    return isMetricOrDifference(column) && !isDifferenceColumn(column);
}

/// The place among kListedMetrics of a column of a metric or of its difference.
constexpr std::size_t listedMetric(int column) {
    return static_cast<std::size_t>(column - RunColumn::AreaUnderCurve) / 2;
}
static_assert(listedMetric(RunColumn::DeltaSessionForgetting) + 1 == kListedMetrics.size());

/// The column of the metric at a place among kListedMetrics.
constexpr int metricColumn(std::size_t metric) {
    return RunColumn::AreaUnderCurve + 2 * static_cast<int>(metric);
}

/// The column of the numbers that a difference is of; any other column itself.
constexpr int metricOf(int column) {
    return isDifferenceColumn(column) ? column - 1 : column;
}

/// A line of the list: a run, or the heading of runs that differ in the seed alone.
struct RunLine {
    int run = -1;          ///< place in RunArrangement::rows; -1: a heading
    int family = -1;       ///< place in RunArrangement::families, of a heading and of the runs below it
    std::string_view key;  ///< stays the line's own: the run's folder, or the family; lives as long as the arrangement
};

/// Order of the list as the user asked for it.
struct RunOrder {
    RunQuery query;
    bool grouped = false;
    bool hidden = false;        ///< hidden runs, too
    QSet<QString> open;         ///< families whose runs are listed below their heading
    QHash<QString, int> shown;  ///< ids of runs in the plots, the larger the nearer to the eye
    RunColumn::Index column = RunColumn::When;
    Qt::SortOrder order = Qt::DescendingOrder;
};

/// The list that follows from rows and order. Plain data, made on any thread; its lines' keys point into it.
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

/// Steps by which one list of runs becomes another. Plain data, made on any thread.
struct RunListChange {
    /// Number of lines that may come and go one by one.
    static constexpr std::size_t kFew = 50;

    enum class Kind {
        Same,  ///< the same lines in the same order
        Few,   ///< selection and scroll position can stay
        All
    };
    Kind kind = Kind::All;
    int first = -1, last = -1;  ///< Same: range of the lines that changed; -1: none did
    std::vector<int> gone;      ///< Few: lines that go, by their old places, rising
    bool moved = false;         ///< Few: those that stay change their order
    std::vector<int> places;    ///< then, of each line that stays, where it goes among them
    std::vector<int> came;      ///< Few: lines that come, by their new places, rising
};

RunListChange changeOf(const RunArrangement& before, const RunArrangement& after);

}  // namespace palimpsest
