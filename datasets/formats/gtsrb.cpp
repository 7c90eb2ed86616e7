// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/files/dataset_places.h"
#include "datasets/formats/image_folder.h"
#include "datasets/formats/picture_files.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kGtsrbSplitSeed = 0;

DatasetInfo gtsrbInfo() {
    return {.name = "gtsrb",
            .title = "GTSRB",
            .summary = "German traffic signs photographed from a car, 15 to 250 pixels wide, 43 classes.",
            .origin = "Institut für Neuroinformatik, Ruhr-Universität Bochum (Stallkamp and others, 2011)",
            .licence = "None stated; its makers ask for a citation",
            .classes = 43,
            // Both parts come from the official training pictures: the published streams do not use the official test
            // pictures.
            .train = 31367,
            .test = 7842,
            .citation =
                "J. Stallkamp, M. Schlipsing, J. Salmen and C. Igel. The German traffic sign recognition benchmark: a "
                "multi-class classification competition. IJCNN 2011.",
            .homepage = "https://benchmark.ini.rub.de/gtsrb_dataset.html",
            // Names of the signs in the order of their folders, from the road traffic regulations.
            .class_names = {"speed limit 20",
                            "speed limit 30",
                            "speed limit 50",
                            "speed limit 60",
                            "speed limit 70",
                            "speed limit 80",
                            "end of speed limit 80",
                            "speed limit 100",
                            "speed limit 120",
                            "no overtaking",
                            "no overtaking for lorries",
                            "right of way at the next crossing",
                            "priority road",
                            "give way",
                            "stop",
                            "no vehicles",
                            "no lorries",
                            "no entry",
                            "danger",
                            "bend to the left",
                            "bend to the right",
                            "double bend",
                            "uneven road",
                            "slippery road",
                            "road narrows on the right",
                            "road works",
                            "traffic lights",
                            "pedestrians",
                            "children",
                            "cyclists",
                            "ice or snow",
                            "wild animals",
                            "end of all limits",
                            "turn right ahead",
                            "turn left ahead",
                            "ahead only",
                            "ahead or right",
                            "ahead or left",
                            "keep right",
                            "keep left",
                            "roundabout",
                            "end of no overtaking",
                            "end of no overtaking for lorries"},
            .files = {{.name = "GTSRB_Final_Training_Images.zip",
                       .size = 276294756,
                       .checksum = "md5:f33fd80ac59bff73c82d25ab499e03a3",
                       .urls = {"https://sid.erda.dk/public/archives/daaeac0d7ce1152aea9b61d9f1e19370/"
                                "GTSRB_Final_Training_Images.zip"},
                       .archive = true,
                       .unpacked = "GTSRB/Final_Training/Images",
                       .form = {}}}};
}

FileListing listGtsrb(const DatasetRequest& request) {
    const DatasetPlaces places(gtsrbInfo(), request.root,
                               {"Images", "Final_Training/Images", "GTSRB/Final_Training/Images"});
    const auto folder = places.holding({"00000"});
    const LabelledFiles all = listClasses(folder, completeClassFolders(folder, gtsrbInfo()));
    const SeededSplit split =
        seededSplit(static_cast<std::int64_t>(all.labels.size()), kGtsrbSplitSeed, SplitOrder::Sorted);
    return {gtsrbInfo().class_names, all.at(split.train), all.at(split.test)};
}

}  // namespace

DatasetSource gtsrbSource() {
    return fileSource(gtsrbInfo(), kImageNetStatistics, listGtsrb);
}

}  // namespace palimpsest
