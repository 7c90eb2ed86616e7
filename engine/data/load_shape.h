// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core/mat.hpp>

#include "datasets/table/image_dataset.h"
#include "engine/support/random.h"

namespace palimpsest {

/// Applies the loader transform and the resize to the network's side; the result is kept in caches and used in batches.
/// `train`: the batch resize of the training transform (bilinear without antialias, as torchvision resizes tensors)
/// follows the loader transform; else the test transform (Pillow's antialiased bilinear). Only LoadShape::ShortSideCrop
/// draws from `random`. Returns [side, side, 3] RGB bytes. Source: MISA, datasets/data_loader.py and
/// methods/_trainer.py (train_transform, test_transform).
cv::Mat loadedImage(const cv::Mat& picture, LoadShape shape, int side, bool train, Random random);

}  // namespace palimpsest
