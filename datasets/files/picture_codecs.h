// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <span>
#include <string>
#include <vector>

using cairo_t = struct _cairo;

// Coded pictures. OpenCV's codecs and librsvg come with some 140 libraries, which take longer to load than most
// commands take to run: so they lie in a module of their own (datasets/codecs) that the first picture loads.

namespace palimpsest {

struct PictureCodecs {
    /// cv::imdecode: 8-bit BGR, without turning it as its EXIF data say; empty where it cannot be decoded. Throws
    /// whatever a decoder throws.
    cv::Mat (*decode)(const std::vector<std::uint8_t>& bytes);
    /// cv::imencode. `ending`: the format, ".jpg"; `settings`: pairs of cv::ImwriteFlags and values.
    bool (*encode)(const char* ending, const cv::Mat& picture, std::vector<std::uint8_t>& bytes,
                   const std::vector<int>& settings);
    /// Draws an SVG file into a square of the canvas. Returns the reason why it cannot be drawn, else an empty text.
    std::string (*drawSvg)(std::span<const std::uint8_t> bytes, cairo_t* canvas, int side);
};

/// The first call loads them. Throws Error(Run) where the program is not installed as a whole.
const PictureCodecs& pictureCodecs();

}  // namespace palimpsest
