// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/network/vit.h"
#include "engine/pretrain/pretrain.h"

namespace palimpsest {

/// Images that judge features, and those that classifiers on the features learn from.
struct ProbeSet {
    struct Part {
        Tensor images;  ///< bytes [N, 3, 32, 32]
        Tensor labels;  ///< [N]
    };
    std::string name;
    Part train, judged;
    std::array<float, 3> mean{}, deviation{};  ///< of the channels, 0..1
    std::int64_t classes = 0;
};

/// Fashion-MNIST: the first training images to learn from; judged by the first of training images 50,000 to 59,999, or
/// by the first test images. Throws Error(Input) when the data set is missing, damaged or empty.
ProbeSet clothesForProbe(bool test, std::int64_t learned, std::int64_t judged);
/// clothesForProbe(), unseen fractals and unseen fonts.
std::vector<ProbeSet> probeSets(bool test);

using ProbeStop = std::function<bool()>;

/// Accuracy, 0..1, of a linear classifier on frozen features: features standardised, multinomial logistic regression by
/// full-batch Adam. Absent if `stopping`, which is called regularly, ended it.
std::optional<double> linearProbe(
    const Vit& vit, const ProbeSet& set, const ProbeStop& stopping = [] { return false; });
std::optional<ProbeScores> probed(
    const Vit& vit, const ProbeSet& set, const ProbeStop& stopping = [] { return false; });
/// The same without a network. `linear` is the better of softmax regression on pixels of 0..1 and of ridge regression
/// on 1,000 random ReLU features of them.
ProbeScores probedPixels(const ProbeSet& set);

}  // namespace palimpsest
