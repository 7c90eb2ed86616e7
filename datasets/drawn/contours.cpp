// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/contours.h"

#include "engine/support/random.h"

#include <algorithm>
#include <cmath>
#include <opencv2/core.hpp>

namespace palimpsest {
namespace {

constexpr float kPi = 3.14159265F;
constexpr int kDirections = 128;

float draw(Random& random, double low, double high) {
    return static_cast<float>(random.uniform(low, high));
}

/// atan2 by a polynomial per quarter turn, error below 0.004 rad: far finer than the outline's table of directions.
float fastAngle(float y, float x) {
    const float ax = std::abs(x);
    const float ay = std::abs(y);
    const float a = std::min(ax, ay) / (std::max(ax, ay) + 1e-12F);
    float angle = a * (1.0584F - a * 0.2734F * a);
    angle = ay > ax ? kPi / 2 - angle : angle;
    angle = x < 0 ? kPi - angle : angle;
    return y < 0 ? -angle : angle;
}

/// A part prepared for drawing: its radius by direction, relative to its half axes.
struct Outline {
    float x, y, inverse_width, inverse_height, cosine, sine, scale;
    std::array<float, kDirections + 1> radius;
};

/// Radius of a regular polygon with unit circumradius, blended with its circle.
float polygonRadius(const ContourSystem::Part& part, float direction) {
    if (part.vertices < 3) return 1.F;
    const float sector = 2 * kPi / static_cast<float>(part.vertices);
    const float within = direction - sector * std::floor(direction / sector) - sector / 2;
    const float polygon = std::cos(sector / 2) / std::cos(within);
    return polygon + (1 - polygon) * part.roundness;
}

Outline outlineOf(const ContourSystem::Part& part) {
    Outline out{part.x,
                part.y,
                1 / part.width,
                1 / part.height,
                std::cos(part.angle),
                std::sin(part.angle),
                std::min(part.width, part.height),
                {}};
    // Sines of the harmonics come from a recurrence: one sine a harmonic instead of one a direction.
    std::array<float, ContourSystem::kHarmonics> sines{};
    std::array<float, ContourSystem::kHarmonics> cosines{};
    std::array<float, ContourSystem::kHarmonics> stepSine{};
    std::array<float, ContourSystem::kHarmonics> stepCosine{};
    for (std::size_t k = 0; k < sines.size(); ++k) {
        const float step = 2 * kPi * static_cast<float>(k + 2) / kDirections;
        sines[k] = std::sin(part.phase[k]);
        cosines[k] = std::cos(part.phase[k]);
        stepSine[k] = std::sin(step);
        stepCosine[k] = std::cos(step);
    }
    for (int i = 0; i < kDirections; ++i) {
        float noise = 0;
        for (std::size_t k = 0; k < sines.size(); ++k) {
            noise += part.amplitude[k] * sines[k];
            const float next = sines[k] * stepCosine[k] + cosines[k] * stepSine[k];
            cosines[k] = cosines[k] * stepCosine[k] - sines[k] * stepSine[k];
            sines[k] = next;
        }
        const float direction = 2 * kPi * static_cast<float>(i) / kDirections;
        out.radius[static_cast<std::size_t>(i)] = polygonRadius(part, direction) * std::max(0.15F, 1 + noise);
    }
    out.radius.back() = out.radius.front();
    return out;
}

/// Distance of (x, y) from the centre, 1 on the outline, and the outline's radius there in canvas units.
struct Reach {
    float ratio, radius;
};
Reach reach(const Outline& outline, float x, float y) {
    const float dx = x - outline.x;
    const float dy = y - outline.y;
    const float u = (outline.cosine * dx + outline.sine * dy) * outline.inverse_width;
    const float v = (outline.cosine * dy - outline.sine * dx) * outline.inverse_height;
    float turn = fastAngle(v, u) / (2 * kPi);
    turn = (turn < 0 ? turn + 1 : turn) * kDirections;
    const int low = std::min(static_cast<int>(turn), kDirections - 1);
    const float share = turn - static_cast<float>(low);
    const auto at = static_cast<std::size_t>(low);
    const float radius = outline.radius[at] + share * (outline.radius[at + 1] - outline.radius[at]);
    return {std::sqrt(u * u + v * v) / radius, radius * outline.scale};
}

float triangleWave(float phase) {
    return 4 * std::abs(phase - std::floor(phase + 0.5F)) - 1;
}

/// Texture value in -1..1 at texture coordinates (one period = 1).
float textureAt(ContourSystem::Texture texture, float u, float v) {
    const auto square = [](float phase) { return std::clamp(4 * triangleWave(phase), -1.F, 1.F); };
    switch (texture) {
        case ContourSystem::Texture::Flat:
            return 0;
        case ContourSystem::Texture::Gradient:
            return std::clamp(v / 2, -1.F, 1.F);
        case ContourSystem::Texture::Stripes:
            return square(v);
        case ContourSystem::Texture::Checks:
            return square(u) * square(v);
        case ContourSystem::Texture::Weave:
            return (triangleWave(u) + triangleWave(v)) / 2;
    }
    return 0;
}

/// The class with the variations of one instance.
struct Instance {
    ContourSystem system;
    std::vector<Outline> outlines;
    float cosine, sine, scale, x, y, texture_u, texture_v, light_x, light_y;
};

Instance instanceOf(const ContourSystem& system, Random& random) {
    Instance instance{system, {}, 1, 0, 1, 0, 0, 0, 0, 0, 0};
    ContourSystem& own = instance.system;
    const double jitter = system.jitter;
    for (auto& part : own.parts) {
        part.x += draw(random, -0.5, 0.5) * system.jitter;
        part.y += draw(random, -0.5, 0.5) * system.jitter;
        part.width *= draw(random, 1 - jitter, 1 + jitter);
        part.height *= draw(random, 1 - jitter, 1 + jitter);
        part.angle += draw(random, -jitter, jitter);
        for (auto& amplitude : part.amplitude) amplitude += draw(random, -0.25, 0.25) * system.jitter;
    }
    own.line_width *= draw(random, 0.7, 1.4);
    own.line_shade = std::clamp(own.line_shade + draw(random, -0.15, 0.15), 0.F, 1.F);
    own.fill_shade = std::clamp(own.fill_shade + draw(random, -0.2, 0.2), 0.12F, 1.F);
    own.frequency *= draw(random, 0.85, 1.18);
    own.texture_angle += draw(random, -0.12, 0.12);
    own.contrast *= random.chance(0.25) ? draw(random, 0.1, 0.6) : draw(random, 0.7, 1.2);
    const float angle = draw(random, -0.12, 0.12);
    instance.cosine = std::cos(angle);
    instance.sine = std::sin(angle);
    instance.scale = 1 / draw(random, 0.85, 1.08);
    instance.x = draw(random, -0.08, 0.08);
    instance.y = draw(random, -0.08, 0.08);
    instance.texture_u = draw(random, 0, 1);
    instance.texture_v = own.texture == ContourSystem::Texture::Gradient ? 0.F : draw(random, 0, 1);
    instance.light_x = draw(random, -0.18, 0.18);
    instance.light_y = draw(random, -0.18, 0.18);

    for (const auto& part : own.parts) {
        instance.outlines.push_back(outlineOf(part));
        if (!own.mirrored) continue;
        Outline twin = instance.outlines.back();
        twin.x = -twin.x;
        twin.sine = -twin.sine;
        // The mirror image of direction t is pi - t.
        for (int i = 0; i <= kDirections; ++i) {
            const int from = ((kDirections / 2 - i) % kDirections + kDirections) % kDirections;
            twin.radius[static_cast<std::size_t>(i)] = instance.outlines.back().radius[static_cast<std::size_t>(from)];
        }
        instance.outlines.insert(instance.outlines.end() - 1, twin);
    }
    return instance;
}

/// Brightness 0..1 at a point of the canvas; `pixel` is a pixel's width in canvas units.
float shadeAt(const Instance& instance, float canvasX, float canvasY, float pixel) {
    const ContourSystem& own = instance.system;
    const float dx = (canvasX - instance.x) * instance.scale;
    const float dy = (canvasY - instance.y) * instance.scale;
    const float x = instance.cosine * dx + instance.sine * dy;
    const float y = instance.cosine * dy - instance.sine * dx;
    Reach nearest{1e9F, 1.F};
    for (const auto& outline : instance.outlines) {
        const Reach here = reach(outline, x, y);
        if (here.ratio < nearest.ratio) nearest = here;
    }
    const float inside = (1 - nearest.ratio) * nearest.radius;
    const float covered = std::clamp(inside / pixel + 0.5F, 0.F, 1.F);

    float shade = 0;
    if (own.filled && covered > 0) {
        const float c = std::cos(own.texture_angle);
        const float s = std::sin(own.texture_angle);
        const float frequency = own.texture == ContourSystem::Texture::Gradient ? 2.F : own.frequency;
        const float u = (c * x + s * y) * frequency + instance.texture_u;
        const float v = (c * y - s * x) * frequency + instance.texture_v;
        const float lit = 1 + instance.light_x * x + instance.light_y * y;
        shade = covered * own.fill_shade * lit * (1 + own.contrast * textureAt(own.texture, u, v));
    }
    const float spacing = nearest.radius / static_cast<float>(own.rings);
    const float ring = std::min(std::round(inside / spacing), static_cast<float>(own.rings - 1));
    const float off = std::abs(inside - std::max(0.F, ring) * spacing);
    const float line =
        std::clamp((own.line_width / 2 - off) / pixel + 0.5F, 0.F, 1.F) * std::min(1.F, own.line_width / pixel);
    return std::clamp(shade + line * (own.line_shade - shade), 0.F, 1.F);
}

ContourSystem::Part drawPart(Random& random, float widest) {
    ContourSystem::Part part{};
    part.width = widest * draw(random, 0.35, 1);
    part.height = widest * draw(random, 0.35, 1);
    part.angle = random.chance(0.5) ? 0.F : draw(random, -0.9, 0.9);
    part.vertices = random.chance(0.3) ? 0 : 3 + static_cast<int>(random.below(7));
    part.roundness = draw(random, 0, 0.9);
    const double noise = random.chance(0.3) ? 0.02 : random.uniform(0.05, 0.3);
    for (std::size_t k = 0; k < part.amplitude.size(); ++k) {
        part.amplitude[k] = draw(random, 0, noise) / (1 + 0.3F * static_cast<float>(k));
        part.phase[k] = draw(random, 0, 2 * kPi);
    }
    return part;
}

}  // namespace

ContourSystem contourClass(std::uint64_t seed, std::int64_t label) {
    Random random(seed, purpose::kContourClass, static_cast<std::uint64_t>(label));
    ContourSystem system;
    system.mirrored = random.chance(0.6);
    const auto extra = random.below(4);
    system.parts.push_back(drawPart(random, extra == 0 ? 0.9F : 0.75F));
    for (std::uint64_t i = 0; i < extra; ++i) {
        auto part = drawPart(random, 0.5F);
        part.x = draw(random, -0.5, 0.5);
        part.y = draw(random, -0.55, 0.55);
        system.parts.push_back(part);
    }
    system.filled = random.chance(0.75);
    system.rings = random.chance(system.filled ? 0.75 : 0.4) ? 1 : 2 + static_cast<int>(random.below(4));
    system.line_width = system.filled ? draw(random, 0.03, 0.1) : draw(random, 0.07, 0.18);
    system.line_shade = system.filled ? draw(random, 0, 1) : draw(random, 0.6, 1);
    system.fill_shade = draw(random, 0.25, 0.95);
    system.texture = static_cast<ContourSystem::Texture>(random.below(5));
    system.frequency = draw(random, 1.5, 6);
    system.texture_angle = random.chance(0.5) ? (random.chance(0.5) ? 0.F : kPi / 2) : draw(random, 0, kPi);
    system.contrast = draw(random, 0.2, 0.7);
    system.jitter = draw(random, 0.05, 0.16);
    return system;
}

cv::Mat renderContour(const ContourSystem& system, std::uint64_t instanceSeed, int size) {
    Random random(instanceSeed, purpose::kContourInstance);
    const Instance instance = instanceOf(system, random);
    const float pixel = 2.F / static_cast<float>(size);
    cv::Mat picture(size, size, CV_8UC1);
    for (int row = 0; row < size; ++row) {
        auto* to = picture.ptr<std::uint8_t>(row);
        const float y = (static_cast<float>(row) + 0.5F) * pixel - 1;
        for (int column = 0; column < size; ++column) {
            const float x = (static_cast<float>(column) + 0.5F) * pixel - 1;
            to[column] = static_cast<std::uint8_t>(255.F * shadeAt(instance, x, y, pixel) + 0.5F);
        }
    }
    return picture;
}

}  // namespace palimpsest
