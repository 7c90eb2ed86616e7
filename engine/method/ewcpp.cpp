// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"
#include "engine/method/method.h"
#include "engine/method/tuned_method.h"
#include "engine/method_options/tuned_backbone_options.h"

namespace palimpsest {
namespace {

/// EWC++ (Chaudhry et al., ECCV 2018; Si-Blurry, methods/ewcpp.py): two steps an update, the first by the cross-entropy
/// alone, the second, on the same images, with the penalty lambda sum F (theta - theta*)^2. F is a moving average of
/// the second step's squared gradients; after each session theta* is what was reached and the penalty weighs by F as it
/// is then. As published, that gradient is the sum of both steps'; by default it is that of the second alone. With
/// negated logits (see TunedMethod) it is the batch's of that loss, on the graph of the second step, and no mask hides
/// a class that has appeared.
class EwcPlusPlus : public TunedMethod {
public:
    explicit EwcPlusPlus(const MethodSetup& setup)
        : TunedMethod(setup),
          strength_(setup.method.of<EwcPlusPlusOptions>().strength),
          added_up_(setup.method.of<EwcPlusPlusOptions>().gradients == "added-up") {
        makeOptimizerFor(setup);
    }

    UpdateResult update(const UpdateInput& input) override {
        optimizer().zeroGradients();
        const ForwardResult first = forward(input);
        first.loss.backward();
        optimizer().step();
        if (!added_up_) optimizer().zeroGradients();

        ForwardResult second = forward(input);
        const Tensor entropy = second.loss.detach();
        const Tensor penalty = distance();
        if (penalty.defined()) second.loss = second.loss + strength_ * penalty;
        const std::vector<Tensor> negated = negates() ? negatedGradients(second, input) : std::vector<Tensor>();
        second.loss.backward();
        optimizer().step();
        averageFisher(negated);
        const Tensor weighted = penalty.defined() ? strength_ * penalty.detach().to(at::kDouble) : at::zeros({});
        return resultOf(second, {{"first", first.loss}, {"second", entropy}, {"penalty", weighted}});
    }

    void endSession() override {
        if (fisher_.empty()) return;
        std::vector<Tensor> importance;
        for (const Tensor& fisher : fisher_) importance.push_back(fisher.clone());
        if (negates())
            anchorNegated(std::move(importance), seen_);
        else
            anchor(std::move(importance));
    }

    /// The base's tensors and "fisher.NAME", the moving average as it is now.
    std::vector<NamedTensor> keptTensors() const override {
        std::vector<NamedTensor> kept = TunedMethod::keptTensors();
        for (std::size_t i = 0; i < fisher_.size(); ++i) kept.push_back({"fisher." + tuned()[i].name, fisher_[i]});
        return kept;
    }
    void keep(StateArchive& archive) override {
        TunedMethod::keep(archive);
        archive("fisher", fisher_);
        archive("begun", begun_);
        archive.within("negated", [&] {
            // A fork may begin with negated logits.
            if (negates() && !(archive.restoring() && archive.part().empty())) archive("seen", seen_);
        });
    }

private:
    /// Of each tuned tensor, undefined where there is none; the gradients that are there stay as they are.
    std::vector<Tensor> negatedGradients(const ForwardResult& result, const UpdateInput& input) {
        seen_ = input.seen;
        if (tuned().empty()) return {};
        const std::vector<NamedTensor> learning = trainable();
        std::vector<Tensor> before, gradients;
        for (const auto& [name, tensor] : learning) before.push_back(tensor.grad());
        optimizer().zeroGradients();
        negatedLoss(result.logits, input).backward({}, /*retain_graph=*/true);
        for (const auto& [name, tensor] : tuned()) gradients.push_back(tensor.grad());
        for (std::size_t i = 0; i < learning.size(); ++i) learning[i].tensor.mutable_grad() = before[i];
        return gradients;
    }

    /// `gradients`: of each tuned tensor; empty: those of the last step.
    void averageFisher(const std::vector<Tensor>& gradients) {
        NoGradGuard guard;
        constexpr double kNew = 0.5;
        if (fisher_.empty())
            for (const auto& [name, tensor] : tuned()) {
                fisher_.push_back(at::zeros_like(tensor));
                begun_.push_back(at::zeros({}, tensor.options().dtype(at::kBool)));
            }
        for (std::size_t i = 0; i < fisher_.size(); ++i) {
            const Tensor& gradient = gradients.empty() ? tuned()[i].tensor.grad() : gradients[i];
            if (!gradient.defined()) continue;
            const Tensor square = gradient.square(), finite = gradient.isfinite().all();
            // Decided where the tensors are: to ask for the answers would hold a GPU up twice a tensor.
            const Tensor next = at::where(begun_[i], (1 - kNew) * fisher_[i] + kNew * square, square);
            fisher_[i] = at::where(finite, next, fisher_[i]);
            begun_[i] = begun_[i].logical_or(finite.logical_and(square.ne(0).any()));
        }
    }

    double strength_;
    bool added_up_;
    std::vector<Tensor> fisher_;  // of each tuned tensor; empty before the first update
    std::vector<Tensor> begun_;   // bool scalars: has it been anything but 0?
    std::int64_t seen_ = 0;       // classes, for negated logits alone
};

}  // namespace

std::unique_ptr<Method> makeEwcPlusPlus(const MethodSetup& setup) {
    return std::make_unique<EwcPlusPlus>(setup);
}

}  // namespace palimpsest
