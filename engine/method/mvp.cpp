// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"
#include "engine/method/calibration.h"
#include "engine/method/class_readout.h"
#include "engine/method/dual_prompts.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method/prompts.h"
#include "engine/method_options/prompt_options.h"
#include "engine/optim/output_units.h"
#include "engine/support/error.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr double kFirstMvpMaskWeight = -1;
constexpr double kTiny = 1e-6;  // inside the contrastive logarithm

enum class Reinforcement { None, Batch, Sample };

Reinforcement reinforcementOf(const std::string& name) {
    if (name == "none") return Reinforcement::None;
    if (name == "batch") return Reinforcement::Batch;
    if (name == "sample") return Reinforcement::Sample;
    throw inputError("There is no minor-class reinforcement \"" + name + "\".", "Choose none, batch or sample.");
}

/// MVP (Moon et al., ICCV 2023; MISA, models/mvp.py and methods/mvp.py). DualPrompt's prompts without the class token's
/// position, chosen by the class token before the last block, and four additions, each with a switch: a learned mask,
/// keys that repel each other and share the work, adaptive feature scaling, and minor-class reinforcement. The logit
/// mask acts inside the loss; the published code always learns under the seen mask.
class Mvp : public FrozenBackboneMethod {
public:
    explicit Mvp(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          options_(setup.method.of<MvpOptions>()),
          reinforcement_(reinforcementOf(setup.method.of<MvpOptions>().reinforcement)),
          layout_(promptLayout(setup.method, vit_->shape(), setup.initial_session.prompts)),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          calibration_(setup),
          readout_(setup) {
        layout_.form = PromptLayout::Form::Tuning;
        if (layout_.expert_blocks.empty())
            throw inputError("MVP chooses from a pool of prompts, but no block carries them.",
                             "Name a block in method.e_blocks.");
        const std::int64_t pool = layout_.pool_size, width = vit_->shape().width;
        keys_ = normal({pool, width}, setup.seed, 3);
        general_ = normal({1, std::ssize(layout_.general_blocks) * layout_.general_length, width}, setup.seed, 1);
        experts_ = normal({pool, std::ssize(layout_.expert_blocks) * layout_.expert_length, width}, setup.seed, 2);
        mask_ = at::full({pool, setup.classes}, kFirstMvpMaskWeight, keys_.options().requires_grad(false))
                    .requires_grad_(true);
        count_ = at::zeros({pool}, mask_.options().requires_grad(false));
        if (setup.initial_session.hasPrompts()) copyInitialPrompts(setup);
        makeOptimizerFor(setup);
    }

    /// The query: the class token after all blocks but the last, without the final LayerNorm.
    Tensor frozenFeatures(const Tensor& images) override {
        NoGradGuard guard;
        Tensor x = vit_->embed(images);
        for (std::int64_t i = 0; i + 1 < vit_->shape().depth; ++i) x = vit_->block(i, x);
        return vit_->token(x);
    }

    bool frozenAreFinal() const override { return false; }
    Tensor finalFeatures(const Tensor& images) override { return FrozenBackboneMethod::frozenFeatures(images); }

    /// LibTorch's operators compute a part of it.
    bool repeatsFeatures() const override { return false; }

    ForwardResult forward(const UpdateInput& input) override {
        const Tensor query = frozenFeatures(input.images);
        const Selection selection = select(query);
        const Tensor keyLoss = options_.contrastive ? contrastiveLoss(selection) : selection.distance.mean();
        count_.add_(at::one_hot(selection.index, count_.numel()).sum(0));

        const Tensor feature = calibration_.training(features(input.images, selection.index));
        readout_.count(feature, input.units);
        const Tensor weights = maskWeights(selection.index);
        const Tensor shown = weighted(head_(feature), weights);
        ForwardResult result = plainForward(shown, input);
        auto [loss, pushed] = classLoss(feature, shown, weights, input);
        result.loss = loss + keyLoss;
        result.pushed = std::move(pushed);
        result.query = query;
        result.selected = selection.index;
        result.distance = selection.distance;
        return result;
    }

    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        const Selection selection = select(frozen);
        last_selection_ = selection.index;
        const Tensor feature = noteFeatures(calibration_.evaluation(features(images, selection.index)));
        return readout_.isOff() ? weighted(head_(feature), maskWeights(selection.index)) : readout_.scores(feature);
    }
    Tensor headRows() const override {
        if (!readout_.isOff()) return readout_.rows();
        // The learned mask weights the classes by the prompt of each image, so no rows decide for all of them.
        return options_.mask ? Tensor() : head_.weight();
    }
    std::optional<std::vector<std::int64_t>> launchState() const override {
        if (!calibration_.isOff() || !readout_.isOff()) return std::nullopt;
        return std::vector<std::int64_t>{};
    }
    bool needsImages() const override { return true; }
    bool evaluatesSeenOnly() const override { return true; }
    std::int64_t poolSize() const override { return keys_.size(0); }
    Tensor lastChoice() const override { return last_selection_; }

    PromptLengths promptLengths() const override { return palimpsest::promptLengths(layout_); }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = head_.parameters("backbone.");
        all.push_back({"key", keys_});
        if (options_.mask) all.push_back({"mask", mask_});
        if (general_.numel() > 0) all.push_back({"g_prompts", general_});
        all.push_back({"e_prompts", experts_});
        return all;
    }
    std::vector<NamedTensor> keptTensors() const override {
        std::vector<NamedTensor> all = calibration_.keptTensors();
        for (const NamedTensor& entry : readout_.keptTensors()) all.push_back(entry);
        all.push_back({"count", count_});
        return all;
    }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("calibration", [&] { calibration_.keep(archive); });
        archive.within("readout", [&] { readout_.keep(archive); });
        archive.shared("count", count_);
    }

private:
    struct Selection {
        Tensor index;     // int64 [B]
        Tensor distance;  // [B] to the chosen key, differentiable in the keys
        Tensor mass;      // [pool] uses so far + 1, or ones
    };

    Tensor normal(at::IntArrayRef sizes, std::uint64_t seed, std::uint64_t which) const {
        Tensor tensor = at::zeros(sizes, at::TensorOptions(at::kFloat).device(vit_->device()));
        Random random(seed, purpose::kPrompts, which);
        fillNormal(tensor, random);
        return tensor.requires_grad_(true);
    }

    void copyInitialPrompts(const MethodSetup& setup) {
        const std::string& which = setup.initial_session.load;
        DualPrompts given(*vit_, layout_, setup.seed);
        given.load(setup.initial_session.prompts, which);
        NoGradGuard guard;
        if (given.hasGeneral() && which != "expert") general_.copy_(given.general());
        if (which != "general") experts_.copy_(given.pool().prompts());
    }

    Selection select(const Tensor& query) const {
        const Tensor mass = options_.contrastive ? count_ + 1 : at::ones_like(count_);
        const Tensor distances = keyDistances(query, keys_);
        const Tensor index = (distances.detach() * mass).argmin(1);
        return {index, distances.gather(1, index.unsqueeze(1)).squeeze(1), mass};
    }

    /// -log(A / (A + R) + 1e-6), A = mean exp(distance between the chosen key and every key / mass), R = mean
    /// exp(distance between query and chosen key / mass), both over all pairs of distance and mass in the batch: the
    /// official code divides a row by a column.
    Tensor contrastiveLoss(const Selection& selection) const {
        const Tensor mass = selection.mass.index_select(0, selection.index).unsqueeze(1);    // [B, 1]
        const Tensor between = keyDistances(keys_, keys_).index_select(0, selection.index);  // [B, pool]
        const Tensor apart = (between.unsqueeze(0) / mass.unsqueeze(2)).exp().mean();
        const Tensor near = (selection.distance.unsqueeze(0) / mass).exp().mean();
        return -(apart / (apart + near) + kTiny).log();
    }

    /// Keys and values of the prompts that each sample attends to, block by block.
    Tensor features(const Tensor& images, const Tensor& index) const {
        std::vector<Tensor> extra(static_cast<std::size_t>(vit_->shape().depth));
        const auto add = [&](std::int64_t block, const Tensor& prompts) {
            Tensor& there = extra[static_cast<std::size_t>(block)];
            const Tensor wide = prompts.expand({images.size(0), -1, -1});
            there = there.defined() ? at::cat({there, wide}, 1) : wide;
        };
        const std::int64_t g = layout_.general_length, e = layout_.expert_length;
        for (std::int64_t k = 0; k < std::ssize(layout_.general_blocks); ++k) {
            const std::int64_t block = layout_.general_blocks[static_cast<std::size_t>(k)];
            add(block, vit_->keysValues(block, general_.narrow(1, k * g, g)));
        }
        for (std::int64_t k = 0; k < std::ssize(layout_.expert_blocks); ++k) {
            const std::int64_t block = layout_.expert_blocks[static_cast<std::size_t>(k)];
            add(block, vit_->keysValues(block, experts_.narrow(1, k * e, e)).index_select(0, index));
        }
        return vit_->features(images, extra);
    }

    /// [B, C]; undefined without the learned mask.
    Tensor maskWeights(const Tensor& index) const {
        return options_.mask ? 2 * at::sigmoid(mask_.index_select(0, index)) : Tensor();
    }
    static Tensor weighted(const Tensor& logits, const Tensor& weights) {
        return weights.defined() ? logits * weights : logits;
    }

    /// The classification part of the loss, and the logits that it pushes. `shown`: those of the unscaled feature.
    std::pair<Tensor, PushedLogits> classLoss(const Tensor& feature, const Tensor& shown, const Tensor& weights,
                                              const UpdateInput& input) const {
        const Tensor logits = options_.scaling ? weighted(head_(scaled(feature, input.units)), weights) : shown;
        const Tensor masked = maskedLogits(logits, input.mask, input.form);
        PushedLogits pushed = pushedLogits(masked, input);
        if (reinforcement_ == Reinforcement::None) return {plainForward(logits, input).loss, std::move(pushed)};
        const Tensor focus = dissimilarity(feature, shown, weights, input).pow(options_.gamma);
        const Tensor share = (1 - options_.alpha) + options_.alpha * focus;
        if (reinforcement_ == Reinforcement::Batch)
            return {plainForward(logits, input).loss * share.mean(), std::move(pushed)};
        const Tensor each = at::cross_entropy_loss(masked, input.units, {}, at::Reduction::None);
        return {(each * share).mean(), std::move(pushed)};
    }

    /// Adaptive feature scaling: f / (1 - cos(W_y, f) + margin), the divisor without gradient.
    Tensor scaled(const Tensor& feature, const Tensor& units) const {
        const Tensor own = head_.weight().detach().index_select(0, units);
        const Tensor divisor = 1 - cosine(own, feature.detach(), 1) + options_.margin;
        return feature / divisor.unsqueeze(1);
    }

    /// 1 - cos(gradient of a sample's loss, gradient of the batch's mean loss), both with respect to the head's row of
    /// the sample's class, in closed form: [B], without gradient.
    Tensor dissimilarity(const Tensor& feature, const Tensor& shown, const Tensor& weights,
                         const UpdateInput& input) const {
        NoGradGuard guard;
        const Tensor target = at::one_hot(input.units, shown.size(1)).to(at::kFloat);
        // Derivative of the loss by the logits before the mask, right for visible classes; no others are needed.
        Tensor slope = at::softmax(maskedLogits(shown, input.mask, input.form), 1) - target;
        if (weights.defined()) slope = slope * weights;
        const Tensor own = slope.gather(1, input.units.unsqueeze(1)) * feature;                      // [B, D]
        const Tensor batch = at::matmul(slope.t(), feature) / static_cast<double>(feature.size(0));  // [C, D]
        // Rounding may bring it below 0, where fractional powers are not defined.
        return (1 - cosine(own, batch.index_select(0, input.units), 1)).clamp_min(0);
    }

    MvpOptions options_;
    Reinforcement reinforcement_;
    PromptLayout layout_;
    LinearHead head_;
    Calibration calibration_;
    ClassReadout readout_;
    Tensor keys_;     // [pool, D]
    Tensor general_;  // [1, G blocks * L_G, D]
    Tensor experts_;  // [pool, E blocks * L_E, D]
    Tensor mask_;     // [pool, C]
    Tensor count_;    // [pool] how often each prompt was chosen in training
    Tensor last_selection_;
};

}  // namespace

std::unique_ptr<Method> makeMvp(const MethodSetup& setup) {
    return std::make_unique<Mvp>(setup);
}

}  // namespace palimpsest
