// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/image_tensor.h"

#include <opencv2/imgproc.hpp>

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
    const std::int64_t side = batch.size(2), plane = side * side;
    std::uint8_t* out = batch.data_ptr<std::uint8_t>() + row * 3 * plane;
    for (std::int64_t y = 0; y < side; ++y) {
        const std::uint8_t* in = rgb.ptr<std::uint8_t>(static_cast<int>(y));
        for (std::int64_t x = 0; x < side; ++x)
            for (std::int64_t c = 0; c < 3; ++c) out[c * plane + y * side + x] = in[3 * x + c];
    }
}

Tensor normalised(const Tensor& bytes, const std::array<float, 3>& mean, const std::array<float, 3>& deviation) {
    const auto options = at::TensorOptions(at::kFloat);
    const Tensor m = at::tensor(at::ArrayRef<float>(mean.data(), 3), options).reshape({1, 3, 1, 1}).to(bytes.device());
    const Tensor d =
        at::tensor(at::ArrayRef<float>(deviation.data(), 3), options).reshape({1, 3, 1, 1}).to(bytes.device());
    return (bytes.to(at::kFloat) / 255.0 - m) / d;
}

}  // namespace palimpsest
