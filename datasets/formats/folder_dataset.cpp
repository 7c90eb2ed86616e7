// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/text.h"

#include <algorithm>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kFolderSplitSeed = 0;
constexpr const char* kLayout =
    "Put the pictures of each class into a folder of its own, all in one folder or in train and test within it.";

DatasetInfo folderInfo() {
    return {.name = "folder",
            .title = "Folder of images",
            .summary =
                "Your own pictures: a folder for each class, or train and test with a folder for each class in both.",
            .origin = std::string("Yours; name the folder in ") + kRootOption,
            .licence = "Yours"};
}

/// The folder with one of the usual names of a part, in lower or upper case; empty if there is none.
std::string partNamed(const std::vector<std::string>& folders, const std::vector<std::string>& names) {
    for (const auto& name : names)
        for (const auto& folder : folders) {
            std::string small = folder;
            for (char& c : small) c = asciiLower(c);
            if (small == name) return folder;
        }
    return {};
}

void requireClasses(const fs::path& root, const std::vector<std::string>& classes) {
    if (classes.size() >= 2) return;
    const std::size_t loose = pictureNames(root).size();
    throw inputError(
        "The folder " + plainLine(root.string()) + " has " +
            (classes.empty() ? "no class folders" : "a single class folder, " + plainLine(classes[0])) +
            (loose > 0 ? " and " + counted(static_cast<std::int64_t>(loose), "loose picture", "loose pictures") + "."
                       : "."),
        kLayout);
}

/// Lists the test part, whose classes must be among the training part's; it may lack some.
LabelledFiles listTest(const fs::path& root, const std::vector<std::string>& classes) {
    LabelledFiles files;
    files.root = root;
    const auto folders = classFolders(root);
    for (const auto& folder : folders)
        if (!std::binary_search(classes.begin(), classes.end(), folder))
            throw inputError(
                "The class " + plainLine(folder) + " in " + plainLine(root.string()) + " has no training pictures.",
                "Take it out, or put a folder of the same name into the training part.");
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (std::binary_search(folders.begin(), folders.end(), classes[c]))
            addPictures(files, classes[c], static_cast<std::int32_t>(c));
    if (files.labels.empty())
        throw inputError("There are no test pictures in " + plainLine(root.string()) + ".", kLayout);
    return files;
}

FileListing split(const fs::path& root, const std::vector<std::string>& classes) {
    const LabelledFiles all = listClasses(root, classes);
    const SeededSplit parts =
        seededSplit(static_cast<std::int64_t>(all.labels.size()), kFolderSplitSeed, SplitOrder::Sorted);
    if (parts.train.empty() || parts.test.empty())
        throw inputError(
            "The folder " + plainLine(root.string()) + " has too few pictures to set some apart for tests.",
            "Add pictures.");
    return {classes, all.at(parts.train), all.at(parts.test)};
}

FileListing listFolder(const DatasetRequest& request) {
    const fs::path& root = request.root;
    if (root.empty())
        throw inputError("The data set \"folder\" needs a folder of pictures.",
                         std::string("Name it in ") + kRootOption + ".");
    const auto folders = classFolders(root);
    const std::string train = partNamed(folders, {"train", "training"});
    const std::string test = partNamed(folders, {"test", "testing", "val", "valid", "validation"});
    // A class may be called "train" too; it is a part only beside a test part, or alone.
    if (!train.empty() && (!test.empty() || folders.size() == 1)) {
        const auto classes = classFolders(root / train);
        requireClasses(root / train, classes);
        if (test.empty()) return split(root / train, classes);
        return {classes, listClasses(root / train, classes), listTest(root / test, classes)};
    }
    requireClasses(root, folders);
    return split(root, folders);
}

}  // namespace

DatasetSource folderSource() {
    return fileSource(folderInfo(), kImageNetStatistics, listFolder);
}

}  // namespace palimpsest
