// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/dataset_files.h"
#include "datasets/fetching/fetch.h"

namespace palimpsest {

namespace fs = std::filesystem;
using State = DatasetFileStatus::State;

DatasetStatus datasetStatus(const std::string& name, const fs::path& root, bool thorough, std::stop_token stop) {
    return datasetStatus(catalogueEntry(name), root, thorough, std::move(stop));
}

DatasetStatus datasetStatus(const DatasetInfo& info, const fs::path& root, bool thorough, std::stop_token stop) {
    DatasetStatus status;
    status.folder = datasetFolder(info, root);
    status.files = quickStatuses(info, status.folder);
    for (std::size_t i = 0; thorough && i < info.files.size(); ++i) {
        DatasetFileStatus& file = status.files[i];
        const fs::path path = status.folder / info.files[i].name;
        // An archive may be deleted after unpacking.
        std::error_code ignored;
        const bool whole = file.state == State::Present || file.state == State::NotUnpacked;
        if (!whole || !fs::exists(path, ignored)) continue;
        const auto fault = contentFault(info.files[i], path, {}, stop);
        if (!fault || fault->empty()) continue;
        file.state = State::WrongChecksum;
        file.detail = path.string() + " " + *fault + "; " +
                      (hasNameOf(info, status.folder) ? "fetch " + info.title + " again, which replaces it."
                                                      : "delete it and fetch " + info.title + " again.");
    }
    status.complete = isComplete(info, status.files);
    return status;
}

}  // namespace palimpsest
