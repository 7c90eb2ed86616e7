// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <opencv2/core/mat.hpp>
#include <string_view>

namespace palimpsest {

/// True if the name ends like a picture's, by the list of torchvision's ImageFolder (IMG_EXTENSIONS).
bool isImageName(std::string_view name);

/// Reads a picture as PIL's convert("RGB") does: CV_8UC3 in RGB order, grey copied to all channels, transparency and
/// EXIF orientation ignored. JPEG, PNG, BMP, PPM and related formats, TIFF, WebP; the content decides, not the name.
/// Throws Error(Input) with the file's name for anything that cannot be decoded completely, and, before decoding, for
/// more than 100 million pixels. Safe from several threads.
cv::Mat readImageFile(const std::filesystem::path& path);

}  // namespace palimpsest
