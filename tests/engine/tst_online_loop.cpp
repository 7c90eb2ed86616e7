// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <functional>
#include <map>
#include <optional>
#include <set>

#include "engine/checkpoint/state_archive.h"
#include "engine/network/compute.h"
#include "engine/network/tensor_file.h"
#include "engine/support/stop_scope.h"
#include "engine/train/online_loop.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_online_loop {

namespace {

constexpr std::int64_t kClasses = 4;

/// Grey pictures; a sample's label is its number divided by 4. Some are unreadable, others only when they are replayed.
class GreyTrain : public TrainSource {
public:
    std::set<std::int64_t> unreadable, lost;
    std::vector<std::vector<std::int64_t>> opened, replayed;
    std::map<std::int64_t, std::vector<std::vector<std::int64_t>>> expected;
    int unexpected = 0;  // replays that were not announced

    std::int32_t label(std::int64_t sample) const override { return static_cast<std::int32_t>(sample / 4); }
    std::vector<std::int64_t> open(std::int64_t, std::span<const std::int64_t> stream) override {
        opened.emplace_back();
        for (const std::int64_t sample : stream)
            if (!unreadable.contains(sample)) opened.back().push_back(sample);
        return opened.back();
    }
    void expect(std::int64_t batch, const std::vector<std::vector<std::int64_t>>& replay) override {
        expected[batch] = replay;
    }
    ShownImages images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t> replay) override {
        ShownImages shown;
        shown.samples.assign(stream.begin(), stream.end());
        for (const std::int64_t sample : replay)
            if (!lost.contains(sample)) shown.samples.push_back(sample);
        shown.images = at::ones({static_cast<std::int64_t>(shown.samples.size()), 3, 16, 16});
        replayed.emplace_back(replay.begin(), replay.end());
        unexpected += batch > 1 && expected.at(batch).at(static_cast<std::size_t>(update)) != replayed.back();
        return shown;
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }
};

class GreyTest : public TestSource {
public:
    explicit GreyTest(std::vector<std::int32_t> labels) : labels_(std::move(labels)) {}
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        return {at::ones({static_cast<std::int64_t>(samples.size()), 3, 16, 16}), {samples.begin(), samples.end()}};
    }

private:
    std::vector<std::int32_t> labels_;
};

struct Told : LoopListener {
    std::vector<std::int64_t> sessions, batch_sizes, seen_at_evaluations;
    std::vector<std::vector<bool>> visible;
    std::vector<std::pair<EvaluationKind, std::vector<std::int64_t>>> tested;
    int begun = 0;
    std::string state;  // hash of all that the loop keeps, at the end
    std::int64_t seen = 0;
    void learned(const Batch& batch) override {
        batch_sizes.push_back(static_cast<std::int64_t>(batch.samples.size()));
        seen = batch.samples_seen;
        visible.push_back(batch.visible);
    }
    std::vector<std::pair<std::int64_t, std::vector<std::int64_t>>> looks;  // samples seen, images looked at
    void evaluating() override { ++begun; }
    void looked(std::int64_t, const Evaluation& evaluation) override { looks.push_back({seen, evaluation.samples}); }
    void evaluated(EvaluationKind kind, std::int64_t session, const Evaluation& evaluation) override {
        tested.push_back({kind, evaluation.samples});
        sessions.push_back(session);
        seen_at_evaluations.push_back(seen);
        QVERIFY(!evaluation.predictions.empty());
    }
};

/// Learns two sessions of two classes and two batches each, with two evaluations after the last batch of each.
Told learned(
    const std::vector<std::int32_t>& testLabels, GreyTrain& train, std::int64_t memory = 0,
    const std::function<void(LoopSettings&, StreamPlan&)>& change = [](LoopSettings&, StreamPlan&) {},
    std::int64_t anytimeImages = 0, const std::string& name = "linear-probe") {
    const Compute compute = prepareCompute("cpu", "float32", 1);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 5, 2, 2});
    setup.vit->initialise(Random(1));
    setup.classes = kClasses;
    setup.method.name = name;
    setup.initial_session.prompts = "none";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    const auto method = makeMethod(setup);
    GreyTest test(testLabels);
    Evaluator evaluator(*method, test, kClasses, true, 8, compute.device, anytimeImages);
    Told told;
    LoopSettings settings;
    settings.classes = kClasses;
    settings.batch_size = 4;
    settings.updates_per_batch = 1;
    settings.every_samples = 8;
    settings.memory_size = memory;
    settings.memory_batch = 2;
    StreamPlan plan;
    plan.sessions = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
    change(settings, plan);
    OnlineLoop loop(settings, *method, train, evaluator, told);
    if (!loop.run(plan)) told.sessions.push_back(-1);
    StateArchive archive;
    loop.keep(archive);
    told.state = stateHash(archive.tensors());
    return told;
}

/// Updates whose numbers come late, as on a GPU, and what is reported of them, in the order it happens.
class LateMethod : public Method {
public:
    explicit LateMethod(std::vector<std::string>& log) : log_(log) {}
    ForwardResult forward(const UpdateInput&) override { return {}; }
    UpdateResult update(const UpdateInput&) override {
        const std::string number = std::to_string(++updates_);
        log_.push_back("launch " + number);
        UpdateResult result;
        result.late = [this, number](UpdateResult& filled) {
            log_.push_back("read " + number);
            filled.loss = std::stod(number);
        };
        return result;
    }
    Tensor logits(const Tensor& images, const Tensor&) override { return at::zeros({images.size(0), kClasses}); }
    bool usesFrozenFeatures() const override { return false; }
    bool needsImages() const override { return true; }
    Tensor frozenFeatures(const Tensor&) override { return {}; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }

private:
    std::vector<std::string>& log_;
    int updates_ = 0;
};

/// Ends the run when it has been asked so often within evaluations, and keeps the state that is left then.
struct GivenUpAt : Told {
    int polls = 0, last = 0;
    OnlineLoop* loop = nullptr;
    std::optional<TensorsByName> kept;
    bool ending() override { return ++polls == last; }
    void evaluationGivenUp() override {
        StateArchive archive;
        loop->keep(archive);
        kept = archive.tensors();
    }
};

struct Log : LoopListener {
    std::vector<std::string> lines;
    void updated(std::int64_t update, const UpdateResult& result) override {
        QCOMPARE(result.loss, static_cast<double>(update));
        lines.push_back("told " + std::to_string(update));
    }
    void learned(const Batch& batch) override {
        lines.push_back("learned " + std::to_string(static_cast<int>(batch.last.loss)));
    }
};

}  // namespace

class TestOnlineLoop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEvaluationWithoutATestSampleIsSkipped_data() {
        QTest::addColumn<QList<qint32>>("testLabels");
        QTest::addColumn<QList<qint64>>("sessions");
        QTest::newRow("every class has one") << QList<qint32>{0, 1, 2, 3} << QList<qint64>{0, 0, 1, 1};
        QTest::newRow("the first session has none") << QList<qint32>{2, 3} << QList<qint64>{1, 1};
        QTest::newRow("there are none at all") << QList<qint32>{} << QList<qint64>{};
    }
    void anEvaluationWithoutATestSampleIsSkipped() {
        QFETCH(QList<qint32>, testLabels);
        QFETCH(QList<qint64>, sessions);
        GreyTrain train;
        const Told told = learned({testLabels.begin(), testLabels.end()}, train);
        QCOMPARE(QList<qint64>(told.sessions.begin(), told.sessions.end()), sessions);
        QCOMPARE(told.begun, static_cast<int>(sessions.size()));
    }

    void pointsBetweenSessionEndsMayBeMeasuredOnAPart() {
        GreyTrain train;
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 24; ++i) labels.push_back(i % kClasses);
        const Told told = learned(
            labels, train, 0, [](LoopSettings&, StreamPlan&) {}, 12);
        const std::vector<bool> part = anytimePart(labels, 12);
        QCOMPARE(told.tested.size(), std::size_t{4});
        // Two classes have come in the first session, all four in the second: six images each.
        for (std::size_t i = 0; i < told.tested.size(); ++i) {
            const auto& [kind, samples] = told.tested[i];
            const std::size_t all = i < 2 ? 12 : 24;
            QCOMPARE(samples.size(), kind == EvaluationKind::Anytime ? all / 2 : all);
            if (kind == EvaluationKind::Anytime)
                QVERIFY(std::all_of(samples.begin(), samples.end(), [&](std::int64_t s) { return part[size_t(s)]; }));
        }
        QCOMPARE(std::count_if(told.tested.begin(), told.tested.end(),
                               [](const auto& one) { return one.first == EvaluationKind::Anytime; }),
                 std::ptrdiff_t{2});
    }

    void anEarlyLookComesBeforeTheFirstPointAndCountsNowhere_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("after");  // samples
        QTest::addColumn<int>("every");
        QTest::addColumn<int>("at");  // samples seen; 0: there is no look
        QTest::newRow("none") << "linear-probe" << 0 << 12 << 0;
        QTest::newRow("after the first batch") << "linear-probe" << 1 << 12 << 4;
        QTest::newRow("at the border") << "linear-probe" << 4 << 12 << 4;
        QTest::newRow("after the second") << "linear-probe" << 5 << 100 << 0;  // where the session ends
        QTest::newRow("where a point comes") << "linear-probe" << 3 << 6 << 0;
        QTest::newRow("no anytime curve") << "linear-probe" << 4 << 0 << 0;
        QTest::newRow("not before the first point") << "linear-probe" << 12 << 12 << 0;
        QTest::newRow("in the second session") << "linear-probe" << 9 << 100 << 12;
    }
    void anEarlyLookComesBeforeTheFirstPointAndCountsNowhere() {
        QFETCH(QString, method);
        QFETCH(int, after);
        QFETCH(int, every);
        QFETCH(int, at);
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 2000; ++i) labels.push_back(i % kClasses);
        const auto run = [&](int look) {
            GreyTrain train;
            return learned(
                labels, train, 0,
                [&](LoopSettings& settings, StreamPlan&) {
                    settings.every_samples = every;
                    settings.early_look = look;
                },
                1000, method.toStdString());
        };
        const Told with = run(after), without = run(0);
        QVERIFY(without.looks.empty());
        QCOMPARE(with.looks.size(), std::size_t(at > 0));
        if (at > 0) {
            QCOMPARE(with.looks[0].first, std::int64_t{at});
            QCOMPARE(std::ssize(with.looks[0].second), kEarlyImages);
        }
        QCOMPARE(with.seen_at_evaluations, without.seen_at_evaluations);
        QCOMPARE(with.tested, without.tested);
        QVERIFY(with.state == without.state);
    }

    void aRunThatEndsWithinAnEvaluationGoesOnWithIt() {
        // Evaluations of 5 and 10 batches of test images: the run ends before the first one, the second one, and so on.
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 80; ++i) labels.push_back(i % kClasses);
        StreamPlan plan;
        plan.sessions = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
        LoopSettings settings;
        settings.classes = kClasses;
        settings.batch_size = 4;
        settings.updates_per_batch = 1;
        settings.every_samples = 8;
        settings.early_look = 4;
        settings.memory_size = 6;
        settings.memory_batch = 2;
        const auto learn = [&](GivenUpAt& told, const std::optional<TensorsByName>& from) {
            const auto method = makeMethod(smallSetup("linear-probe", kClasses));
            GreyTrain train;
            GreyTest test(labels);
            Evaluator evaluator(*method, test, kClasses, true, 8, at::kCPU);
            OnlineLoop loop(settings, *method, train, evaluator, told);
            told.loop = &loop;
            if (from) {
                StateArchive archive(*from, at::kCPU);
                loop.keep(archive);
            }
            const bool whole = loop.run(plan);
            if (whole) {
                StateArchive archive;
                loop.keep(archive);
                told.state = stateHash(archive.tensors());
            }
            return whole;
        };
        GivenUpAt unbroken;
        QVERIFY(learn(unbroken, std::nullopt));
        QVERIFY(unbroken.polls >= 30);
        for (int last = 1; last <= unbroken.polls; ++last) {
            GivenUpAt before, after;
            before.last = last;
            QVERIFY(!learn(before, std::nullopt));
            QVERIFY(before.kept.has_value());
            QVERIFY(learn(after, before.kept));
            const auto joined = [](auto first, const auto& second) {
                first.insert(first.end(), second.begin(), second.end());
                return first;
            };
            // Each evaluation is reported once, each batch is learned once, and all of it leads to the same state.
            QCOMPARE(joined(before.tested, after.tested), unbroken.tested);
            QCOMPARE(joined(before.looks, after.looks).size(), unbroken.looks.size());
            QCOMPARE(joined(before.batch_sizes, after.batch_sizes), unbroken.batch_sizes);
            QVERIFY2(after.state == unbroken.state, qPrintable(QString::number(last)));
        }
    }

    void thePartHasAnEqualShareOfEveryClass() {
        // Classes of 1, 10, 100 and 1000 images, in turns as far as they go.
        std::vector<std::int32_t> labels;
        for (int i = 0; i < 1000; ++i)
            for (const auto& [label, count] : {std::pair(7, 1), {3, 10}, {0, 100}, {5, 1000}})
                if (i < count) labels.push_back(label);
        for (const std::int64_t images : {50, 400, 1000}) {
            const std::vector<bool> part = anytimePart(labels, images);
            std::map<std::int32_t, int> counts;
            for (std::size_t i = 0; i < labels.size(); ++i) counts[labels[i]] += part[i];
            const double share = double(images) / double(labels.size());
            for (const auto& [label, count] : {std::pair(7, 1), {3, 10}, {0, 100}, {5, 1000}}) {
                QVERIFY(counts[label] >= 1);
                QVERIFY2(std::abs(counts[label] - share * count) <= 1, qPrintable(QString::number(counts[label])));
            }
        }
        QCOMPARE(anytimePart(labels, 0), std::vector<bool>(labels.size(), true));
        QCOMPARE(anytimePart(labels, 5000), std::vector<bool>(labels.size(), true));
        QVERIFY(anytimePart({}, 5).empty());
    }

    void theSessionMaskShowsTheWholeSessionWhereAsked_data() {
        QTest::addColumn<bool>("whole");
        QTest::addColumn<std::vector<bool>>("secondBatch");
        // The second session has class 2, then class 3 and class 0 again.
        QTest::newRow("so far") << false << std::vector<bool>{false, false, true, false};
        QTest::newRow("whole") << true << std::vector<bool>{true, false, true, false};
    }
    void theSessionMaskShowsTheWholeSessionWhereAsked() {
        QFETCH(bool, whole);
        QFETCH(std::vector<bool>, secondBatch);
        GreyTrain train;
        const Told told = learned({0, 1, 2, 3}, train, 0, [&](LoopSettings& settings, StreamPlan& plan) {
            settings.mask = MaskKind::Session;
            settings.whole_session = whole;
            plan.sessions = {{0, 1, 4, 5}, {8, 9, 10, 11, 2, 3, 12, 13}};
        });
        QCOMPARE(told.visible.size(), std::size_t{3});
        QCOMPARE(told.visible[0], (std::vector<bool>{true, true, false, false}));
        QCOMPARE(told.visible[1], secondBatch);
        QCOMPARE(told.visible[2], (std::vector<bool>{true, false, true, true}));
    }

    void unreadableImagesMakeSmallerBatchesAndEmptyOnesArePassedOver() {
        GreyTrain train;
        train.unreadable = {1, 4, 5, 6, 7};
        const Told told = learned({0, 1, 2, 3}, train);
        QCOMPARE(told.batch_sizes, (std::vector<std::int64_t>{3, 4, 4}));
        // Images seen are those learned: 3 at the end of the first session; 3 + 4 + 4 > 8 after the next batch.
        QCOMPARE(told.seen_at_evaluations, (std::vector<std::int64_t>{3, 7, 11}));
    }

    void unreadableImagesAreNeverReplayed() {
        GreyTrain train;
        train.unreadable = {1, 4, 5, 6, 7, 9};
        learned({0, 1, 2, 3}, train, 20);
        std::int64_t replayed = 0;
        for (const auto& update : train.replayed)
            for (const std::int64_t sample : update) {
                QVERIFY(!train.unreadable.contains(sample));
                ++replayed;
            }
        QCOMPARE(replayed, std::int64_t{4});  // two in each batch that is learned but the first
        QCOMPARE(train.unexpected, 0);
    }

    void aReplayedImageThatIsLostMeanwhileIsLeftOut() {
        GreyTrain train;
        for (std::int64_t sample = 0; sample < 16; ++sample) train.lost.insert(sample);
        const Told told = learned({0, 1, 2, 3}, train, 20);
        QCOMPARE(told.batch_sizes, (std::vector<std::int64_t>{4, 4, 4, 4}));
    }

    void featuresOfTestImagesAreRestoredUntilTheEndIsAskedFor() {
        const auto method = makeMethod(smallSetup("linear-probe", kClasses));
        GreyTest test({0, 1, 2, 3});
        ClassRegistry registry;
        registry.expose({0, 1, 2, 3});
        Evaluator before(*method, test, kClasses, true, 2, at::kCPU), after(*method, test, kClasses, true, 2, at::kCPU);
        before.evaluate(registry, [] { return false; });
        StateArchive saved;
        before.keep(saved, registry);
        std::stop_source stop;
        const StopScope scope(stop.get_token());
        StateArchive whole(saved.tensors(), at::kCPU);
        after.keep(whole, registry);
        stop.request_stop();
        StateArchive unwanted(saved.tensors(), at::kCPU);
        Evaluator another(*method, test, kClasses, true, 2, at::kCPU);
        QVERIFY_THROWS_EXCEPTION(GivenUp, another.keep(unwanted, registry));
    }

    void numbersAreReadWhenTheNextUpdateIsUnderWay_data() {
        QTest::addColumn<bool>("late");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("late") << true << QStringList{"launch 1", "launch 2", "read 1", "told 1", "launch 3",
                                                     "read 2",   "told 2",   "read 3", "told 3", "learned 3"};
        QTest::newRow("at once") << false << QStringList{"launch 1", "read 1",   "told 1", "launch 2", "read 2",
                                                         "told 2",   "launch 3", "read 3", "told 3",   "learned 3"};
    }
    void numbersAreReadWhenTheNextUpdateIsUnderWay() {
        QFETCH(bool, late);
        QFETCH(QStringList, expected);
        Log log;
        LateMethod method(log.lines);
        GreyTrain train;
        GreyTest test({0, 1, 2, 3});
        Evaluator evaluator(method, test, kClasses, true, 8, at::kCPU, 0);
        LoopSettings settings;
        settings.classes = kClasses;
        settings.batch_size = 4;
        settings.updates_per_batch = 3;
        settings.read_late = late;
        StreamPlan plan;
        plan.sessions = {{0, 1, 2, 3}};
        OnlineLoop loop(settings, method, train, evaluator, log);
        QVERIFY(loop.run(plan));
        QStringList lines;
        for (const std::string& line : log.lines) lines.push_back(QString::fromStdString(line));
        QCOMPARE(lines, expected);
    }

    void evaluationBatchesSuitMemoryAndCores_data() {
        QTest::addColumn<qint64>("stream");
        QTest::addColumn<qint64>("evaluation");
        QTest::newRow("one image") << qint64{1} << qint64{64};
        QTest::newRow("the official batch") << qint64{32} << qint64{128};
        QTest::newRow("the largest batch there may be") << qint64{4096} << qint64{256};
    }
    void evaluationBatchesSuitMemoryAndCores() {
        QFETCH(qint64, stream);
        QFETCH(qint64, evaluation);
        QCOMPARE(qint64{evaluationBatch(stream)}, evaluation);
    }
};

PALIMPSEST_APPLESS_TEST(TestOnlineLoop)

}  // namespace tst_online_loop

#include "tst_online_loop.moc"
