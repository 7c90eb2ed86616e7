// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

namespace palimpsest {

// Class names are those of batches.meta and fine_label_names.txt. Sizes and checksums: MD5 on the makers' page, SHA-256
// of the same archives in TensorFlow Datasets and Keras.
DatasetInfo cifar10Info();
DatasetInfo cifar100Info();

}  // namespace palimpsest
