// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"

namespace palimpsest {
namespace {

constexpr const char* kTrain = "NCT-CRC-HE-100K";
constexpr const char* kTest = "CRC-VAL-HE-7K";

DatasetFile nchArchive(const std::string& folder, std::int64_t size, const std::string& md5) {
    return {.name = folder + ".zip",
            .size = size,
            .checksum = "md5:" + md5,
            .urls = {"https://zenodo.org/records/1214456/files/" + folder + ".zip?download=1",
                     "https://zenodo.org/api/records/1214456/files/" + folder + ".zip/content"},
            .archive = true,
            .unpacked = folder,
            .form = {}};
}

DatasetInfo nchInfo() {
    return {.name = "nch",
            .title = "NCT-CRC-HE",
            .summary = "Stained tissue of colorectal cancer under the microscope, 224 by 224 pixels, 9 classes.",
            .origin =
                "Jakob Kather, Niels Halama and Alexander Marx, National Center for Tumor Diseases, Heidelberg (2018)",
            .licence = "CC BY 4.0",
            .classes = 9,
            .train = 100000,
            .test = 7180,
            .citation =
                "J. N. Kather, N. Halama and A. Marx. 100,000 histological images of human colorectal cancer and "
                "healthy tissue. Zenodo, 2018, doi:10.5281/zenodo.1214456.",
            .homepage = "https://zenodo.org/records/1214456",
            // Names in the order of their folders ADI, BACK, DEB, LYM, MUC, MUS, NORM, STR, TUM.
            .class_names = {"adipose tissue", "background", "debris", "lymphocytes", "mucus", "smooth muscle",
                            "normal mucosa", "stroma", "tumour"},
            .files = {nchArchive(kTrain, 11690284003, "6fd702d11df6292bc054397ae038a464"),
                      nchArchive(kTest, 800276929, "2fd1651b4f94ebd818ebf90ad2b6ce06")}};
}

FileListing listNch(const DatasetRequest& request) {
    const DatasetPlaces places(nchInfo(), request.root, {"NCH"});
    const auto folder = places.holding({kTrain, kTest});
    const auto classes = completeClassFolders(folder / kTrain, nchInfo());
    // Both parts must have the same folders, or their ranks would mean different classes.
    completeClassFolders(folder / kTest, nchInfo());
    return {nchInfo().class_names, listClasses(folder / kTrain, classes), listClasses(folder / kTest, classes)};
}

}  // namespace

DatasetSource nchSource() {
    return fileSource(nchInfo(), kImageNetStatistics, listNch);
}

}  // namespace palimpsest
