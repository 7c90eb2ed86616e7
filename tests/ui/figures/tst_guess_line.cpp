// SPDX-License-Identifier: GPL-3.0-or-later
#include <qcustomplot.h>

#include <QAction>
#include <QSignalSpy>
#include <QtTest>

#include "tests/support/made_up_runs.h"
#include "tests/support/plot_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/retention_plot.h"
#include "ui/state/guess_book.h"
#include "ui/state/run_set.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_guess_line {

namespace {

/// A figure and guesses for a stream of 6,000 images in five sessions.
template <class Plot>
struct GuessScene : PlotScene<Plot> {
    GuessScene() {
        book.setStream(6000, 5);
        this->plot.setGuesses(&book);
        draw(true);
    }
    void draw(bool drawing) {
        book.setDrawing(drawing);
        this->plot.drawNow();
    }
    QPoint pixel(double x, double percent) const {
        return QPointF(this->plot.canvas()->xAxis->coordToPixel(x), this->plot.canvas()->yAxis->coordToPixel(percent))
            .toPoint();
    }
    void drag(double x, double from, double to_x, double to) {
        QCustomPlot* canvas = this->plot.canvas();
        QTest::mousePress(canvas, Qt::LeftButton, {}, pixel(x, from));
        QTest::mouseMove(canvas, pixel((x + to_x) / 2, (from + to) / 2));
        QTest::mouseMove(canvas, pixel(to_x, to));
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, pixel(to_x, to));
        this->plot.drawNow();
    }
    /// Ends of curves with this text; of the guess.
    QString name() const {
        for (const QString& text : this->plot.decor().labelTexts())
            if (text.contains("guess")) return text;
        return {};
    }
    GuessBook book;
};

/// A figure as a pixel is high, in per cent.
constexpr double kNear = 1.2;

bool isNear(double fraction, double percent) {
    return std::abs(fraction * 100 - percent) < kNear;
}

}  // namespace

class TestGuessLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void theMouseDrawsRetention() {
        GuessScene<RetentionPlot> scene;
        QCOMPARE(scene.plot.canvas()->yAxis->range().upper, 100.0);
        QVERIFY(scene.plot.invitation().contains("session 1"));
        scene.drag(1, 90, 5, 10);
        const auto& points = scene.book.next().retention;
        QCOMPARE(points.size(), std::size_t(5));
        QVERIFY(isNear(points[0].accuracy, 90) && isNear(points[2].accuracy, 50) && isNear(points[4].accuracy, 10));
        QCOMPARE(scene.name(), QString("your guess"));
        // A second drag changes what it passes over alone.
        scene.drag(2, 20, 3, 20);
        QVERIFY(isNear(scene.book.next().retention[0].accuracy, 90));
        QVERIFY(isNear(scene.book.next().retention[1].accuracy, 20));
        QVERIFY(isNear(scene.book.next().retention[2].accuracy, 20));
        QVERIFY(isNear(scene.book.next().retention[3].accuracy, 30));
    }

    void theMouseDrawsAccuracy() {
        GuessScene<AccuracyPlot> scene;
        const QCPRange before = scene.plot.canvas()->xAxis->range();
        scene.drag(0, 80, 6000, 40);
        QCOMPARE(scene.book.next().anytime.size(), std::size_t(GuessBook::kSteps) + 1);
        QVERIFY(isNear(scene.book.next().anytime[20].accuracy, 60));
        QVERIFY2(scene.plot.canvas()->xAxis->range() == before, "a drag moves the figure at other times alone");
        // Beyond the figure it stays within 0 and 100 %.
        scene.drag(3000, 50, 6000, -40);
        QCOMPARE(scene.book.next().anytime.back().accuracy, 0.0);
    }

    void theKeyboardDrawsToo() {
        GuessScene<RetentionPlot> scene;
        QCustomPlot* canvas = scene.plot.canvas();
        scene.plot.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&scene.plot));
        canvas->setFocus();
        QTest::keyClick(canvas, Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(scene.book.next().retention, (std::vector<GuessPoint>{{1, 0.6}}));
        scene.plot.drawNow();
        QTest::keyClick(canvas, Qt::Key_Right, Qt::ShiftModifier);
        QTest::keyClick(canvas, Qt::Key_Down);
        QCOMPARE(scene.book.next().retention.size(), std::size_t(2));
        QVERIFY(isNear(scene.book.next().retention[1].accuracy, 59));
        scene.plot.drawNow();
        QVERIFY2(canvas->accessibleDescription().contains("Here 59.0 % after session 2. Your guess: 60.0 % after"),
                 qPrintable(canvas->accessibleDescription()));
        for (int k = 0; k < 20; ++k) QTest::keyClick(canvas, Qt::Key_Left, Qt::ShiftModifier);
        QTest::keyClick(canvas, Qt::Key_Down);
        QVERIFY(isNear(scene.book.next().retention[0].accuracy, 59));
    }

    void undoTakesStrokesBackAndLeavesTheWindowsUndoAlone() {
        GuessScene<RetentionPlot> scene;
        QAction undo;
        undo.setShortcut(QKeySequence::Undo);
        scene.plot.addAction(&undo);
        QSignalSpy others(&undo, &QAction::triggered);
        scene.plot.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&scene.plot));
        scene.plot.canvas()->setFocus();
        scene.drag(1, 80, 4, 40);
        const Guess first = scene.book.next();
        scene.drag(4, 40, 5, 10);
        QVERIFY(scene.book.next().retention != first.retention);
        QTest::keySequence(scene.plot.canvas(), QKeySequence::Undo);
        QCOMPARE(scene.book.next().retention, first.retention);
        QTest::keySequence(scene.plot.canvas(), QKeySequence::Undo);
        QVERIFY(scene.book.next().empty());
        QCOMPARE(others.count(), 0);
        // Nothing is left of the guess: it is the window's key again.
        QTest::keySequence(scene.plot.canvas(), QKeySequence::Undo);
        QCOMPARE(others.count(), 1);
    }

    void whatIsMeasuredIsComparedWithIt() {
        GuessScene<RetentionPlot> scene;
        scene.drag(1, 60, 5, 60);
        scene.book.giveTo("/runs/a", 6000, 5);
        scene.store.onStarted(madeUpStart(1, "/runs/a", "batch"));
        scene.plot.drawNow();
        QCOMPARE(scene.name(), QString("your guess"));
        // 90 and 88 % are 30 and 28 points above it.
        for (int session = 0; session < 2; ++session) scene.store.onSessionEnded(madeUpSessionEnd(1, session));
        scene.plot.drawNow();
        const QString off = scene.name().section(' ', 3, 3);
        QVERIFY2(isNear(off.toDouble() / 100, 29), qPrintable(scene.name()));
        QVERIFY(scene.plot.canvas()->accessibleDescription().contains("points off on average, most after session 1"));
        QTest::mouseClick(scene.plot.canvas(), Qt::LeftButton, {}, scene.pixel(2, 10));
        QVERIFY2(isNear(scene.book.of("/runs/a").retention[1].accuracy, 60), "it is not changed any more");
    }

    void theGuessIsTheSelectedRuns() {
        GuessScene<AccuracyPlot> scene;
        scene.draw(false);
        for (const char* run : {"/runs/a", "/runs/b"}) {
            scene.store.addRecord(madeUpRecord(run, "batch"));
            scene.store.setVisible(run, true);
        }
        scene.book.set("/runs/a", {{{0, 0.9}, {6000, 0.9}}, {}});
        scene.store.select("/runs/a");
        scene.plot.drawNow();
        QVERIFY(!scene.name().isEmpty());
        QCOMPARE(scene.plot.canvas()->yAxis->range().upper, 100.0);
        scene.store.select("/runs/b");
        scene.plot.drawNow();
        QVERIFY(scene.name().isEmpty());
        // While one is drawn for the next run, that of the selected run is not shown.
        scene.store.select("/runs/a");
        scene.draw(true);
        QVERIFY(scene.name().isEmpty());
    }

    void aGuessIsDrawnInAnEmptyFigure() {
        GuessScene<AccuracyPlot> scene;
        scene.book.setStream(3000, 5);
        scene.store.addRecord(madeUpRecord("/runs/a", "batch"));
        scene.store.select("/runs/a");
        scene.draw(false);
        QCustomPlot* canvas = scene.plot.canvas();
        const auto lines = [&] {
            int count = 0;
            for (int i = 0; i < canvas->graphCount(); ++i)
                count += canvas->graph(i)->dataCount() > 5 && canvas->graph(i)->lineStyle() != QCPGraph::lsNone;
            return count;
        };
        QVERIFY(lines() > 0);
        QCOMPARE(canvas->xAxis->range().upper, double(kImages));
        QVERIFY(!scene.plot.decor().labelTexts().empty());
        CurveCursor cursor;
        CurveOptions options;
        scene.plot.share(&cursor, &options);
        cursor.pin(2000);
        QVERIFY(scene.plot.readout());
        scene.draw(true);
        QCOMPARE(lines(), 0);
        QCOMPARE(canvas->xAxis->range().upper, 3000.0);
        QVERIFY(scene.plot.decor().labelTexts().empty());
        QVERIFY2(!scene.plot.readout(), "no values of a run that is not drawn");
        scene.draw(false);
        QVERIFY(lines() > 0);
        QCOMPARE(canvas->xAxis->range().upper, double(kImages));
        QVERIFY(scene.plot.readout());
    }

    void withoutGuessesTheFigureIsAsItWas() {
        PlotScene<RetentionPlot> plain;
        GuessScene<RetentionPlot> scene;
        scene.draw(false);
        for (RunSet* store : {&plain.store, &scene.store}) {
            store->addRecord(madeUpRecord("/runs/a", "batch"));
            store->setVisible("/runs/a", true);
        }
        plain.plot.drawNow();
        scene.plot.drawNow();
        QCOMPARE(scene.plot.canvas()->toPixmap().toImage(), plain.plot.canvas()->toPixmap().toImage());
    }
};

PALIMPSEST_TEST(TestGuessLine)

}  // namespace tst_guess_line

#include "tst_guess_line.moc"
