// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/image_folder.h"

#include <algorithm>
#include <system_error>

#include "datasets/formats/image_file.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// Largest depth of folders, since links may lead back up.
constexpr int kDeepest = 16;
constexpr std::size_t kMostFiles = 20'000'000;
constexpr std::size_t kMostNamed = 5;

struct Entries {
    std::vector<std::string> folders, files;
};

bool isSkipped(const std::string& name) {
    return name.starts_with('.') || name == "__MACOSX";
}

Entries entriesOf(const fs::path& folder) {
    std::error_code failure;
    Entries entries;
    fs::directory_iterator entry(folder, failure);
    for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
        StopScope::check();
        std::string name = entry->path().filename().string();
        if (isSkipped(name)) continue;
        std::error_code gone;
        (entry->is_directory(gone) ? entries.folders : entries.files).push_back(std::move(name));
        if (entries.files.size() > kMostFiles) break;
    }
    if (failure)
        throw inputError("The folder " + plainLine(folder.string()) + " cannot be read: " + failure.message() + ".",
                         "Check that it exists and that you may open it.");
    std::sort(entries.folders.begin(), entries.folders.end());
    std::sort(entries.files.begin(), entries.files.end());
    return entries;
}

struct Folder {
    std::string path;  ///< relative to the root
    std::vector<std::string> files;
};

void collect(const fs::path& root, const std::string& path, int depth, std::vector<Folder>& to) {
    Entries entries = entriesOf(root / path);
    to.push_back({path, std::move(entries.files)});
    if (depth == kDeepest && !entries.folders.empty())
        throw inputError("The folder " + plainLine((root / path).string()) + " lies more than " +
                             std::to_string(kDeepest) + " folders below its class.",
                         "Check whether a link leads back to a folder above it.");
    for (const auto& name : entries.folders) collect(root, path + "/" + name, depth + 1, to);
}

}  // namespace

std::vector<std::string> classFolders(const fs::path& root) {
    return entriesOf(root).folders;
}

std::vector<std::string> pictureNames(const fs::path& folder) {
    std::vector<std::string> names = entriesOf(folder).files;
    std::erase_if(names, [](const std::string& name) { return !isImageName(name); });
    return names;
}

std::int64_t addPictures(LabelledFiles& files, const std::string& folder, std::int32_t label) {
    std::vector<Folder> folders;
    collect(files.root, folder, 0, folders);
    // Sorted by whole path: "a-b" comes before "a/b".
    std::sort(folders.begin(), folders.end(), [](const Folder& a, const Folder& b) { return a.path < b.path; });
    std::int64_t count = 0;
    for (const auto& [path, names] : folders)
        for (const auto& name : names) {
            if (!isImageName(name)) {
                ++files.ignored;
                continue;
            }
            files.add(path + "/" + name, label);
            ++count;
        }
    if (files.labels.size() > kMostFiles)
        throw inputError("The folder " + plainLine(files.root.string()) + " holds more than " +
                             std::to_string(kMostFiles) + " pictures.",
                         "Give a smaller one.");
    return count;
}

LabelledFiles listClasses(const fs::path& root, const std::vector<std::string>& classes) {
    LabelledFiles files;
    files.root = root;
    std::string empty;
    std::size_t emptyOnes = 0;
    for (std::size_t c = 0; c < classes.size(); ++c) {
        if (addPictures(files, classes[c], static_cast<std::int32_t>(c)) > 0) continue;
        if (++emptyOnes <= kMostNamed) empty += (emptyOnes > 1 ? ", " : "") + plainLine(classes[c]);
    }
    if (emptyOnes > kMostNamed) empty += " and " + std::to_string(emptyOnes - kMostNamed) + " more";
    if (emptyOnes > 0)
        throw inputError("In " + plainLine(root.string()) + ", there are no pictures in " + empty +
                             (files.ignored > 0 ? "; " + counted(files.ignored, "file of another kind was passed over.",
                                                                 "files of other kinds were passed over.")
                                                : "."),
                         "Take the empty folders out, or put JPEG, PNG, BMP, PPM, TIFF or WebP pictures in.");
    return files;
}

std::vector<std::string> completeClassFolders(const std::filesystem::path& root, const DatasetInfo& info) {
    std::vector<std::string> folders = classFolders(root);
    if (static_cast<std::int64_t>(folders.size()) != info.classes)
        throw inputError(info.title + " in " + plainLine(root.string()) +
                             " is incomplete or not alone there: " + std::to_string(info.classes) +
                             " class folders are expected, but it has " + std::to_string(folders.size()) + ".",
                         "Unpack it again, or stream the folder as it is with the data set \"folder\".");
    return folders;
}

LabelledFiles listAnnotated(const std::filesystem::path& root, const std::string& folder,
                            const Annotations& annotations, const std::vector<std::string>& classes) {
    std::map<std::string, std::int32_t> labels;
    for (std::size_t c = 0; c < classes.size(); ++c) labels[classes[c]] = static_cast<std::int32_t>(c);
    const std::string place = plainLine((root / folder).string());
    const std::string list = plainLine(annotations.file.string());
    const auto names = pictureNames(root / folder);
    LabelledFiles files;
    files.root = root;
    for (const auto& name : names) {
        const auto annotated = annotations.classes.find(name);
        if (annotated == annotations.classes.end())
            throw inputError("The picture " + plainLine(name) + " in " + place + " is not in the list " + list + ".",
                             "Unpack the data set again.");
        if (const auto label = labels.find(annotated->second); label != labels.end())
            files.add(folder + "/" + name, label->second);
    }
    // The list contains every picture, so fewer pictures than lines means that some are missing.
    if (names.size() != annotations.classes.size()) {
        const auto missing =
            std::find_if(annotations.classes.begin(), annotations.classes.end(),
                         [&](const auto& line) { return !std::binary_search(names.begin(), names.end(), line.first); });
        throw inputError("In " + place + ", " + std::to_string(annotations.classes.size()) +
                             " pictures are expected after " + list + ", but there are " +
                             std::to_string(names.size()) + "; " + plainLine(missing->first) + " is missing.",
                         "Unpack the data set again.");
    }
    return files;
}

}  // namespace palimpsest
