// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <vector>

namespace palimpsest {

/// Radial contours (after Kataoka et al., Replacing Labeled Real-image Datasets with Auto-generated Contours, CVPR
/// 2022): closed outlines around a centre, nested in rings. Unlike in the paper, outlines may be joined to one
/// silhouette, mirrored like a garment, and filled with shading or stripes.
struct ContourSystem {
    static constexpr int kHarmonics = 6;

    /// One closed outline; lengths in canvas units, -1..1 from edge to edge.
    struct Part {
        float x, y;                               ///< centre
        float width, height;                      ///< half axes
        float angle;                              ///< radians
        int vertices;                             ///< of the base polygon; 0: ellipse
        float roundness;                          ///< 0 polygon .. 1 circle
        std::array<float, kHarmonics> amplitude;  ///< of the radius noise, relative to the radius
        std::array<float, kHarmonics> phase;      ///< radians
    };
    enum class Texture { Flat, Gradient, Stripes, Checks, Weave };

    std::vector<Part> parts;  ///< joined where they overlap
    bool mirrored = false;    ///< repeats every part at -x
    bool filled = false;
    int rings = 1;             ///< nested outlines, evenly spaced
    float line_width = 0.05F;  ///< canvas units
    float line_shade = 1.F;    ///< 0 black .. 1 white
    float fill_shade = 0.6F;
    Texture texture = Texture::Flat;
    float frequency = 4.F;      ///< texture periods over half the canvas
    float texture_angle = 0.F;  ///< radians
    float contrast = 0.4F;      ///< of the texture, 0..1
    float jitter = 0.05F;       ///< strength of the variation of instances in outline, 0..1
};

/// The system of one class, which depends on (seed, class) alone.
ContourSystem contourClass(std::uint64_t seed, std::int64_t label);

/// Renders one instance: outline, size, position, angle and shades vary; a quarter of the pictures of filled systems
/// lose part of their texture. CV_8UC1 [size, size], anti-aliased. Depends only on the arguments.
cv::Mat renderContour(const ContourSystem& system, std::uint64_t instanceSeed, int size);

}  // namespace palimpsest
