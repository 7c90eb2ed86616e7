// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/picture_row.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

#include "datasets/files/picture_codecs.h"

namespace palimpsest {
namespace {

constexpr int kQualityOfJpeg = 1;  // cv::IMWRITE_JPEG_QUALITY
constexpr int kJpegQuality = 75;

}  // namespace

std::string pictureRow(const std::vector<Thumbnail>& images, int side) {
    cv::Mat row(side, side * static_cast<int>(images.size()), CV_8UC3, cv::Scalar(128, 128, 128));
    for (std::size_t i = 0; i < images.size(); ++i) {
        const Thumbnail& image = images[i];
        if (image.size <= 0) continue;
        const cv::Mat rgb(image.size, image.size, CV_8UC3, const_cast<std::uint8_t*>(image.rgb.data()));
        cv::Mat bgr;
        cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
        cv::resize(bgr, row(cv::Rect(static_cast<int>(i) * side, 0, side, side)), {side, side}, 0, 0, cv::INTER_AREA);
    }
    std::vector<std::uint8_t> bytes;
    if (!pictureCodecs().encode(".jpg", row, bytes, {kQualityOfJpeg, kJpegQuality})) return {};
    return {bytes.begin(), bytes.end()};
}

}  // namespace palimpsest
