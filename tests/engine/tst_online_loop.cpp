// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/network/compute.h"
#include "engine/train/online_loop.h"

using namespace palimpsest;

namespace {

constexpr std::int64_t kClasses = 4;

/// Grey pictures; a sample's label is its number divided by 4.
class GreyTrain : public TrainSource {
public:
    std::int32_t label(std::int64_t sample) const override { return static_cast<std::int32_t>(sample / 4); }
    Tensor images(std::int64_t, std::int64_t, std::span<const std::int64_t> stream,
                  std::span<const std::int64_t> replay) override {
        return at::ones({static_cast<std::int64_t>(stream.size() + replay.size()), 3, 16, 16});
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }
};

class GreyTest : public TestSource {
public:
    explicit GreyTest(std::vector<std::int32_t> labels) : labels_(std::move(labels)) {}
    std::span<const std::int32_t> labels() const override { return labels_; }
    Tensor images(std::span<const std::int64_t> samples) override {
        return at::ones({static_cast<std::int64_t>(samples.size()), 3, 16, 16});
    }

private:
    std::vector<std::int32_t> labels_;
};

struct Told : LoopListener {
    std::vector<std::int64_t> sessions;
    int begun = 0;
    void evaluating() override { ++begun; }
    void evaluated(EvaluationKind, std::int64_t session, const Evaluation& evaluation) override {
        sessions.push_back(session);
        QVERIFY(!evaluation.predictions.empty());
    }
};

/// A pass over two sessions of two classes and two batches each, with two evaluations after the last batch of each.
Told learned(const std::vector<std::int32_t>& testLabels) {
    const Compute compute = prepareCompute("cpu", "float32", 1);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 5, 2, 2});
    setup.vit->initialise(Random(1));
    setup.classes = kClasses;
    setup.method.name = "linear-probe";
    setup.optimizer = "adam";
    setup.learning_rate = 5e-3;
    const auto method = makeMethod(setup);
    GreyTrain train;
    GreyTest test(testLabels);
    Evaluator evaluator(*method, test, kClasses, true, 8, compute.device);
    Told told;
    LoopSettings settings;
    settings.classes = kClasses;
    settings.batch_size = 4;
    settings.updates_per_batch = 1;
    settings.every_samples = 8;
    OnlineLoop loop(settings, *method, train, evaluator, told);
    StreamPlan plan;
    plan.sessions = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
    if (!loop.run(plan)) told.sessions.push_back(-1);
    return told;
}

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
        const Told told = learned({testLabels.begin(), testLabels.end()});
        QCOMPARE(QList<qint64>(told.sessions.begin(), told.sessions.end()), sessions);
        QCOMPARE(told.begun, static_cast<int>(sessions.size()));
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

QTEST_APPLESS_MAIN(TestOnlineLoop)
#include "tst_online_loop.moc"
