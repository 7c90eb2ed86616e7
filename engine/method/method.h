// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>

#include "engine/config/experiment.h"
#include "engine/config/option_table.h"
#include "engine/config/program_identity.h"
#include "engine/config/prompt_lengths.h"
#include "engine/learner/learner_wait.h"
#include "engine/mask/mask_policy.h"
#include "engine/method/recorded_update.h"
#include "engine/method/session_work.h"
#include "engine/network/vit.h"
#include "engine/optim/optimizer.h"

namespace palimpsest {

class FeatureCache;

/// The form in which a method gets past samples.
struct Replay {
    /// The memory that suits it, unless the user chooses another.
    enum class Memory { Reservoir, Balanced };
    enum class Batch {
        Joined,  ///< appended to the stream's images
        Apart,   ///< one batch of their own
        Twice,   ///< two batches of their own, drawn independently from the method's own memory as it is at each update
        Instead,  ///< from the method's own memory, in place of the stream's images
    };
    Memory memory = Memory::Reservoir;
    Batch batch = Batch::Joined;
};

/// The parts that a method is made of.
struct MethodSetup {
    std::shared_ptr<Vit> vit;
    std::int64_t classes = 0;
    MethodOptions method;
    InitialSessionOptions initial_session;
    std::string optimizer;
    double learning_rate = 0;
    std::uint64_t seed = 1;
    bool learnable_mask = false;      ///< for methods with a pool
    std::int64_t sessions = 1;        ///< of the stream, for a method that must know
    std::int64_t stream_samples = 0;  ///< likewise; 0: not known
    AdamKernels adam = AdamKernels::Plain;
    std::optional<OptimizerSettings> exact_optimizer{};  ///< in place of the official one of that name and rate
    MemoryOptions memory{};                              ///< batch_size as resolvedMemory says
    std::int64_t batch_size = 32;                        ///< of the stream
    /// The backbone's tensors that learn, by name, in place of all of them, in a method that tunes the backbone.
    std::optional<std::vector<std::string>> exact_backbone{};
    /// Ends the wait for a program that learns beside this one, and that program with it. A run, which stops at a
    /// batch's border, gives one that asks when it is to wait for nothing any more.
    std::stop_token stop{};
};

/// Anything that learns from a stream. Called on the run's thread only. A new method is a file in this
/// folder, its declaration in engine/method_options, and one line in all_methods.inc.
class Method {
public:
    virtual ~Method() = default;

    virtual ForwardResult forward(const UpdateInput& input) = 0;
    /// One optimiser step: forward, backward, step.
    virtual UpdateResult update(const UpdateInput& input);
    /// Lets updates that allow it be recorded on a GPU and replayed, from now on (RecordedUpdate).
    void recordUpdates(RecordedUpdate::MakeGraph make) { recorded_.emplace(std::move(make)); }
    /// Numbers outside tensors on which the launches of a forward pass depend, besides the input's shapes: while they
    /// are the same, forward() launches the same work, reads nothing of the input but images, units, mask and form,
    /// asks the device for no answer, and keeps no tensor that it makes. Absent: the pass cannot be recorded.
    virtual std::optional<std::vector<std::int64_t>> launchState() const { return std::nullopt; }
    /// True if its official code knows CutMix, and its loss UpdateInput::mix.
    virtual bool takesMixedImages() const { return false; }
    /// True if its update may be one of SAM's (UpdateInput::sam_reach).
    virtual bool takesSharpness() const { return false; }
    /// The form of its past samples, constant for a method.
    virtual Replay replay() const { return {}; }
    /// True if updates of this session, counted from 0, use past samples.
    virtual bool replaysIn(std::int64_t /*session*/) const { return true; }
    /// A memory that the method itself keeps up to date, in place of the loop's; null: it has none.
    virtual const SampleMemory* ownMemory() const { return nullptr; }
    /// Units that the loss of an update on these stream units lets through, in place of the mask that the user chose.
    virtual std::optional<std::vector<bool>> ownMask(std::span<const std::int64_t> /*stream*/,
                                                     std::int64_t /*seen*/) const {
        return std::nullopt;
    }
    /// Called before the updates on a stream batch.
    virtual void beginBatch(const StreamBatch&) {}
    /// Called after them.
    virtual void endBatch() {}
    /// Does long work after a session, on its samples and the memory. False when it was stopped early.
    virtual bool afterSession(SessionWork&) { return true; }
    /// True if the session is evaluated before afterSession(), rather than after it.
    virtual bool evaluatesBeforeWork() const { return false; }
    /// Called after the last batch of each session and its evaluation.
    virtual void endSession() {}
    /// Tensors that it keeps besides its parameters, for comparison with recorded numbers: importances, how often
    /// each prompt was chosen, sums of features. The very tensors: writing into one changes the method.
    /// State that it keeps in no tensor, such as the losses of remembered images, comes as a copy.
    virtual std::vector<NamedTensor> keptTensors() const { return {}; }
    /// Archives everything that later updates and evaluations depend on, except how it was set up: what learns and the
    /// optimiser here, all else where a method has more. A method that overrides it calls the one it inherits first.
    /// Called between two batches only.
    virtual void keep(StateArchive& archive);

    /// Called before the logits() calls of an evaluation. `mask` [C] will be added to them; undefined: nothing.
    virtual void beginEvaluation(const Tensor& /*mask*/) {}
    /// True if later updates depend on when there were evaluations: then nobody looks early.
    virtual bool evaluationsCount() const { return false; }
    /// The average that answers in an evaluation in place of the head; null: the head itself does.
    virtual ParameterAverage* headAverage() { return optimizer_ ? optimizer_->average() : nullptr; }
    /// Raw logits [B, C] in evaluation mode, no mask. `frozen` holds the un-prompted features [B, D] of the images when
    /// usesFrozenFeatures(); `images` may then be undefined if needsImages() is false.
    virtual Tensor logits(const Tensor& images, const Tensor& frozen) = 0;
    /// True if the features of the un-prompted, frozen backbone serve evaluation: they never change and are computed
    /// once.
    virtual bool usesFrozenFeatures() const = 0;
    virtual bool needsImages() const = 0;
    /// Un-prompted class-token features [B, D], no gradient.
    virtual Tensor frozenFeatures(const Tensor& images) = 0;
    /// True if frozenFeatures() of an image never changes, and has the same bits whatever images are beside it.
    virtual bool repeatsFeatures() const { return false; }
    /// Features [B, D] of the frozen backbone after all its blocks, without prompts, no gradient: those of the nearest
    /// class mean, so that this reference is the same for every method. A method that queries with other features says
    /// so in frozenAreFinal(), and gives these here.
    virtual Tensor finalFeatures(const Tensor& images) { return frozenFeatures(images); }
    virtual bool frozenAreFinal() const { return true; }
    /// True if the nearest class mean of those features is measured beside it.
    virtual bool hasReference() const { return usesFrozenFeatures(); }
    /// Keeps the features that the next update computes for this very tensor of images, in place of those kept before.
    void keepFeaturesOf(const Tensor& images) { kept_ = {images, {}}; }
    /// finalFeatures() of the first `count` of these training images with these views [B], which may be empty: those
    /// that were kept, or those that are cached, where there are some. What was kept is let go.
    Tensor referenceFeatures(const Tensor& images, std::int64_t count, std::span<const std::int64_t> views);
    /// Where features of training images may be kept; null: nowhere. It must outlive the method's use.
    void setFeatureCache(FeatureCache* cache) { feature_cache_ = cache; }

    /// The official code's rule at test time: true hides classes not seen yet, false nothing.
    virtual bool evaluatesSeenOnly() const = 0;
    /// The optimiser's tensors, with the official names.
    virtual std::vector<NamedTensor> trainable() const = 0;
    /// Those of them that are the backbone's and learn at method.backbone_learning_rate, where it is set.
    virtual std::vector<NamedTensor> trainedBackbone() const { return {}; }
    /// Prompts in the pool; 0 without one.
    virtual std::int64_t poolSize() const { return 0; }
    /// The program of somebody else's that learns in its place; absent: none does.
    virtual std::optional<ProgramIdentity> program() const { return std::nullopt; }
    /// Lengths of its prompts, fitted or loaded ones included.
    virtual PromptLengths promptLengths() const { return {}; }
    /// The term that the official criterion adds to the cross-entropy of the last logits() call (the mean key distance
    /// of prompt methods); part of the evaluation loss, as published.
    /// A float64 scalar; undefined: nothing.
    virtual Tensor lastPenalty() const { return {}; }
    /// Prompts chosen for each sample of the last logits() call, the nearest first: int64 [B] or [B, chosen], where the
    /// method computes; undefined without a pool.
    virtual Tensor lastChoice() const { return {}; }
    /// The same as numbers; empty without a pool.
    virtual std::vector<std::int64_t> lastSelection() const { return indexVector(lastChoice()); }
    /// For each sample of the last logits() call, whether all heads that decide together guessed the same unit: bool
    /// [B]; undefined where a single one decides.
    virtual Tensor lastAgreement() const { return {}; }
    /// Features [B, D] of the last logits() call as the head got them, prompts and calibration included; undefined
    /// where they are those that the call was given as `frozen`, which never change.
    const Tensor& lastFeatures() const { return last_features_; }
    /// The head's rows [C, D] in the space of these features: what a feature is multiplied by for each unit's logit,
    /// without the bias. Of a head that compares by cosine they are directions, of unit length, and of a nearest class
    /// mean these are the means'; of several heads those of the one that learns. Undefined for a head that has no such
    /// rows, such as one on random features, or whose scores each image weights in its own way. During an evaluation,
    /// those that it decides by. For a look at them alone: nothing in a run depends on it.
    virtual Tensor headRows() const { return {}; }

    /// Keeps a moving average of the head's tensors, "fc.weight" and "fc.bias" below any prefix, from now on.
    void averageHead(double decay);

    /// `told` hears in the middle of a call of the program that the method waits for. Null: nobody hears.
    void listenToWaits(LearnerWaitListener told) { on_wait_ = std::move(told); }

    /// The optimiser; for a method that has one.
    Optimizer& optimizer() { return *optimizer_; }
    bool hasOptimizer() const { return optimizer_ != nullptr; }

protected:
    void tellWait(const std::optional<LearnerWait>& wait) const {
        if (on_wait_) on_wait_(wait);
    }
    /// frozenFeatures() of training images with these views, computed once where they may be kept.
    Tensor featuresOnce(const Tensor& images, std::span<const std::int64_t> views);
    /// The same features, which are lastFeatures() from now on; for logits().
    const Tensor& noteFeatures(const Tensor& features) { return last_features_ = features; }
    /// Makes the optimiser. Constructors call it at their end, when trainable() is complete, unless the method
    /// overrides update() and needs none.
    void makeOptimizerFor(const MethodSetup& setup);

private:
    UpdateResult sharpnessAwareUpdate(const UpdateInput& input);

    std::unique_ptr<Optimizer> optimizer_;
    FeatureCache* feature_cache_ = nullptr;
    LearnerWaitListener on_wait_;
    std::pair<Tensor, Tensor> kept_;  // images, and their features once they are computed
    std::optional<RecordedUpdate> recorded_;
    Tensor last_features_;
};

/// Base class of methods whose backbone stays frozen.
class FrozenBackboneMethod : public Method {
public:
    explicit FrozenBackboneMethod(std::shared_ptr<Vit> vit) : vit_(std::move(vit)) { vit_->setTrainable(false); }
    bool usesFrozenFeatures() const override { return true; }
    Tensor frozenFeatures(const Tensor& images) override {
        NoGradGuard guard;
        return vit_->features(images);
    }
    bool repeatsFeatures() const override { return vit_->repeatsBits(); }

protected:
    std::shared_ptr<Vit> vit_;
};

struct MethodEntry {
    Choice choice;
    std::unique_ptr<Method> (*make)(const MethodSetup&);
};

const std::vector<MethodEntry>& methodList();
/// Throws Error(Input) for an unknown name.
std::unique_ptr<Method> makeMethod(const MethodSetup& setup);

}  // namespace palimpsest
