// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/experiment_file.h"
#include "engine/record/class_list_file.h"
#include "engine/record/new_run_folder.h"
#include "engine/record/run_folder.h"
#include "engine/record/run_folder_files.h"
#include "engine/support/error.h"
#include "engine/support/json.h"
#include "engine/support/utc_time.h"

namespace palimpsest {

namespace fs = std::filesystem;
namespace {

/// The files of a run as far as the mark goes, without its checkpoints.
void copyPast(const fs::path& from, const fs::path& to, std::int64_t samplesSeen, const FolderPosition& mark) {
    for (const auto& [name, length] : mark.lengths) {
        fs::copy_file(from / name, to / name);
        fs::resize_file(to / name, static_cast<std::uintmax_t>(length));
    }
    std::vector<std::int64_t> moments = predictionMoments(from);
    if (moments.empty()) return;
    fs::create_directories(trueClassesFile(to).parent_path());
    fs::copy_file(trueClassesFile(from), trueClassesFile(to));
    for (const std::int64_t moment : moments)
        if (moment <= samplesSeen) fs::copy_file(predictionsFile(from, moment), predictionsFile(to, moment));
}

}  // namespace

std::unique_ptr<RunFolderWriter> RunFolderWriter::reopen(const OptionTable& table, const fs::path& folder,
                                                         const FolderPosition& mark) {
    auto files = std::make_unique<RunFolderFiles>(table, folder, mark);
    if (const std::string failure = files->firstFailure(); !failure.empty())
        throw inputError(failure + ".", "Check that the folder is whole and that you may write to it.");
    std::error_code ignored;
    for (const std::int64_t moment : predictionMoments(folder))
        if (moment > files->samples_seen) fs::remove(predictionsFile(folder, moment), ignored);
    Json& run = files->run;
    run["state"] = "running";
    run["ended"] = nullptr;
    run["error"] = nullptr;
    run["hint"] = nullptr;
    run["resumed"].push_back({{"samples_seen", files->samples_seen}, {"at", utcNow()}});
    files->nameProcess();
    files->writeRun();
    return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(folder, std::move(files)));
}

std::unique_ptr<RunFolderWriter> RunFolderWriter::branch(const OptionTable& table, const Experiment& experiment,
                                                         const fs::path& parent, const fs::path& exact,
                                                         const fs::path& origin, std::int64_t samplesSeen,
                                                         const FolderPosition& mark) {
    const bool made = exact.empty() || madeOrEmpty(exact);
    const fs::path folder = exact.empty() ? makeRunFolder(parent, experiment.name, experiment.seed, "run") : exact;
    claimRunFolder(folder, made);
    try {
        writeExperiment(table, experiment, folder / "experiment.toml");
        copyPast(origin, folder, samplesSeen, mark);
        auto files = std::make_unique<RunFolderFiles>(table, folder, mark);
        files->made = made;
        files->forked = true;
        Json& run = files->run;
        run["state"] = "running";
        run["name"] = experiment.name;
        run["started"] = utcNow();
        run["ended"] = run["error"] = run["hint"] = nullptr;
        run["parent"] = {{"run", fs::absolute(origin).lexically_normal().string()}, {"samples_seen", samplesSeen}};
        run["resumed"] = Json::array();
        files->nameProcess();
        files->writeRun();
        return std::unique_ptr<RunFolderWriter>(new RunFolderWriter(folder, std::move(files)));
    } catch (const fs::filesystem_error& error) {
        takeRunAway(folder, made);
        throw inputError("The past of " + origin.string() + " cannot be copied: " + error.code().message() + ".",
                         "Check that there is room, and that the run is whole.");
    } catch (...) {
        takeRunAway(folder, made);
        throw;
    }
}

}  // namespace palimpsest
