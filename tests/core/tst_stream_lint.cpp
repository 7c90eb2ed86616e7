// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/stream/experiment_stream.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_stream_lint {

using Labels = std::vector<std::int32_t>;

namespace {

Labels cyclicLabels(std::int32_t classes, std::size_t samples) {
    Labels labels(samples);
    for (std::size_t i = 0; i < samples; ++i) labels[i] = static_cast<std::int32_t>(i) % classes;
    return labels;
}

QStringList sentences(const StreamPlan& plan, const Labels& labels) {
    QStringList list;
    for (const std::string& sentence : lintStream(plan, labels)) list << QString::fromStdString(sentence);
    return list;
}

}  // namespace

class TestStreamLint : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void plannedStreams_data() {
        QTest::addColumn<Labels>("labels");
        QTest::addColumn<StreamSettings>("settings");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("nothing to say") << cyclicLabels(100, 5000)
                                        << StreamSettings{100, 5, 50, 10, Partition::Stochastic, 3} << QStringList{};
        QTest::newRow("no disjoint class after rounding")
            << cyclicLabels(9, 900) << StreamSettings{9, 5, 50, 0, Partition::Stochastic, 7}
            << QStringList{
                   "No class is disjoint: 50 % of 9 classes, rounded down to a multiple of 5 sessions, is none."};
        QTest::newRow("no disjoint class wanted")
            << cyclicLabels(10, 900) << StreamSettings{10, 5, 0, 10, Partition::Stochastic, 1} << QStringList{};
        QTest::newRow("classes without samples")
            << cyclicLabels(8, 800) << StreamSettings{10, 1, 50, 10, Partition::Stochastic, 1}
            << QStringList{"Classes 8 and 9 are in the class list but have no samples."};
        QTest::newRow("many classes without samples")
            << cyclicLabels(10, 800) << StreamSettings{30, 1, 50, 10, Partition::Stochastic, 1}
            << QStringList{
                   "Classes 10, 11, 12, 13, 14, 15, 16, 17 and 12 more are in the class list but have no samples."};
        QTest::newRow("blurry samples that cannot be shared")
            << cyclicLabels(10, 214) << StreamSettings{10, 5, 0, 50, Partition::Uniform, 1}
            << QStringList{
                   "1 of 214 samples is dropped, since the blurry samples cannot be shared equally among 5 "
                   "sessions."};
        QTest::newRow("classes beyond the sessions")
            << cyclicLabels(5, 100) << StreamSettings{5, 3, 0, 101, Partition::Stochastic, 1}
            << QStringList{"Classes 3 and 4 have samples but never appear in the stream.",
                           "40 of 100 samples are dropped with the classes that never appear."};
    }
    void plannedStreams() {
        QFETCH(Labels, labels);
        QFETCH(StreamSettings, settings);
        QFETCH(QStringList, expected);
        const QStringList found = sentences(planStream(labels, settings), labels);
        QCOMPARE(found, expected);
    }

    void theOlderSamplersClassesAreNamed() {
        const Labels labels = cyclicLabels(9, 45);
        StreamSettings settings{9, 5, 50, 10, Partition::Stochastic, 1, Sampler::Older};
        const std::vector<std::string> names{"fat",    "background", "debris", "lymphocytes", "mucus",
                                             "muscle", "stroma",     "mucosa", "tumour"};
        QStringList found;
        for (const std::string& sentence : lintStream(planStream(labels, settings), labels, std::nullopt, names))
            found << QString::fromStdString(sentence);
        const QString out =
            "The older sampler leaves out classes 1 (background), 2 (debris), 3 (lymphocytes) and 8 "
            "(tumour): of 9 blurry classes it keeps 5, a multiple of 5 sessions.";
        QVERIFY2(found.contains(out), qPrintable(found.join('\n')));
        QVERIFY(found.contains("20 of 45 samples are dropped with the classes that never appear."));
        QVERIFY(!found.join(' ').contains("have samples but never appear"));
        settings.sampler = Sampler::Current;
        QVERIFY(!sentences(planStream(labels, settings), labels).join(' ').contains("older"));
    }

    void classesAreCalledByTheirNames() {
        const Labels train = cyclicLabels(3, 30);
        const StreamPlan plan = planStream(train, {4, 1, 100, 0, Partition::Stochastic, 1});
        const std::vector<std::string> names{"cat", "dog"};
        QStringList found;
        for (const std::string& sentence : lintStream(plan, train, Labels{0}, names))
            found << QString::fromStdString(sentence);
        QCOMPARE(found,
                 (QStringList{"Class 3 is in the class list but has no samples.",
                              "Classes 1 (dog) and 2 have no test samples, so their accuracy is not measured."}));
    }

    void repeatedAndMissingSamplesOfAnImportedListAreTold() {
        StreamPlan plan;
        plan.settings = {2, 2, 0, 0, Partition::Imported, 1};
        plan.notes = {"The list is odd."};
        plan.disjoint_classes = {{0}, {}};
        plan.blurry_classes = {{1}, {}};
        plan.sessions = {{5, 0, 1, 5}, {3, 5, 3}};
        QCOMPARE(
            sentences(plan, {0, 1, 0, 1, 0, 1}),
            (QStringList{
                "The list is odd.",
                "Session 2 is home to no class: it holds only scattered samples of classes at home in other sessions.",
                "Samples 3 and 5 come more than once.", "2 of 6 samples are not in the imported list."}));
    }

    void emptySessionsAreNamed() {
        StreamPlan plan;
        plan.settings = {2, 3, 0, 0, Partition::Stochastic, 1};
        plan.blurry_count = 2;
        plan.disjoint_classes = {{}, {}, {}};
        plan.blurry_classes = {{}, {}, {0, 1}};
        plan.sessions = {{}, {}, {0, 1}};
        QCOMPARE(sentences(plan, {0, 1}), QStringList{"Sessions 1 and 2 are empty."});
        plan.blurry_classes = {{}, {1}, {0}};
        plan.sessions = {{}, {1}, {0}};
        QCOMPARE(sentences(plan, {0, 1}), QStringList{"Session 1 is empty."});
    }

    void classesWithoutATestSampleAreNamed_data() {
        QTest::addColumn<Labels>("test");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("all are there") << Labels{2, 1, 0} << QStringList{};
        QTest::newRow("one is missing") << Labels{0, 2, 2}
                                        << QStringList{"Class 1 has no test samples, so its accuracy is not measured."};
        QTest::newRow("no test samples at all")
            << Labels{} << QStringList{"Classes 0, 1 and 2 have no test samples, so their accuracy is not measured."};
        QTest::newRow("labels of no class here")
            << Labels{0, 1, 7, -1} << QStringList{"Class 2 has no test samples, so its accuracy is not measured."};
    }
    void classesWithoutATestSampleAreNamed() {
        QFETCH(Labels, test);
        QFETCH(QStringList, expected);
        const Labels train = cyclicLabels(3, 30);
        const StreamPlan plan = planStream(train, {3, 1, 100, 0, Partition::Stochastic, 1});
        QStringList found;
        for (const std::string& sentence : lintStream(plan, train, test)) found << QString::fromStdString(sentence);
        QCOMPARE(found, expected);
        QCOMPARE(sentences(plan, train), QStringList{});
    }

    void aStreamTooShortToBeEvaluatedOnTheWayIsNamed_data() {
        QTest::addColumn<int>("every");
        QTest::addColumn<int>("batch");
        QTest::addColumn<QStringList>("expected");
        const QString ending = ", but only 30 images come, so nothing is evaluated on the way and there is no A_AUC.";
        QTest::newRow("passed") << 29 << 4 << QStringList{};
        // Batches end at 28 and 30 images, and 28 + 4 passes 30 and 31.
        QTest::newRow("about to be passed") << 30 << 4 << QStringList{};
        QTest::newRow("the last that is about to be passed") << 31 << 4 << QStringList{};
        QTest::newRow("met, not passed") << 32 << 4 << QStringList{"evaluation.every_samples is 32" + ending};
        QTest::newRow("met by a whole last batch")
            << 40 << 10 << QStringList{"evaluation.every_samples is 40" + ending};
        QTest::newRow("passed by a whole last batch") << 39 << 10 << QStringList{};
        QTest::newRow("out of reach") << 1000 << 64 << QStringList{"evaluation.every_samples is 1000" + ending};
        QTest::newRow("only session ends wanted") << 0 << 64 << QStringList{};
    }
    void aStreamTooShortToBeEvaluatedOnTheWayIsNamed() {
        QFETCH(int, every);
        QFETCH(int, batch);
        QFETCH(QStringList, expected);
        const Labels labels = cyclicLabels(3, 30);
        const StreamPlan plan = planStream(labels, {3, 1, 100, 0, Partition::Stochastic, 1});
        Experiment experiment;
        experiment.evaluation.every_samples = every;
        experiment.training.batch_size = batch;
        QStringList found;
        for (const std::string& sentence : lintExperimentStream(experiment, plan, labels))
            found << QString::fromStdString(sentence);
        QCOMPARE(found, expected);
    }

    void aMemoryThatHoldsTheWholeStreamIsNamed_data() {
        QTest::addColumn<int>("places");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("none") << 0 << QStringList{};
        QTest::newRow("as many as images") << 30 << QStringList{};
        QTest::newRow("more") << 31
                              << QStringList{
                                     "memory.size is 31, but only 30 images come, so the memory keeps "
                                     "everything."};
    }
    void aMemoryThatHoldsTheWholeStreamIsNamed() {
        QFETCH(int, places);
        QFETCH(QStringList, expected);
        const Labels labels = cyclicLabels(3, 30);
        const StreamPlan plan = planStream(labels, {3, 1, 100, 0, Partition::Stochastic, 1});
        Experiment experiment;
        experiment.memory.size = places;
        QStringList found;
        for (const std::string& sentence : lintExperimentStream(experiment, plan, labels))
            found << QString::fromStdString(sentence);
        QCOMPARE(found, expected);
    }

    void sessionsThatAreHomeToNoClassAreNamed() {
        StreamPlan plan;
        plan.settings = {3, 3, 0, 50, Partition::Stochastic, 1};
        plan.blurry_count = 3;
        plan.disjoint_classes = {{}, {}, {}};
        plan.blurry_classes = {{0}, {2}, {1}};
        plan.sessions = {{0, 2}, {1}, {3}};
        QCOMPARE(
            sentences(plan, {0, 0, 1, 1}),
            (QStringList{
                "Session 2 is home to no class: it holds only scattered samples of classes at home in other sessions.",
                "Class 2 is in the class list but has no samples."}));
    }
};

PALIMPSEST_APPLESS_TEST(TestStreamLint)

}  // namespace tst_stream_lint

#include "tst_stream_lint.moc"
