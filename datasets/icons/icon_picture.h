// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/support/random.h"

#include <opencv2/core/mat.hpp>

namespace palimpsest {

/// Pixels of a side of the pictures in the data set `icons`.
inline constexpr int kIconSide = 32;
/// Pixels of a side at which an icon's file is drawn, once, for all pictures of it.
inline constexpr int kIconDrawingSide = 96;

/// A picture of an icon: its drawing (readIconFile) in another size, proportion and brightness, turned by up to
/// 12 degrees, somewhere on ground of another brightness with a slope, waves and noise. CV_8UC3 in RGB order,
/// kIconSide pixels wide.
cv::Mat renderIcon(const cv::Mat& drawing, Random& random);

}  // namespace palimpsest
