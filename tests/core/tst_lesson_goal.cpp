// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <random>

#include "engine/lesson/goal.h"
#include "engine/lesson/lesson_run.h"
#include "engine/metrics/metrics.h"
#include "engine/support/error.h"
#include "engine/support/text.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_lesson_goal {

namespace {

const OptionTable& table() {
    static const OptionTable t(testCatalogue());
    return t;
}

LessonRun runOf(const std::string& mask, std::int64_t seed, double area, double left) {
    LessonRun run;
    run.experiment = madeUpExperiment(mask, seed);
    run.samples = 600;
    run.sessions = 2;
    run.finished = true;
    run.accuracy = 0.5;
    run.a_auc = area;
    run.a_last = 0.4;
    run.forgetting = 0.2;
    run.retention = {{left, 0.9}, {0.8, 0.8}};
    return run;
}

LessonFacts facts() {
    return {{runOf("none", 1, 0.30, 0.1), runOf("batch", 1, 0.36, 0.6), runOf("batch", 2, 0.29, 0.7)}, false};
}

bool met(const std::string& goal, const LessonFacts& given = facts()) {
    return Goal::parse(table(), goal).met(given);
}

QString refusal(const std::string& goal) {
    try {
        Goal::parse(table(), goal);
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

/// A goal made at random, with its value by a plain rule of its own: 1 true, 0 false, -1 not known.
struct Made {
    std::string text;
    int value;
};

Made madeGoal(std::mt19937& draw, int depth) {
    const auto pick = [&](int most) { return static_cast<int>(draw() % static_cast<unsigned>(most)); };
    if (depth == 0 || pick(4) == 0) {
        // Sessions 1 and 2 are known, later ones are not.
        const int session = 1 + pick(3), bound = pick(101);
        const double left[] = {10, 80};
        const std::string text = "retention(" + std::to_string(session) + ") > " + std::to_string(bound);
        return {text, session > 2 ? -1 : left[session - 1] > bound};
    }
    if (pick(3) == 0) {
        const Made part = madeGoal(draw, depth - 1);
        return {"not (" + part.text + ")", part.value < 0 ? -1 : 1 - part.value};
    }
    const Made a = madeGoal(draw, depth - 1), b = madeGoal(draw, depth - 1);
    const bool all = pick(2) == 0;
    int value = 0;
    if (all)
        value = a.value == 0 || b.value == 0 ? 0 : (a.value < 0 || b.value < 0 ? -1 : 1);
    else
        value = a.value == 1 || b.value == 1 ? 1 : (a.value < 0 || b.value < 0 ? -1 : 0);
    return {"(" + a.text + (all ? " and " : " or ") + b.text + ")", value};
}

}  // namespace

class TestLessonGoal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aGoalHoldsForOneAndTheSameRun_data() {
        QTest::addColumn<QString>("goal");
        QTest::addColumn<bool>("holds");
        const auto row = [](const char* goal, bool holds) { QTest::newRow(goal) << QString(goal) << holds; };
        row("retention(1) > 50", true);
        row("retention(1) > 50 and mask.name == \"none\"", false);
        row("retention(1) > 50 and mask.name == \"batch\" and seed == 2", true);
        row("a_auc > 35 and seed == 2", false);
        row("fall(1) > 75", true);
        row("retention(3) > 0", false);
        row("not retention(3) > 0", false);
        row("retention(3) > 0 or finished", true);
        row("not finished", false);
        row("finished == true", true);
        row("guessed", false);
        row("not guessed", true);
        row("guess_drawn", false);
        row("mask.name != \"batch\"", true);
        row("memory.size == 0 and stream.sessions == 5", true);
        row("accuracy - a_last > 9.9", true);
        row("a_auc >= 30 and a_auc <= 30", true);
        row("samples == 600 and sessions == 2", true);
        row("forgetting < -1", false);
    }
    void aGoalHoldsForOneAndTheSameRun() {
        QFETCH(QString, goal);
        QFETCH(bool, holds);
        QCOMPARE(met(goal.toStdString()), holds);
    }

    void whatIsMoreThanTextIsRefused_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<int>("at");
        const auto row = [](const char* name, const QByteArray& text, int at) { QTest::newRow(name) << text << at; };
        row("escape sequence", "a\x1b[2Jb", 11);
        row("backspace", "\b", 10);
        row("delete", "a\x7f", 11);
        row("not UTF-8", "\xff", 10);
        row("C1 control", "\xc2\x9b", 10);
        row("direction of writing", "ab\xe2\x80\xae", 12);
        row("end of code", "a`b", 11);
        row("picture", "ab![x](file:///etc/passwd)", 12);
    }
    void whatIsMoreThanTextIsRefused() {
        QFETCH(QByteArray, name);
        QFETCH(int, at);
        const QString told = refusal("name == \"" + name.toStdString() + "\"");
        QVERIFY2(told.contains(QString("at character %1 of the goal").arg(at)), qPrintable(told));
        QVERIFY(isPlainLine(told.toStdString()));
    }

    void aGoalOfSeveralLinesIsShownInOne() {
        const Goal goal = Goal::parse(table(), "finished\n\tand seed == 2\r\n");
        QVERIFY(isPlainLine(goal.text()));
        QVERIFY(goal.met(facts()));
        // Names are written in every script.
        QCOMPARE(Goal::parse(table(), "name == \"Größe 数\"").text(), std::string("name == \"Größe 数\""));
    }

    void runsAreCompared_data() {
        QTest::addColumn<QString>("goal");
        QTest::addColumn<bool>("holds");
        const auto row = [](const char* goal, bool holds) { QTest::newRow(goal) << QString(goal) << holds; };
        row("best(a_auc, mask.name == \"batch\") > best(a_auc, mask.name == \"none\") + 5", true);
        row("worst(a_auc, mask.name == \"batch\") > best(a_auc, mask.name == \"none\")", false);
        row("mean(a_auc, mask.name == \"batch\") == 32.5", true);
        row("spread(a_auc) > 6.9", true);
        row("spread(a_auc, mask.name == \"none\") >= 0", false);  // of a single run
        row("runs() == 3", true);
        row("runs(mask.name == \"batch\" and finished) >= 2", true);
        row("seeds() == 2", true);
        row("seeds(mask.name == \"none\") == 2", false);
        row("best(a_auc, mask.name == \"seen\") > 0", false);
        row("not best(a_auc, mask.name == \"seen\") > 0", false);
    }
    void runsAreCompared() {
        QFETCH(QString, goal);
        QFETCH(bool, holds);
        QCOMPARE(met(goal.toStdString()), holds);
    }

    void nothingIsMetBeforeThereIsARun() {
        for (const char* goal : {"finished", "not finished", "retention(1) < 50", "not retention(1) > 50",
                                 "mask.name != \"none\"", "best(a_auc) < 100", "not seeds() >= 0"})
            QVERIFY2(!met(goal, {}), goal);
        QVERIFY(met("runs() == 0", {}));
        QVERIFY(met("guess_drawn", {{}, true}));
    }

    void everyFaultIsSaidWithItsPlace_data() {
        QTest::addColumn<QString>("goal");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* goal, const char* said) {
            QTest::newRow(goal) << QString(goal) << QString(said);
        };
        row("", "the goal ends too early, at character 1");
        row("retetion(1) > 50", "\"retetion\" (did you mean retention?), at character 1");
        row("mask.nme == \"none\"", "did you mean mask.name");
        row("finished and mask.name == \"bacth\"",
            "mask.name is never \"bacth\" (did you mean \"batch\"?), at character 14");
        row("a_auc = 3", "= must be written ==");
        row("a_auc > ", "the goal ends too early, at character 9");
        row("a_auc", "compared with something");
        row("a_auc > \"x\"", "a number cannot be compared with a text");
        row("mask.name > \"a\"", "only be compared by == and !=");
        row("finished > true", "only be compared by == and !=");
        row("(finished", ") is missing, at character 10");
        row("finished)", "\")\" is not expected");
        row("retention(0) > 1", "number of a session");
        row("retention(1.5) > 1", "number of a session");
        row("mask.name + 1 > 2", "only numbers");
        row("best(a_auc, best(a_auc) > 1) > 2", "cannot stand within");
        row("best(finished) > 2", "a number of each run");
        row("1.2.3 > a_auc", "1.2.3 is no number");
        row("mask.name == \"none", "has no end");
        row("a_auc > 5 ; x", "the character ; means nothing here");
    }
    void everyFaultIsSaidWithItsPlace() {
        QFETCH(QString, goal);
        QFETCH(QString, said);
        const QString told = refusal(goal.toStdString());
        QVERIFY2(told.contains(said), qPrintable(told));
    }

    void whatIsTooLargeIsRefused() {
        std::string deep = "finished";
        for (int i = 0; i < Goal::kDeepest; ++i) deep = "(" + deep + ")";
        QVERIFY(refusal(deep).isEmpty());
        QVERIFY(refusal("(" + deep + ")").contains("deep"));
        std::string nots;
        for (int i = 0; i <= Goal::kDeepest; ++i) nots += "not ";
        QVERIFY(refusal(nots + "finished").contains("deep"));
        QVERIFY(refusal(std::string(Goal::kLongest + 1, ' ')).contains("longer"));
        std::string many = "1";
        while (many.size() + 2 <= Goal::kLongest - 4) many += "+1";
        QVERIFY(refusal(many + " > 1").contains("more than 200 parts"));
        QVERIFY(refusal(std::string(500, '(')).contains("deep"));
    }

    void aGoalSaysWhatItsPartsSay() {
        std::mt19937 draw(20261128);
        const LessonRun run = runOf("none", 1, 0.3, 0.1);
        int holding = 0, asked = 0;
        for (int i = 0; i < 3000; ++i) {
            const Made made = madeGoal(draw, 4);
            if (made.text.size() > Goal::kLongest) continue;
            ++asked;
            const bool holds = met(made.text, {{run}, false});
            QVERIFY2(holds == (made.value == 1), made.text.c_str());
            // What is not met is not turned into a success where it is not known.
            QCOMPARE(met("not " + made.text, {{run}, false}), made.value == 0);
            holding += holds;
        }
        QVERIFY2(asked > 2000 && holding > asked / 5 && holding < asked * 4 / 5, "the goals differ");
    }

    void damagedGoalsAreReadOrRefused() {
        std::mt19937 draw(7);
        const std::string whole =
            "best(a_auc, mask.name == \"batch\" and not (seed >= 2)) - fall(1) > -3.5 or finished";
        for (int i = 0; i < 5000; ++i) {
            std::string text = whole;
            for (unsigned n = draw() % 4 + 1; n > 0; --n) {
                const std::size_t at = draw() % text.size();
                if (draw() % 2)
                    text.erase(at, 1 + draw() % 5);
                else
                    text.insert(at, 1, "()\"<>=.,+-& \n1ae"[draw() % 17]);
                if (text.empty()) break;
            }
            try {
                Goal::parse(table(), text).met(facts());
            } catch (const Error& error) {
                QVERIFY(isPlainLine(error.what()));
            }
        }
    }

    void aRunIsMeasuredAsItsSummaryIs() {
        const std::vector<AnytimePoint> anytime = {{100, 0, 0.8}, {200, 1, 0.4}};
        const std::vector<RetentionPoint> retention = {{0, 0, 0.9, 10}, {1, 0, 0.2, 10}, {1, 1, 0.7, 10},
                                                       {2, 0, 0.3, 10}, {2, 1, 0.5, 10}, {2, 2, 0, 0}};
        const LessonRun run = lessonRun(madeUpExperiment("none"), anytime, retention);
        QCOMPARE(run.samples, 200);
        QCOMPARE(run.sessions, 3);
        QCOMPARE(*run.accuracy, 0.4);
        QCOMPARE(*run.a_auc, 0.6);
        const RMatrix r = {{0.9, {}, {}}, {0.2, 0.7, {}}, {0.3, 0.5, {}}};
        QCOMPARE(run.a_last, lastAccuracy(r));
        QCOMPARE(run.forgetting, lastForgetting(r));
        QCOMPARE(*run.retention[0].now, 0.3);
        QCOMPARE(*run.retention[0].best, 0.9);
        QVERIFY(!run.retention[2].now);
        // Numbers of a hostile folder are bounded.
        const std::vector<RetentionPoint> wild = {{std::int64_t{1} << 60, 0, 0.9, 1}, {0, -5, 0.9, 1}, {0, 99, 0.9, 1}};
        QCOMPARE(lessonRun(madeUpExperiment("none"), {}, wild).sessions, 1);
    }
};

PALIMPSEST_APPLESS_TEST(TestLessonGoal)

}  // namespace tst_lesson_goal

#include "tst_lesson_goal.moc"
