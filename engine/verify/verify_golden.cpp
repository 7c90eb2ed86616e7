// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/network/compute.h"
#include "engine/network/device_copies.h"
#include "engine/support/error.h"
#include "engine/support/text.h"
#include "engine/verify/case_check.h"
#include "engine/verify/golden_place.h"
#include "engine/verify/verify_cases.h"

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

/// Verifies the cases of a file. A malformed file becomes one failed case, and the next files follow.
template <class Verify>
std::size_t verifyFile(const std::filesystem::path& file, const CaseReport& report, Verify verify) {
    std::error_code unreadable;
    if (!std::filesystem::exists(file, unreadable)) return 0;
    std::size_t cases = 0;
    const auto failed = guarded(file.stem().string(), [&]() -> VerifiedCase {
        cases = verify(file);
        return {{}, CaseResult::Ok, 0, 0, {}};
    });
    if (failed.result == CaseResult::Ok) return cases;
    report(failed);
    return 1;
}

}  // namespace

void verifyGolden(const std::filesystem::path& folder, const CaseReport& report, const VerifyPlace& place) {
    // Names and reasons have words of the files in them.
    const CaseReport plain = [&report](VerifiedCase entry) {
        entry.name = plainSentence(entry.name);
        entry.detail = plainSentence(entry.detail);
        report(entry);
    };
    if (!std::filesystem::is_directory(folder))
        throw inputError("There is no folder " + folder.string() + ".", "Give the folder of the golden files.");
    // Golden numbers are float32 on a CPU; networks this small gain nothing from a second thread.
    const Compute compute = prepareCompute(place.device, "float32", 1);
    const ComputeStream stream(compute.device);
    const GoldenPlace computed(compute.device, place.slack);
    using Path = std::filesystem::path;
    std::size_t cases = 0;
    cases += verifyFile(folder / "streams.json", plain,
                        [&](const Path& json) { return verifyStreams(json, trainLabels, plain); });
    cases += verifyFile(folder / "metrics.json", plain, [&](const Path& json) { return verifyMetrics(json, plain); });
    cases += verifyFile(folder / "memory_decisions.json", plain,
                        [&](const Path& json) { return verifyMemory(json, plain); });
    for (const Path& file : tensorFiles(folder / "parity")) {
        plain(guarded("parity/" + file.stem().string(), [&] { return verifyParity(folder, file); }));
        ++cases;
    }
    for (const Path& file : tensorFiles(folder / "trajectories")) {
        plain(guarded("trajectories/" + file.stem().string(), [&] { return verifyTrajectory(folder, file); }));
        ++cases;
    }
    cases += verifyFile(folder / "end_to_end.json", plain,
                        [&](const Path& json) { return verifyEndToEnd(folder, json, plain); });
    if (cases == 0)
        throw inputError("The folder " + folder.string() + " holds no golden file that this program understands.",
                         "Give a folder with streams.json, metrics.json, parity/ or trajectories/.");
}

}  // namespace palimpsest
