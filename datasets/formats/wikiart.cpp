// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"

#include <algorithm>

namespace palimpsest {
namespace {

constexpr std::uint64_t kWikiArtSplitSeed = 0;
/// Length of the published code's list of classes, a slip: its data have 27.
constexpr std::int64_t kDeclaredClasses = 43;

DatasetInfo wikiArtInfo() {
    return {.name = "wikiart",
            .title = "WikiArt",
            .summary = "Paintings by their style, 27 styles from abstract expressionism to ukiyo-e.",
            .origin = "Collected from WikiArt by Saleh and Elgammal (2015), sorted by style by Tan and others (2019)",
            .licence = "For research, not for trade; the pictures belong to their makers and museums",
            .classes = 27,
            .citation =
                "W. R. Tan, C. S. Chan, H. E. Aguirre and K. Tanaka. Improved ArtGAN for conditional synthesis of "
                "natural image and artwork. IEEE Transactions on Image Processing 28(1), 2019.",
            .homepage = "https://github.com/cs-chan/ArtGAN/tree/master/WikiArt%20Dataset"};
}

DatasetInfo wikiArtCodeInfo() {
    DatasetInfo info = wikiArtInfo();
    info.name = "wikiart-code";
    info.title = "WikiArt as the published code has it";
    info.summary = "43 classes are declared, of which 16 have no pictures; to compare with the published streams.";
    info.classes = kDeclaredClasses;
    info.part_of = "wikiart";
    return info;
}

/// Class name of a folder: "Pop_Art" is "Pop Art".
std::string styleName(std::string folder) {
    std::ranges::replace(folder, '_', ' ');
    return folder;
}

/// `declared`: number of classes; those beyond the folders have no pictures.
FileListing listWikiArt(const DatasetRequest& request, std::int64_t declared) {
    const DatasetPlaces places(wikiArtInfo(), request.root, {"wikiart", "wikiart/wikiart"});
    const auto folder = places.holding({"Abstract_Expressionism"});
    const auto classes = completeClassFolders(folder, wikiArtInfo());
    const LabelledFiles all = listClasses(folder, classes);
    const SeededSplit split =
        seededSplit(static_cast<std::int64_t>(all.labels.size()), kWikiArtSplitSeed, SplitOrder::Sorted);
    FileListing listing{{}, all.at(split.train), all.at(split.test)};
    for (const std::string& name : classes) listing.class_names.push_back(styleName(name));
    while (std::ssize(listing.class_names) < declared)
        listing.class_names.push_back("no style " + std::to_string(listing.class_names.size()));
    return listing;
}

DatasetSource wikiArtSourceOf(const DatasetInfo& info) {
    return fileSource(info, kImageNetStatistics, [declared = info.classes](const DatasetRequest& request) {
        return listWikiArt(request, declared);
    });
}

}  // namespace

DatasetSource wikiArtSource() {
    return wikiArtSourceOf(wikiArtInfo());
}

DatasetSource wikiArtCodeSource() {
    return wikiArtSourceOf(wikiArtCodeInfo());
}

}  // namespace palimpsest
