// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/run_bytes.h"

#include <QCoreApplication>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <system_error>

#include "engine/support/json.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr int kMostFiles = 50'000;

QString partText(const char* text) {
    return QCoreApplication::translate("RunBytes", text);
}

}  // namespace

QString RunBytes::most() const {
    const double largest = std::max({checkpoints, features, predictions, tables});
    if (largest <= checkpoints) return partText("checkpoints");
    if (largest <= features) return partText("features for the map");
    return largest <= predictions ? partText("guesses of test images") : partText("tables");
}

RunBytes meanOf(const std::vector<RunBytes>& runs) {
    RunBytes mean;
    const auto count = static_cast<double>(runs.size());
    for (const RunBytes& run : runs) {
        mean.checkpoints += run.checkpoints / count;
        mean.features += run.features / count;
        mean.predictions += run.predictions / count;
        mean.tables += run.tables / count;
    }
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
        double& part = top == "checkpoints"                               ? kept.checkpoints
                       : top == "features.csv"                            ? kept.features
                       : top == "predictions" || top == "predictions.csv" ? kept.predictions
                                                                          : kept.tables;
        part += static_cast<double>(size);
    }
    return kept;
}

RunBytes bytesIn(std::string_view output) {
    RunBytes kept;
    for (std::size_t begin = 0; begin < output.size();) {
        const std::size_t end = std::min(output.find('\n', begin), output.size());
        const Json json = parsedJson(output.substr(begin, end - begin));
        begin = end + 1;
        if (!json.is_object() || !json.contains("disk_parts") || !json["disk_parts"].is_object()) continue;
        const auto number = [&](const char* key) {
            const Json part = json["disk_parts"].value(key, Json());
            return part.is_number() ? std::clamp(part.get<double>(), 0.0, 9e15) : 0.0;
        };
        kept = {number("checkpoints"), number("features"), number("predictions"), number("tables")};
    }
    return kept;
}

}  // namespace palimpsest
