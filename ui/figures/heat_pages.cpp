// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/heat_pages.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/state/run_set.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

QString shareText(double share) {
    return percentText(share) + QStringLiteral(" %");
}

QString numberText(double value) {
    return countText(std::llround(value));
}

QString notRead(const RunHistory* history) {
    return history ? QString() : HeatPlot::tr("Reading the run folder …");
}

}  // namespace

ClassHeatPlot::ClassHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : HeatPlot(store, histories,
               {QStringLiteral("classHeat"), tr("Classes"), tr("accuracy on each class, in the order they came"),
                tr("How well each class is known while the network learns, the first ones at the top.\n"
                   "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
               {shareText,
                100,
                {QStringLiteral("class-accuracy"), tr("Classes"),
                 tr("Accuracy on each class over the images seen, in per cent.")}},
               parent) {}

void ClassHeatPlot::fill(HeatContent& content, const ShownRun& run, const RunHistory& history) {
    for (auto i = static_cast<std::size_t>(content.rows.size()); i < history.seen.size(); ++i)
        content.rows.push_back(run.facts->class_names.name(history.seen[i]));
    for (std::size_t i = content.xs.size(); i < history.classes.size(); ++i) {
        const ClassMoment& moment = history.classes[i];
        std::vector<float> row;
        for (const std::int32_t label : history.seen) {
            const auto place = static_cast<std::size_t>(label);
            row.push_back(place < moment.accuracy.size() ? moment.accuracy[place]
                                                         : std::numeric_limits<float>::quiet_NaN());
        }
        content.xs.push_back(static_cast<double>(moment.samples_seen));
        content.values.push_back(std::move(row));
    }
}

QString ClassHeatPlot::reason(const ShownRun& run, const RunHistory* history) const {
    if (const QString text = notRead(history); !text.isEmpty()) return text;
    return run.goesOn() ? tr("First column at the first evaluation")
                        : tr("The folder of this run says nothing of single classes.");
}

PromptHeatPlot::PromptHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : HeatPlot(store, histories,
               {QStringLiteral("promptHeat"), tr("Prompts"), tr("share of all choices since the evaluation before"),
                tr("Which prompts of the pool were chosen, and when.\n"
                   "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
               {shareText,
                100,
                {QStringLiteral("prompt-use"), tr("Prompts"),
                 tr("Share of all choices of a prompt since the evaluation before, in per cent.")}},
               parent) {}

void PromptHeatPlot::fill(HeatContent& content, const ShownRun&, const RunHistory& history) {
    if (content.xs.empty()) content.top = 0;
    for (std::size_t i = content.xs.size(); i < history.prompts.size(); ++i) {
        const std::vector<std::int64_t>& now = history.prompts[i].uses;
        for (auto k = static_cast<std::size_t>(content.rows.size()); k < now.size(); ++k)
            content.rows.push_back(tr("prompt %1").arg(k + 1));
        std::vector<double> since;
        double sum = 0;
        for (std::size_t k = 0; k < now.size(); ++k) {
            const auto before = i > 0 && k < history.prompts[i - 1].uses.size() ? history.prompts[i - 1].uses[k] : 0;
            since.push_back(static_cast<double>(std::max<std::int64_t>(0, now[k] - before)));
            sum += since.back();
        }
        std::vector<float> row;
        for (const double uses : since) {
            row.push_back(sum > 0 ? static_cast<float>(uses / sum) : 0);
            content.top = std::max(content.top, static_cast<double>(row.back()));
        }
        content.xs.push_back(static_cast<double>(history.prompts[i].samples_seen));
        content.values.push_back(std::move(row));
    }
    if (content.top <= 0) content.top = 1;
}

QString PromptHeatPlot::reason(const ShownRun& run, const RunHistory* history) const {
    if (const QString text = notRead(history); !text.isEmpty()) return text;
    if (run.goesOn() && history->classes.empty()) return tr("First column at the first evaluation");
    return tr("This run chose no prompts from a pool, or an older version wrote its folder.");
}

MemoryHeatPlot::MemoryHeatPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : HeatPlot(
          store, histories,
          {QStringLiteral("memoryHeat"), tr("Memory"), tr("images kept of each class, in the order they came"),
           tr("How many images of each class the memory keeps.\n"
              "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
          {numberText,
           1,
           {QStringLiteral("memory-balance"), tr("Memory"), tr("Images kept of each class over the images seen.")}},
          parent) {}

void MemoryHeatPlot::fill(HeatContent& content, const ShownRun& run, const RunHistory& history) {
    if (content.xs.empty()) {
        labels_.clear();
        content.top = 1;
    }
    for (std::size_t i = content.xs.size(); i < history.memory.size(); ++i) {
        const MemoryBalance& balance = history.memory[i];
        // Between two evaluations several classes may come; among them the data set's order stands.
        for (std::size_t label = 0; label < balance.kept.size(); ++label) {
            if (!balance.kept[label] || std::ranges::find(labels_, label) != labels_.end()) continue;
            labels_.push_back(label);
            content.rows.push_back(run.facts->class_names.name(static_cast<int>(label)));
        }
        std::vector<float> row;
        for (const std::size_t label : labels_) {
            const auto count = label < balance.kept.size() ? balance.kept[label] : std::nullopt;
            row.push_back(count ? static_cast<float>(*count) : std::numeric_limits<float>::quiet_NaN());
            if (count) content.top = std::max(content.top, static_cast<double>(*count));
        }
        content.xs.push_back(static_cast<double>(balance.samples_seen));
        content.values.push_back(std::move(row));
    }
}

QString MemoryHeatPlot::reason(const ShownRun& run, const RunHistory* history) const {
    if (run.facts->experiment.memory.size == 0)
        return tr("This run keeps no past images; the setting Memory gives the next one some.");
    if (const QString text = notRead(history); !text.isEmpty()) return text;
    return run.goesOn() ? tr("First column at the first evaluation")
                        : tr("The folder of this run does not say what its memory kept.");
}

}  // namespace palimpsest
