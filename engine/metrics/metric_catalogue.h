// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "engine/run/run_events.h"

namespace palimpsest {

enum class MetricFamily {
    Both,
    Paper,
    OfficialCode,
    OtherCode,
    Reference,
    Own,  ///< of this program alone; runs of few methods have it
};

/// A number of summary.json with the words and the formula that explain it: in reports, on the window's cards and on
/// the page about numbers.
struct Metric {
    const char* key;     ///< as in summary.json
    const char* symbol;  ///< "A_AUC"
    const char* title;
    MetricFamily family;
    bool higher_is_better;
    bool on_the_way;          ///< of the evaluations on the way; false: of the ends of sessions
    const char* formula;      ///< HTML
    const char* meaning;      ///< one or two plain sentences
    const char* undefined;    ///< when there is no such number, in one sentence
    const char* counterpart;  ///< key of what the other family means by the same name; empty: nothing
    std::optional<double> Summary::*value;
};

/// Meaning of one point of a curve.
struct CurveMeaning {
    const char* key;  ///< "anytime" or "retention"
    const char* symbol;
    const char* title;
    const char* formula;  ///< HTML
    const char* meaning;
    const char* undefined;
};

std::span<const Metric> metrics();
/// Null for an unknown key.
const Metric* findMetric(std::string_view key);
std::span<const CurveMeaning> curveMeanings();
const CurveMeaning* findCurve(std::string_view key);
const char* toText(MetricFamily family);

/// A formula without HTML: "a<sub>l</sub>" becomes "a_l", longer subscripts stand in brackets.
std::string plainFormula(std::string_view html);
/// Metrics and curves as Markdown: the part of the page about numbers that is made from the catalogue.
std::string metricMarkdown();

}  // namespace palimpsest
