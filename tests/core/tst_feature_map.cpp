// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>

#include "engine/record/feature_map.h"
#include "engine/record/run_check.h"
#include "engine/support/base64.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "tests/support/measured_run.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_feature_map {

namespace fs = std::filesystem;

namespace {

/// Lines of a log as a file has them.
std::string fileOf(FeatureLog& log, const std::vector<FeatureMoment>& moments, std::int64_t total = 1000) {
    std::string text;
    for (const FeatureMoment& moment : moments) {
        if (!log.wants(moment, total)) continue;
        for (const auto& line : log.lines(moment))
            text += line[0] + "," + line[1] + "," + line[2] + "," + line[3] + "\n";
    }
    return text;
}

FeatureMoment momentOf(std::int64_t samples, std::vector<FeatureMoment::Row> rows, std::vector<float> values,
                       std::size_t width = 2) {
    FeatureMoment moment;
    moment.samples_seen = samples;
    moment.width = width;
    moment.rows = std::move(rows);
    moment.values = std::move(values);
    return moment;
}

/// Class 4 with two images, and the head's row, which turns a right angle; then class 2 comes with one image and a row.
std::vector<FeatureMoment> turning() {
    const std::int64_t head = FeatureMoment::kHead;
    return {momentOf(100, {{4, 7}, {4, 9}, {4, head}}, {0, 0, 2, 0, 1, 0}),
            momentOf(200, {{4, 7}, {4, 9}, {2, 5}, {4, head}, {2, head}}, {0, 0, 2, 0, 1, 1, 0, 3, 1, 0}),
            momentOf(300, {{4, 7}, {4, 9}, {2, 5}, {4, head}, {2, head}}, {0, 1, 2, 0, 1, 1, 0, 3, 1, 0})};
}

}  // namespace

class TestFeatureMap : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    fs::path folder() const { return folder_.path().toStdString(); }
    FeatureMap read(const std::string& lines) const {
        replaceTextFile(folder() / kFeatureFile, std::string(kFeatureHeader) + "\n" + lines);
        return readFeatureMap(folder());
    }

private Q_SLOTS:
    void cleanup() { fs::remove(folder() / kFeatureFile); }

    void bytesAreTextAndBack() {
        const auto bytesOf = [](const std::string& text) {
            std::vector<std::byte> bytes;
            for (const char c : text) bytes.push_back(static_cast<std::byte>(c));
            return bytes;
        };
        // RFC 4648, section 10.
        const std::pair<const char*, const char*> vectors[] = {{"", ""},
                                                               {"f", "Zg=="},
                                                               {"fo", "Zm8="},
                                                               {"foo", "Zm9v"},
                                                               {"foob", "Zm9vYg=="},
                                                               {"fooba", "Zm9vYmE="},
                                                               {"foobar", "Zm9vYmFy"}};
        for (const auto& [plain, text] : vectors) {
            QCOMPARE(base64(bytesOf(plain)), std::string(text));
            QVERIFY(bytesOfBase64(text) == bytesOf(plain));
        }
        for (const char* wrong : {"Zg=", "Z", "Zg==Zg==", "Z===", "====", "Zh==", "Zm9=", "Zm 9", "Zm9v\n", "Zm9-"})
            QVERIFY2(!bytesOfBase64(wrong), wrong);
    }

    void whatIsRecordedIsRead() {
        QVERIFY2(readFeatureMap(folder()).empty(), "a run without the file");
        FeatureLog log;
        const std::string text = fileOf(log, turning());
        // What stands still is written once: five rows at the first two moments, one that moved at the third.
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{3 + 3 + 1});
        const FeatureMap map = read(text);
        QVERIFY(map.warnings.empty());
        QCOMPARE(map.width, std::size_t{2});
        QCOMPARE(map.classes, (std::vector<std::int32_t>{4, 2}));
        QCOMPARE(map.moments, (std::vector<std::int64_t>{100, 200, 300}));
        QCOMPARE(map.points.size(), std::size_t{3});
        QVERIFY(map.feature(0, 2).empty());
        QCOMPARE(map.feature(1, 2)[0], 1.0F);
        QCOMPARE(map.feature(2, 0)[1], 1.0F);
        QCOMPARE(map.feature(2, 1)[0], 2.0F);
        QCOMPARE(map.head(0, 0)[0], 1.0F);
        QCOMPARE(map.head(1, 0)[1], 3.0F);
        QVERIFY(map.head(0, 1).empty());
        QVERIFY(map.hasHeads());
    }

    void aLogThatGoesOnWritesTheSameLines() {
        const std::vector<FeatureMoment> all = turning();
        FeatureLog whole;
        const std::string text = fileOf(whole, all);
        for (std::size_t cut = 1; cut <= all.size(); ++cut) {
            FeatureLog first;
            std::string lines = fileOf(first, {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(cut)});
            FeatureLog second(read(lines));
            // Also the moment at which it was cut off, evaluated once more.
            lines += fileOf(second, {all.begin() + static_cast<std::ptrdiff_t>(cut) - 1, all.end()});
            QCOMPARE(lines, text);
        }
    }

    void howMuchIsRecordedIsBounded_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<bool>("still");
        QTest::addColumn<int>("most");
        QTest::newRow("small") << 64 << false << 200;
        QTest::newRow("ViT-B, prompts") << 768 << false << 28;
        QTest::newRow("ViT-B, frozen") << 768 << true << 200;
        QTest::newRow("ViT-L, prompts") << 1024 << false << 21;
    }
    void howMuchIsRecordedIsBounded() {
        QFETCH(int, width);
        QFETCH(bool, still);
        QFETCH(int, most);
        FeatureLog log;
        std::int64_t recorded = 0;
        std::vector<std::int64_t> when;
        for (std::int64_t seen = 10; seen <= 50000; seen += 10) {
            FeatureMoment moment =
                momentOf(seen, {{0, FeatureMoment::kHead}},
                         std::vector<float>(static_cast<std::size_t>(width), static_cast<float>(seen)),
                         static_cast<std::size_t>(width));
            moment.still = still;
            if (!log.wants(moment, 50000)) continue;
            QVERIFY(!log.lines(moment).empty());
            when.push_back(seen);
            ++recorded;
        }
        QVERIFY2(recorded <= most + 1, QByteArray::number(qlonglong(recorded)));
        QVERIFY(recorded >= most - 1);
        QCOMPARE(when.front(), std::int64_t{10});
        QCOMPARE(when.back(), std::int64_t{50000});
        // Evenly: no gap is more than two parts.
        for (std::size_t i = 1; i < when.size(); ++i) QVERIFY(when[i] - when[i - 1] <= 2 * 50000 / most);
    }

    /// Eight evaluations of the widest features would be more than that.
    void theLargestFileThatIsWrittenIsRead() {
        FeatureLog log;
        FeatureMoment moment;
        moment.width = 16'384;
        for (std::int32_t label = 0; label < kFeatureClasses; ++label) {
            for (std::int64_t i = 0; i < kFeatureImages; ++i) moment.rows.push_back({label, 1000 * label + i});
            moment.rows.push_back({label, FeatureMoment::kHead});
        }
        std::string text = std::string(kFeatureHeader) + "\n";
        std::size_t recorded = 0;
        for (std::int64_t seen = 1000; seen <= 100'000; seen += 1000) {
            moment.samples_seen = seen;
            if (!log.wants(moment, 100'000)) continue;
            moment.values.assign(moment.rows.size() * moment.width, static_cast<float>(seen));
            ++recorded;
            for (const auto& line : log.lines(moment))
                text += line[0] + "," + line[1] + "," + line[2] + "," + line[3] + "\n";
        }
        QVERIFY(recorded >= 2);
        QVERIFY(std::ssize(text) <= kLargestFeatureFile);
        replaceTextFile(folder() / kFeatureFile, text);
        QCOMPARE(readFeatureMap(folder()).moments.size(), recorded);
    }

    /// It could not say how far things are from where they were when they came.
    void aRunThatWasEvaluatedWithoutFeaturesBeginsNone() {
        const OptionTable table{testCatalogue()};
        const fs::path run = folder() / "older";
        auto writer = RunFolderWriter::createExact(table, madeUpExperiment("batch"), run);
        writer->onStarted(madeUpStart(1, run.string(), "batch"));
        const FeatureMoment first = turning()[0], second = turning()[1];
        const FolderPosition begun = writer->mark();
        writer->onEvaluated(madeUpEvaluation(1, 100, 0.5));
        const FolderPosition mark = writer->mark();
        writer.reset();
        writer = RunFolderWriter::reopen(table, run, mark);
        QVERIFY(!writer->wantsFeatures(second, 1000));
        writer->recordFeatures(second, 1000);
        QVERIFY(!fs::exists(run / kFeatureFile));
        writer.reset();
        // Before its first evaluation, nothing is missed.
        writer = RunFolderWriter::reopen(table, run, begun);
        QVERIFY(writer->wantsFeatures(first, 1000));
        writer->recordFeatures(first, 1000);
        writer->onEvaluated(madeUpEvaluation(1, 100, 0.5));
        QVERIFY(writer->wantsFeatures(second, 1000));
        QVERIFY(fs::exists(run / kFeatureFile));
    }

    void numbersThatAreNoneAreNotRecorded() {
        FeatureLog log;
        const float none = std::numeric_limits<float>::quiet_NaN();
        const auto lines = log.lines(momentOf(1, {{0, 1}, {0, 2}}, {1, none, 1, 2}));
        QCOMPARE(lines.size(), std::size_t{1});
        QCOMPARE(lines[0][2], std::string("2"));
    }

    void linesOfAStrangerAreSkippedAndCounted_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("why");
        QTest::newRow("cells") << QByteArray("200,4,7") << QByteArray("not four cells");
        QTest::newRow("words") << QByteArray("many,4,7,AAAAAAAAAAA=") << QByteArray("not whole numbers");
        QTest::newRow("below zero") << QByteArray("200,-4,7,AAAAAAAAAAA=") << QByteArray("not whole numbers");
        QTest::newRow("far too large") << QByteArray("200,99999999999,7,AAAAAAAAAAA=")
                                       << QByteArray("not whole numbers");
        QTest::newRow("earlier") << QByteArray("50,4,7,AAAAAAAAAAA=") << QByteArray("before the one above");
        QTest::newRow("no base64") << QByteArray("200,4,7,????") << QByteArray("no base64");
        QTest::newRow("no values") << QByteArray("200,4,7,") << QByteArray("no base64");
        QTest::newRow("half a value") << QByteArray("200,4,7,AAAA") << QByteArray("no base64");
        QTest::newRow("not finite") << QByteArray("200,4,7,AACAfwAAgH8=") << QByteArray("finite");
        QTest::newRow("another width") << QByteArray("200,4,7,AAAAAA==") << QByteArray("not as many values");
    }
    void linesOfAStrangerAreSkippedAndCounted() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, why);
        FeatureLog log;
        const std::string sound = fileOf(log, {turning().front()});
        const FeatureMap map = read(sound + line.toStdString() + "\n300,4,7,AACAPwAAAEA=\n");
        QCOMPARE(map.warnings.size(), std::size_t{1});
        QVERIFY2(QByteArray::fromStdString(map.warnings[0]).contains(why), map.warnings[0].c_str());
        QVERIFY(map.warnings[0].starts_with("features.csv line 5: "));
        QCOMPARE(map.moments, (std::vector<std::int64_t>{100, 300}));
        QCOMPARE(map.feature(1, 0)[1], 2.0F);
    }

    void whatIsReadIsBounded() {
        std::string text;
        for (int label = 0; label < 30; ++label)
            for (int image = 0; image < 60; ++image)
                text += "1," + std::to_string(label) + "," + std::to_string(60 * label + image) + ",AACAPwAAAEA=\n";
        const FeatureMap map = read(text);
        QVERIFY(map.classes.size() <= 10 && map.points.size() <= 400);
        QVERIFY(map.warnings.size() <= 21);
        QVERIFY2(map.warnings.back().find("more lines were skipped") != std::string::npos, map.warnings.back().c_str());
        // A line that is being written, another file, and one that is far too long.
        QVERIFY(read("100,4,7,AACAPwAAAEA=").empty());
        replaceTextFile(folder() / kFeatureFile, "samples_seen,accuracy\n1,0.5\n");
        QVERIFY(readFeatureMap(folder()).empty());
        QCOMPARE(readFeatureMap(folder()).warnings.size(), std::size_t{1});
        fs::resize_file(folder() / kFeatureFile, 100'000'000);
        QVERIFY_THROWS_EXCEPTION(Error, readFeatureMap(folder()));
        fs::remove(folder() / kFeatureFile);
        fs::create_symlink(folder(), folder() / kFeatureFile);
        QVERIFY_THROWS_EXCEPTION(Error, readFeatureMap(folder()));
    }

    void theAxesAreThoseOfTheFirstMomentUntilTheyAreFittedAnew() {
        FeatureLog log;
        const FeatureMap map = read(fileOf(log, turning()));
        const FeaturePicture picture = pictureOf(map);
        // Two points along x: the mean is (1, 0).
        QCOMPARE(picture.basis, std::size_t{0});
        QCOMPARE(picture.axes.axes[0], (std::vector<double>{1, 0}));
        QCOMPARE(picture.points[0][0], (FeaturePicture::Place{-1, 0}));
        QCOMPARE(picture.points[1][0], picture.points[0][0]);
        QCOMPARE(picture.points[2][0], (FeaturePicture::Place{-1, 1}));
        QVERIFY(std::isnan(picture.points[0][2][0]));
        QCOMPARE(picture.points[1][2], (FeaturePicture::Place{0, 1}));
        // The longest arrow, (0, 3) at 200, is half the larger side, and all have one scale.
        const double scale = 0.5 * 2 / 3;
        QVERIFY(std::abs(picture.arrows[0][0][0] - scale) < 1e-12 && picture.arrows[0][0][1] == 0);
        QVERIFY(std::abs(picture.arrows[1][0][1] - 3 * scale) < 1e-12);
        QCOMPARE(picture.first[2], (FeaturePicture::Place{0, 1}));
        for (const auto& moment : picture.points)
            for (const auto& place : moment)
                if (!std::isnan(place[0]))
                    QVERIFY(place[0] >= picture.box[0] && place[0] <= picture.box[1] && place[1] >= picture.box[2] &&
                            place[1] <= picture.box[3]);
        const FeaturePicture refitted = pictureOf(map, 2);
        QCOMPARE(refitted.basis, std::size_t{2});
        QVERIFY(refitted.axes.axes[0] != picture.axes.axes[0]);
        QCOMPARE(pictureOf(map, 0).points[2], picture.points[2]);
        // Other axes measure nothing anew, and change nothing of what was measured.
        std::vector<FeatureChange> measured = picture.changes;
        QCOMPARE(pictureOf(map, 2, measured).changes, refitted.changes);
        measured[1].moved = 123;
        QCOMPARE(pictureOf(map, 2, measured).changes[1].moved, 123.0);
        QCOMPARE(pictureOf(map, 2, measured).box, refitted.box);
        QVERIFY(pictureOf({}).points.empty());
    }

    void changesAreMeasuredInAllDirections() {
        FeatureLog log;
        const FeatureMap map = read(fileOf(log, turning()));
        const std::vector<FeatureChange> changes = pictureOf(map).changes;
        const std::vector<std::string> names{"four", "two"};
        QCOMPARE(changes[0].moved, 0.0);
        QCOMPARE(changes[0].turned, 0.0);
        QCOMPARE(changeSentence(changes[0], names),
                 std::string("Points stand still, arrows have not turned since they came."));
        // A right angle, and one that has just come.
        QVERIFY(std::abs(changes[1].turned - 45) < 1e-9 && std::abs(changes[1].most_turned - 90) < 1e-9);
        QCOMPARE(changes[1].moved, 0.0);
        QCOMPARE(changeSentence(changes[1], names),
                 std::string("Points stand still, arrows turned by 45° on average since they came; most: four (90°)."));
        // One of three moved by 1; the first two stand 1 from their mean.
        QVERIFY(std::abs(changes[2].moved - 1.0 / 3) < 1e-12);
        QCOMPARE(changeSentence(changes[2], names).substr(0, 40),
                 std::string("Points moved by 33 % of their spread, ar"));
        QVERIFY(std::abs(*headTurn(map, 2, 0) - 90) < 1e-9);
        QVERIFY(!headTurn(map, 0, 1));
    }

    void theTableHasEveryMomentAndPlainNames() {
        FeatureLog log;
        const FeatureMap map = read(fileOf(log, turning()));
        const std::string text = featureTable(map, pictureOf(map), {"=four", "two"});
        QVERIFY(text.starts_with("samples_seen,kind,class,image,x,y\n100,image,'=four,7,-1"));
        QCOMPARE(std::count(text.begin(), text.end(), '\n'), std::ptrdiff_t{1 + 3 + 5 + 5});
        QVERIFY(text.find("\n200,head,two,,") != std::string::npos);
    }

    void aRunFolderHasTheFileAndItsCheckIsContent() {
        const MeasuredRun run = measureRun(folder(), true);
        const FeatureMap map = readFeatureMap(run.folder);
        QVERIFY(map.warnings.empty());
        QCOMPARE(map.moments.size(), std::size_t{12});
        QCOMPARE(map.classes.size(), std::size_t{10});
        QCOMPARE(map.points.size(), std::size_t{40});
        QVERIFY(pictureOf(map).changes.back().moved > 0);
        QVERIFY(checkRun(OptionTable(testCatalogue()), run.folder).damage.empty());
        fs::remove_all(run.folder);
    }
};

PALIMPSEST_APPLESS_TEST(TestFeatureMap)

}  // namespace tst_feature_map

#include "tst_feature_map.moc"
