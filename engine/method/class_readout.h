// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/method/method.h"
#include "engine/method/ridge_statistics.h"

namespace palimpsest {

/// A decision in closed form on the features that a method's head gets, in place of that head in evaluations: the
/// nearest class mean by cosine, or ridge regression on the classes (see RidgeStatistics). The sums are running ones:
/// every update counts its images, replayed ones too, with the feature that they had when they were learned, so where
/// prompts move, older images stand there as the prompts saw them then.
class ClassReadout {
public:
    /// Throws Error(Input) for an unknown method.readout.
    explicit ClassReadout(const MethodSetup& setup);

    /// True where the head answers itself.
    bool isOff() const { return !statistics_; }
    /// Counts features [B, D] of training images of these units [B]. `again`: an earlier pass has counted these images
    /// (UpdateInput::again), so that the sums stay as they are.
    void count(const Tensor& features, const Tensor& units, bool again = false);
    /// Scores [B, C] of features [B, D], no gradient; classes without an image come last. Computed anew where images
    /// were counted since the last time.
    Tensor scores(const Tensor& features);
    /// The rows [C, D] by which it decided last, directions of the class means or the regression's; undefined before.
    Tensor rows() const { return weight_.defined() ? weight_.t() : weight_; }
    /// "readout.G", "readout.Q" and "readout.n"; none while it is off.
    std::vector<NamedTensor> keptTensors() const;
    /// Nothing while it is off. In a fork that begins with it, the sums begin, too.
    void keep(StateArchive& archive);

private:
    bool ridge_ = false;
    double lambda_;
    std::optional<RidgeStatistics> statistics_;
    std::int64_t computed_at_ = 0;
    Tensor weight_;  // [D, C], as of computed_at_
    Tensor known_;   // [C] has the class an image?
};

}  // namespace palimpsest
