// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/attention_picture.h"

#include <algorithm>
#include <opencv2/imgproc.hpp>

#include "datasets/files/picture_codecs.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr int kMapSide = 112, kMapGap = 6;

cv::Rect mapPlace(std::size_t row, std::size_t column) {
    const int pitch = kMapSide + kMapGap;
    return {kMapGap + static_cast<int>(column) * pitch, kMapGap + static_cast<int>(row) * pitch, kMapSide, kMapSide};
}

cv::Mat heatMap(const BlockAttention& block, std::int64_t side, float largest) {
    const int cells = static_cast<int>(side);
    cv::Mat bytes(cells, cells, CV_8UC1), coloured, map;
    for (int i = 0; i < cells * cells; ++i)
        bytes.at<std::uint8_t>(i / cells, i % cells) =
            cv::saturate_cast<std::uint8_t>(255 * block.patches.at(static_cast<std::size_t>(i)) / largest);
    cv::applyColorMap(bytes, coloured, cv::COLORMAP_CIVIDIS);
    cv::resize(coloured, map, {kMapSide, kMapSide}, 0, 0, cv::INTER_NEAREST);
    return map;
}

}  // namespace

std::string attentionPng(const ImageAttention& attention) {
    const std::vector<const std::vector<BlockAttention>*> rows =
        attention.hasPrompts() ? std::vector{&attention.without, &attention.with} : std::vector{&attention.without};
    float largest = 1e-6F;
    for (const auto* blocks : rows)
        for (const BlockAttention& block : *blocks)
            for (const float share : block.patches) largest = std::max(largest, share);
    const cv::Rect end = mapPlace(rows.size(), attention.without.size() + 1);
    cv::Mat page(end.y, end.x, CV_8UC3, cv::Scalar::all(255));
    const Thumbnail& picture = attention.picture;
    if (picture.size > 0) {
        cv::Mat rgb(picture.size, picture.size, CV_8UC3), shown;
        std::ranges::copy(picture.rgb, rgb.data);
        cv::cvtColor(rgb, shown, cv::COLOR_RGB2BGR);
        cv::resize(shown, shown, {kMapSide, kMapSide}, 0, 0, cv::INTER_NEAREST);
        shown.copyTo(page(mapPlace(0, 0)));
    }
    for (std::size_t row = 0; row < rows.size(); ++row)
        for (std::size_t i = 0; i < rows[row]->size(); ++i)
            heatMap((*rows[row])[i], attention.side, largest).copyTo(page(mapPlace(row, i + 1)));
    std::vector<std::uint8_t> bytes;
    if (!pictureCodecs().encode(".png", page, bytes, {}))
        throw inputError("The picture of the attention cannot be coded.", "Leave --png out.");
    return {bytes.begin(), bytes.end()};
}

}  // namespace palimpsest
