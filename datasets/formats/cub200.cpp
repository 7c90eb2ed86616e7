// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"

#include <algorithm>

namespace palimpsest {
namespace {

constexpr std::uint64_t kCubSplitSeed = 42;
/// First of the classes with which initial session adaptation perturbs; it trains on the ones before.
constexpr std::int32_t kBorder = 175;

DatasetInfo cubInfo() {
    return {.name = "cub200",
            .title = "CUB-200-2011",
            .summary = "Photographs of birds, 200 species, 11,788 pictures.",
            .origin = "Catherine Wah and others, California Institute of Technology (2011)",
            .licence = "For research and teaching, not for trade; the pictures belong to their makers",
            .classes = 200,
            .train = 9430,
            .test = 2358,
            .citation =
                "C. Wah, S. Branson, P. Welinder, P. Perona and S. Belongie. The Caltech-UCSD Birds-200-2011 dataset. "
                "Technical report CNS-TR-2011-001, California Institute of Technology, 2011.",
            .homepage = "https://www.vision.caltech.edu/datasets/cub_200_2011/",
            .files = {{.name = "CUB_200_2011.tgz",
                       .size = 1150585339,
                       .checksum = "sha256:0c685df5597a8b24909f6a7c9db6d11e008733779a671760afef78feb49bf081",
                       .urls = {"https://data.caltech.edu/records/65de6-vp158/files/CUB_200_2011.tgz?download=1",
                                "https://data.caltech.edu/api/records/65de6-vp158/files/CUB_200_2011.tgz/content"},
                       .archive = true,
                       .unpacked = "CUB_200_2011",
                       .form = {}}}};
}

/// Info of a part of the classes, read from the files of the whole; its number of pictures is known once it is opened.
DatasetInfo cubPartInfo(const char* name, const char* title, const char* summary, std::int64_t classes) {
    DatasetInfo info = cubInfo();
    info.name = name;
    info.title = title;
    info.summary = summary;
    info.classes = classes;
    info.train = 0;
    info.test = 0;
    info.files.clear();
    info.part_of = "cub200";
    return info;
}

/// Class name of a folder: "001.Black_footed_Albatross" is "Black footed Albatross".
std::string birdName(std::string folder) {
    folder.erase(0, folder.find('.') + 1);
    std::replace(folder.begin(), folder.end(), '_', ' ');
    return folder;
}

LabelledFiles labelled(const LabelledFiles& all, std::span<const std::int64_t> indices, std::int32_t first,
                       std::int32_t last) {
    std::vector<std::int64_t> inside;
    std::copy_if(indices.begin(), indices.end(), std::back_inserter(inside), [&](std::int64_t index) {
        const std::int32_t label = all.labels[static_cast<std::size_t>(index)];
        return label >= first && label < last;
    });
    LabelledFiles chosen = all.at(inside);
    for (std::int32_t& label : chosen.labels) label -= first;
    return chosen;
}

/// Lists classes first..last-1 of the split of all 200.
FileListing listCub(const DatasetRequest& request, std::int32_t first, std::int32_t last) {
    const DatasetInfo whole = cubInfo();
    const DatasetPlaces places(whole, request.root, {"images", "CUB_200_2011/images", "CUB200-2011/images"});
    const auto folder = places.holding({"001.Black_footed_Albatross"});
    const auto classes = completeClassFolders(folder, whole);
    const LabelledFiles all = listClasses(folder, classes);
    const SeededSplit split =
        seededSplit(static_cast<std::int64_t>(all.labels.size()), kCubSplitSeed, SplitOrder::Permuted);
    FileListing listing;
    for (std::int32_t c = first; c < last; ++c)
        listing.class_names.push_back(birdName(classes[static_cast<std::size_t>(c)]));
    listing.train = labelled(all, split.train, first, last);
    listing.test = labelled(all, split.test, first, last);
    return listing;
}

DatasetSource cubSource(DatasetInfo info, std::int32_t first, std::int32_t last) {
    // MISA normalises birds with the numbers of CIFAR-100; the Si-Blurry code with those of ImageNet.
    return fileSource(std::move(info), kCifar100Statistics,
                      [first, last](const DatasetRequest& request) { return listCub(request, first, last); });
}

}  // namespace

DatasetSource cub200Source() {
    return cubSource(cubInfo(), 0, 200);
}

DatasetSource cub175Source() {
    return cubSource(cubPartInfo("cub175", "CUB-175",
                                 "The first 175 species of CUB-200-2011, for initial session adaptation.", kBorder),
                     0, kBorder);
}

DatasetSource cub25Source() {
    return cubSource(
        cubPartInfo("cub25", "CUB-25",
                    "The last 25 species of CUB-200-2011: other birds than CUB-175's, to perturb with.", 200 - kBorder),
        kBorder, 200);
}

}  // namespace palimpsest
