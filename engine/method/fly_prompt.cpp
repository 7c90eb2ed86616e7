// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/class_readout.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method/prompts.h"
#include "engine/method/random_features.h"
#include "engine/method/ridge_statistics.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/head_method_options.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr std::array kRates = {0.9, 0.99};  // of the two slow heads
constexpr double kLeastNorm = 1e-30;

enum class Ensemble { Max, Mean, Entropy, Online };

Ensemble ensembleOf(const std::string& name) {
    if (name == "max") return Ensemble::Max;
    if (name == "mean") return Ensemble::Mean;
    if (name == "entropy") return Ensemble::Entropy;
    if (name == "online") return Ensemble::Online;
    throw inputError("There is no ensemble \"" + name + "\".", "Choose max, mean, entropy or online.");
}

/// FlyPrompt (ICLR 2026; FlyGCL at 79a6b51). Experts, each a set of prompts, learn one after the other, each for the
/// same number of samples. A head learns throughout; each expert keeps two slow copies of it (moving averages). A ridge
/// regression on random features of the frozen network, which learns the current expert as its target, chooses the
/// expert of a test image; the three heads decide together. It must know how long the stream is.
class FlyPrompt : public FrozenBackboneMethod {
public:
    explicit FlyPrompt(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          blocks_(setup.method.of<BlockPromptOptions>().blocks),
          length_(fittedLength(setup.method.of<BlockPromptOptions>().length, kPublishedBlockLength,
                               vit_->shape().tokens())),
          experts_(setup.method.of<FlyPromptOptions>().experts),
          step_length_(stepLength(setup)),
          ridge_(setup.method.of<FlyPromptOptions>().ridge),
          ensemble_(ensembleOf(setup.method.of<FlyPromptOptions>().ensemble)),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          expansion_(vit_->shape().width, setup.method.of<RandomFeatureOptions>().count,
                     Random(setup.seed, purpose::kPrompts, 2), vit_->device()),
          router_(expansion_.size(), experts_, vit_->device()),
          readout_(setup) {
        requireBlocks(*vit_, blocks_, "FlyPrompt");
        const std::int64_t width = vit_->shape().width;
        prompts_ = at::zeros({blocks_, experts_, length_, width}, at::TensorOptions(at::kFloat).device(vit_->device()));
        Random random(setup.seed, purpose::kPrompts, 1);
        fillUniform(prompts_, random, 0, 1);
        prompts_.requires_grad_(true);
        for (SlowHead& slow : slow_) {
            slow.weight = head_.weight().detach().unsqueeze(0).repeat({experts_, 1, 1});
            slow.bias = head_.bias().detach().unsqueeze(0).repeat({experts_, 1});
        }
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        std::vector<Tensor> extra;
        for (std::int64_t i = 0; i < blocks_; ++i)
            extra.push_back(vit_->keysValues(i, prompts_[i].narrow(0, step_, 1) + vit_->classPosition()));
        const Tensor feature = vit_->features(input.images, extra);
        readout_.count(feature, input.units);
        ForwardResult result = plainForward(head_(feature), input);
        result.selected = at::full({input.images.size(0)}, step_, input.units.options());
        return result;
    }

    UpdateResult update(const UpdateInput& input) override {
        const UpdateResult result = Method::update(input);
        NoGradGuard guard;
        for (std::size_t j = 0; j < slow_.size(); ++j) {
            slow_[j].weight[step_].lerp_(head_.weight(), 1 - kRates[j]);
            slow_[j].bias[step_].lerp_(head_.bias(), 1 - kRates[j]);
        }
        return result;
    }

    /// The expert that learns.
    std::optional<std::vector<std::int64_t>> launchState() const override {
        if (!readout_.isOff()) return std::nullopt;
        return std::vector<std::int64_t>{step_};
    }

    /// The router learns from the images as they are, unvaried and once.
    void beginBatch(const StreamBatch& batch) override {
        NoGradGuard guard;
        batch_size_ = std::ssize(batch.units);
        const ShownImages shown = batch.plain(batch.samples);
        if (shown.samples.empty()) return;
        const Tensor features = featuresOnce(shown.images, shown.views);
        router_.add(expansion_(features),
                    at::full({features.size(0)}, step_, at::TensorOptions(at::kLong).device(features.device())));
    }

    void endBatch() override {
        if (step_length_ == 0) return;
        for (samples_ += batch_size_; samples_ >= step_length_ && step_ + 1 < experts_; samples_ -= step_length_)
            beginExpert(step_ + 1);
    }

    void beginEvaluation(const Tensor& mask) override {
        hidden_ = mask;
        if (router_.samples() > routed_at_) {
            routes_ = router_.solved(ridge_).contiguous();  // as a state that was restored has them
            routed_at_ = router_.samples();
        }
    }

    /// Logarithms of the ensemble's values, so that cross-entropy has a meaning; the official code takes it of the
    /// values themselves.
    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        const Tensor expert = route(frozen);
        last_selection_ = expert;
        std::vector<Tensor> extra;
        for (std::int64_t i = 0; i < blocks_; ++i)
            extra.push_back(vit_->keysValues(i, prompts_[i] + vit_->classPosition()).index_select(0, expert));
        const Tensor feature = noteFeatures(vit_->features(images, extra));
        last_agreement_ = Tensor();
        if (!readout_.isOff()) return readout_.scores(feature);
        const Tensor online = head_(feature);
        if (ensemble_ == Ensemble::Online) return online;
        std::vector<Tensor> shares{probabilities(online)};
        for (const SlowHead& slow : slow_) shares.push_back(probabilities(slowLogits(slow, feature, expert)));
        const Tensor all = at::stack(shares);
        const Tensor guesses = all.argmax(2);  // [heads, B]
        last_agreement_ = guesses.eq(guesses[0]).all(0);
        return combined(all).clamp_min(kLeastNorm).log();
    }
    Tensor headRows() const override { return readout_.isOff() ? head_.weight() : readout_.rows(); }
    bool needsImages() const override { return true; }
    bool evaluatesSeenOnly() const override { return true; }
    std::int64_t poolSize() const override { return experts_; }
    Tensor lastChoice() const override { return last_selection_; }
    Tensor lastAgreement() const override { return last_agreement_; }

    PromptLengths promptLengths() const override { return {{"method.prompt_length", length_}}; }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = head_.parameters("");
        all.push_back({"prompts", prompts_});
        return all;
    }
    std::vector<NamedTensor> keptTensors() const override {
        std::vector<NamedTensor> all;
        for (const NamedTensor& entry : router_.tensors()) all.push_back({"router." + entry.name, entry.tensor});
        for (std::size_t j = 0; j < slow_.size(); ++j) {
            const std::string name = "slow" + std::to_string(j) + ".";
            all.push_back({name + "weight", slow_[j].weight});
            all.push_back({name + "bias", slow_[j].bias});
        }
        for (const NamedTensor& entry : readout_.keptTensors()) all.push_back(entry);
        return all;
    }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("router", [&] { router_.keep(archive); });
        archive.within("readout", [&] { readout_.keep(archive); });
        for (std::size_t j = 0; j < slow_.size(); ++j) {
            const std::string name = "slow" + std::to_string(j) + ".";
            archive(name + "weight", slow_[j].weight);
            archive(name + "bias", slow_[j].bias);
        }
        archive("step", step_);
        archive("samples", samples_);
        archive("routed_at", routed_at_);
        archive("routes", routes_);
    }

private:
    struct SlowHead {
        Tensor weight, bias;  // [experts, C, D], [experts, C]
    };

    static std::int64_t stepLength(const MethodSetup& setup) {
        const std::int64_t samples = setup.stream_samples, experts = setup.method.of<FlyPromptOptions>().experts;
        if (samples > 0 && experts > samples)
            throw inputError("method.fly_experts is " + std::to_string(experts) + ", but the stream has only " +
                                 std::to_string(samples) + " images, so some experts would learn from none.",
                             "Set method.fly_experts to at most " + std::to_string(samples) + ".");
        return samples / experts;
    }

    /// A new expert starts from the mean of the earlier ones, its slow heads from the head as it is.
    void beginExpert(std::int64_t next) {
        NoGradGuard guard;
        step_ = next;
        for (std::int64_t i = 0; i < blocks_; ++i) prompts_[i][next].copy_(prompts_[i].narrow(0, 0, next).mean(0));
        for (SlowHead& slow : slow_) {
            slow.weight[next].copy_(head_.weight());
            slow.bias[next].copy_(head_.bias());
        }
    }

    /// Experts to come have no sample and the value 0; as in the official code they win where all others are negative.
    Tensor route(const Tensor& frozen) const {
        if (!routes_.defined())
            return at::zeros({frozen.size(0)}, at::TensorOptions(at::kLong).device(frozen.device()));
        return at::matmul(expansion_(frozen), routes_).argmax(1);
    }

    Tensor slowLogits(const SlowHead& slow, const Tensor& feature, const Tensor& expert) const {
        const std::int64_t classes = slow.bias.size(1);
        const Tensor all = at::matmul(feature, slow.weight.reshape({-1, feature.size(1)}).t())
                               .reshape({feature.size(0), experts_, classes});
        const Tensor place = expert.reshape({-1, 1, 1}).expand({-1, 1, classes});
        return all.gather(1, place).squeeze(1) + slow.bias.index_select(0, expert);
    }

    Tensor probabilities(const Tensor& logits) const {
        return at::softmax(hidden_.defined() ? logits + hidden_ : logits, 1);
    }

    /// [heads, B, C] -> [B, C].
    Tensor combined(const Tensor& shares) const {
        if (ensemble_ == Ensemble::Max) return shares.amax(0);
        if (ensemble_ == Ensemble::Mean) return shares.mean(0);
        const Tensor entropy = -(shares * shares.clamp_min(kLeastNorm).log()).sum(2);  // [heads, B]
        const Tensor surest = entropy.argmin(0).reshape({1, -1, 1}).expand({1, -1, shares.size(2)});
        return shares.gather(0, surest).squeeze(0);
    }

    std::int64_t blocks_, length_, experts_;
    std::int64_t step_length_;  // samples an expert learns for; 0: not known, the first learns throughout
    double ridge_;
    Ensemble ensemble_;
    LinearHead head_;
    RandomFeatures expansion_;
    RidgeStatistics router_;
    ClassReadout readout_;
    Tensor prompts_;  // [blocks, experts, length, D]
    std::array<SlowHead, kRates.size()> slow_;
    std::int64_t step_ = 0, samples_ = 0, batch_size_ = 0, routed_at_ = 0;
    Tensor routes_;  // [M, experts]
    Tensor hidden_;  // [C] mask of the present evaluation
    Tensor last_selection_;
    Tensor last_agreement_;  // undefined where one head decides
};

}  // namespace

std::unique_ptr<Method> makeFlyPrompt(const MethodSetup& setup) {
    return std::make_unique<FlyPrompt>(setup);
}

}  // namespace palimpsest
