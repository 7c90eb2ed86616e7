// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <functional>

namespace palimpsest {

/// What one data set brings to the catalogue. `open` and `labels` may rely on a request that has been checked:
/// limits are not negative, `classes` is between 0 and `info.most_classes`.
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
/// ImageNet-1k and its parts.
std::vector<DatasetSource> imageNetSources();
DatasetSource imagenetRSource();
DatasetSource mnistSource();
DatasetSource nchSource();
DatasetSource shapeSource();
DatasetSource tinyImageNetSource();

}  // namespace palimpsest
