// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/class_readout.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method/prompts.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/support/one_of_two.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

/// SinglePrompt (arXiv 2604.04420; its repository at 665a98c). One set of prompts for all images: rows that stand
/// beside the keys and the values of the first blocks themselves, neither normalised nor projected, the class token's
/// position added to both. The head takes the cosine of feature and class weight, divided by a fixed temperature. No
/// pool, no query.
class SinglePrompt : public FrozenBackboneMethod {
public:
    explicit SinglePrompt(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          blocks_(setup.method.of<BlockPromptOptions>().blocks),
          length_(fittedLength(setup.method.of<BlockPromptOptions>().length, kPublishedBlockLength,
                               vit_->shape().tokens())),
          temperature_(setup.method.of<SinglePromptOptions>().temperature),
          cosine_(!isSecondOf("head", setup.method.of<SinglePromptOptions>().head, "cosine", "linear")),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          readout_(setup) {
        requireBlocks(*vit_, blocks_, "SinglePrompt");
        const std::int64_t width = vit_->shape().width;
        prompt_ = at::zeros({blocks_ * 2 * length_, width}, at::TensorOptions(at::kFloat).device(vit_->device()));
        Random random(setup.seed, purpose::kPrompts, 1);
        fillUniform(prompt_, random, -1, 1);
        prompt_.requires_grad_(true);
        if (cosine_) {
            // PyTorch's initial values of a linear layer.
            NoGradGuard guard;
            Tensor weight = head_.weight();
            Random draws(setup.seed, purpose::kHead, 1);
            const double bound = 1 / std::sqrt(static_cast<double>(width));
            fillUniform(weight, draws, -bound, bound);
        }
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        const Tensor feature = featureOf(input.images);
        readout_.count(feature, input.units, input.again);
        return plainForward(logitsOf(feature), input);
    }
    Tensor logits(const Tensor& images, const Tensor&) override {
        const Tensor feature = noteFeatures(featureOf(images));
        return readout_.isOff() ? logitsOf(feature) : readout_.scores(feature);
    }
    Tensor headRows() const override {
        if (!readout_.isOff()) return readout_.rows();
        return cosine_ ? unitLength(head_.weight(), 1) : head_.weight();
    }
    std::optional<std::vector<std::int64_t>> launchState() const override {
        if (!readout_.isOff()) return std::nullopt;
        return std::vector<std::int64_t>{};
    }
    bool usesFrozenFeatures() const override { return false; }
    bool needsImages() const override { return true; }
    bool takesSharpness() const override { return true; }
    bool evaluatesSeenOnly() const override { return false; }

    PromptLengths promptLengths() const override { return {{"method.prompt_length", length_}}; }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all{{"prompt", prompt_}, {"fc.weight", head_.weight()}};
        if (!cosine_) all.push_back({"fc.bias", head_.bias()});
        return all;
    }

    std::vector<NamedTensor> keptTensors() const override { return readout_.keptTensors(); }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("readout", [&] { readout_.keep(archive); });
    }

private:
    Tensor featureOf(const Tensor& images) const {
        const Tensor rows = prompt_.reshape({blocks_, 2, length_, -1}) + vit_->classPosition().unsqueeze(0);
        std::vector<Tensor> extra;
        for (std::int64_t i = 0; i < blocks_; ++i) extra.push_back(at::cat({rows[i][0], rows[i][1]}, 1).unsqueeze(0));
        return vit_->features(images, extra);
    }

    Tensor logitsOf(const Tensor& feature) const {
        if (!cosine_) return head_(feature);
        return at::matmul(unitLength(feature, 1), unitLength(head_.weight(), 1).t()) / temperature_;
    }

    std::int64_t blocks_, length_;
    double temperature_;
    bool cosine_;
    LinearHead head_;
    ClassReadout readout_;
    Tensor prompt_;  // [blocks * 2 * length, D]: block by block, rows of the keys, then of the values
};

}  // namespace

std::unique_ptr<Method> makeSinglePrompt(const MethodSetup& setup) {
    return std::make_unique<SinglePrompt>(setup);
}

}  // namespace palimpsest
