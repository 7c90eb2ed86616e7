// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/record/class_list_file.h"
#include "engine/record/memory_balance.h"
#include "engine/record/new_run_folder.h"
#include "engine/record/run_documents.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_files.h"
#include "engine/support/append_file.h"
#include "engine/support/error.h"
#include "engine/support/json.h"
#include "engine/support/utc_time.h"

namespace palimpsest {

namespace fs = std::filesystem;
namespace {

Error notWritten(const std::string& failure) {
    return runError(failure + ".", "Make room on the disk, then start the run again.");
}

}  // namespace

std::unique_ptr<RunFolderWriter> RunFolderWriter::create(const OptionTable& table, const Experiment& experiment,
                                                         const fs::path& parent) {
    return open(table, experiment, makeRunFolder(parent, experiment.name, experiment.seed, "run"), true);
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::createExact(const OptionTable& table, const Experiment& experiment,
                                                              const fs::path& folder) {
    const bool made = madeOrEmpty(folder);
    return open(table, experiment, folder, made);
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::open(const OptionTable& table, const Experiment& experiment,
                                                       const fs::path& folder, bool made) {
    claimRunFolder(folder, made);
    try {
        writeExperiment(table, experiment, folder / "experiment.toml");
        auto files = std::make_unique<RunFolderFiles>(table, folder);
        files->made = made;
        if (const std::string failure = files->firstFailure(); !failure.empty()) {
            throw inputError(failure + ".", "Choose a folder you may write to, with space left.");
        }
        files->run = run_documents::begun(experiment);
        files->nameProcess();
        files->writeRun();
        return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(folder, std::move(files)));
    } catch (...) {
        takeRunAway(folder, made);
        throw;
    }
}

RunFolderWriter::RunFolderWriter(fs::path folder, std::unique_ptr<RunFolderFiles> files)
    : folder_(std::move(folder)), files_(std::move(files)) {}

RunFolderWriter::~RunFolderWriter() {
    if (files_->ended) return;
    try {
        RunEnded abandoned;
        abandoned.how = RunEnd::Failed;
        abandoned.error = "The run was given up.";
        onEnded(abandoned);
    } catch (...) {
        // Without its last word the run reads as crashed, which is true enough.
    }
}

void RunFolderWriter::addVersion(const std::string& program, const std::string& version) {
    files_->run["versions"][program] = version;
    files_->writeRunOrNote();
}

void RunFolderWriter::recordCommand(std::int64_t samplesSeen, const std::string& command, const std::string& argument) {
    files_->commands.row(
        {csvCell(samplesSeen), csvCell(std::string_view(command)), csvCell(std::string_view(argument))});
    // Seldom, and a run that is gone on with needs what was changed.
    files_->commands.sync();
}

void RunFolderWriter::addState(std::int64_t samplesSeen, const std::string& hash) {
    Json& states = files_->run["states"];
    // A checkpoint that there was no room for is tried again.
    if (!states.empty() && states.back()["samples_seen"] == samplesSeen) return;
    states.push_back({{"samples_seen", samplesSeen}, {"hash", hash}});
    files_->writeRunOrNote();
}

void RunFolderWriter::keepShared(const SharedPast& past) {
    // The images stand there as its samples seen.
    files_->run["parent"]["batches"] = past.batches;
}

SharedPast RunFolderWriter::shared() const {
    const Json& run = files_->run;
    const auto parent = run.find("parent");
    if (parent == run.end() || !parent->is_object() || !parent->contains("batches")) return {};
    return {parent->value("samples_seen", std::int64_t{0}), parent->value("batches", std::int64_t{0})};
}

FolderPosition RunFolderWriter::mark() {
    return files_->mark();
}

std::string RunFolderWriter::failure() const {
    return files_->firstFailure();
}

void RunFolderWriter::retry() {
    files_->retry();
}

void RunFolderWriter::noteUnwritten(const std::exception& error) {
    files_->noteFailure(error);
}

void RunFolderWriter::throwIfFailed() const {
    const std::string failure = files_->firstFailure();
    if (!failure.empty()) throw notWritten(failure);
}

void RunFolderWriter::discard() {
    if (std::exchange(files_->ended, true)) return;
    takeRunAway(folder_, files_->made);
}

void RunFolderWriter::onStarted(const RunStarted& event) {
    Json& run = files_->run;
    if (files_->resumed) {
        // All of it stands there, and what was left out meanwhile, too; but not what is new now, such as a checkpoint
        // that was passed over.
        Json& warnings = run["warnings"];
        if (!warnings.is_array()) warnings = Json::array();
        files_->named_from = std::min(files_->named_from, warnings.size());
        for (const std::string& warning : event.warnings)
            if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
                warnings.insert(warnings.begin() + static_cast<std::ptrdiff_t>(files_->named_from++), warning);
        files_->writeRunOrNote();
        if (files_->forked && event.plan && event.plan->settings.partition == Partition::Imported)
            files_->keepStream(event.experiment, *event.plan);
        return;
    }
    run_documents::describe(run, event);
    files_->named_from = event.warnings.size();
    files_->writeRunOrNote();
    files_->keepClasses(trueClassesFile(folder_), event.test_labels);
    if (event.plan && event.plan->settings.partition == Partition::Imported)
        files_->keepStream(event.experiment, *event.plan);
}

void RunFolderWriter::onUpdate(const UpdateDone& event) {
    files_->samples_seen = event.samples_seen;
    files_->updates = event.update;
    files_->training.row({csvCell(event.samples_seen), csvCell(event.update), csvCell(event.loss),
                          csvCell(event.batch_accuracy), csvCell(event.learning_rate)});
    files_->training.flush();
}

void RunFolderWriter::onImageLeftOut(const ImageLeftOut& event) {
    if (run_documents::tellLeftOut(files_->run, event, files_->named_from)) files_->writeRunOrNote();
}

void RunFolderWriter::onMemory(const MemoryHeld& event) {
    const std::size_t classes = files_->run["class_names"].size();
    files_->keepBalance(balanceOf(event, classes));
}

void RunFolderWriter::onEvaluated(const Evaluated& event) {
    if (event.kind == EvaluationKind::Anytime) {
        files_->anytime.row({csvCell(event.samples_seen), csvCell(event.session), csvCell(event.accuracy),
                             csvCell(event.loss), csvCell(static_cast<std::int64_t>(event.classes.size())),
                             csvCell(event.updates)});
        files_->anytime.flush();
    }
    // The end of a session may fall on an anytime evaluation: the same weights, so the same rows.
    if (std::exchange(files_->classes_written_at, event.samples_seen) == event.samples_seen) return;
    for (const ClassCount& count : event.classes) {
        const std::string accuracy =
            count.samples > 0 ? csvCell(static_cast<double>(count.correct) / static_cast<double>(count.samples)) : "";
        files_->classes.row(
            {csvCell(event.samples_seen), csvCell(std::int64_t{count.label}), accuracy, csvCell(count.samples)});
    }
    files_->classes.flush();
    files_->keepPromptUse(event.samples_seen, event.prompt_use);
    files_->keepClasses(predictionsFile(folder_, event.samples_seen), event.predictions);
}

void RunFolderWriter::onSessionEnded(const SessionEnded& event) {
    for (const SessionAccuracy& entry : event.accuracies) {
        files_->sessions.row({csvCell(event.session), csvCell(entry.session),
                              entry.samples > 0 ? csvCell(entry.accuracy) : "", csvCell(entry.samples)});
    }
    files_->sessions.flush();
    files_->moveStarts(event.session + 1, event.samples_seen);
}

void RunFolderWriter::onEnded(const RunEnded& event) {
    const bool goesOn = files_->resumed && !files_->forked;
    if (event.how == RunEnd::Aborted && !goesOn) discard();
    if (std::exchange(files_->ended, true)) return;
    files_->reserve.release();
    files_->retry();
    const Json summary = run_documents::summary(event.summary, files_->samples_seen, files_->updates);
    files_->replaceOrNote(folder_ / "summary.json", RunFolderFiles::text(summary));
    Json& run = files_->run;
    run["state"] = toText(event.how == RunEnd::Aborted ? RunEnd::Stopped : event.how);
    run["ended"] = utcNow();
    run["error"] = orNull(event.error);
    run["hint"] = orNull(event.hint);
    if (const std::string failure = files_->firstFailure(); !failure.empty() && event.how != RunEnd::Failed) {
        // Numbers are missing on the disk: nobody shall take this for a whole run.
        const Error error = notWritten(failure);
        run["state"] = toText(RunEnd::Failed);
        run["error"] = error.what();
        run["hint"] = error.hint();
    }
    files_->writeRunOrNote();
}

}  // namespace palimpsest
