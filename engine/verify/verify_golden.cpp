// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include "datasets/image_dataset.h"
#include "engine/network/compute.h"
#include "engine/support/error.h"
#include "engine/verify/verify_learning.h"
#include "engine/verify/verify_metrics.h"
#include "engine/verify/verify_streams.h"

namespace palimpsest {
namespace {

std::vector<std::int32_t> trainLabels(const std::string& name) {
    DatasetRequest request;
    request.name = name;
    return openLabels(request).train;
}

std::set<std::filesystem::path> tensorFiles(const std::filesystem::path& folder) {
    std::set<std::filesystem::path> files;
    if (!std::filesystem::is_directory(folder)) return files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
        if (entry.path().extension() == ".safetensors" && entry.path().stem() != "batch") files.insert(entry.path());
    return files;
}

/// A malformed case is one failed case, not the end of the verification.
template <class Work>
void guarded(const std::string& name, const CaseReport& report, Work work) {
    try {
        work();
    } catch (const std::exception& error) {
        report({name, CaseResult::Fail, 0, 0, error.what()});
    }
}

}  // namespace

void verifyGolden(const std::filesystem::path& folder, const CaseReport& report) {
    if (!std::filesystem::is_directory(folder))
        throw inputError("There is no folder " + folder.string() + ".", "Give the folder of the golden files.");
    // Golden numbers are float32 on a CPU; networks this small gain nothing from a second thread.
    prepareCompute("cpu", "float32", 1);
    std::size_t cases = 0;
    if (const auto json = folder / "streams.json"; std::filesystem::exists(json))
        cases += verifyStreams(json, trainLabels, report);
    if (const auto json = folder / "metrics.json"; std::filesystem::exists(json)) cases += verifyMetrics(json, report);
    if (const auto json = folder / "memory_decisions.json"; std::filesystem::exists(json))
        cases += verifyMemory(json, report);
    for (const auto& file : tensorFiles(folder / "parity")) {
        guarded("parity/" + file.stem().string(), report, [&] { verifyParity(folder, file, report); });
        ++cases;
    }
    for (const auto& file : tensorFiles(folder / "trajectories")) {
        guarded("trajectories/" + file.stem().string(), report, [&] { verifyTrajectory(folder, file, report); });
        ++cases;
    }
    if (const auto json = folder / "end_to_end.json"; std::filesystem::exists(json))
        guarded("end_to_end", report, [&] { cases += verifyEndToEnd(folder, json, report); });
    if (cases == 0)
        throw inputError("The folder " + folder.string() + " holds no golden file that this program understands.",
                         "Give a folder with streams.json, metrics.json, parity/ or trajectories/.");
}

}  // namespace palimpsest
