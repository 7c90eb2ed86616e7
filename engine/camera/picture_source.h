// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <opencv2/core.hpp>
#include <string>

#include "engine/run/camera_service.h"

namespace palimpsest {

struct CameraTable;

/// An open camera or video. Its calls may take seconds and throw Error: what is wrong, in words for the user.
class PictureSource {
public:
    /// Pixels of a picture at most; more is no camera.
    static constexpr std::int64_t kMostPixels = 100'000'000;

    virtual ~PictureSource() = default;
    /// The next picture, 8 bits and three channels in the order of OpenCV. Empty where none came this time, so that
    /// whoever asks can stop asking.
    virtual cv::Mat next() = 0;
    /// Seconds from one picture to the next; 0: the source takes its time by itself.
    virtual double pace() const { return 0; }
    /// A sentence that is worth knowing, and no failure; empty: none.
    virtual std::string remark() const { return {}; }
};

/// Loads the module of cameras first.
std::unique_ptr<PictureSource> openPictureSource(const CameraChoice& choice);
std::unique_ptr<PictureSource> openPictureSource(const CameraChoice& choice, const CameraTable& module);

/// The middle square of a picture, as the window is given it.
CameraFrame frameOf(const cv::Mat& picture, int side);

}  // namespace palimpsest
