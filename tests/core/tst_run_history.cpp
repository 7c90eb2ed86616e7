// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QTemporaryDir>

#include "engine/record/image_lives.h"
#include "engine/record/predictions.h"
#include "engine/record/run_history.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/measured_run.h"
#include "tests/support/same_history.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_history {

class TestRunHistory : public QObject {
    Q_OBJECT
private:
    QTemporaryDir folder_;

    std::filesystem::path place(const char* name) const {
        return folder_.path().toStdString() + std::string("/") + name;
    }

private Q_SLOTS:
    void aListOfClassesIsReadBackAsItWasWritten_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("bytes");
        QTest::newRow("a byte each") << 10 << 1;
        QTest::newRow("the most of a byte") << 254 << 1;
        QTest::newRow("two bytes each") << 255 << 2;
        QTest::newRow("the most of two") << 65534 << 2;
    }
    void aListOfClassesIsReadBackAsItWasWritten() {
        QFETCH(int, classes);
        QFETCH(int, bytes);
        const std::vector<std::int32_t> list{0, kNotTested, classes - 1, kNoClassYet, 3};
        const std::string text = formatClassList(list, static_cast<std::size_t>(classes));
        QCOMPARE(static_cast<int>(text.size() % 64), 5 * bytes % 64);
        replaceTextFile(place("list.npy"), text);
        QCOMPARE(readClassList(place("list.npy")), list);
    }

    void moreClassesThanTwoBytesTellApartAreNotWritten() {
        QVERIFY(fitsClassList(65534));
        QVERIFY(!fitsClassList(65535));
        QVERIFY(!fitsClassList(0));
    }

    void mostProbableClassesAreReadBackAsTheyWereWritten_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<double>("nearest");
        QTest::newRow("a byte each") << 10 << 0.5 / 255;
        QTest::newRow("two bytes each") << 300 << 0.5 / 65535;
    }
    void mostProbableClassesAreReadBackAsTheyWereWritten() {
        QFETCH(int, classes);
        QFETCH(double, nearest);
        const std::vector<TopClasses> images{
            {{{classes - 1, 0.625f}, {0, 0.25f}, {kNoClassYet, 0.0625f}}}, {{{2, 1.0f}, {}, {}}}, {}};
        replaceTextFile(place("top.npy"), formatTopClasses(images, static_cast<std::size_t>(classes)));
        const std::vector<TopClasses> read = readTopClasses(place("top.npy"));
        QCOMPARE(read.size(), images.size());
        for (std::size_t image = 0; image < images.size(); ++image)
            for (std::size_t i = 0; i < kTopClasses; ++i) {
                QCOMPARE(read[image][i].label, images[image][i].label);
                QVERIFY(std::abs(read[image][i].share - images[image][i].share) <= nearest + 1e-7);
            }
    }

    void aListIsNotTakenForMostProbableClassesNorTheOtherWayRound() {
        replaceTextFile(place("list.npy"), formatClassList(std::vector<std::int32_t>(12, 1), 10));
        QVERIFY_EXCEPTION_THROWN(readTopClasses(place("list.npy")), Error);
        replaceTextFile(place("top.npy"), formatTopClasses(std::vector<TopClasses>(2), 10));
        QVERIFY_EXCEPTION_THROWN(readClassList(place("top.npy")), Error);
    }

    void topClassesOfImagesAreThoseOfTheirMoments() {
        const std::filesystem::path run = place("a run");
        std::filesystem::create_directories(predictionsFolder(run));
        const auto planted = [](std::int32_t label) { return TopClasses{{{label, 1.0f}, {}, {}}}; };
        replaceTextFile(topClassesFile(run, 100), formatTopClasses({planted(0), planted(1), planted(2)}, 10));
        replaceTextFile(topClassesFile(run, 300), formatTopClasses({planted(3), planted(4), planted(5)}, 10));
        replaceTextFile(topClassesFile(run, 400), "not one");
        const ImageTopClasses found = readTopClassesOf(run, {100, 200, 300, 400}, {2, 0, 7});
        QCOMPARE(found.size(), std::size_t{3});
        const TopClasses none{};
        QCOMPARE(found[0], (std::vector<TopClasses>{planted(2), none, planted(5), none}));
        QCOMPARE(found[1], (std::vector<TopClasses>{planted(0), none, planted(3), none}));
        QCOMPARE(found[2], std::vector<TopClasses>(4));
        // A moment is found by its answers alone.
        QVERIFY(predictionMoments(run).empty());
    }

    void topClassesOfSomeImagesAreReadAlone() {
        const std::vector<TopClasses> images{
            {{{1, 1.0f}, {}, {}}}, {{{2, 1.0f}, {}, {}}}, {{{kNoClassYet, 1.0f}, {}, {}}}};
        replaceTextFile(place("some.npy"), formatTopClasses(images, 300));
        QCOMPARE(readTopClasses(place("some.npy"), {2, 0, 3, -1, 2}),
                 (std::vector<TopClasses>{images[2], images[0], TopClasses{}, TopClasses{}, images[2]}));
    }

    void aListOfMoreImagesThanThereMayBeIsNotRead() {
        const std::string list = formatClassList(std::vector<std::int32_t>(100, 1), 10);
        replaceTextFile(place("list.npy"), list);
        QCOMPARE(readClassList(place("list.npy"), 100).size(), std::size_t{100});
        QVERIFY_EXCEPTION_THROWN(readClassList(place("list.npy"), 99), Error);
        // A file with a hole, which takes no room on the disk.
        QByteArray header(list.data(), static_cast<qsizetype>(list.size()) - 100);
        header.replace("(100,), }       ", "(20000000,), }  ");
        QFile file(QString::fromStdString(place("long.npy").string()));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(header) == header.size());
        file.close();
        std::filesystem::resize_file(place("long.npy"), static_cast<std::uintmax_t>(header.size()) + 20'000'000);
        QVERIFY_EXCEPTION_THROWN(readClassList(place("long.npy")), Error);
    }

    void mostProbableClassesOfARunHaveABudget_data() {
        QTest::addColumn<int>("images");
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("most");
        QTest::newRow("few") << 1000 << 10 << 400;
        QTest::newRow("10,000") << 10000 << 100 << 400;
        QTest::newRow("50,000 of 1,000 classes") << 50000 << 1000 << 40;
        QTest::newRow("very many") << 1000000 << 1000 << 8;
    }
    void mostProbableClassesOfARunHaveABudget() {
        QFETCH(int, images);
        QFETCH(int, classes);
        QFETCH(int, most);
        std::vector<std::int64_t> when;
        std::int64_t last = -1;
        for (std::int64_t seen = 10; seen <= 50000; seen += 10)
            if (recordsTopClasses(seen, last, images, static_cast<std::size_t>(classes), 50000)) {
                when.push_back(last = seen);
                QVERIFY(!recordsTopClasses(seen, last, images, static_cast<std::size_t>(classes), 50000));
            }
        QVERIFY2(std::abs(std::ssize(when) - most) <= 1, QByteArray::number(qlonglong(when.size())));
        QCOMPARE(when.front(), std::int64_t{10});
        QCOMPARE(when.back(), std::int64_t{50000});
        for (std::size_t i = 1; i < when.size(); ++i) QVERIFY(when[i] - when[i - 1] <= 2 * 50000 / most);
    }

    void aDamagedListIsRefusedWithASentence_data() {
        QTest::addColumn<QByteArray>("text");
        const std::string whole = formatClassList(std::vector<std::int32_t>(100, 1), 10);
        const QByteArray sound(whole.data(), static_cast<qsizetype>(whole.size()));
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("something else") << QByteArray("samples_seen,class\n1,2\n");
        QTest::newRow("cut in its header") << sound.left(20);
        QTest::newRow("cut in its numbers") << sound.chopped(1);
        QTest::newRow("longer than it says") << sound + 'x';
        QTest::newRow("other numbers") << QByteArray(sound).replace("|u1", "<f4");
        QTest::newRow("no shape") << QByteArray(sound).replace("shape", "shapf");
    }
    void aDamagedListIsRefusedWithASentence() {
        QFETCH(QByteArray, text);
        QFile file(QString::fromStdString(place("bad.npy").string()));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.close();
        QVERIFY_EXCEPTION_THROWN(readClassList(place("bad.npy")), Error);
        QVERIFY_EXCEPTION_THROWN(readClassList(place("missing.npy")), Error);
    }

    void theFolderTellsWhatTheNewsTold() {
        const MeasuredRun run = measureRun(folder_.path().toStdString(), true);
        requireSame(readHistory(run.folder, 10), run.history);
        QVERIFY(readHistory(run.folder, 10).warnings.empty());
        QVERIFY(!run.history.prompts.empty());
        QVERIFY(!run.history.memory.empty());
        QCOMPARE(run.history.pushes.size(), std::size_t(12));
        QVERIFY(!classPushes(run.history.pushes.back(), run.history.seen).front().push);
        QCOMPARE(run.history.predicted.size(), std::size_t(12));
        for (const std::int64_t moment : run.history.predicted)
            QCOMPARE(readClassList(predictionsFile(run.folder, moment)), *predictionsAt(moment));
    }

    void aRunWithoutPoolAndMemoryWritesNeitherFile() {
        const MeasuredRun run = measureRun(folder_.path().toStdString(), false);
        QVERIFY(!std::filesystem::exists(run.folder / "prompts.csv"));
        QVERIFY(!std::filesystem::exists(run.folder / "memory.csv"));
        QVERIFY(!std::filesystem::exists(run.folder / "pushes.csv"));
        const RunHistory history = readHistory(run.folder, 10);
        QVERIFY(history.prompts.empty() && history.memory.empty() && history.pushes.empty());
        QVERIFY(history.warnings.empty());
    }

    void anOlderFolderHasNoPredictionsAndIsNoTrouble() {
        const MeasuredRun run = measureRun(folder_.path().toStdString(), true);
        std::filesystem::remove_all(run.folder / "predictions");
        std::filesystem::remove(run.folder / "prompts.csv");
        const RunHistory history = readHistory(run.folder, 10);
        QVERIFY(history.predicted.empty());
        QVERIFY(!history.test_labels);
        QCOMPARE(history.loss.size(), run.history.loss.size());
        QVERIFY(history.warnings.empty());
    }

    void tornAndOddLinesAreSkipped() {
        const MeasuredRun run = measureRun(folder_.path().toStdString(), true);
        const auto append = [&](const char* name, const char* text) {
            QFile file(QString::fromStdString((run.folder / name).string()));
            QVERIFY(file.open(QIODevice::Append));
            file.write(text);
        };
        append("training.csv", "12,99\n-5,1,0.5,1,1\n90000,7,0.5,1,1\n90001,8,0.");
        append("classes.csv", "90000,-3,0.5,10\n90000,99999999,0.5,10\n1,2,0.5,10\n");
        append("prompts.csv", "90000,1.5,3\n90000,1e18,3\n");
        append("pushes.csv", "90000,1,inf,0\n90000,1,1e300,0\n90000,-1,2,0\n1,1,2,0\n90000,1,2,\n");
        const RunHistory history = readHistory(run.folder, 10);
        QCOMPARE(history.pushes.size(), run.history.pushes.size());
        QCOMPARE(history.loss.size(), run.history.loss.size() + 1);
        QCOMPARE(history.loss.x(history.loss.size() - 1), 90000.0);
        QCOMPARE(history.classes.size(), run.history.classes.size());
        QCOMPARE(history.prompts, run.history.prompts);
        QCOMPARE(history.warnings.size(), std::size_t(5));
    }

    void aFolderThatIsNoneIsAnEmptyHistoryWithWarnings() {
        const RunHistory history = readHistory(place("nowhere"), 10);
        QVERIFY(history.loss.empty() && history.classes.empty() && history.predicted.empty());
        QVERIFY(!history.warnings.empty());
    }

    void aMomentIsTakenOnce() {
        RunHistory history;
        Evaluated event;
        event.samples_seen = 500;
        event.classes = {{3, 5, 10}};
        event.prompt_use = {1, 2};
        event.predictions = predictionsAt(500);
        history.add(event);
        event.kind = EvaluationKind::SessionEnd;
        history.add(event);
        QCOMPARE(history.classes.size(), std::size_t(1));
        QCOMPARE(history.prompts.size(), std::size_t(1));
        QCOMPARE(history.predicted.size(), std::size_t(1));
    }
};

PALIMPSEST_APPLESS_TEST(TestRunHistory)

}  // namespace tst_run_history

#include "tst_run_history.moc"
