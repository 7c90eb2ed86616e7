// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

namespace palimpsest {

struct PretrainSettings {
    std::int64_t classes = 300;  ///< fractals
    std::int64_t contour_classes = 500;
    std::int64_t instances = 150;  ///< rendered images a class
    std::int64_t steps = 8000;
    std::int64_t batch_size = 128;
    double learning_rate = 1e-3;
    std::uint64_t seed = 1;
    std::string precision = "auto";
    std::int64_t threads = 0;
    double patch_keep = 0.5;     ///< share of patches kept in each training image
    double augmentation = 1.0;   ///< strength of the affine maps; 0: none, 1: rotations up to 20 degrees and the like
    std::filesystem::path from;  ///< weights to start from; empty: random ones
    std::int64_t probe_every = 2000;    ///< steps between writing the weights, probed each time; 0: at the end only
    std::int64_t probe_train = 10'000;  ///< Fashion-MNIST images of the linear probe; 0: no probe
    std::int64_t probe_test = 5'000;
    std::filesystem::path out;  ///< .safetensors
};
struct PretrainReport {
    std::int64_t step = 0;
    double loss = 0;
    double accuracy = 0;
    double images_per_second = 0;
    double probe_accuracy = -1;  ///< < 0: not probed at this step
};
/// Formula-driven supervised pretraining of the embedded backbone. `stopping` is called after every step and, by any
/// thread, while images are rendered; true ends the training and keeps what was learned. Returns the steps learned;
/// with 0 nothing was written. Throws Error before the training when the output cannot be written or the probe's data
/// set is missing, and during it when the loss is not finite; weights in `out` are never overwritten by such ones.
std::int64_t pretrain(
    const PretrainSettings& settings, const std::function<void(const PretrainReport&)>& report,
    const std::function<bool()>& stopping = [] { return false; });
/// Accuracy of a linear probe of backbone weights on Fashion-MNIST (10,000 train, 5,000 test images, standardised
/// features).
double probeBackbone(const std::string& weights);

}  // namespace palimpsest
