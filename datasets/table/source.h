// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <functional>

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
/// Sources of ImageNet-1k and its parts.
std::vector<DatasetSource> imageNetSources();
DatasetSource imagenetRSource();
DatasetSource mnistSource();
DatasetSource nchSource();
DatasetSource shapeSource();
DatasetSource tinyImageNetSource();

}  // namespace palimpsest
