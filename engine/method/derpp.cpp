// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/checkpoint/state_archive.h"
#include "engine/memory/logit_memory.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method_options/head_method_options.h"
#include "engine/optim/output_units.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

/// DER++ (Buzzega et al., NeurIPS 2020; MISA, methods/derpp.py): the memory keeps the logits an image had when it came
/// in, and later ones are pulled towards them. Two lots are drawn independently at every update, the first for its
/// logits, the second for its classes. Loss: CE + alpha MSE(z_first, stored) + beta CE(z_second + mask), the mean
/// square over those stored logits that no mask had hidden. As published, the stream's batch is offered to the memory
/// at every update.
class DerPlusPlus : public HeadMethod {
public:
    explicit DerPlusPlus(const MethodSetup& setup)
        : HeadMethod(setup),
          alpha_(setup.method.of<DerPlusPlusOptions>().logit_weight),
          beta_(setup.method.of<DerPlusPlusOptions>().replay_weight),
          memory_(setup.memory.size, setup.classes),
          random_(setup.seed, purpose::kMemory) {
        makeOptimizerFor(setup);
    }

    ForwardResult forward(const UpdateInput& input) override {
        ForwardResult result = HeadMethod::forward(input);
        if (input.past.size() < 2) return result;
        const PastBatch &first = input.past[0], &second = input.past[1];
        const Tensor stored = first.logits.defined() ? first.logits : memory_.logits(first.slots);
        const Tensor known = stored.isfinite();
        const Tensor now = head_(featuresOnce(first.images, first.views)).masked_select(known);
        const Tensor later = maskedLogits(head_(featuresOnce(second.images, second.views)), input.mask, input.form);
        result.loss = result.loss + alpha_ * at::mse_loss(now, stored.masked_select(known)) +
                      beta_ * at::cross_entropy_loss(later, second.units);
        return result;
    }

    UpdateResult update(const UpdateInput& input) override {
        const ForwardResult result = forward(input);
        remember(input, result.logits.detach() + input.mask);
        optimizer().zeroGradients();
        result.loss.backward();
        optimizer().step();
        return resultOf(result);
    }

    Replay replay() const override { return {Replay::Memory::Reservoir, Replay::Batch::Twice}; }
    const SampleMemory* ownMemory() const override { return &memory_; }
    void keep(StateArchive& archive) override {
        HeadMethod::keep(archive);
        archive.within("memory", [&] { memory_.keep(archive); });
        archive("random", random_);
    }

private:
    void remember(const UpdateInput& input, const Tensor& logits) {
        if (input.samples.empty()) return;
        memory_.offer(input.samples, indexVector(input.units), [&](std::int64_t n) {
            return static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(n)));
        });
        memory_.store(logits);
    }

    double alpha_, beta_;
    LogitMemory memory_;
    Random random_;
};

}  // namespace

std::unique_ptr<Method> makeDerPlusPlus(const MethodSetup& setup) {
    return std::make_unique<DerPlusPlus>(setup);
}

}  // namespace palimpsest
