// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"
#include "datasets/formats/wordnet.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kImagenetRSplitSeed = 0;

DatasetInfo imagenetRInfo() {
    return {
        .name = "imagenet-r",
        .title = "ImageNet-R",
        .summary = "Art, cartoons, toys, sculptures and other renditions of 200 classes of ImageNet, 30,000 pictures.",
        .origin = "Dan Hendrycks and others, University of California, Berkeley (2021)",
        .licence = "None stated for the pictures; they belong to their makers",
        .classes = 200,
        .train = 24000,
        .test = 6000,
        .citation =
            "D. Hendrycks et al. The many faces of robustness: a critical analysis of out-of-distribution "
            "generalization. ICCV 2021.",
        .homepage = "https://github.com/hendrycks/imagenet-r",
        .files = {{.name = "imagenet-r.tar",
                   .size = 2191079936,
                   .checksum = "sha256:18c6bf493b39a0d975d48e587437f562caab9c52ae6327dcfa9dd8eb54aa1b52",
                   .urls = {"https://people.eecs.berkeley.edu/~hendrycks/imagenet-r.tar"},
                   .archive = true,
                   .unpacked = "imagenet-r",
                   .form = {}}}};
}

std::filesystem::path findFolder(const std::filesystem::path& root) {
    const DatasetPlaces places(imagenetRInfo(), root, {"imagenet-r"});
    // The class distinguishes the real folder from folders above it, which hold folders too.
    return places.holding({"n01443537"});
}

FileListing listImagenetR(const DatasetRequest& request) {
    const auto folder = findFolder(request.root);
    const auto classes = completeClassFolders(folder, imagenetRInfo());
    const LabelledFiles all = listClasses(folder, classes);
    const SeededSplit split =
        seededSplit(static_cast<std::int64_t>(all.labels.size()), kImagenetRSplitSeed, SplitOrder::Sorted);
    return {wordnetNames(classes, {folder / "words.txt", folder / "README.txt"}), all.at(split.train),
            all.at(split.test)};
}

}  // namespace

DatasetSource imagenetRSource() {
    return fileSource(imagenetRInfo(), kImageNetStatistics, listImagenetR);
}

}  // namespace palimpsest
