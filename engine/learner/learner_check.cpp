// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/learner_check.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/random.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are sent as they lie in memory");

constexpr std::int64_t kCheckClasses = 4, kCheckWidth = 32, kCheckBatch = 8, kCheckBatches = 12;

/// Images and features that differ from class to class, with noise.
class MadeUpBatch {
public:
    MadeUpBatch(const LearnerHello& hello, std::int64_t side, std::int64_t rows, std::uint64_t number,
                std::int64_t seen)
        : side_(side), rows_(rows), labels_(static_cast<std::size_t>(rows)) {
        Random random(1, number);
        for (std::int64_t& label : labels_)
            label = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(seen)));
        if (hello.takes_images) images_ = values(random, 3 * side_ * side_);
        if (hello.takes_features) features_ = values(random, kCheckWidth);
    }

    std::vector<LearnerTensor> tensors(bool labelled) const {
        std::vector<LearnerTensor> all;
        if (labelled) all.push_back({"labels", "I64", {rows_}, std::as_bytes(std::span(labels_))});
        if (!images_.empty())
            all.push_back({"images", "F32", {rows_, 3, side_, side_}, std::as_bytes(std::span(images_))});
        if (!features_.empty())
            all.push_back({"features", "F32", {rows_, kCheckWidth}, std::as_bytes(std::span(features_))});
        return all;
    }
    const std::vector<std::int64_t>& labels() const { return labels_; }
    std::int64_t rows() const { return rows_; }

private:
    std::vector<float> values(Random& random, std::int64_t width) const {
        std::vector<float> all;
        all.reserve(static_cast<std::size_t>(rows_ * width));
        for (const std::int64_t label : labels_)
            for (std::int64_t i = 0; i < width; ++i)
                all.push_back(static_cast<float>((i % kCheckClasses == label ? 1.5 : 0.0) + 0.5 * random.normal()));
        return all;
    }

    std::int64_t side_, rows_;
    std::vector<std::int64_t> labels_;
    std::vector<float> images_, features_;
};

class LearnerCheck {
public:
    LearnerCheck(const LearnerStart& start, const std::string& options,
                 const std::function<void(const LearnerTrial&)>& report, std::int64_t image_size)
        : start_(start), settings_(learnerSettings("--options", options)), report_(report), side_(image_size) {
        start_.advice = "The guide's page on the learner protocol says what it is asked, and how to answer.";
    }

    std::vector<LearnerTrial> run() {
        // Not allowed, or not there: nothing about the learner itself.
        if (!start_.found) start_.found = learnerCommand(start_.command);
        requireAllowed(*start_.found);
        std::string saved;
        const bool whole = tried("Says who it is", [&] { return meet(); }) &&
                           tried("Begins", [&] { return begin(*first_); }) &&
                           tried("Learns batches", [&] { return learn(); }) &&
                           tried("Answers test images", [&] { return predict(); }) &&
                           tried("Is not changed by questions", [&] { return unchanged(saved); }) &&
                           tried("Is told that a session ends", [&] { return endSession(); }) &&
                           tried("Gives its state", [&] { return save(saved); }) &&
                           tried("Takes up its state", [&] { return takeUp(saved); }) &&
                           tried("Goes on exactly as without a break", [&] { return compare(); });
        if (whole) tried("Says goodbye", [&] { return leave(); });
        return std::move(trials_);
    }

private:
    /// False where the trial broke off: then there is nobody left to try more with.
    bool tried(const std::string& what, const std::function<std::string()>& work) {
        LearnerTrial trial{what, {}, true};
        bool goesOn = true;
        fault_ = false;
        try {
            trial.found = work();
            // One that was ended in the middle has not had its chance.
            if (start_.stop.stop_requested()) throw GivenUp();
            trial.sound = !fault_;
        } catch (const Error& error) {
            trial.found = error.sentence();
            trial.sound = goesOn = false;
        }
        trials_.push_back(trial);
        if (report_) report_(trial);
        return goesOn;
    }

    std::string fault(const std::string& sentence) {
        fault_ = true;
        return sentence;
    }

    std::string meet() {
        first_ = std::make_unique<LearnerLink>(start_);
        const LearnerHello& hello = first_->hello();
        std::vector<std::string> takes;
        if (hello.takes_images) takes.emplace_back("images");
        if (hello.takes_features) takes.emplace_back("features");
        return hello.name + (hello.version.empty() ? "" : ", version " + hello.version) + "; learns from " +
               enumeration(takes) + (hello.needs_sessions ? ", and must be told the sessions" : "") + "; " +
               (hello.options.empty() ? "no options" : counted(std::ssize(hello.options), "option", "options")) + ".";
    }

    std::string begin(LearnerLink& link) const {
        LearnerBegin begin;
        begin.classes = kCheckClasses;
        begin.image_size = side_;
        begin.width = kCheckWidth;
        begin.batch_size = kCheckBatch;
        begin.learning_rate = 0.005;
        begin.options = settings_;
        if (link.hello().needs_sessions) {
            begin.sessions = 2;
            begin.samples = kCheckBatch * kCheckBatches;
        }
        link.begin(begin);
        return "With " + counted(kCheckClasses, "class", "classes") + ".";
    }

    /// Classes come one after another; in every third batch some images are of the memory.
    LearnerObserved observe(LearnerLink& link, std::int64_t number) const {
        const std::int64_t seen = std::min<std::int64_t>(2 + number / 3, kCheckClasses);
        const MadeUpBatch batch(link.hello(), side_, number == 4 ? 3 : kCheckBatch, static_cast<std::uint64_t>(number),
                                seen);
        LearnerBatch facts;
        facts.streamed = number % 3 == 2 ? batch.rows() / 2 : batch.rows();
        facts.seen = seen;
        facts.visible = batch.labels();
        std::ranges::sort(facts.visible);
        facts.visible.erase(std::ranges::unique(facts.visible).begin(), facts.visible.end());
        if (number % 2 == 1) {
            facts.visible.clear();
            for (std::int64_t unit = 0; unit < seen; ++unit) facts.visible.push_back(unit);
        }
        if (link.hello().needs_sessions) facts.session = number < kCheckBatches ? 0 : 1;
        return link.observe(batch.tensors(true), facts);
    }

    std::string learn() {
        double loss = 0;
        for (std::int64_t number = 0; number < kCheckBatches; ++number) loss = observe(*first_, number).loss;
        return counted(kCheckBatches, "batch", "batches") + "; the last loss is " + shortestText(loss) + ".";
    }

    static std::vector<float> answers(LearnerLink& link, const MadeUpBatch& batch) {
        std::vector<float> logits(static_cast<std::size_t>(batch.rows() * kCheckClasses));
        link.predict(batch.tensors(false), kCheckClasses, logits);
        return logits;
    }

    std::string predict() {
        std::int64_t right = 0, all = 0;
        for (const std::int64_t rows : {20, 1, 40}) {
            const MadeUpBatch batch(first_->hello(), side_, rows, static_cast<std::uint64_t>(1000 + rows),
                                    kCheckClasses);
            const std::vector<float> logits = answers(*first_, batch);
            for (std::int64_t row = 0; row < rows; ++row) {
                const auto begin = logits.begin() + row * kCheckClasses;
                right += std::max_element(begin, begin + kCheckClasses) - begin ==
                                 batch.labels()[static_cast<std::size_t>(row)]
                             ? 1
                             : 0;
            }
            all += rows;
        }
        return std::to_string(right) + " of " + std::to_string(all) + " right, where guessing gives " +
               std::to_string(all / kCheckClasses) + ".";
    }

    std::string unchanged(std::string& saved) {
        saved = first_->save();
        const MadeUpBatch batch(first_->hello(), side_, 16, 2000, kCheckClasses);
        const std::vector<float> once = answers(*first_, batch), twice = answers(*first_, batch);
        if (once != twice) return fault("Two answers to the same images differ, so what is measured is chance.");
        if (first_->save() != saved)
            return fault(
                "Its state is another one after test images, so looking changes the run; or it holds something that "
                "never repeats, such as the time.");
        return "Same answers, same state.";
    }

    std::string endSession() {
        if (!first_->hello().needs_sessions) return "It does not ask for that.";
        first_->endSession(0);
        return "It was told.";
    }

    std::string save(std::string& saved) {
        saved = first_->save();
        return grouped(std::ssize(saved)) + " bytes.";
    }

    std::string takeUp(const std::string& saved) {
        second_ = std::make_unique<LearnerLink>(start_);
        begin(*second_);
        second_->load(saved);
        if (second_->save() != saved) return fault("A second one that takes it up gives another state at once.");
        return "By a second one, which gives the same.";
    }

    std::string compare() {
        for (std::int64_t number = kCheckBatches; number < kCheckBatches + 6; ++number) {
            const LearnerObserved here = observe(*first_, number), there = observe(*second_, number);
            if (here.loss != there.loss || here.accuracy != there.accuracy)
                return fault("Batch " + std::to_string(number - kCheckBatches + 1) + " gives the loss " +
                             shortestText(here.loss) + ", and " + shortestText(there.loss) +
                             " after the state was taken up: runs cannot be resumed or forked exactly.");
        }
        const MadeUpBatch batch(first_->hello(), side_, 16, 3000, kCheckClasses);
        if (answers(*first_, batch) != answers(*second_, batch))
            return fault(
                "The same losses, but other answers to test images: runs cannot be resumed or forked exactly.");
        if (first_->save() != second_->save())
            return fault("The same numbers, but another state, so that hashes of states do not compare runs.");
        return "The same losses, answers and state.";
    }

    std::string leave() {
        const bool late = !first_->leave();
        if (late || !second_->leave())
            return fault("It had to be killed, since it did not end within five seconds of bye.");
        return "It ended by itself.";
    }

    LearnerStart start_;
    std::vector<std::pair<std::string, std::string>> settings_;
    const std::function<void(const LearnerTrial&)>& report_;
    const std::int64_t side_;
    std::unique_ptr<LearnerLink> first_, second_;
    std::vector<LearnerTrial> trials_;
    bool fault_ = false;
};

}  // namespace

std::vector<LearnerTrial> checkLearner(const LearnerStart& start, const std::string& options,
                                       const std::function<void(const LearnerTrial&)>& report,
                                       std::int64_t image_size) {
    return LearnerCheck(start, options, report, image_size).run();
}

}  // namespace palimpsest
