// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/unreadable_images.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <set>

#include "engine/network/compute.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/train/evaluator.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"

using namespace palimpsest;

namespace tst_unreadable_images {

namespace fs = std::filesystem;

namespace {

std::string fileText(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

QJsonObject runJson(const fs::path& folder) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(fileText(folder / "run.json"))).object();
}

/// Makes a folder of two classes with `each` pictures, of shades that identify them.
void makePictures(const fs::path& folder, int each) {
    for (int label = 0; label < 2; ++label) {
        const fs::path place = folder / (label == 0 ? "apples" : "pears");
        fs::create_directories(place);
        for (int i = 0; i < each; ++i) {
            std::ofstream out(place / (std::to_string(1000 + i) + ".ppm"), std::ios::binary);
            out << "P6\n40 40\n255\n";
            for (int pixel = 0; pixel < 40 * 40; ++pixel)
                out << static_cast<char>(120 * label + pixel % 90) << static_cast<char>(i)
                    << static_cast<char>(pixel % 7);
        }
    }
}

Experiment experimentOn(const fs::path& root) {
    const OptionTable table(engineCatalogue());
    Experiment e = table.defaults();
    e.stream.dataset = "folder";
    e.stream.root = root.string();
    e.stream.sessions = 2;
    e.backbone.weights = "random";
    e.method.name = "linear-probe";
    e.precision = "float32";
    e.threads = 1;
    e.memory.size = 20;
    e.memory.batch_size = 8;
    e.training.batch_size = 8;
    e.evaluation.every_samples = 40;
    return e;
}

struct Recorded : RunObserver {
    std::vector<ImageLeftOut> left_out;
    std::vector<Evaluated> evaluations;
    RunEnded ended;
    void onImageLeftOut(const ImageLeftOut& e) override { left_out.push_back(e); }
    void onEvaluated(const Evaluated& e) override { evaluations.push_back(e); }
    void onEnded(const RunEnded& e) override { ended = e; }
};

Recorded runTo(const fs::path& exact, const Experiment& experiment) {
    Recorded recorded;
    RunControl control;
    runExperiment(1, experiment, FreshRun{{}, exact}, control, recorded);
    return recorded;
}

/// Noise pictures, some of which cannot be read.
class HoledTest : public TestSource {
public:
    HoledTest(std::vector<std::int64_t> rows, std::set<std::int64_t> unreadable)
        : rows_(std::move(rows)), unreadable_(std::move(unreadable)) {
        for (const std::int64_t row : rows_) labels_.push_back(static_cast<std::int32_t>(row % 4));
    }
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        ShownImages shown;
        std::vector<Tensor> images;
        for (const std::int64_t sample : samples) {
            const std::int64_t row = rows_[static_cast<std::size_t>(sample)];
            if (unreadable_.contains(row)) continue;
            Random random(static_cast<std::uint64_t>(row) + 1);
            images.push_back(at::empty({1, 3, 16, 16}));
            fillUniform(images.back(), random, -2, 2);
            shown.samples.push_back(sample);
        }
        if (!images.empty()) shown.images = at::cat(images);
        return shown;
    }

private:
    std::vector<std::int64_t> rows_;
    std::set<std::int64_t> unreadable_;
    std::vector<std::int32_t> labels_;
};

}  // namespace

class TestUnreadableImages : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    fs::path place(const std::string& name) const { return fs::path(folder_.path().toStdString()) / name; }

private Q_SLOTS:
    void initTestCase() { qputenv("PALIMPSEST_CACHE", place("cache").c_str()); }

    void moreThanHalfOfTheFirstHundredAreTooMany_data() {
        QTest::addColumn<int>("total");
        QTest::addColumn<int>("readableFirst");  // then only unreadable ones
        QTest::addColumn<int>("thrownAt");       // images tried; 0: never
        QTest::newRow("all of many") << 1000 << 0 << 51;
        QTest::newRow("the second half of the first hundred") << 1000 << 50 << 0;
        QTest::newRow("one more than half") << 1000 << 49 << 100;
        QTest::newRow("only later") << 1000 << 100 << 0;
        QTest::newRow("all of ten") << 10 << 0 << 6;
        QTest::newRow("half of ten") << 10 << 5 << 0;
        QTest::newRow("the only one") << 1 << 0 << 1;
    }
    void moreThanHalfOfTheFirstHundredAreTooMany() {
        QFETCH(int, total);
        QFETCH(int, readableFirst);
        QFETCH(int, thrownAt);
        UnreadableImages images("training images", "/data/birds", total);
        int tried = 0;
        try {
            while (tried < total) {
                const std::vector<std::int64_t> one = {tried++};
                std::vector<UnreadableImage> failed;
                if (tried > readableFirst) failed.push_back({one[0], "a.png", "It is empty."});
                images.tried(one, failed);
            }
            QCOMPARE(0, thrownAt);
        } catch (const Error& error) {
            QCOMPARE(tried, thrownAt);
            QVERIFY(error.kind() == ErrorKind::Run);
            QVERIFY2(std::string(error.what()).find("/data/birds") != std::string::npos, error.what());
            QVERIFY(!error.hint().empty());
        }
        QCOMPARE(images.count(), std::int64_t{tried - std::min(tried, readableFirst)});
    }

    void theSentenceNamesTheImageOnce() {
        QCOMPARE(UnreadableImage({1, "a/b.png", "The picture /x/a/b.png is empty."}).text(),
                 std::string("The picture /x/a/b.png is empty. The image is left out."));
        QCOMPARE(UnreadableImage({1, "image 7", "It has no pixels."}).text(),
                 std::string("image 7: It has no pixels. The image is left out."));
    }

    void evaluationsLeaveThemOut_data() {
        QTest::addColumn<QString>("method");
        QTest::newRow("from frozen features") << "linear-probe";
        QTest::newRow("from images") << "finetune";
    }
    void evaluationsLeaveThemOut() {
        QFETCH(QString, method);
        const Compute compute = prepareCompute("cpu", "float32", 1);
        MethodSetup setup;
        setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 5, 2, 2});
        setup.vit->initialise(Random(1));
        setup.classes = 4;
        setup.method.name = method.toStdString();
        setup.optimizer = "adam";
        setup.learning_rate = 5e-3;
        const auto learner = makeMethod(setup);
        // A whole batch is unreadable, and single ones.
        HoledTest holed({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, {4, 5, 6, 7, 1, 12});
        HoledTest rest({0, 2, 3, 8, 9, 10, 11}, {});
        Evaluator a(*learner, holed, 4, true, 4, compute.device), b(*learner, rest, 4, true, 4, compute.device);
        ClassRegistry registry;
        registry.expose({2, 0, 3, 1});
        const Evaluation expected = b.evaluate(registry, [] { return false; });
        for (int round = 0; round < 2; ++round) {
            const Evaluation got = a.evaluate(registry, [] { return false; });
            QCOMPARE(got.predictions, expected.predictions);
            QCOMPARE(got.accuracy, expected.accuracy);
            for (std::size_t unit = 0; unit < 4; ++unit)
                QCOMPARE(got.units[unit].samples, expected.units[unit].samples);
        }
    }

    void aRunNamesAndCountsThemAndGoesOn() {
        const fs::path root = place("fruit");
        makePictures(root / "train", 60);
        makePictures(root / "test", 10);
        fs::resize_file(root / "train" / "apples" / "1003.ppm", 500);
        std::ofstream(root / "train" / "pears" / "1007.ppm").close();
        std::ofstream(root / "test" / "apples" / "1002.ppm") << "not a picture at all";
        Experiment e = experimentOn(root);
        e.stream.cache = 0;
        const Recorded plain = runTo(place("plain"), e);
        QVERIFY2(plain.ended.how == RunEnd::Finished, plain.ended.error.c_str());
        QCOMPARE(plain.left_out.size(), std::size_t{3});
        QCOMPARE(plain.left_out.back().unreadable_images, std::int64_t{3});
        QCOMPARE(std::count_if(plain.left_out.begin(), plain.left_out.end(), [](const auto& i) { return i.training; }),
                 std::ptrdiff_t{2});
        QCOMPARE(plain.evaluations.back().samples_seen, std::int64_t{118});
        for (const ClassCount& count : plain.evaluations.back().classes)
            QCOMPARE(count.samples, std::int64_t{count.label == 0 ? 9 : 10});

        const QJsonObject run = runJson(place("plain"));
        QCOMPARE(run["unreadable_images"].toInt(), 3);
        QCOMPARE(run["total_samples"].toInt(), 120);
        QString warnings;
        for (const QJsonValue& warning : run["warnings"].toArray()) warnings += warning.toString() + "\n";
        for (const char* name : {"apples/1003.ppm", "pears/1007.ppm", "apples/1002.ppm"})
            QCOMPARE(warnings.count(name), 1);
        QCOMPARE(readRun(OptionTable(engineCatalogue()), place("plain")).unreadable_images, std::int64_t{3});

        // The second session begins at the actual end of the first.
        const auto firstEnd = std::find_if(plain.evaluations.begin(), plain.evaluations.end(),
                                           [](const Evaluated& v) { return v.kind == EvaluationKind::SessionEnd; });
        QCOMPARE(run["session_starts"].toArray()[1].toInteger(), firstEnd->samples_seen);

        // Neither threads nor the cache, empty or full, change a number.
        for (const char* name : {"empty-cache", "full-cache"}) {
            e.stream.cache = 100;
            runTo(place(name), e);
            for (const char* file : {"training.csv", "anytime.csv", "classes.csv"})
                QCOMPARE(fileText(place(name) / file), fileText(place("plain") / file));
        }
        QVERIFY(!fs::is_empty(place("cache") / "pictures"));
    }

    void aFolderOfMostlyUnreadableImagesIsAnError() {
        const fs::path root = place("ruins");
        makePictures(root / "train", 60);
        makePictures(root / "test", 10);
        for (const auto& entry : fs::recursive_directory_iterator(root / "train"))
            if (entry.is_regular_file() && entry.path().filename() != "1000.ppm") fs::resize_file(entry.path(), 100);
        const Recorded recorded = runTo(place("ruined"), experimentOn(root));
        QVERIFY(recorded.ended.how == RunEnd::Failed);
        QVERIFY(recorded.ended.kind == ErrorKind::Run);
        QVERIFY2(recorded.ended.error.find("first 100 training images of " + root.string()) != std::string::npos,
                 recorded.ended.error.c_str());
        QCOMPARE(recorded.left_out.size(), std::size_t{51});
        const QJsonObject run = runJson(place("ruined"));
        QCOMPARE(run["state"].toString(), QString("failed"));
        QCOMPARE(run["unreadable_images"].toInt(), 51);
        QVERIFY(run["warnings"].toArray().size() < 30);
        QCOMPARE(run["warnings"].toArray().last().toString(),
                 QString("31 more images could not be read and are left out."));
    }
};

PALIMPSEST_APPLESS_TEST(TestUnreadableImages)

}  // namespace tst_unreadable_images

#include "tst_unreadable_images.moc"
