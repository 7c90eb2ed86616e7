// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_folder.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <map>
#include <utility>

#include "engine/config/experiment_file.h"
#include "engine/metrics/metrics.h"
#include "engine/record/copy_mark.h"
#include "engine/support/clock.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/process.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;
namespace {

constexpr std::array<std::pair<RecordedState, const char*>, 8> kStateNames = {{{RecordedState::None, ""},
                                                                               {RecordedState::Running, "running"},
                                                                               {RecordedState::Finished, "finished"},
                                                                               {RecordedState::Stopped, "stopped"},
                                                                               {RecordedState::Failed, "failed"},
                                                                               {RecordedState::Crashed, "crashed"},
                                                                               {RecordedState::Imported, "imported"},
                                                                               {RecordedState::Unknown, "unknown"}}};

/// An empty object when the text is not a JSON object.
nlohmann::json objectIn(const std::string& text) {
    auto json = parsedJson<nlohmann::json>(text);
    if (!json.is_object()) json = nlohmann::json::object();
    return json;
}

std::string textAt(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

/// Words of the file as they may be shown.
std::string wordsAt(const nlohmann::json& json, const char* key) {
    return plainSentence(textAt(json, key));
}

/// Empty texts for entries that are none.
std::vector<std::string> textsAt(const nlohmann::json& json, const char* key) {
    std::vector<std::string> texts;
    const auto list = json.find(key);
    if (list == json.end() || !list->is_array()) return texts;
    for (const nlohmann::json& entry : *list)
        texts.push_back(entry.is_string() ? plainSentence(entry.get<std::string>()) : std::string());
    return texts;
}

std::int64_t wholeAt(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number_integer() ? found->get<std::int64_t>() : 0;
}

PromptLengths promptLengthsAt(const nlohmann::json& json, const char* key) {
    PromptLengths lengths;
    const auto found = json.find(key);
    if (found == json.end() || !found->is_object()) return lengths;
    for (const char* option : kPromptLengthOptions)
        if (const std::int64_t tokens = wholeAt(*found, option); tokens > 0) lengths[option] = tokens;
    return lengths;
}

std::optional<double> numberAt(const nlohmann::json& json, const char* key) {
    const auto found = json.find(key);
    return found != json.end() && found->is_number() ? std::optional(found->get<double>()) : std::nullopt;
}

RecordedState stateOf(const nlohmann::json& run, const fs::path& folder) {
    const RecordedState state = recordedState(textAt(run, "state"));
    // Another machine's processes cannot be asked.
    if (state != RecordedState::Running || textAt(run, "host") != hostName()) return state;
    if (processAlive(wholeAt(run, "pid"), textAt(run, "process"))) return state;
    // A copy is not judged either, even where both machines have one name: who follows it learns of its end there.
    const bool computed_here = isComputedHere(folder, textAt(run, "computed_in"));
    return !computed_here && liesInCopy(folder) ? state : RecordedState::Crashed;
}

/// An empty object when there is no run.json.
std::string runTextOf(const fs::path& folder) {
    const fs::path file = folder / "run.json";
    std::error_code ignored;
    if (!fs::exists(fs::symlink_status(file, ignored))) return "{}";
    return readTextFile(file, FilePlace::InFolder, file_limit::kDocument);
}

Summary summaryIn(const nlohmann::json& json) {
    Summary summary;
    summary.a_auc = numberAt(json, "a_auc");
    summary.a_last = numberAt(json, "a_last");
    summary.f_last = numberAt(json, "f_last");
    summary.a_avg = numberAt(json, "a_avg");
    summary.a_last_overall = numberAt(json, "a_last_overall");
    summary.f_last_classwise = numberAt(json, "f_last_classwise");
    summary.bwt_last = numberAt(json, "bwt_last");
    summary.ncm_a_auc = numberAt(json, "ncm_a_auc");
    summary.ncm_a_last_overall = numberAt(json, "ncm_a_last_overall");
    summary.router_accuracy = numberAt(json, "router_accuracy");
    summary.head_agreement = numberAt(json, "head_agreement");
    summary.seconds = numberAt(json, "seconds").value_or(0);
    summary.images_per_second = numberAt(json, "images_per_second").value_or(0);
    summary.batch_seconds = numberAt(json, "batch_seconds").value_or(0);
    summary.peak_memory_bytes = wholeAt(json, "peak_memory_bytes");
    summary.sessions_ended = std::max<std::int64_t>(0, wholeAt(json, "sessions_ended"));
    return summary;
}

/// 0 for what is not a count: no number, or one that no double counts exactly.
std::int64_t whole(double value) {
    return std::abs(value) < 9e15 ? static_cast<std::int64_t>(value) : 0;
}

/// Batches of the whole stream, the last of each session as short as it comes; 0: not known.
std::int64_t batchesOf(const RunRecord& record) {
    const std::int64_t size = record.experiment.training.batch_size;
    const std::vector<std::int64_t>& starts = record.session_starts;
    if (size <= 0 || starts.empty() || starts.front() != 0) return 0;
    std::int64_t batches = 0;
    for (std::size_t session = 0; session < starts.size(); ++session) {
        const bool last = session + 1 == starts.size();
        const std::int64_t end = last ? record.total_samples : starts[session + 1];
        if (end < starts[session]) return 0;
        const std::int64_t images = end - starts[session];
        batches += images / size + (images % size > 0 ? 1 : 0);
    }
    return batches;
}

class FolderReading {
public:
    FolderReading(const OptionTable& table, const fs::path& folder) : table_(table), folder_(folder) {
        record_.folder = folder;
    }

    RunRecord read() {
        readRunJson();
        readSettings();
        record_.anytime = pointsIn("anytime.csv");
        readReference();
        readRouting();
        std::error_code ignored;
        if (fs::exists(folder_ / "early.csv", ignored)) record_.early = pointsIn("early.csv");
        for (const auto& row : rows("sessions.csv", {"after_session", "session", "accuracy", "samples"})) {
            const double accuracy = std::isfinite(row[2]) ? row[2] : 0;
            record_.retention.push_back({whole(row[0]), whole(row[1]), accuracy, whole(row[3])});
        }
        readPlateaus();
        readLearned();
        readChanges();
        readMemory();
        readSummary();
        completeSummary();
        completePace();
        return std::move(record_);
    }

private:
    /// Only a run that found one has the file.
    void readPlateaus() {
        std::error_code ignored;
        if (!fs::exists(folder_ / "plateaus.csv", ignored)) return;
        for (const auto& row : rows("plateaus.csv", {"samples_seen", "update", "mean", "variance"}))
            if (const std::int64_t seen = countIn(row[0]);
                seen >= 0 && (record_.plateaus.empty() || seen >= record_.plateaus.back().samples_seen))
                record_.plateaus.push_back({seen, std::max<std::int64_t>(0, countIn(row[1])), row[2], row[3]});
    }

    /// A run that was stopped has learned more than it was evaluated on.
    void readLearned() {
        if (!record_.anytime.empty()) record_.samples_learned = record_.anytime.back().samples_seen;
        const std::int64_t updated = countIn(lastInCsv(folder_ / "training.csv", "samples_seen"));
        record_.samples_learned = std::max(record_.samples_learned, updated);
    }

    /// Folders of older versions lack the file.
    void readChanges() {
        std::error_code ignored;
        if (!fs::exists(folder_ / "commands.csv", ignored)) return;
        try {
            record_.changes = recordedChanges(folder_);
        } catch (const Error& error) {
            record_.warnings.push_back(std::string("The changes on its way are unknown: ") + error.what());
        }
    }

    /// Its last sound row. Only a run with a memory has the file, and not one that an older version wrote.
    void readMemory() {
        std::error_code ignored;
        const fs::path file = folder_ / "memory.csv";
        if (!fs::exists(file, ignored)) return;
        const std::size_t named = record_.class_names.size();
        LastBalance last = readLastBalance(file, named > 0 ? named : kMostClasses);
        record_.memory = std::move(last.balance);
        for (std::string& warning : last.warnings) record_.warnings.push_back(std::move(warning));
        noteTorn("memory.csv", last.torn);
    }

    /// A run that is being written may be met in the middle of a line.
    void noteTorn(const std::string& name, bool torn) {
        if (torn && record_.state != RecordedState::Running)
            record_.warnings.push_back(name + ": the last line is torn and was skipped.");
    }

    void readSummary() {
        std::error_code ignored;
        const fs::path file = folder_ / "summary.json";
        if (!fs::exists(file, ignored)) return;
        try {
            record_.summary = summaryIn(objectIn(readTextFile(file, FilePlace::InFolder, file_limit::kDocument)));
        } catch (const Error& error) {
            record_.warnings.push_back(std::string("The summary is unknown: ") + error.what());
        }
    }

    /// Summaries of older folders lack the time of a batch, but their speed and the stream give it where the whole
    /// stream was learned.
    void completePace() {
        Summary& summary = record_.summary;
        const bool whole = record_.state == RecordedState::Finished && record_.unreadable_images == 0;
        if (summary.batch_seconds > 0 || summary.images_per_second <= 0 || !whole) return;
        if (const std::int64_t batches = batchesOf(record_); batches > 0)
            summary.batch_seconds =
                static_cast<double>(record_.total_samples) / summary.images_per_second / static_cast<double>(batches);
    }

    /// A run that is still running or has crashed has no summary yet, but points to average. Its accuracy and
    /// forgetting at the end are not known.
    void completeSummary() {
        Summary& summary = record_.summary;
        // Summaries of older folders lack the number.
        for (const RetentionPoint& point : record_.retention) {
            const bool sound = 0 <= point.after_session && point.after_session < record_.experiment.stream.sessions;
            if (sound) summary.sessions_ended = std::max(summary.sessions_ended, point.after_session + 1);
        }
        if (summary.a_auc || record_.state == RecordedState::Finished) return;
        // Another program may have measured at the ends of sessions alone.
        if (record_.state == RecordedState::Imported) return;
        std::vector<double> accuracies;
        for (const AnytimePoint& point : record_.anytime) accuracies.push_back(point.accuracy);
        summary.a_auc = areaUnderCurve(accuracies);
    }

    void readRunJson() {
        const std::string document = runTextOf(folder_);
        const nlohmann::json run = objectIn(document);
        record_.state = stateOf(run, folder_);
        if (record_.state == RecordedState::None) throw notARun(folder_);
        record_.origin = readOrigin(document);
        record_.error = wordsAt(run, "error");
        record_.started = wordsAt(run, "started");
        record_.ended = wordsAt(run, "ended");
        if (const auto parent = run.find("parent"); parent != run.end() && parent->is_object()) {
            record_.parent = textAt(*parent, "run");
            if (!record_.parent.empty()) record_.forked_at = wholeAt(*parent, "samples_seen");
        }
        record_.fingerprint = wordsAt(run, "fingerprint");
        record_.device = wordsAt(run, "device");
        record_.precision = wordsAt(run, "precision");
        record_.total_samples = wholeAt(run, "total_samples");
        record_.trainable_parameters = wholeAt(run, "trainable_parameters");
        record_.prompt_lengths = promptLengthsAt(run, "prompt_lengths");
        if (const auto learner = run.find("learner"); learner != run.end() && learner->is_object())
            if (const std::string name = shortLine(wordsAt(*learner, "name")); !name.empty())
                record_.program =
                    ProgramIdentity{name, shortLine(wordsAt(*learner, "version")), wordsAt(*learner, "sha256")};
        record_.unreadable_images = wholeAt(run, "unreadable_images");
        record_.class_names = textsAt(run, "class_names");
        record_.class_kinds = textsAt(run, "class_kinds");
        const auto starts = run.find("session_starts");
        if (starts == run.end() || !starts->is_array()) return;
        for (const nlohmann::json& start : *starts)
            if (start.is_number_integer()) record_.session_starts.push_back(start.get<std::int64_t>());
    }

    void readSettings() {
        try {
            record_.experiment = readExperiment(table_, folder_ / "experiment.toml", FilePlace::InFolder);
        } catch (const Error& error) {
            record_.experiment = table_.defaults();
            record_.experiment.name = plainSentence(folder_.filename().string());
            record_.warnings.push_back(std::string("The settings are unknown: ") + error.what());
        }
        if (record_.program) record_.experiment.program = record_.program->name;
    }

    void readReference() {
        std::error_code ignored;
        if (!fs::exists(folder_ / "reference.csv", ignored)) return;
        std::map<std::int64_t, double> known;
        for (const auto& row : rows("reference.csv", {"samples_seen", "accuracy"}))
            if (std::isfinite(row[1])) known[whole(row[0])] = row[1];
        for (AnytimePoint& point : record_.anytime)
            if (const auto found = known.find(point.samples_seen); found != known.end())
                point.reference = found->second;
    }

    void readRouting() {
        std::error_code ignored;
        if (!fs::exists(folder_ / "routing.csv", ignored)) return;
        std::map<std::int64_t, std::pair<double, double>> known;
        for (const auto& row : rows("routing.csv", {"samples_seen", "router_accuracy", "head_agreement"}))
            known[whole(row[0])] = {row[1], row[2]};
        const auto share = [](double value) { return std::isfinite(value) ? std::optional(value) : std::nullopt; };
        for (AnytimePoint& point : record_.anytime)
            if (const auto found = known.find(point.samples_seen); found != known.end()) {
                point.router = share(found->second.first);
                point.agreement = share(found->second.second);
            }
    }

    std::vector<AnytimePoint> pointsIn(const std::string& name) {
        std::vector<AnytimePoint> points;
        std::size_t skipped = 0;
        for (const auto& row : rows(name, {"samples_seen", "session", "accuracy", "loss", "classes_seen", "updates"})) {
            if (!std::isfinite(row[2])) {
                ++skipped;
                continue;
            }
            points.push_back({whole(row[0]), whole(row[1]), row[2], row[3], whole(row[4]), whole(row[5])});
        }
        if (skipped > 0)
            record_.warnings.push_back(name + ": " +
                                       counted(static_cast<std::int64_t>(skipped), "evaluation", "evaluations") +
                                       " without an accuracy " + (skipped == 1 ? "was" : "were") + " skipped.");
        return points;
    }

    std::vector<std::vector<double>> rows(const std::string& name, const std::vector<std::string>& columns) {
        CsvTable csv = readCsv(folder_ / name, columns);
        for (std::string& warning : csv.warnings) record_.warnings.push_back(std::move(warning));
        noteTorn(name, csv.torn);
        return std::move(csv.rows);
    }

    const OptionTable& table_;
    const fs::path folder_;
    RunRecord record_;
};

}  // namespace

const char* toText(RecordedState state) {
    return std::find_if(kStateNames.begin(), kStateNames.end(), [=](const auto& row) { return row.first == state; })
        ->second;
}

RecordedState recordedState(std::string_view word) {
    const auto found =
        std::find_if(kStateNames.begin(), kStateNames.end(), [=](const auto& row) { return row.second == word; });
    return found == kStateNames.end() ? RecordedState::Unknown : found->first;
}

RecordedState recordedState(RunEnd end) {
    switch (end) {
        case RunEnd::Finished:
            return RecordedState::Finished;
        case RunEnd::Stopped:
        case RunEnd::Aborted:
            return RecordedState::Stopped;
        case RunEnd::Failed:
            return RecordedState::Failed;
    }
    return RecordedState::Unknown;
}

RunRecord readRun(const OptionTable& table, const fs::path& folder) {
    return FolderReading(table, folder).read();
}

Error notARun(const fs::path& folder) {
    std::error_code ignored;
    const bool missing = fs::status(folder, ignored).type() == fs::file_type::not_found;
    return inputError(missing ? "There is no folder " + folder.string() + "."
                              : folder.string() + " is not a run folder: it holds no readable run.json.",
                      "Name a folder that a run was written to.");
}

RecordedState readRunState(const fs::path& folder) {
    try {
        return stateOf(objectIn(runTextOf(folder)), folder);
    } catch (const std::exception&) {
        return RecordedState::None;
    }
}

std::optional<LearnerWait> readLearnerWait(const fs::path& folder) {
    try {
        const nlohmann::json run = objectIn(runTextOf(folder));
        const auto wait = run.find("waits_for");
        if (wait == run.end() || !wait->is_object() || stateOf(run, folder) != RecordedState::Running)
            return std::nullopt;
        const std::string learner = shortLine(textAt(*wait, "learner"));
        const std::optional<std::chrono::seconds> waited = timeSinceUtc(textAt(*wait, "since"));
        if (learner.empty() || !waited) return std::nullopt;
        return LearnerWait{learner, std::max<std::int64_t>(0, waited->count()), numberAt(*wait, "limit").value_or(0)};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

std::vector<fs::path> findRuns(const fs::path& parent) {
    std::vector<std::pair<std::string, fs::path>> found;
    for (const fs::path& folder : folderEntries(parent)) {
        try {
            const fs::path file = folder / "run.json";
            const bool hidden = folder.filename().native().starts_with('.');
            if (hidden || fs::is_symlink(folder) || !isPlainFile(file)) continue;
            const std::string started =
                textAt(objectIn(readTextFile(file, FilePlace::InFolder, file_limit::kDocument)), "started");
            if (!started.empty()) found.emplace_back(started, folder);
        } catch (const std::exception&) {
            continue;  // not readable by us: not ours to show
        }
    }
    std::sort(found.rbegin(), found.rend());
    std::vector<fs::path> folders;
    for (auto& [started, folder] : found) folders.push_back(std::move(folder));
    return folders;
}

fs::path defaultRunsFolder() {
    return userFolder("PALIMPSEST_RUNS", "XDG_DATA_HOME", ".local/share", "runs");
}

std::int64_t samplesAtEndOf(const RunRecord& record, std::int64_t session) {
    const auto next = static_cast<std::size_t>(session) + 1;
    return next < record.session_starts.size() ? record.session_starts[next] : record.total_samples;
}

std::string className(const RunRecord& record, std::int32_t label) {
    const auto place = static_cast<std::size_t>(label);
    if (label >= 0 && place < record.class_names.size()) return record.class_names[place];
    return "class " + std::to_string(label);
}

std::vector<AnytimePoint> sessionEnds(const RunRecord& record) {
    if (record.experiment.evaluation.session_data == "disjoint") return {};
    // A damaged file may hold counts whose sum no whole number holds.
    struct Sum {
        double correct = 0, samples = 0;
        bool whole = false;
    };
    std::map<std::int64_t, Sum> sums;
    auto at = sums.end();
    for (const RetentionPoint& point : record.retention) {
        if (at == sums.end() || at->first != point.after_session) at = sums.try_emplace(point.after_session).first;
        at->second.correct += point.accuracy * static_cast<double>(point.samples);
        at->second.samples += static_cast<double>(point.samples);
        at->second.whole = at->second.whole || point.session == point.after_session;
    }
    std::vector<AnytimePoint> ends;
    for (const auto& [session, sum] : sums) {
        if (sum.samples == 0 || !sum.whole) continue;
        AnytimePoint point;
        point.session = session;
        point.samples_seen = samplesAtEndOf(record, session);
        point.accuracy = sum.correct / sum.samples;
        ends.push_back(point);
    }
    return ends;
}

}  // namespace palimpsest
