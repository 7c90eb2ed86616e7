// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/tensor.h"

#include <QTemporaryDir>
#include <QtTest>
#include <limits>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/train/run_recorder.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_recorder {

namespace {

constexpr std::int64_t kSamples = 40;

/// Learns nothing, always predicts the first class, and reports the given losses; the last one repeats.
class Scripted : public Method {
public:
    explicit Scripted(std::vector<double> losses) : losses_(std::move(losses)) {}
    ForwardResult forward(const UpdateInput&) override { return {}; }
    UpdateResult update(const UpdateInput&) override {
        return {losses_[std::min(updates_++, losses_.size() - 1)], 0.5, {}};
    }
    Tensor logits(const Tensor& images, const Tensor&) override {
        if (images.size(0) > most_at_once) throw std::bad_alloc();
        noteFeatures(images.flatten(1));
        return at::arange(2, 0, -1, at::kFloat).expand({images.size(0), 2}).contiguous();
    }
    bool usesFrozenFeatures() const override { return false; }
    bool needsImages() const override { return true; }
    Tensor frozenFeatures(const Tensor&) override { return {}; }
    bool evaluatesSeenOnly() const override { return false; }
    std::vector<NamedTensor> trainable() const override { return {}; }

    Tensor headRows() const override {
        if (no_room_for_heads) throw std::bad_alloc();
        return {};
    }

    std::int64_t most_at_once = 1 << 20;  ///< test images, for which there is memory
    bool no_room_for_heads = false;

private:
    std::vector<double> losses_;
    std::size_t updates_ = 0;
};

/// Two alternating classes, blank images.
class Blank : public TrainSource, public TestSource {
public:
    Blank() {
        for (std::int64_t i = 0; i < kSamples; ++i) labels_.push_back(label(i));
    }
    std::int32_t label(std::int64_t sample) const override { return static_cast<std::int32_t>(sample % 2); }
    ShownImages images(std::int64_t, std::int64_t, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t>) override {
        return images(stream);
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        return {at::zeros({static_cast<std::int64_t>(samples.size()), 3, 2, 2}, at::kFloat),
                {samples.begin(), samples.end()}};
    }

private:
    std::vector<std::int32_t> labels_;
};

/// A scripted method in a loop, with its run folder: one session of all samples, an evaluation after every 16.
struct ScriptedRunLoop {
    ScriptedRunLoop(std::vector<double> losses, RunObserver& observer)
        : method(std::move(losses)),
          recorder({1, experiment, plan, control, observer, *writer, data, 0}),
          loop(settings(), method, data, evaluator, recorder) {
        recorder.attach(loop);
    }

    static std::shared_ptr<StreamPlan> oneSession() {
        auto plan = std::make_shared<StreamPlan>();
        plan->settings.classes = 2;
        plan->settings.sessions = 1;
        plan->sessions.emplace_back();
        for (std::int64_t i = 0; i < kSamples; ++i) plan->sessions[0].push_back(i);
        return plan;
    }
    static LoopSettings settings() {
        LoopSettings settings;
        settings.classes = 2;
        settings.batch_size = 8;
        settings.updates_per_batch = 1;
        settings.every_samples = 16;
        settings.mask = MaskKind::None;
        return settings;
    }

    QTemporaryDir parent;
    const OptionTable table{testCatalogue()};
    const Experiment experiment = table.defaults();
    const std::unique_ptr<RunFolderWriter> writer =
        RunFolderWriter::create(table, experiment, parent.path().toStdString());
    const std::shared_ptr<StreamPlan> plan = oneSession();
    Scripted method;
    Blank data;
    Evaluator evaluator{method, data, 2, false, 16, at::kCPU};
    RunControl control;
    RunRecorder recorder;
    OnlineLoop loop;
};

}  // namespace

class TestRunRecorder : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLossThatIsNoNumberEndsTheRunAndKeepsWhatWasMeasured_data() {
        QTest::addColumn<double>("loss");
        QTest::newRow("not a number") << std::numeric_limits<double>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<double>::infinity();
    }
    void aLossThatIsNoNumberEndsTheRunAndKeepsWhatWasMeasured() {
        QFETCH(double, loss);
        RunObserver nobody;
        ScriptedRunLoop run({1.5, 1.25, 1.0, loss}, nobody);
        QString sentence;
        try {
            run.loop.run(*run.plan);
        } catch (const Error& error) {
            QVERIFY(error.kind() == ErrorKind::Run);
            sentence = QString::fromStdString(error.sentence());
        }
        QVERIFY2(sentence.startsWith("The loss is no longer a number after 32 samples. Lower the learning rate"),
                 qPrintable(sentence));
        QCOMPARE(run.recorder.summary().a_auc, std::optional(0.5));
        QVERIFY(!run.recorder.summary().f_last);
        const RunRecord record = readRun(run.table, run.writer->folder());
        QCOMPARE(record.anytime.size(), std::size_t{1});
        QVERIFY(record.warnings.empty());
    }

    void whatThereWasNoRoomToRecordIsToldOnce() {
        struct Listener : RunObserver {
            std::vector<RunWarned> warnings;
            void onWarned(const RunWarned& event) override { warnings.push_back(event); }
        } listener;
        ScriptedRunLoop run({1.0}, listener);
        run.method.no_room_for_heads = true;
        run.evaluator.recordFor({{}, [](std::size_t, bool) { return true; }});
        QVERIFY(run.loop.run(*run.plan));
        QCOMPARE(run.recorder.summary().a_auc, std::optional(0.5));
        QCOMPARE(listener.warnings.size(), std::size_t{1});
        QVERIFY2(listener.warnings[0].text.starts_with("At 16 images, the memory was not enough to record"),
                 listener.warnings[0].text.c_str());
        const auto document = nlohmann::json::parse(readTextFile(run.writer->folder() / "run.json"));
        QCOMPARE(document["warnings"].get<std::vector<std::string>>(),
                 std::vector<std::string>{listener.warnings[0].text});
    }

    void anEvaluationThatHadToBeHalvedIsToldOnce() {
        struct Listener : RunObserver {
            std::vector<RunWarned> warnings;
            void onWarned(const RunWarned& event) override { warnings.push_back(event); }
        } listener;
        ScriptedRunLoop run({1.0}, listener);
        run.method.most_at_once = 5;
        QVERIFY(run.loop.run(*run.plan));
        QCOMPARE(listener.warnings.size(), std::size_t{1});
        const QString said = QString::fromStdString(listener.warnings[0].text);
        QVERIFY2(said.startsWith("From 16 images on, the memory was not enough to measure more than 4 test images"),
                 qPrintable(said));
        const auto document = nlohmann::json::parse(readTextFile(run.writer->folder() / "run.json"));
        QCOMPARE(document["warnings"].get<std::vector<std::string>>(),
                 std::vector<std::string>{listener.warnings[0].text});
    }

    void longWorkPausesIsShownAndEndsWithTheRun() {
        struct Watching : RunObserver {
            RunControl& control;
            std::vector<StateChanged> states;
            explicit Watching(RunControl& verbs) : control(verbs) {}
            void onState(const StateChanged& state) override {
                states.push_back(state);
                if (state.state == RunState::Paused) control.resume();
            }
        };
        QTemporaryDir parent;
        const OptionTable table{testCatalogue()};
        const Experiment experiment = table.defaults();
        const auto writer = RunFolderWriter::create(table, experiment, parent.path().toStdString());
        const auto plan = std::make_shared<StreamPlan>();
        Blank data;
        RunControl control;
        Watching observer(control);
        RunRecorder recorder({1, experiment, plan, control, observer, *writer, data, 0});
        control.pause();
        QVERIFY(recorder.working("Training on the memory, epoch", 3, 9));
        QCOMPARE(observer.states.size(), std::size_t{3});
        QVERIFY(observer.states[0].state == RunState::Paused);
        QVERIFY(observer.states[1].state == RunState::Running);
        QCOMPARE(observer.states[2].detail, std::string("Training on the memory, epoch 3 of 9"));
        // The images shown are cleared when the next batch begins.
        QVERIFY(recorder.mayContinue());
        QCOMPARE(observer.states.back().detail, std::string());
        // A step over a single batch includes the work after its session.
        control.step();
        QVERIFY(recorder.mayContinue());
        QVERIFY(recorder.working("Training on the memory, epoch", 4, 9));
        QVERIFY(observer.states.back().state != RunState::Paused);
        control.stop();
        QVERIFY(!recorder.working("Training on the memory, epoch", 5, 9));
        QVERIFY(observer.states.back().state == RunState::Stopping);
    }

    /// A resumed run may owe an evaluation, for which its method waits, before it asks for its first batch.
    void whatTheLoopWaitsForIsNotPreparing() {
        struct Listener : RunObserver {
            std::vector<StateChanged> states;
            void onState(const StateChanged& state) override { states.push_back(state); }
        } listener;
        ScriptedRunLoop run({1.0}, listener);
        const auto last = [&](RunState state, const std::string& detail, const std::optional<LearnerWait>& wait) {
            const StateChanged& told = listener.states.back();
            return told.state == state && told.detail == detail && told.wait == wait;
        };
        const LearnerWait three{"mine", 3, 60}, four{"mine", 4, 60};
        run.recorder.waiting(three);
        QVERIFY(last(RunState::Preparing, "", three));
        run.recorder.beginLearning();
        run.recorder.evaluating();
        run.recorder.waiting(three);
        QVERIFY(last(RunState::Running, "", three));
        run.recorder.waiting(std::nullopt);
        QVERIFY(last(RunState::Running, "Evaluating", std::nullopt));
        run.control.stop();
        run.recorder.waiting(four);
        QVERIFY(last(RunState::Stopping, "", four));
        run.writer->onEnded({});
        const std::string folder = run.writer->folder().string();
        const std::string commands = readTextFile(folder + "/commands.csv", FilePlace::InFolder, 1 << 20);
        QVERIFY2(commands.find("stop") != std::string::npos, commands.c_str());
    }
};

PALIMPSEST_APPLESS_TEST(TestRunRecorder)

}  // namespace tst_run_recorder

#include "tst_run_recorder.moc"
