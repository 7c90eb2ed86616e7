// SPDX-License-Identifier: GPL-3.0-or-later
#include <tuple>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/calibration.h"
#include "engine/method/class_readout.h"
#include "engine/method/dual_prompts.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method/prompts.h"
#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

/// L2P (Wang et al., CVPR 2022; MISA, models/L2P.py and methods/L2P.py). The prompts with the nearest keys become
/// tokens behind the class token and pass through all blocks; the mean of their outputs is the feature. Loss:
/// cross-entropy + weight * mean distance of the chosen keys. The official code also multiplies distances by how often
/// a prompt was used, but never counts, so that all are multiplied by the same number and it changes nothing.
class L2p : public FrozenBackboneMethod {
public:
    explicit L2p(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          pool_(makePool(setup)),
          calibration_(setup),
          readout_(setup),
          selected_(setup.method.of<L2pOptions>().selected),
          key_weight_(setup.method.of<L2pOptions>().key_weight) {
        if (selected_ > pool_.size())
            throw inputError("L2P is to take " + std::to_string(selected_) + " prompts, but the pool has only " +
                                 std::to_string(pool_.size()) + ".",
                             "Make method.pool_size larger or method.l2p_selected smaller.");
        if (setup.initial_session.hasPrompts()) copyInitialPrompts(setup);
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        const Tensor query = featuresOnce(input.images, input.views);
        const Selection selection = select(query);
        const Tensor feature = calibration_.training(features(input.images, selection.index), input.again);
        readout_.count(feature, input.units, input.again);
        ForwardResult result = plainForward(head_(feature), input);
        if (key_weight_ > 0) result.loss = result.loss + key_weight_ * selection.distance.mean();
        result.query = query;
        result.selected = selection.index;
        result.distance = selection.distance;
        return result;
    }

    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        const Selection selection = select(frozen);
        last_selection_ = selection.index;
        last_penalty_ = key_weight_ * selection.distance.detach().mean().to(at::kDouble);
        const Tensor feature = noteFeatures(calibration_.evaluation(features(images, selection.index)));
        return readout_.isOff() ? head_(feature) : readout_.scores(feature);
    }
    Tensor headRows() const override { return readout_.isOff() ? head_.weight() : readout_.rows(); }
    std::optional<std::vector<std::int64_t>> launchState() const override {
        if (!calibration_.isOff() || !readout_.isOff()) return std::nullopt;
        return std::vector<std::int64_t>{};
    }
    bool needsImages() const override { return true; }
    bool takesSharpness() const override { return true; }
    bool evaluatesSeenOnly() const override { return true; }
    std::int64_t poolSize() const override { return pool_.size(); }
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
    }

    PromptLengths promptLengths() const override { return {{"method.l2p_length", pool_.prompts().size(1)}}; }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = head_.parameters("backbone.");
        all.push_back({"prompt.key", pool_.keys()});
        all.push_back({"prompt.prompts", pool_.prompts()});
        return all;
    }

private:
    struct Selection {
        Tensor index;     // int64 [B, selected], nearest first
        Tensor distance;  // [B, selected], differentiable in the keys
    };

    PromptPool makePool(const MethodSetup& setup) const {
        Random random(setup.seed, purpose::kPrompts, 2);
        const std::int64_t asked = setup.method.of<L2pOptions>().length;
        const std::int64_t length = asked == 0 && setup.initial_session.hasPrompts()
                                        ? generalLayout(setup).general_length
                                        : fittedLength(asked, kPublishedL2pLength, vit_->shape().tokens());
        return PromptPool(setup.method.of<PromptPoolOptions>().size, length, vit_->shape().width, random,
                          vit_->device());
    }

    PromptLayout generalLayout(const MethodSetup& setup) const {
        MethodOptions general = setup.method;
        general.of<PromptOptions>().form = "tuning";
        general.of<PromptOptions>().e_blocks = "none";
        return promptLayout(general, vit_->shape(), setup.initial_session.prompts);
    }

    /// The general prompt of an initial session, as MISA transfers it (models/L2P.py): the first prompts of the pool
    /// get the tokens of its first block, the next ones those of the next, in equal parts; keys stay random.
    void copyInitialPrompts(const MethodSetup& setup) {
        const PromptLayout layout = generalLayout(setup);
        const std::int64_t length = pool_.prompts().size(1), blocks = std::ssize(layout.general_blocks);
        if (length > layout.general_length)
            throw inputError("The general prompt has " + std::to_string(layout.general_length) +
                                 " tokens a block, but those of L2P have " + std::to_string(length) + ".",
                             "Make method.l2p_length smaller, or start from other prompts.");
        DualPrompts given(*vit_, layout, setup.seed);
        given.load(setup.initial_session.prompts);
        NoGradGuard guard;
        for (std::int64_t k = 0; k < pool_.size(); ++k) {
            const std::int64_t block = k * blocks / pool_.size();
            pool_.prompts()[k].copy_(given.general()[0].narrow(0, block * layout.general_length, length));
        }
    }

    Selection select(const Tensor& query) const {
        const Tensor distances = keyDistances(query, pool_.keys());
        const Tensor nearest = std::get<1>(at::topk(distances.detach(), selected_, 1, /*largest=*/false));
        return {nearest, distances.gather(1, nearest)};
    }

    Tensor features(const Tensor& images, const Tensor& index) const {
        const std::int64_t tokens = selected_ * pool_.prompts().size(1);
        const Tensor prompts = pool_.prompts()
                                   .index_select(0, index.reshape({-1}))
                                   .reshape({images.size(0), tokens, vit_->shape().width}) +
                               vit_->classPosition();
        const Tensor own = vit_->embed(images);
        Tensor x = at::cat({own.narrow(1, 0, 1), prompts, own.narrow(1, 1, own.size(1) - 1)}, 1);
        for (std::int64_t i = 0; i < vit_->shape().depth; ++i) x = vit_->block(i, x);
        return vit_->finalNorm(x.narrow(1, 1, tokens)).mean(1);
    }

    LinearHead head_;
    PromptPool pool_;
    Calibration calibration_;
    ClassReadout readout_;
    std::int64_t selected_;
    double key_weight_;
    Tensor last_selection_;
    Tensor last_penalty_;
};

}  // namespace

std::unique_ptr<Method> makeL2p(const MethodSetup& setup) {
    return std::make_unique<L2p>(setup);
}

}  // namespace palimpsest
