// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/resize.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <opencv2/core.hpp>
#include <utility>
#include <vector>

#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr int kWeightBits = 22;
constexpr std::int32_t kHalf = 1 << (kWeightBits - 1);

void checkResize(const cv::Mat& picture, cv::Size size) {
    if (picture.empty() || (picture.type() != CV_8UC1 && picture.type() != CV_8UC3) || size.empty())
        throw runError("Only 8-bit grey and RGB pictures can be resized, to at least one pixel.");
}

/// Source pixels and weights of each output pixel of a line.
struct Filter {
    struct Tap {
        int first = 0, count = 0;
        const std::int32_t* weights = nullptr;
    };
    std::vector<Tap> taps;
    std::vector<std::int32_t> weights;
    int begin = 0, end = 0;  // range of source pixels used
};

/// Filter for outputs begin..begin + count of a line of `from` pixels that is resized to `to`.
Filter triangleFilter(int from, int to, int begin, int count) {
    const double scale = static_cast<double>(from) / to, support = std::max(1.0, scale), narrow = 1.0 / support;
    const auto most = static_cast<std::size_t>(std::ceil(support)) * 2 + 1;
    Filter filter;
    filter.weights.resize(most * static_cast<std::size_t>(count));
    std::vector<double> exact(most);
    for (int i = 0; i < count; ++i) {
        const double centre = (begin + i + 0.5) * scale;
        const int first = std::max(0, static_cast<int>(centre - support + 0.5));
        const int taps = std::min(from, static_cast<int>(centre + support + 0.5)) - first;
        double sum = 0;
        for (int t = 0; t < taps; ++t) {
            const double distance = std::abs((t + first - centre + 0.5) * narrow);
            exact[static_cast<std::size_t>(t)] = distance < 1 ? 1 - distance : 0;
            sum += exact[static_cast<std::size_t>(t)];
        }
        std::int32_t* weights = filter.weights.data() + most * static_cast<std::size_t>(i);
        for (int t = 0; t < taps; ++t)
            weights[t] = static_cast<std::int32_t>(0.5 + exact[static_cast<std::size_t>(t)] / sum * (1 << kWeightBits));
        filter.taps.push_back({first, taps, weights});
    }
    filter.begin = filter.taps.front().first;
    filter.end = filter.taps.back().first + filter.taps.back().count;
    return filter;
}

std::uint8_t byteOf(std::int32_t sum) {
    return static_cast<std::uint8_t>(std::min(255, sum >> kWeightBits));
}

template <int Channels>
void filterAcross(const std::uint8_t* in, std::uint8_t* out, const Filter& filter) {
    for (const Filter::Tap& tap : filter.taps) {
        const std::uint8_t* pixel = in + tap.first * Channels;
        std::array<std::int32_t, Channels> sums;
        sums.fill(kHalf);
        for (int t = 0; t < tap.count; ++t)
            for (std::size_t c = 0; c < Channels; ++c) sums[c] += *pixel++ * tap.weights[t];
        for (const std::int32_t sum : sums) *out++ = byteOf(sum);
    }
}

/// Computes one output line from `lines`, whose first is line `origin` of the picture.
void filterDown(const cv::Mat& lines, int origin, const Filter::Tap& tap, std::uint8_t* out) {
    // Blocks have a fixed length, so that the compiler vectorises them.
    constexpr std::size_t kBlock = 64;
    const std::size_t width = static_cast<std::size_t>(lines.cols) * lines.elemSize();
    for (std::size_t begin = 0; begin < width; begin += kBlock) {
        const std::size_t length = std::min(kBlock, width - begin);
        std::array<std::int32_t, kBlock> sums;
        sums.fill(kHalf);
        for (int t = 0; t < tap.count; ++t) {
            const std::uint8_t* in = lines.ptr<std::uint8_t>(tap.first - origin + t) + begin;
            const std::int32_t weight = tap.weights[t];
            if (length == kBlock)
                for (std::size_t i = 0; i < kBlock; ++i) sums[i] += in[i] * weight;
            else
                for (std::size_t i = 0; i < length; ++i) sums[i] += in[i] * weight;
        }
        for (std::size_t i = 0; i < length; ++i) out[begin + i] = byteOf(sums[i]);
    }
}

/// The two source pixels that an output pixel lies between.
struct Between {
    int first = 0, second = 0;
    float first_weight = 1, second_weight = 0;
};

std::vector<Between> halfPixelCentres(int from, int to) {
    // LibTorch divides in float32 and continues in float64.
    const double scale = static_cast<float>(from) / static_cast<float>(to);
    std::vector<Between> places(static_cast<std::size_t>(to));
    for (int i = 0; i < to; ++i) {
        const double place = std::max(0.0, scale * (i + 0.5) - 0.5);
        Between& between = places[static_cast<std::size_t>(i)];
        between.first = std::min(static_cast<int>(place), from - 1);
        between.second = std::min(between.first + 1, from - 1);
        between.second_weight = std::clamp(static_cast<float>(place - between.first), 0.0f, 1.0f);
        between.first_weight = 1.0f - between.second_weight;
    }
    return places;
}

/// a * b + c, rounded once. The product is exact in float64, so no fused instruction is needed.
float fused(float a, float b, float c) {
    return static_cast<float>(static_cast<double>(a) * b + c);
}

template <int Channels>
void blendAcross(const std::uint8_t* in, float* out, const std::vector<Between>& columns) {
    for (const Between& column : columns)
        for (int c = 0; c < Channels; ++c) {
            const float right = static_cast<float>(in[column.second * Channels + c]) * column.second_weight;
            *out++ = fused(in[column.first * Channels + c], column.first_weight, right);
        }
}

}  // namespace

cv::Mat pillowResized(const cv::Mat& picture, cv::Size size) {
    return pillowResized(picture, size, cv::Rect({0, 0}, size));
}

cv::Mat pillowResized(const cv::Mat& picture, cv::Size size, const cv::Rect& part) {
    checkResize(picture, size);
    if (part.empty() || (part & cv::Rect({0, 0}, size)) != part)
        throw runError("The part of a resized picture that was asked for does not lie in it.");
    // A direction that keeps its length is not filtered, as in Pillow.
    cv::Mat lines = picture;
    int origin = 0;
    Filter down;
    if (size.height != picture.rows) {
        down = triangleFilter(picture.rows, size.height, part.y, part.height);
        origin = down.begin;
        lines = picture.rowRange(down.begin, down.end);
    } else {
        lines = picture.rowRange(part.y, part.y + part.height);
    }
    if (size.width != picture.cols) {
        const Filter across = triangleFilter(picture.cols, size.width, part.x, part.width);
        cv::Mat narrow(lines.rows, part.width, picture.type());
        for (int y = 0; y < lines.rows; ++y) {
            const std::uint8_t* in = lines.ptr<std::uint8_t>(y);
            std::uint8_t* out = narrow.ptr<std::uint8_t>(y);
            picture.channels() == 1 ? filterAcross<1>(in, out, across) : filterAcross<3>(in, out, across);
        }
        lines = narrow;
    } else {
        lines = lines.colRange(part.x, part.x + part.width);
    }
    if (size.height == picture.rows) return lines;
    cv::Mat result(part.height, part.width, picture.type());
    for (int y = 0; y < part.height; ++y)
        filterDown(lines, origin, down.taps[static_cast<std::size_t>(y)], result.ptr<std::uint8_t>(y));
    return result;
}

cv::Mat torchResized(const cv::Mat& picture, cv::Size size) {
    checkResize(picture, size);
    if (picture.size() == size) return picture;
    const std::vector<Between> columns = halfPixelCentres(picture.cols, size.width);
    const std::vector<Between> rows = halfPixelCentres(picture.rows, size.height);
    const std::size_t width = static_cast<std::size_t>(size.width) * picture.elemSize();
    // One of two neighbouring lines has an odd number, and lines are requested in order, so two slots suffice.
    std::array<std::vector<float>, 2> kept = {std::vector<float>(width), std::vector<float>(width)};
    std::array<int, 2> which = {-1, -1};
    const auto line = [&](int y) -> const std::vector<float>& {
        const auto slot = static_cast<std::size_t>(y & 1);
        if (std::exchange(which[slot], y) != y) {
            const std::uint8_t* in = picture.ptr<std::uint8_t>(y);
            float* out = kept[slot].data();
            picture.channels() == 1 ? blendAcross<1>(in, out, columns) : blendAcross<3>(in, out, columns);
        }
        return kept[slot];
    };
    cv::Mat result(size, picture.type());
    for (int y = 0; y < size.height; ++y) {
        const Between& row = rows[static_cast<std::size_t>(y)];
        const std::vector<float>&upper = line(row.first), &lower = line(row.second);
        std::uint8_t* out = result.ptr<std::uint8_t>(y);
        for (std::size_t i = 0; i < width; ++i)
            out[i] = cv::saturate_cast<std::uint8_t>(fused(upper[i], row.first_weight, lower[i] * row.second_weight));
    }
    return result;
}

}  // namespace palimpsest
