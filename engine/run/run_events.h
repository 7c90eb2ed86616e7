// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/experiment.h"
#include "engine/config/program_identity.h"
#include "engine/config/prompt_lengths.h"
#include "engine/learner/learner_permit.h"
#include "engine/learner/learner_wait.h"
#include "engine/stream/stream_plan.h"
#include "engine/support/error.h"

namespace palimpsest {

/// A class for each test image, in data set order: a raw label, or one of the two below. Copies share the list.
using TestClasses = std::shared_ptr<const std::vector<std::int32_t>>;
inline constexpr std::int32_t kNotTested = -1;   ///< its class had not come yet, or it cannot be read
inline constexpr std::int32_t kNoClassYet = -2;  ///< guessed an output that no class has taken yet

/// A class that a test image may be, and the softmax of the network's outputs for it, after the mask of inference.
struct ClassShare {
    std::int32_t label = kNotTested;  ///< raw, or kNoClassYet; kNotTested: there are not so many classes
    float share = 0;                  ///< 0 to 1
    bool operator==(const ClassShare&) const = default;
};
/// The most probable classes of an image, its answer first, then by falling share.
inline constexpr std::size_t kTopClasses = 3;
using TopClasses = std::array<ClassShare, kTopClasses>;
/// One for each test image, in data set order.
using TestTopClasses = std::shared_ptr<const std::vector<TopClasses>>;

struct RunHistory;
struct RunRecord;

// Events of a run: small values, never pointers to live engine objects. Every event carries its run's number.

enum class RunState { Idle, Preparing, Running, Paused, Stopping };
enum class RunEnd { Finished, Stopped, Aborted, Failed };
const char* toText(RunState state);
const char* toText(RunEnd end);

/// Origin of a fork that begins.
struct ForkFacts {
    std::string name;                      ///< of its parent
    std::string parent;                    ///< its folder
    std::vector<std::string> differences;  ///< from what that had at the moment: "Logit mask: batch → none"
};

/// Sent once, when data, plan and network are ready and the first batch is about to be learned.
struct RunStarted {
    std::int64_t run = 0;
    std::string folder;     ///< of the run; empty when nothing is written
    Experiment experiment;  ///< as resolved
    std::shared_ptr<const StreamPlan> plan;
    std::vector<std::string> class_names;  ///< by raw label
    std::string fingerprint;               ///< of the stream
    std::string device;                    ///< "cpu", "cuda:0"
    std::string precision;                 ///< "float32" or "bfloat16"
    std::int64_t threads = 0;
    std::int64_t total_samples = 0;  ///< the stream's
    std::int64_t trainable_parameters = 0;
    PromptLengths prompt_lengths;
    std::optional<ProgramIdentity> program;  ///< that learns in place of a method of this one; absent: none does
    std::vector<std::string> warnings;       ///< of lintExperimentStream
    TestClasses test_labels;                 ///< true ones; null: not known
    /// Record of what was measured before a run was resumed or forked; else null.
    std::shared_ptr<const RunRecord> past;
    /// History of the same, to be kept and continued by the one listener that gathers histories: a long one is not
    /// copied.
    std::shared_ptr<RunHistory> history;
    std::int64_t resumed_at = -1;   ///< samples seen where a run is resumed, or forked; -1: it begins
    std::optional<ForkFacts> fork;  ///< absent: it is none, or one that is resumed
    /// The whole record, where a recorded run is played back: nothing is learned, and there is no plan. Else null.
    std::shared_ptr<const RunRecord> replayed;
};

/// Reason for a pause: the user asked for it, its PauseCondition holds, or its folder cannot be written.
enum class PauseReason { Asked, Condition, Unwritable };

struct StateChanged {
    std::int64_t run = 0;
    RunState state = RunState::Idle;
    std::string detail{};  ///< "Reading Fashion-MNIST", "Evaluating"; the reason for a pause that the user did not ask
                           ///< for; may be empty
    PauseReason reason = PauseReason::Asked;  ///< Paused only
    std::optional<LearnerWait> wait{};        ///< what the run waits for in the middle of a batch; then no detail
};

struct Progress {
    std::int64_t run = 0;
    std::int64_t samples_seen = 0;
    std::int64_t total_samples = 0;  ///< less images left out so far
    std::int64_t session = 0;        ///< from 0
    double images_per_second = 0;    ///< training only, mean of the run so far
    double seconds_left = 0;         ///< evaluations included, pauses not; < 0: not known yet
};

/// A small picture of one training image: 8-bit RGB, row-major, [size, size, 3].
struct Thumbnail {
    std::int32_t size = 0;
    std::int32_t label = 0;  ///< raw
    std::vector<std::uint8_t> rgb;
};

/// Push of updates on the logit of a class: the sum, over their images, of y - p after the mask. Above 0 it was pulled
/// up, below 0 pushed down.
struct ClassPush {
    std::int32_t label = 0;      ///< raw
    std::optional<double> push;  ///< absent: the mask hid the class in every update
    double since = 0;            ///< of all updates since the last one that had an image of it
    bool operator==(const ClassPush&) const = default;
};

/// The batch that was learned just now; at most about 25 a second are sent, every one while stepping.
struct BatchLearned {
    std::int64_t run = 0;
    std::int64_t batch = 0;  ///< from 1
    std::int64_t samples_seen = 0;
    std::int64_t session = 0;
    double loss = 0;      ///< of the last update
    double accuracy = 0;  ///< of the last update, 0 to 1, on the masked logits
    std::vector<Thumbnail> images;
    std::vector<std::int32_t> visible_classes;  ///< raw labels the training mask lets through, of those seen
    bool unseen_open = false;                   ///< does it let classes through that have not come yet
    std::vector<std::int32_t> seen_classes;     ///< raw labels in order of first appearance
    std::vector<std::int64_t> prompt_use;       ///< times each prompt of the pool was selected so far; may be empty
    std::vector<ClassPush> pushes;  ///< of its updates, classes in order of first appearance; empty: it has none
};

/// One row of training.csv.
struct UpdateDone {
    std::int64_t run = 0;
    std::int64_t samples_seen = 0;
    std::int64_t update = 0;  ///< from 1
    double loss = 0;
    double batch_accuracy = 0;
    double learning_rate = 0;
};

/// The method found that the loss has settled, behind this update.
struct PlateauFound {
    std::int64_t run = 0;
    std::int64_t samples_seen = 0;
    std::int64_t update = 0;  ///< from 1
    double mean = 0;          ///< of the last losses, as the method compares them
    double variance = 0;      ///< likewise
};

/// An option was changed during the run; it holds from the next batch on.
struct ChangeMade {
    std::int64_t run = 0;
    std::int64_t samples_seen = 0;
    std::string key, value;
};

/// An image could not be read, and is left out of the stream or of every evaluation. Sent once for each.
struct ImageLeftOut {
    std::int64_t run = 0;
    std::string text;                    ///< which image and why
    bool training = true;                ///< of the training images; else of the test images
    std::int64_t unreadable_images = 0;  ///< in this run so far, of both kinds
};

/// Something about the run that its numbers do not tell and that whoever reads them should know.
struct RunWarned {
    std::int64_t run = 0;
    std::int64_t samples_seen = 0;
    std::string text;  ///< sentences
};

/// One place of a memory that is taken.
struct KeptSample {
    std::int64_t sample = 0;  ///< position in the training set; -1: not known
    std::int32_t label = 0;   ///< raw
    bool operator==(const KeptSample&) const = default;
};

/// The images that a memory keeps, place by place. Copies share them, so that an event of a large memory costs no more
/// than one of a small memory wherever it is only passed on.
class KeptSamples {
public:
    KeptSamples() = default;
    KeptSamples(std::vector<KeptSample> samples)
        : samples_(std::make_shared<const std::vector<KeptSample>>(std::move(samples))) {}

    std::size_t size() const { return samples_ ? samples_->size() : 0; }
    bool empty() const { return size() == 0; }
    const KeptSample* begin() const { return samples_ ? samples_->data() : nullptr; }
    const KeptSample* end() const { return begin() + size(); }
    const KeptSample& operator[](std::size_t place) const { return (*samples_)[place]; }
    /// Copies of each other. Others may be equal all the same.
    bool shares(const KeptSamples& other) const { return samples_ == other.samples_; }

private:
    std::shared_ptr<const std::vector<KeptSample>> samples_;
};

/// Content of a run's memory. Sent before every evaluation and once more at the end, which the run folder records;
/// observers receive it also when a pause begins and about once a second. Never of a run without a memory.
struct MemoryHeld {
    std::int64_t run = 0;
    std::int64_t samples_seen = 0;
    std::int64_t capacity = 0;               ///< places, taken or not
    KeptSamples kept;                        ///< place by place
    std::vector<std::int32_t> seen_classes;  ///< raw labels in order of first appearance
};

enum class EvaluationKind { Anytime, SessionEnd };

struct ClassCount {
    std::int32_t label = 0;  ///< raw
    std::int64_t correct = 0;
    std::int64_t samples = 0;
};

struct Evaluated {
    std::int64_t run = 0;
    EvaluationKind kind = EvaluationKind::Anytime;
    std::int64_t samples_seen = 0;
    std::int64_t session = 0;
    std::int64_t updates = 0;
    double accuracy = 0;  ///< 0 to 1, over the test samples of all classes seen so far
    double loss = 0;
    std::optional<double> reference{};     ///< accuracy of the nearest class mean on the same features, where known
    std::optional<double> router{};        ///< how often the right prompt or expert was chosen, where one is chosen
    std::optional<double> agreement{};     ///< how often all heads agree, where several decide
    std::vector<ClassCount> classes;       ///< in order of first appearance
    TestClasses predictions;               ///< null: not known
    TestTopClasses top_classes;            ///< null: not known
    std::vector<std::int64_t> prompt_use;  ///< times each prompt of the pool was selected so far; may be empty
    /// Of the updates since the evaluation before, classes in order of first appearance; empty: there were none, or the
    /// method does not learn by cross-entropy.
    std::vector<ClassPush> pushes;
};

/// An early look at a few of the test images, soon after a run has begun. No number of the run counts it.
struct EarlyLook {
    std::int64_t run = 0;
    std::int64_t samples_seen = 0;
    std::int64_t session = 0;
    std::int64_t updates = 0;
    double accuracy = 0;  ///< 0 to 1, over the test images looked at
    double loss = 0;
    std::int64_t classes_seen = 0;
    std::int64_t test_images = 0;  ///< 0: not known
};

/// One entry of the R matrix: accuracy after one session on the test data of another.
struct SessionAccuracy {
    std::int64_t session = 0;
    double accuracy = 0;  ///< 0 to 1; meaningless when samples is 0
    std::int64_t samples = 0;
};

struct SessionEnded {
    std::int64_t run = 0;
    std::int64_t session = 0;  ///< that has just ended, from 0
    std::int64_t samples_seen = 0;
    std::vector<SessionAccuracy> accuracies;  ///< of sessions 0..session
};

/// Numbers of summary.json. Fractions, not per cent; a value that is not defined is absent. Of a run that was ended
/// early, those of sessions are what they were when the last session ended, and a_auc is of all evaluations so far.
struct Summary {
    std::int64_t sessions_ended = 0;  ///< with an evaluation at their end
    std::optional<double> a_auc;
    std::optional<double> a_last;  ///< paper: mean of the last row of R
    std::optional<double> f_last;  ///< paper: session level; needs two session ends
    std::optional<double> a_avg;
    std::optional<double> a_last_overall;    ///< official code: micro average
    std::optional<double> f_last_classwise;  ///< official code: class level; needs two session ends
    std::optional<double> bwt_last;          ///< backward transfer; needs two session ends
    std::optional<double> ncm_a_auc;         ///< of the nearest class mean, the reference; absent without one
    std::optional<double> ncm_a_last_overall;
    std::optional<double> router_accuracy;  ///< at the last end of a session; absent where nothing is chosen
    std::optional<double> head_agreement;   ///< likewise; absent where a single head decides
    double seconds = 0;                     ///< pauses and preparation not included
    double images_per_second = 0;           ///< training only
    double batch_seconds = 0;               ///< training only: a batch of the stream, on average; 0: not known
    std::int64_t peak_memory_bytes = 0;
};

struct RunEnded {
    std::int64_t run = 0;
    RunEnd how = RunEnd::Finished;
    std::string folder;                       ///< empty when none is left: aborted, or never begun
    Summary summary;                          ///< of what was measured, however the run ended
    std::string error;                        ///< Failed only: what and where
    std::string hint;                         ///< Failed only: what to do
    ErrorKind kind = ErrorKind::Run;          ///< Failed only: whose fault; decides the exit code
    std::optional<LearnerCommand> refused{};  ///< Failed only: for want of the user's leave to start this program
    bool resumable = false;                   ///< Failed only: its folder has a checkpoint to go on from
};

/// Receives the events of a run, in order, on the engine thread. Every call must return within a millisecond and must
/// not call the run back. The default does nothing.
class RunObserver {
public:
    virtual ~RunObserver() = default;
    virtual void onStarted(const RunStarted&) {}
    virtual void onState(const StateChanged&) {}
    virtual void onProgress(const Progress&) {}
    virtual void onBatch(const BatchLearned&) {}
    virtual void onUpdate(const UpdateDone&) {}
    virtual void onPlateau(const PlateauFound&) {}
    virtual void onChange(const ChangeMade&) {}
    virtual void onImageLeftOut(const ImageLeftOut&) {}
    virtual void onWarned(const RunWarned&) {}
    virtual void onMemory(const MemoryHeld&) {}
    virtual void onEarlyLook(const EarlyLook&) {}
    virtual void onEvaluated(const Evaluated&) {}
    virtual void onSessionEnded(const SessionEnded&) {}
    /// Always the last call of a run, also of one that failed while preparing.
    virtual void onEnded(const RunEnded&) {}
};

}  // namespace palimpsest
