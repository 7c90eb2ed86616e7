// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <opencv2/core/mat.hpp>

namespace palimpsest {

/// Draws an icon, an SVG or PNG file, on a clear square and cuts away the clear rim: CV_8UC4, blue, green, red and
/// coverage, colours multiplied by coverage. The longer side has at most `side` pixels, fewer where the icon has a rim.
/// Throws Error(Input) with the file's name for anything that is not a whole picture, is larger than 16 MiB, or shows
/// nothing. Safe from several threads.
cv::Mat readIconFile(const std::filesystem::path& path, int side);

}  // namespace palimpsest
