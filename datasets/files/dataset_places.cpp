// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"

#include "engine/support/error.h"
#include "engine/support/process.h"
#include "engine/support/text.h"

#include <algorithm>
#include <system_error>

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

const std::string kRootAdvice = std::string(kRootOption) + " or in ";

}  // namespace

fs::path dataFolder() {
    return userFolder("PALIMPSEST_DATA", "XDG_DATA_HOME", ".local/share", "data");
}

DatasetPlaces::DatasetPlaces(const DatasetInfo& info, const fs::path& root, const std::vector<std::string>& below)
    : info_(info), base_(root.empty() ? dataFolder() : root) {
    for (const fs::path& folder : {base_ / info.name, base_}) {
        add(folder);
        for (const auto& name : below) add(folder / name);
    }
}

void DatasetPlaces::add(fs::path place) {
    if (std::find(all_.begin(), all_.end(), place) == all_.end()) all_.push_back(std::move(place));
}

fs::path DatasetPlaces::holding(const std::vector<std::string>& files) const {
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const fs::path& place) {
        return std::all_of(files.begin(), files.end(), [&](const std::string& file) {
            std::error_code ignored;
            return fs::exists(place / file, ignored);
        });
    });
    if (found != all_.end()) return *found;
    notFound(enumeration(files));
}

void DatasetPlaces::notFound(const std::string& wanted, const std::string& remedy) const {
    std::string below;
    std::string elsewhere;
    for (const fs::path& place : all_) {
        if (place == base_) continue;
        const fs::path relative = place.lexically_relative(base_);
        const bool inside = !relative.empty() && *relative.begin() != "..";
        std::string& list = inside ? below : elsewhere;
        list += (list.empty() ? "" : ", ") + plainLine((inside ? relative : place).string());
    }
    throw inputError(info_.title + " was not found: looked for " + wanted + " in " + plainLine(base_.string()) +
                         (below.empty() ? "" : ", and there in " + below) +
                         (elsewhere.empty() ? "" : ", and in " + elsewhere) + ".",
                     remedy.empty() ? remedyFor(info_) : remedy);
}

std::string remedyFor(const DatasetInfo& info, const std::string& packages) {
    const bool fetchable =
        std::any_of(info.files.begin(), info.files.end(), [](const DatasetFile& file) { return !file.urls.empty(); });
    std::string remedy = packages.empty() ? "" : "Install it with \"sudo apt install " + packages + "\"";
    if (fetchable)
        remedy +=
            (remedy.empty() ? "Fetch" : ", fetch") + (" it with \"palimpsest-cli dataset fetch " + info.name + "\"");
    else if (packages.empty())
        remedy += "Get it from " + info.homepage + " and unpack it";
    return remedy + ", or name the folder that holds it in " + kRootAdvice +
           "the environment variable PALIMPSEST_DATA.";
}

std::string remedyForRoot(const fs::path& system, const std::string& packages) {
    return std::string("Without ") + kRootOption + " what is installed in " + system.string() + " is taken" +
           (packages.empty() ? "" : ", once \"sudo apt install " + packages + "\" has installed it") +
           "; otherwise name the folder that holds the data set.";
}

std::string withoutRootAdvice(std::string hint) {
    if (const std::size_t at = hint.find(kRootAdvice); at != std::string::npos) hint.erase(at, kRootAdvice.size());
    return hint;
}

}  // namespace palimpsest
