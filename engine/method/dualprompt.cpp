// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"
#include "engine/method/calibration.h"
#include "engine/method/class_readout.h"
#include "engine/method/dual_prompts.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"

namespace palimpsest {
namespace {

constexpr double kSimilarityWeight = 1.0;
constexpr double kFirstMaskWeight = -1.0;

/// Prompts of the pool that compete in training; in evaluation all do.
enum class Selection {
    FullPool,
    Slice,      ///< prompt t in session t
    Published,  ///< key t in session t, but prompt 0
};

Selection selectionOf(const MethodSetup& setup) {
    const std::string& name = setup.method.of<DualPromptOptions>().selection;
    if (name == "full-pool") return Selection::FullPool;
    if (name == "session-slice") return Selection::Slice;
    if (name != "as-published")
        throw inputError("There is no prompt selection \"" + name + "\".",
                         "Choose full-pool, session-slice or as-published.");
    // The published code does not slice with a memory and loaded prompts (MISA, models/dualprompt.py, --load_pt).
    const bool whole = setup.memory.size > 0 && setup.initial_session.hasPrompts();
    return whole ? Selection::FullPool : Selection::Published;
}

/// DualPrompt (MISA, models/dualprompt.py). Loss: cross-entropy of the masked logits + mean distance of the selected
/// keys. With the learnable mask, logits are multiplied by 2 sigmoid(w_k), w_k the row of weights of the selected
/// prompt k, both in training and in evaluation; the row that the official code keeps for the general prompt is never
/// used. Where last blocks of the backbone learn, the queries are those of the backbone as it was, so that they can be
/// kept.
class DualPrompt : public FrozenBackboneMethod {
public:
    explicit DualPrompt(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          trained_blocks_(setup.method.of<DualPromptOptions>().trained_blocks),
          learning_(trained_blocks_ > 0 ? std::make_shared<Vit>(vit_->withLearningBlocks(trained_blocks_)) : vit_),
          prompts_(*learning_, promptLayout(setup.method, vit_->shape(), setup.initial_session.prompts), setup.seed),
          selection_(selectionOf(setup)),
          calibration_(setup),
          readout_(setup) {
        if (setup.initial_session.hasPrompts())
            prompts_.load(setup.initial_session.prompts, setup.initial_session.load);
        if (setup.method.of<DualPromptOptions>().shift_and_scale) prompts_.shiftAndScale();
        if (setup.learnable_mask) {
            if (!prompts_.hasPool())
                throw inputError("The learnable mask belongs to the prompts of a pool, but method.e_blocks is none.",
                                 "Name a block in method.e_blocks, or choose another mask.");
            mask_ = at::full({poolSize(), setup.classes}, kFirstMaskWeight,
                             at::TensorOptions(at::kFloat).device(vit_->device()))
                        .requires_grad_(true);
        }
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        if (!prompts_.hasPool()) return plainForward(trainingLogits(input, {}), input);
        const Tensor query = featuresOnce(input.images, input.views);
        const auto selection = selected(query);
        ForwardResult result = plainForward(trainingLogits(input, selection.index), input);
        result.loss = result.loss + kSimilarityWeight * selection.distance.mean();
        result.query = query;
        result.selected = selection.index;
        result.distance = selection.distance;
        return result;
    }

    void endSession() override { ++session_; }
    /// The session decides which prompts compete.
    std::optional<std::vector<std::int64_t>> launchState() const override {
        if (!calibration_.isOff() || !readout_.isOff()) return std::nullopt;
        return std::vector<std::int64_t>{selection_ == Selection::FullPool ? 0 : session_};
    }

    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        if (!prompts_.hasPool()) return evaluationLogits(images, {});
        const auto selection = prompts_.pool().select(frozen);
        last_selection_ = selection.index;
        last_penalty_ = kSimilarityWeight * selection.distance.detach().mean().to(at::kDouble);
        return evaluationLogits(images, selection.index);
    }
    Tensor headRows() const override { return readout_.isOff() ? head_.weight() : readout_.rows(); }
    /// Frozen features are the queries of a pool.
    bool usesFrozenFeatures() const override { return prompts_.hasPool(); }
    bool needsImages() const override { return true; }
    bool takesSharpness() const override { return true; }
    bool evaluatesSeenOnly() const override { return false; }
    std::int64_t poolSize() const override { return prompts_.hasPool() ? prompts_.pool().size() : 0; }
    Tensor lastPenalty() const override { return last_penalty_; }
    Tensor lastChoice() const override { return last_selection_; }

    std::vector<NamedTensor> keptTensors() const override {
        std::vector<NamedTensor> all = calibration_.keptTensors();
        for (const NamedTensor& entry : readout_.keptTensors()) all.push_back(entry);
        return all;
    }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("calibration", [&] { calibration_.keep(archive); });
        archive.within("readout", [&] { readout_.keep(archive); });
        archive("session", session_);
    }

    PromptLengths promptLengths() const override { return palimpsest::promptLengths(prompts_.layout()); }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = head_.parameters("backbone.");
        for (const NamedTensor& entry : prompts_.parameters()) all.push_back(entry);
        if (mask_.defined()) all.push_back({"e_prompt.mask", mask_});
        for (const NamedTensor& entry : trainedBackbone()) all.push_back(entry);
        return all;
    }
    std::vector<NamedTensor> trainedBackbone() const override {
        std::vector<NamedTensor> blocks = learning_->lastBlocks(trained_blocks_);
        for (NamedTensor& entry : blocks) entry.name = "backbone." + entry.name;
        return blocks;
    }

private:
    PromptPool::Selection selected(const Tensor& query) const {
        const PromptPool& pool = prompts_.pool();
        if (selection_ == Selection::FullPool || session_ >= pool.size()) return pool.select(query);
        return pool.select(query, session_, 1, selection_ == Selection::Published);
    }

    Tensor trainingLogits(const UpdateInput& input, const Tensor& index) {
        const Tensor feature = calibration_.training(prompts_.features(input.images, index), input.again);
        readout_.count(feature, input.units, input.again);
        return logitsOf(feature, index);
    }
    Tensor evaluationLogits(const Tensor& images, const Tensor& index) {
        const Tensor feature = noteFeatures(calibration_.evaluation(prompts_.features(images, index)));
        return readout_.isOff() ? logitsOf(feature, index) : readout_.scores(feature);
    }
    Tensor logitsOf(const Tensor& feature, const Tensor& index) const {
        const Tensor logits = head_(feature);
        return mask_.defined() ? logits * (2 * at::sigmoid(mask_.index_select(0, index))) : logits;
    }

    LinearHead head_;
    std::int64_t trained_blocks_;
    std::shared_ptr<Vit> learning_;  // of the prompted pass: vit_ itself, or with last blocks of its own that learn
    DualPrompts prompts_;
    Selection selection_;
    Calibration calibration_;
    ClassReadout readout_;
    Tensor mask_;  // [pool, C]; undefined without the learnable mask
    std::int64_t session_ = 0;
    Tensor last_selection_;
    Tensor last_penalty_;
};

}  // namespace

std::unique_ptr<Method> makeDualPrompt(const MethodSetup& setup) {
    return std::make_unique<DualPrompt>(setup);
}

}  // namespace palimpsest
