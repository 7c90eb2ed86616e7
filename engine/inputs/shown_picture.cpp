// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/shown_picture.h"

#include <opencv2/imgproc.hpp>

namespace palimpsest {

cv::Mat rgbOf(const cv::Mat& picture) {
    if (picture.channels() == 3) return picture;
    cv::Mat rgb;
    cv::cvtColor(picture, rgb, cv::COLOR_GRAY2RGB);
    return rgb;
}

cv::Mat resizedRgb(const cv::Mat& image, int size) {
    cv::Mat scaled;
    if (image.rows == size && image.cols == size) {
        scaled = image;
    } else {
        const bool shrinks = image.rows > size || image.cols > size;
        cv::resize(image, scaled, {size, size}, 0, 0, shrinks ? cv::INTER_AREA : cv::INTER_LINEAR);
    }
    return rgbOf(scaled);
}

}  // namespace palimpsest
