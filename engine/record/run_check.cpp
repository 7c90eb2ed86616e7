// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_check.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/record/checkpoints.h"
#include "engine/record/predictions.h"
#include "engine/record/run_documents.h"
#include "engine/record/run_folder_files.h"
#include "engine/support/clock.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

bool there(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(fs::symlink_status(path, ignored));
}

std::string at(std::int64_t samples) {
    return grouped(samples) + " samples";
}

class Checking {
public:
    Checking(const OptionTable& table, const fs::path& folder) : table_(table) { check_.folder = folder; }

    RunCheck run() {
        checkDocuments();
        readCheckpoints();
        checkTables();
        checkPredictions();
        checkTensors();
        findNewestSound();
        return std::move(check_);
    }

private:
    void damaged(const std::string& sentence) { check_.damage.push_back(plainSentence(sentence)); }

    void checkDocuments() {
        const fs::path& run = check_.folder;
        const auto isObject = [&](const char* name) {
            try {
                return parsedJson<nlohmann::json>(readTextFile(run / name, FilePlace::InFolder, file_limit::kDocument))
                    .is_object();
            } catch (const Error&) {
                return false;
            }
        };
        for (const char* name : {"run.json", "summary.json"}) {
            if (!there(run / name) || isObject(name)) continue;
            damaged(std::string(name) + " cannot be read.");
            check_.measured_damaged = true;
        }
        if (there(run / "library.json") && !isObject("library.json")) {
            damaged("library.json cannot be read.");
            check_.notes_damaged = true;
        }
        try {
            readExperiment(table_, run / "experiment.toml", FilePlace::InFolder);
        } catch (const Error& error) {
            damaged(std::string("experiment.toml cannot be read: ") + error.what());
            check_.settings_lost = true;
        }
    }

    void readCheckpoints() {
        std::vector<std::int64_t> all = listCheckpoints(check_.folder);
        std::reverse(all.begin(), all.end());
        check_.checkpoints = static_cast<std::int64_t>(all.size());
        for (const std::int64_t samples : all) {
            try {
                CheckpointRecord record = readCheckpointRecord(checkpointDescription(check_.folder, samples));
                if (record.samples_seen != samples) throw inputError("another one's");
                records_.push_back(std::move(record));
            } catch (const Error&) {
                damaged("The description of the checkpoint at " + at(samples) + " cannot be read.");
                check_.bad_checkpoints.push_back(samples);
            }
        }
        if (records_.empty()) check_.notes.emplace_back("It has no checkpoint, so nothing says what its files were.");
    }

    /// Every table, up to each checkpoint in turn: what is damaged stays so in all later ones.
    void checkTables() {
        std::set<std::string> names;
        bool hashed = false;
        for (const CheckpointRecord& record : records_) {
            for (const auto& [name, length] : record.mark.lengths) names.insert(name);
            hashed = hashed || !record.mark.hashes.empty();
        }
        if (!hashed && !records_.empty())
            check_.notes.emplace_back("An older version wrote it, which recorded the lengths of the tables alone.");
        const GrowingHashes known = growingHashes(check_.folder, records_);
        for (const std::string& name : names) {
            std::int64_t sound = 0;
            for (const CheckpointRecord& record : records_) {
                if (!record.mark.lengths.contains(name)) continue;
                const std::string damage = growingFileDamage(check_.folder, record, name, known);
                if (damage.empty()) {
                    sound = record.samples_seen;
                    continue;
                }
                damaged(damage + (sound > 0 ? "; up to the checkpoint at " + at(sound) + " it is sound." : "."));
                broken_from_ = std::min(broken_from_, record.samples_seen);
                break;
            }
            noteUncovered(name);
        }
    }

    void noteUncovered(const std::string& name) {
        const auto& lengths = records_.back().mark.lengths;
        const auto covered = lengths.find(name);
        std::error_code gone;
        const auto size = fs::file_size(check_.folder / name, gone);
        if (gone || covered == lengths.end() || static_cast<std::int64_t>(size) <= covered->second) return;
        check_.notes.push_back(name + " has " +
                               counted(static_cast<std::int64_t>(size) - covered->second, "byte", "bytes") +
                               " behind the newest checkpoint, which nothing is recorded of.");
    }

    void checkPredictions() {
        const std::vector<RecordedPrediction> recorded = recordedPredictions(check_.folder);
        for (const RecordedPrediction& one : recorded) {
            const fs::path file = predictionsFolder(check_.folder) / one.file;
            if (fileHash(file, FilePlace::InSubfolder) == one.hash) continue;
            damaged("predictions/" + one.file + (there(file) ? " is damaged." : " is not there."));
            check_.measured_damaged = true;
            // It belongs to every checkpoint that was written behind it.
            for (const CheckpointRecord& record : records_) {
                const auto length = record.mark.lengths.find(kPredictionHashes);
                if (length == record.mark.lengths.end() || length->second < one.end) continue;
                broken_from_ = std::min(broken_from_, record.samples_seen);
                break;
            }
        }
        const std::vector<MomentFile> files = momentFiles(check_.folder);
        if (recorded.empty() && !files.empty())
            check_.notes.emplace_back("Nothing is recorded of its files in predictions/.");
        for (const MomentFile& one : files)
            if (one.top_classes && !there(predictionsFile(check_.folder, one.samples_seen)))
                check_.notes.push_back("predictions/" + one.file.filename().string() +
                                       " lies there without the answers of its moment, so nothing shows it.");
    }

    void checkTensors() {
        for (const CheckpointRecord& record : records_) {
            const std::string damage = tensorDamage(check_.folder, record);
            if (damage.empty()) continue;
            damaged("checkpoints/" + damage + ".");
            check_.bad_checkpoints.push_back(record.samples_seen);
        }
    }

    void findNewestSound() {
        if (broken_from_ != kNever) check_.measured_damaged = true;
        if (check_.settings_lost) return;
        for (const CheckpointRecord& record : records_) {
            const auto& bad = check_.bad_checkpoints;
            if (record.samples_seen < broken_from_ &&
                std::find(bad.begin(), bad.end(), record.samples_seen) == bad.end())
                check_.newest_sound = record.samples_seen;
        }
        std::sort(check_.bad_checkpoints.begin(), check_.bad_checkpoints.end());
    }

    static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

    const OptionTable& table_;
    RunCheck check_;
    std::vector<CheckpointRecord> records_;  // oldest first
    std::int64_t broken_from_ = kNever;      // first checkpoint whose past is damaged
};

/// The folder of what a repair sets aside, and the moves into it.
class SetAside {
public:
    explicit SetAside(const fs::path& run) : run_(run) {
        const std::string base = "damaged-" + utcStamp();
        std::error_code error;
        for (int k = 1;; ++k) {
            folder_ = run / (k == 1 ? base : base + "-" + std::to_string(k));
            if (fs::create_directory(folder_, error)) return;
            if (error)
                throw inputError("Cannot make the folder " + folder_.string() + ": " + error.message() + ".",
                                 "Make the run's folder writable.");
        }
    }

    const fs::path& folder() const { return folder_; }

    /// A file of the run, named from its folder; nothing where it is not there.
    void move(const fs::path& name) const {
        if (!there(run_ / name)) return;
        prepare(name);
        std::error_code error;
        fs::rename(run_ / name, folder_ / name, error);
        if (error) throw cannotSetAside(name, error.message());
    }

    void copy(const fs::path& name) const {
        if (!isPlainFile(run_ / name)) return move(name);
        prepare(name);
        copyPlainFile(run_ / name, folder_ / name, FilePlace::InFolder);
        syncFile(folder_ / name);
    }

private:
    static Error cannotSetAside(const fs::path& name, const std::string& reason) {
        return inputError("Cannot set " + name.string() + " aside: " + reason + ".", "Make the run's folder writable.");
    }

    void prepare(const fs::path& name) const {
        if (name.has_parent_path()) {
            requirePlainFolder(run_ / name.parent_path());
            std::error_code error;
            fs::create_directories(folder_ / name.parent_path(), error);
            if (error) throw cannotSetAside(name, error.message());
        }
    }

    const fs::path run_;
    fs::path folder_;
};

void cutFile(const fs::path& file, std::int64_t length) {
    const int open = openRegularFile(file, FilePlace::InFolder, O_WRONLY);
    const bool done = ftruncate(open, length) == 0 && fsync(open) == 0;
    const int reason = errno;
    close(open);
    if (!done)
        throw inputError("Cannot cut " + file.string() + ": " + std::strerror(reason) + ".",
                         "Make it writable, on a disk with space left.");
}

fs::path nameOf(const fs::path& run, const fs::path& file) {
    return file.lexically_relative(run);
}

void moveCheckpoint(const SetAside& aside, const fs::path& run, std::int64_t samples) {
    // The description first: without it the tensors are no checkpoint.
    aside.move(nameOf(run, checkpointDescription(run, samples)));
    aside.move(nameOf(run, checkpointTensors(run, samples)));
}

/// run.json as it was at the checkpoint, of a run that was stopped there.
void writeStoppedRun(const fs::path& run, const CheckpointRecord& record) {
    const Json notes = parsedJson(record.mark.notes);
    const auto document = notes.find("run");
    if (document == notes.end() || !document->is_object())
        throw inputError("The checkpoint at " + at(record.samples_seen) + " says nothing of its run.",
                         "Start it anew.");
    RunDocument stopped(*document, 0);
    stopped.end(RecordedState::Stopped, "", "");
    replaceTextFile(run / "run.json", documentText(stopped.json()), Keep::OnDiskWithName, FilePlace::InFolder);
}

void cutBack(const SetAside& aside, const fs::path& run, std::int64_t samples) {
    const CheckpointRecord record = readCheckpointRecord(checkpointDescription(run, samples));
    // Before anything is changed: they may not be readable.
    const std::vector<std::int64_t> checkpoints = listCheckpoints(run);
    const std::vector<MomentFile> moments = momentFiles(run);
    // While the tables are cut, run.json no longer says that they are whole.
    aside.copy("run.json");
    aside.move("summary.json");
    writeStoppedRun(run, record);
    for (const std::int64_t later : checkpoints)
        if (later > samples) moveCheckpoint(aside, run, later);
    for (const MomentFile& one : moments)
        if (one.samples_seen > samples) aside.move(nameOf(run, one.file));
    for (const char* name : kGrowingFiles) {
        const auto length = record.mark.lengths.find(name);
        if (length == record.mark.lengths.end()) {
            aside.move(name);
            continue;
        }
        std::error_code ignored;
        if (static_cast<std::int64_t>(fs::file_size(run / name, ignored)) == length->second) continue;
        aside.copy(name);
        cutFile(run / name, length->second);
    }
}

}  // namespace

RunCheck checkRun(const OptionTable& table, const fs::path& folder) {
    if (!there(folder / "run.json")) throw notARun(folder);
    if (readRunState(folder) == RecordedState::Running)
        throw inputError("The run " + folder.string() + " is going on.", "Check it once it has ended.");
    return Checking(table, folder).run();
}

fs::path repairRun(const RunCheck& check) {
    if (!check.repairable())
        throw inputError("The run " + check.folder.string() +
                             (check.damage.empty()  ? " is not damaged."
                              : check.settings_lost ? " has lost its settings, and nothing else holds them."
                                                    : " has no sound checkpoint to go back to."),
                         "Nothing was changed.");
    const SetAside aside(check.folder);
    if (check.notes_damaged) aside.move("library.json");
    if (check.measured_damaged) cutBack(aside, check.folder, *check.newest_sound);
    for (const std::int64_t samples : check.bad_checkpoints) moveCheckpoint(aside, check.folder, samples);
    syncNames(aside.folder());
    syncNames(check.folder);
    return aside.folder();
}

}  // namespace palimpsest
