// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report_figures.h"

#include <algorithm>
#include <set>

#include "engine/metrics/metrics.h"
#include "engine/report/averages.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest::report {
namespace {

constexpr std::size_t kMostColouredSessions = 8;

/// `counts`: numbers of seeds that the points are averaged over.
std::string averagingText(const std::set<std::int64_t>& counts) {
    const std::string seeds = seedsText(counts);
    return seeds.empty() ? "" : ", mean ± standard deviation of " + seeds;
}

double largestValue(const std::vector<Series>& all) {
    double largest = 0;
    for (const Series& series : all)
        for (const FigurePoint& point : series.points)
            largest = std::max(largest, point.y + (series.band ? point.deviation : 0));
    return largest;
}

Axis accuracyAxis(const std::vector<Series>& all) {
    Axis axis = percentAxis(largestValue(all));
    axis.caption = "accuracy, %";
    return axis;
}

FigurePoint figurePoint(double x, const Spread& accuracy) {
    return {x, 100 * accuracy.mean, 100 * accuracy.deviation, accuracy.count};
}

/// "MISA: 73.9 % at the end, A_AUC 74.6 %." for every series.
std::string describe(const std::vector<Series>& all) {
    std::string text;
    for (const Series& series : all) {
        text += (text.empty() ? "" : " ") + series.name;
        if (!series.points.empty()) {
            text += ": from " + fixedText(series.points.front().y, 1) + " to " + fixedText(series.points.back().y, 1) +
                    " %";
        }
        text += (series.note.empty() ? "" : ", " + series.note) + ".";
    }
    return text;
}

std::vector<std::vector<Point>> seedLines(const RunGroup& group) {
    std::vector<std::vector<Point>> lines;
    for (const RunRecord& run : group.runs) {
        std::vector<Point>& line = lines.emplace_back();
        for (const AnytimePoint& point : run.anytime)
            line.push_back({static_cast<double>(point.samples_seen), 100 * point.accuracy});
    }
    return lines;
}

std::vector<Border> sessionBorders(const RunRecord& run) {
    std::vector<Border> borders;
    for (std::size_t k = 0; k < run.session_starts.size(); ++k) {
        const std::string number = std::to_string(k + 1);
        borders.push_back({static_cast<double>(run.session_starts[k]), "session " + number, number});
    }
    return borders;
}

Figure anytimeFigure(const ReportedRuns& runs) {
    CurveFigure curves;
    curves.empty = "No evaluation yet";
    std::set<std::int64_t> counts;
    double last = 0;
    for (std::size_t k = 0; k < runs.groups.size(); ++k) {
        const RunGroup& group = runs.groups[k];
        const bool single = group.runs.size() == 1;
        Series series;
        series.name = group.name;
        series.style = seriesStyle(k);
        series.rank = static_cast<int>(k);
        series.band = !single;
        if (runs.groups.size() == 1) {
            series.style.ink = Ink::Accent;
            series.style.width = 2.4;
            series.area = single;
            series.members = single ? std::vector<std::vector<Point>>{} : seedLines(group);
        }
        const std::vector<AveragePoint> average = averageAnytime(group);
        for (const AveragePoint& point : average) {
            series.points.push_back(figurePoint(point.samples_seen, point.accuracy));
            counts.insert(point.accuracy.count);
        }
        const Spread area = averageMetric(group, metrics().front());
        if (area.count > 0) {
            series.note = (group.complete ? "A_AUC " : "A_AUC so far ") + spreadPerCent(area) + " %";
            series.note += runs.averaged() ? ", N = " + std::to_string(area.count) : "";
        }
        if (!series.points.empty()) series.value = spreadPerCent(average.back().accuracy) + " %";
        for (const RunRecord& run : group.runs) last = std::max(last, static_cast<double>(run.total_samples));
        if (!series.points.empty()) last = std::max(last, series.points.back().x);
        curves.series.push_back(std::move(series));
    }
    for (const RunGroup& group : runs.groups) {
        Series reference;
        for (const AveragePoint& point : averageReference(group))
            reference.points.push_back(figurePoint(point.samples_seen, point.accuracy));
        if (reference.points.empty()) continue;
        // One is enough where the backbone is the same; of several backbones it is the first one's.
        reference.name = runs.groups.size() == 1 ? "nearest class mean" : "nearest class mean, " + group.name;
        reference.value = fixedText(reference.points.back().y, 1) + " %";
        reference.style = {Ink::Quiet, Marker::None, {1, 3}, 1.2, 1};
        reference.rank = static_cast<int>(runs.groups.size());
        curves.series.push_back(std::move(reference));
        break;
    }
    curves.x = roundAxis(last, 8);
    curves.x.caption = "images seen";
    curves.y = accuracyAxis(curves.series);
    if (runs.same_stream) curves.borders = sessionBorders(runs.groups.front().runs.front());
    const std::string description = "Accuracy in per cent against images seen. " + describe(curves.series);
    return {"anytime-accuracy", "Anytime accuracy", "on all classes seen so far, %" + averagingText(counts),
            description, std::move(curves)};
}

Axis sessionAxis(std::size_t sessions) {
    Axis axis;
    axis.low = sessions > 1 ? 1 : 0.5;
    axis.high = sessions > 1 ? static_cast<double>(sessions) : 1.5;
    axis.grid = sessions <= 2 * kMostColouredSessions;
    const std::size_t step = std::max<std::size_t>(1, (sessions + 9) / 10);
    for (std::size_t k = 1; k <= sessions; k += step) axis.ticks.push_back({static_cast<double>(k), std::to_string(k)});
    axis.caption = "after session";
    return axis;
}

Series retentionSeries(const std::vector<std::vector<Spread>>& retention, std::size_t session) {
    Series series;
    Spread last;
    for (std::size_t row = session; row < retention.size(); ++row) {
        const Spread& cell = retention[row][session];
        if (cell.count > 0) {
            series.points.push_back(figurePoint(static_cast<double>(row + 1), cell));
            series.band = series.band || cell.count > 1;
            last = cell;
        }
    }
    series.value = last.count > 0 ? spreadPerCent(last) + " %" : "";
    return series;
}

/// Adds to each series the number of seeds behind its points.
void noteSeeds(std::vector<Series>& all) {
    for (Series& series : all) {
        if (series.points.empty()) continue;
        const auto [least, most] =
            std::minmax_element(series.points.begin(), series.points.end(),
                                [](const FigurePoint& a, const FigurePoint& b) { return a.count < b.count; });
        series.note = "N = " + seedsText(SessionSeeds{least->count, most->count});
    }
}

Figure firstSessionFigure(const ReportedRuns& runs) {
    CurveFigure curves;
    curves.empty = "Session 1 has no test images of its own, or has not ended yet";
    std::size_t sessions = 1;
    std::set<std::int64_t> counts;
    for (std::size_t k = 0; k < runs.groups.size(); ++k) {
        const auto retention = averageRetention(runs.groups[k]);
        sessions = std::max(sessions, retention.size());
        Series series = retentionSeries(retention, 0);
        series.name = runs.groups[k].name;
        series.style = seriesStyle(k);
        series.style.width = 2.4;
        series.rank = static_cast<int>(k);
        for (const FigurePoint& point : series.points) counts.insert(point.count);
        curves.series.push_back(std::move(series));
    }
    if (!counts.empty() && *counts.rbegin() > 1) noteSeeds(curves.series);
    curves.x = sessionAxis(sessions);
    curves.y = accuracyAxis(curves.series);
    const std::string description =
        "Accuracy in per cent on the test images of session 1, after each session. " + describe(curves.series);
    return {"session-1", "What is left of session 1", "accuracy on its test images, %" + averagingText(counts),
            description, std::move(curves)};
}

std::string averagedText(const std::vector<SessionSeeds>& seeds) {
    const std::string text = seedsText(seeds);
    return text.empty() ? "" : ", mean of " + text;
}

Figure retentionFigure(const RunGroup& group, const std::string& file, bool named) {
    const auto retention = averageRetention(group);
    const std::vector<SessionSeeds> seeds = seedsOfSessions(retention);
    const SessionSeeds usual = usualSeeds(seeds);
    CurveFigure curves;
    curves.empty =
        group.imported() ? "The imported file tells no accuracies of single sessions" : "No session has ended yet";
    const bool many = retention.size() > kMostColouredSessions;
    for (std::size_t session = 0; session < retention.size(); ++session) {
        Series series = retentionSeries(retention, session);
        series.name = "session " + std::to_string(session + 1);
        if (usual.most > 1 && !series.points.empty() && seeds[session] != usual)
            series.note = "N = " + seedsText(seeds[session]);
        series.style = seriesStyle(session);
        series.style.dash.clear();
        series.style.width = session == 0 ? 3.4 : 1.7;
        if (many && session > 0) {
            series.style = {Ink::Quiet, Marker::None, {}, 0.9, 0.6};
            series.labelled = (session + 1) % ((retention.size() + 3) / 4) == 0;
        }
        // One band is readable, five on top of each other are not; the table has all.
        series.band = series.band && session == 0;
        series.rank = static_cast<int>(session);
        curves.series.push_back(std::move(series));
    }
    curves.x = sessionAxis(std::max<std::size_t>(1, retention.size()));
    curves.y = accuracyAxis(curves.series);
    const std::string description =
        "Accuracy in per cent on the test images of each session, after that and every later session. " +
        describe(curves.series);
    std::string averaging = averagedText(seeds);
    if (!curves.series.empty() && curves.series.front().band) averaging += ", shaded: ± deviation of session 1";
    return {file, named ? "Retention: " + group.name : "Retention", "what is left of each session, %" + averaging,
            description, std::move(curves)};
}

Figure matrixFigure(const RunGroup& group) {
    HeatFigure heat;
    const auto retention = averageRetention(group);
    std::string description = "Rows: after a session. Columns: the session tested. Accuracy in per cent.";
    for (std::size_t row = 0; row < retention.size(); ++row) {
        const std::string number = std::to_string(row + 1);
        heat.rows.push_back("after session " + number);
        heat.columns.push_back(number);
        auto& values = heat.values.emplace_back(retention.size());
        for (std::size_t column = 0; column <= row; ++column)
            if (retention[row][column].count > 0) values[column] = 100 * retention[row][column].mean;
    }
    heat.column_caption = "on the test images of session";
    heat.column_word = "session";
    heat.scale = "accuracy, %";
    return {"r-matrix", "R matrix",
            "accuracy after one session on the data of another, %" + averagedText(seedsOfSessions(retention)),
            description, std::move(heat)};
}

}  // namespace

std::vector<Figure> makeFigures(const ReportedRuns& runs) {
    std::vector<Figure> figures{anytimeFigure(runs)};
    if (runs.groups.size() == 1) {
        figures.push_back(retentionFigure(runs.groups.front(), "retention", false));
        figures.push_back(matrixFigure(runs.groups.front()));
        return figures;
    }
    figures.push_back(firstSessionFigure(runs));
    std::set<std::string> taken;
    for (std::size_t k = 0; k < runs.groups.size(); ++k) {
        std::string file = "retention-" + slug(runs.groups[k].name, 60);
        if (!taken.insert(file).second) {
            file += "-" + std::to_string(k + 1);
            taken.insert(file);
        }
        figures.push_back(retentionFigure(runs.groups[k], file, true));
    }
    return figures;
}

}  // namespace palimpsest::report
