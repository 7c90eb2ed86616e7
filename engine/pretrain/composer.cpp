// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/composer.h"

#include <algorithm>
#include <cmath>
#include <opencv2/imgproc.hpp>

#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

enum ComposerPurpose : std::uint64_t { kPick = 12, kCompose = 13 };
constexpr int kSide = kPictureSide, kPixels = kSide * kSide;

using Plane = std::array<float, kPixels>;
using Colour = std::array<float, 3>;  // 0..1
/// RGB, 0..1.
using Canvas = std::array<Plane, 3>;

float between(Random& random, double low, double high) {
    return static_cast<float>(random.uniform(low, high));
}

/// Mostly greys.
Colour anyColour(Random& random, double low, double high) {
    const float grey = between(random, low, high);
    Colour colour{grey, grey, grey};
    if (random.uniform() < 0.5)
        for (float& part : colour) part = between(random, low, high);
    return colour;
}

/// The drawing on the picture's pixels; strength 0 leaves it upright and in the middle.
cv::Mat placed(const Drawing& drawing, double strength, double zoom, Random& random) {
    const double angle = strength * random.uniform(-0.35, 0.35), shear = strength * random.uniform(-0.2, 0.2);
    const double aspect = std::exp(strength * random.uniform(-0.25, 0.25));
    const double scale = zoom * std::exp(strength * random.uniform(-0.4, 0.2)) * kSide / kDrawingSide;
    const double flip = drawing.mirrors && random.uniform() < 0.5 ? -1 : 1;
    const double c = std::cos(angle), s = std::sin(angle), shift = strength * kSide / 10.0;
    const double from = (kDrawingSide - 1) / 2.0, to = (kSide - 1) / 2.0;
    const double a = flip * scale * aspect * c, b = scale * (shear * c - s), d = flip * scale * aspect * s,
                 e = scale * (shear * s + c);
    const cv::Matx23d map(a, b, to - (a + b) * from + random.uniform(-shift, shift), d, e,
                          to - (d + e) * from + random.uniform(-shift, shift));
    cv::Mat moved;
    cv::warpAffine(drawing.pixels, moved, map, {kSide, kSide}, cv::INTER_LINEAR, cv::BORDER_CONSTANT,
                   cv::Scalar::all(0));
    return moved;
}

/// Brightness 0..1 of a placed drawing.
Plane brightness(const cv::Mat& placed) {
    Plane out;
    const std::uint8_t* in = placed.data;
    if (placed.channels() == 1)
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(in[i]) / 255;
    else
        for (std::size_t i = 0; i < out.size(); ++i)
            out[i] = static_cast<float>(in[4 * i] + in[4 * i + 1] + in[4 * i + 2]) / 765;
    return out;
}

void blend(const Plane& share, const Colour& low, const Colour& high, Canvas& canvas) {
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < share.size(); ++i) canvas[k][i] = low[k] + (high[k] - low[k]) * share[i];
}

/// A ramp, stripes or checks in any direction.
Plane pattern(Random& random) {
    Plane out;
    const double angle = random.uniform(0, CV_PI);
    const auto kind = random.below(3);
    const float x = static_cast<float>(std::cos(angle)), y = static_cast<float>(std::sin(angle));
    const float frequency = kind == 0 ? 0 : between(random, 0.5, 3), phase = between(random, 0, 6.3);
    for (int v = 0; v < kSide; ++v)
        for (int u = 0; u < kSide; ++u) {
            const float along = x * static_cast<float>(u) + y * static_cast<float>(v),
                        across = x * static_cast<float>(v) - y * static_cast<float>(u);
            float value = along / 45 + 0.5F * (1 - (x + y) / 1.42F);
            // Cheap waves: a parabola for each half period.
            const auto wave = [](float t) {
                t -= std::floor(t);
                return t < 0.5F ? 16 * t * (0.5F - t) : -16 * (t - 0.5F) * (1 - t);
            };
            if (kind == 1) value = 0.5F + 0.5F * wave(along * frequency / 6.3F + phase);
            if (kind == 2)
                value = 0.5F + 0.25F * (wave(along * frequency / 6.3F + phase) + wave(across * frequency / 6.3F));
            out[static_cast<std::size_t>(v * kSide + u)] = std::clamp(value, 0.0F, 1.0F);
        }
    return out;
}

void invert(Canvas& canvas) {
    for (Plane& plane : canvas)
        for (float& value : plane) value = 1 - value;
}

/// Gradients and brightness of the grey picture, see kShapeNumbers; cell by cell, with the square root of the cells'
/// sums, relative to the whole picture's.
void describe(const Plane& grey, float* out) {
    std::fill_n(out, kShapeNumbers, 0.0F);
    float* const brightness = out + kCells * kCells * kDirections;
    for (int v = 0; v < kSide; ++v)
        for (int u = 0; u < kSide; ++u) {
            const auto at = [&](int y, int x) {
                return grey[static_cast<std::size_t>(std::clamp(y, 0, kSide - 1) * kSide +
                                                     std::clamp(x, 0, kSide - 1))];
            };
            const int cell = v / 4 * kCells + u / 4;
            brightness[cell] += at(v, u) / 16;
            float dx = at(v, u + 1) - at(v, u - 1), dy = at(v + 1, u) - at(v - 1, u);
            const float size = std::sqrt(dx * dx + dy * dy);
            if (size < 0.01F) continue;
            // A direction and its opposite are one: which side is brighter depends on the colours alone.
            if (dy < 0) dx = -dx, dy = -dy;
            const float turn = std::atan2(dy, dx) * (kDirections / 3.14159265F);
            const int first = static_cast<int>(turn) % kDirections;
            const float rest = turn - std::floor(turn);
            float* to = out + cell * kDirections;
            to[first] += size * (1 - rest);
            to[(first + 1) % kDirections] += size * rest;
        }
    float total = 0;
    for (int i = 0; i < kCells * kCells * kDirections; ++i) total += out[i];
    const float scale = 1 / (total / (kCells * kCells) + 0.05F);
    for (int i = 0; i < kCells * kCells * kDirections; ++i) out[i] = std::sqrt(out[i] * scale);
}

}  // namespace

Composer::Composer(const Drawings& drawings, const GroupShares& shares, double strength, std::uint64_t seed)
    : drawings_(drawings), strength_(strength), seed_(seed) {
    double sum = 0;
    for (std::size_t i = 0; i < shares.size(); ++i) until_[i] = sum += drawings.groups[i].empty() ? 0 : shares[i];
    if (!(sum > 0))
        throw inputError("None of the drawings has a share of the training pictures.",
                         "Give a share to one of the groups that have drawings.");
    for (double& until : until_) until /= sum;
}

const Drawing& Composer::pick(Random& random) const {
    const double place = random.uniform();
    std::size_t group = 0;
    while (group + 1 < until_.size() && (place >= until_[group] || drawings_.groups[group].empty())) ++group;
    const auto& drawings = drawings_.groups[group];
    return drawings[random.below(drawings.size())];
}

void Composer::compose(const Drawing& drawing, Random& random, std::uint8_t* planes, float* shapes) const {
    const cv::Mat moved = placed(drawing, strength_, 1, random);
    // The ground.
    Canvas canvas, figure;
    const double ground = random.uniform();
    if (ground < 0.45) {
        for (Plane& plane : canvas) plane.fill(0);
    } else if (ground < 0.52) {
        for (Plane& plane : canvas) plane.fill(1);
    } else if (ground < 0.72) {
        const Colour colour = anyColour(random, 0, 1);
        for (std::size_t k = 0; k < 3; ++k) canvas[k].fill(colour[k]);
    } else {
        const Colour low = anyColour(random, 0, 0.6), high = anyColour(random, 0, 0.6);
        blend(ground < 0.87 ? pattern(random) : brightness(placed(pick(random), 1, random.uniform(1, 3), random)), low,
              high, canvas);
    }
    // The figure and its coverage.
    Plane cover;
    const std::uint8_t* in = moved.data;
    if (drawing.kind == Drawing::Kind::Colours) {
        std::vector<std::size_t> order{0, 1, 2};
        if (random.uniform() < 0.25) random.shuffle(order);
        for (std::size_t i = 0; i < cover.size(); ++i) {
            cover[i] = static_cast<float>(in[4 * i + 3]) / 255;
            for (std::size_t k = 0; k < 3; ++k) figure[k][i] = static_cast<float>(in[4 * i + order[k]]) / 255;
        }
        if (random.uniform() < 0.15)
            for (Plane& plane : figure)
                for (std::size_t i = 0; i < cover.size(); ++i) plane[i] = cover[i] - plane[i];
    } else {
        const Plane grey = brightness(moved);
        const bool solid = drawing.kind == Drawing::Kind::Silhouette;
        for (std::size_t i = 0; i < cover.size(); ++i) cover[i] = solid ? std::min(1.0F, 4 * grey[i]) : grey[i];
        const double fill = random.uniform();
        if (fill < 0.6) {
            const bool plain = random.uniform() < 0.5;
            const float shade = plain ? between(random, 0.6, 1) : 0;
            const Colour colour = plain ? Colour{shade, shade, shade} : anyColour(random, 0.2, 1);
            for (std::size_t k = 0; k < 3; ++k)
                for (std::size_t i = 0; i < cover.size(); ++i) figure[k][i] = (solid ? grey[i] : cover[i]) * colour[k];
        } else {
            const Colour low = anyColour(random, 0.15, 1), high = anyColour(random, 0.15, 1);
            blend(fill < 0.8 ? pattern(random) : brightness(placed(pick(random), 1, random.uniform(1.5, 4), random)),
                  low, high, figure);
            for (Plane& plane : figure)
                for (std::size_t i = 0; i < cover.size(); ++i) plane[i] *= cover[i];
        }
    }
    for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < cover.size(); ++i) canvas[k][i] = figure[k][i] + (1 - cover[i]) * canvas[k][i];
    if (random.uniform() < 0.08) invert(canvas);
    if (random.uniform() < 0.5) {
        for (std::size_t i = 0; i < cover.size(); ++i)
            canvas[0][i] = canvas[1][i] = canvas[2][i] = (canvas[0][i] + canvas[1][i] + canvas[2][i]) / 3;
    }
    const float gain = between(random, 0.6, 1.15);
    for (Plane& plane : canvas)
        for (float& value : plane) value = std::min(1.0F, value * gain);

    Plane grey;
    for (std::size_t i = 0; i < grey.size(); ++i) grey[i] = (canvas[0][i] + canvas[1][i] + canvas[2][i]) / 3;
    describe(grey, shapes);

    if (random.uniform() < 0.15)
        for (Plane& plane : canvas) {
            cv::Mat view(kSide, kSide, CV_32FC1, plane.data());
            cv::blur(view, view, {2, 2});
        }
    if (random.uniform() < 0.25 * strength_) {
        const auto w = 4 + static_cast<int>(random.below(9)), h = 4 + static_cast<int>(random.below(9));
        const auto x = static_cast<int>(random.below(static_cast<std::uint64_t>(kSide - w)));
        const auto y = static_cast<int>(random.below(static_cast<std::uint64_t>(kSide - h)));
        const Colour colour = anyColour(random, 0, 1);
        for (std::size_t k = 0; k < 3; ++k)
            for (int v = y; v < y + h; ++v) std::fill_n(canvas[k].begin() + v * kSide + x, w, colour[k]);
    }
    const float noise = random.uniform() < 0.5 ? static_cast<float>(strength_) * between(random, 0, 20) : 0;
    for (int i = 0; i < kPixels; ++i) {
        // The sum of four bytes is close enough to a normal draw here and many times cheaper.
        float n = 0;
        if (noise > 0) {
            const std::uint32_t w = random.word();
            n = noise * (static_cast<float>((w & 255) + (w >> 8 & 255) + (w >> 16 & 255) + (w >> 24)) - 510.0F) /
                147.8F;
        }
        for (int k = 0; k < 3; ++k)
            planes[k * kPixels + i] = static_cast<std::uint8_t>(std::clamp(
                255 * canvas[static_cast<std::size_t>(k)][static_cast<std::size_t>(i)] + n + 0.5F, 0.0F, 255.0F));
    }
}

ComposedBatch Composer::batch(std::int64_t step, std::int64_t count) const {
    ComposedBatch batch{
        at::empty({count, 3, kSide, kSide}, at::kByte), {}, at::empty({count, kShapeNumbers}, at::kFloat)};
    for (Tensor& labels : batch.labels) labels = at::empty({count}, at::kLong);
    Random choice(seed_, kPick, static_cast<std::uint64_t>(step));
    for (std::int64_t i = 0; i < count; ++i) {
        const Drawing& drawing = pick(choice);
        Random random(seed_, kCompose, static_cast<std::uint64_t>(step), static_cast<std::uint64_t>(i));
        compose(drawing, random, batch.pictures.data_ptr<std::uint8_t>() + i * 3 * kPixels,
                batch.shapes.data_ptr<float>() + i * kShapeNumbers);
        for (std::size_t s = 0; s < kLabelSpaces; ++s) batch.labels[s].data_ptr<std::int64_t>()[i] = drawing.labels[s];
    }
    return batch;
}

}  // namespace palimpsest
