// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/method/dual_prompts.h"
#include "engine/method/linear_head.h"
#include "engine/optim/optimizer.h"

namespace palimpsest {

/// Settings of initial session adaptation other than its data.
struct AdapterSettings {
    enum class Kind { Naive, Sam, Fam };
    enum class Perturbs { All, Prompts };
    Kind kind = Kind::Fam;
    double rho = 0.1;  ///< radius of the perturbation: FAM 0.1, SAM 0.05
    double sign = 1;   ///< +1 as published, -1 as in the paper (delta = -rho g / |g|)
    Perturbs perturbs = Perturbs::All;
    bool augment_general = true, augment_expert = true;
    double learning_rate = 1e-4;  ///< Adam
};

/// Settings of the options: Naive and SAM if the prompts have that name, else FAM. Throws Error(Input) naming the wrong
/// option.
AdapterSettings adapterSettings(const InitialSessionOptions& options);

/// Prompts, keys, head and augmenters during the initial session's adaptation (MISA, methods/dualprompt_fam.py and
/// methods/dualprompt_sam.py). One step: FAM: gradient on out-of-distribution images, w + sign rho g / (|g| + 1e-12),
/// gradient on in-distribution images there, restore w, Adam. SAM: both passes on the same images. Naive: Adam alone.
/// Loss of a pass: cross-entropy of logits + mask, plus the mean distance of the chosen keys; every image chooses from
/// the whole pool. g is the gradient of everything that learns or of the prompts alone, |g| its one Euclidean norm.
class PromptAdapter {
public:
    /// `units`: outputs of the head, in-distribution and out-of-distribution together. The network is frozen and must
    /// outlive this. Throws Error(Input) when the network is too narrow to augment prompts.
    PromptAdapter(const Vit& vit, const PromptLayout& layout, const AdapterSettings& settings, std::int64_t units,
                  std::uint64_t seed);

    struct Batch {
        Tensor images;  ///< float32 [B, 3, H, W], transformed
        Tensor units;   ///< int64 [B]
        Tensor mask;    ///< float32 [C], 0 or minus infinity
    };
    struct Step {
        double loss = 0;           ///< of the pass whose gradient Adam got
        double first_loss = 0;     ///< of the pass that perturbs; SAM and FAM
        double accuracy = 0;       ///< 0..1, as the official trainer reports it: of SAM's first pass, else of the last
        double gradient_norm = 0;  ///< |g| of the first pass; SAM and FAM
        Tensor selected, first_selected;  ///< int64 [B], prompts chosen in these passes; undefined without a pool
    };
    /// Performs one step. `other`: FAM's out-of-distribution batch. Throws Error(Run) when a loss or the first gradient
    /// is not finite; all parameters are then as they were before the step.
    Step step(const Batch& batch, const std::optional<Batch>& other);

    /// Un-prompted features [B, D] that choose the prompts, no gradient; undefined without a pool.
    Tensor query(const Tensor& images) const;
    /// One pass at the current parameters; `query` is that of the batch's images.
    ForwardResult forward(const Batch& batch, const Tensor& query) const;

    DualPrompts& prompts() { return prompts_; }
    /// All parameters that learn, with the official names; for the optimiser, for saving and for restoring.
    std::vector<NamedTensor> trainable() const;
    Optimizer& optimizer() { return *optimizer_; }
    /// "g_prompt.prompts" and "e_prompt.prompts" for later runs, with the augmenters' effect applied.
    std::vector<NamedTensor> learnedPrompts() const;

    /// Copies of all parameters that learn (the head without "backbone.", so that no reader of weights renames it) and
    /// of the optimiser's state.
    std::vector<NamedTensor> state() const;
    /// Restores a state() exactly. Throws Error(Input) naming a tensor that is missing or has another shape; then
    /// nothing has changed.
    void restore(const TensorsByName& state);

private:
    std::vector<NamedTensor> learning(const std::string& headPrefix) const;
    /// Parameters that the first pass moves.
    std::vector<NamedTensor> perturbed() const;

    const Vit& vit_;
    AdapterSettings settings_;
    DualPrompts prompts_;
    LinearHead head_;
    std::unique_ptr<PromptAugmenter> general_augmenter_, expert_augmenter_;
    std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace palimpsest
