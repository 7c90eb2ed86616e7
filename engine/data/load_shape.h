// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core/mat.hpp>

#include "datasets/table/image_dataset.h"
#include "engine/support/random.h"

namespace palimpsest {

/// The loader transform and the resize to the network's side together: what is kept in caches and fed to the batch.
/// `train`: the batch resize of the training transform (bilinear without antialias, as torchvision resizes tensors)
/// follows the loader transform; else the test transform (Pillow's antialiased bilinear). `random` is drawn from only
/// by LoadShape::ShortSideCrop. Returns [side, side, 3] RGB bytes. Source: MISA, datasets/data_loader.py and
/// methods/_trainer.py (train_transform, test_transform).
cv::Mat loadedImage(const cv::Mat& picture, LoadShape shape, int side, bool train, Random random);

}  // namespace palimpsest
