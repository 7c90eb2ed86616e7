// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_folder_files.h"

#include <unistd.h>

#include "engine/config/experiment_file.h"
#include "engine/record/class_list_file.h"
#include "engine/stream/stream_export.h"
#include "engine/support/durable.h"
#include "engine/support/error.h"
#include "engine/support/json.h"
#include "engine/support/process_identity.h"
#include "engine/support/text_file.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kAnytime = "anytime.csv";
constexpr const char* kSessions = "sessions.csv";
constexpr const char* kClasses = "classes.csv";
constexpr const char* kTraining = "training.csv";
constexpr const char* kCommands = "commands.csv";
constexpr const char* kMemory = "memory.csv";
constexpr const char* kPrompts = "prompts.csv";

std::int64_t lengthOf(const FolderPosition& mark, const char* name) {
    const auto found = mark.lengths.find(name);
    if (found == mark.lengths.end())
        throw inputError(std::string("The checkpoint does not say how long ") + name + " is.",
                         "Go on from another one.");
    return found->second;
}

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

std::string RunFolderFiles::text(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

RunFolderFiles::RunFolderFiles(const OptionTable& table, fs::path folder)
    : anytime(folder / kAnytime, "samples_seen,session,accuracy,loss,classes_seen,updates"),
      sessions(folder / kSessions, "after_session,session,accuracy,samples"),
      classes(folder / kClasses, "samples_seen,class,accuracy,samples"),
      training(folder / kTraining, "samples_seen,update,loss,batch_accuracy,learning_rate"),
      commands(folder / kCommands, "samples_seen,command,argument"),
      reserve(folder),
      table_(table),
      folder_(std::move(folder)) {}

RunFolderFiles::RunFolderFiles(const OptionTable& table, fs::path folder, const FolderPosition& mark)
    : anytime(folder / kAnytime, lengthOf(mark, kAnytime)),
      sessions(folder / kSessions, lengthOf(mark, kSessions)),
      classes(folder / kClasses, lengthOf(mark, kClasses)),
      training(folder / kTraining, lengthOf(mark, kTraining)),
      commands(folder / kCommands, lengthOf(mark, kCommands)),
      reserve(folder),
      resumed(true),
      table_(table),
      folder_(std::move(folder)) {
    try {
        const Json notes = Json::parse(mark.notes);
        run = notes.at("run");
        notes.at("samples_seen").get_to(samples_seen);
        notes.at("updates").get_to(updates);
        notes.at("classes_written_at").get_to(classes_written_at);
        notes.at("named_from").get_to(named_from);
        balance_ = balanceInNote(notes.at("balance"));
    } catch (const Json::exception&) {
        throw inputError("The checkpoint does not say how far the folder " + folder_.string() + " was written.",
                         "Go on from another one.");
    }
    const auto goOn = [&](std::optional<AppendFile>& file, const char* name) {
        std::error_code ignored;
        if (mark.lengths.contains(name))
            file.emplace(folder_ / name, mark.lengths.at(name));
        else
            fs::remove(folder_ / name, ignored);
    };
    goOn(memory_, kMemory);
    goOn(prompts_, kPrompts);
    std::error_code ignored;
    fs::remove(folder_ / "summary.json", ignored);
}

std::vector<AppendFile*> RunFolderFiles::growing() {
    std::vector<AppendFile*> files{&anytime, &sessions, &classes, &training, &commands};
    if (memory_) files.push_back(&*memory_);
    if (prompts_) files.push_back(&*prompts_);
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

FolderPosition RunFolderFiles::mark() {
    FolderPosition mark;
    for (AppendFile* file : growing()) {
        file->sync();
        mark.lengths[file->file().filename().string()] = file->length();
    }
    mark.notes = Json{{"run", run},
                      {"samples_seen", samples_seen},
                      {"updates", updates},
                      {"classes_written_at", classes_written_at},
                      {"named_from", named_from},
                      {"balance", balanceNote(balance_)}}
                     .dump(-1, ' ', false, Json::error_handler_t::replace);
    return mark;
}

void RunFolderFiles::writeRun() {
    replaceTextFile(folder_ / "run.json", text(run), Keep::OnDisk);
}

void RunFolderFiles::replaceOrNote(const fs::path& file, const std::string& content) {
    try {
        // Not the folder of the run: one that is gone is not made anew.
        if (file.parent_path() != folder_ && fs::create_directory(file.parent_path())) syncFile(folder_);
        replaceTextFile(file, content, Keep::OnDisk);
        waiting_.erase(file);
    } catch (const std::exception& error) {
        noteFailure(error);
        waiting_[file] = content;
    }
}

void RunFolderFiles::noteFailure(const std::exception& error) {
    failure_ = error.what();
    if (failure_.ends_with('.')) failure_.pop_back();
}

void RunFolderFiles::nameProcess() {
    const long pid = getpid();
    run["host"] = hostName();
    run["pid"] = pid;
    run["process"] = processIdentity(pid);
}

void RunFolderFiles::keepStream(const Experiment& experiment, const StreamPlan& plan) {
    Experiment repeatable = experiment;
    repeatable.stream.index_list = "stream.json";  // beside it, so that the two can move together
    repeatable.stream.edits.clear();               // the list has them already
    repeatable.stream.sessions = static_cast<std::int64_t>(plan.sessions.size());
    replaceOrNote(folder_ / "stream.json", formatIndexList(plan));
    replaceOrNote(folder_ / "experiment.toml", formatExperiment(table_, repeatable));
}

void RunFolderFiles::keepClasses(const fs::path& file, const TestClasses& list) {
    const std::size_t names = run["class_names"].size();
    if (!list || !fitsClassList(names)) return;
    replaceOrNote(file, formatClassList(*list, names));
}

void RunFolderFiles::keepPromptUse(std::int64_t samplesSeen, const std::vector<std::int64_t>& use) {
    if (use.empty()) return;
    if (!prompts_) prompts_.emplace(folder_ / kPrompts, "samples_seen,prompt,count");
    for (std::size_t i = 0; i < use.size(); ++i)
        prompts_->row({csvCell(samplesSeen), csvCell(static_cast<std::int64_t>(i)), csvCell(use[i])});
    prompts_->flush();
}

void RunFolderFiles::keepBalance(const MemoryBalance& balance) {
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

void RunFolderFiles::moveStarts(std::int64_t session, std::int64_t seen) {
    Json& starts = run["session_starts"];
    const auto next = static_cast<std::size_t>(session);
    if (next >= starts.size()) return;
    if (run["unreadable_images"] == 0) return;
    const std::int64_t shift = seen - starts[next].get<std::int64_t>();
    for (std::size_t i = next; i < starts.size(); ++i) starts[i] = starts[i].get<std::int64_t>() + shift;
}

}  // namespace palimpsest
