// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/method.h"
#include "engine/method/tuned_method.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/optim/output_units.h"

namespace palimpsest {
namespace {

/// Online EWC (Schwarz et al., ICML 2018; MISA, module ewcinit): loss CE + lambda sum F (theta - theta*)^2. After each
/// session one pass over its images, one by one: fish = sum p (d log p / d theta)^2, p being the probability of its
/// class among those seen, over batches x batch size; F <- gamma F + fish, theta* <- theta. With negated logits F is
/// the mean over the images instead (see TunedMethod).
/// The official code takes a class's number for its output there; here it is the output.
class OnlineEwc : public TunedMethod {
public:
    explicit OnlineEwc(const MethodSetup& setup)
        : TunedMethod(setup),
          strength_(setup.method.of<OnlineEwcOptions>().strength),
          decay_(setup.method.of<OnlineEwcOptions>().decay),
          batch_(setup.batch_size) {
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        ForwardResult result = TunedMethod::forward(input);
        if (const Tensor penalty = distance(); penalty.defined()) result.loss = result.loss + strength_ * penalty;
        return result;
    }

    bool afterSession(SessionWork& work) override {
        const std::vector<std::int64_t>& samples = work.streamed();
        const auto total = static_cast<std::int64_t>(samples.size());
        if (tuned().empty() || total == 0) return true;
        std::vector<Tensor> fish;
        std::int64_t shown = 0, seen = 0;
        for (const auto& [name, tensor] : tuned()) fish.push_back(at::zeros_like(tensor));
        for (std::int64_t i = 0; i < total; ++i) {
            if (!work.mayContinue("Importance of what was learned, image", i, total)) return false;
            const UpdateInput input = work.input({samples[static_cast<std::size_t>(i)]}, i);
            if (!input.images.defined()) continue;
            addSquares(fish, input);
            ++shown;
            seen = input.seen;
        }
        optimizer().zeroGradients();
        if (negates()) {
            // Without an image that could be read there is nothing to measure with.
            if (shown == 0) return true;
            for (Tensor& squares : fish) squares = squares / static_cast<double>(shown);
            anchorNegated(std::move(fish), seen);
            return true;
        }
        const std::int64_t batches = (total + batch_ - 1) / batch_;
        for (std::size_t i = 0; i < fish.size(); ++i) {
            fish[i] = fish[i] / static_cast<double>(batches * batch_);
            if (i < fisher_.size()) fish[i] = decay_ * fisher_[i] + fish[i];
        }
        fisher_ = fish;
        anchor(std::move(fish));
        return true;
    }
    void keep(StateArchive& archive) override {
        TunedMethod::keep(archive);
        archive("fisher", fisher_);
    }

private:
    void addSquares(std::vector<Tensor>& fish, UpdateInput input) {
        input.mask = seenMask(input.seen, classes_, input.images.device());
        optimizer().zeroGradients();
        const ForwardResult result = TunedMethod::forward(input);
        const Tensor loss = negates() ? negatedLoss(result.logits, input) : result.loss;
        loss.backward();
        NoGradGuard guard;
        const double probability = negates() ? 1 : std::exp(-loss.item<double>());
        for (std::size_t i = 0; i < fish.size(); ++i)
            if (const Tensor& gradient = tuned()[i].tensor.grad(); gradient.defined())
                fish[i].add_(gradient.square(), probability);
    }

    double strength_, decay_;
    std::int64_t batch_;
    std::vector<Tensor> fisher_;
};

}  // namespace

std::unique_ptr<Method> makeOnlineEwc(const MethodSetup& setup) {
    return std::make_unique<OnlineEwc>(setup);
}

}  // namespace palimpsest
