// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTextDocument>
#include <filesystem>

#include "engine/support/file_io.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/lessons/lesson_book.h"
#include "ui/lessons/lesson_panel.h"
#include "ui/lessons/point_frame.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_lesson_panel {

namespace {

const OptionTable& table() {
    static const OptionTable t(testCatalogue());
    return t;
}

const std::string kOwn =
    "title = \"Own\"\nsummary = \"Of one thing.\"\nminutes = 5\n[[step]]\nheading = \"First\"\ntext = \"Read "
    "[masks](masks.md#why) and [that](file:///etc/passwd).\"\nexperiment = {}\npoint = \"startRun\"\n[[step]]\nheading "
    "= \"Second\"\ntext = \"Run it.\"\ngoal = 'finished'\nhint = \"let it end.\"\n[[step]]\nheading = \"Third\"\ntext "
    "= "
    "\"Again.\"\ngoal = 'runs(finished) >= 2'\n";

ShelvedLesson shelved(const std::string& name = "own") {
    return {name, name + ".toml", true, std::make_shared<const Lesson>(parseLesson(table(), kOwn, "own.toml"))};
}

LessonFacts finishedRuns(int count) {
    LessonFacts facts;
    for (int i = 0; i < count; ++i) {
        LessonRun run;
        run.experiment = madeUpExperiment("none");
        run.finished = true;
        facts.runs.push_back(std::move(run));
    }
    return facts;
}

struct Scene {
    LessonBook book;
    LessonPanel panel{&book};

    Scene() {
        book.setLessons({shelved(), shelved("other")});
        panel.resize(300, 600);
        showActive(panel);
    }
    template <class Widget>
    Widget* find(const char* name) const {
        return panel.findChild<Widget*>(name);
    }
    QPushButton* button(const char* name) const { return find<QPushButton>(name); }
};

}  // namespace

class TestLessonPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void aLessonIsOpenedAndLeftFromTheKeyboard() {
        Scene scene;
        auto* list = scene.find<QListWidget>("lessonList");
        QCOMPARE(list->count(), 2);
        QVERIFY(scene.find<QLabel>("lessonAbout")->text().startsWith("Of one thing."));
        list->setFocus();
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(scene.book.current(), 1);
        QCOMPARE(scene.find<QStackedWidget>("lessonPages")->currentIndex(), 1);
        QVERIFY(scene.button("lessonForward")->hasFocus());
        QCOMPARE(scene.find<QLabel>("lessonHeading")->text(), QString("First"));
        QCOMPARE(scene.find<QLabel>("lessonPlace")->text(), QString("1 of 3"));
        scene.find<QAbstractButton>("lessonAll")->click();
        QCOMPARE(scene.book.current(), -1);
        QCOMPARE(scene.find<QStackedWidget>("lessonPages")->currentIndex(), 0);
    }

    void noGoalKeepsAnybodyFromTheNextStep() {
        Scene scene;
        scene.book.open(0);
        QVERIFY(!scene.button("lessonBack")->isEnabled());
        for (int step = 1; step < 3; ++step) {
            QVERIFY(scene.button("lessonForward")->isEnabled());
            scene.button("lessonForward")->click();
            QCOMPARE(scene.book.step(), step);
            QVERIFY(!scene.book.met(0, step));
        }
        QCOMPARE(scene.button("lessonForward")->text(), QString("All lessons"));
        scene.button("lessonBack")->click();
        QCOMPARE(scene.book.step(), 1);
        // A lesson goes on where it was left.
        scene.book.open(-1);
        scene.book.open(0);
        QCOMPARE(scene.book.step(), 1);
    }

    void buttonsStandWhereAStepHasSomethingForThem() {
        Scene scene;
        scene.book.open(0);
        QVERIFY(scene.button("lessonSetUp")->isVisible() && scene.button("lessonShow")->isVisible());
        QVERIFY(!scene.find<QWidget>("lessonGoal")->isVisible());
        QSignalSpy set(&scene.panel, &LessonPanel::setUpAsked), shown(&scene.panel, &LessonPanel::showAsked);
        scene.button("lessonSetUp")->click();
        scene.button("lessonShow")->click();
        QCOMPARE(set.size(), 1);
        QCOMPARE(shown.value(0).value(0).toString(), QString("startRun"));
        scene.book.go(1);
        QVERIFY(!scene.button("lessonSetUp")->isVisible() && !scene.button("lessonShow")->isVisible());
        QVERIFY(scene.find<QWidget>("lessonGoal")->isVisible());
    }

    void aReachedGoalIsTickedAndSaid() {
        Scene scene;
        QSignalSpy told(&scene.panel, &LessonPanel::told);
        scene.book.open(0);
        scene.book.go(1);
        auto* words = scene.find<QLabel>("lessonGoalWords");
        QCOMPARE(words->accessibleName(), QString("Goal, not reached yet"));
        scene.book.judge(finishedRuns(0));
        QCOMPARE(told.size(), 0);
        scene.book.judge(finishedRuns(1));
        QCOMPARE(told.size(), 1);
        QCOMPARE(told.front().front().toString(), QString("Goal reached"));
        QVERIFY(scene.book.met(0, 1) && !scene.book.met(0, 2) && !scene.book.finished(0));
        QCOMPARE(words->accessibleName(), QString("Goal reached"));
        QVERIFY2(words->text().contains("Reached") && words->text().contains("go on"), qPrintable(words->text()));
        // It stays reached, and is said once.
        scene.book.judge(finishedRuns(0));
        scene.book.judge(finishedRuns(1));
        QVERIFY(scene.book.met(0, 1));
        QCOMPARE(told.size(), 1);
        scene.book.judge(finishedRuns(2));
        QVERIFY(scene.book.finished(0) && !scene.book.waits());
        QCOMPARE(scene.find<QListWidget>("lessonList")->item(0)->data(Qt::AccessibleTextRole).toString(),
                 QString("Own, goals reached"));
    }

    /// Tips and Markdown could read files of this computer, or lead out of it.
    void wordsOfALessonAreNoHtml() {
        std::string toml = kOwn;
        toml.replace(toml.find("Of one thing."), 13, "<img src='file:///x'>");
        toml.replace(toml.find("finished'"), 9, "name == \"<b>x</b>\"'");
        toml.replace(toml.find("hint = \"let it end.\"\n"), 21, "");
        Scene scene;
        scene.book.setLessons(
            {{"own", "own.toml", true, std::make_shared<const Lesson>(parseLesson(table(), toml, "own.toml"))}});
        const QString summary = scene.find<QListWidget>("lessonList")->item(0)->toolTip();
        QVERIFY2(!summary.contains("<img") && summary.contains("&lt;img"), qPrintable(summary));
        scene.book.open(0);
        scene.book.go(1);
        auto* words = scene.find<QLabel>("lessonGoalWords");
        QVERIFY2(!words->toolTip().contains("<b>"), qPrintable(words->toolTip()));
        QTextDocument shown;
        shown.setHtml(words->text());
        QVERIFY2(shown.toPlainText().contains("name == \"<b>x</b>\""), qPrintable(words->text()));
    }

    void whatWasReachedIsRememberedAndForgotten() {
        LessonBook first;
        first.setLessons({shelved()});
        QSignalSpy kept(&first, &LessonBook::keptChanged);
        first.open(0);
        first.judge(finishedRuns(2));
        QCOMPARE(kept.size(), 1);
        LessonBook later;
        later.setLessons({shelved()});
        later.recall(first.kept());
        QVERIFY(later.finished(0));
        later.open(0);
        later.go(2);
        later.forget();
        QVERIFY(!later.finished(0) && !later.met(0, 1));
        QCOMPARE(later.step(), 0);
        QVERIFY(later.kept().isEmpty());
    }

    void onlyPagesOfTheGuideAreFollowed() {
        Scene scene;
        scene.book.open(0);
        QSignalSpy asked(&scene.panel, &LessonPanel::pageAsked);
        auto* text = scene.find<QLabel>("lessonText");
        Q_EMIT text->linkActivated("file:///etc/passwd");
        Q_EMIT text->linkActivated("../../x.md");
        QCOMPARE(asked.size(), 0);
        Q_EMIT text->linkActivated("masks.md#why");
        QCOMPARE(asked.value(0).value(0).toString(), QString("masks"));
        QCOMPARE(asked.value(0).value(1).toString(), QString("why"));
        QVERIFY(!text->openExternalLinks());
    }

    void nothingIsCutInANarrowPanelOrLargeText_data() {
        QTest::addColumn<int>("size");
        QTest::addColumn<int>("appearance");
        for (const TextSize size : {TextSize::Normal, TextSize::Large, TextSize::VeryLarge})
            for (const Appearance appearance : {Appearance::Dark, Appearance::Light, Appearance::Projector})
                QTest::addRow("%d, %d", int(size), int(appearance)) << int(size) << int(appearance);
    }
    void nothingIsCutInANarrowPanelOrLargeText() {
        QFETCH(int, size);
        QFETCH(int, appearance);
        Scene scene;
        applyAppearance(*qApp, static_cast<Appearance>(appearance));
        applyTextSize(*qApp, static_cast<TextSize>(size));
        scene.panel.resize(scene.panel.minimumSizeHint().width(), 600);
        for (int step = 0; step < 3; ++step) {
            scene.book.open(0);
            scene.book.go(step);
            QCoreApplication::processEvents();
            for (QAbstractButton* each : scene.panel.findChildren<QAbstractButton*>()) {
                if (!each->isVisible()) continue;
                const QRect place(each->mapTo(&scene.panel, QPoint(0, 0)), each->size());
                QVERIFY2(place.left() >= 0 && place.right() < scene.panel.width(), qPrintable(each->objectName()));
                QVERIFY2(each->width() >= each->sizeHint().width(), qPrintable(each->objectName()));
            }
        }
        applyAppearance(*qApp, Appearance::Dark);
    }

    void aFrameLiesAroundAWidgetForAMoment() {
        Scene scene;
        scene.book.open(0);
        QCoreApplication::processEvents();
        auto* target = scene.button("lessonForward");
        PointFrame::show(target);
        PointFrame::show(target);
        const auto frames = scene.panel.findChildren<PointFrame*>();
        QCOMPARE(frames.size(), 1);
        QVERIFY(frames.front()->isVisible() && frames.front()->testAttribute(Qt::WA_TransparentForMouseEvents));
        const QRect framed(target->mapTo(&scene.panel, QPoint(0, 0)), target->size());
        QVERIFY(frames.front()->geometry().contains(framed.intersected(scene.panel.rect())));
        QTRY_VERIFY(scene.panel.findChildren<PointFrame*>().isEmpty());
    }

    void aFileWithAFaultKeepsNoOtherFromTheShelf() {
        QTemporaryDir folder;
        const std::filesystem::path place = folder.path().toStdString();
        replaceTextFile(place / "good.toml", kOwn);
        replaceTextFile(place / "bad.toml", "title = 3\n");
        replaceTextFile(place / "notes.txt", "no lesson\n");
        const LessonShelf shelf = readShelf(table(), place, {});
        QVERIFY(std::ranges::any_of(shelf.lessons,
                                    [](const ShelvedLesson& each) { return each.own && each.name == "good"; }));
        QVERIFY(std::ranges::any_of(shelf.faults, [](const std::string& fault) {
            return fault.find("bad.toml, line 1: title must be a line") != std::string::npos;
        }));
    }
};

PALIMPSEST_TEST(TestLessonPanel)

}  // namespace tst_lesson_panel

#include "tst_lesson_panel.moc"
