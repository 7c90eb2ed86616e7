// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace palimpsest {

struct PretrainSettings {
    std::int64_t classes = 300;  ///< fractals
    std::int64_t contour_classes = 500;
    std::int64_t instances = 100;    ///< rendered images a class
    std::filesystem::path fonts;     ///< folder of fonts whose glyphs are drawn; empty: none
    std::filesystem::path pictures;  ///< folder with a folder of pictures for each class; empty: none
    std::int64_t width = 192;        ///< of the network, and of its feature
    std::int64_t depth = 6;          ///< blocks
    std::int64_t heads = 4;
    std::int64_t mlp_ratio = 2;
    std::vector<std::int64_t> stem{16, 32, 64, 64};  ///< channels of the convolutions, see VitShape
    /// How often a training picture shows a fractal, a contour, a glyph or a picture, in proportion; groups without
    /// drawings are left out.
    std::vector<double> shares{0.15, 0.25, 0.3, 0.3};
    double shape_weight = 15;  ///< of the squared error of the shape numbers beside the cross-entropy; 0: none
    std::int64_t steps = 8000;
    std::int64_t batch_size = 128;
    double learning_rate = 1.5e-3;
    std::uint64_t seed = 1;
    std::string precision = "auto";
    std::int64_t threads = 0;
    double patch_keep = 1;       ///< share of patches kept in each training image
    double augmentation = 0.4;   ///< strength of the affine maps; 0: none, 1: rotations up to 20 degrees and the like
    std::filesystem::path from;  ///< weights to start from; empty: random ones
    std::int64_t probe_every = 2000;    ///< steps between writing the weights, probed each time; 0: at the end only
    std::int64_t probe_train = 10'000;  ///< Fashion-MNIST images of the linear probe; 0: no probe
    std::int64_t probe_test = 10'000;
    std::filesystem::path out;  ///< .safetensors
};
struct PretrainReport {
    std::int64_t step = 0;
    double loss = 0;
    double accuracy = 0;     ///< of the labels of all spaces
    double shape_error = 0;  ///< share of the shape numbers' variance that is not explained
    double images_per_second = 0;
    double probe_accuracy = -1;  ///< < 0: not probed at this step
};
/// Supervised pretraining of a backbone on drawings of several label spaces (fractals, contours, characters, fonts,
/// pictures), and on the regression of what their shapes look like. `stopping` is called after every step and, by any
/// thread, while images are rendered; true ends the training and keeps what was learned. Returns the steps learned;
/// with 0 nothing was written. Throws Error before the training when the output cannot be written or the probe's data
/// set is missing, and during it when the loss is not finite; weights in `out` are never overwritten by such ones.
std::int64_t pretrain(
    const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
    const std::function<bool()>& stopping = [] { return false; });
/// How well images are told apart by features, 0..1.
struct ProbeScores {
    double linear = 0;        ///< a linear classifier on all training images
    double nearest_mean = 0;  ///< nearest class mean of all training images
    double five_shot = 0;     ///< nearest mean of five training images a class; mean over 20 draws
};
struct ProbeRow {
    struct Set {
        std::string name;
        ProbeScores scores;
    };
    std::string features;  ///< "embedded", the name of embedded weights, "random", a file, or "raw pixels"
    std::vector<Set> sets;
};
/// Scores of backbone weights, and of the raw pixels in the last row: on Fashion-MNIST, on fractals that no pretraining
/// has seen, and on glyphs of fonts that no pretraining has seen. Fashion-MNIST's classifiers learn from the first
/// 10,000 training images and are judged on training images 50,000 to 59,999, which may decide between networks; with
/// `test` on the first 5,000 test images. Throws Error(Input).
std::vector<ProbeRow> probeBackbones(const std::vector<std::string>& weights, bool test);

}  // namespace palimpsest
