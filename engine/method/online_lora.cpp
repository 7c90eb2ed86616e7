// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/hard_buffer.h"
#include "engine/method/linear_head.h"
#include "engine/method/low_rank_changes.h"
#include "engine/method/method.h"
#include "engine/method/plateau_detector.h"
#include "engine/method_options/online_lora_options.h"
#include "engine/optim/output_units.h"
#include "engine/support/error.h"
#include "engine/support/one_of_two.h"

namespace palimpsest {
namespace {

constexpr double kPublishedClasses = 200;  // that the published limits of a plateau were made for

/// Online-LoRA (Wei et al., WACV 2025; its repository at 96e7de0). Changes of low rank to the queries and the values of
/// every block of a frozen backbone learn, theta' = {A', B'}, and a linear head. Loss: CE of the batch + sum of CE over
/// the hard images + lambda / 2 sum omega theta'^2. Where the loss has settled for the k-th time, the squared gradients
/// of the hard images are averaged into the importance, omega <- (1/k) sum g^2 + (1 - 1/k) omega, with the class that
/// the network takes each for; the changes are kept, and new ones begin. Nothing is told of the stream.
///
/// Our reading: the loss that tells is the cross-entropy of a batch's first update, since the published code makes one,
/// a hard image competes with the classes of the batch and of all hard images, and those of the batch of a plateau are
/// among the hardest before importance is measured.
class OnlineLora : public FrozenBackboneMethod {
public:
    explicit OnlineLora(const MethodSetup& setup) : OnlineLora(setup, setup.method.of<OnlineLoraOptions>()) {}

    ForwardResult forward(const UpdateInput& input) override { return pass(input).result; }

    UpdateResult update(const UpdateInput& input) override {
        const Pass now = pass(input);
        optimizer().zeroGradients();
        now.result.loss.backward();
        optimizer().step();
        // Published so: a plateau knows the batches before its own.
        std::vector<std::int64_t> hard;
        for (const HardBuffer::Entry& entry : hard_.entries()) {
            const std::vector<std::int64_t> units = indexVector(entry.units);
            hard.insert(hard.end(), units.begin(), units.end());
        }
        if (!whole_batches_) remember(input, now);
        UpdateResult result =
            resultOf(now.result, {{"batch", now.entropy}, {"hard", now.hard}, {"penalty", now.penalty}});
        result.besides = std::move(hard);
        if (std::exchange(first_, false)) result.plateau = plateaus_.add(telling(now, input));
        if (result.plateau) consolidate(input);
        if (whole_batches_) remember(input, now);
        return result;
    }

    void beginBatch(const StreamBatch&) override { first_ = true; }

    Tensor logits(const Tensor& images, const Tensor&) override { return head_(noteFeatures(featuresOf(images))); }
    Tensor headRows() const override { return head_.weight(); }
    bool usesFrozenFeatures() const override { return false; }
    bool needsImages() const override { return true; }
    bool evaluatesSeenOnly() const override { return true; }

    std::vector<NamedTensor> trainable() const override {
        std::vector<NamedTensor> all = changes_.learning();
        for (auto& entry : head_.parameters("")) all.push_back(entry);
        return all;
    }
    std::vector<NamedTensor> trainedBackbone() const override { return changes_.learning(); }
    /// "importance.NAME" of each factor that learns, once there are some.
    std::vector<NamedTensor> keptTensors() const override {
        std::vector<NamedTensor> kept;
        for (std::size_t i = 0; i < importance_.size(); ++i)
            kept.push_back({"importance." + changes_.learning()[i].name, importance_[i]});
        return kept;
    }
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.within("changes", [&] { changes_.keep(archive); });
        archive.within("plateaus", [&] { plateaus_.keep(archive); });
        archive.within("hard", [&] { hard_.keep(archive); });
        archive("consolidated", consolidated_);
        archive("importance", importance_);
        if (archive.restoring()) requireSound();
    }

private:
    OnlineLora(const MethodSetup& setup, const OnlineLoraOptions& options)
        : FrozenBackboneMethod(setup.vit),
          strength_(options.strength),
          whole_batches_(isSecondOf("buffer", options.buffer, "images", "as-published")),
          published_loss_(isSecondOf("loss of a plateau", options.loss, "scaled", "as-published")),
          changes_(*vit_, options.rank,
                   isSecondOf("merging", options.merge, "products", "factors") ? LowRankChanges::Merge::Factors
                                                                               : LowRankChanges::Merge::Products,
                   setup.seed),
          head_(setup.classes, vit_->shape().width, setup.seed, vit_->device()),
          plateaus_({options.window, options.plateau_mean, options.plateau_variance}),
          hard_(options.hard_images) {
        makeOptimizerFor(setup);
    }

    struct Pass {
        ForwardResult result;  // of the batch, with the whole loss
        Tensor entropy, hard, penalty;
        std::vector<Tensor> each;  // mean loss of each entry of the buffer
        Tensor own;                // [B] loss of each image of the batch
    };

    Tensor featuresOf(const Tensor& images) const {
        const std::vector<LowRank> changes = changes_.changes();
        return vit_->features(images, {}, changes);
    }
    Tensor logitsOf(const Tensor& images) const { return head_(featuresOf(images)); }

    /// The mask of an update with the classes of all hard images open.
    Tensor openMask(const UpdateInput& input) const {
        Tensor mask = input.mask;
        for (const HardBuffer::Entry& entry : hard_.entries()) mask = mask.index_fill(0, entry.units, 0);
        return mask;
    }

    Pass pass(const UpdateInput& input) const {
        std::vector<Tensor> images{input.images};
        for (const HardBuffer::Entry& entry : hard_.entries()) images.push_back(entry.images);
        const Tensor all = logitsOf(at::cat(images));
        std::int64_t place = input.images.size(0);
        const Tensor logits = all.narrow(0, 0, place);
        Pass now;
        now.result = plainForward(logits, input);
        now.entropy = now.result.loss.detach();
        now.hard = now.penalty = at::zeros({}, now.entropy.options());
        const Tensor mask = openMask(input);
        for (const HardBuffer::Entry& entry : hard_.entries()) {
            const Tensor own = all.narrow(0, place, entry.units.size(0));
            place += entry.units.size(0);
            const Tensor loss = at::cross_entropy_loss(maskedLogits(own, mask, input.form), entry.units);
            now.result.loss = now.result.loss + loss;
            now.hard = now.hard + loss.detach();
            now.each.push_back(loss.detach());
        }
        if (const Tensor squares = weightedSquares(); squares.defined()) {
            now.result.loss = now.result.loss + 0.5 * strength_ * squares;
            now.penalty = 0.5 * strength_ * squares.detach();
        }
        NoGradGuard guard;
        now.own = at::cross_entropy_loss(maskedLogits(logits.detach(), input.mask, input.form), input.units, {},
                                         at::Reduction::None);
        return now;
    }

    /// Sum of omega theta'^2; undefined before the first plateau.
    Tensor weightedSquares() const {
        Tensor sum;
        for (std::size_t i = 0; i < importance_.size(); ++i) {
            const Tensor part = (importance_[i] * changes_.learning()[i].tensor.square()).sum();
            sum = sum.defined() ? sum + part : part;
        }
        return sum;
    }

    /// Of two updates' losses, those of the same moment are compared: before the step.
    void remember(const UpdateInput& input, const Pass& now) {
        std::vector<double> losses;
        for (const Tensor& loss : now.each) losses.push_back(loss.item<double>());
        double entropy = now.entropy.item<double>();
        if (whole_batches_) {
            // Published so: losses are listed from the batch's on, batches from the first entry on, so that each has
            // the loss of its neighbour.
            losses.insert(losses.begin(), entropy);
            entropy = losses.back();
            losses.pop_back();
        }
        hard_.measure(losses);
        const auto sampleAt = [&](std::int64_t i) {
            const auto place = static_cast<std::size_t>(i);
            return place < input.samples.size() ? input.samples[place] : -1;
        };
        std::vector<HardBuffer::Entry> fresh;
        if (whole_batches_) {
            fresh.push_back({input.images, input.units, sampleAt(0), entropy});
        } else {
            const Tensor own = now.own.to(at::kCPU, at::kDouble);
            for (std::int64_t i = 0; i < own.size(0); ++i)
                fresh.push_back(
                    {input.images.narrow(0, i, 1), input.units.narrow(0, i, 1), sampleAt(i), own[i].item<double>()});
        }
        hard_.offer(std::move(fresh));
    }

    /// The loss of an update that is compared with the limits; as published it is that of the hard images, too.
    double telling(const Pass& now, const UpdateInput& input) const {
        const double entropy = now.entropy.item<double>();
        if (published_loss_) return entropy + now.hard.item<double>();
        const std::int64_t classes =
            input.form == MaskForm::Additive ? input.mask.eq(0).sum().item<std::int64_t>() : input.mask.numel();
        const auto competing = static_cast<double>(std::max<std::int64_t>(2, classes));
        return entropy * (std::log(kPublishedClasses) / std::log(competing));
    }

    void consolidate(const UpdateInput& input) {
        ++consolidated_;
        const std::vector<Tensor> squares = hardSquares(input);
        const double share = 1 / static_cast<double>(consolidated_);
        if (importance_.empty())
            for (const Tensor& square : squares) importance_.push_back(at::zeros_like(square));
        for (std::size_t i = 0; i < squares.size(); ++i)
            importance_[i] = share * squares[i] + (1 - share) * importance_[i];
        changes_.merge();
    }

    /// Sum over the buffer of the squared gradients of -log p, p the probability of the class that is predicted.
    std::vector<Tensor> hardSquares(const UpdateInput& input) {
        std::vector<Tensor> squares;
        for (const auto& [name, factor] : changes_.learning()) squares.push_back(at::zeros_like(factor.detach()));
        const Tensor mask = openMask(input);
        for (const HardBuffer::Entry& entry : hard_.entries()) {
            Tensor shown = maskedLogits(logitsOf(entry.images), mask, input.form);
            if (whole_batches_) shown = shown.reshape({1, -1});
            optimizer().zeroGradients();
            at::cross_entropy_loss(shown, shown.detach().argmax(1)).backward();
            NoGradGuard guard;
            for (std::size_t i = 0; i < squares.size(); ++i)
                if (const Tensor& gradient = changes_.learning()[i].tensor.grad(); gradient.defined())
                    squares[i].add_(gradient.square());
            // Published so: the list of parameters is used up by the first entry.
            if (whole_batches_) break;
        }
        optimizer().zeroGradients();
        return squares;
    }

    /// Throws Error(Input) where the state that was restored has other importances, or images of another size.
    void requireSound() const {
        bool sound = importance_.empty() || importance_.size() == changes_.learning().size();
        for (std::size_t i = 0; sound && i < importance_.size(); ++i)
            sound = importance_[i].defined() && importance_[i].sizes() == changes_.learning()[i].tensor.sizes();
        const std::int64_t side = vit_->shape().image_size;
        for (const HardBuffer::Entry& entry : hard_.entries())
            sound = sound && entry.images.size(1) == vit_->shape().channels && entry.images.size(2) == side &&
                    entry.images.size(3) == side && entry.units.numel() > 0 &&
                    entry.units.min().item<std::int64_t>() >= 0 &&
                    entry.units.max().item<std::int64_t>() < head_.bias().numel();
        if (!sound)
            throw inputError("The saved state belongs to other changes or another network than this run has.",
                             "Resume with the settings it was made with, or start again without it.");
    }

    double strength_;
    bool whole_batches_, published_loss_;
    LowRankChanges changes_;
    LinearHead head_;
    PlateauDetector plateaus_;
    HardBuffer hard_;
    std::vector<Tensor> importance_;  // of each factor that learns; empty before the first plateau
    std::int64_t consolidated_ = 0;   // plateaus so far
    bool first_ = true;               // the next update is the first of its batch
};

}  // namespace

std::unique_ptr<Method> makeOnlineLora(const MethodSetup& setup) {
    return std::make_unique<OnlineLora>(setup);
}

}  // namespace palimpsest
