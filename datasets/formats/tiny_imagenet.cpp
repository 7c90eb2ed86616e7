// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"
#include "datasets/formats/wordnet.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

#include <algorithm>
#include <map>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

DatasetInfo tinyImageNetInfo() {
    return {.name = "tinyimagenet",
            .title = "Tiny-ImageNet",
            .summary = "Small photographs of animals and things, 64 by 64 pixels, 200 classes of ImageNet.",
            .origin = "Stanford University, course CS231n (2015), from ImageNet",
            .licence = "As ImageNet: for research and teaching, not for trade",
            .classes = 200,
            .train = 100000,
            .test = 10000,
            .citation = "Y. Le and X. Yang. Tiny ImageNet visual recognition challenge. Stanford CS231n report, 2015.",
            .homepage = "http://cs231n.stanford.edu/",
            .files = {{.name = "tiny-imagenet-200.zip",
                       .size = 248100043,
                       .checksum = "sha256:6198c8ae015e2b3e007c7841da39ec069199b9aa3bfa943a462022fe5e43c821",
                       .urls = {"http://cs231n.stanford.edu/tiny-imagenet-200.zip",
                                "https://cs231n.stanford.edu/tiny-imagenet-200.zip"},
                       .archive = true,
                       .unpacked = "tiny-imagenet-200",
                       .form = {}}}};
}

/// The lines of wnids.txt; their order, not the folders', numbers the classes.
std::vector<std::string> readClasses(const fs::path& file) {
    std::vector<std::string> classes = readTextLines(file);
    std::erase(classes, "");
    for (std::size_t c = 0; c < classes.size(); ++c)
        if (!isWordnetNumber(classes[c]) || std::find(classes.begin(), classes.begin() + static_cast<std::ptrdiff_t>(c),
                                                      classes[c]) != classes.begin() + static_cast<std::ptrdiff_t>(c))
            throw inputError("Line " + std::to_string(c + 1) + " of " + plainLine(file.string()) +
                                 " should be a WordNet number like n01443537, each once, but is \"" +
                                 plainLine(classes[c]) + "\".",
                             "Unpack the data set again.");
    if (classes.empty())
        throw inputError("The file " + plainLine(file.string()) + " names no class.", "Unpack the data set again.");
    return classes;
}

/// Lists training pictures in folder order, with the labels of wnids.txt.
LabelledFiles readTrain(const fs::path& folder, const std::vector<std::string>& classes) {
    const std::vector<std::string> folders = classFolders(folder / "train");
    std::vector<std::string> sorted = classes;
    std::sort(sorted.begin(), sorted.end());
    if (folders != sorted)
        throw inputError("The class folders in " + plainLine((folder / "train").string()) +
                             " are not those of wnids.txt: " + std::to_string(classes.size()) +
                             " are expected, and it has " + std::to_string(folders.size()) + ".",
                         "Unpack the data set again.");
    LabelledFiles files = listClasses(folder / "train", folders);
    std::vector<std::int32_t> labelOfRank;
    for (const auto& name : folders)
        labelOfRank.push_back(
            static_cast<std::int32_t>(std::find(classes.begin(), classes.end(), name) - classes.begin()));
    for (std::int32_t& label : files.labels) label = labelOfRank[static_cast<std::size_t>(label)];
    return files;
}

/// Reads lines of picture, class and four corners, separated by tabs.
Annotations readAnnotations(const fs::path& file, const std::vector<std::string>& classes) {
    Annotations annotations{file, {}};
    std::size_t number = 0;
    for (const auto& line : readTextLines(file)) {
        ++number;
        if (line.empty()) continue;
        const std::size_t tab = line.find('\t');
        const std::string name = line.substr(0, tab);
        const std::string wnid =
            tab == std::string::npos ? "" : line.substr(tab + 1, line.find('\t', tab + 1) - tab - 1);
        if (std::find(classes.begin(), classes.end(), wnid) == classes.end())
            throw inputError("Line " + std::to_string(number) + " of " + plainLine(file.string()) +
                                 " should be a picture, a tab and a class of wnids.txt, but is \"" +
                                 plainLine(line.substr(0, 60)) + "\".",
                             "Unpack the data set again.");
        annotations.classes[name] = wnid;
    }
    return annotations;
}

FileListing listTinyImageNet(const DatasetRequest& request) {
    const DatasetPlaces places(tinyImageNetInfo(), request.root, {"tiny-imagenet-200"});
    const fs::path folder = places.holding({"wnids.txt", "train", "val"});
    const auto classes = readClasses(folder / "wnids.txt");
    return {wordnetNames(classes, {folder / "words.txt"}), readTrain(folder, classes),
            listAnnotated(folder / "val", "images", readAnnotations(folder / "val" / "val_annotations.txt", classes),
                          classes)};
}

}  // namespace

DatasetSource tinyImageNetSource() {
    return fileSource(tinyImageNetInfo(), kTinyImageNetStatistics, listTinyImageNet);
}

}  // namespace palimpsest
