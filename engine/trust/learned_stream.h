// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/run/run_control.h"
#include "engine/train/online_loop.h"
#include "engine/train/run_measures.h"
#include "engine/train/run_setup.h"
#include "engine/trust/trust_parts.h"

namespace palimpsest {

/// Sizes that a stream is cut to; 0: it stays whole.
struct StreamCut {
    std::int64_t train = 0, test = 0;
};

/// Predictions of one evaluation, test image by test image.
struct Answers {
    std::vector<std::int64_t> samples;   ///< positions of the test images, ascending
    std::vector<std::int64_t> units;     ///< true ones, in order of first appearance in the stream
    std::vector<std::int64_t> guesses;   ///< units predicted
    Tensor scores;                       ///< float32 [samples, C] on the processor: logits with the evaluation's mask
    std::vector<std::int64_t> selected;  ///< prompts chosen, the same number for each; empty without a pool
                                         ///< Both are absent where a batch had to be halved for lack of memory.
};

/// An experiment that is learned without a run folder: the same loop, evaluator and images as a run has. Everything is
/// done on the calling thread.
class LearnedStream : private LoopListener {
public:
    struct Request {
        const OptionTable& table;
        const Experiment& experiment;  ///< copied
        const TrustParts& parts;
        RunControl& control;  ///< polled once a batch
        StreamCut cut{};
        bool permuted = false;  ///< labels of the training images are mixed up before the stream is planned
        std::function<void(const std::string&)> progress{};
    };
    /// Opens data and weights. Throws Error, and GivenUp where the user ends it.
    explicit LearnedStream(const Request& request);
    ~LearnedStream() override;

    /// Learns the stream to its end. Throws GivenUp, and Error(Run) when the loss is no number.
    void learn();
    /// Takes over the state of a run's checkpoint in place of learn(), for answers(). Throws Error(Input) where it does
    /// not fit.
    void restore(const std::filesystem::path& run);

    /// Evaluates the present state on the test images of the classes seen so far, `batch` at a time, in the order
    /// given, in which each position of the test set stands once; empty: their own.
    Answers answers(std::int64_t batch, const std::vector<std::int64_t>& order = {});
    std::int64_t usualBatch() const { return evaluationBatch(experiment_.training.batch_size); }

    Summary summary() const { return measures_.summary(); }
    /// The whole state of loop, method and memory.
    TensorsByName state();
    std::int64_t evaluations() const { return evaluations_; }
    std::int64_t samplesSeen() const { return loop_->samplesSeen(); }
    std::int64_t classesSeen() const { return loop_->registry().count(); }
    std::int64_t testImages() const { return data_.test->size(); }
    const Compute& compute() const { return learner_.compute; }
    std::string testName(std::int64_t sample) const { return data_.test->name(sample); }
    /// What was cut, in a sentence; empty: nothing.
    std::string cutText() const;

private:
    // Steps of the preparation.
    ImageDataset open(const Request& request);
    std::shared_ptr<const StreamPlan> plan(const Request& request);
    void say(const std::string& what);

    // The loop's listener.
    bool mayContinue() override { return !control_.ending(); }
    bool ending() override { return control_.ending(); }
    bool working(const std::string& what, std::int64_t done, std::int64_t total) override;
    void updated(std::int64_t update, const UpdateResult& result) override;
    void learned(const Batch& batch) override;
    void evaluated(EvaluationKind kind, std::int64_t session, const Evaluation& evaluation) override;

    const Experiment experiment_;
    const OptionTable& table_;
    RunControl& control_;
    std::function<void(const std::string&)> progress_;
    std::chrono::steady_clock::time_point said_{};
    std::int64_t all_train_ = 0, all_test_ = 0;  // images before any cut
    std::int64_t evaluations_ = 0;
    ImageDataset data_;
    std::string fingerprint_;  // of the whole stream
    std::shared_ptr<const StreamPlan> plan_;
    Learner learner_;
    std::unique_ptr<RunImages> images_;
    RunMeasures measures_;
    std::unique_ptr<Evaluator> evaluator_;
    std::unique_ptr<OnlineLoop> loop_;
};

}  // namespace palimpsest
