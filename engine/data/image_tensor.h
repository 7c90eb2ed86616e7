// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core/mat.hpp>

#include "datasets/table/image_dataset.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// 8-bit RGB or grey picture resized to [size, size, 3] RGB for display, averaging when it shrinks. The network's input
/// is resized by loadedImage().
cv::Mat resizedRgb(const cv::Mat& image, int size);
/// Copies one RGB picture [size, size, 3] into row `row` of a byte batch [B, 3, size, size].
void storeImage(Tensor& batch, std::int64_t row, const cv::Mat& rgb);
/// Bytes [B, 3, H, W] -> normalised float32 (x / 255 - mean) / deviation.
Tensor normalised(const Tensor& bytes, const std::array<float, 3>& mean, const std::array<float, 3>& deviation);

}  // namespace palimpsest
