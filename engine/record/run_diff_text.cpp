// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_diff_text.h"

#include <cstdint>
#include <vector>

#include "engine/record/resumable.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

std::string factLines(const std::string& heading, const std::vector<FactDifference>& facts) {
    if (facts.empty()) return heading + ": the same\n";
    std::string text = heading + ":\n";
    for (const FactDifference& fact : facts) text += "  " + fact.what + ": " + fact.first + " -> " + fact.second + "\n";
    return text;
}

/// `place`: of the first row that differs, behind "the first one" or "the next one".
std::string rowLine(const std::string& heading, std::int64_t both, const std::optional<RowDifference>& row,
                    const std::string& place) {
    if (!row)
        return heading + ": " +
               (both > 0 ? "the same, all " + grouped(both) + " that both have" : "none that both have") + "\n";
    const std::string alike = row->rows_alike == 1 ? "one is the same" : grouped(row->rows_alike) + " are the same";
    const std::string text =
        heading + ": " + (row->rows_alike == 0 ? "the first one" : alike + ", the next one") + ", " + place;
    if (row->column.empty()) return text + ", is in only one of them\n";
    return text + ", differs: " + row->column + " " + row->first + " -> " + row->second + "\n";
}

std::string placeOf(const std::optional<RowDifference>& row) {
    if (!row) return {};
    if (row->number > 0)
        return "update " + grouped(row->number) + " in batch " + grouped(row->batch) + ", after " +
               grouped(row->samples_seen) + " images";
    return row->samples_seen > 0 ? "after " + grouped(row->samples_seen) + " images" : "before anything was learned";
}

std::string placeOf(const std::optional<SessionDifference>& row) {
    if (!row) return {};
    return "of session " + grouped(row->session) + " after session " + grouped(row->after_session);
}

/// Explanation of states that differ before anything was learned; empty where they do not.
std::string beginLine(const RunDifferences& found) {
    if (!found.beginsApart()) return {};
    if (!found.settings.empty())
        return "  A state holds settings that act in it, such as the mask, beside the weights. So this "
               "says that the runs began otherwise, not that they learned otherwise.\n";
    return "  Their settings are the same, so they began with other weights, prompts or data, or with another build of "
           "the program.\n";
}

}  // namespace

StreamsApart streamsApart(const OptionTable& table, const RunDifferences& found, const std::filesystem::path& first,
                          const std::filesystem::path& second,
                          const std::function<std::shared_ptr<const DatasetLabels>(const Experiment&)>& labels) {
    StreamsApart apart;
    if (found.sameStream() || !labels) return apart;
    try {
        const Experiment one = pinnedExperiment(table, first), other = pinnedExperiment(table, second);
        const auto planned = [&](const Experiment& experiment) {
            const auto known = labels(experiment);
            return planExperimentStream(experiment, known->train, static_cast<std::int64_t>(known->class_names.size()));
        };
        if (one.training.batch_size != other.training.batch_size)
            apart.why = "Their batches are not of the same size.";
        else
            apart.batch = firstBatchApart(planned(one), planned(other), one.training.batch_size);
    } catch (const Error& error) {
        apart.why = error.sentence();
    }
    return apart;
}

std::string differencesText(const RunDifferences& found, const StreamsApart& streams) {
    std::string text = factLines("Settings", found.settings) + factLines("Surroundings", found.surroundings);
    if (found.change) text += "Changes during the run: " + found.change->first + " -> " + found.change->second + "\n";
    text += "Streams: ";
    if (found.sameStream())
        text += "the same, every batch has the same images\n";
    else if (streams.batch)
        text += "batch " + grouped(streams.batch->batch) + " is the first with other images (session " +
                std::to_string(streams.batch->session + 1) + ", after " + grouped(streams.batch->samples_seen) +
                " images)\n";
    else
        text += "not the same (" + found.first_stream + " -> " + found.second_stream +
                "); the first batch with other images is not known" +
                (streams.why.empty() ? "" : ": " + plainSentence(streams.why)) + "\n";
    text += rowLine("Updates", found.updates, found.update, placeOf(found.update));
    text += rowLine("Evaluations", found.evaluations, found.evaluation, placeOf(found.evaluation));
    text += rowLine("Accuracies of sessions", found.session_accuracies, found.session_accuracy,
                    placeOf(found.session_accuracy));
    text += rowLine("States", found.states, found.state, placeOf(found.state)) + beginLine(found);
    return text + found.verdict() + "\n";
}

}  // namespace palimpsest
