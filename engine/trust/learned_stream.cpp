// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/trust/learned_stream.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/inputs/dataset_opening.h"
#include "engine/record/checkpoints.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/stop_scope.h"
#include "engine/train/run_checkpoints.h"
#include "engine/trust/image_views.h"

namespace palimpsest {
namespace {

constexpr std::chrono::milliseconds kReport{250};

/// A method that evaluates as another one does, and keeps what that one answers.
class WatchedMethod : public Method {
public:
    explicit WatchedMethod(Method& method) : method_(method) {}

    ForwardResult forward(const UpdateInput& input) override { return method_.forward(input); }
    void beginEvaluation(const Tensor& mask) override {
        mask_ = mask;
        method_.beginEvaluation(mask);
    }
    ParameterAverage* headAverage() override { return method_.headAverage(); }
    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        const Tensor logits = method_.logits(images, frozen);
        const Tensor scores = mask_.defined() ? logits + mask_ : logits;
        scores_.push_back(scores.detach().to(at::kCPU, at::kFloat));
        const std::vector<std::int64_t> chosen = method_.lastSelection();
        selected_.insert(selected_.end(), chosen.begin(), chosen.end());
        return logits;
    }
    bool usesFrozenFeatures() const override { return method_.usesFrozenFeatures(); }
    bool needsImages() const override { return method_.needsImages(); }
    Tensor frozenFeatures(const Tensor& images) override { return method_.frozenFeatures(images); }
    bool repeatsFeatures() const override { return method_.repeatsFeatures(); }
    bool evaluatesSeenOnly() const override { return method_.evaluatesSeenOnly(); }
    std::vector<NamedTensor> trainable() const override { return method_.trainable(); }
    Tensor lastPenalty() const override { return method_.lastPenalty(); }
    std::vector<std::int64_t> lastSelection() const override { return method_.lastSelection(); }

    Tensor scores() const { return scores_.empty() ? Tensor() : at::cat(scores_); }
    const std::vector<std::int64_t>& selected() const { return selected_; }

private:
    Method& method_;
    Tensor mask_;
    std::vector<Tensor> scores_;
    std::vector<std::int64_t> selected_;
};

}  // namespace

LearnedStream::LearnedStream(const Request& request)
    : experiment_(request.experiment),
      table_(request.table),
      control_(request.control),
      progress_(request.progress),
      data_(open(request)),
      plan_(plan(request)),
      measures_(plan_, experiment_.evaluation.session_data) {
    const StopScope scope(control_.endToken());
    say("Preparing the network");
    const auto classes = static_cast<std::int64_t>(data_.class_names.size());
    learner_ = makeLearner(table_, experiment_, classes, *plan_,
                           prepareCompute(experiment_.device, experiment_.precision, experiment_.threads),
                           request.parts.make_method, StopScope::token());
    images_ = std::make_unique<RunImages>(experiment_, data_, plan_, learner_.setup.vit->shape().image_size,
                                          learner_.compute, 0);
    evaluator_ = std::make_unique<Evaluator>(*learner_.method, images_->test(), classes,
                                             evaluatesSeenOnly(experiment_, *learner_.method), usualBatch(),
                                             learner_.compute.device, experiment_.evaluation.anytime_part);
    loop_ = std::make_unique<OnlineLoop>(loopSettings(experiment_, learner_.setup), *learner_.method, images_->train(),
                                         *evaluator_, static_cast<LoopListener&>(*this));
}

LearnedStream::~LearnedStream() = default;

void LearnedStream::say(const std::string& what) {
    said_ = std::chrono::steady_clock::now();
    if (progress_) progress_(what);
}

ImageDataset LearnedStream::open(const Request& request) {
    const StopScope scope(control_.endToken());
    say("Reading the data set");
    ImageDataset data = request.parts.open(datasetRequest(experiment_));
    all_test_ = data.test->size();
    if (request.cut.test > 0 && request.cut.test < all_test_) {
        const std::vector<bool> part = anytimePart(data.test->labels(), request.cut.test);
        std::vector<std::int64_t> positions;
        for (std::size_t i = 0; i < part.size(); ++i)
            if (part[i]) positions.push_back(static_cast<std::int64_t>(i));
        data.test = subsetOf(data.test, std::move(positions));
    }
    if (request.permuted)
        data.train =
            relabelled(data.train, permutedLabels(data.train->labels(), static_cast<std::uint64_t>(experiment_.seed)));
    return data;
}

std::shared_ptr<const StreamPlan> LearnedStream::plan(const Request& request) {
    StreamPlan whole =
        planExperimentStream(experiment_, data_.train->labels(), static_cast<std::int64_t>(data_.class_names.size()));
    fingerprint_ = whole.fingerprint();
    all_train_ = whole.totalSamples();
    return std::make_shared<const StreamPlan>(cutStream(std::move(whole), request.cut.train));
}

void LearnedStream::learn() {
    if (!loop_->run(*plan_)) throw GivenUp();
}

void LearnedStream::restore(const std::filesystem::path& run) {
    const StopScope scope(control_.endToken());
    const CheckpointRecord record = newestSoundCheckpoint(run).record;
    requireSameRun(run, record.facts, checkpointFacts(table_, experiment_, learner_.compute, fingerprint_));
    say("Restoring the newest checkpoint");
    StateArchive archive(savedState(run, record), learner_.compute.device);
    archive.within("loop", [&] { loop_->keepLearned(archive); });
}

Answers LearnedStream::answers(std::int64_t batch, const std::vector<std::int64_t>& order) {
    std::vector<std::int64_t> places = order;
    if (places.empty()) {
        places.resize(static_cast<std::size_t>(testImages()));
        std::iota(places.begin(), places.end(), std::int64_t{0});
    }
    ReorderedTest source(images_->test(), places);
    WatchedMethod watched(*learner_.method);
    // An evaluator of its own, so that the features of the frozen network are computed in these batches, too.
    Evaluator evaluator(watched, source, static_cast<std::int64_t>(data_.class_names.size()),
                        evaluatesSeenOnly(experiment_, watched), batch, learner_.compute.device);
    const ClassRegistry& registry = loop_->registry();
    std::int64_t asked = 0;
    const Evaluation evaluation = evaluator.evaluate(registry, [&] {
        if (std::chrono::steady_clock::now() - said_ >= kReport)
            say("Evaluating " + grouped(std::min(asked, testImages())) + " of " +
                counted(testImages(), "test image", "test images") + ", " + grouped(batch) + " at a time");
        asked += batch;
        return control_.ending();
    });
    if (!evaluation.complete) throw GivenUp();

    std::vector<std::size_t> ranks(evaluation.samples.size());
    std::iota(ranks.begin(), ranks.end(), std::size_t{0});
    const auto imageOf = [&](std::size_t rank) { return places[static_cast<std::size_t>(evaluation.samples[rank])]; };
    std::sort(ranks.begin(), ranks.end(), [&](std::size_t a, std::size_t b) { return imageOf(a) < imageOf(b); });

    Answers result;
    std::vector<std::int64_t> rows;
    const Tensor scores = watched.scores();
    // A batch that the memory was not enough for may have been answered twice: then neither scores nor prompts tell
    // which image they belong to.
    const bool once = scores.defined() && scores.size(0) == std::ssize(ranks);
    const std::size_t each = once && !ranks.empty() ? watched.selected().size() / ranks.size() : 0;
    for (const std::size_t rank : ranks) {
        const std::int64_t image = imageOf(rank);
        rows.push_back(static_cast<std::int64_t>(rank));
        result.samples.push_back(image);
        result.units.push_back(registry.unit(data_.test->labels()[static_cast<std::size_t>(image)]));
        result.guesses.push_back(evaluation.predictions[rank]);
        for (std::size_t i = 0; i < each; ++i) result.selected.push_back(watched.selected()[rank * each + i]);
    }
    if (once) result.scores = scores.index_select(0, at::tensor(rows, at::kLong));
    return result;
}

TensorsByName LearnedStream::state() {
    StateArchive archive;
    loop_->keep(archive);
    return archive.tensors();
}

std::string LearnedStream::cutText() const {
    std::string text;
    if (plan_->totalSamples() < all_train_)
        text = "The stream was cut to " + grouped(plan_->totalSamples()) + " of " +
               counted(all_train_, "image", "images") + ", each session in proportion";
    if (testImages() < all_test_)
        text += (text.empty() ? "The test set was cut to " : ", and the test set to ") + grouped(testImages()) +
                " of " + counted(all_test_, "image", "images") + ", each class in proportion";
    return text.empty() ? text : text + ".";
}

bool LearnedStream::working(const std::string& what, std::int64_t done, std::int64_t total) {
    if (std::chrono::steady_clock::now() - said_ >= kReport) say(what + " " + grouped(done) + " of " + grouped(total));
    return !control_.ending();
}

void LearnedStream::updated(std::int64_t, const UpdateResult& result) {
    if (!std::isfinite(result.loss))
        throw runError("The loss is no longer a number after " + counted(loop_->samplesSeen(), "image", "images") + ".",
                       "Lower the learning rate (training.learning_rate).");
}

void LearnedStream::learned(const Batch& batch) {
    measures_.retention().expose(loop_->registry().exposed(), batch.session);
    if (std::chrono::steady_clock::now() - said_ >= kReport)
        say("Learning " + grouped(batch.samples_seen) + " of " + counted(plan_->totalSamples(), "image", "images"));
}

void LearnedStream::evaluated(EvaluationKind kind, std::int64_t session, const Evaluation& evaluation) {
    ++evaluations_;
    measures_.add(kind, evaluation);
    if (kind == EvaluationKind::SessionEnd)
        measures_.retention().addRow(session, loop_->registry().exposed(), evaluation.units);
}

}  // namespace palimpsest
