// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <system_error>

#include "engine/record/copy_mark.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFiles = 50'000;
/// Runs whose folders are measured, at most.
constexpr std::size_t kMostAlike = 5;

/// Decides nothing of how much a run keeps.
bool changesNoSize(const std::string& key) {
    return key == "name" || key == "seed" || key == "device" || key == "precision" || key == "threads" ||
           key == "mask.name" || key == "training.learning_rate";
}

struct Part {
    const char* key;
    const char* words;
    std::int64_t RunBytes::*bytes;
};
constexpr Part kParts[] = {{"checkpoints", "checkpoints", &RunBytes::checkpoints},
                           {"features", "features for the map", &RunBytes::features},
                           {"predictions", "guesses of test images", &RunBytes::predictions},
                           {"tables", "tables", &RunBytes::tables}};

}  // namespace

RunBytes& RunBytes::add(const RunBytes& other, std::int64_t times) {
    for (const Part& part : kParts) this->*part.bytes += other.*part.bytes * times;
    return *this;
}

const char* RunBytes::most() const {
    return std::ranges::max_element(kParts, {}, [this](const Part& part) { return this->*part.bytes; })->words;
}

RunBytes meanOf(const std::vector<RunBytes>& runs) {
    RunBytes mean;
    for (const RunBytes& run : runs) mean.add(run);
    for (const Part& part : kParts)
        if (!runs.empty()) mean.*part.bytes /= std::ssize(runs);
    return mean;
}

RunBytes bytesOf(const fs::path& run) {
    RunBytes kept;
    std::error_code error;
    int files = 0;
    for (fs::recursive_directory_iterator entry(run, error), end; !error && entry != end && files < kMostFiles;
         entry.increment(error), ++files) {
        std::error_code gone;
        if (!fs::is_regular_file(entry->symlink_status(gone)) || gone) continue;
        const std::uintmax_t size = fs::file_size(entry->path(), gone);
        if (gone) continue;
        const std::string top = entry->path().lexically_relative(run).begin()->string();
        std::int64_t& part = top == "checkpoints"                               ? kept.checkpoints
                             : top == "features.csv"                            ? kept.features
                             : top == "predictions" || top == "predictions.csv" ? kept.predictions
                                                                                : kept.tables;
        part += static_cast<std::int64_t>(size);
    }
    return kept;
}

nlohmann::json jsonOf(const RunBytes& bytes) {
    nlohmann::json json;
    for (const Part& part : kParts) json[part.key] = bytes.*part.bytes;
    return json;
}

RunBytes bytesIn(const nlohmann::json& json) {
    RunBytes bytes;
    if (!json.is_object()) return bytes;
    for (const Part& part : kParts) {
        const auto at = json.find(part.key);
        if (at != json.end() && at->is_number())
            bytes.*part.bytes = static_cast<std::int64_t>(std::clamp(at->get<double>(), 0.0, 9e15));
    }
    return bytes;
}

std::vector<fs::path> runsThatKeepAlike(const OptionTable& table,
                                        const std::vector<std::shared_ptr<const RunRecord>>& runs,
                                        const Experiment& experiment, const std::set<std::string>& varied) {
    std::vector<fs::path> alike;
    // One run cannot speak for streams of several lengths.
    if (!std::ranges::all_of(varied, changesNoSize)) return alike;
    for (const auto& run : runs) {
        if (alike.size() == kMostAlike) break;
        if (run->state != RecordedState::Finished) continue;
        const bool same = std::ranges::all_of(table.options(), [&](const Option& option) {
            return changesNoSize(option.key) || option.get(run->experiment) == option.get(experiment);
        });
        if (same && !liesInCopy(run->folder)) alike.push_back(run->folder);
    }
    return alike;
}

}  // namespace palimpsest
