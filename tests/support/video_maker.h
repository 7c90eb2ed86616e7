// SPDX-License-Identifier: GPL-3.0-or-later
// Videos as they lie on a disk: Motion JPEG in AVI, written by OpenCV itself.
#pragma once

#include <array>
#include <filesystem>
#include <opencv2/core.hpp>
#include <opencv2/videoio.hpp>
#include <string>

#include "engine/support/error.h"

namespace palimpsest::testing {

/// Colours of a made-up video's pictures in turn, RGB; far enough from each other to be told after compression.
inline constexpr std::array<std::array<int, 3>, 9> kVideoColours{{{230, 30, 30},
                                                                  {30, 200, 30},
                                                                  {30, 30, 230},
                                                                  {220, 220, 20},
                                                                  {20, 220, 220},
                                                                  {220, 20, 220},
                                                                  {240, 240, 240},
                                                                  {120, 120, 120},
                                                                  {20, 20, 20}}};

inline cv::Scalar videoColour(int index) {
    const auto& colour = kVideoColours[static_cast<std::size_t>(index) % kVideoColours.size()];
    return {double(colour[2]), double(colour[1]), double(colour[0])};
}

/// 96 x 64 pixels, of which the middle 64 x 64 have one colour a picture with a white patch at their upper left; the
/// sides, which are cut off, are black.
inline void makeVideo(const std::filesystem::path& file, int pictures, double rate = 50) {
    cv::VideoWriter writer(file.string(), cv::CAP_OPENCV_MJPEG, cv::VideoWriter::fourcc('M', 'J', 'P', 'G'), rate,
                           {96, 64});
    if (!writer.isOpened()) throw runError("The video " + file.string() + " cannot be written.");
    for (int i = 0; i < pictures; ++i) {
        cv::Mat picture(64, 96, CV_8UC3, cv::Scalar(0, 0, 0));
        picture(cv::Rect(16, 0, 64, 64)) = videoColour(i);
        picture(cv::Rect(16, 0, 16, 16)) = cv::Scalar(255, 255, 255);
        writer.write(picture);
    }
}

}  // namespace palimpsest::testing
