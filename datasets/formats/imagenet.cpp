// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"
#include "datasets/formats/wordnet.h"
#include "engine/support/error.h"
#include "engine/support/random.h"
#include "engine/support/text.h"

#include <algorithm>
#include <numeric>

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kClasses = 1000;
constexpr std::int64_t kTestEach = 50;

/// Some of the 1000 classes, by rank of their WordNet number, renumbered from 0.
struct Subset {
    DatasetInfo info;
    std::vector<std::size_t> ranks;
    std::size_t with_pictures = kClasses;  ///< the rest are classes without pictures
    std::string last{};                    ///< WordNet number of the highest class; empty: not checked
    std::string first{};                   ///< WordNet number of the lowest class
};

// Classes of ranks 99, 899 and 900: goose, water jug, water tower.
constexpr const char* kRank99 = "n01855672";
constexpr const char* kRank899 = "n04560804";
constexpr const char* kRank900 = "n04562935";

DatasetInfo imageNetInfo() {
    return {.name = "imagenet",
            .title = "ImageNet-1k",
            .summary = "Photographs of 1000 kinds of things, 1.28 million pictures; must be asked for at its makers.",
            .origin = "Olga Russakovsky and others, Stanford and Princeton Universities (ILSVRC 2012)",
            .licence = "For research and teaching, not for trade, after signing the terms of access",
            .classes = static_cast<std::int64_t>(kClasses),
            .train = 1281167,
            .test = 50000,
            .citation =
                "O. Russakovsky et al. ImageNet large scale visual recognition challenge. International Journal of "
                "Computer Vision 115(3), 2015.",
            .homepage = "https://www.image-net.org/"};
}

DatasetInfo imageNetPartInfo(const char* name, const char* title, const char* summary, std::size_t classes) {
    DatasetInfo info = imageNetInfo();
    info.name = name;
    info.title = title;
    info.summary = summary;
    info.classes = static_cast<std::int64_t>(classes);
    info.train = 0;
    info.test = kTestEach * info.classes;
    info.part_of = "imagenet";
    return info;
}

std::vector<std::size_t> ranksFrom(std::size_t first, std::size_t count) {
    std::vector<std::size_t> ranks(count);
    std::iota(ranks.begin(), ranks.end(), first);
    return ranks;
}

/// The first of torch.randperm(1000) with the seed 0, ascending.
std::vector<std::size_t> randomRanks(std::size_t count) {
    std::vector<std::size_t> ranks;
    for (const std::int64_t rank : TorchRandom(0).permutation(kClasses))
        ranks.push_back(static_cast<std::size_t>(rank));
    ranks.resize(count);
    std::sort(ranks.begin(), ranks.end());
    return ranks;
}

/// Candidates for a file that is in the folder or, as in Kaggle's archive, up to three folders above it.
std::vector<fs::path> upwards(fs::path folder, const std::string& name) {
    std::vector<fs::path> files;
    for (int level = 0; level < 4; ++level, folder = folder.parent_path()) files.push_back(folder / name);
    return files;
}

/// Folders of the subset, from all 1000, or from a folder that has no others.
std::vector<std::string> chosenFolders(const fs::path& train, const Subset& subset) {
    const std::vector<std::string> folders = classFolders(train);
    if (folders.size() == subset.ranks.size()) {
        // Other subsets of a hundred exist: the last one here, and the random one used in contrastive learning.
        if (folders.front() < subset.first || (!subset.last.empty() && folders.back() > subset.last))
            throw inputError(
                "The " + std::to_string(folders.size()) + " class folders in " + plainLine(train.string()) +
                    " are not those of " + subset.info.title + ": " +
                    plainLine(folders.front() < subset.first ? folders.front() : folders.back()) + " is another class.",
                "Name a folder with all of ImageNet, or stream this one as it is with the data set \"folder\".");
        return folders;
    }
    if (folders.size() != kClasses)
        throw inputError("In " + plainLine(train.string()) + ", " + std::to_string(kClasses) +
                             " class folders are expected, or just the " + std::to_string(subset.ranks.size()) +
                             " of " + subset.info.title + ", but it has " + std::to_string(folders.size()) + ".",
                         "Unpack ImageNet again, or stream the folder as it is with the data set \"folder\".");
    std::vector<std::string> chosen;
    for (const std::size_t rank : subset.ranks) chosen.push_back(folders[rank]);
    return chosen;
}

/// Reads Kaggle's list: a header, then picture, comma, class and corners.
Annotations readSolution(const fs::path& file) {
    Annotations annotations{file, {}};
    const auto lines = readTextLines(file);
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::size_t comma = lines[i].find(',');
        if (lines[i].empty()) continue;
        const std::string wnid = comma == std::string::npos ? "" : lines[i].substr(comma + 1, 9);
        if (!isWordnetNumber(wnid))
            throw inputError("Line " + std::to_string(i + 1) + " of " + plainLine(file.string()) +
                                 " should be a picture, a comma and a WordNet number, but is \"" +
                                 plainLine(lines[i].substr(0, 60)) + "\".",
                             "Unpack ImageNet again.");
        annotations.classes[lines[i].substr(0, comma) + ".JPEG"] = wnid;
    }
    return annotations;
}

LabelledFiles listValidation(const fs::path& folder, const std::vector<std::string>& classes) {
    if (!classFolders(folder / "val").empty()) return listClasses(folder / "val", classes);
    for (const auto& file : upwards(folder, "LOC_val_solution.csv")) {
        std::error_code ignored;
        if (fs::is_regular_file(file, ignored)) return listAnnotated(folder, "val", readSolution(file), classes);
    }
    throw inputError("The validation pictures in " + plainLine((folder / "val").string()) +
                         " are not sorted into class folders, and there is no LOC_val_solution.csv beside them.",
                     "Sort them into a folder a class, or put Kaggle's LOC_val_solution.csv there.");
}

FileListing listImageNet(const DatasetRequest& request, const Subset& subset) {
    const DatasetPlaces places(imageNetInfo(), request.root, {"imgnt", "ILSVRC2012", "ILSVRC/Data/CLS-LOC"});
    const fs::path folder = places.holding({"train", "val"});
    std::vector<std::string> classes = chosenFolders(folder / "train", subset);
    std::vector<fs::path> nameFiles = upwards(folder, "LOC_synset_mapping.txt");
    nameFiles.push_back(folder / "words.txt");
    FileListing listing;
    listing.class_names = wordnetNames(classes, nameFiles);
    classes.resize(std::min(classes.size(), subset.with_pictures));
    listing.train = listClasses(folder / "train", classes);
    listing.test = listValidation(folder, classes);
    return listing;
}

DatasetSource imageNetSource(Subset subset) {
    return fileSource(subset.info, kImageNetStatistics,
                      [subset](const DatasetRequest& request) { return listImageNet(request, subset); });
}

}  // namespace

std::vector<DatasetSource> imageNetSources() {
    Subset asPublished{imageNetPartInfo("imagenet900-code", "ImageNet-900 as the published code has it",
                                        "900 classes are declared, but pictures are of the first 100 only; to compare "
                                        "with prompts made by the published code.",
                                        900),
                       ranksFrom(0, 900), 100, kRank899};
    asPublished.info.test = 100 * kTestEach;
    return {
        imageNetSource({imageNetInfo(), ranksFrom(0, kClasses)}),
        imageNetSource({imageNetPartInfo("imagenet100", "ImageNet-100", "The first 100 classes of ImageNet-1k.", 100),
                        ranksFrom(0, 100), kClasses, kRank99}),
        imageNetSource(
            {imageNetPartInfo("imagenet900", "ImageNet-900",
                              "The first 900 classes of ImageNet-1k, which the paper adapts prompts on.", 900),
             ranksFrom(0, 900), kClasses, kRank899}),
        imageNetSource(asPublished),
        imageNetSource(
            {imageNetPartInfo("imagenet-last100", "ImageNet-1k, last 100 classes",
                              "The 100 classes that ImageNet-900 leaves out, which the paper perturbs with.", 100),
             ranksFrom(900, 100),
             kClasses,
             {},
             kRank900}),
        imageNetSource(
            {imageNetPartInfo(
                 "imagenet611", "ImageNet-611",
                 "The 611 classes of ImageNet-1k that have nothing in common with the data sets streamed afterwards.",
                 611),
             imagenet611Ranks()}),
        imageNetSource({imageNetPartInfo("imagenet-random100", "ImageNet-1k, 100 random classes",
                                         "100 classes of ImageNet-1k, drawn once by chance, for the paper's toy "
                                         "example, which does not say its own.",
                                         100),
                        randomRanks(100)})};
}

}  // namespace palimpsest
