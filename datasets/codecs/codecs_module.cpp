// SPDX-License-Identifier: GPL-3.0-or-later
// The module behind datasets/files/picture_codecs.h. It needs nothing of the program that loads it.
#include <librsvg/rsvg.h>
#include <memory>
#include <opencv2/imgcodecs.hpp>

#include "datasets/files/picture_codecs.h"
#include "engine/support/module_stamp.h"

namespace {

// Programs read it in the file before they load it.
[[gnu::used]] const char kMark[] = PALIMPSEST_CODECS_MARK PALIMPSEST_MODULE_STAMP " ";

cv::Mat decode(const std::vector<std::uint8_t>& bytes) {
    return cv::imdecode(bytes, cv::IMREAD_COLOR | cv::IMREAD_IGNORE_ORIENTATION);
}

bool encode(const char* ending, const cv::Mat& picture, std::vector<std::uint8_t>& bytes,
            const std::vector<int>& settings) {
    return cv::imencode(ending, picture, bytes, settings);
}

std::string drawSvg(std::span<const std::uint8_t> bytes, cairo_t* canvas, int side) {
    GError* raw = nullptr;
    std::unique_ptr<RsvgHandle, decltype(&g_object_unref)> icon(
        rsvg_handle_new_from_data(bytes.data(), bytes.size(), &raw), &g_object_unref);
    const RsvgRectangle whole{0, 0, static_cast<double>(side), static_cast<double>(side)};
    if (icon && rsvg_handle_render_document(icon.get(), canvas, &whole, &raw) != FALSE) return {};
    const std::unique_ptr<GError, decltype(&g_error_free)> failure(raw, &g_error_free);
    std::string why = failure ? failure->message : "";
    // The parser's messages end with a line feed.
    why.erase(why.find_last_not_of(" \n.") + 1);
    return why.empty() ? "it is not an SVG file" : why;
}

}  // namespace

extern "C" [[gnu::visibility("default")]] const palimpsest::PictureCodecs* palimpsestCodecs() {
    static const palimpsest::PictureCodecs codecs{&decode, &encode, &drawSvg};
    return &codecs;
}
