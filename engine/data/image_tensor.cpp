// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/image_tensor.h"

#include <opencv2/imgproc.hpp>

#include "engine/support/error.h"

namespace palimpsest {

cv::Mat resizedRgb(const cv::Mat& image, int size) {
    cv::Mat scaled;
    if (image.rows == size && image.cols == size) {
        scaled = image;
    } else {
        const bool shrinks = image.rows > size || image.cols > size;
        cv::resize(image, scaled, {size, size}, 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
    }
    if (scaled.channels() == 3) return scaled;
    cv::Mat rgb;
    cv::cvtColor(scaled, rgb, cv::COLOR_GRAY2RGB);
    return rgb;
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
    const auto options = at::TensorOptions(at::kFloat);
    const Tensor m = at::tensor(at::ArrayRef<float>(mean.data(), 3), options).reshape({1, 3, 1, 1}).to(bytes.device());
    const Tensor d =
        at::tensor(at::ArrayRef<float>(deviation.data(), 3), options).reshape({1, 3, 1, 1}).to(bytes.device());
    return (bytes.to(at::kFloat) / 255.0 - m) / d;
}

}  // namespace palimpsest
