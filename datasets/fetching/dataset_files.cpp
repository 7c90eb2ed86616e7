// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/fetching/dataset_files.h"

#include <algorithm>
#include <system_error>

#include "datasets/files/dataset_places.h"
#include "engine/support/error.h"
#include "engine/support/format.h"

namespace palimpsest {

namespace fs = std::filesystem;
using State = DatasetFileStatus::State;

namespace {

bool isUnpackedIn(const DatasetFile& file, const fs::path& folder) {
    return file.archive && !file.unpacked.empty() && pathExists(folder / file.unpacked);
}

bool hasSomeOf(const DatasetInfo& info, const fs::path& folder) {
    return std::ranges::any_of(info.files, [&folder](const DatasetFile& file) {
        return pathExists(folder / file.name) || pathExists(partOf(folder / file.name)) || isUnpackedIn(file, folder);
    });
}

std::string sizeFault(std::int64_t found, std::int64_t expected) {
    return "has " + grouped(found) + " bytes where " + grouped(expected) + " are expected";
}

}  // namespace

fs::path datasetFolder(const DatasetInfo& info, const fs::path& root) {
    const fs::path base = root.empty() ? dataFolder() : root;
    const fs::path below = base / info.name;
    return !pathExists(below) && (hasNameOf(info, base) || hasSomeOf(info, base)) ? base : below;
}

fs::path folderToFill(const DatasetInfo& info, const fs::path& root) {
    const fs::path folder = datasetFolder(info, root);
    const auto statuses = quickStatuses(info, folder);
    const bool others =
        std::ranges::any_of(statuses, [](const DatasetFileStatus& status) { return status.state == State::WrongSize; });
    return others && !hasNameOf(info, folder) && !isComplete(info, statuses) ? folder / info.name : folder;
}

bool hasNameOf(const DatasetInfo& info, const fs::path& folder) {
    return (folder.has_filename() ? folder : folder.parent_path()).filename() == info.name;
}

bool pathExists(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

fs::path partOf(const fs::path& file) {
    return file.string() + ".part";
}

DatasetFileStatus quickStatus(const DatasetInfo& info, const DatasetFile& file, const fs::path& folder) {
    DatasetFileStatus status;
    status.file = file.name;
    status.expected_bytes = file.size;
    const fs::path path = folder / file.name;
    std::error_code failure;
    const auto size = fs::file_size(path, failure);
    const bool there = !failure;
    if (there) status.found_bytes = static_cast<std::int64_t>(size);
    std::string remedy;
    if (isUnpackedIn(file, folder)) {
        status.state = State::Present;
    } else if (there && file.size > 0 && status.found_bytes != file.size) {
        status.state = State::WrongSize;
        remedy =
            "fetch " + info.title + (hasNameOf(info, folder) ? " again, which replaces it." : "; it is left alone.");
    } else if (there && file.archive && !file.unpacked.empty()) {
        status.state = State::NotUnpacked;
        remedy = "the next fetch does it, with or without a network.";
    } else if (there) {
        status.state = State::Present;
    } else if (const auto part = fs::file_size(partOf(path), failure); !failure) {
        status.state = State::Partial;
        status.found_bytes = static_cast<std::int64_t>(part);
        remedy = "the next fetch goes on from there.";
    } else {
        remedy = "fetch " + info.title + ", or give the file if you already have it.";
    }
    if (!remedy.empty()) status.detail = factOf(status, folder) + "; " + remedy;
    return status;
}

std::string factOf(const DatasetFileStatus& status, const fs::path& folder) {
    const std::string path = (folder / status.file).string();
    const std::string of_all = status.expected_bytes > 0 ? " of " + grouped(status.expected_bytes) : "";
    switch (status.state) {
        case State::Missing:
            return status.file + " is missing in " + folder.string();
        case State::Partial:
            return path + " has been fetched in part (" + grouped(status.found_bytes) + of_all + " bytes)";
        case State::WrongSize:
            return path + " " + sizeFault(status.found_bytes, status.expected_bytes);
        case State::WrongChecksum:
            return path + " has other content than its makers' file";
        case State::NotUnpacked:
            return path + " is not unpacked yet";
        case State::Present:
            break;
    }
    return path + " is there";
}

std::vector<DatasetFileStatus> quickStatuses(const DatasetInfo& info, const fs::path& folder) {
    std::vector<DatasetFileStatus> statuses;
    for (const DatasetFile& file : info.files) statuses.push_back(quickStatus(info, file, folder));
    return statuses;
}

bool isComplete(const DatasetInfo& info, const std::vector<DatasetFileStatus>& statuses) {
    const auto wholeIn = [&](const std::string& form) {
        for (std::size_t i = 0; i < info.files.size(); ++i)
            if (belongsTo(info.files[i], form) && statuses[i].state != State::Present) return false;
        return true;
    };
    return info.procedural || (!info.files.empty() && std::ranges::any_of(formsOf(info), wholeIn));
}

std::vector<std::string> formsOf(const DatasetInfo& info) {
    std::vector<std::string> forms;
    for (const bool optional : {false, true})
        for (const DatasetFile& file : info.files)
            if (file.optional == optional && !file.form.empty() && std::ranges::count(forms, file.form) == 0)
                forms.push_back(file.form);
    if (forms.empty()) forms.emplace_back();
    return forms;
}

bool belongsTo(const DatasetFile& file, const std::string& form) {
    return file.form.empty() ? !file.optional : file.form == form;
}

std::optional<std::string> contentFault(const DatasetFile& expected, const fs::path& file, const ByteProgress& progress,
                                        std::stop_token stop) {
    std::error_code unknown;
    const auto size = static_cast<std::int64_t>(fs::file_size(file, unknown));
    if (!unknown && expected.size > 0 && size != expected.size) return sizeFault(size, expected.size);
    if (expected.checksum.empty()) return "";
    const Checksum right = Checksum::parse(expected.checksum);
    const auto found = fileChecksum(file, right.kind, progress, std::move(stop));
    if (!found) return std::nullopt;
    if (found->hex == right.hex) return "";
    return std::string("has the ") + (right.kind == DigestKind::Md5 ? "MD5" : "SHA-256") + " " + found->hex +
           " where " + right.hex + " is expected";
}

}  // namespace palimpsest
