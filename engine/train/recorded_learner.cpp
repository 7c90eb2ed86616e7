// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/recorded_learner.h"

#include <utility>

#include "datasets/catalogue/catalogue.h"
#include "engine/checkpoint/state_archive.h"
#include "engine/inputs/dataset_opening.h"
#include "engine/record/run_folder.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/train/evaluator.h"

namespace palimpsest {

std::string recordedRunName(const std::filesystem::path& run) {
    return (run.has_filename() ? run : run.parent_path()).filename().string();
}

RecordedLearner::RecordedLearner(const OptionTable& table, const Experiment& experiment, std::int64_t learnedBatches,
                                 const Check& requireFits, bool& onCpu)
    : data_(openDataset(datasetRequest(experiment))),
      classes_(static_cast<std::int64_t>(data_.class_names.size())),
      plan_(std::make_shared<const StreamPlan>(planExperimentStream(experiment, data_.train->labels(), classes_))) {
    StopScope::check();
    const Compute compute = prepareCompute(experiment.device, experiment.precision, experiment.threads);
    onCpu = compute.device.is_cpu();
    stream_.emplace(compute.device);
    learner_ = makeLearner(table, experiment, classes_, *plan_, compute, makeMethod, StopScope::token());
    requireFits(checkpointFacts(table, experiment, compute, plan_->fingerprint()));
    images_ = std::make_unique<RunImages>(experiment, data_, plan_, learner_.setup.vit->shape().image_size, compute,
                                          learnedBatches);
    settings_ = loopSettings(experiment, learner_.setup);
    settings_.updates_per_batch = 1;  // draws belong to an update, whatever comes behind it
    batch_ = evaluationBatch(experiment.training.batch_size);
}

void RecordedLearner::restore(OnlineLoop& loop, TensorsByName state) {
    StateArchive archive(std::move(state), learner_.compute.device);
    archive.within("loop", [&] { loop.keepLearned(archive); });
    archive.within("left_out.train", [&] { images_->train().unreadable().keep(archive); });
}

RecordedLearner::Check requireSameFacts(const std::filesystem::path& run, const CheckpointRecord& record) {
    return [run, facts = record.facts](const CheckpointFacts& now) {
        const std::string differences = factDifferences(facts, now);
        if (!differences.empty())
            throw inputError(
                "The weights of " + recordedRunName(run) + " belong to other circumstances: " + differences + ".",
                "Bring back what differs, or run it again here.");
    };
}

void requireOwnWeights(const std::filesystem::path& run) {
    if (readRunState(run) == RecordedState::Imported)
        throw inputError("The run " + recordedRunName(run) + " was imported, and its weights are not here.",
                         "Look at a run of this program.");
}

std::vector<std::int64_t> neededCheckpoints(const std::filesystem::path& run, std::optional<std::int64_t> at) {
    if (at && *at < 0)
        throw inputError(
            "A stream has no moment before its first image, and " + std::to_string(*at) + " was asked for.",
            "Name a number of images from 0 on.");
    std::vector<std::int64_t> all = listCheckpoints(run);
    if (all.empty())
        throw inputError(
            "The run " + recordedRunName(run) + " keeps no checkpoints, so its weights cannot be looked at.",
            "Set evaluation.checkpoints above 0, and run it again.");
    return all;
}

CheckpointRecord checkpointUpTo(const std::filesystem::path& run, std::vector<std::int64_t> usable,
                                std::optional<std::int64_t> at) {
    const std::int64_t first = usable.back();
    if (at) std::erase_if(usable, [&](std::int64_t each) { return each > *at; });
    if (usable.empty())
        throw inputError(
            "The run " + recordedRunName(run) + " has no checkpoint at or before " + grouped(*at) + " images.",
            "The first is at " + grouped(first) + ".");
    return newestSoundCheckpoint(run, usable).record;
}

}  // namespace palimpsest
