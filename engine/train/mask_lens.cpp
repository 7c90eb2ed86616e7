// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/mask_lens.h"

#include <algorithm>
#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/checkpoint/state_archive.h"
#include "engine/data/dataset_opening.h"
#include "engine/network/device_copies.h"
#include "engine/network/explained_error.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/train/mask_view.h"
#include "engine/train/online_loop.h"
#include "engine/train/run_checkpoints.h"
#include "engine/train/run_setup.h"

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

std::optional<LensInference> inferenceOf(Evaluator& evaluator, const ClassRegistry& registry) {
    if (registry.count() == 0) return std::nullopt;
    const auto ending = [token = StopScope::token()] { return token.stop_requested(); };
    LensInference inference;
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

/// An experiment's learner, made for one look.
class Looker {
public:
    /// `requireFits`: throws where a state belongs to another experiment than this one is.
    using Check = std::function<void(const CheckpointFacts& now)>;
    Looker(const OptionTable& table, const Experiment& experiment, std::int64_t learnedBatches,
           const Check& requireFits, bool& onCpu)
        : data_(openDataset(datasetRequest(experiment))),
          classes_(static_cast<std::int64_t>(data_.class_names.size())),
          plan_(std::make_shared<const StreamPlan>(planExperimentStream(experiment, data_.train->labels(), classes_))) {
        StopScope::check();
        const Compute compute = prepareCompute(experiment.device, experiment.precision, experiment.threads);
        onCpu = compute.device.is_cpu();
        stream_.emplace(compute.device);
        learner_ = makeLearner(table, experiment, classes_, *plan_, compute);
        requireFits(checkpointFacts(table, experiment, compute, plan_->fingerprint()));
        images_ = std::make_unique<RunImages>(experiment, data_, plan_, learner_.setup.vit->shape().image_size, compute,
                                              learnedBatches);
        settings_ = loopSettings(experiment, learner_.setup);
        settings_.updates_per_batch = 1;  // draws belong to an update, whatever comes behind it
        batch_ = evaluationBatch(experiment.training.batch_size);
    }

    MaskLens look(TensorsByName state) {
        Method& method = *learner_.method;
        const at::Device device = learner_.compute.device;
        Evaluator evaluator(method, images_->test(), classes_, false, batch_, device);
        LookingMethod looking(method);
        LookOnce once(looking);
        OnlineLoop loop(settings_, looking, images_->train(), evaluator, once);
        StateArchive archive(std::move(state), device);
        archive.within("loop", [&] { loop.keepLearned(archive); });
        archive.within("left_out.train", [&] { images_->train().unreadable().keep(archive); });
        looking.watch(loop, data_.class_names);
        // Classes of the batch have not come yet where answers are asked for before it.
        const ClassRegistry seen = loop.registry();
        std::optional<LensInference> inference;
        // A method whose learning depends on when it is evaluated looks at the batch first.
        if (!method.evaluationsCount()) inference = inferenceOf(evaluator, seen);
        loop.run(*plan_);
        StopScope::check();
        if (!looking.looked())
            throw inputError("Behind " + counted(looking.lens().samples_seen, "image", "images") +
                                 " nothing is left to learn that masks could be compared on.",
                             "Choose an earlier moment.");
        if (method.evaluationsCount()) inference = inferenceOf(evaluator, seen);
        looking.lens().inference = inference;
        return std::move(looking.lens());
    }

private:
    ImageDataset data_;
    std::int64_t classes_;
    std::shared_ptr<const StreamPlan> plan_;
    std::optional<ComputeStream> stream_;
    Learner learner_;
    std::unique_ptr<RunImages> images_;
    LoopSettings settings_;
    std::int64_t batch_ = 0;
};

/// The errors of work with tensors, explained. `onCpu`: becomes false where it is known that a GPU computes.
template <class Work>
MaskLens explained(Work work) {
    bool onCpu = true;
    try {
        return work(onCpu);
    } catch (const GivenUp&) {
        throw;
    } catch (...) {
        throw explainedError("the run folder", onCpu);
    }
}

/// The folder's own name: messages of the window stand beside a list of runs, and the command line was given the rest.
std::string lensRunName(const fs::path& run) {
    return (run.has_filename() ? run : run.parent_path()).filename().string();
}

/// The checkpoint at or before the moment, of those that leave something to learn.
CheckpointRecord lensCheckpoint(const fs::path& run, std::optional<std::int64_t> at) {
    if (at && *at < 0)
        throw inputError(
            "A stream has no moment before its first image, and " + std::to_string(*at) + " was asked for.",
            "Name a number of images from 0 on.");
    const std::vector<std::int64_t> all = listCheckpoints(run);
    if (all.empty())
        throw inputError("The run " + lensRunName(run) + " keeps no checkpoints, so its weights cannot be looked at.",
                         "Set evaluation.checkpoints above 0, and run it again.");
    std::vector<std::int64_t> usable = forkableCheckpoints(run);
    if (usable.empty())
        throw inputError("The run " + lensRunName(run) +
                             " has checkpoints at the end of its stream alone, and there is no "
                             "next batch.",
                         "Raise evaluation.checkpoints, so that more of them are kept, and run it again.");
    const std::int64_t first = usable.back();
    if (at) std::erase_if(usable, [&](std::int64_t each) { return each > *at; });
    if (usable.empty())
        throw inputError("The run " + lensRunName(run) + " has no checkpoint at or before " + grouped(*at) + " images.",
                         "The first is at " + grouped(first) + ".");
    return newestSoundCheckpoint(run, usable).record;
}

}  // namespace

MaskLens maskLens(const OptionTable& table, const fs::path& run, std::optional<std::int64_t> at) {
    if (readRunState(run) == RecordedState::Imported)
        throw inputError("The run " + lensRunName(run) + " was imported, and its weights are not here.",
                         "Look at a run of this program.");
    const Experiment experiment = pinnedExperiment(table, run);
    return explained([&](bool& onCpu) {
        const CheckpointRecord record = lensCheckpoint(run, at);
        const auto requireFits = [&](const CheckpointFacts& now) {
            const std::string differences = factDifferences(record.facts, now);
            if (!differences.empty())
                throw inputError(
                    "The weights of " + lensRunName(run) + " belong to other circumstances: " + differences + ".",
                    "Bring back what differs, or run it again here.");
        };
        Looker looker(table, experiment, record.batches, requireFits, onCpu);
        return looker.look(savedState(run, record));
    });
}

}  // namespace palimpsest
