// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/mask/mask_policy.h"
#include "engine/method/push.h"
#include "engine/network/tensor.h"

// Material and results of an update.

namespace palimpsest {

/// Images that show a part of another one (CutMix): the other one's unit counts for the rest.
struct UpdateMix {
    Tensor units;       ///< int64 [B]
    double lambda = 1;  ///< share of the image's own unit
    Tensor shares{};    ///< float32 [B]: that of each image, in place of lambda; undefined: all have the same
};

/// Past samples in a batch of their own, for a method that does not have them joined to the stream's.
struct PastBatch {
    Tensor images;                      ///< float32 [M, 3, H, W], transformed by themselves
    Tensor units;                       ///< int64 [M]
    std::vector<std::int64_t> slots{};  ///< [M] of the method's own memory; empty for a memory of the loop
    /// float32 [M, C] to use in place of those that the method stored under `slots`: for recorded cases and tests; the
    /// loop gives none.
    Tensor logits{};
    std::vector<std::int64_t> views{};  ///< [M] as ShownImages has them; may be empty
};

/// One optimiser step's material: the stream batch and, appended, the replayed samples.
struct UpdateInput {
    Tensor images;                        ///< float32 [B, 3, H, W], transformed
    Tensor units;                         ///< int64 [B], positions in order of first appearance
    Tensor mask;                          ///< float32 [C], 0 or minus infinity: hidden from the loss
    std::optional<UpdateMix> mix{};       ///< only for a method that takesMixedImages()
    MaskForm form = MaskForm::Additive;   ///< what hiding does to a logit
    std::vector<PastBatch> past{};        ///< as the method's replay() says; empty while nothing is remembered
    std::vector<std::int64_t> samples{};  ///< [B] positions of the images in the training set; may be empty
    std::int64_t seen = 0;                ///< classes that have appeared so far
    std::vector<std::int64_t> views{};    ///< [B] as ShownImages has them; may be empty
    double sam_reach = 0;                 ///< SAM's rho, for a method that takesSharpness(); 0: a plain step
    bool again = false;                   ///< the second pass of SAM, on what the first has counted
};

/// One forward pass in training mode, with the loss the official criterion computes.
struct ForwardResult {
    Tensor logits;    ///< float32 [B, C], before the mask
    Tensor loss;      ///< scalar, differentiable
    Tensor accuracy;  ///< scalar, 0..1, on the masked logits
    Tensor query;     ///< [B, D] un-prompted features; undefined without a prompt pool
    Tensor selected;  ///< int64 [B] prompt index; undefined without a prompt pool
    Tensor distance;  ///< [B] 1 - cos of the selected keys; undefined without a prompt pool
    PushedLogits pushed{};
};

/// A moment at which the loss has settled: mean and variance of the last losses.
struct LossPlateau {
    double mean = 0, variance = 0;
};

struct UpdateResult {
    double loss = 0;                                      ///< as the official trainer reports it
    double accuracy = 0;                                  ///< 0..1, on the masked logits
    std::vector<std::int64_t> selected;                   ///< prompt of each sample; empty without a prompt pool
    std::vector<std::int64_t> units{};                    ///< of the samples that it went through; may be empty
    std::optional<double> learning_rate{};                ///< of this step, where the method changes it
    std::vector<std::pair<std::string, double>> parts{};  ///< named parts of the loss, where a method has some
    std::optional<LossPlateau> plateau{};                 ///< where the method found one behind this update
    std::vector<UnitPush> pushes{};                       ///< [C]; empty: the method does not learn by cross-entropy
    std::vector<std::int64_t> besides{};  ///< units of past images that it learned in batches of their own
    /// Set while the numbers above are on their way from a GPU: waits for them and fills them in.
    std::function<void(UpdateResult&)> late{};
};

/// The numbers of an update. On a GPU they are only sent on their way, so that the next update can be launched
/// meanwhile. `parts`: scalars.
UpdateResult resultOf(const ForwardResult& forward, const std::vector<std::pair<std::string, Tensor>>& parts = {});
/// Waits for numbers that are on their way, and fills them in.
void settle(UpdateResult& result);

/// The entries of an int64 tensor; empty for an undefined one.
std::vector<std::int64_t> indexVector(const Tensor& index);

}  // namespace palimpsest
