// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report_figures.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/record/predictions.h"
#include "engine/record/run_history.h"
#include "engine/support/append_file.h"
#include "engine/support/format.h"

namespace palimpsest::report {
namespace {

constexpr std::size_t kMostMoments = 24;  // columns of a heat map over time

/// Numbers over the images seen: a value for each row and moment, or none.
struct OverTime {
    std::vector<std::string> rows;
    std::vector<std::int64_t> moments;
    std::vector<std::vector<std::optional<double>>> values;  ///< by moment, then by row
};

std::string answerName(const RunRecord& run, std::int32_t answer) {
    return answer == kNoClassYet ? "no class yet" : className(run, answer);
}

std::string overTimeCsv(const OverTime& all) {
    std::string text = "samples_seen";
    for (const std::string& row : all.rows) text += "," + tableCell(row);
    text += '\n';
    for (std::size_t i = 0; i < all.moments.size(); ++i) {
        text += std::to_string(all.moments[i]);
        for (std::size_t r = 0; r < all.rows.size(); ++r) {
            const bool known = r < all.values[i].size() && all.values[i][r];
            text += "," + (known ? shortestDigits(*all.values[i][r]) : std::string());
        }
        text += '\n';
    }
    return text;
}

/// Heat map of as many of the moments as a page has room for; the last one is always there.
HeatFigure overTimeFigure(const OverTime& all, double scale) {
    HeatFigure heat;
    heat.column_caption = "images seen";
    const std::size_t step = (all.moments.size() - 1) / kMostMoments + 1;
    heat.rows = all.rows;
    heat.values.resize(all.rows.size());
    for (std::size_t i = (all.moments.size() - 1) % step; i < all.moments.size(); i += step) {
        heat.columns.push_back(grouped(all.moments[i]));
        for (std::size_t r = 0; r < all.rows.size(); ++r) {
            const bool known = r < all.values[i].size() && all.values[i][r];
            heat.values[r].push_back(known ? std::optional(*all.values[i][r] * scale) : std::nullopt);
        }
    }
    return heat;
}

std::optional<MeasuredFigure> classes(const RunRecord& run, const RunHistory& history) {
    OverTime all;
    for (const std::int32_t label : history.seen) all.rows.push_back(className(run, label));
    for (const ClassMoment& moment : history.classes) {
        all.moments.push_back(moment.samples_seen);
        auto& values = all.values.emplace_back();
        for (const std::int32_t label : history.seen) {
            const auto place = static_cast<std::size_t>(label);
            const bool known = place < moment.accuracy.size() && !std::isnan(moment.accuracy[place]);
            values.push_back(known ? std::optional<double>(moment.accuracy[place]) : std::nullopt);
        }
    }
    if (all.rows.empty() || all.moments.empty()) return {};
    HeatFigure heat = overTimeFigure(all, 100);
    heat.scale = "accuracy, %";
    return MeasuredFigure{{"class-accuracy", "Classes", "accuracy on each class over the images seen, %",
                           "Rows: classes. Columns: images seen. Accuracy in per cent.", std::move(heat)},
                          overTimeCsv(all)};
}

std::optional<MeasuredFigure> confusion(const RunRecord& run, const RunHistory& history,
                                        std::optional<std::int64_t> moment) {
    if (!history.test_labels) return {};
    const auto& known = history.predicted;
    const auto after = moment ? std::upper_bound(known.begin(), known.end(), *moment) : known.end();
    if (after == known.begin()) return {};
    const std::int64_t at = *(after - 1);
    const ConfusionCounts counts =
        countConfusion(*history.test_labels,
                       readClassList(predictionsFile(run.folder, at), std::ssize(*history.test_labels)), history.seen);
    if (counts.labels.empty()) return {};
    HeatFigure heat;
    heat.column_caption = "answered as";
    heat.scale = "share of the class's test images, %";
    heat.all_columns = heat.quiet_zero = true;
    std::string csv = "true_class,answer,images,share\n";
    for (const std::int32_t answer : counts.answers) heat.columns.push_back(answerName(run, answer));
    for (std::size_t r = 0; r < counts.labels.size(); ++r) {
        heat.rows.push_back(className(run, counts.labels[r]));
        auto& values = heat.values.emplace_back(counts.answers.size());
        const auto images = static_cast<double>(counts.images(r));
        for (std::size_t c = 0; images > 0 && c < counts.answers.size(); ++c) {
            const double share = static_cast<double>(counts.count(r, c)) / images;
            values[c] = 100 * share;
            csv += tableCell(heat.rows[r]) + "," + tableCell(heat.columns[c]) + "," +
                   std::to_string(counts.count(r, c)) + "," + shortestDigits(share) + "\n";
        }
    }
    return MeasuredFigure{
        {"confusion-matrix", "Confusion matrix",
         "what test images were taken for after " + counted(at, "image", "images") + " seen, % of those of their class",
         "Rows: true classes. Columns: answers. In per cent of the row.", std::move(heat)},
        csv};
}

std::optional<MeasuredFigure> prompts(const RunHistory& history) {
    OverTime all;
    double top = 0;
    for (std::size_t i = 0; i < history.prompts.size(); ++i) {
        const std::vector<std::int64_t>& now = history.prompts[i].uses;
        while (all.rows.size() < now.size()) all.rows.push_back("prompt " + std::to_string(all.rows.size() + 1));
        std::vector<double> since;
        double sum = 0;
        for (std::size_t k = 0; k < now.size(); ++k) {
            const auto before = i > 0 && k < history.prompts[i - 1].uses.size() ? history.prompts[i - 1].uses[k] : 0;
            since.push_back(static_cast<double>(std::max<std::int64_t>(0, now[k] - before)));
            sum += since.back();
        }
        all.moments.push_back(history.prompts[i].samples_seen);
        auto& values = all.values.emplace_back();
        for (const double uses : since) {
            values.emplace_back(sum > 0 ? uses / sum : 0);
            top = std::max(top, *values.back());
        }
    }
    if (all.rows.empty() || all.moments.empty()) return {};
    HeatFigure heat = overTimeFigure(all, 100);
    heat.top = top > 0 ? 100 * top : 100;
    heat.scale = "share of all choices, %";
    return MeasuredFigure{{"prompt-use", "Prompts", "share of all choices since the evaluation before, %",
                           "Rows: prompts. Columns: images seen. Share of all choices in per cent.", std::move(heat)},
                          overTimeCsv(all)};
}

std::optional<MeasuredFigure> pushes(const RunRecord& run, const RunHistory& history) {
    OverTime all;
    double top = 0;
    for (const std::int32_t label : history.seen) all.rows.push_back(className(run, label));
    for (const PushMoment& moment : history.pushes) {
        all.moments.push_back(moment.samples_seen);
        auto& values = all.values.emplace_back();
        for (const std::int32_t label : history.seen) {
            const auto place = static_cast<std::size_t>(label);
            const bool known = place < moment.push.size() && !std::isnan(moment.push[place]);
            values.push_back(known ? std::optional<double>(moment.push[place]) : std::nullopt);
            if (known) top = std::max(top, std::abs(*values.back()));
        }
    }
    if (all.rows.empty() || top <= 0) return {};
    HeatFigure heat = overTimeFigure(all, 1);
    heat.top = top;
    heat.two_sided = heat.quiet_zero = true;
    heat.scale = "sum of y - p since the evaluation before";
    return MeasuredFigure{
        {"pushes", "Pushes", "how far each class was pulled up (+) or pushed down (−) since the evaluation before",
         "Rows: classes. Columns: images seen. Sum of y - p over the images of all updates since the evaluation "
         "before; "
         "empty where the mask hid the class, or it had not come.",
         std::move(heat)},
        overTimeCsv(all)};
}

std::optional<MeasuredFigure> memory(const RunRecord& run, const RunHistory& history) {
    OverTime all;
    std::vector<std::size_t> labels;
    double top = 1;
    for (const MemoryBalance& balance : history.memory) {
        for (std::size_t label = 0; label < balance.kept.size(); ++label) {
            if (!balance.kept[label] || std::find(labels.begin(), labels.end(), label) != labels.end()) continue;
            labels.push_back(label);
            all.rows.push_back(className(run, static_cast<std::int32_t>(label)));
        }
        all.moments.push_back(balance.samples_seen);
        auto& values = all.values.emplace_back();
        for (const std::size_t label : labels) {
            const auto kept = label < balance.kept.size() ? balance.kept[label] : std::nullopt;
            values.push_back(kept ? std::optional(static_cast<double>(*kept)) : std::nullopt);
            if (kept) top = std::max(top, static_cast<double>(*kept));
        }
    }
    if (all.rows.empty() || all.moments.empty()) return {};
    HeatFigure heat = overTimeFigure(all, 1);
    heat.top = top;
    heat.decimals = 0;
    heat.scale = "images kept";
    return MeasuredFigure{{"memory-balance", "Memory", "images kept of each class over the images seen",
                           "Rows: classes. Columns: images seen. Images kept.", std::move(heat)},
                          overTimeCsv(all)};
}

}  // namespace

std::vector<MeasuredFigure> measuredFigures(const RunRecord& run, std::optional<std::int64_t> moment,
                                            std::vector<std::string>* unread) {
    return measuredFigures(run, readHistory(run.folder, run.class_names.size()), moment, unread);
}

std::vector<MeasuredFigure> measuredFigures(const RunRecord& run, const RunHistory& history,
                                            std::optional<std::int64_t> moment, std::vector<std::string>* unread) {
    if (unread) unread->insert(unread->end(), history.warnings.begin(), history.warnings.end());
    std::vector<MeasuredFigure> all;
    const auto add = [&](const std::function<std::optional<MeasuredFigure>()>& make) {
        try {
            if (auto made = make()) all.push_back(std::move(*made));
        } catch (const std::exception& error) {
            // A damaged list of predictions: the other figures stand without it.
            if (unread) unread->emplace_back(error.what());
        }
    };
    add([&] { return classes(run, history); });
    add([&] { return confusion(run, history, moment); });
    add([&] { return lossFigure(history); });
    add([&] { return prompts(history); });
    add([&] { return memory(run, history); });
    add([&] { return pushes(run, history); });
    return all;
}

}  // namespace palimpsest::report
