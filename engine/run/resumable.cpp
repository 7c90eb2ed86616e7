// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/resumable.h"

#include <nlohmann/json.hpp>

#include "engine/config/experiment_file.h"
#include "engine/config/text_file.h"
#include "engine/run/run_folder.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;
using Json = nlohmann::json;

Experiment pinnedExperiment(const OptionTable& table, const fs::path& folder) {
    if (readRunState(folder).empty())
        throw inputError(folder.string() + " is not a run folder.", "Name the folder of a run.");
    Experiment experiment = readExperiment(table, folder / "experiment.toml");
    const Json run = Json::parse(readTextFile(folder / "run.json"), nullptr, false);
    const auto set = [&](const char* key, std::string& value) {
        if (const auto found = run.find(key); found != run.end() && found->is_string()) value = *found;
    };
    set("device", experiment.device);
    set("precision", experiment.precision);
    if (const auto threads = run.find("threads"); threads != run.end() && threads->is_number_integer())
        experiment.threads = *threads;
    return experiment;
}

Experiment resumableExperiment(const OptionTable& table, const fs::path& folder) {
    const std::string state = readRunState(folder), name = folder.string();
    if (state.empty()) throw inputError(name + " is not a run folder.", "Name the folder of a run that ended early.");
    if (state == "finished") throw inputError("The run " + name + " is finished.", "There is nothing to go on with.");
    if (state == "running")
        throw inputError("The run " + name + " is still going on.", "Wait until it ends, or stop it first.");
    if (state == "imported")
        throw inputError("The run " + name + " was imported, and there is nothing to go on from.",
                         "Go on with a run of this program.");
    return pinnedExperiment(table, folder);
}

}  // namespace palimpsest
