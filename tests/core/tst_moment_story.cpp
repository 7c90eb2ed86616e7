// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <limits>

#include "engine/record/moment_story.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_moment_story {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Evaluations after 100, 200, ... images, each with the accuracies of classes 0, 1, ...
RunHistory historyOf(const std::vector<std::vector<double>>& evaluations) {
    RunHistory history;
    std::int64_t at = 0;
    for (const std::vector<double>& accuracies : evaluations) {
        at += 100;
        for (std::size_t i = 0; i < accuracies.size(); ++i)
            if (accuracies[i] == accuracies[i]) history.addClass(at, static_cast<std::int32_t>(i), accuracies[i]);
    }
    return history;
}

StoryFacts facts(std::optional<MaskKind> mask) {
    StoryFacts facts;
    facts.session_starts = {0, 150};
    facts.name = [](std::int32_t label) {
        return std::vector<std::string>{"dress", "sandal", "zebra", "tent", "cup"}[static_cast<std::size_t>(label)];
    };
    facts.mask = mask;
    return facts;
}

QString story(const RunHistory& history, std::int64_t at, std::optional<MaskKind> mask = std::nullopt) {
    return QString::fromStdString(momentStory(history, facts(mask), at));
}

}  // namespace

class TestMomentStory : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itBeginsWithTheFirstEvaluation() {
        const RunHistory history = historyOf({{0.5, 0.25}});
        QCOMPARE(story(history, 99), QString());
        QCOMPARE(story(history, 100), QString("Session 1, after 100 images: dress and sandal are new."));
        QCOMPARE(story(historyOf({}), 1000), QString());
        QCOMPARE(story(historyOf({{0.5}}), 100), QString("Session 1, after 100 images: dress is new."));
    }

    void theMaskIsThatOfTheEvaluationThatIsToldOf() {
        const RunHistory history = historyOf({{0.92, 0.5}, {0.40, 0.5}, {0.45, 0.1}});
        QCOMPARE(evaluationTold(history, 99), std::int64_t{0});
        QCOMPARE(evaluationTold(history, 299), std::int64_t{200});
        const OptionTable table(testCatalogue());
        RunRecord run;
        run.experiment = table.defaults();
        run.experiment.method.name = "dualprompt";
        run.experiment.mask.name = "batch";
        run.class_names = {"dress", "sandal"};
        run.state = RecordedState::Stopped;
        const auto told = [&](std::optional<std::int64_t> at) {
            return QString::fromStdString(momentStory(table, run, history, at));
        };
        QVERIFY2(told(200).contains("Under the batch mask"), qPrintable(told(200)));
        // A change after the evaluation explains nothing that it found.
        run.changes = {{"mask.name", "none", 220}};
        QVERIFY2(told(290).contains("Under the batch mask"), qPrintable(told(290)));
        QVERIFY2(told({}).contains("Without a mask"), qPrintable(told({})));
        // The mask before a fork is the parent's, which the fork does not record.
        run.changes.clear();
        run.forked_at = 220;
        QVERIFY2(told(200).contains("dress fell") && !told(200).contains("mask"), qPrintable(told(200)));
        QVERIFY2(told({}).contains("Under the batch mask"), qPrintable(told({})));
        run.forked_at = -1;
        run.state = RecordedState::Imported;
        QVERIFY2(!told({}).contains("mask"), qPrintable(told({})));
        QCOMPARE(momentStory(table, run, historyOf({}), {}), std::string());
    }

    void nothingIsClaimedOfAMaskThatAProgramOfOnesOwnIsOnlyTold() {
        const RunHistory history = historyOf({{0.92, 0.5}, {0.40, 0.5}});
        const OptionTable table(testCatalogue());
        RunRecord run;
        run.experiment = table.defaults();
        run.experiment.mask.name = "batch";
        run.class_names = {"dress", "sandal"};
        run.state = RecordedState::Stopped;
        const auto told = [&](const char* method) {
            run.experiment.method.name = method;
            return QString::fromStdString(momentStory(table, run, history));
        };
        QVERIFY2(told("linear-probe").contains("no absent class is pushed down"), qPrintable(told("linear-probe")));
        QVERIFY2(told("external").contains("dress fell") && !told("external").contains("mask"),
                 qPrintable(told("external")));
    }

    void itTellsWhatCameAndWhatFellMost() {
        const RunHistory history =
            historyOf({{0.92, 0.5, kNone, kNone, kNone}, {0.40, 0.35, 0.1, 0.9, 0.3}, {0.45, 0.3, 0.1, 0.9, 0.3}});
        QCOMPARE(story(history, 250, MaskKind::None),
                 QString("Session 2, after 200 images: 3 classes, among them zebra and tent, are new; dress fell most, "
                         "from 92 to 40 %, and 1 other by 10 points or more. Without a mask, each batch pushes down "
                         "every class that it does not hold."));
        QCOMPARE(story(history, 300, MaskKind::None),
                 QString("Session 2, after 300 images: no class fell by 10 points since 200."));
        // A moment before belongs to what was known then.
        QCOMPARE(story(history, 199, MaskKind::None),
                 QString("Session 1, after 100 images: dress and sandal are new."));
    }

    void whatPushedAClassDownIsToldWhereItIsKnown() {
        RunHistory history = historyOf({{0.92, 0.5}, {0.40, 0.5}});
        history.addPush(200, 0, -7.5, -12.44);
        history.addPush(200, 1, 30, 0);
        QCOMPARE(story(history, 200, MaskKind::None),
                 QString("Session 2, after 200 images: dress fell, from 92 to 40 %. Without a mask, batches without "
                         "dress have pushed it down since it was last learned (push −12.4)."));
        QVERIFY(story(history, 200, MaskKind::Seen).contains("Under the seen mask, batches without dress"));
        QVERIFY(story(history, 200, MaskKind::Batch).contains("no absent class is pushed down"));
        // Pushes under another mask are not credited to this one.
        StoryFacts changed = facts(MaskKind::None);
        changed.mask_changed = true;
        QVERIFY(QString::fromStdString(momentStory(history, changed, 200)).contains("each batch pushes down"));
        // A class that has only just been learned was not pushed down since.
        history = historyOf({{0.92, 0.5}, {0.40, 0.5}});
        history.addPush(200, 0, 3, 0);
        QVERIFY(story(history, 200, MaskKind::None).contains("each batch pushes down every class"));
    }

    void inANarrowPlaceTheReasonIsKept() {
        RunHistory history =
            historyOf({{0.92, 0.5, kNone, kNone, kNone}, {0.40, 0.35, 0.1, 0.9, 0.3}, {0.45, 0.3, 0.1, 0.9, 0.3}});
        history.addPush(200, 0, -7.5, -12.44);
        StoryFacts brief = facts(MaskKind::None);
        brief.brief = true;
        QCOMPARE(
            QString::fromStdString(momentStory(history, brief, 200)),
            QString("After 200 images: 3 classes are new; dress fell most, from 92 to 40 %. Without a mask, batches "
                    "without dress have pushed it down (push −12.4)."));
        QCOMPARE(QString::fromStdString(momentStory(history, brief, 300)),
                 QString("After 300 images: no class fell by 10 points since 200."));
    }

    void theEndOfASessionIsComparedWithWhatIsNotRightBeforeIt() {
        RunHistory history;
        const auto measured = [&](std::int64_t at, double dress) { history.addClass(at, 0, dress); };
        measured(100, 0.9);
        measured(200, 0.8);
        measured(290, 0.5);
        measured(300, 0.5);
        QCOMPARE(story(history, 290), QString("Session 2, after 290 images: dress fell, from 80 to 50 %."));
        QCOMPARE(story(history, 300), QString("Session 2, after 300 images: dress fell, from 80 to 50 %."));
    }

    void theEndOfTheStreamIsComparedWithTheBest() {
        StoryFacts given = facts(std::nullopt);
        given.total_samples = 300;
        const auto told = [&](const RunHistory& history, std::int64_t at) {
            return QString::fromStdString(momentStory(history, given, at));
        };
        const RunHistory history = historyOf({{0.9, 0.5, kNone}, {0.5, 0.6, 0.3}, {0.45, 0.6, 0.3}});
        QCOMPARE(told(history, 200),
                 QString("Session 2, after 200 images: zebra is new; dress fell, from 90 to 50 %."));
        QCOMPARE(told(history, 300),
                 QString("Session 2, after 300 images: 1 of 3 classes is 10 points or more below its best; "
                         "dress fell most, from 90 to 45 %."));
        QCOMPARE(told(historyOf({{0.5}, {0.5}, {0.55}}), 300),
                 QString("Session 2, after 300 images: no class is 10 points below its best."));
    }

    void theReasonIsThatOfTheMask_data() {
        QTest::addColumn<int>("mask");
        QTest::addColumn<bool>("features");
        QTest::addColumn<QString>("says");
        QTest::newRow("seen") << static_cast<int>(MaskKind::Seen) << true << "Under the seen mask, each batch pushes";
        QTest::newRow("session") << static_cast<int>(MaskKind::Session) << true << "classes of its session";
        QTest::newRow("learnable") << static_cast<int>(MaskKind::Learnable) << true << "decides how far";
        QTest::newRow("batch, prompts") << static_cast<int>(MaskKind::Batch) << true
                                        << "others rise past it, or its features move.";
        QTest::newRow("batch, a head alone") << static_cast<int>(MaskKind::Batch) << false << "others rise past it.";
        QTest::newRow("none that counts") << -1 << false << "fell, from 90 to 10 %.";
    }
    void theReasonIsThatOfTheMask() {
        QFETCH(int, mask);
        QFETCH(bool, features);
        QFETCH(QString, says);
        StoryFacts given = facts(mask < 0 ? std::nullopt : std::optional(static_cast<MaskKind>(mask)));
        given.features_learn = features;
        const QString words = QString::fromStdString(momentStory(historyOf({{0.9, 0.5}, {0.1, 0.5}}), given, 200));
        QVERIFY2(words.contains("dress fell, from 90 to 10 %.") && words.contains(says), qPrintable(words));
        QVERIFY2(mask >= 0 || words.endsWith(says), qPrintable(words));
    }

    void namesOfSeveralWordsAreMarked() {
        StoryFacts given = facts(std::nullopt);
        given.name = [](std::int32_t label) {
            return label == 0 ? std::string("paint and brush") : std::string("tent");
        };
        QCOMPARE(QString::fromStdString(momentStory(historyOf({{0.9, 0.5}, {0.1, 0.5}}), given, 200)),
                 QString("Session 2, after 200 images: “paint and brush” fell, from 90 to 10 %."));
        QCOMPARE(QString::fromStdString(momentStory(historyOf({{0.9, 0.5}}), given, 100)),
                 QString("Session 1, after 100 images: “paint and brush” and tent are new."));
    }

    void oneImageIsNoFall() {
        RunHistory history = historyOf({{0.6, 0.6}, {0.4, 0.4}});
        // Class 0 has five test images, so it fell by one; class 1 has ten.
        std::vector<std::int32_t> labels(15, 1);
        std::fill_n(labels.begin(), 5, 0);
        history.test_labels = std::make_shared<const std::vector<std::int32_t>>(labels);
        QCOMPARE(story(history, 200), QString("Session 2, after 200 images: sandal fell, from 60 to 40 %."));
    }

    void fewTestImagesAreToldInLargerSteps() {
        const auto told = [](int images, double now) {
            RunHistory history = historyOf({{0.9, 0.9, 0.9}, {now, now, 0.9}});
            std::vector<std::int32_t> labels;
            for (std::int32_t label = 0; label < 3; ++label)
                labels.insert(labels.end(), static_cast<std::size_t>(images), label);
            history.test_labels = std::make_shared<const std::vector<std::int32_t>>(labels);
            return story(history, 200);
        };
        QVERIFY2(told(10, 0.7).contains("and 1 other by 20 points or more."), qPrintable(told(10, 0.7)));
        QVERIFY2(told(10, 0.8).contains("no class fell by 20 points since 100."), qPrintable(told(10, 0.8)));
        QVERIFY2(told(30, 0.8).contains("and 1 other by 10 points or more."), qPrintable(told(30, 0.8)));
        QVERIFY2(told(15, 0.7).contains("and 1 other by 14 points or more."), qPrintable(told(15, 0.7)));
        QVERIFY2(told(1, 0.0).contains("no class fell by 100 points"), qPrintable(told(1, 0.0)));
        // Where classes differ in it, a fall of one image of a small class is no fall, and the sentence says by what.
        RunHistory history = historyOf({{0.9, 0.9, 0.9}, {0.6, 0.9, 0.9}});
        std::vector<std::int32_t> labels(43, 1);
        std::fill_n(labels.begin(), 20, 2);
        std::fill_n(labels.begin(), 3, 0);
        history.test_labels = std::make_shared<const std::vector<std::int32_t>>(labels);
        QVERIFY2(story(history, 200).contains("no class fell by 12 points and two test images since 100."),
                 qPrintable(story(history, 200)));
    }

    void aTenthIsAFall() {
        QVERIFY(story(historyOf({{0.7}, {0.6}}), 200).contains("dress fell, from 70 to 60 %."));
        QVERIFY(story(historyOf({{0.7}, {0.61}}), 200).contains("no class fell"));
    }
};

PALIMPSEST_APPLESS_TEST(TestMomentStory)

}  // namespace tst_moment_story

#include "tst_moment_story.moc"
