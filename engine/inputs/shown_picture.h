// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core/mat.hpp>

namespace palimpsest {

/// An 8-bit RGB or grey picture as RGB.
cv::Mat rgbOf(const cv::Mat& picture);
/// 8-bit RGB or grey picture resized to [size, size, 3] RGB for display, averaging when it shrinks. The network's input
/// is resized by loadedImage() (picture_tensor.h).
cv::Mat resizedRgb(const cv::Mat& image, int size);

}  // namespace palimpsest
