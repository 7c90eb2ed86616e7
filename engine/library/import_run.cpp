// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/import_run.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <string_view>

#include "engine/config/experiment_file.h"
#include "engine/library/foreign_results.h"
#include "engine/metrics/metrics.h"
#include "engine/record/run_documents.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_writer.h"
#include "engine/support/append_file.h"
#include "engine/support/clock.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/format.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 7> kForeignEndings = {".csv", ".tsv", ".npy", ".pyd", ".log", ".txt", ".out"};

/// "results/cifar100/misa/seed_1_eval.npy" is a run of "misa", "csvlogs/naive/eval_results.csv" one of "naive", and
/// "l2p.csv" one of "l2p".
std::string nameOf(const fs::path& file, const ForeignResults& results) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    const bool by_folder = results.program == "Avalanche" || (results.program.empty() && results.seed);
    const std::string name = (by_folder ? whole.parent_path().filename() : whole.stem()).string();
    return name.empty() ? "Imported" : name;
}

/// The usual distance between evaluations.
std::int64_t periodOf(const std::vector<AnytimePoint>& points) {
    if (points.size() < 2) return points.front().samples_seen;
    std::vector<std::int64_t> steps;
    for (std::size_t i = 1; i < points.size(); ++i)
        steps.push_back(points[i].samples_seen - points[i - 1].samples_seen);
    std::nth_element(steps.begin(), steps.begin() + std::ssize(steps) / 2, steps.end());
    return steps[steps.size() / 2];
}

Json sessionStarts(const std::vector<AnytimePoint>& points) {
    Json starts = Json::array();
    starts.push_back(0);
    // An evaluation is the first that is known to belong to the next session; where that began lies before it.
    for (std::size_t i = 1; i < points.size(); ++i)
        if (points[i].session > points[i - 1].session) starts.push_back(points[i - 1].samples_seen);
    return starts;
}

void writePoints(const fs::path& folder, const ForeignResults& results) {
    const std::vector<AnytimePoint>& points = results.points;
    AppendFile file(folder / "anytime.csv", "samples_seen,session,accuracy,loss,classes_seen,updates");
    for (const AnytimePoint& point : points)
        file.row({csvCell(point.samples_seen), csvCell(point.session), csvCell(point.accuracy),
                  std::isfinite(point.loss) ? csvCell(point.loss) : std::string(),
                  point.classes_seen > 0 ? csvCell(point.classes_seen) : std::string(), ""});
    file.sync();
    AppendFile sessions(folder / "sessions.csv", "after_session,session,accuracy,samples");
    // How many test images a session has is not known.
    for (std::size_t after = 0; after < results.retention.size(); ++after)
        for (std::size_t session = 0; session < results.retention[after].size(); ++session)
            if (const std::optional<double> accuracy = results.retention[after][session])
                sessions.row({csvCell(static_cast<std::int64_t>(after)), csvCell(static_cast<std::int64_t>(session)),
                              csvCell(*accuracy), "0"});
    sessions.sync();
    for (const AppendFile* written : {&file, &sessions})
        if (!written->failure().empty())
            throw inputError(written->failure() + ".", "Choose a folder you may write to, with space left.");
}

Json summaryOf(const ForeignResults& results) {
    std::vector<double> accuracies;
    for (const AnytimePoint& point : results.points) accuracies.push_back(point.accuracy);
    const std::vector<double>& ends = results.session_ends;
    const std::optional<double> area = results.a_auc ? results.a_auc : areaUnderCurve(accuracies);
    Json summary;
    // Evaluations at the ends of sessions are no part of A_AUC.
    summary["a_auc"] = results.anytime ? orNull(area) : Json(nullptr);
    summary["a_last"] = orNull(lastAccuracy(results.retention));
    summary["f_last"] = orNull(lastForgetting(results.retention));
    summary["a_avg"] = orNull(averageAccuracy(ends));
    summary["a_last_overall"] = ends.empty() ? Json(nullptr) : Json(ends.back());
    summary["f_last_classwise"] = orNull(results.f_last_classwise);
    summary["bwt_last"] = orNull(results.bwt_last);
    summary["sessions_ended"] = ends.size();
    return summary;
}

Json plainLines(const std::vector<std::string>& lines) {
    Json list = Json::array();
    for (const std::string& line : lines) list.push_back(plainSentence(line));
    return list;
}

void writeRun(const OptionTable& table, const fs::path& folder, const Experiment& experiment,
              const ForeignResults& results) {
    writePoints(folder, results);
    writeExperiment(table, experiment, folder / "experiment.toml", FilePlace::InFolder);
    replaceTextFile(folder / "summary.json", documentText(summaryOf(results)), Keep::OnDisk);
    Json files = Json::array(), settings = Json::object();
    for (const fs::path& file : results.files) files.push_back(plainLine(file.filename().string()));
    for (const auto& [key, value] : results.settings) settings[plainSentence(key)] = plainSentence(value);
    const std::string now = utcNow();
    const Json run = {{"format", 1},
                      {"state", toText(RecordedState::Imported)},
                      {"name", experiment.name},
                      {"seed", experiment.seed},
                      {"started", now},
                      {"ended", now},
                      {"source", files},
                      {"program", orNull(plainSentence(results.program))},
                      {"method", orNull(plainSentence(results.method))},
                      {"dataset", orNull(plainSentence(results.dataset))},
                      {"notes", plainLines(results.notes)},
                      {"settings", settings},
                      {"total_samples", results.points.back().samples_seen},
                      {"session_starts", sessionStarts(results.points)},
                      {"error", nullptr}};
    // run.json, which makes the folder a run, comes last.
    replaceTextFile(folder / "run.json", documentText(run), Keep::OnDiskWithName);
}

/// What runs that were imported from one file have in common.
std::string importKey(const Json& run) {
    const auto at = [&](const char* key) {
        return run.value(key, Json()).dump(-1, ' ', false, Json::error_handler_t::replace);
    };
    return at("name") + at("seed") + at("source") + at("program");
}

Json importedDocument(const fs::path& folder) {
    const Json run = parsedJson(readTextFile(folder / "run.json", FilePlace::InFolder, file_limit::kDocument));
    return run.is_object() && run.value("state", Json()) == toText(RecordedState::Imported) ? run : Json();
}

/// Finds runs that were imported before with the same numbers.
class ImportedBefore {
public:
    explicit ImportedBefore(const fs::path& runs) {
        std::error_code ignored;
        if (!fs::is_directory(runs, ignored)) return;
        for (const fs::path& folder : findRuns(runs)) {
            try {
                if (const Json run = importedDocument(folder); run.is_object()) runs_.emplace(importKey(run), folder);
            } catch (const std::exception&) {
                // Not one that can be compared.
            }
        }
    }

    /// Empty: there is none.
    fs::path sameAs(const fs::path& made) const {
        try {
            const auto [first, last] = runs_.equal_range(importKey(importedDocument(made)));
            const auto same = std::find_if(first, last, [&](const auto& entry) {
                return std::ranges::all_of(
                    std::array{"anytime.csv", "sessions.csv", "summary.json"}, [&](const char* file) {
                        return readTextFile(entry.second / file, FilePlace::InFolder, file_limit::kTable) ==
                               readTextFile(made / file, FilePlace::InFolder, file_limit::kTable);
                    });
            });
            return same == last ? fs::path() : same->second;
        } catch (const std::exception&) {
            return {};
        }
    }

private:
    std::multimap<std::string, fs::path> runs_;
};

/// Says which of the runs are there twice now.
void noteRepeated(const ImportedBefore& before, ImportedRuns& imported) {
    std::size_t repeated = 0;
    fs::path first;
    for (const fs::path& folder : imported.folders)
        if (const fs::path same = before.sameAs(folder); !same.empty() && repeated++ == 0) first = same;
    if (repeated == 0) return;
    imported.notes.push_back(plainSentence(
        "The same results were imported before, and are there twice now: " + first.string() +
        (repeated > 1 ? " and " + counted(static_cast<std::int64_t>(repeated) - 1, "other run", "other runs")
                      : std::string()) +
        "."));
}

fs::path importOne(const OptionTable& table, const ImportRequest& request, const ForeignResults& results) {
    Experiment experiment = table.defaults();
    const std::string& told = request.name.empty() ? results.name : request.name;
    experiment.name = plainLine(told.empty() ? nameOf(request.file, results) : told);
    // In its name, since a part may look better than the whole wherever the two stand side by side.
    if (!results.part.empty()) experiment.name += ", " + results.part;
    // What the file says may be more than an experiment allows, which could not be read back then.
    const auto assign = [&](const char* key, std::int64_t value) {
        try {
            table.set(experiment, *table.find(key), value);
        } catch (const Error&) {
            // The default stands.
        }
    };
    assign("seed", results.seed.value_or(1));
    assign("evaluation.every_samples", periodOf(results.points));
    const std::size_t sessions = std::max(results.session_ends.size(), results.retention.size());
    if (sessions > 0) assign("stream.sessions", static_cast<std::int64_t>(sessions));
    if (request.seed) table.set(experiment, *table.find("seed"), *request.seed);
    const fs::path folder = makeRunFolder(request.out, experiment.name, experiment.seed, "imported");
    try {
        writeRun(table, folder, experiment, results);
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        throw;
    }
    return folder;
}

}  // namespace

bool isForeignCurve(const fs::path& file) {
    const std::string ending = asciiLowered(file.extension().string());
    return std::find(std::begin(kForeignEndings), std::end(kForeignEndings), ending) != std::end(kForeignEndings);
}

ImportedRuns importRuns(const OptionTable& table, const ImportRequest& request) {
    const std::vector<ForeignResults> all = readForeignResults(request.file, request.every);
    if (request.seed && all.size() > 1)
        throw inputError(request.file.string() + " holds " + std::to_string(all.size()) +
                             " runs, which cannot all have the seed " + std::to_string(*request.seed) + ".",
                         "Leave the seed out: each has that of the log.");
    const ImportedBefore before(request.out);
    ImportedRuns imported;
    try {
        for (const ForeignResults& results : all) {
            imported.folders.push_back(importOne(table, request, results));
            for (const std::string& note : results.notes)
                if (std::find(imported.notes.begin(), imported.notes.end(), note) == imported.notes.end())
                    imported.notes.push_back(plainSentence(note));
        }
    } catch (...) {
        std::error_code ignored;
        for (const fs::path& folder : imported.folders) fs::remove_all(folder, ignored);
        throw;
    }
    noteRepeated(before, imported);
    return imported;
}

}  // namespace palimpsest
