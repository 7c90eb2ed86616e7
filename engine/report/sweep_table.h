// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/metrics/metric_catalogue.h"
#include "engine/metrics/metrics.h"
#include "engine/report/comparison.h"
#include "engine/sweep/sweep_results.h"

namespace palimpsest::report {

struct SweepCell {
    Spread value;           ///< over the seeds
    Comparison comparison;  ///< with the baseline; of no pairs for a baseline
    std::optional<PublishedNumber> published = {};

    const Spread& difference() const { return comparison.evidence.difference; }
};

/// Conditions besides method and seed that may change the numbers of runs, as far as the runs say them.
struct RunConditions {
    std::set<std::string> threads, precisions, devices, processors, versions;
    std::vector<std::int64_t> moved = {};  ///< seeds of runs that were continued on another processor, rising
};

struct SweepTableLine {
    std::string name;
    std::size_t baseline = 0;      ///< line it is compared with; its own number: with none
    std::int64_t runs = 0;         ///< finished ones
    std::vector<SweepCell> cells;  ///< a metric each
    Spread seconds;                ///< a run
    Spread batch_seconds;          ///< a batch with all its updates, on average; no evaluation, no work after a session
    std::int64_t parameters = 0;   ///< that the method trains; the most of any run; 0: none, or not known
    RunConditions conditions;      ///< of its finished runs
};

/// Numbers of finished runs alone. Deviations are sample standard deviations (divided by n - 1).
struct SweepTable {
    std::string title;
    std::vector<const Metric*> metrics;
    std::vector<SweepTableLine> lines;
    std::string published_in;  ///< where published numbers are from; may be empty

    bool hasPublished() const;
    /// A finished run has the number at this place among the metrics.
    bool isMeasured(std::size_t metric) const;
};

/// Keys of the metrics that a grid may ask for.
std::vector<std::string> sweepMetrics();

/// `results` in the order of the plan's runs.
SweepTable tabulate(const SweepPlan& plan, const std::vector<SweepResult>& results);

/// Means and deviations in per cent, then differences in percentage points, and how sure these are, and published
/// numbers beside them; a single value has no deviation. Notes say where runs or rows differ in threads, precision,
/// device or versions.
std::string sweepMarkdown(const SweepTable& table);
/// The same for LaTeX; needs the package booktabs.
std::string sweepLatex(const SweepTable& table);
/// A line a row, fractions: row,baseline,runs, five columns a metric (mean, std, difference, difference_std, pairs),
/// seconds of a run, seconds of a batch, trainable parameters; then five more columns a metric (low and high end of the
/// difference's 95 % interval, p, p_holm, seeds_needed), and precision, device and versions of the row's runs. Where
/// numbers were published, three more columns a metric (published, published_std, published_difference).
std::string sweepCsv(const SweepTable& table);
/// The differences and their evidence as a JSON list, for sweep.json; fractions.
std::string sweepDifferencesJson(const SweepTable& table);
/// The published numbers and what they are beside the means here, likewise.
std::string sweepPublishedJson(const SweepTable& table);

}  // namespace palimpsest::report
