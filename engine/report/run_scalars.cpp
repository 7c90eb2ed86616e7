// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/run_scalars.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <optional>
#include <span>

#include "engine/support/csv_table.h"
#include "engine/support/text.h"

namespace palimpsest::report {

namespace {

void eachTest(const RunRecord& run, const ScalarSink& put) {
    struct Told {
        const char* name;
        std::optional<double> (*value)(const AnytimePoint&);
    };
    static constexpr Told kTold[] = {
        {"test/accuracy", [](const AnytimePoint& point) { return std::optional(point.accuracy); }},
        {"test/loss", [](const AnytimePoint& point) { return std::optional(point.loss); }},
        {"test/classes_seen",
         [](const AnytimePoint& point) {
             return point.classes_seen > 0 ? std::optional(static_cast<double>(point.classes_seen)) : std::nullopt;
         }},
        {"test/nearest_mean_accuracy", [](const AnytimePoint& point) { return point.reference; }},
        {"test/router_accuracy", [](const AnytimePoint& point) { return point.router; }},
        {"test/head_agreement", [](const AnytimePoint& point) { return point.agreement; }},
    };
    for (const Told& told : kTold)
        for (const AnytimePoint& point : run.anytime)
            if (const std::optional<double> value = told.value(point)) put(told.name, point.samples_seen, *value);
}

/// Read once for each column, so that a file of any length takes no memory.
std::vector<std::string> eachUpdate(const RunRecord& run, const ScalarSink& put) {
    std::vector<std::string> warnings;
    if (run.state == RecordedState::Imported) return warnings;
    for (const auto& [column, name] :
         {std::pair("loss", "train/loss"), std::pair("batch_accuracy", "train/batch_accuracy"),
          std::pair("learning_rate", "train/learning_rate")}) {
        const CsvScan scan =
            scanCsv(run.folder / "training.csv", {"samples_seen", column}, [&](std::span<const double> row) {
                if (const std::int64_t seen = countIn(row[0]); seen >= 0) put(name, seen, row[1]);
            });
        for (const std::string& warning : scan.warnings)
            if (std::ranges::find(warnings, warning) == warnings.end()) warnings.push_back(warning);
    }
    return warnings;
}

/// Sessions are counted from 1, as people do.
void eachSession(const RunRecord& run, const ScalarSink& put) {
    std::map<std::int64_t, std::vector<const RetentionPoint*>> sessions;
    for (const RetentionPoint& point : run.retention)
        if (point.session >= 0 && (point.samples > 0 || run.state == RecordedState::Imported))
            sessions[point.session].push_back(&point);
    for (const auto& [session, points] : sessions)
        for (const RetentionPoint* point : points)
            put("sessions/accuracy_on_session_" + std::to_string(session + 1),
                samplesAtEndOf(run, point->after_session), point->accuracy);
}

void eachSummary(const RunRecord& run, const ScalarSink& put) {
    const Summary& summary = run.summary;
    const std::int64_t end = run.anytime.empty() ? run.total_samples : run.anytime.back().samples_seen;
    const auto tell = [&](const char* name, const std::optional<double>& value) {
        if (value) put(std::string("summary/") + name, end, *value);
    };
    tell("a_auc", summary.a_auc);
    tell("a_avg", summary.a_avg);
    tell("a_last", summary.a_last);
    tell("a_last_overall", summary.a_last_overall);
    tell("f_last", summary.f_last);
    tell("f_last_classwise", summary.f_last_classwise);
    tell("bwt_last", summary.bwt_last);
}

}  // namespace

std::vector<std::string> eachScalar(const RunRecord& run, const ScalarSink& sink) {
    const ScalarSink put = [&](const std::string& name, std::int64_t step, double value) {
        if (std::isfinite(value)) sink(name, step, value);
    };
    eachTest(run, put);
    std::vector<std::string> warnings = eachUpdate(run, put);
    eachSession(run, put);
    eachSummary(run, put);
    return warnings;
}

std::int64_t unixMilliseconds(const std::string& stamp) {
    int year = 0;
    unsigned month = 0, day = 0, hour = 0, minute = 0, second = 0, milliseconds = 0;
    const int read = std::sscanf(stamp.c_str(), "%4d-%2u-%2uT%2u:%2u:%2u.%3u", &year, &month, &day, &hour, &minute,
                                 &second, &milliseconds);
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)};
    if (read < 6 || !date.ok() || year < 1970) return 0;
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return ((days * 24 + hour) * 60 + minute) * 60'000LL + second * 1000LL + (read == 7 ? milliseconds : 0);
}

std::string exportedName(const RunRecord& run) {
    constexpr std::size_t kLongest = 150;
    const std::filesystem::path whole = std::filesystem::absolute(run.folder).lexically_normal();
    const std::string name =
        slug((whole.has_filename() ? whole.filename() : whole.parent_path().filename()).string(), kLongest);
    return name.empty() ? "run" : name;
}

}  // namespace palimpsest::report
