// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace palimpsest {

enum class ImageFormat { Unknown, Jpeg, Png, Bmp, Pnm, Tiff, WebP };

/// Facts in the first bytes of a picture, without decoding it. Sources: ITU-T T.81 (JPEG), ISO/IEC 15948 (PNG), the
/// netpbm manual (PNM), TIFF 6.0, RFC 9649 (WebP), BITMAPINFOHEADER (BMP).
struct ImageHeader {
    ImageFormat format = ImageFormat::Unknown;
    std::int64_t width = 0;  ///< 0: unknown, or damaged
    std::int64_t height = 0;
    bool complete = true;  ///< false: the end that the format demands is missing
};

ImageHeader readImageHeader(std::span<const std::uint8_t> bytes);

}  // namespace palimpsest
