// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_folder_writer.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <optional>
#include <utility>
#include <vector>

#include "engine/config/experiment_file.h"
#include "engine/record/predictions.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_files.h"
#include "engine/support/clock.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestName = 40;

Error cannotMakeRunFolder(const fs::path& folder, const std::error_code& error) {
    return inputError("Cannot make the run folder " + folder.string() + ": " + error.message() + ".",
                      "Choose a folder you may write to.");
}

Error notEmpty(const fs::path& folder) {
    return inputError("The folder " + folder.string() + " is not empty, and a run is never overwritten.",
                      "Name a new folder.");
}

/// A folder that the user named: was it made, rather than there and empty? Throws Error(Input) when it is neither.
bool madeOrEmpty(const fs::path& folder) {
    std::error_code error;
    const bool made = fs::create_directories(folder, error);
    if (error) throw cannotMakeRunFolder(folder, error);
    const bool empty = made || fs::is_empty(folder, error);
    if (error) throw cannotMakeRunFolder(folder, error);
    if (!empty) throw notEmpty(folder);
    return made;
}

/// If two runs start in the same folder at the same moment, one makes its run.json; throws Error(Input) to the other.
/// `made`: as madeOrEmpty() said.
void claimRunFolder(const fs::path& folder, bool made) {
    const int file = ::open((folder / "run.json").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) {
        ::close(file);
        return;
    }
    const std::error_code error(errno, std::generic_category());
    std::error_code notEmptied;
    if (made) fs::remove(folder, notEmptied);
    throw error == std::errc::file_exists ? notEmpty(folder) : cannotMakeRunFolder(folder, error);
}

/// Removes all that is in a folder that was absent or empty before the run, and the folder when it was made for it.
void removeRun(const fs::path& folder, bool withFolder) {
    std::error_code error;
    std::vector<fs::path> entries;
    for (fs::directory_iterator entry(folder, error), end; entry != end; entry.increment(error))
        entries.push_back(entry->path());
    for (const fs::path& entry : entries) fs::remove_all(entry, error);
    if (withFolder) fs::remove(folder, error);
}

/// Copies the files of a run as far as the mark goes, without its checkpoints.
void copyPast(const fs::path& from, const fs::path& to, std::int64_t samplesSeen, const FolderPosition& mark) {
    for (const auto& [name, length] : mark.lengths) copyPlainFile(from / name, to / name, FilePlace::InFolder, length);
    const std::vector<MomentFile> files = momentFiles(from);
    // The fork's list of files is as long as the mark says, and what it names must be there.
    if (const auto listed = mark.lengths.find(kPredictionHashes); listed != mark.lengths.end())
        for (const RecordedPrediction& one : recordedPredictions(from))
            if (one.end <= listed->second && !fs::exists(fs::symlink_status(predictionsFolder(from) / one.file)))
                throw inputError(plainLine((predictionsFolder(from) / one.file).string()) + " is not there.",
                                 "Fork from an earlier moment; palimpsest-cli runs check says what the run lacks.");
    if (files.empty()) return;
    fs::create_directories(trueClassesFile(to).parent_path());
    copyPlainFile(trueClassesFile(from), trueClassesFile(to), FilePlace::InSubfolder);
    for (const MomentFile& one : files)
        if (one.samples_seen <= samplesSeen)
            copyPlainFile(one.file, predictionsFolder(to) / one.file.filename(), FilePlace::InSubfolder);
}

/// Throws Error(Input) for a run with a link among its files: before anything in its folder is changed, and rather than
/// wait for room where the link is in the way.
void requireNoLinks(const fs::path& run) {
    std::error_code ignored;
    for (const fs::path& entry : folderEntries(run))
        if (fs::is_symlink(entry, ignored))
            throw inputError(entry.string() + " is a link, and a run is not written through links.",
                             "Remove it, or put what it leads to in its place, if you trust both.");
}

Error notWritten(const std::string& failure) {
    return runError(failure + ".", "Make room on the disk, then start the run again.");
}

}  // namespace

namespace {

/// As many whole words of the name as a folder's has room for: half a number would be another one.
std::string folderWords(const std::string& name) {
    const std::string whole = slug(name, 4 * kLongestName);
    if (whole.size() <= kLongestName) return whole;
    const std::size_t end = whole.rfind('-', kLongestName);
    return end == std::string::npos ? whole.substr(0, kLongestName) : whole.substr(0, end);
}

}  // namespace

fs::path makeRunFolder(const fs::path& parent, const std::string& name, std::int64_t seed,
                       const std::string& nameless) {
    std::error_code error;
    fs::create_directories(parent, error);
    if (error) throw cannotMakeRunFolder(parent, error);
    const std::string text = folderWords(name);
    const std::string base = (text.empty() ? nameless : text) + "-" + std::to_string(seed) + "-" + utcStamp();
    for (int attempt = 1;; ++attempt) {
        const std::string candidate = attempt == 1 ? base : base + "-" + std::to_string(attempt);
        // A deleted run keeps its name, so that it can come back to its place.
        std::error_code ignored;
        if (fs::exists(fs::symlink_status(parent / kTrashFolder / candidate, ignored))) continue;
        const fs::path folder = parent / candidate;
        if (fs::create_directory(folder, error)) return folder;
        if (error) throw cannotMakeRunFolder(folder, error);
    }
}

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
        writeExperiment(table, experiment, folder / "experiment.toml", FilePlace::InFolder);
        // A folder whose own name is lost with the power would take all of it along.
        if (folder.has_parent_path()) syncNames(folder.parent_path());
        return begin(table, experiment, folder, made);
    } catch (...) {
        removeRun(folder, made);
        throw;
    }
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::begin(const OptionTable& table, const Experiment& experiment,
                                                        const fs::path& folder, bool made) {
    auto files = std::make_unique<RunFolderFiles>(table, folder, RunDocument(experiment));
    if (const std::string failure = files->firstFailure(); !failure.empty())
        throw inputError(failure + ".", "Choose a folder you may write to, with space left.");
    files->run().setFolder(folder);
    files->writeRun();
    return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(folder, std::move(files), Start::Fresh, made));
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::restart(const OptionTable& table, const Experiment& experiment,
                                                          const fs::path& folder) {
    requireNoLinks(folder);
    std::error_code ignored;
    // Its lock tells whether another program begins it anew at this moment.
    std::optional<AppendFile> taken;
    if (fs::exists(fs::symlink_status(folder / kGrowingFiles[0], ignored)))
        taken.emplace(folder / kGrowingFiles[0], std::int64_t{0});
    if (taken && !taken->failure().empty())
        throw inputError(taken->failure() + ".", "Wait for it to end, or check the folder.");
    for (const char* name : kGrowingFiles) fs::remove(folder / name, ignored);
    fs::remove(folder / "summary.json", ignored);
    for (const fs::path& below : {predictionsFolder(folder), checkpointsFolder(folder)}) {
        requirePlainFolder(below);
        fs::remove_all(below, ignored);
    }
    removeAsideFiles(folder);
    return begin(table, experiment, folder, false);
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::reopen(const OptionTable& table, const fs::path& folder,
                                                         const FolderPosition& mark) {
    requireNoLinks(folder);
    // Before anything is changed: they may not be readable.
    const std::vector<MomentFile> moments = momentFiles(folder);
    auto files = std::make_unique<RunFolderFiles>(table, folder, mark);
    if (const std::string failure = files->firstFailure(); !failure.empty())
        throw inputError(failure + ".", "Check that the folder is whole and that you may write to it.");
    removeAsideFiles(folder);
    removeAsideFiles(predictionsFolder(folder));
    std::error_code ignored;
    for (const MomentFile& one : moments)
        if (one.samples_seen > files->samplesSeen()) fs::remove(one.file, ignored);
    files->run().resume(files->samplesSeen());
    files->run().setFolder(folder);
    files->writeRun();
    return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(folder, std::move(files), Start::Resumed, false));
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::branch(const OptionTable& table, const Experiment& experiment,
                                                         const fs::path& parent, const fs::path& exact,
                                                         const fs::path& origin, std::int64_t samplesSeen,
                                                         const FolderPosition& mark) {
    const bool made = exact.empty() || madeOrEmpty(exact);
    const fs::path folder = exact.empty() ? makeRunFolder(parent, experiment.name, experiment.seed, "run") : exact;
    claimRunFolder(folder, made);
    try {
        writeExperiment(table, experiment, folder / "experiment.toml", FilePlace::InFolder);
        copyPast(origin, folder, samplesSeen, mark);
        auto files = std::make_unique<RunFolderFiles>(table, folder, mark);
        files->run().fork(experiment, origin, samplesSeen);
        files->run().setFolder(folder);
        files->writeRun();
        return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(folder, std::move(files), Start::Forked, made));
    } catch (const fs::filesystem_error& error) {
        removeRun(folder, made);
        throw inputError("The past of " + origin.string() + " cannot be copied: " + error.code().message() + ".",
                         "Check that there is room, and that the run is whole.");
    } catch (...) {
        removeRun(folder, made);
        throw;
    }
}

RunFolderWriter::RunFolderWriter(fs::path folder, std::unique_ptr<RunFolderFiles> files, Start start, bool made)
    : folder_(std::move(folder)), files_(std::move(files)), start_(start), made_(made) {}

RunFolderWriter::~RunFolderWriter() {
    if (ended_) return;
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
    files_->run().addVersion(program, version);
    files_->writeRunOrNote();
}

void RunFolderWriter::recordCommand(std::int64_t samplesSeen, const std::string& command, const std::string& argument) {
    files_->addCommand(samplesSeen, command, argument);
}

bool RunFolderWriter::wantsTopClasses(std::int64_t samplesSeen, std::int64_t testImages, std::int64_t total) const {
    return files_->wantsTopClasses(samplesSeen, testImages, total);
}

bool RunFolderWriter::wantsFeatures(const FeatureMoment& moment, std::int64_t total) const {
    return files_->wantsFeatures(moment, total);
}

void RunFolderWriter::recordFeatures(const FeatureMoment& moment, std::int64_t total) {
    files_->addFeatures(moment, total);
}

void RunFolderWriter::recordWatched(std::int64_t samplesSeen, const std::vector<WatchedShare>& shares) {
    files_->addWatched(samplesSeen, shares);
}

void RunFolderWriter::addState(std::int64_t samplesSeen, const std::string& hash) {
    if (files_->run().addState(samplesSeen, hash)) files_->writeRunOrNote();
}

void RunFolderWriter::setSharedPast(const SharedPast& past) {
    files_->run().setSharedPast(past);
}

SharedPast RunFolderWriter::sharedPast() const {
    return std::as_const(*files_).run().sharedPast();
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
    if (std::exchange(ended_, true)) return;
    removeRun(folder_, made_);
}

void RunFolderWriter::onStarted(const RunStarted& event) {
    const bool imported = event.plan && event.plan->settings.partition == Partition::Imported;
    if (start_ == Start::Fresh) {
        files_->run().describe(event);
        files_->writeRunOrNote();
        files_->writeTrueClasses(event.test_labels);
    } else {
        // The file has everything else already, images that were left out before included.
        files_->run().addWarnings(event.warnings);
        if (event.program) files_->run().setProgram(event.program);
        files_->writeRunOrNote();
    }
    if (start_ != Start::Resumed && imported) files_->writeStream(event.experiment, *event.plan);
}

void RunFolderWriter::onState(const StateChanged& event) {
    // A learner that takes a few seconds for every batch is no news, and each write goes to the disk.
    constexpr std::int64_t kLongWait = 10;
    const bool waits = event.wait && (waits_ || event.wait->seconds >= kLongWait);
    if (ended_ || waits == waits_) return;
    waits_ = waits;
    files_->run().setWait(event.wait);
    files_->writeRunOrNote();
}

void RunFolderWriter::onUpdate(const UpdateDone& event) {
    files_->addUpdate(event);
}

void RunFolderWriter::onPlateau(const PlateauFound& event) {
    files_->addPlateau(event);
}

void RunFolderWriter::onImageLeftOut(const ImageLeftOut& event) {
    if (files_->run().addLeftOut(event)) files_->writeRunOrNote();
}

void RunFolderWriter::onWarned(const RunWarned& event) {
    files_->run().addWarnings({event.text});
    files_->writeRunOrNote();
}

void RunFolderWriter::onMemory(const MemoryHeld& event) {
    files_->addMemory(event);
}

void RunFolderWriter::onEarlyLook(const EarlyLook& event) {
    files_->addEarlyLook(event);
}

void RunFolderWriter::onEvaluated(const Evaluated& event) {
    files_->addEvaluation(event);
}

void RunFolderWriter::onSessionEnded(const SessionEnded& event) {
    files_->addSessionEnd(event);
    files_->run().moveStarts(event.session + 1, event.samples_seen);
}

void RunFolderWriter::onEnded(const RunEnded& event) {
    if (event.how == RunEnd::Aborted && start_ != Start::Resumed) discard();
    if (std::exchange(ended_, true)) return;
    files_->writeSummary(event.summary);
    // Neither a table nor a prediction of a run that says how it ended is lost with the power.
    try {
        files_->bringToDisk();
    } catch (const Error& error) {
        files_->noteFailure(error);
    }
    if (const std::string failure = files_->firstFailure(); !failure.empty() && event.how != RunEnd::Failed) {
        // Numbers are missing on the disk, so this must not pass for a whole run.
        const Error error = notWritten(failure);
        files_->run().end(RecordedState::Failed, error.what(), error.hint());
    } else {
        files_->run().end(recordedState(event.how), event.error, event.hint);
    }
    files_->writeRunOrNote();
    try {
        syncNames(folder_);
    } catch (const Error&) {
        // The run can be resumed from its last state, to the same end.
    }
}

}  // namespace palimpsest
