// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <filesystem>

#include "engine/record/watched.h"
#include "engine/run/run_events.h"
#include "engine/support/file_io.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_watched {

class TestWatched : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::vector<WatchedImage> read(const std::string& rows) const {
        const std::filesystem::path run = folder_.path().toStdString();
        replaceTextFile(run / kWatchedFile, std::string(kWatchedHeader) + "\n" + rows);
        return readWatched(run);
    }

private Q_SLOTS:
    void imagesAndMomentsAreRead() {
        QVERIFY(readWatched(folder_.path().toStdString()).empty());
        const auto images = read(
            "40,100,10,0.2\n40,100,3,0.7\n40,100,,0.05\n40,101,11,0.9\n40,101,10,0.1\n"
            "80,100,10,0.8\n80,100,3,0.1\n");
        QCOMPARE(images.size(), std::size_t(2));
        QCOMPARE(images[0].label, 10);
        QCOMPARE(images[0].moments.size(), std::size_t(2));
        QCOMPARE(images[0].moments[0].shares[2], (WatchedShare{100, kNoClassYet, 0.05}));
        QVERIFY(!images[0].moments[0].recognised() && images[0].moments[1].recognised());
        QCOMPARE(images[0].moments[0].best().label, 3);
        QCOMPARE(images[1].label, 11);
        QCOMPARE(images[0].momentUpTo(39), std::size_t(2));
        QCOMPARE(images[0].momentUpTo(79), std::size_t(0));
        QCOMPARE(images[0].momentUpTo(800), std::size_t(1));
    }

    void forgettingBeginsWhereItWasLastRight() {
        const auto images = read(
            "10,0,5,0.1\n10,0,1,0.8\n20,0,5,0.9\n20,0,1,0.1\n30,0,5,0.4\n30,0,1,0.5\n40,0,5,0.2\n40,0,2,0.7\n"
            "50,0,5,0.6\n50,0,2,0.3\n");
        const WatchedImage& image = images.at(0);
        const std::size_t none = image.moments.size();
        QCOMPARE(image.forgottenSince(0), none);  // it was never right before
        QCOMPARE(image.forgottenSince(1), none);
        QCOMPARE(image.forgottenSince(2), std::size_t(2));
        QCOMPARE(image.forgottenSince(3), std::size_t(2));
        QCOMPARE(image.forgottenSince(4), none);
        QCOMPARE(image.forgottenSince(99), none);
    }

    void aMomentThatIsEvaluatedTwiceGetsTheRowsThatItLacks_data() {
        QTest::addColumn<bool>("resumed");
        QTest::newRow("in one go") << false;
        QTest::newRow("resumed in between") << true;
    }
    void aMomentThatIsEvaluatedTwiceGetsTheRowsThatItLacks() {
        QFETCH(bool, resumed);
        const OptionTable table{testCatalogue()};
        const std::filesystem::path run = folder_.filePath(resumed ? "resumed" : "one").toStdString();
        auto writer = RunFolderWriter::createExact(table, madeUpExperiment("batch"), run);
        writer->onStarted(madeUpStart(1, run.string(), "batch"));
        const WatchedShare one{7, 3, 0.5}, two{8, 4, 0.25};
        writer->recordWatched(100, {one});
        writer->onEvaluated(madeUpEvaluation(1, 100, 0.5));
        if (resumed) {
            const FolderPosition mark = writer->mark();
            writer.reset();
            writer = RunFolderWriter::reopen(table, run, mark);
        }
        // The end of a session, on the whole test set.
        writer->recordWatched(100, {one, two});
        writer->onEvaluated(madeUpEvaluation(1, 100, 0.5, EvaluationKind::SessionEnd));
        writer->recordWatched(200, {one, two});
        const std::vector<WatchedImage> images = readWatched(run);
        QCOMPARE(images.size(), std::size_t{2});
        for (const WatchedImage& image : images) {
            QCOMPARE(image.moments.size(), std::size_t{2});
            for (const WatchedMoment& moment : image.moments) QCOMPARE(moment.shares.size(), std::size_t{1});
        }
    }

    void rubbishIsLeftOut() {
        QVERIFY(read("x,y,z,1\n-1,0,1,0.5\n10,-2,1,0.5\n10,0,1,2\n10,0,-7,0.5\n10,0,1.5,0.5\n10,0,,0.5\n").empty());
        std::string many;
        for (int i = 0; i < 1000; ++i) many += "10," + std::to_string(i) + ",1,0.5\n";
        QCOMPARE(read(many).size(), std::size_t{16});
        many.clear();
        for (int i = 0; i < 1000; ++i) many += "10,0," + std::to_string(i) + ",0.0005\n";
        QCOMPARE(read(many).at(0).moments.at(0).shares.size(), std::size_t{4});
        // However many moments a stranger's file has.
        many.clear();
        for (std::size_t i = 0; i < kMostWatchedRows + 1000; ++i) many += std::to_string(i) + ",0,1,1\n";
        QCOMPARE(read(many).at(0).moments.size(), kMostWatchedRows);
        // Backwards in time.
        QCOMPARE(read("20,0,1,0.5\n10,0,1,0.7\n").at(0).moments.size(), std::size_t(1));
    }
};

PALIMPSEST_APPLESS_TEST(TestWatched)

}  // namespace tst_watched

#include "tst_watched.moc"
