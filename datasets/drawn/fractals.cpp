// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/fractals.h"

#include "engine/support/random.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/core.hpp>

namespace palimpsest {
namespace {

constexpr int kBurnIn = 24;
constexpr float kEscape = 1e4F;
constexpr int kProbeSize = 32;
constexpr int kProbePoints = 1500;
constexpr double kFillingRate = 0.12;
constexpr double kLongestTail = 2.5;
constexpr float kMargin = 0.06F;

struct Point {
    float x, y;
};

/// Map numbers in a table from which a random byte picks each map with its probability.
std::array<std::uint8_t, 256> pickTable(const std::vector<FractalSystem::Map>& maps) {
    std::array<std::uint8_t, 256> table{};
    double reached = 0;
    std::size_t at = 0;
    for (std::size_t m = 0; m < maps.size(); ++m) {
        reached += maps[m].probability;
        const std::size_t end =
            m + 1 == maps.size() ? table.size() : std::min<std::size_t>(table.size(), std::lround(reached * 256.0));
        for (; at < end; ++at) table[at] = static_cast<std::uint8_t>(m);
    }
    return table;
}

/// Plays the chaos game. False when the orbit escapes.
bool play(const std::vector<FractalSystem::Map>& maps, Random& random, std::vector<Point>& points) {
    const auto table = pickTable(maps);
    Point p{0.F, 0.F};
    std::uint32_t bytes = 0;
    const int total = kBurnIn + static_cast<int>(points.size());
    for (int i = 0; i < total; ++i) {
        if (i % 4 == 0) bytes = random.word();
        const auto& m = maps[table[bytes & 0xFFU]];
        bytes >>= 8U;
        p = {m.a * p.x + m.b * p.y + m.e, m.c * p.x + m.d * p.y + m.f};
        if (!(std::abs(p.x) + std::abs(p.y) < kEscape)) return false;
        if (i >= kBurnIn) points[static_cast<std::size_t>(i - kBurnIn)] = p;
    }
    return true;
}

struct Spread {
    float low, high;  ///< range of nearly all values
    double tail;      ///< distance of the farthest value from the mean, in standard deviations
};

/// Extremes, limited to three standard deviations so that a few stray points do not shrink the picture.
Spread spreadOf(const std::vector<Point>& points, float Point::*axis) {
    double sum = 0;
    double squares = 0;
    float low = points.front().*axis;
    float high = low;
    for (const auto& p : points) {
        const float v = p.*axis;
        sum += v;
        squares += static_cast<double>(v) * v;
        low = std::min(low, v);
        high = std::max(high, v);
    }
    const double n = static_cast<double>(points.size());
    const double mean = sum / n;
    const double deviation = std::sqrt(std::max(0.0, squares / n - mean * mean));
    return {std::max(low, static_cast<float>(mean - 3 * deviation)),
            std::min(high, static_cast<float>(mean + 3 * deviation)),
            std::max(mean - low, high - mean) / std::max(deviation, 1e-12)};
}

/// Scales the points to fill both sides of the canvas; a thin figure is widened no more than 2.5 times.
void fitToCanvas(std::vector<Point>& points, int size) {
    const Spread x = spreadOf(points, &Point::x);
    const Spread y = spreadOf(points, &Point::y);
    const float longest = std::max({x.high - x.low, y.high - y.low, 1e-6F});
    const float usable = static_cast<float>(size) * (1 - 2 * kMargin);
    const float scaleX = usable / std::max(x.high - x.low, longest / 2.5F);
    const float scaleY = usable / std::max(y.high - y.low, longest / 2.5F);
    const float middleX = (x.low + x.high) / 2;
    const float middleY = (y.low + y.high) / 2;
    const float centre = static_cast<float>(size - 1) / 2;
    for (auto& p : points) p = {(p.x - middleX) * scaleX + centre, (p.y - middleY) * scaleY + centre};
}

/// Density of the points, each distributed over its four nearest pixels.
std::vector<float> splat(const std::vector<Point>& points, int size) {
    const int stride = size + 1;
    std::vector<float> density(static_cast<std::size_t>(stride) * stride, 0.F);
    const float limit = static_cast<float>(size - 1);
    for (const auto& p : points) {
        if (!(p.x >= 0 && p.y >= 0 && p.x <= limit && p.y <= limit)) continue;
        const int column = static_cast<int>(p.x);
        const int row = static_cast<int>(p.y);
        const float right = p.x - static_cast<float>(column);
        const float down = p.y - static_cast<float>(row);
        float* at = density.data() + static_cast<std::size_t>(row) * stride + column;
        at[0] += (1 - right) * (1 - down);
        at[1] += right * (1 - down);
        at[stride] += (1 - right) * down;
        at[stride + 1] += right * down;
    }
    return density;
}

double filledShare(const std::vector<float>& density) {
    const auto filled = std::count_if(density.begin(), density.end(), [](float d) { return d >= 0.25F; });
    return static_cast<double>(filled) / static_cast<double>(density.size());
}

bool worthDrawing(const FractalSystem& system, Random& random) {
    std::vector<Point> points(kProbePoints);
    if (!play(system.maps, random, points)) return false;
    // Expanding maps give long tails and always the same blurred star; bounded attractors have structure.
    if (std::max(spreadOf(points, &Point::x).tail, spreadOf(points, &Point::y).tail) > kLongestTail) return false;
    fitToCanvas(points, kProbeSize);
    return filledShare(splat(points, kProbeSize)) >= kFillingRate;
}

/// The maps of one of Kataoka's instances: one of the six parameters is scaled in every map.
std::vector<FractalSystem::Map> jittered(const FractalSystem& system, Random& random) {
    using Map = FractalSystem::Map;
    static constexpr std::array<float Map::*, 6> kParameters{&Map::a, &Map::b, &Map::c, &Map::d, &Map::e, &Map::f};
    auto maps = system.maps;
    const auto parameter = kParameters[random.below(kParameters.size())];
    const auto factor = static_cast<float>(random.uniform(0.8, 1.2));
    for (auto& map : maps) map.*parameter *= factor;
    return maps;
}

void turn(std::vector<Point>& points, Random& random) {
    const double angle = random.uniform(-0.35, 0.35);
    const auto flips = random.below(4);
    const float flipX = (flips & 1U) != 0 ? -1.F : 1.F;
    const float flipY = (flips & 2U) != 0 ? -1.F : 1.F;
    const auto c = static_cast<float>(std::cos(angle));
    const auto s = static_cast<float>(std::sin(angle));
    for (auto& p : points) p = {flipX * (c * p.x - s * p.y), flipY * (s * p.x + c * p.y)};
}

}  // namespace

FractalSystem fractalClass(std::uint64_t seed, std::int64_t label) {
    Random random(seed, purpose::kFractalClass, static_cast<std::uint64_t>(label));
    for (;;) {
        FractalSystem system;
        system.maps.resize(2 + random.below(7));
        float total = 0;
        for (auto& m : system.maps) {
            for (float* value : {&m.a, &m.b, &m.c, &m.d, &m.e, &m.f})
                *value = static_cast<float>(random.uniform(-1.0, 1.0));
            m.probability = std::abs(m.a * m.d - m.b * m.c);
            total += m.probability;
        }
        if (total <= 0) continue;
        for (auto& m : system.maps) m.probability /= total;
        if (worthDrawing(system, random)) return system;
    }
}

cv::Mat renderFractal(const FractalSystem& system, std::uint64_t instanceSeed, int size) {
    Random random(instanceSeed, purpose::kFractalInstance);
    std::vector<Point> points(static_cast<std::size_t>(size) * size * 3);
    // Scaling a parameter can make a barely stable system escape; then the system itself is drawn.
    if (!play(jittered(system, random), random, points) && !play(system.maps, random, points))
        std::fill(points.begin(), points.end(), Point{0.F, 0.F});
    turn(points, random);
    fitToCanvas(points, size);
    const auto density = splat(points, size);

    double sum = 0;
    int filled = 0;
    for (const float d : density) {
        sum += d;
        filled += d > 0.05F ? 1 : 0;
    }
    const auto typical = static_cast<float>(sum / std::max(filled, 1));
    cv::Mat picture(size, size, CV_8UC1);
    for (int row = 0; row < size; ++row) {
        const float* from = density.data() + static_cast<std::size_t>(row) * (size + 1);
        auto* to = picture.ptr<std::uint8_t>(row);
        // The curve saturates softly: sparse dust stays visible and dense cores keep their shading.
        for (int column = 0; column < size; ++column)
            to[column] = static_cast<std::uint8_t>(255.F * std::sqrt(from[column] / (from[column] + typical)) + 0.5F);
    }
    return picture;
}

const FractalSystem& FractalClasses::operator[](std::int32_t label) const {
    Slot& slot = slots_[static_cast<std::size_t>(label)];
    std::call_once(slot.once, [&] {
        slot.system = fractalClass(seed_, label);
        ++found_;
    });
    return slot.system;
}

}  // namespace palimpsest
