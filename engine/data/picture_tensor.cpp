// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/picture_tensor.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <opencv2/imgproc.hpp>

#include "engine/data/resize.h"
#include "engine/network/device_copies.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

// Official sizes; the short side scales in proportion for networks of other sizes.
constexpr double kShortSide = 256, kCrop = 224;

/// Size after torchvision's Resize of the short side; the long side is truncated to whole pixels, never below the short
/// one.
cv::Size shortSideTo(cv::Size size, int side) {
    const auto longer = [side](int shortSide, int longSide) {
        return static_cast<int>(static_cast<double>(std::int64_t{side} * longSide) / shortSide);
    };
    return size.width <= size.height ? cv::Size(side, longer(size.width, size.height))
                                     : cv::Size(longer(size.height, size.width), side);
}

/// Size of which a square of `side` is cropped.
cv::Size uncropped(const cv::Mat& picture, int side) {
    return shortSideTo(picture.size(), static_cast<int>(std::lround(side * kShortSide / kCrop)));
}

cv::Mat randomCrop(const cv::Mat& picture, int side, Random& random) {
    const cv::Size size = uncropped(picture, side);
    const auto top = static_cast<int>(random.below(static_cast<std::uint64_t>(size.height - side) + 1));
    const auto left = static_cast<int>(random.below(static_cast<std::uint64_t>(size.width - side) + 1));
    return pillowResized(picture, size, {left, top, side, side});
}

cv::Mat centreCrop(const cv::Mat& picture, int side) {
    const cv::Size size = uncropped(picture, side);
    // Halves go to the even number, as Python rounds.
    const auto before = [side](int whole) { return static_cast<int>(std::lrint((whole - side) / 2.0)); };
    return pillowResized(picture, size, {before(size.width), before(size.height), side, side});
}

}  // namespace

cv::Mat loadedImage(const cv::Mat& picture, LoadShape shape, int side, bool train, Random random) {
    if (picture.empty()) throw inputError("The picture has no pixels.");
    if (shape == LoadShape::ShortSideCrop) return rgbOf(randomCrop(picture, side, random));
    if (shape == LoadShape::ShortSideCentre) return rgbOf(centreCrop(picture, side));
    const cv::Size square(side, side);
    const bool tensor = train && shape == LoadShape::Native;
    return rgbOf(tensor ? torchResized(picture, square) : pillowResized(picture, square));
}

void storeImage(Tensor& batch, std::int64_t row, const cv::Mat& rgb) {
    const auto side = static_cast<int>(batch.size(2));
    if (rgb.type() != CV_8UC3 || rgb.rows != side || rgb.cols != side)
        throw runError("A picture of another size or kind than its batch was to be stored.");
    const std::size_t plane = static_cast<std::size_t>(side) * static_cast<std::size_t>(side);
    std::uint8_t* out = batch.data_ptr<std::uint8_t>() + static_cast<std::size_t>(row) * 3 * plane;
    cv::Mat planes[] = {
        {side, side, CV_8UC1, out}, {side, side, CV_8UC1, out + plane}, {side, side, CV_8UC1, out + 2 * plane}};
    cv::split(rgb, planes);
}

Tensor normalised(const Tensor& bytes, const std::array<float, 3>& mean, const std::array<float, 3>& deviation) {
    const auto each = [&](const std::array<float, 3>& channels) {
        return onDevice(at::tensor(at::ArrayRef<float>(channels.data(), 3)).reshape({1, 3, 1, 1}), bytes.device());
    };
    return (bytes.to(at::kFloat) / 255.0 - each(mean)) / each(deviation);
}

}  // namespace palimpsest
