// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <opencv2/core/mat.hpp>

namespace palimpsest {

// Both resizes of the official code, since neither of OpenCV's bilinear resizes gives their bytes. They accept 8-bit
// pictures of one or three channels, may be called on any thread and start no LibTorch threads. A picture that already
// has the requested size is returned as it is, not copied.

/// Pillow's Image.resize with BILINEAR: a triangle filter as wide as the picture shrinks, 22-bit whole-number weights,
/// first across, then down, rounded to bytes in between (Pillow 9, src/libImaging/Resample.c). Equal byte for byte.
cv::Mat pillowResized(const cv::Mat& picture, cv::Size size);
/// The same for `part` of the result only. Memory is bounded by the picture's height and the part's width.
cv::Mat pillowResized(const cv::Mat& picture, cv::Size size, const cv::Rect& part);

/// torchvision's resize of byte tensors: bilinear between the four nearest pixels whatever the scale, half-pixel
/// centres, in float32, rounded to even (torchvision 0.14, F.resize without antialias; LibTorch, upsample_bilinear2d).
/// The sums are those of LibTorch 1.13 on a processor that fuses products and sums, operation by operation. Where the
/// fourth decimal decides how a byte is rounded, another LibTorch or processor may round differently; this function
/// never does.
cv::Mat torchResized(const cv::Mat& picture, cv::Size size);

}  // namespace palimpsest
