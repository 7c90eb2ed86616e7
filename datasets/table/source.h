// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "datasets/table/image_dataset.h"
#include "engine/support/error.h"

namespace palimpsest {

/// A data set's functions for the catalogue. `open` and `labels` get a checked request: limits are not negative,
/// `classes` is between 0 and `info.most_classes`.
struct DatasetSource {
    DatasetInfo info;
    std::function<ImageDataset(const DatasetRequest&)> open;
    std::function<LabelsOnly(const DatasetRequest&)> labels;
};

DatasetSource cifar10Source();
DatasetSource cifar100Source();
DatasetSource cub175Source();
DatasetSource cub200Source();
DatasetSource cub25Source();
DatasetSource fashionMnistSource();
DatasetSource folderSource();
DatasetSource formulaSource();
DatasetSource fractalSource();
DatasetSource glyphSource();
DatasetSource gtsrbSource();
DatasetSource iconSource();
/// Sources of ImageNet-1k and its parts.
std::vector<DatasetSource> imageNetSources();
DatasetSource imagenetRSource();
DatasetSource mnistSource();
DatasetSource nchSource();
/// The classes of another data set, opened by these functions of the catalogue, and those that the user drew.
DatasetSource ownDrawingsSource(std::function<ImageDataset(const DatasetRequest&)> openBase,
                                std::function<LabelsOnly(const DatasetRequest&)> baseLabels);
DatasetSource places365Source();
DatasetSource shapeSource();
DatasetSource tinyImageNetSource();
DatasetSource wikiArtCodeSource();
DatasetSource wikiArtSource();

/// Mean and standard deviation by channel, of values in 0..1.
struct Statistics {
    std::array<float, 3> mean, deviation;
};

inline constexpr Statistics kImageNetStatistics{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};
inline constexpr Statistics kCifar100Statistics{{0.5071F, 0.4867F, 0.4408F}, {0.2675F, 0.2565F, 0.2761F}};
/// MISA's deviation; the Si-Blurry code has 0.2470, 0.2435, 0.2616.
inline constexpr Statistics kCifar10Statistics{{0.4914F, 0.4822F, 0.4465F}, {0.2023F, 0.1994F, 0.2010F}};
inline constexpr Statistics kTinyImageNetStatistics{{0.4802F, 0.4481F, 0.3975F}, {0.2302F, 0.2265F, 0.2262F}};

/// The description of a data set, without its images.
inline ImageDataset emptyDataset(const DatasetInfo& info, std::vector<std::string> classNames,
                                 const Statistics& statistics) {
    return {.name = info.name,
            .title = info.title,
            .class_names = std::move(classNames),
            .mean = statistics.mean,
            .deviation = statistics.deviation,
            .augment_policy = {},
            .train = {},
            .test = {}};
}

/// Number of samples that a limit leaves of `count`; 0: no limit.
inline std::int64_t limited(std::int64_t count, std::int64_t limit) {
    return limit > 0 ? std::min(count, limit) : count;
}

inline void checkImageIndex(std::int64_t index, std::int64_t size) {
    if (index >= 0 && index < size) return;
    throw inputError("There is no image " + std::to_string(index) + " in a table of " + std::to_string(size) + ".",
                     "Count from 0.");
}

}  // namespace palimpsest
