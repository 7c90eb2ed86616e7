// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "engine/mask/mask_policy.h"
#include "engine/method/method.h"
#include "engine/stream/stream_plan.h"
#include "engine/support/random.h"
#include "engine/train/evaluator.h"
#include "engine/train/nearest_means.h"
#include "engine/train/past_samples.h"

namespace palimpsest {

class StateArchive;

/// Units of an update's images.
struct StepUnits {
    std::vector<std::int64_t> stream, replay;
};
/// Further inputs of an update.
struct StepExtras {
    std::vector<PastBatch> past{};
    std::vector<std::int64_t> samples{};  ///< positions of the images; may be empty
    std::vector<std::int64_t> views{};    ///< as ShownImages has them; may be empty
    double sam_reach = 0;                 ///< as UpdateInput has it
};

/// One optimiser step on stream and replayed samples, shared by the loop and the golden trajectories. With draws for
/// it, the images are mixed in half of all cases. The result, and the units that the mask let through.
std::pair<UpdateResult, std::vector<bool>> learnUpdate(Method& method, MaskPolicy& policy, std::int64_t seen,
                                                       const StepUnits& units, const Tensor& images,
                                                       std::optional<Random> cutmix = std::nullopt,
                                                       bool cutmixEach = false, StepExtras extras = {});

struct LoopSettings {
    std::int64_t classes = 0;
    std::int64_t batch_size = 32;  ///< of the stream
    std::int64_t updates_per_batch = 3;
    std::int64_t every_samples = 1000;  ///< 0: no anytime evaluation
    std::int64_t early_look = 0;        ///< samples before the early look; 0: none
    std::int64_t memory_size = 0;
    std::int64_t memory_batch = 32;
    std::string memory_kind = "auto";  ///< as the option memory.kind
    MaskKind mask = MaskKind::Batch;
    MaskForm mask_form = MaskForm::Additive;
    bool whole_session = false;     ///< the session mask shows all classes of the session that came before
    bool cutmix = false;            ///< for methods that take mixed images
    bool cutmix_each = false;       ///< a box for each image instead of one for all
    std::int64_t sam_sessions = 0;  ///< sessions, from the first on, in which methods that know SAM use it
    double sam_reach = 0;           ///< its rho
    std::uint64_t seed = 1;
    /// On a GPU: the numbers of an update are read when the next one of its batch has been launched.
    bool read_late = true;
};

/// Settings of the loop for an experiment; classes, seed and memory are those of its method.
LoopSettings loopSettings(const Experiment& experiment, const MethodSetup& setup);

/// Listener of the loop; called on its own thread, in order. The default does nothing.
class LoopListener {
public:
    virtual ~LoopListener() = default;
    /// Before each batch: may block (pause); false ends the run here.
    virtual bool mayContinue() { return true; }
    /// Polled inside long evaluations; true ends the run early.
    virtual bool ending() { return false; }
    /// Now and then in the long work after a session: may block (pause); false ends the run here.
    virtual bool working(const std::string& /*what*/, std::int64_t /*done*/, std::int64_t /*total*/) { return true; }
    virtual void updated(std::int64_t /*update*/, const UpdateResult&) {}
    struct Batch {
        std::int64_t number = 0;  ///< from 1
        std::int64_t session = 0;
        std::int64_t samples_seen = 0;  ///< this batch included
        std::span<const std::int64_t> samples;
        const std::vector<bool>& visible;  ///< units the mask let through in the last update
        const UpdateResult& last;
    };
    virtual void learned(const Batch&) {}
    virtual void evaluating() {}
    /// The run ends within an evaluation. A state kept here goes on with that evaluation, from its beginning.
    virtual void evaluationGivenUp() {}
    /// The work after a session is about to change what was learned. A state kept here goes on with that work, from its
    /// beginning.
    virtual void workChanges() {}
    /// The run ends within that work. `changed`: workChanges() was told in it; otherwise a state kept here goes on
    /// with the work as one kept there does.
    virtual void workGivenUp(bool /*changed*/) {}
    virtual void looked(std::int64_t /*session*/, const Evaluation&) {}
    virtual void evaluated(EvaluationKind, std::int64_t /*session*/, const Evaluation&) {}
};

/// The official online loop (MISA, methods/_trainer.py, main_worker and methods/dualprompt.py, online_step), one pass
/// over a stream plan. Evaluation rule: after a batch, if samples seen + the size of this batch exceed the next
/// threshold, evaluate and raise the threshold; once more at the end of each session, before the method's end of
/// session, but after the work that a method has left for then, unless it wants it otherwise. Before the first
/// threshold there may be an early look, which changes nothing. Images that cannot be read are left out of their batch,
/// and a batch without any is passed over.
class OnlineLoop {
public:
    OnlineLoop(const LoopSettings& settings, Method& method, TrainSource& train, Evaluator& evaluator,
               LoopListener& listener);
    OnlineLoop(const OnlineLoop&) = delete;
    OnlineLoop& operator=(const OnlineLoop&) = delete;

    /// True when the whole plan was learned, false when the listener ended it. After a restore it goes on where the
    /// saved run was.
    bool run(const StreamPlan& plan);

    /// All that the rest of the run depends on besides its settings, the method and what the evaluator has computed
    /// included. Only where the listener is asked mayContinue() or told evaluationGivenUp(), workChanges() or
    /// workGivenUp(false), before run(), or after a whole run.
    void keep(StateArchive& archive);
    /// The same without what the evaluator has computed, for evaluations by another one rather than for learning on.
    void keepLearned(StateArchive& archive);
    /// From the next batch on.
    void setMask(MaskKind mask) { policy_.setKind(mask); }
    void setMaskForm(MaskForm form) { policy_.setForm(form); }
    /// Evaluations from then on come where they would come had it been so from the beginning.
    void setEvery(std::int64_t samples);
    /// Session of the next batch.
    std::int64_t session() const { return session_; }
    std::int64_t batches() const { return batches_; }

    const ClassRegistry& registry() const { return registry_; }
    const MaskPolicy& policy() const { return policy_; }
    std::int64_t samplesSeen() const { return samples_seen_; }
    std::int64_t updates() const { return updates_; }
    /// True for a state whose next step is an evaluation, or the work after a session, that was given up.
    bool owesStep() const { return due_ != Due::Nothing; }
    /// True for a state whose next step is that work.
    bool owesWork() const { return due_ == Due::Work; }
    /// The method's own, or else the loop's.
    const SampleMemory& memory() const { return *memory_; }

private:
    class Work;
    using Samples = std::vector<std::int64_t>;
    /// Units of the session's classes that have come before.
    Samples knownUnits(const Samples& session) const;
    /// Returns the number of samples learned. `next`: session of the batch behind this one.
    std::int64_t learn(std::int64_t session, std::span<const std::int64_t> planned, std::int64_t next);
    struct Learned {
        UpdateResult result;
        std::vector<bool> visible;
    };
    /// Absent when there was nothing to learn from. `replayed`: drawn ahead for this update.
    std::optional<Learned> learnOnce(std::int64_t update, const Samples& samples, const Samples& units,
                                     const Samples& replayed);
    /// Counts the batch's images, shown as in its first update, for the reference.
    void refer(const ShownImages& shown, const Samples& units);
    /// Reports the update that waits for its numbers, if one does.
    void reportWaiting();
    /// Reports an update, on a GPU perhaps later, when its numbers have come.
    void report(UpdateResult result);
    /// Draws and announces what the batch behind this one will replay.
    void prepareReplay(std::int64_t session);
    bool finishSession(std::int64_t next);
    /// Throws Error(Input) unless what was restored lies within the plan.
    void requirePlace(const StreamPlan& plan) const;
    /// The session that has samples behind `session`, or the number of all.
    static std::int64_t sessionBehind(const StreamPlan& plan, std::int64_t session);
    /// Learns what is left of the session, and does what comes at its end.
    bool learnSession(const StreamPlan& plan);
    /// An evaluation on a part of the test images; absent where there is nothing to measure. `complete` is false when
    /// the run is ending.
    std::optional<Evaluation> measured(TestPart part);
    /// The next step, before anything else is learned: measurements, or the work after a session.
    enum class Due { Nothing, Anytime, SessionEnd, EarlyLook, Work };
    /// False when the run is ending; then it is still due.
    bool measure(Due due);
    /// True if the early look comes behind a batch of so many samples.
    bool looksBehind(std::int64_t learned) const;

    LoopSettings settings_;
    Method& method_;
    TrainSource& train_;
    Evaluator& evaluator_;
    LoopListener& listener_;
    ClassRegistry registry_;
    MaskPolicy policy_;
    Replay::Batch style_;
    std::unique_ptr<SampleMemory> kept_;  // the loop's own memory
    const SampleMemory* memory_;
    PastSamples past_;
    Random memory_random_;
    UpdateResult reported_;                // of the last update that was reported in the present batch
    std::optional<UpdateResult> waiting_;  // launched on a GPU, but not reported yet
    std::vector<Samples> replay_;          // of the next batch, by update
    Samples streamed_;                     // of the present session
    NearestMeans reference_;
    bool referred_ = false;  // the present batch is in it
    std::int64_t samples_seen_ = 0, updates_ = 0, batches_ = 0, next_evaluation_;
    std::int64_t session_ = 0, planned_ = 0;  // the next batch: its session, and the planned samples of it before
    Due due_ = Due::Nothing;
};

}  // namespace palimpsest
