// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include "tests/support/cli_program.h"
#include "tests/support/test_program.h"

using namespace palimpsest::test;

namespace tst_cli_lesson {

class TestCliLesson : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    QString written(const QString& name, const QByteArray& text) const {
        const QString path = folder_.filePath(name);
        QFile file(path);
        [&] { QVERIFY(file.open(QIODevice::WriteOnly)); }();
        file.write(text);
        return path;
    }

    const QByteArray lesson_ =
        "title = \"Small\"\nsummary = \"Of one run.\"\nminutes = 1\n[set]\nstream.dataset = \"shapes\"\n"
        "stream.train_limit = 60\nstream.test_limit = 20\nbackbone.weights = \"random\"\n"
        "method.name = \"linear-probe\"\nevaluation.every_samples = 20\ndevice = \"cpu\"\n[[step]]\n"
        "heading = \"Run\"\ntext = \"Press **F5**.\"\nexperiment = { name = \"Small run\" }\n"
        "goal = 'finished and stream.dataset == \"shapes\"'\nhint = \"let it end.\"\n[[step]]\n"
        "heading = \"Two\"\ntext = \"Again.\"\ngoal = 'runs(finished) >= 2'\nhint = \"twice.\"\n";

private Q_SLOTS:
    void initTestCase() { QVERIFY2(QFile::exists(program()), "PALIMPSEST_CLI names no program"); }

    void theLessonsOfTheProgramAreListedShownAndSound() {
        const Outcome listed = call({"lesson", "list", "--json"});
        QCOMPARE(listed.code, 0);
        const QList<QJsonObject> lessons = jsonLines(listed.out);
        QCOMPARE(lessons.size(), 8);
        for (const QJsonObject& lesson : lessons) {
            QVERIFY(lesson["goals"].toInt() >= 2 && lesson["steps"].toInt() >= 4);
            const Outcome checked = call({"lesson", "check", lesson["file"].toString(), "--json"});
            QCOMPARE(checked.code, 0);
            const QJsonObject answer = jsonLines(checked.out).value(0);
            QVERIFY(answer["sound"].toBool() && answer["notes"].toArray().isEmpty());
        }
        const Outcome shown = call({"lesson", "show", "forgetting"});
        QCOMPARE(shown.code, 0);
        QVERIFY(shown.out.contains("1 of 6. Guess first") && shown.out.contains("Goal        guess_drawn"));
        QVERIFY(call({"lesson", "places"}).out.contains("startRun"));
    }

    void everyFaultIsSaidWithItsLine() {
        const QString bad = written("bad.toml", lesson_ + "[[step]]\nheading = \"x\"\ntext = \"y\"\ngaol = 'z'\n");
        const Outcome checked = call({"lesson", "check", bad});
        QCOMPARE(checked.code, 2);
        QVERIFY2(checked.out.contains("bad.toml, line 26: unknown key gaol. Did you mean goal"), checked.out);
        const Outcome missing = call({"lesson", "check", "forgeting"});
        QCOMPARE(missing.code, 2);
        QVERIFY2(missing.err.contains("Did you mean forgetting?"), missing.err);
    }

    void goalsAreJudgedByRunsOfAStepsExperiment() {
        const QString own = written("own.toml", lesson_);
        const Outcome before = call({"lesson", "goals", own, "--json"});
        QCOMPARE(before.code, 1);
        for (const QJsonObject& goal : jsonLines(before.out)) QVERIFY(!goal["met"].toBool());

        const Outcome printed = call({"lesson", "experiment", own, "1"});
        QCOMPARE(printed.code, 0);
        QCOMPARE(call({"lesson", "experiment", own, "2"}).code, 2);
        QCOMPARE(call({"lesson", "experiment", own, "3"}).code, 2);
        const QString experiment = written("step.toml", printed.out);
        const QString runs = folder_.filePath("runs");
        QVERIFY(QDir().mkpath(runs));
        QCOMPARE(call({"run", experiment, "--out", runs + "/one"}).code, 0);
        const Outcome after = call({"lesson", "goals", own, runs, "--json"});
        QCOMPARE(after.code, 1);
        const QList<QJsonObject> goals = jsonLines(after.out);
        QVERIFY(goals[0]["met"].toBool() && !goals[1]["met"].toBool());
        QCOMPARE(call({"run", experiment, "--out", runs + "/two"}).code, 0);
        const Outcome all = call({"lesson", "goals", own, runs});
        QCOMPARE(all.code, 0);
        QVERIFY(!all.out.contains("not met"));
    }
};

PALIMPSEST_GUILESS_TEST(TestCliLesson)

}  // namespace tst_cli_lesson

#include "tst_cli_lesson.moc"
