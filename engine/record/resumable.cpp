// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/resumable.h"

#include <cmath>

#include "engine/config/experiment_file.h"
#include "engine/record/checkpoints.h"
#include "engine/record/run_folder.h"
#include "engine/run/live_change.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// A discarded value for what is no JSON.
Json runDocumentIn(const fs::path& folder) {
    return parsedJson(readTextFile(folder / "run.json", FilePlace::InFolder, file_limit::kDocument));
}

std::string originIn(const Json& parent) {
    const auto run = parent.find("run");
    return run != parent.end() && run->is_string() ? run->get<std::string>() : "not known";
}

}  // namespace

bool neverLearned(const OptionTable& table, const fs::path& folder) {
    try {
        std::error_code ignored;
        if (!listCheckpoints(folder).empty() || fs::exists(folder / "summary.json", ignored)) return false;
        if (!std::isnan(lastInCsv(folder / "anytime.csv", "samples_seen"))) return false;
        if (!isPlainFile(folder / "run.json")) return false;
        // The file is claimed with its name first, and its content comes a moment later.
        const std::string text = readTextFile(folder / "run.json", FilePlace::InFolder, file_limit::kDocument);
        if (!text.empty()) {
            const Json run = parsedJson(text);
            const auto parent = run.find("parent");
            if (!run.is_object() || (parent != run.end() && parent->is_object())) return false;
        }
        const Experiment experiment = readExperiment(table, folder / "experiment.toml", FilePlace::InFolder);
        return experiment.evaluation.checkpoints > 0;
    } catch (const std::exception&) {
        return false;
    }
}

Experiment pinnedExperiment(const OptionTable& table, const fs::path& folder) {
    if (readRunState(folder) == RecordedState::None && !neverLearned(table, folder))
        throw inputError(folder.string() + " is not a run folder.", "Name the folder of a run.");
    Experiment experiment = readExperiment(table, folder / "experiment.toml", FilePlace::InFolder);
    const Json run = runDocumentIn(folder);
    const auto set = [&](const char* key, std::string& value) {
        const auto found = run.find(key);
        if (found != run.end() && found->is_string()) value = found->get<std::string>();
    };
    set("device", experiment.device);
    set("precision", experiment.precision);
    if (const auto threads = run.find("threads"); threads != run.end() && threads->is_number_integer())
        experiment.threads = threads->get<std::int64_t>();
    return experiment;
}

Experiment repeatableExperiment(const OptionTable& table, const fs::path& folder) {
    const Experiment experiment = pinnedExperiment(table, folder);
    const Json run = runDocumentIn(folder);
    if (const auto parent = run.find("parent"); parent != run.end() && parent->is_object())
        throw inputError(folder.string() + " is a fork, and its settings did not hold for its past.",
                         "Repeat the run it is a fork of: " + originIn(*parent) + ".");
    return experiment;
}

Experiment forkedExperiment(const OptionTable& table, const Experiment& parent, const std::vector<LiveChange>& changes,
                            std::int64_t at) {
    Experiment experiment = parent;
    for (const LiveChange& change : changes)
        // A checkpoint is older than what was changed at the same border.
        if (change.at < at && table.find(change.key)) table.setText(experiment, change.key, change.value);
    experiment.name += ", forked at " + grouped(at);
    return experiment;
}

Experiment resumableExperiment(const OptionTable& table, const fs::path& folder) {
    const RecordedState state = readRunState(folder);
    const std::string name = folder.string();
    if (state == RecordedState::None && !neverLearned(table, folder))
        throw inputError(name + " is not a run folder.", "Name the folder of a run that ended early.");
    if (state == RecordedState::Finished)
        throw inputError("The run " + name + " is finished.", "There is nothing to resume.");
    if (state == RecordedState::Running)
        throw inputError("The run " + name + " is still going on.", "Wait until it ends, or stop it first.");
    if (state == RecordedState::Imported)
        throw inputError("The run " + name + " was imported, and there is nothing to go on from.",
                         "Resume a run of this program.");
    return pinnedExperiment(table, folder);
}

}  // namespace palimpsest
