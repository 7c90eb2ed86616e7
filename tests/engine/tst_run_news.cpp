// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_news.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <limits>

#include "engine/support/clock.h"

using namespace palimpsest;

namespace tst_run_news {

namespace {

using Labels = std::vector<std::int32_t>;

}  // namespace

class TestRunNews : public QObject {
    Q_OBJECT
    const Labels seen_{7, 3, 5};  // units 0, 1 and 2

private Q_SLOTS:
    void aBatchNamesTheClassesThatItsMaskLetThrough_data() {
        QTest::addColumn<bool>("unseen");
        QTest::newRow("none of those to come") << false;
        QTest::newRow("and one of those to come") << true;
    }
    void aBatchNamesTheClassesThatItsMaskLetThrough() {
        QFETCH(bool, unseen);
        const std::vector<bool> visible{true, false, true, false, unseen};
        const UpdateResult last{1.5, 0.25, {}};
        const std::vector<std::int64_t> samples{4, 9};
        const BatchLearned news = batchEvent(2, {6, 1, 48, samples, visible, last}, seen_);
        QCOMPARE(news.run, std::int64_t{2});
        QCOMPARE(news.batch, std::int64_t{6});
        QCOMPARE(news.session, std::int64_t{1});
        QCOMPARE(news.samples_seen, std::int64_t{48});
        QCOMPARE(news.loss, 1.5);
        QCOMPARE(news.accuracy, 0.25);
        QCOMPARE(news.seen_classes, seen_);
        QCOMPARE(news.visible_classes, (Labels{7, 5}));
        QCOMPARE(news.unseen_open, unseen);
    }

    void anEvaluationSpeaksOfRawLabels() {
        Evaluation evaluation;
        evaluation.accuracy = 0.5;
        evaluation.loss = 2;
        evaluation.units.resize(2);
        evaluation.units[1].correct = 1;
        evaluation.units[1].samples = 3;
        evaluation.samples = {0, 2, 3};
        evaluation.predictions = {1, 0, 9};
        const Evaluated news = evaluationEvent(evaluation, seen_, 5);
        QCOMPARE(news.accuracy, 0.5);
        QCOMPARE(news.loss, 2.0);
        QCOMPARE(news.classes.size(), std::size_t{2});
        QCOMPARE(news.classes[1].label, 3);
        QCOMPARE(news.classes[1].correct, std::int64_t{1});
        QCOMPARE(news.classes[1].samples, std::int64_t{3});
        // Output 9 belongs to no class yet; images 1 and 4 were not tested.
        QCOMPARE(*news.predictions, (Labels{3, kNotTested, 7, kNoClassYet, kNotTested}));
        QVERIFY(!evaluationEvent(evaluation, seen_, 0).predictions);
    }

    void theAnswerStandsFirstAmongTheMostProbableClasses() {
        Evaluation evaluation;
        evaluation.samples = {0, 2, 3};
        evaluation.predictions = {1, 0, 2};
        // All equal, as before anything is learned; the answer among them and not; a hidden unit last.
        evaluation.top_units = {2, 1, 9, 1, 9, 2, 2, 0, 1};
        evaluation.top_shares = {0.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.25F, 0.75F, 0.25F, 0.0F};
        const TestTopClasses top = evaluationEvent(evaluation, seen_, 4).top_classes;
        QCOMPARE(top->size(), std::size_t{4});
        QCOMPARE((*top)[0], (TopClasses{{{3, 0.25F}, {5, 0.25F}, {kNoClassYet, 0.25F}}}));
        QCOMPARE((*top)[1], TopClasses{});
        QCOMPARE((*top)[2], (TopClasses{{{7, 0.25F}, {3, 0.25F}, {kNoClassYet, 0.25F}}}));
        QCOMPARE((*top)[3], (TopClasses{{{5, 0.75F}, {7, 0.25F}, {}}}));
        // A network that has diverged still answers.
        evaluation.top_shares.assign(9, std::numeric_limits<float>::quiet_NaN());
        const TestTopClasses none = evaluationEvent(evaluation, seen_, 4).top_classes;
        QCOMPARE((*none)[0], (TopClasses{{{3, 0.0F}, {}, {}}}));
        QCOMPARE((*none)[3], (TopClasses{{{5, 0.0F}, {}, {}}}));
        evaluation.top_units.clear();
        QVERIFY(!evaluationEvent(evaluation, seen_, 4).top_classes);
    }

    void timesGoOnFromWhatLiesBehind() {
        RunClock clock;
        QCOMPARE(clock.training(), 0.0);
        clock.resumeFrom(1000, 8);
        QVERIFY(clock.active() >= 1000);
        QCOMPARE(clock.training(), 8.0);
        QCOMPARE(clock.imagesPerSecond(40), 5.0);
        QCOMPARE(clock.imagesPerSecond(0), 0.0);
        // The pause is longer than the whole elapsed time.
        clock.addPause(std::chrono::hours(1));
        QVERIFY(clock.active() < 1000);
    }
};

PALIMPSEST_APPLESS_TEST(TestRunNews)

}  // namespace tst_run_news

#include "tst_run_news.moc"
