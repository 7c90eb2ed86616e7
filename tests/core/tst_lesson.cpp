// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <filesystem>

#include "engine/lesson/lesson.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_lesson {

namespace {

const OptionTable& table() {
    static const OptionTable t(testCatalogue());
    return t;
}

const std::string kHead = "title = \"A lesson\"\nsummary = \"Of one thing.\"\nminutes = 5\n";
const std::string kStep = "[[step]]\nheading = \"Look\"\ntext = \"Look at it.\"\n";

Lesson parsed(const std::string& toml) {
    return parseLesson(table(), toml, "own.toml");
}

QString refusal(const std::string& toml) {
    try {
        parsed(toml);
    } catch (const Error& error) {
        return QString::fromStdString(error.what());
    }
    return {};
}

}  // namespace

class TestLesson : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLessonIsRead() {
        const Lesson lesson = parsed(
            kHead + "base = \"no-mask\"\n[set]\nseed = 4\nstream.sessions = 3\n\"method.name\" = \"er\"\n" + kStep +
            "point = \"startRun\"\nexperiment = { name = \"Mine\", \"memory.size\" = 20 }\ngoal = 'finished'\nhint = "
            "\"let it end.\"\n" +
            kStep + "point = \"mask.name\"\n");
        QCOMPARE(lesson.title, std::string("A lesson"));
        QCOMPARE(lesson.minutes, 5);
        QCOMPARE(lesson.steps.size(), std::size_t(2));
        QCOMPARE(lesson.goals(), std::size_t(1));
        const LessonStep& first = lesson.steps[0];
        QVERIFY(first.experiment && first.goal);
        QCOMPARE(first.line, 9U);
        QCOMPARE(first.experiment->name, std::string("Mine"));
        QCOMPARE(first.experiment->seed, 4);
        QCOMPARE(first.experiment->stream.sessions, 3);
        QCOMPARE(first.experiment->memory.size, 20);
        QCOMPARE(first.experiment->mask.name, std::string("none"));  // of the preset
        QCOMPARE(first.goal->text(), std::string("finished"));
        QVERIFY(!lesson.steps[1].experiment && !lesson.steps[1].goal);
        QCOMPARE(lesson.steps[1].point, std::string("mask.name"));
        QVERIFY(lessonNotes(lesson).empty());
    }

    void everyFaultIsSaidWithItsLine_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("said");
        const auto row = [](const char* name, const std::string& toml, const char* said) {
            QTest::newRow(name) << QString::fromStdString(toml) << QString(said);
        };
        row("no TOML", "title = ", "own.toml, line 1, column");
        row("no title", "summary = \"x\"\nminutes = 1\n" + kStep, "line 1: there is no title");
        row("unknown key", kHead + "sumary = \"x\"\n" + kStep, "line 4: unknown key sumary. Did you mean summary");
        row("minutes", "title = \"x\"\nsummary = \"x\"\nminutes = 0\n" + kStep, "line 3: minutes must be");
        row("no steps", kHead, "there are no steps");
        row("steps that are none", kHead + "step = [1]\n", "there are no steps");
        row("no text", kHead + "[[step]]\nheading = \"x\"\n", "line 4: a step has no text");
        row("key of a step", kHead + kStep + "gaol = 'finished'\n", "line 7: unknown key gaol. Did you mean goal");
        row("goal", kHead + kStep + "goal = 'retetion(1) > 5'\n",
            "line 7: goal: there is no quantity or option \"retetion\" (did you mean retention?)");
        row("point", kHead + kStep + "point = \"startRnu\"\n",
            "line 7: point: there is no place, command or option "
            "\"startRnu\". Did you mean startRun");
        row("option", kHead + kStep + "experiment = { \"mask.nme\" = \"none\" }\n",
            "line 7: experiment: unknown option mask.nme. Did you mean mask.name");
        row("value", kHead + kStep + "experiment = { \"mask.name\" = \"no\" }\n", "line 7: experiment: mask.name");
        row("not together", kHead + kStep + "experiment = { \"stream.partition\" = \"imported\" }\n",
            "line 7: experiment: ");
        row("list", kHead + "set = [1]\n" + kStep, "set must be a table of options");
        row("base", kHead + "base = \"../../../etc/passwd\"\n" + kStep, "line 4: base must be the name of a preset");
        row("picture", kHead + "[[step]]\nheading = \"x\"\ntext = \"![x](/dev/zero)\"\n",
            "text may hold neither pictures nor HTML");
        row("HTML", kHead + "[[step]]\nheading = \"x\"\ntext = \"<img src='x'>\"\n", "neither pictures nor HTML");
        row("control", kHead + "[[step]]\nheading = \"x\"\ntext = \"a\\u0007b\"\n", "cannot be shown");
        row("escape of a goal", kHead + kStep + "goal = \"name == \\\"a\\u001b[2J\\\"\"\n",
            "line 7: goal: the goal holds characters that cannot be shown");
        row("two lines", "title = \"a\\nb\"\nsummary = \"x\"\nminutes = 1\n" + kStep, "line 1: title must be a line");
    }
    void everyFaultIsSaidWithItsLine() {
        QFETCH(QString, toml);
        QFETCH(QString, said);
        const QString told = refusal(toml.toStdString());
        QVERIFY2(told.contains(said), qPrintable(told));
    }

    void allFaultsAreSaidAtOnce() {
        const QString told = refusal(kHead + kStep + "goal = 'x'\npoint = \"y\"\n" + kStep + "hnit = \"z\"\n");
        QVERIFY2(told.contains("line 7") && told.contains("line 8") && told.contains("line 12"), qPrintable(told));
    }

    void whatIsTooLargeIsRefused() {
        QTemporaryDir folder;
        const std::filesystem::path file = std::filesystem::path(folder.path().toStdString()) / "large.toml";
        replaceTextFile(file, kHead + "#" + std::string(lesson_limit::kBytes, 'x') + "\n" + kStep);
        QVERIFY_THROWS_EXCEPTION(Error, readLesson(table(), file));
        std::string many = kHead;
        for (std::size_t i = 0; i <= lesson_limit::kSteps; ++i) many += kStep;
        QVERIFY(refusal(many).contains("more than 30 steps"));
        const std::string text(lesson_limit::kText + 1, 'x');
        QVERIFY(refusal(kHead + "[[step]]\nheading = \"x\"\ntext = \"" + text + "\"\n").contains("longer than"));
        std::string options = "experiment = { ";
        for (std::size_t i = 0; i <= lesson_limit::kSettings; ++i)
            options += (i ? ", " : "") + ("\"x" + std::to_string(i) + "\" = 1");
        QVERIFY(refusal(kHead + kStep + options + " }\n").contains("more than 100 options"));
    }

    void whatMakesALessonHardToFollowIsNoted() {
        std::string words;
        for (int i = 0; i < 81; ++i) words += "word ";
        const auto notes =
            lessonNotes(parsed(kHead + "[[step]]\nheading = \"Long\"\ntext = \"" + words + "\"\nhint = \"x\"\n"));
        QCOMPARE(notes.size(), std::size_t(3));
        QVERIFY(notes[0].starts_with("line 4: \"Long\" has 81 words"));
        QVERIFY(notes[1].find("hint") != std::string::npos);
        QVERIFY(notes[2].find("never finished") != std::string::npos);
    }

    void lessonsAreFoundByTheirNames() {
        QCOMPARE(lessonFiles().size(), std::size_t(8));
        QCOMPARE(findLesson("forgetting").filename(), std::filesystem::path("2-forgetting.toml"));
        QCOMPARE(findLesson("2-forgetting"), findLesson("forgetting"));
        try {
            findLesson("forgeting");
            QFAIL("it was found");
        } catch (const Error& error) {
            QVERIFY(QString::fromStdString(error.hint()).contains("Did you mean forgetting?"));
        }
        QVERIFY(lessonFiles("/nowhere/at/all").empty());
    }
};

PALIMPSEST_APPLESS_TEST(TestLesson)

}  // namespace tst_lesson

#include "tst_lesson.moc"
