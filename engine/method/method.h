// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>

#include "engine/config/experiment.h"
#include "engine/config/option_table.h"
#include "engine/mask/mask_policy.h"
#include "engine/network/vit.h"
#include "engine/train/optimizer.h"

namespace palimpsest {

/// Images that show a part of another one (CutMix): the other one's unit counts for the rest.
struct UnitMix {
    Tensor units;       ///< int64 [B]
    double lambda = 1;  ///< share of the image's own unit
    Tensor shares{};    ///< float32 [B]: that of each image, in place of lambda; undefined: all have the same
};

/// One optimiser step's material: the stream batch and, appended, the replayed samples.
struct UpdateInput {
    Tensor images;      ///< float32 [B, 3, H, W], transformed
    Tensor units;       ///< int64 [B], positions in order of first appearance
    Tensor mask;        ///< float32 [C], 0 or minus infinity: hidden from the loss
    std::optional<UnitMix> mix{};  ///< only for a method that takesMixedImages()
    MaskForm form = MaskForm::Additive;  ///< what hiding does to a logit
};

/// One forward pass in training mode, with the loss the official criterion computes.
struct ForwardResult {
    Tensor logits;      ///< float32 [B, C], before the mask
    Tensor loss;        ///< scalar, differentiable
    double accuracy = 0;
    Tensor query;       ///< [B, D] un-prompted features; undefined without a prompt pool
    Tensor selected;    ///< int64 [B] prompt index; undefined without a prompt pool
    Tensor distance;    ///< [B] 1 - cos of the selected keys; undefined without a prompt pool
};

struct UpdateResult {
    double loss = 0;                        ///< as the official trainer reports it
    double accuracy = 0;                    ///< 0..1, on the masked logits
    std::vector<std::int64_t> selected;     ///< prompt of each sample; empty without a prompt pool
};

/// What a method is made of.
struct MethodSetup {
    std::shared_ptr<Vit> vit;
    std::int64_t classes = 0;
    MethodOptions method;
    InitialSessionOptions initial_session;
    std::string optimizer;
    double learning_rate = 0;
    std::uint64_t seed = 1;
    bool learnable_mask = false;                         ///< for methods with a pool
    std::int64_t memory_size = 0;
    std::optional<OptimizerSettings> exact_optimizer{};  ///< in place of the official one of that name and rate
};

/// Anything that learns from a stream. Called on the run's thread only. A new method is one file and one line in
/// method_list.cpp.
class Method {
public:
    virtual ~Method() = default;

    virtual ForwardResult forward(const UpdateInput& input) = 0;
    /// One optimiser step: forward, backward, step.
    virtual UpdateResult update(const UpdateInput& input);
    /// Does its official code know CutMix, and its loss UpdateInput::mix?
    virtual bool takesMixedImages() const { return false; }
    /// After the last batch of each session and its evaluation.
    virtual void endSession() {}

    /// Raw logits [B, C] in evaluation mode, no mask. `frozen` holds the un-prompted features [B, D] of the images when
    /// usesFrozenFeatures(); `images` may then be undefined if needsImages() is false.
    virtual Tensor logits(const Tensor& images, const Tensor& frozen) = 0;
    /// The features of the un-prompted, frozen backbone serve evaluation: they never change and are computed once.
    virtual bool usesFrozenFeatures() const = 0;
    virtual bool needsImages() const = 0;
    /// Un-prompted class-token features [B, D], no gradient.
    virtual Tensor frozenFeatures(const Tensor& images) = 0;

    /// What the method's official code does at test time: hide classes not seen yet (true) or nothing (false).
    virtual bool evaluatesSeenOnly() const = 0;
    /// With the official names; the optimiser's tensors.
    virtual std::vector<NamedTensor> trainable() const = 0;
    /// Prompts in the pool; 0 without one.
    virtual std::int64_t poolSize() const { return 0; }
    /// What the official criterion adds to the cross-entropy of the last logits() call (the mean key distance of prompt
    /// methods); part of the evaluation loss, as published.
    virtual double lastPenalty() const { return 0; }
    /// Prompts chosen for each sample of the last logits() call; empty without a pool.
    virtual std::vector<std::int64_t> lastSelection() const { return {}; }

    Optimizer& optimizer() { return *optimizer_; }

protected:
    /// To be called at the end of the constructor, when trainable() is complete.
    void makeOptimizerFor(const MethodSetup& setup);

private:
    std::unique_ptr<Optimizer> optimizer_;
};

struct MethodEntry {
    Choice choice;
    std::unique_ptr<Method> (*make)(const MethodSetup&);
};

/// The entries of an int64 tensor; empty for an undefined one.
std::vector<std::int64_t> indexVector(const Tensor& index);

const std::vector<MethodEntry>& methodList();
/// Throws Error(Input) for an unknown name.
std::unique_ptr<Method> makeMethod(const MethodSetup& setup);

}  // namespace palimpsest
