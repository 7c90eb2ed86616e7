// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/checkpoint/state_archive.h"
#include "engine/memory/balanced_memory.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method_options/head_method_options.h"
#include "engine/network/device_copies.h"
#include "engine/optim/adaptive_rate.h"
#include "engine/optim/output_units.h"

namespace palimpsest {
namespace {

/// CLIB (Koh et al., ICLR 2022; MISA, methods/clib.py): a class-balanced memory takes the stream's batch first, and
/// training sees the memory alone. After every update the loss of all that is remembered is measured, on unvaried
/// images; it steers the learning rate and, where `clib_importance` is "measured", which image leaves the memory. The
/// official code measures on images without normalisation and takes a class's number for its output; here both are as
/// in training. The backbone is frozen, so that features of remembered images are computed once.
class Clib : public HeadMethod {
public:
    explicit Clib(const MethodSetup& setup)
        : HeadMethod(setup),
          measured_(setup.method.of<ClibOptions>().importance == "measured"),
          memory_(setup.memory.size, BalancedMemory::Leaves::LeastImportant) {
        makeOptimizerFor(setup);
        rate_.emplace(AdaptiveRate::Settings{optimizer().learningRate(), setup.method.of<ClibOptions>().rate_step,
                                             setup.method.of<ClibOptions>().rate_period,
                                             setup.method.of<ClibOptions>().rate_length});
    }

    bool takesMixedImages() const override { return true; }
    Replay replay() const override { return {Replay::Memory::Balanced, Replay::Batch::Instead}; }
    const SampleMemory* ownMemory() const override { return &memory_; }

    void beginBatch(const StreamBatch& batch) override {
        memory_.offer(batch.samples, batch.units, [](std::int64_t) { return std::int64_t{0}; });
        std::vector<std::int64_t> slots = memory_.written();
        rewritten_.insert(rewritten_.end(), slots.begin(), slots.end());
        std::sort(slots.begin(), slots.end());
        slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
        if (!slots.empty()) learnFeatures(batch, slots);
    }

    UpdateResult update(const UpdateInput& input) override {
        UpdateResult result = Method::update(input);
        result.learning_rate = optimizer().learningRate();
        if (!memory_.samples().empty()) measure(input);
        return result;
    }

    std::vector<NamedTensor> keptTensors() const override {
        return {{"memory_loss", at::tensor(losses_, at::kDouble)}};
    }
    void keep(StateArchive& archive) override {
        HeadMethod::keep(archive);
        archive.within("memory", [&] { memory_.keep(archive); });
        archive.within("rate", [&] { rate_->keep(archive); });
        archive("features", features_);
        archive("losses", losses_);
        archive("rewritten", rewritten_);
        features_ = withRows(features_, memory_.capacity());
        if (std::ssize(losses_) > memory_.capacity()) losses_.resize(static_cast<std::size_t>(memory_.capacity()));
        std::erase_if(rewritten_, [&](std::int64_t slot) { return slot >= memory_.capacity(); });
    }

private:
    void learnFeatures(const StreamBatch& batch, const std::vector<std::int64_t>& slots) {
        std::vector<std::int64_t> samples;
        for (const std::int64_t slot : slots) samples.push_back(memory_.samples()[static_cast<std::size_t>(slot)]);
        const ShownImages shown = batch.plain(samples);
        if (shown.samples.empty()) return;
        // An image that cannot be read again leaves its slot as it was.
        const std::vector<std::int64_t> readable = slotsShown(slots, samples, shown);
        const Tensor fresh = featuresOnce(shown.images, shown.views);
        if (!features_.defined()) features_ = at::zeros({memory_.capacity(), fresh.size(1)}, fresh.options());
        features_.index_copy_(0, indexOn(readable, fresh.device()), fresh);
    }

    void measure(const UpdateInput& input) {
        if (!features_.defined()) return;
        NoGradGuard guard;
        const auto held = static_cast<std::int64_t>(memory_.samples().size());
        const auto device = features_.device();
        const Tensor logits = head_(features_.narrow(0, 0, held)) + seenMask(input.seen, classes_, device);
        const Tensor now = at::cross_entropy_loss(logits, indexOn(memory_.units(), device), {}, at::Reduction::None)
                               .to(at::kCPU, at::kDouble)
                               .contiguous();
        const std::vector<double> before = std::move(losses_);
        losses_.assign(now.data_ptr<double>(), now.data_ptr<double>() + held);
        if (measured_) {
            std::vector<double> importance = memory_.importance();
            updateImportance(importance, before, losses_, slotsOf(input.samples), rewritten_);
            memory_.setImportance(std::move(importance));
        }
        optimizer().setLearningRate(rate_->next(losses_, rewritten_));
        rewritten_.clear();
    }

    std::vector<std::int64_t> slotsOf(const std::vector<std::int64_t>& samples) const {
        std::vector<std::int64_t> slots;
        const std::vector<std::int64_t>& held = memory_.samples();
        for (const std::int64_t sample : samples)
            if (const auto found = std::find(held.begin(), held.end(), sample); found != held.end())
                slots.push_back(found - held.begin());
        return slots;
    }

    bool measured_;
    BalancedMemory memory_;
    std::optional<AdaptiveRate> rate_;
    Tensor features_;                      // [capacity, D], by slot
    std::vector<double> losses_;           // by slot, after the last update
    std::vector<std::int64_t> rewritten_;  // slots written since then
};

}  // namespace

std::unique_ptr<Method> makeClib(const MethodSetup& setup) {
    return std::make_unique<Clib>(setup);
}

}  // namespace palimpsest
