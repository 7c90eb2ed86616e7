// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/resumable.h"

#include <nlohmann/json.hpp>

#include "engine/config/experiment_file.h"
#include "engine/record/run_folder.h"
#include "engine/run/live_change.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"

namespace palimpsest {

namespace fs = std::filesystem;

Experiment pinnedExperiment(const OptionTable& table, const fs::path& folder) {
    if (readRunState(folder) == RecordedState::None)
        throw inputError(folder.string() + " is not a run folder.", "Name the folder of a run.");
    Experiment experiment = readExperiment(table, folder / "experiment.toml");
    const nlohmann::json run = nlohmann::json::parse(readTextFile(folder / "run.json"), nullptr, false);
    const auto set = [&](const char* key, std::string& value) {
        if (const auto found = run.find(key); found != run.end() && found->is_string()) value = *found;
    };
    set("device", experiment.device);
    set("precision", experiment.precision);
    if (const auto threads = run.find("threads"); threads != run.end() && threads->is_number_integer())
        experiment.threads = *threads;
    return experiment;
}

Experiment repeatableExperiment(const OptionTable& table, const fs::path& folder) {
    const Experiment experiment = pinnedExperiment(table, folder);
    const nlohmann::json run = nlohmann::json::parse(readTextFile(folder / "run.json"), nullptr, false);
    if (const auto parent = run.find("parent"); parent != run.end() && parent->is_object())
        throw inputError(folder.string() + " is a fork, and its settings did not hold for its past.",
                         "Repeat the run it is a fork of: " + parent->value("run", std::string("not known")) + ".");
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
    if (state == RecordedState::None)
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
