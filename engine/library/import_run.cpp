// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/import_run.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/config/experiment_file.h"
#include "engine/library/foreign_curve.h"
#include "engine/metrics/metrics.h"
#include "engine/record/new_run_folder.h"
#include "engine/support/append_file.h"
#include "engine/support/clock.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;
namespace {

/// "results/cifar100/misa/seed_1_eval.npy" is a run of "misa"; "l2p.csv" one of "l2p".
std::string nameOf(const fs::path& file, const ForeignCurve& curve) {
    const fs::path whole = fs::absolute(file).lexically_normal();
    const std::string name = (curve.seed ? whole.parent_path().filename() : whole.stem()).string();
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

void writePoints(const fs::path& folder, const std::vector<AnytimePoint>& points) {
    AppendFile file(folder / "anytime.csv", "samples_seen,session,accuracy,loss,classes_seen,updates");
    for (const AnytimePoint& point : points)
        file.row({csvCell(point.samples_seen), csvCell(point.session), csvCell(point.accuracy),
                  std::isfinite(point.loss) ? csvCell(point.loss) : std::string(), "", ""});
    file.flush();
    AppendFile sessions(folder / "sessions.csv", "after_session,session,accuracy,samples");
    sessions.flush();
    for (const AppendFile* written : {&file, &sessions})
        if (!written->failure().empty())
            throw inputError(written->failure() + ".", "Choose a folder you may write to, with space left.");
}

Json summaryOf(const ForeignCurve& curve) {
    std::vector<double> accuracies;
    for (const AnytimePoint& point : curve.points) accuracies.push_back(point.accuracy);
    Json summary;
    summary["a_auc"] = orNull(areaUnderCurve(accuracies));
    summary["a_last"] = nullptr;
    summary["f_last"] = nullptr;
    summary["a_avg"] = orNull(averageAccuracy(curve.session_ends));
    summary["a_last_overall"] = curve.session_ends.empty() ? Json(nullptr) : Json(curve.session_ends.back());
    summary["f_last_classwise"] = nullptr;
    summary["sessions_ended"] = curve.session_ends.size();
    return summary;
}

void writeRun(const OptionTable& table, const fs::path& folder, const Experiment& experiment,
              const ForeignCurve& curve) {
    writePoints(folder, curve.points);
    writeExperiment(table, experiment, folder / "experiment.toml");
    replaceTextFile(folder / "summary.json", summaryOf(curve).dump(2) + "\n");
    Json files = Json::array();
    for (const fs::path& file : curve.files) files.push_back(file.filename().string());
    const std::string now = utcNow();
    const Json run = {{"format", 1},
                      {"state", toText(RecordedState::Imported)},
                      {"name", experiment.name},
                      {"seed", experiment.seed},
                      {"started", now},
                      {"ended", now},
                      {"source", files},
                      {"total_samples", curve.points.back().samples_seen},
                      {"session_starts", sessionStarts(curve.points)},
                      {"error", nullptr}};
    // run.json, which makes the folder a run, comes last.
    replaceTextFile(folder / "run.json", run.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace

fs::path importRun(const OptionTable& table, const ImportRequest& request) {
    const ForeignCurve curve = readForeignCurve(request.file, request.every);
    Experiment experiment = table.defaults();
    experiment.name = plainLine(request.name.empty() ? nameOf(request.file, curve) : request.name);
    experiment.seed = request.seed ? *request.seed : curve.seed.value_or(1);
    experiment.evaluation.every_samples = periodOf(curve.points);
    if (!curve.session_ends.empty()) experiment.stream.sessions = std::ssize(curve.session_ends);
    const fs::path folder = makeRunFolder(request.out, experiment.name, experiment.seed, "imported");
    try {
        writeRun(table, folder, experiment, curve);
    } catch (...) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
        throw;
    }
    return folder;
}

}  // namespace palimpsest
