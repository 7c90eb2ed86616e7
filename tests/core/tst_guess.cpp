// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <filesystem>

#include "engine/record/guess.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_guess {

namespace {

using Points = std::vector<GuessPoint>;

std::string refusalOf(const std::filesystem::path& run) {
    try {
        readGuess(run);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

}  // namespace

class TestGuess : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::filesystem::path folder() const { return folder_.path().toStdString(); }
    void write(const std::string& text) const { replaceTextFile(folder() / kGuessFile, text); }

private Q_SLOTS:
    void cleanup() { std::filesystem::remove(folder() / kGuessFile); }

    void whatIsWrittenIsRead() {
        QVERIFY2(readGuess(folder()).empty(), "without a file there is no guess");
        const Guess guess{{{0, 0.9}, {160, 0.1 + 0.2}, {6400, 0}}, {{1, 1}, {2, 0.25}}};
        writeGuess(folder(), guess);
        QCOMPARE(readGuess(folder()), guess);
        QCOMPARE(readTextFile(folder() / kGuessFile),
                 std::string("samples_seen,after_session,accuracy\n0,,0.9\n160,,0.30000000000000004\n6400,,0.0\n"
                             ",1,1.0\n,2,0.25\n"));
    }

    void theFirstGuessStays() {
        const Guess first{{{0, 0.9}}, {{1, 1}}}, later{{{0, 0.1}}, {}};
        QVERIFY(keepFirstGuess(folder(), first));
        QVERIFY(!keepFirstGuess(folder(), later));
        QCOMPARE(readGuess(folder()), first);
        write("rubbish\n");
        QVERIFY_THROWS_EXCEPTION(Error, keepFirstGuess(folder(), later));
        QCOMPARE(readTextFile(folder() / kGuessFile), std::string("rubbish\n"));
    }

    void rowsOfOthersMayStandInAnyOrder() {
        write("accuracy,samples_seen,after_session\n0.5,200,\n0.25,,2\n0.75,100,\n");
        QCOMPARE(readGuess(folder()), (Guess{{{100, 0.75}, {200, 0.5}}, {{2, 0.25}}}));
    }

    void whatIsNoGuessIsRefused_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("why");
        const QByteArray head = "samples_seen,after_session,accuracy\n";
        QTest::newRow("cut off") << head + "1,,0." << QByteArray("cut off");
        QTest::newRow("other columns") << QByteArray("a,b\n1,2\n") << QByteArray("no column");
        QTest::newRow("no place") << head + ",,0.5\n" << QByteArray("no place, or two");
        QTest::newRow("two places") << head + "1,1,0.5\n" << QByteArray("no place, or two");
        QTest::newRow("before the stream") << head + "-1,,0.5\n" << QByteArray("no place, or two");
        QTest::newRow("endless") << head + "inf,,0.5\n" << QByteArray("guess.csv");
        QTest::newRow("above 1") << head + "1,,50\n" << QByteArray("not from 0 to 1");
        QTest::newRow("no accuracy") << head + "1,,\n" << QByteArray("not from 0 to 1");
        QTest::newRow("words") << head + "1,,much\n" << QByteArray("line 2");
        QTest::newRow("very many") << head + QByteArray("1,,0.5\n").repeated(10'001) << QByteArray("more than 10,000");
        QTest::newRow("very long") << head + QByteArray("1,,0.5\n").repeated(200'000) << QByteArray("far too long");
    }
    void whatIsNoGuessIsRefused() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, why);
        write(text.toStdString());
        const std::string said = refusalOf(folder());
        QVERIFY2(said.find(why.toStdString()) != std::string::npos, said.c_str());
        QVERIFY2(said.find("..") == std::string::npos, said.c_str());
    }

    void aLinkIsNoGuess() {
        write("samples_seen,after_session,accuracy\n1,,0.5\n");
        std::filesystem::rename(folder() / kGuessFile, folder() / "elsewhere.csv");
        std::filesystem::create_symlink("elsewhere.csv", folder() / kGuessFile);
        QVERIFY(readGuess(folder()).empty());
        QVERIFY_THROWS_EXCEPTION(Error, writeGuess(folder(), {{{1, 0.1}}, {}}));
        QCOMPARE(readTextFile(folder() / "elsewhere.csv").size(), std::size_t(43));
    }

    void aGuessIsALineThroughItsPoints() {
        const Points points{{100, 0.8}, {200, 0.4}, {300, 0.4}};
        QCOMPARE(guessedAt(points, 100), std::optional(0.8));
        QVERIFY(std::abs(guessedAt(points, 150).value() - 0.6) < 1e-12);
        QCOMPARE(guessedAt(points, 300), std::optional(0.4));
        QCOMPARE(guessedAt(points, 99), std::nullopt);
        QCOMPARE(guessedAt(points, 301), std::nullopt);
        QCOMPARE(guessedAt({}, 100), std::nullopt);
    }

    void theScoreIsTheMeanDistance() {
        const Points guessed{{100, 0.8}, {300, 0.4}};
        const auto score = guessScore(guessed, {{50, 0.1}, {100, 0.7}, {200, 0.9}, {300, 0.4}, {400, 0}});
        QVERIFY(score);
        QCOMPARE(score->points, std::size_t(3));
        QVERIFY(std::abs(score->distance - 0.4 / 3) < 1e-12);
        QCOMPARE(score->farthest, (GuessPoint{200, 0.9}));
        QVERIFY(std::abs(score->expected - 0.6) < 1e-12);
        QVERIFY2(!guessScore(guessed, {{50, 0.1}}), "nothing was measured where something was guessed");
        QVERIFY(!guessScore({}, {{50, 0.1}}));
        QCOMPARE(guessSentence(GuessedCurve::Anytime, *score),
                 std::string("13.3 points off on average, most after 200 images: 60 % guessed, 90.0 % measured"));
        QCOMPARE(guessSentence(GuessedCurve::Retention, {0.1, 1, {2, 0.5}, 0.6}),
                 std::string("10.0 points off after session 2: 60 % guessed, 50.0 % measured"));
    }

    void onlySessionOneIsGuessed() {
        QCOMPARE(measuredRetention({{0, 0, 0.9, 10}, {1, 0, 0.5, 10}, {1, 1, 0.8, 10}, {2, 0, 0.1, 0}}),
                 (Points{{1, 0.9}, {2, 0.5}}));
    }

    void theTableComparesRuns() {
        const OptionTable table(testCatalogue());
        const std::filesystem::path path = folder() / "=cmd()";
        std::filesystem::rename(writeMadeUpRun(table, folder(), "batch"), path);
        const RunRecord record = readRun(table, path);
        const double place = static_cast<double>(record.anytime.front().samples_seen);
        writeGuess(path, {{{0, 0.25}, {1e6, 0.25}}, {}});
        const auto text = QString::fromStdString(guessTable(table, {path}));
        const QStringList lines = text.split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), std::ssize(record.anytime) + 1);
        const QStringList cells = lines[1].split(',');
        QCOMPARE(cells.size(), 8);
        QCOMPARE(cells[0], QString("'=cmd()"));
        QCOMPARE(cells[4].toDouble(), place);
        QCOMPARE(cells[5].toDouble(), 0.25);
        QCOMPARE(cells[6].toDouble(), record.anytime.front().accuracy);
        QCOMPARE(cells[7].toDouble(), std::abs(0.25 - record.anytime.front().accuracy));
        std::vector<std::string> unread;
        replaceTextFile(path / kGuessFile, "no table");
        QCOMPARE(guessTable(table, {path}, &unread).find('\n'), guessTable(table, {}).size() - 1);
        QCOMPARE(unread.size(), std::size_t(1));
    }
};

PALIMPSEST_APPLESS_TEST(TestGuess)

}  // namespace tst_guess

#include "tst_guess.moc"
