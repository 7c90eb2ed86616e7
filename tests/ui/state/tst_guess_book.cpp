// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>

#include "tests/support/test_program.h"
#include "ui/state/guess_book.h"

using namespace palimpsest;

namespace tst_guess_book {

namespace {

using Points = std::vector<GuessPoint>;
constexpr auto kAnytime = GuessedCurve::Anytime, kRetention = GuessedCurve::Retention;

}  // namespace

class TestGuessBook : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aLineSetsEveryPlaceOnItsWay() {
        GuessBook book;
        book.setStream(4000, 5);
        book.draw(kRetention, {1.1, 0.9}, {4.9, 0.1});
        QCOMPARE(book.next().retention.size(), std::size_t(5));
        QCOMPARE(book.next().retention.front(), (GuessPoint{1, 0.9}));
        QCOMPARE(book.next().retention[2].accuracy, 0.5);
        QCOMPARE(book.next().retention.back(), (GuessPoint{5, 0.1}));
        // From right to left it is the same line.
        GuessBook other;
        other.setStream(4000, 5);
        other.draw(kRetention, {4.9, 0.1}, {1.1, 0.9});
        QCOMPARE(other.next().retention, book.next().retention);
        QVERIFY(book.next().anytime.empty());
    }

    void aClickMovesOnePlace() {
        GuessBook book;
        book.setStream(4000, 5);
        book.draw(kAnytime, {1020, 0.7}, {1020, 0.7});
        QCOMPARE(book.next().anytime, (Points{{1000, 0.7}}));
        book.draw(kAnytime, {960, 1.7}, {960, 1.7});
        QCOMPARE(book.next().anytime, (Points{{1000, 1}}));
        book.clearNext();
        QVERIFY(book.next().empty());
    }

    void strokesAreTakenBackOneByOne() {
        GuessBook book;
        book.setStream(4000, 5);
        book.setDrawing(true);
        QVERIFY(!book.canUndo());
        book.beginStroke();
        book.draw(kAnytime, {0, 0.5}, {1000, 0.5});
        book.draw(kAnytime, {1000, 0.5}, {2000, 0.9});
        const Guess first = book.next();
        book.beginStroke();
        book.draw(kRetention, {1, 0.3}, {2, 0.3});
        const Guess both = book.next();
        book.clearNext();
        QVERIFY(book.next().empty());
        book.undoStroke();
        QCOMPARE(book.next().retention, both.retention);
        book.undoStroke();
        QVERIFY(book.next().retention.empty());
        QCOMPARE(book.next().anytime, first.anytime);
        book.undoStroke();
        QVERIFY(book.next().empty() && !book.canUndo());
        // Strokes of one guess are not taken back in the next.
        book.beginStroke();
        book.draw(kRetention, {1, 0.3}, {2, 0.3});
        book.giveTo("/runs/a", 4000, 5);
        QVERIFY(!book.canUndo());
    }

    void withoutAStreamNothingIsDrawn() {
        GuessBook book;
        book.draw(kAnytime, {0, 0}, {100, 1});
        book.draw(kRetention, {0, 0}, {100, 1});
        QVERIFY(book.next().empty());
    }

    void aGuessIsStretchedToItsStream() {
        GuessBook book;
        book.setStream(4000, 5);
        book.setDrawing(true);
        book.draw(kAnytime, {0, 1}, {4000, 0});
        book.draw(kRetention, {1, 1}, {5, 0.2});
        book.setStream(8000, 5);
        QCOMPARE(book.next().anytime.back(), (GuessPoint{8000, 0}));
        QSignalSpy drawing(&book, &GuessBook::drawingChanged);
        const Guess given = book.giveTo("/runs/a", 1000, 3);
        QCOMPARE(given.anytime.size(), std::size_t(GuessBook::kSteps) + 1);
        QCOMPARE(given.anytime.back(), (GuessPoint{1000, 0}));
        QCOMPARE(given.retention.size(), std::size_t(3));
        QCOMPARE(book.of("/runs/a"), given);
        QVERIFY(book.next().empty());
        QVERIFY(!book.drawing());
        QCOMPARE(drawing.count(), 1);
        QVERIFY2(book.giveTo("/runs/a", 1000, 3).empty(), "it was given");
        QCOMPARE(book.of("/runs/a"), given);
    }

    void changesAreTold() {
        GuessBook book;
        QSignalSpy changed(&book, &GuessBook::changed);
        book.setStream(4000, 5);
        book.setStream(4000, 5);
        QCOMPARE(changed.count(), 1);
        book.set("/runs/a", {});
        QCOMPARE(changed.count(), 1);
        QVERIFY(book.knows("/runs/a"));
        book.set("/runs/a", {{{1, 0.5}}, {}});
        QCOMPARE(changed.count(), 2);
    }
};

PALIMPSEST_APPLESS_TEST(TestGuessBook)

}  // namespace tst_guess_book

#include "tst_guess_book.moc"
