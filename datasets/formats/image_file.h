// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <opencv2/core/mat.hpp>
#include <string_view>

namespace palimpsest {

/// Whether the name ends like a picture's: what torchvision's ImageFolder takes for one (IMG_EXTENSIONS).
bool isImageName(std::string_view name);

/// A picture as PIL's convert("RGB") gives it: CV_8UC3 in RGB order, grey copied to all channels, transparency and EXIF
/// orientation ignored. JPEG, PNG, BMP, PPM and its kin, TIFF, WebP; the content decides, not the name. Throws
/// Error(Input) with the file's name for anything that cannot be decoded whole, and for more than 100 million pixels,
/// before it is decoded. Safe from several threads.
cv::Mat readImageFile(const std::filesystem::path& path);

}  // namespace palimpsest
