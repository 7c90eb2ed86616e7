// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <numeric>

#include "datasets/catalogue/catalogue.h"
#include "engine/data/picture_tensor.h"
#include "engine/inputs/dataset_opening.h"
#include "engine/stream/experiment_stream.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_setup.h"
#include "tests/datasets/picture_files.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_test_crop {

namespace {

constexpr std::int64_t kSide = 24;

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

/// Class folders with a few pictures, wider than high, as the distributions have them.
void writePictures(const QTemporaryDir& root, const QString& below, const QStringList& classes,
                   const QStringList& pictures) {
    int width = 30;
    for (const QString& one : classes)
        for (const QString& picture : pictures) {
            const std::string ending = picture.mid(picture.lastIndexOf('.')).toStdString();
            test::writeDeep(root.filePath(below + one + "/" + picture),
                            test::encoded(test::gradient(30 + width++ % 17, 26), ending));
        }
}

void writeGtsrb(const QTemporaryDir& root) {
    QStringList classes;
    for (int c = 0; c < 43; ++c) classes << QString("%1").arg(c, 5, 10, QChar('0'));
    writePictures(root, "GTSRB/Final_Training/Images/", classes,
                  {"00000_00000.ppm", "00000_00001.ppm", "00001_00000.ppm"});
}

void writeImagenetR(const QTemporaryDir& root) {
    QStringList classes;
    for (int c = 0; c < 200; ++c) classes << QString("n%1").arg(1443537 + c, 8, 10, QChar('0'));
    writePictures(root, "imagenet-r/", classes, {"art_0.jpg", "art_10.jpg"});
}

/// All test images of a run, as its evaluations see them.
Tensor testImages(const Experiment& experiment, const ImageDataset& data) {
    const auto labels = data.train->labels();
    const auto plan = std::make_shared<const StreamPlan>(
        planExperimentStream(experiment, {labels.begin(), labels.end()}, std::ssize(data.class_names)));
    RunImages images(experiment, data, plan, kSide, Compute{}, 0);
    std::vector<std::int64_t> all(static_cast<std::size_t>(data.test->size()));
    std::iota(all.begin(), all.end(), std::int64_t{0});
    return images.test().images(all).images;
}

}  // namespace

class TestTestCrop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void testImagesAreCutAtTheCentreUnlessThePublishedCropIsAsked_data() {
        QTest::addColumn<QString>("dataset");
        QTest::newRow("GTSRB") << "gtsrb";
        QTest::newRow("ImageNet-R") << "imagenet-r";
    }
    void testImagesAreCutAtTheCentreUnlessThePublishedCropIsAsked() {
        QFETCH(QString, dataset);
        const QTemporaryDir root;
        dataset == "gtsrb" ? writeGtsrb(root) : writeImagenetR(root);
        Experiment experiment = table().defaults();
        experiment.stream.dataset = dataset.toStdString();
        experiment.stream.root = root.path().toStdString();
        experiment.stream.cache = 0;
        experiment.threads = 1;
        const ImageDataset data = openDataset(datasetRequest(experiment));
        std::map<std::string, std::vector<Tensor>> seen;
        for (const char* crop : {"centre", "published"})
            for (const std::int64_t seed : {1, 2}) {
                table().setText(experiment, "stream.test_crop", crop);
                experiment.seed = seed;
                seen[crop].push_back(testImages(experiment, data));
            }
        QVERIFY(seen["centre"][0].equal(seen["centre"][1]));
        QVERIFY(!seen["published"][0].equal(seen["published"][1]));
        QVERIFY(!seen["published"][0].equal(seen["centre"][0]));
        for (std::int64_t i = 0; i < data.test->size(); ++i) {
            Tensor bytes = at::empty({1, 3, kSide, kSide}, at::kByte);
            storeImage(bytes, 0, loadedImage(data.test->image(i), LoadShape::ShortSideCentre, kSide, false, Random(0)));
            QVERIFY(seen["centre"][0][i].equal(normalised(bytes, data.mean, data.deviation)[0]));
        }
    }

    void trainingImagesAreStillCutAtRandom() {
        const QTemporaryDir root;
        writeGtsrb(root);
        Experiment experiment = table().defaults();
        experiment.stream.dataset = "gtsrb";
        experiment.stream.root = root.path().toStdString();
        experiment.stream.cache = 0;
        const ImageDataset data = openDataset(datasetRequest(experiment));
        QCOMPARE(data.load_shape, LoadShape::ShortSideCrop);
        QCOMPARE(pictureSettings(experiment, data, "here", kSide, Compute{}).load_shape, LoadShape::ShortSideCrop);
    }
};

PALIMPSEST_APPLESS_TEST(TestTestCrop)

}  // namespace tst_test_crop

#include "tst_test_crop.moc"
