// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QtTest>

#include <QAbstractButton>
#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QTemporaryDir>

#include "engine/record/guess.h"
#include "engine/support/file_io.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/state/guess_book.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_guess_controller {

class TestGuessController : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    int rooms_ = 0;

    std::filesystem::path newRuns() {
        const QString path = folder_.filePath(QString::number(++rooms_));
        QDir().mkpath(path);
        return path.toStdString();
    }

    static std::unique_ptr<MainWindow> open(const ScriptedRun& script, const std::filesystem::path& runs) {
        auto window = std::make_unique<MainWindow>(script.laboratory(), runs);
        showActive(*window);
        return window;
    }

    static void guess(MainWindow& window) { QTest::keyClick(&window, Qt::Key_G, Qt::ControlModifier); }
    static GuessBook& book(const MainWindow& window) { return window.state().figures.guesses; }
    static QWidget* strip(const MainWindow& window) { return window.findChild<QWidget*>("guessStrip"); }
    static QAbstractButton* button(const MainWindow& window, const char* name) {
        return window.findChild<QAbstractButton*>(name);
    }

    /// Across the middle of both figures.
    static void drag(const MainWindow& window) {
        for (const char* name : {"anytimeCanvas", "retentionCanvas"}) {
            auto* canvas = window.findChild<QCustomPlot*>(name);
            const QRect rect = canvas->axisRect()->rect();
            QTest::mousePress(canvas, Qt::LeftButton, {}, rect.center() - QPoint(rect.width() / 2 - 1, 0));
            QTest::mouseMove(canvas, rect.center() + QPoint(rect.width() / 2 - 1, 0));
            QTest::mouseRelease(canvas, Qt::LeftButton, {}, rect.center() + QPoint(rect.width() / 2 - 1, 0));
        }
    }

    /// A window with one recorded run, which is selected; its folder.
    std::unique_ptr<MainWindow> withRun(const ScriptedRun& script, const std::filesystem::path& runs,
                                        const std::filesystem::path& run) {
        auto window = open(script, runs);
        [&] { QTRY_COMPARE(window->library()->rows().size(), std::size_t(1)); }();
        const QString id = QString::fromStdString(run.string());
        [&] { QTRY_VERIFY(window->library()->find(id)); }();
        window->curves()->addRecord(*window->library()->find(id));
        window->curves()->select(id);
        return window;
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void whatIsGuessedIsComparedWithTheRun() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        window->controller()->draft()->set("evaluation.every_samples", std::int64_t{60});
        QVERIFY(strip(*window)->isHidden());
        window->curvesView()->showPage(CurvesView::kLoss);
        guess(*window);
        QVERIFY(strip(*window)->isVisible());
        QCOMPARE(window->curvesView()->page(), CurvesView::kAccuracy);
        QVERIFY(window->action(Command::GuessFirst)->isChecked());
        QVERIFY2(!button(*window, "startGuessed")->isEnabled(), "nothing is guessed yet");
        QTRY_COMPARE(book(*window).images(), std::int64_t(600));
        drag(*window);
        QVERIFY(!book(*window).next().anytime.empty() && !book(*window).next().retention.empty());
        button(*window, "startGuessed")->click();
        QVERIFY(window->controller()->busy());
        script.allowAll();
        QTRY_VERIFY(strip(*window)->isHidden());
        QTRY_VERIFY(!window->controller()->busy());
        QTRY_VERIFY2(window->messages()->text().startsWith("Your guess of the accuracy was "),
                     qPrintable(window->messages()->text()));
        QVERIFY(window->messages()->hint().startsWith("Your guess of session 1 was "));
        const ShownRun* run = window->curves()->selected();
        QVERIFY(run && !book(*window).of(run->id).empty());
        // The next run has none.
        QTest::keyClick(window.get(), Qt::Key_F5);
        QTRY_VERIFY(!window->controller()->busy());
        QVERIFY(book(*window).of(window->curves()->selected()->id).empty());
    }

    void itCanBeClearedAndGivenUp() {
        ScriptedRun script;
        const auto window = open(script, newRuns());
        QTRY_COMPARE(book(*window).images(), std::int64_t(600));
        guess(*window);
        drag(*window);
        QVERIFY(button(*window, "clearGuess")->isEnabled());
        button(*window, "clearGuess")->click();
        QVERIFY(book(*window).next().empty() && book(*window).drawing());
        drag(*window);
        button(*window, "endGuess")->click();
        QVERIFY(book(*window).next().empty() && !book(*window).drawing());
        QVERIFY(strip(*window)->isHidden());
        guess(*window);
        guess(*window);
        QVERIFY(strip(*window)->isHidden());
    }

    void aReplayTakesItIntoTheRunsFolder() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(OptionTable(testCatalogue()), runs, "batch");
        const QString id = QString::fromStdString(run.string());
        const auto window = withRun(script, runs, run);
        guess(*window);
        drag(*window);
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        QTRY_VERIFY(QFile::exists(id + "/guess.csv"));
        QTRY_VERIFY(!book(*window).of(id).empty());
        const Guess guessed = book(*window).of(id);
        QCOMPARE(guessed.anytime.back().place, static_cast<double>(kImages));
        QCOMPARE(readGuess(run), guessed);
        window->stopAndClose();
        // A later guess, of somebody who knows what came, is compared and not kept.
        QTRY_VERIFY(window->action(Command::GuessFirst)->isEnabled());
        window->action(Command::GuessFirst)->trigger();
        QVERIFY(book(*window).drawing());
        drag(*window);
        QVERIFY(!book(*window).next().empty());
        window->action(Command::ReplayRun)->trigger();
        QTRY_VERIFY(!book(*window).drawing());
        QTRY_VERIFY2(window->messages()->text().startsWith("This run was guessed before."),
                     qPrintable(window->messages()->text()));
        QCOMPARE(readGuess(run), guessed);
        // It is there when the run is shown again.
        const auto other = withRun(script, runs, run);
        QTRY_COMPARE(book(*other).of(id), guessed);
    }

    void aGuessThatCannotBeReadIsSaid() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(OptionTable(testCatalogue()), runs, "batch");
        replaceTextFile(run / kGuessFile, "rubbish\n");
        const auto window = withRun(script, runs, run);
        QTRY_VERIFY2(window->messages()->text().startsWith("The guess in "), qPrintable(window->messages()->text()));
    }

    void allGuessesAreExported() {
        ScriptedRun script;
        const auto runs = newRuns();
        const auto run = writeMadeUpRun(OptionTable(testCatalogue()), runs, "batch");
        writeGuess(run, {{{0, 0.25}, {kImages, 0.25}}, {}});
        const auto window = withRun(script, runs, run);
        window->action(Command::ExportGuesses)->trigger();
        auto* dialog = window->findChild<QFileDialog*>("exportGuessesDialog");
        QVERIFY(dialog);
        const QString file = folder_.filePath("class.csv");
        Q_EMIT dialog->fileSelected(file);
        dialog->reject();
        QTRY_COMPARE(window->messages()->text(), QString("Saved class.csv"));
        QCOMPARE(readTextFile(file.toStdString()), guessTable(OptionTable(testCatalogue()), {run}));
        // Where it cannot be written, the reason is said.
        window->action(Command::ExportGuesses)->trigger();
        Q_EMIT window->findChild<QFileDialog*>("exportGuessesDialog")->fileSelected("/proc/none/class.csv");
        QTRY_VERIFY(window->messages()->text().contains("/proc/none"));
    }
};

PALIMPSEST_TEST(TestGuessController)

}  // namespace tst_guess_controller

#include "tst_guess_controller.moc"
