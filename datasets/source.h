// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/image_dataset.h"

namespace palimpsest {

/// What one data set brings to the catalogue. `open` and `labels` may rely on a request that has been checked:
/// limits are not negative, `classes` is between 0 and `most_classes`.
struct DatasetSource {
    DatasetInfo info;
    std::int64_t most_classes = 0;  ///< procedural data sets only
    ImageDataset (*open)(const DatasetRequest& request) = nullptr;
    LabelsOnly (*labels)(const DatasetRequest& request) = nullptr;
};

DatasetSource fashionMnistSource();
DatasetSource fractalSource();
DatasetSource shapeSource();

}  // namespace palimpsest
