// SPDX-License-Identifier: GPL-3.0-or-later
#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/config/json_null.h"
#include "engine/config/text_file.h"
#include "engine/run/append_file.h"
#include "engine/run/class_list_file.h"
#include "engine/run/disk_reserve.h"
#include "engine/run/memory_balance.h"
#include "engine/run/new_run_folder.h"
#include "engine/run/process_identity.h"
#include "engine/run/run_folder.h"
#include "engine/run/utc_time.h"
#include "engine/stream/class_kind.h"
#include "engine/stream/stream_export.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

Error notEmpty(const fs::path& folder) {
    return inputError("The folder " + folder.string() + " is not empty, and a run is never overwritten.",
                      "Name a new folder.");
}

Error notWritten(const std::string& failure) {
    return runError(failure + ".", "Make room on the disk, then start the run again.");
}

/// Of two runs that start in the same folder at the same moment, one makes the file.
void claim(const fs::path& folder, bool made) {
    const int file = open((folder / "run.json").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
        close(file);
        return;
    }
    const std::error_code error(errno, std::generic_category());
    std::error_code notEmptied;
    if (made) fs::remove(folder, notEmptied);
    throw error == std::errc::file_exists ? notEmpty(folder) : cannotMakeRunFolder(folder, error);
}

/// All of it was made here: the folder was absent or empty before.
void takeAway(const fs::path& folder, bool withFolder) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error)) {
        entries.push_back(entry->path());
    }
    for (const fs::path& entry : entries) fs::remove_all(entry, error);
    if (withFolder) fs::remove(folder, error);
}

Json sessionStarts(const StreamPlan& plan) {
    Json starts = Json::array();
    std::int64_t seen = 0;
    for (const auto& session : plan.sessions) {
        starts.push_back(seen);
        seen += static_cast<std::int64_t>(session.size());
    }
    return starts;
}

/// By raw label; null for a class that the stream does not have.
Json kindTexts(const StreamPlan& plan, std::size_t classes) {
    Json texts = Json::array();
    for (const ClassKind kind : classKinds(plan, classes)) texts.push_back(orNull(kindText(kind)));
    return texts;
}

/// JSON text; bytes that are not UTF-8 (a strange path) are replaced rather than refused.
std::string dumped(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

struct RunFolderWriter::Files {
    Files(const OptionTable& options, const fs::path& folder)
        : table(options),
          anytime(folder / "anytime.csv", "samples_seen,session,accuracy,loss,classes_seen,updates"),
          sessions(folder / "sessions.csv", "after_session,session,accuracy,samples"),
          classes(folder / "classes.csv", "samples_seen,class,accuracy,samples"),
          training(folder / "training.csv", "samples_seen,update,loss,batch_accuracy,learning_rate"),
          commands(folder / "commands.csv", "samples_seen,command,argument"),
          reserve(folder) {}

    std::string firstFailure() const {
        for (const AppendFile* file : {&anytime, &sessions, &classes, &training, &commands}) {
            if (!file->failure().empty()) return file->failure();
        }
        for (const auto* file : {&memory, &prompts}) {
            if (*file && !(*file)->failure().empty()) return (*file)->failure();
        }
        return failure;
    }

    /// For the observer's calls, which must not throw.
    void replace(const fs::path& file, const Json& json) {
        try {
            replaceTextFile(file, dumped(json));
        } catch (const std::exception& error) {
            noteFailure(error);
        }
    }

    /// An imported stream is kept with the run, which can then be repeated wherever its folder goes.
    void keepStream(const fs::path& folder, const Experiment& experiment, const StreamPlan& plan) {
        try {
            Experiment repeatable = experiment;
            repeatable.stream.index_list = (folder / "stream.json").string();
            repeatable.stream.edits.clear();  // the list has them already
            repeatable.stream.sessions = static_cast<std::int64_t>(plan.sessions.size());
            replaceTextFile(repeatable.stream.index_list, formatIndexList(plan));
            writeExperiment(table, repeatable, folder / "experiment.toml");
        } catch (const std::exception& error) {
            noteFailure(error);
        }
    }

    /// Each list is a file of its own, whole or not there.
    void keepClasses(const fs::path& file, const TestClasses& list) {
        const std::size_t names = run["class_names"].size();
        if (!list || !fitsClassList(names)) return;
        try {
            fs::create_directories(file.parent_path());
            replaceTextFile(file, formatClassList(*list, names));
        } catch (const std::exception& error) {
            noteFailure(error);
        }
    }

    void keepPromptUse(const fs::path& folder, std::int64_t samplesSeen, const std::vector<std::int64_t>& use) {
        if (use.empty()) return;
        if (!prompts) prompts.emplace(folder / "prompts.csv", "samples_seen,prompt,count");
        for (std::size_t i = 0; i < use.size(); ++i)
            prompts->row({csvCell(samplesSeen), csvCell(static_cast<std::int64_t>(i)), csvCell(use[i])});
        prompts->flush();
    }

    void noteFailure(const std::exception& error) {
        failure = error.what();
        if (failure.ends_with('.')) failure.pop_back();
    }

    OptionTable table;
    /// The plan's numbers no longer hold once images were left out.
    void moveStarts(std::int64_t session, std::int64_t seen) {
        Json& starts = run["session_starts"];
        const auto next = static_cast<std::size_t>(session);
        if (next >= starts.size()) return;
        if (run["unreadable_images"] == 0) return;
        const std::int64_t shift = seen - starts[next].get<std::int64_t>();
        for (std::size_t i = next; i < starts.size(); ++i) starts[i] = starts[i].get<std::int64_t>() + shift;
    }

    AppendFile anytime;
    AppendFile sessions;
    AppendFile classes;
    AppendFile training;
    AppendFile commands;
    std::optional<AppendFile> memory;  ///< of a run that has one
    std::optional<AppendFile> prompts;     ///< of a run that chooses from a pool of them
    std::optional<MemoryBalance> balance;  ///< written last
    DiskReserve reserve;
    Json run;
    std::string failure;
    std::int64_t samples_seen = 0;
    std::int64_t updates = 0;
    std::int64_t classes_written_at = -1;
    std::size_t named_from = 0;  ///< warnings before those of images left out
    bool made = false;  ///< the folder is ours to remove
    bool ended = false;
};

std::unique_ptr<RunFolderWriter> RunFolderWriter::create(const OptionTable& table, const Experiment& experiment,
                                                         const fs::path& parent) {
    return open(table, experiment, makeRunFolder(parent, experiment.name, experiment.seed, "run"), true);
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::createExact(const OptionTable& table, const Experiment& experiment,
                                                              const fs::path& folder) {
    std::error_code error;
    const bool made = fs::create_directories(folder, error);
    if (error) throw cannotMakeRunFolder(folder, error);
    const bool empty = made || fs::is_empty(folder, error);
    if (error) throw cannotMakeRunFolder(folder, error);
    if (!empty) throw notEmpty(folder);
    return open(table, experiment, folder, made);
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::open(const OptionTable& table, const Experiment& experiment,
                                                       const fs::path& folder, bool made) {
    claim(folder, made);
    try {
        writeExperiment(table, experiment, folder / "experiment.toml");
        auto files = std::make_unique<Files>(table, folder);
        files->made = made;
        if (const std::string failure = files->firstFailure(); !failure.empty()) {
            throw inputError(failure + ".", "Choose a folder you may write to, with space left.");
        }
        const long pid = getpid();
        files->run = {{"format", 1},
                      {"state", "running"},
                      {"name", experiment.name},
                      {"seed", experiment.seed},
                      {"versions", Json::object()},
                      {"started", utcNow()},
                      {"ended", nullptr},
                      {"device", nullptr},
                      {"precision", nullptr},
                      {"threads", nullptr},
                      {"fingerprint", nullptr},
                      {"total_samples", nullptr},
                      {"trainable_parameters", nullptr},
                      {"session_starts", Json::array()},
                      {"class_names", Json::array()},
                      {"class_kinds", Json::array()},
                      {"unreadable_images", 0},
                      {"warnings", Json::array()},
                      {"parent", nullptr},
                      {"error", nullptr},
                      {"hint", nullptr},
                      {"host", hostName()},
                      {"pid", pid},
                      {"process", processIdentity(pid)}};
        replaceTextFile(folder / "run.json", dumped(files->run));
        return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(folder, std::move(files)));
    } catch (...) {
        takeAway(folder, made);
        throw;
    }
}

RunFolderWriter::RunFolderWriter(fs::path folder, std::unique_ptr<Files> files)
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
    files_->replace(folder_ / "run.json", files_->run);
}

void RunFolderWriter::recordCommand(std::int64_t samplesSeen, const std::string& command, const std::string& argument) {
    files_->commands.row(
        {csvCell(samplesSeen), csvCell(std::string_view(command)), csvCell(std::string_view(argument))});
    files_->commands.flush();
}

void RunFolderWriter::throwIfFailed() const {
    const std::string failure = files_->firstFailure();
    if (!failure.empty()) throw notWritten(failure);
}

void RunFolderWriter::discard() {
    if (std::exchange(files_->ended, true)) return;
    takeAway(folder_, files_->made);
}

void RunFolderWriter::onStarted(const RunStarted& event) {
    Json& run = files_->run;
    run["device"] = event.device;
    run["precision"] = event.precision;
    run["threads"] = event.threads;
    run["fingerprint"] = event.fingerprint;
    run["total_samples"] = event.total_samples;
    run["trainable_parameters"] = event.trainable_parameters;
    if (event.plan) run["session_starts"] = sessionStarts(*event.plan);
    run["class_names"] = event.class_names;
    if (event.plan) run["class_kinds"] = kindTexts(*event.plan, event.class_names.size());
    run["warnings"] = event.warnings;
    files_->named_from = event.warnings.size();
    files_->replace(folder_ / "run.json", run);
    files_->keepClasses(trueClassesFile(folder_), event.test_labels);
    if (event.plan && event.plan->settings.partition == Partition::Imported)
        files_->keepStream(folder_, event.experiment, *event.plan);
}

void RunFolderWriter::onUpdate(const UpdateDone& event) {
    files_->samples_seen = event.samples_seen;
    files_->updates = event.update;
    files_->training.row({csvCell(event.samples_seen), csvCell(event.update), csvCell(event.loss),
                          csvCell(event.batch_accuracy), csvCell(event.learning_rate)});
    files_->training.flush();
}

void RunFolderWriter::onImageLeftOut(const ImageLeftOut& event) {
    constexpr std::int64_t kNamed = 20, kWriteEvery = 100;
    Json& run = files_->run;
    run["unreadable_images"] = event.unreadable_images;
    Json& warnings = run["warnings"];
    const std::int64_t more = event.unreadable_images - kNamed;
    if (more <= 0) {
        warnings.push_back(event.text);
    } else {
        warnings.get_ref<Json::array_t&>().resize(files_->named_from + kNamed);
        warnings.push_back(std::to_string(more) + (more == 1 ? " more image" : " more images") +
                           " could not be read and " + (more == 1 ? "is" : "are") + " left out.");
        // The end of the run writes the last count anyhow.
        if (more > 1 && event.unreadable_images % kWriteEvery != 0) return;
    }
    files_->replace(folder_ / "run.json", run);
}

void RunFolderWriter::onMemory(const MemoryHeld& event) {
    const std::size_t classes = files_->run["class_names"].size();
    MemoryBalance balance = balanceOf(event, classes);
    if (!files_->memory) {
        std::string header;
        for (const std::string& column : memoryColumns(balance.kept.size()))
            header += (header.empty() ? "" : ",") + column;
        files_->memory.emplace(folder_ / "memory.csv", header);
    }
    // The end of a session may fall on an anytime evaluation.
    if (balance == files_->balance) return;
    files_->memory->row(memoryRow(balance));
    files_->memory->flush();
    files_->balance = std::move(balance);
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
    files_->keepPromptUse(folder_, event.samples_seen, event.prompt_use);
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
    if (event.how == RunEnd::Aborted) discard();
    if (std::exchange(files_->ended, true)) return;
    files_->reserve.release();
    const Summary& summary = event.summary;
    files_->replace(folder_ / "summary.json", {{"a_auc", orNull(summary.a_auc)},
                                               {"a_last", orNull(summary.a_last)},
                                               {"f_last", orNull(summary.f_last)},
                                               {"a_avg", orNull(summary.a_avg)},
                                               {"a_last_overall", orNull(summary.a_last_overall)},
                                               {"f_last_classwise", orNull(summary.f_last_classwise)},
                                               {"sessions_ended", summary.sessions_ended},
                                               {"samples_seen", files_->samples_seen},
                                               {"updates", files_->updates},
                                               {"seconds", summary.seconds},
                                               {"images_per_second", summary.images_per_second},
                                               {"batch_seconds", summary.batch_seconds},
                                               {"peak_memory_bytes", summary.peak_memory_bytes}});
    Json& run = files_->run;
    run["state"] = toText(event.how);
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
    files_->replace(folder_ / "run.json", run);
}

}  // namespace palimpsest
