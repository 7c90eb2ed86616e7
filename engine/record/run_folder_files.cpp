// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_folder_files.h"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/record/predictions.h"
#include "engine/stream/stream_export.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kAnytime = "anytime.csv";
constexpr const char* kSessions = "sessions.csv";
constexpr const char* kClasses = "classes.csv";
constexpr const char* kTraining = "training.csv";
constexpr const char* kCommands = "commands.csv";
constexpr const char* kEarly = "early.csv";
constexpr const char* kReference = "reference.csv";
constexpr const char* kRouting = "routing.csv";
constexpr const char* kPlateaus = "plateaus.csv";
constexpr const char* kMemory = "memory.csv";
constexpr const char* kPrompts = "prompts.csv";
constexpr const char* kPushes = "pushes.csv";

/// Bytes of a file at the mark.
std::int64_t lengthOf(const FolderPosition& mark, const char* name) {
    const auto found = mark.lengths.find(name);
    if (found == mark.lengths.end())
        throw inputError(std::string("The checkpoint does not say how long ") + name + " is.",
                         "Resume from another one.");
    return found->second;
}

/// JSON form of the balance that was written last, for a FolderPosition.
Json balanceNote(const std::optional<MemoryBalance>& balance) {
    if (!balance) return nullptr;
    Json kept = Json::array();
    for (const auto& count : balance->kept) kept.push_back(count ? Json(*count) : Json(nullptr));
    return {{"samples_seen", balance->samples_seen}, {"kept", kept}};
}

std::optional<MemoryBalance> balanceInNote(const Json& note) {
    if (note.is_null()) return std::nullopt;
    MemoryBalance balance;
    balance.samples_seen = note.at("samples_seen").get<std::int64_t>();
    for (const Json& count : note.at("kept"))
        balance.kept.push_back(count.is_null() ? std::nullopt : std::optional(count.get<std::int64_t>()));
    return balance;
}

}  // namespace

RunFolderFiles::RunFolderFiles(const OptionTable& table, fs::path folder, RunDocument run)
    : anytime_(folder / kAnytime, "samples_seen,session,accuracy,loss,classes_seen,updates"),
      sessions_(folder / kSessions, "after_session,session,accuracy,samples"),
      classes_(folder / kClasses, "samples_seen,class,accuracy,samples"),
      training_(folder / kTraining, "samples_seen,update,loss,batch_accuracy,learning_rate"),
      commands_(folder / kCommands, "samples_seen,command,argument"),
      reserve_(folder),
      table_(table),
      folder_(std::move(folder)),
      run_(std::move(run)) {}

RunFolderFiles::RunFolderFiles(const OptionTable& table, fs::path folder, const FolderPosition& mark)
    : anytime_(folder / kAnytime, lengthOf(mark, kAnytime)),
      sessions_(folder / kSessions, lengthOf(mark, kSessions)),
      classes_(folder / kClasses, lengthOf(mark, kClasses)),
      training_(folder / kTraining, lengthOf(mark, kTraining)),
      commands_(folder / kCommands, lengthOf(mark, kCommands)),
      reserve_(folder),
      table_(table),
      folder_(std::move(folder)) {
    try {
        const Json notes = parsedJson(mark.notes);
        notes.at("samples_seen").get_to(samples_seen_);
        notes.at("updates").get_to(updates_);
        notes.at("classes_written_at").get_to(classes_written_at_);
        run_ = RunDocument(notes.at("run"), notes.at("named_from").get<std::size_t>());
        balance_ = balanceInNote(notes.at("balance"));
    } catch (const Json::exception&) {
        throw inputError("The checkpoint does not say how far the folder " + folder_.string() + " was written.",
                         "Resume from another one.");
    }
    const auto reopen = [&](std::optional<AppendFile>& file, const char* name) {
        std::error_code ignored;
        if (mark.lengths.contains(name))
            file.emplace(folder_ / name, mark.lengths.at(name));
        else
            fs::remove(folder_ / name, ignored);
    };
    reopen(early_, kEarly);
    reopen(reference_, kReference);
    reopen(routing_, kRouting);
    reopen(plateaus_, kPlateaus);
    reopen(memory_, kMemory);
    reopen(prompts_, kPrompts);
    reopen(pushes_, kPushes);
    reopen(features_, kFeatureFile);
    reopen(watched_, kWatchedFile);
    reopen(predictions_, kPredictionHashes);
    std::error_code ignored;
    // Each feature is compared with the one that was recorded last; where those cannot be read, all are written anew.
    try {
        if (features_) feature_log_ = FeatureLog(readFeatureMap(folder_));
    } catch (const Error&) {
        feature_log_ = {};
    }
    for (const MomentFile& one : momentFiles(folder_))
        if (one.top_classes && one.samples_seen <= samples_seen_)
            top_written_at_ = std::max(top_written_at_, one.samples_seen);
    if (watched_)
        for (const WatchedImage& image : readWatched(folder_))
            noteWatched(image.moments.back().samples_seen, image.image);
    fs::remove(folder_ / "summary.json", ignored);
}

void RunFolderFiles::noteWatched(std::int64_t samplesSeen, std::int64_t image) {
    if (samplesSeen < watched_at_) return;
    if (samplesSeen > std::exchange(watched_at_, samplesSeen)) watched_then_.clear();
    watched_then_.insert(image);
}

std::vector<AppendFile*> RunFolderFiles::growing() {
    std::vector<AppendFile*> files{&anytime_, &sessions_, &classes_, &training_, &commands_};
    if (early_) files.push_back(&*early_);
    if (reference_) files.push_back(&*reference_);
    if (routing_) files.push_back(&*routing_);
    if (plateaus_) files.push_back(&*plateaus_);
    if (memory_) files.push_back(&*memory_);
    if (prompts_) files.push_back(&*prompts_);
    if (pushes_) files.push_back(&*pushes_);
    if (features_) files.push_back(&*features_);
    if (watched_) files.push_back(&*watched_);
    if (predictions_) files.push_back(&*predictions_);
    return files;
}

std::vector<const AppendFile*> RunFolderFiles::growing() const {
    const auto files = const_cast<RunFolderFiles*>(this)->growing();
    return {files.begin(), files.end()};
}

std::string RunFolderFiles::firstFailure() const {
    for (const AppendFile* file : growing())
        if (!file->failure().empty()) return file->failure();
    return failure_;
}

void RunFolderFiles::retry() {
    for (AppendFile* file : growing()) file->retry();
    failure_.clear();
    for (const auto& [file, content] : std::exchange(waiting_, {})) replaceOrNote(file, content);
}

void RunFolderFiles::bringToDisk() {
    for (AppendFile* file : growing()) file->sync();
    std::error_code ignored;
    const fs::path below = predictionsFolder(folder_);
    if (fs::is_directory(fs::symlink_status(below, ignored))) syncNames(below);
    syncNames(folder_);
}

FolderPosition RunFolderFiles::mark() {
    bringToDisk();
    FolderPosition mark;
    for (const AppendFile* file : growing()) {
        const std::string name = file->file().filename().string();
        mark.lengths[name] = file->length();
        mark.hashes[name] = file->hash();
    }
    mark.notes = Json{{"run", run_.json()},
                      {"samples_seen", samples_seen_},
                      {"updates", updates_},
                      {"classes_written_at", classes_written_at_},
                      {"named_from", run_.ownWarnings()},
                      {"balance", balanceNote(balance_)}}
                     .dump(-1, ' ', false, Json::error_handler_t::replace);
    return mark;
}

void RunFolderFiles::writeRun() {
    replaceTextFile(folder_ / "run.json", documentText(run_.json()), Keep::OnDisk, FilePlace::InFolder);
}

void RunFolderFiles::writeRunOrNote() {
    replaceOrNote(folder_ / "run.json", documentText(run_.json()));
}

void RunFolderFiles::replaceOrNote(const fs::path& file, const std::string& content) {
    try {
        // A folder of the run that is gone is not made anew.
        const bool below = file.parent_path() != folder_;
        if (below) requirePlainFolder(file.parent_path());
        if (below && fs::create_directory(file.parent_path())) syncFile(folder_);
        replaceTextFile(file, content, Keep::OnDisk, below ? FilePlace::InSubfolder : FilePlace::InFolder);
        waiting_.erase(file);
    } catch (const std::bad_alloc&) {
        // A run waits for room on the disk, not for memory.
        throw;
    } catch (const std::exception& error) {
        noteFailure(error);
        waiting_[file] = content;
    }
}

void RunFolderFiles::noteFailure(const std::exception& error) {
    failure_ = error.what();
    if (failure_.ends_with('.')) failure_.pop_back();
}

void RunFolderFiles::writeStream(const Experiment& experiment, const StreamPlan& plan) {
    Experiment repeatable = experiment;
    repeatable.stream.index_list = "stream.json";  // beside it, so that the two can move together
    repeatable.stream.edits.clear();               // the list has them already
    repeatable.stream.sessions = static_cast<std::int64_t>(plan.sessions.size());
    replaceOrNote(folder_ / "stream.json", formatIndexList(plan));
    replaceOrNote(folder_ / "experiment.toml", formatExperiment(table_, repeatable));
}

void RunFolderFiles::writeClasses(const fs::path& file, const TestClasses& list) {
    const std::size_t names = run_.classCount();
    if (list && fitsClassList(names) && std::ssize(*list) <= kMostTestImages)
        writeHashed(file, formatClassList(*list, names));
}

void RunFolderFiles::writeHashed(const fs::path& file, const std::string& content) {
    replaceOrNote(file, content);
    if (!predictions_) predictions_.emplace(folder_ / kPredictionHashes, "file,sha256");
    Sha256 hash;
    hash.add(std::as_bytes(std::span(content)));
    predictions_->row({file.filename().string(), hash.hex()});
    predictions_->flush();
}

void RunFolderFiles::writeTrueClasses(const TestClasses& list) {
    writeClasses(trueClassesFile(folder_), list);
}

void RunFolderFiles::addCommand(std::int64_t samplesSeen, const std::string& command, const std::string& argument) {
    commands_.row({csvCell(samplesSeen), csvCell(std::string_view(command)), csvCell(std::string_view(argument))});
    // Seldom, and a run that is resumed needs what was changed.
    commands_.sync();
}

void RunFolderFiles::addUpdate(const UpdateDone& event) {
    samples_seen_ = event.samples_seen;
    updates_ = event.update;
    training_.row({csvCell(event.samples_seen), csvCell(event.update), csvCell(event.loss),
                   csvCell(event.batch_accuracy), csvCell(event.learning_rate)});
    training_.flush();
}

void RunFolderFiles::addPlateau(const PlateauFound& event) {
    if (!plateaus_) plateaus_.emplace(folder_ / kPlateaus, "samples_seen,update,mean,variance");
    plateaus_->row({csvCell(event.samples_seen), csvCell(event.update), csvCell(event.mean), csvCell(event.variance)});
    plateaus_->flush();
}

void RunFolderFiles::addMemory(const MemoryHeld& event) {
    const MemoryBalance balance = balanceOf(event, run_.classCount());
    if (!memory_) {
        std::string header;
        for (const std::string& column : memoryColumns(balance.kept.size()))
            header += (header.empty() ? "" : ",") + column;
        memory_.emplace(folder_ / kMemory, header);
    }
    // The end of a session may fall on an anytime evaluation.
    if (balance == balance_) return;
    memory_->row(memoryRow(balance));
    memory_->flush();
    balance_ = balance;
}

void RunFolderFiles::addPromptUse(std::int64_t samplesSeen, const std::vector<std::int64_t>& use) {
    if (use.empty()) return;
    if (!prompts_) prompts_.emplace(folder_ / kPrompts, "samples_seen,prompt,count");
    for (std::size_t i = 0; i < use.size(); ++i)
        prompts_->row({csvCell(samplesSeen), csvCell(static_cast<std::int64_t>(i)), csvCell(use[i])});
    prompts_->flush();
}

void RunFolderFiles::addPushes(std::int64_t samplesSeen, const std::vector<ClassPush>& pushes) {
    if (pushes.empty()) return;
    if (!pushes_) pushes_.emplace(folder_ / kPushes, "samples_seen,class,push,since");
    for (const ClassPush& push : pushes)
        pushes_->row({csvCell(samplesSeen), csvCell(std::int64_t{push.label}),
                      push.push ? csvCell(*push.push) : std::string(), csvCell(push.since)});
    pushes_->flush();
}

bool RunFolderFiles::wantsTopClasses(std::int64_t samplesSeen, std::int64_t testImages, std::int64_t total) const {
    return fitsClassList(run_.classCount()) &&
           recordsTopClasses(samplesSeen, top_written_at_, testImages, run_.classCount(), total);
}

bool RunFolderFiles::wantsFeatures(const FeatureMoment& moment, std::int64_t total) const {
    // Features are compared with those of the first evaluation: a run that was evaluated without (by an older version)
    // has none to compare with.
    return (features_ || classes_written_at_ < 0) && feature_log_.wants(moment, total);
}

void RunFolderFiles::addFeatures(const FeatureMoment& moment, std::int64_t total) {
    if (!wantsFeatures(moment, total)) return;
    const auto lines = feature_log_.lines(moment);
    if (lines.empty()) return;
    if (!features_) features_.emplace(folder_ / kFeatureFile, kFeatureHeader);
    for (const auto& line : lines) features_->row(line);
    features_->flush();
}

void RunFolderFiles::addWatched(std::int64_t samplesSeen, const std::vector<WatchedShare>& shares) {
    // The end of a session may fall on an anytime evaluation: the same weights, so the same rows.
    const std::set<std::int64_t> before = samplesSeen == watched_at_ ? watched_then_ : std::set<std::int64_t>();
    for (const WatchedShare& share : shares) {
        if (before.contains(share.image)) continue;
        if (!watched_) watched_.emplace(folder_ / kWatchedFile, kWatchedHeader);
        watched_->row({csvCell(samplesSeen), csvCell(share.image),
                       share.label >= 0 ? csvCell(std::int64_t{share.label}) : std::string(),
                       csvCell(share.probability)});
        noteWatched(samplesSeen, share.image);
    }
    if (watched_) watched_->flush();
}

void RunFolderFiles::addEarlyLook(const EarlyLook& event) {
    if (!early_) early_.emplace(folder_ / kEarly, "samples_seen,session,accuracy,loss,classes_seen,updates,samples");
    early_->row({csvCell(event.samples_seen), csvCell(event.session), csvCell(event.accuracy), csvCell(event.loss),
                 csvCell(event.classes_seen), csvCell(event.updates), csvCell(event.test_images)});
    early_->flush();
}

void RunFolderFiles::addReference(const Evaluated& event) {
    if (!event.reference) return;
    if (!reference_) reference_.emplace(folder_ / kReference, "samples_seen,session,accuracy");
    reference_->row({csvCell(event.samples_seen), csvCell(event.session), csvCell(*event.reference)});
    reference_->flush();
}

void RunFolderFiles::addRouting(const Evaluated& event) {
    if (!event.router && !event.agreement) return;
    if (!routing_) routing_.emplace(folder_ / kRouting, "samples_seen,session,router_accuracy,head_agreement");
    const auto cell = [](const std::optional<double>& share) { return share ? csvCell(*share) : std::string(); };
    routing_->row({csvCell(event.samples_seen), csvCell(event.session), cell(event.router), cell(event.agreement)});
    routing_->flush();
}

void RunFolderFiles::addEvaluation(const Evaluated& event) {
    if (event.kind == EvaluationKind::Anytime) {
        anytime_.row({csvCell(event.samples_seen), csvCell(event.session), csvCell(event.accuracy), csvCell(event.loss),
                      csvCell(static_cast<std::int64_t>(event.classes.size())), csvCell(event.updates)});
        anytime_.flush();
        addReference(event);
    }
    // The end of a session may fall on an anytime evaluation: the same weights, so the same rows.
    if (std::exchange(classes_written_at_, event.samples_seen) == event.samples_seen) return;
    for (const ClassCount& count : event.classes) {
        const std::string accuracy =
            count.samples > 0 ? csvCell(static_cast<double>(count.correct) / static_cast<double>(count.samples)) : "";
        classes_.row(
            {csvCell(event.samples_seen), csvCell(std::int64_t{count.label}), accuracy, csvCell(count.samples)});
    }
    classes_.flush();
    addRouting(event);
    addPromptUse(event.samples_seen, event.prompt_use);
    addPushes(event.samples_seen, event.pushes);
    // The answers come first: files are found by those of their moment.
    writeClasses(predictionsFile(folder_, event.samples_seen), event.predictions);
    if (event.top_classes && fitsClassList(run_.classCount()) && std::ssize(*event.top_classes) <= kMostTestImages) {
        writeHashed(topClassesFile(folder_, event.samples_seen),
                    formatTopClasses(*event.top_classes, run_.classCount()));
        top_written_at_ = event.samples_seen;
    }
}

void RunFolderFiles::addSessionEnd(const SessionEnded& event) {
    for (const SessionAccuracy& entry : event.accuracies) {
        sessions_.row({csvCell(event.session), csvCell(entry.session), entry.samples > 0 ? csvCell(entry.accuracy) : "",
                       csvCell(entry.samples)});
    }
    sessions_.flush();
}

void RunFolderFiles::writeSummary(const Summary& summary) {
    reserve_.release();
    retry();
    replaceOrNote(folder_ / "summary.json", documentText(summaryDocument(summary, samples_seen_, updates_)));
}

}  // namespace palimpsest
