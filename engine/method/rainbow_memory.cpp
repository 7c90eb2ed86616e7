// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_map>
#include <unordered_set>

#include "engine/checkpoint/state_archive.h"
#include "engine/memory/balanced_memory.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"
#include "engine/method_options/head_method_options.h"
#include "engine/optim/output_units.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

/// Rate of an epoch of memory training (MISA, methods/rainbow_memory.py, online_after_task): a tenth in epoch 0, then
/// cosine restarts whose cycles begin at epoch 1 and double, 1, 2, 4, ... epochs, down to a hundredth.
double memoryRate(double base, std::int64_t epoch) {
    if (epoch == 0) return 0.1 * base;
    std::int64_t within = epoch - 1, cycle = 1;
    while (within >= cycle) {
        within -= cycle;
        cycle *= 2;
    }
    const double lowest = 0.01 * base;
    const double angle = std::numbers::pi * static_cast<double>(within) / static_cast<double>(cycle);
    return lowest + (base - lowest) * (1 + std::cos(angle)) / 2;
}

/// Rainbow Memory (Bang et al., CVPR 2021; MISA, methods/rainbow_memory.py): replay from a class-balanced memory and,
/// after each session, many epochs over the memory itself, as published in its stored order and memory / batch times an
/// epoch. Which images of a class stay is left to chance in the published online code; memory.kind "uncertainty"
/// chooses them at the end of each session as the paper has it, from all that was streamed in it and what was
/// remembered before.
class RainbowMemory : public HeadMethod {
public:
    explicit RainbowMemory(const MethodSetup& setup)
        : HeadMethod(setup),
          capacity_(setup.memory.size),
          batch_(std::max<std::int64_t>(1, setup.batch_size + setup.memory.batch_size)),
          epochs_(setup.method.of<RainbowMemoryOptions>().epochs),
          by_uncertainty_(setup.memory.kind == "uncertainty"),
          evaluated_before_(setup.method.of<RainbowMemoryOptions>().evaluation == "before"),
          seed_(setup.seed) {
        makeOptimizerFor(setup);
    }

    bool takesMixedImages() const override { return true; }
    Replay replay() const override { return {Replay::Memory::Balanced, Replay::Batch::Joined}; }
    bool evaluatesBeforeWork() const override { return evaluated_before_; }
    void endSession() override { ++session_; }
    void keep(StateArchive& archive) override {
        HeadMethod::keep(archive);
        archive("session", session_);
    }

    bool afterSession(SessionWork& work) override {
        draws_ = 0;
        if (by_uncertainty_ && !chooseMemory(work)) return false;
        const double base = optimizer().learningRate();
        const bool whole = trainOnMemory(work, base);
        optimizer().setLearningRate(base);
        return whole;
    }

private:
    using Samples = std::vector<std::int64_t>;

    Samples part(const Samples& all, std::size_t first) const {
        const std::size_t count = std::min(all.size() - first, static_cast<std::size_t>(batch_));
        const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
        return {begin, begin + static_cast<std::ptrdiff_t>(count)};
    }

    bool trainOnMemory(SessionWork& work, double base) {
        const Samples memory = work.remembered();
        if (memory.empty()) return true;
        work.changing();
        const std::int64_t rounds = rainbowPasses(std::ssize(memory), batch_);
        for (std::int64_t epoch = 0; epoch < epochs_; ++epoch) {
            optimizer().setLearningRate(memoryRate(base, epoch));
            for (std::int64_t round = 0; round < rounds; ++round)
                for (std::size_t first = 0; first < memory.size(); first += static_cast<std::size_t>(batch_)) {
                    if (!work.mayContinue("Training on the memory, epoch", epoch + 1, epochs_)) return false;
                    const UpdateInput input = work.input(part(memory, first), draws_++);
                    if (!input.images.defined()) continue;
                    UpdateResult result = update(input);
                    result.learning_rate = optimizer().learningRate();
                    work.updated(result);
                }
        }
        return true;
    }

    bool chooseMemory(SessionWork& work) {
        if (capacity_ <= 0) return true;
        Samples samples = work.remembered();
        const std::unordered_set<std::int64_t> held(samples.begin(), samples.end());
        for (const std::int64_t sample : work.streamed())
            if (!held.contains(sample)) samples.push_back(sample);
        std::unordered_map<std::int64_t, Samples> votes;
        constexpr std::int64_t kViews = 12;
        const auto total = static_cast<std::int64_t>(samples.size());
        std::int64_t classes = 0;
        for (std::size_t first = 0; first < samples.size(); first += static_cast<std::size_t>(batch_)) {
            const Samples some = part(samples, first);
            for (std::int64_t view = 0; view < kViews; ++view) {
                if (!work.mayContinue("Choosing what to remember, image", static_cast<std::int64_t>(first), total))
                    return false;
                const UpdateInput input = work.input(some, draws_++);
                if (!input.images.defined()) continue;
                classes = input.seen;
                const Samples answers = answersTo(input);
                for (std::size_t i = 0; i < answers.size(); ++i) votes[input.samples[i]].push_back(answers[i]);
            }
        }
        std::vector<UncertainSample> candidates;
        for (const std::int64_t sample : samples)
            if (const auto found = votes.find(sample); found != votes.end())
                candidates.push_back({sample, work.unit(sample), voteUncertainty(found->second)});
        Random random(seed_, purpose::kSessionWork, static_cast<std::uint64_t>(session_));
        const Samples chosen = spreadByUncertainty(candidates, capacity_, classes, [&](std::int64_t n) {
            return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
        });
        Samples kept;
        for (const std::int64_t position : chosen)
            kept.push_back(candidates[static_cast<std::size_t>(position)].sample);
        work.changing();
        work.remember(kept);
        return true;
    }

    Samples answersTo(const UpdateInput& input) {
        NoGradGuard guard;
        const Tensor hidden = seenMask(input.seen, classes_, input.images.device());
        return indexVector((head_(featuresOnce(input.images, input.views)) + hidden).argmax(1));
    }

    std::int64_t capacity_, batch_, epochs_;
    bool by_uncertainty_, evaluated_before_;
    std::uint64_t seed_;
    std::int64_t session_ = 0, draws_ = 0;
};

}  // namespace

std::unique_ptr<Method> makeRainbowMemory(const MethodSetup& setup) {
    return std::make_unique<RainbowMemory>(setup);
}

}  // namespace palimpsest
