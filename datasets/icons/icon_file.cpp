// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/icons/icon_file.h"

#include "datasets/files/file_content.h"
#include "datasets/files/picture_codecs.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

#include <cairo.h>
#include <algorithm>
#include <cstring>
#include <memory>
#include <opencv2/imgproc.hpp>
#include <span>
#include <string>
#include <vector>

namespace palimpsest {
namespace {

constexpr std::uint64_t kMostIconBytes = std::uint64_t{16} << 20U;
constexpr int kMostIconSide = 4096;
/// Coverage below which a pixel belongs to the rim, as the faint end of a shadow does.
constexpr double kRim = 48;

using Surface = std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)>;
using Canvas = std::unique_ptr<cairo_t, decltype(&cairo_destroy)>;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    throw inputError("The icon " + plainLine(path.string()) + " " + why + ".",
                     "Install the package that it belongs to again.");
}

void drawSvg(const std::filesystem::path& path, std::span<const std::uint8_t> bytes, cairo_t* canvas, int side) {
    const std::string why = pictureCodecs().drawSvg(bytes, canvas, side);
    if (!why.empty()) refuse(path, "cannot be drawn: " + plainLine(why));
}

cairo_status_t readOn(void* closure, unsigned char* data, unsigned int length) {
    auto& rest = *static_cast<std::span<const std::uint8_t>*>(closure);
    if (rest.size() < length) return CAIRO_STATUS_READ_ERROR;
    std::memcpy(data, rest.data(), length);
    rest = rest.subspan(length);
    return CAIRO_STATUS_SUCCESS;
}

void drawPng(const std::filesystem::path& path, std::span<const std::uint8_t> bytes, cairo_t* canvas, int side) {
    const Surface picture(cairo_image_surface_create_from_png_stream(readOn, &bytes), &cairo_surface_destroy);
    if (cairo_surface_status(picture.get()) != CAIRO_STATUS_SUCCESS) refuse(path, "is not a whole PNG picture");
    const int width = cairo_image_surface_get_width(picture.get());
    const int height = cairo_image_surface_get_height(picture.get());
    const double scale = static_cast<double>(side) / std::max(width, height);
    cairo_translate(canvas, (side - width * scale) / 2, (side - height * scale) / 2);
    cairo_scale(canvas, scale, scale);
    cairo_set_source_surface(canvas, picture.get(), 0, 0);
    cairo_pattern_set_filter(cairo_get_source(canvas), CAIRO_FILTER_GOOD);
    cairo_paint(canvas);
}

/// True for a PNG picture of a size that is no icon's; told by its header, before anything is decoded.
bool isHugePng(std::span<const std::uint8_t> bytes) {
    const auto number = [&](std::size_t at) {
        return std::uint32_t{bytes[at]} << 24U | std::uint32_t{bytes[at + 1]} << 16U |
               std::uint32_t{bytes[at + 2]} << 8U | std::uint32_t{bytes[at + 3]};
    };
    return bytes.size() >= 24 && (number(16) > kMostIconSide || number(20) > kMostIconSide);
}

bool isPng(std::span<const std::uint8_t> bytes) {
    static constexpr std::string_view kBegin = "\x89PNG\r\n\x1a\n";
    return bytes.size() >= kBegin.size() && std::memcmp(bytes.data(), kBegin.data(), kBegin.size()) == 0;
}

}  // namespace

cv::Mat readIconFile(const std::filesystem::path& path, int side) {
    const std::vector<std::uint8_t> bytes = readFileBytes(path, kMostIconBytes);
    cv::Mat square(side, side, CV_8UC4, cv::Scalar::all(0));
    {
        const Surface surface(cairo_image_surface_create_for_data(square.data, CAIRO_FORMAT_ARGB32, side, side,
                                                                  static_cast<int>(square.step)),
                              &cairo_surface_destroy);
        const Canvas canvas(cairo_create(surface.get()), &cairo_destroy);
        if (!isPng(bytes))
            drawSvg(path, bytes, canvas.get(), side);
        else if (isHugePng(bytes))
            refuse(path, "has a side of more than " + std::to_string(kMostIconSide) + " pixels");
        else
            drawPng(path, bytes, canvas.get(), side);
        cairo_surface_flush(surface.get());
    }
    cv::Mat coverage;
    cv::extractChannel(square, coverage, 3);
    const cv::Rect shown = cv::boundingRect(coverage > kRim);
    if (shown.empty()) refuse(path, "shows nothing");
    return square(shown).clone();
}

}  // namespace palimpsest
