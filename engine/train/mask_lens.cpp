// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/mask_lens.h"

#include <algorithm>
#include <span>
#include <utility>

#include "datasets/table/image_dataset.h"
#include "engine/checkpoint/state_archive.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/train/mask_view.h"
#include "engine/train/online_loop.h"
#include "engine/train/recorded_learner.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

/// A method that does what another one does, up to its first update: that makes the forward pass, and learns nothing.
class LookingMethod : public Method {
public:
    explicit LookingMethod(Method& method) : method_(method) {}

    /// Before the loop runs, whose masks are looked through.
    void watch(const OnlineLoop& loop, std::vector<std::string> classNames) {
        loop_ = &loop;
        lens_.class_names = std::move(classNames);
        lens_.classes_seen = loop.registry().count();
        lens_.samples_seen = loop.samplesSeen();
    }
    bool looked() const { return !lens_.views.empty(); }
    MaskLens& lens() { return lens_; }

    ForwardResult forward(const UpdateInput& input) override { return method_.forward(input); }
    UpdateResult update(const UpdateInput& input) override {
        if (!looked()) look(input);
        return {};
    }
    Replay replay() const override { return method_.replay(); }
    bool replaysIn(std::int64_t session) const override { return method_.replaysIn(session); }
    const SampleMemory* ownMemory() const override { return method_.ownMemory(); }
    std::optional<std::vector<bool>> ownMask(std::span<const std::int64_t> stream, std::int64_t seen) const override {
        return method_.ownMask(stream, seen);
    }
    void beginBatch(const StreamBatch& batch) override {
        stream_.assign(batch.units.begin(), batch.units.end());
        method_.beginBatch(batch);
    }
    void keep(StateArchive& archive) override { method_.keep(archive); }
    Tensor logits(const Tensor& images, const Tensor& frozen) override { return method_.logits(images, frozen); }
    bool usesFrozenFeatures() const override { return method_.usesFrozenFeatures(); }
    bool needsImages() const override { return method_.needsImages(); }
    Tensor frozenFeatures(const Tensor& images) override { return method_.frozenFeatures(images); }
    bool frozenAreFinal() const override { return method_.frozenAreFinal(); }
    /// The reference learns from every batch, and nobody asks it here.
    bool hasReference() const override { return false; }
    bool evaluatesSeenOnly() const override { return method_.evaluatesSeenOnly(); }
    std::vector<NamedTensor> trainable() const override { return method_.trainable(); }

private:
    void look(const UpdateInput& input) {
        const std::vector<std::int32_t>& exposed = loop_->registry().exposed();
        LensUpdate update{method_.forward(input).logits.detach(), input.units, indexVector(input.units)};
        const std::vector<std::int64_t> own = update.open;
        for (const PastBatch& past : input.past) {
            const std::vector<std::int64_t> units = indexVector(past.units);
            update.open.insert(update.open.end(), units.begin(), units.end());
        }
        const bool fromMemory = method_.replay().batch == Replay::Batch::Instead;
        lens_.images = fromMemory ? 0 : std::min(std::ssize(stream_), std::ssize(own));
        lens_.replayed = std::ssize(own) - lens_.images;
        lens_.session = loop_->session();
        for (const std::int64_t unit : own) {
            const std::int32_t label = exposed.at(static_cast<std::size_t>(unit));
            if (std::ranges::find(lens_.batch, label) == lens_.batch.end()) lens_.batch.push_back(label);
        }
        const MaskKind kind = loop_->policy().kind();
        if (kind != MaskKind::Learnable && !method_.ownMask(stream_, input.seen)) lens_.used = kind;
        for (const MaskKind mask : kLensMasks)
            lens_.views.push_back(viewThrough(mask, update, loop_->policy(), exposed));
    }

    Method& method_;
    const OnlineLoop* loop_ = nullptr;
    std::vector<std::int64_t> stream_;
    MaskLens lens_;
};

/// Ends the loop once somebody has looked.
class LookOnce : public LoopListener {
public:
    explicit LookOnce(const LookingMethod& method) : method_(method) {}
    bool mayContinue() override { return !ending(); }
    bool ending() override { return method_.looked() || StopScope::token().stop_requested(); }

private:
    const LookingMethod& method_;
};

std::int64_t rightOf(const Evaluation& evaluation) {
    std::int64_t right = 0;
    for (const Hits& hits : evaluation.units) right += hits.correct;
    return right;
}

/// `labels`: of all test images.
std::optional<LensInference> inferenceOf(Evaluator& evaluator, const ClassRegistry& registry,
                                         std::span<const std::int32_t> labels) {
    if (registry.count() == 0) return std::nullopt;
    const auto ending = [token = StopScope::token()] { return token.stop_requested(); };
    LensInference inference;
    const std::vector<std::int32_t>& seen = registry.exposed();
    inference.all =
        std::ranges::count_if(labels, [&](std::int32_t label) { return std::ranges::find(seen, label) != seen.end(); });
    for (const bool seenOnly : {false, true}) {
        evaluator.setSeenOnly(seenOnly);
        const Evaluation evaluation = evaluator.evaluate(registry, ending, TestPart::Early);
        if (!evaluation.complete) throw GivenUp();
        if (evaluation.predictions.empty()) return std::nullopt;
        inference.images = std::ssize(evaluation.predictions);
        (seenOnly ? inference.right_among_seen : inference.right) = rightOf(evaluation);
    }
    return inference;
}

/// The learner of a look through the masks.
class Looker : public RecordedLearner {
public:
    using RecordedLearner::RecordedLearner;

    MaskLens look(TensorsByName state) {
        Method& method = *learner_.method;
        const at::Device device = learner_.compute.device;
        Evaluator evaluator(method, images_->test(), classes_, false, batch_, device);
        LookingMethod looking(method);
        LookOnce once(looking);
        OnlineLoop loop(settings_, looking, images_->train(), evaluator, once);
        restore(loop, std::move(state));
        looking.watch(loop, data_.class_names);
        // Classes of the batch have not come yet where answers are asked for before it.
        const ClassRegistry seen = loop.registry();
        std::optional<LensInference> inference;
        // A method whose learning depends on when it is evaluated looks at the batch first.
        if (!method.evaluationsCount()) inference = inferenceOf(evaluator, seen, images_->test().labels());
        loop.run(*plan_);
        StopScope::check();
        if (!looking.looked())
            throw inputError("Behind " + counted(looking.lens().samples_seen, "image", "images") +
                                 " nothing is left to learn that masks could be compared on.",
                             "Choose an earlier moment.");
        if (method.evaluationsCount()) inference = inferenceOf(evaluator, seen, images_->test().labels());
        looking.lens().inference = inference;
        return std::move(looking.lens());
    }
};

/// The checkpoint at or before the moment, of those that leave something to learn.
CheckpointRecord lensCheckpoint(const fs::path& run, std::optional<std::int64_t> at) {
    neededCheckpoints(run, at);
    std::vector<std::int64_t> usable = forkableCheckpoints(run);
    if (usable.empty())
        throw inputError("The run " + recordedRunName(run) +
                             " has checkpoints at the end of its stream alone, and there is no "
                             "next batch.",
                         "Raise evaluation.checkpoints, so that more of them are kept, and run it again.");
    return checkpointUpTo(run, std::move(usable), at);
}

}  // namespace

MaskLens maskLens(const OptionTable& table, const fs::path& run, std::optional<std::int64_t> at) {
    return lookAtRecorded<Looker>(
        table, run, [&] { return lensCheckpoint(run, at); },
        [](Looker& looker, const Experiment&, TensorsByName state) { return looker.look(std::move(state)); });
}

}  // namespace palimpsest
