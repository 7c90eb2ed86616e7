// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <atomic>
#include <fstream>
#include <new>
#include <opencv2/imgcodecs.hpp>

#include "engine/pretrain/pretrain.h"
#include "engine/pretrain/probe.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_pretrain {

namespace {

PretrainSettings tiny(const std::filesystem::path& out) {
    PretrainSettings settings;
    settings.classes = 3;
    settings.contour_classes = 3;
    settings.instances = 4;
    settings.steps = 4;
    settings.batch_size = 8;
    settings.patch_keep = 0.5;
    settings.width = 32;
    settings.depth = 2;
    settings.stem = {16, 32, 32};
    settings.probe_every = 0;
    settings.probe_train = 600;
    settings.probe_test = 250;
    settings.threads = 1;
    settings.precision = "float32";
    settings.out = out;
    return settings;
}

void ignore(const PretrainReport&) {}

/// A folder "pictures" with a class folder for each name, with a picture in each.
std::filesystem::path pictures(const QTemporaryDir& folder, const QStringList& classes) {
    for (const QString& name : classes) {
        QDir(folder.path()).mkpath("pictures/" + name);
        if (name.isEmpty()) continue;
        cv::Mat picture(20 + static_cast<int>(name.size()), 50, CV_8UC4, cv::Scalar::all(0));
        picture(cv::Rect(10, 5, 20, 9)).setTo(cv::Scalar(200, 90, 40, 255));
        cv::imwrite(folder.filePath("pictures/" + name + "/one.png").toStdString(), picture);
    }
    return folder.filePath("pictures").toStdString();
}

std::string bytesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestPretrain : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sameSeedMakesTheSameFileAndItCanBeProbed() {
        QTemporaryDir folder;
        const std::filesystem::path a = folder.filePath("a.safetensors").toStdString();
        const std::filesystem::path b = folder.filePath("b.safetensors").toStdString();
        double probe = -1;
        pretrain(tiny(a), [&](const PretrainReport& news) { probe = news.probe_accuracy; });
        pretrain(tiny(b), ignore);
        QVERIFY(probe > 0.3);  // even a random network's features distinguish clothes
        QVERIFY(bytesOf(a) == bytesOf(b));
        QVERIFY(!bytesOf(a).empty());
    }

    void fontsAndPicturesAreLearned() {
        QTemporaryDir folder;
        PretrainSettings settings = tiny(folder.filePath("out.safetensors").toStdString());
        settings.classes = settings.contour_classes = 0;
        settings.probe_train = 0;
        settings.fonts = "/usr/share/fonts/truetype/dejavu";
        settings.pictures = pictures(folder, {"ball", "box"});
        QCOMPARE(pretrain(settings, ignore), settings.steps);
        const std::string bytes = bytesOf(settings.out);
        QVERIFY(bytes.find("--fonts FONTS --pictures PICTURES") != std::string::npos);
        // Other drawings make other weights.
        settings.fonts.clear();
        pretrain(settings, ignore);
        QVERIFY(bytesOf(settings.out) != bytes);
    }

    void foldersWithoutUseAreRefused_data() {
        QTest::addColumn<QStringList>("classes");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("mentions");
        const QStringList none, two{"ball", "box"};
        QTest::newRow("no folder of pictures") << none << "pictures"
                                               << ""
                                               << "There is no folder";
        QTest::newRow("an empty folder of pictures") << QStringList{""} << "pictures"
                                                     << ""
                                                     << "fewer than two classes";
        QTest::newRow("one class") << QStringList{"ball"} << "pictures"
                                   << ""
                                   << "fewer than two classes";
        QTest::newRow("a damaged picture") << two << "pictures"
                                           << "pictures/box/bad.png"
                                           << "bad.png cannot be read";
        QTest::newRow("no folder of fonts") << none << "fonts"
                                            << ""
                                            << "There is no folder";
        QTest::newRow("no font") << two << "fonts"
                                 << ""
                                 << "No character";
        QTest::newRow("fonts that are none") << two << "fonts"
                                             << "pictures/box/bad.ttf"
                                             << "No character";
    }
    void foldersWithoutUseAreRefused() {
        QFETCH(const QStringList, classes);
        QFETCH(const QString, folder);
        QFETCH(const QString, file);
        QFETCH(const QString, mentions);
        QTemporaryDir place;
        PretrainSettings settings = tiny(place.filePath("out.safetensors").toStdString());
        settings.probe_train = 0;
        const std::filesystem::path given = classes.isEmpty()
                                                ? std::filesystem::path(place.filePath("pictures").toStdString())
                                                : pictures(place, classes);
        if (!file.isEmpty()) std::ofstream(place.filePath(file).toStdString()) << "no such thing";
        (folder == "fonts" ? settings.fonts : settings.pictures) = given;
        try {
            pretrain(settings, ignore);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            QVERIFY2(QString(error.what()).contains(mentions), error.what());
            QVERIFY(!error.hint().empty());
        }
        QVERIFY(!std::filesystem::exists(settings.out));
    }

    void probeJudgesByTrainingOrTestImages() {
        const ProbeSet chosen = clothesForProbe(false, 20, 30), shown = clothesForProbe(true, 20, 30);
        QVERIFY(chosen.train.images.equal(shown.train.images));
        QCOMPARE(chosen.judged.labels.numel(), std::int64_t{30});
        QVERIFY(!chosen.judged.images.equal(shown.judged.images));
        // Nearest means of clearly different pictures make no mistake, whatever the classifier.
        ProbeSet set;
        set.classes = 2;
        set.train.labels = at::arange(40, at::kLong) % 2;
        set.train.images = (set.train.labels * 200 + 20).to(at::kByte).reshape({40, 1, 1, 1}).expand({40, 3, 32, 32});
        set.judged = set.train;
        const ProbeScores scores = probedPixels(set);
        QCOMPARE(scores.linear, 1.0);
        QCOMPARE(scores.nearest_mean, 1.0);
        QCOMPARE(scores.five_shot, 1.0);
        set.judged.labels = 1 - set.train.labels;
        QCOMPARE(probedPixels(set).nearest_mean, 0.0);
    }

    void absurdSettingsAreRefused() {
        PretrainSettings settings = tiny("out.safetensors");
        settings.steps = 0;
        QVERIFY_EXCEPTION_THROWN(pretrain(settings, ignore), Error);
        settings = tiny("out.safetensors");
        settings.patch_keep = 2;
        QVERIFY_EXCEPTION_THROWN(pretrain(settings, ignore), Error);
        settings = tiny("out.safetensors");
        settings.heads = 5;
        QVERIFY_EXCEPTION_THROWN(pretrain(settings, ignore), Error);
        for (const std::vector<std::int64_t>& stem : {std::vector<std::int64_t>{10}, {32, 16}, {16, 32, 48, 64, 80}}) {
            settings = tiny("out.safetensors");
            settings.stem = stem;
            QVERIFY_EXCEPTION_THROWN(pretrain(settings, ignore), Error);
        }
    }

    void whatIsMissingIsSaidBeforeAnyWork_data() {
        QTest::addColumn<QString>("out");
        QTest::addColumn<bool>("data");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("folder to write to") << "no/such/folder/out.safetensors" << true << "a folder that exists";
        QTest::newRow("name of a file") << "taken" << true << "Name the file";
        QTest::newRow("data set of the probe") << "out.safetensors" << false << "--no-probe";
    }
    void whatIsMissingIsSaidBeforeAnyWork() {
        QFETCH(QString, out);
        QFETCH(bool, data);
        QFETCH(QString, remedy);
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("taken"));
        const QByteArray before = qgetenv("PALIMPSEST_DATA");
        const auto restore = qScopeGuard([&] {
            if (before.isNull())
                qunsetenv("PALIMPSEST_DATA");
            else
                qputenv("PALIMPSEST_DATA", before);
        });
        if (!data) {
            // The four files of a data set are damaged: this one is meant, even if there is a sound one elsewhere.
            for (const char* part : {"train-images-idx3", "train-labels-idx1", "t10k-images-idx3", "t10k-labels-idx1"})
                std::ofstream(folder.filePath(part).toStdString() + "-ubyte") << "x";
            qputenv("PALIMPSEST_DATA", folder.path().toLocal8Bit());
        }
        const QStringList content = QDir(folder.path()).entryList();
        const auto atWork = []() -> bool { throw runError("The work began."); };
        try {
            pretrain(tiny(folder.filePath(out).toStdString()), ignore, atWork);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Input);
            QVERIFY2(QString::fromStdString(error.hint()).contains(remedy), error.sentence().c_str());
        }
        QCOMPARE(QDir(folder.path()).entryList(), content);

        if (data) return;
        PretrainSettings settings = tiny(folder.filePath(out).toStdString());
        settings.probe_train = 0;
        double probe = 0;
        QCOMPARE(pretrain(settings, [&](const PretrainReport& news) { probe = news.probe_accuracy; }), settings.steps);
        QVERIFY(probe < 0);
        QVERIFY(!bytesOf(settings.out).empty());
    }

    void weightsAreWrittenBeforeTheirProbe() {
        QTemporaryDir folder;
        const PretrainSettings settings = tiny(folder.filePath("out.safetensors").toStdString());
        bool written = false, probed = false;
        const auto look = [&] {
            const std::string bytes = bytesOf(settings.out);
            written = written || bytes.find(R"("step":"4")") != std::string::npos;
            probed = probed || bytes.find(R"("probe":)") != std::string::npos;
            return false;
        };
        pretrain(settings, ignore, look);
        QVERIFY(written);
        QVERIFY(!probed);
        look();
        QVERIFY(probed);
    }

    void aStopInTheProbeKeepsTheWeightsWithoutIt() {
        QTemporaryDir folder;
        const PretrainSettings settings = tiny(folder.filePath("out.safetensors").toStdString());
        double probe = 0;
        const auto steps = pretrain(
            settings, [&](const PretrainReport& news) { probe = news.probe_accuracy; },
            [&] { return std::filesystem::exists(settings.out); });
        QCOMPARE(steps, settings.steps);
        QVERIFY(probe < 0);
        QVERIFY(bytesOf(settings.out).find(R"("probe":)") == std::string::npos);
    }

    void aStopIsNoticedWhileImagesAreRendered() {
        QTemporaryDir folder;
        PretrainSettings settings = tiny(folder.filePath("out.safetensors").toStdString());
        settings.threads = 2;
        bool reported = false;
        QCOMPARE(pretrain(
                     settings, [&](const PretrainReport&) { reported = true; }, [] { return true; }),
                 std::int64_t{0});
        QVERIFY(!reported);
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void aStopAfterAStepKeepsWhatWasLearned() {
        QTemporaryDir folder;
        PretrainSettings settings = tiny(folder.filePath("out.safetensors").toStdString());
        // Called once for each rendered image, then after every step.
        std::int64_t left = (settings.classes + settings.contour_classes) * settings.instances + 2;
        QCOMPARE(pretrain(settings, ignore, [&] { return --left <= 0; }), std::int64_t{2});
        QVERIFY(bytesOf(settings.out).find(R"("step":"2")") != std::string::npos);
    }

    void anExceptionOfARenderingThreadReachesTheCaller() {
        QTemporaryDir folder;
        PretrainSettings settings = tiny(folder.filePath("out.safetensors").toStdString());
        settings.threads = 2;
        std::atomic<int> asked{0};
        const auto fail = [&]() -> bool {
            if (++asked == 5) throw std::bad_alloc();
            return false;
        };
        try {
            pretrain(settings, ignore, fail);
            QFAIL("went on");
        } catch (const Error& error) {
            QVERIFY2(QString(error.what()).contains("do not fit in memory"), error.what());
        }
        QVERIFY(QDir(folder.path()).isEmpty());
    }

    void aTrainingThatDivergesLeavesGoodWeightsAlone() {
        QTemporaryDir folder;
        PretrainSettings settings = tiny(folder.filePath("out.safetensors").toStdString());
        settings.probe_train = 0;
        pretrain(settings, ignore);
        const std::string good = bytesOf(settings.out);
        settings.learning_rate = 1e30;
        try {
            pretrain(settings, ignore);
            QFAIL("went on");
        } catch (const Error& error) {
            QCOMPARE(error.kind(), ErrorKind::Run);
            QVERIFY2(QString(error.what()).contains("diverged"), error.what());
            QVERIFY(!error.hint().empty());
        }
        QVERIFY(bytesOf(settings.out) == good);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files).size(), 1);
    }
};

PALIMPSEST_APPLESS_TEST(TestPretrain)

}  // namespace tst_pretrain

#include "tst_pretrain.moc"
