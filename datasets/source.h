// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/image_dataset.h"

#include <functional>

namespace palimpsest {

/// What one data set brings to the catalogue. `open` and `labels` may rely on a request that has been checked:
/// limits are not negative, `classes` is between 0 and `most_classes`.
struct DatasetSource {
    DatasetInfo info;
    std::int64_t most_classes = 0;  ///< procedural data sets only
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
DatasetSource fractalSource();
DatasetSource gtsrbSource();
/// ImageNet-1k and its parts.
std::vector<DatasetSource> imageNetSources();
DatasetSource imagenetRSource();
DatasetSource mnistSource();
DatasetSource nchSource();
DatasetSource shapeSource();
DatasetSource tinyImageNetSource();

}  // namespace palimpsest
