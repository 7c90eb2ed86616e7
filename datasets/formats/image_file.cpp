// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/image_file.h"

#include "datasets/files/file_bytes.h"
#include "datasets/formats/image_header.h"
#include "engine/support/error.h"
#include "engine/support/small_letter.h"
#include "engine/support/utf8.h"

#include <algorithm>
#include <array>
#include <opencv2/core/utils/logger.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <string>

namespace palimpsest {
namespace {

constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20U;
constexpr std::int64_t kMostPixels = 100'000'000;
constexpr std::int64_t kLongestSide = 1'000'000;

/// Silences OpenCV, which would print its errors to the terminal; they are reported as Error.
void silenceOpenCv() {
    static const bool once = [] {
        cv::utils::logging::setLogLevel(cv::utils::logging::LOG_LEVEL_SILENT);
        return true;
    }();
    static_cast<void>(once);
}

cv::Mat decoded(std::vector<std::uint8_t>& bytes) {
    cv::Mat picture;
    try {
        picture = cv::imdecode(bytes, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
    } catch (const std::exception&) {
        // Decoders of several libraries may throw anything; the caller reports the failure with the file's name.
        return {};
    }
    if (!picture.empty()) cv::cvtColor(picture, picture, cv::COLOR_BGR2RGB);
    return picture;
}

}  // namespace

bool isImageName(std::string_view name) {
    static constexpr std::array<std::string_view, 9> kEndings{".jpg", ".jpeg", ".png",  ".ppm", ".bmp",
                                                              ".pgm", ".tif",  ".tiff", ".webp"};
    return std::any_of(kEndings.begin(), kEndings.end(), [&](std::string_view ending) {
        return name.size() >= ending.size() &&
               std::equal(ending.begin(), ending.end(), name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                          [&](char e, char n) { return e == smallLetter(n); });
    });
}

cv::Mat readImageFile(const std::filesystem::path& path) {
    silenceOpenCv();
    std::vector<std::uint8_t> bytes = readFileBytes(path, kMostBytes);
    const ImageHeader header = readImageHeader(bytes);
    const std::string file = plainLine(path.string());
    if (header.format == ImageFormat::Unknown)
        throw inputError(bytes.empty() ? "The picture " + file + " is empty."
                                       : "The file " + file + " is not a picture of a known kind.",
                         "JPEG, PNG, BMP, PPM, TIFF and WebP are read.");
    if (header.width > kLongestSide || header.height > kLongestSide || header.width * header.height > kMostPixels)
        throw inputError("The picture " + file + " has " + std::to_string(header.width) + " by " +
                             std::to_string(header.height) + " pixels, where at most " + std::to_string(kMostPixels) +
                             " in all are read.",
                         "Make it smaller.");
    if (!header.complete)
        throw inputError("The picture " + file + " is cut short at " + std::to_string(bytes.size()) + " bytes.",
                         "Get it again, or take it out.");
    // A header without a size would bypass the limit above.
    cv::Mat picture = header.width > 0 && header.height > 0 ? decoded(bytes) : cv::Mat();
    if (picture.empty())
        throw inputError("The picture " + file + " is damaged and cannot be decoded.", "Get it again, or take it out.");
    return picture;
}

}  // namespace palimpsest
