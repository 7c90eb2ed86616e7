// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/resumable.h"

#include "engine/config/experiment_file.h"
#include "engine/record/checkpoints.h"
#include "engine/record/predictions.h"
#include "engine/record/run_folder.h"
#include "engine/run/live_change.h"
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

/// True for a table that has no line but its header, or is not there. Throws Error(Input) for one that cannot be read.
bool hasNoRows(const fs::path& table) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(table, error))) return true;
    const std::string text = readTextFile(table, FilePlace::InFolder, file_limit::kTable);
    const std::size_t header = text.find('\n');
    return header == std::string::npos || header + 1 == text.size();
}

/// True for a folder without any file but `expected`, or one that is not there. Throws fs::filesystem_error for one
/// that cannot be read.
bool hasNoFile(const fs::path& folder, const fs::path& expected = {}) {
    if (!fs::exists(fs::symlink_status(folder))) return true;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path() != expected && !isAsideName(entry.path().filename().string())) return false;
    return true;
}

/// False also where the only checkpoint is that of the beginning, and the power failed before it was whole.
bool hasState(const fs::path& run) {
    const std::vector<std::int64_t> checkpoints = listCheckpoints(run);
    if (checkpoints != std::vector<std::int64_t>{0}) return !checkpoints.empty();
    try {
        newestSoundCheckpoint(run, checkpoints);
        return true;
    } catch (const Error&) {
        return false;
    }
}

/// True where no number of an evaluation would be lost with the tables, the summary and predictions. Throws what cannot
/// be read.
bool hasMeasuredNothing(const fs::path& run) {
    std::error_code ignored;
    if (const fs::path summary = run / "summary.json"; fs::exists(fs::symlink_status(summary, ignored))) {
        // That of a run that failed while it kept its first state is empty.
        const Json numbers = parsedJson(readTextFile(summary, FilePlace::InFolder, file_limit::kDocument));
        if (!numbers.is_object() || !numbers.value("a_auc", Json()).is_null()) return false;
    }
    for (const char* table : {"anytime.csv", "sessions.csv", "classes.csv"})
        if (!hasNoRows(run / table)) return false;
    return hasNoFile(predictionsFolder(run), trueClassesFile(run));
}

}  // namespace

bool neverLearned(const OptionTable& table, const fs::path& folder) {
    try {
        if (hasState(folder) || !hasMeasuredNothing(folder)) return false;
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
    const RecordedState state = readRunState(folder);
    if (state == RecordedState::None && !neverLearned(table, folder)) throw notARun(folder);
    if (state == RecordedState::Imported)
        throw inputError("The run " + folder.string() + " was imported: neither its settings nor its weights are here.",
                         "Name a run of this program.");
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
    if (state == RecordedState::None && !neverLearned(table, folder)) throw notARun(folder);
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
