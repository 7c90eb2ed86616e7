// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/load_shape.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "engine/data/resize.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

// Official sizes; the short side scales in proportion for networks of other sizes.
constexpr double kShortSide = 256, kCrop = 224;

cv::Mat rgbOf(const cv::Mat& picture) {
    if (picture.channels() == 3) return picture;
    cv::Mat rgb;
    cv::cvtColor(picture, rgb, cv::COLOR_GRAY2RGB);
    return rgb;
}

/// Size after torchvision's Resize of the short side; the long side is truncated to whole pixels, never below the short
/// one.
cv::Size shortSideTo(cv::Size size, int side) {
    const auto longer = [side](int shortSide, int longSide) {
        return static_cast<int>(static_cast<double>(std::int64_t{side} * longSide) / shortSide);
    };
    return size.width <= size.height ? cv::Size(side, longer(size.width, size.height))
                                     : cv::Size(longer(size.height, size.width), side);
}

cv::Mat randomCrop(const cv::Mat& picture, int side, Random& random) {
    const int shortSide = static_cast<int>(std::lround(side * kShortSide / kCrop));
    const cv::Size size = shortSideTo(picture.size(), shortSide);
    const auto top = static_cast<int>(random.below(static_cast<std::uint64_t>(size.height - side) + 1));
    const auto left = static_cast<int>(random.below(static_cast<std::uint64_t>(size.width - side) + 1));
    return pillowResized(picture, size, {left, top, side, side});
}

}  // namespace

cv::Mat loadedImage(const cv::Mat& picture, LoadShape shape, int side, bool train, Random random) {
    if (picture.empty()) throw inputError("The picture has no pixels.");
    if (shape == LoadShape::ShortSideCrop) return rgbOf(randomCrop(picture, side, random));
    const cv::Size square(side, side);
    const bool tensor = train && shape == LoadShape::Native;
    return rgbOf(tensor ? torchResized(picture, square) : pillowResized(picture, square));
}

}  // namespace palimpsest
