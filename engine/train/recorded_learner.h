// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/table/image_dataset.h"
#include "engine/network/device_copies.h"
#include "engine/network/explained_error.h"
#include "engine/network/tensor.h"
#include "engine/record/checkpoints.h"
#include "engine/record/resumable.h"
#include "engine/support/stop_scope.h"
#include "engine/train/online_loop.h"
#include "engine/train/run_checkpoints.h"
#include "engine/train/run_setup.h"

namespace palimpsest {

/// An experiment's learner with its images, made anew for one look at a state that a run has kept; the run itself is
/// not touched.
class RecordedLearner {
public:
    /// Throws where a state belongs to other circumstances than those of now.
    using Check = std::function<void(const CheckpointFacts& now)>;
    /// `onCpu`: becomes false where it is known that a GPU computes.
    RecordedLearner(const OptionTable& table, const Experiment& experiment, std::int64_t learnedBatches,
                    const Check& requireFits, bool& onCpu);

protected:
    /// Brings the loop, its method and what could not be read to where the run was.
    void restore(OnlineLoop& loop, TensorsByName state);

    ImageDataset data_;
    std::int64_t classes_;
    std::shared_ptr<const StreamPlan> plan_;
    std::optional<ComputeStream> stream_;
    Learner learner_;
    std::unique_ptr<RunImages> images_;
    LoopSettings settings_;
    std::int64_t batch_ = 0;  ///< test images of one forward pass
};

/// The folder's own name: messages of the window stand beside a list of runs, and the command line was given the rest.
std::string recordedRunName(const std::filesystem::path& run);
/// Throws Error(Input) where the checkpoint belongs to other data, weights, settings or another build.
RecordedLearner::Check requireSameFacts(const std::filesystem::path& run, const CheckpointRecord& record);
/// Throws Error(Input) for a run whose weights are not here.
void requireOwnWeights(const std::filesystem::path& run);
/// The newest sound one of `usable` (newest first, of the run's own) at or before `at` images, of all where it is
/// absent. Throws Error(Input).
CheckpointRecord checkpointUpTo(const std::filesystem::path& run, std::vector<std::int64_t> usable,
                                std::optional<std::int64_t> at);
/// listCheckpoints(), of which there is at least one. Throws Error(Input), also for a moment below 0.
std::vector<std::int64_t> neededCheckpoints(const std::filesystem::path& run, std::optional<std::int64_t> at);

/// One look at a run: `choose()` says at which checkpoint, `look(learner, experiment, state)` what is seen there.
/// `LookingLearner`: a RecordedLearner. Throws what these throw, and all else as an explained Error; GivenUp where the
/// thread's StopScope asks for it.
template <class LookingLearner, class Choose, class Look>
auto lookAtRecorded(const OptionTable& table, const std::filesystem::path& run, Choose choose, Look look) {
    requireOwnWeights(run);
    const Experiment experiment = pinnedExperiment(table, run);
    bool onCpu = true;
    try {
        const CheckpointRecord record = choose();
        LookingLearner learner(table, experiment, record.batches, requireSameFacts(run, record), onCpu);
        return look(learner, experiment, savedState(run, record));
    } catch (const GivenUp&) {
        throw;
    } catch (...) {
        throw explainedError("the run folder", onCpu);
    }
}

}  // namespace palimpsest
