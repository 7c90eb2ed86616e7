// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core/mat.hpp>

#include "datasets/table/image_dataset.h"
#include "engine/inputs/shown_picture.h"
#include "engine/network/tensor.h"

// Decoded pictures on their way to the network's input.

namespace palimpsest {

/// Applies the loader transform and the resize to the network's side; the result is kept in caches and used in batches.
/// `train`: the batch resize of the training transform (bilinear without antialias, as torchvision resizes tensors)
/// follows the loader transform; else the test transform (Pillow's antialiased bilinear). Only LoadShape::ShortSideCrop
/// draws from `random`. Returns [side, side, 3] RGB bytes. Source: MISA, datasets/data_loader.py and
/// methods/_trainer.py (train_transform, test_transform); LoadShape::ShortSideCentre is torchvision's CenterCrop.
cv::Mat loadedImage(const cv::Mat& picture, LoadShape shape, int side, bool train, Random random);
/// Copies one RGB picture [size, size, 3] into row `row` of a byte batch [B, 3, size, size].
void storeImage(Tensor& batch, std::int64_t row, const cv::Mat& rgb);
/// Bytes [B, 3, H, W] -> normalised float32 (x / 255 - mean) / deviation.
Tensor normalised(const Tensor& bytes, const std::array<float, 3>& mean, const std::array<float, 3>& deviation);

}  // namespace palimpsest
