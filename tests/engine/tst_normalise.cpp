// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/source.h"
#include "engine/config/normalisation.h"
#include "engine/inputs/dataset_opening.h"
#include "engine/support/error.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_setup.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_normalise {

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

}  // namespace

class TestNormalise : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void picturesAreNormalisedWithTheNumbersThatAreAskedFor_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("deviation");
        QTest::newRow("half") << "half" << 0.5 << 0.5;
        QTest::newRow("none") << "none" << 0.0 << 1.0;
        QTest::newRow("ImageNet's, last channel") << "imagenet" << 0.406 << 0.225;
        QTest::newRow("CIFAR-100's, last channel") << "cifar100" << 0.4408 << 0.2761;
        QTest::newRow("own, last channel") << "0.1 0.2 0.3 / 0.4 0.5 0.6" << 0.3 << 0.6;
        QTest::newRow("own, one for all") << "0.25/0.75" << 0.25 << 0.75;
    }
    void picturesAreNormalisedWithTheNumbersThatAreAskedFor() {
        QFETCH(QString, text);
        QFETCH(double, mean);
        QFETCH(double, deviation);
        const PictureSettings settings = settingsFor(text);
        QCOMPARE(settings.mean[2], static_cast<float>(mean));
        QCOMPARE(settings.deviation[2], static_cast<float>(deviation));
    }

    void unlessSaidTheyAreTheDataSetsOwn() {
        Experiment experiment = table().defaults();
        QCOMPARE(experiment.stream.normalise, std::string("data-set"));
        experiment.stream.dataset = "shapes";
        const ImageDataset data = openDataset(datasetRequest(experiment));
        const PictureSettings settings = pictureSettings(experiment, data, "shapes", 32, Compute{});
        QCOMPARE(settings.mean, data.mean);
        QCOMPARE(settings.deviation, data.deviation);
    }

    void otherTextsAreRefusedInOneSentence_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "ImageNet", "0.5", "0.5 0.5 / 1 1", "0.5 0.5 0.5 / 0 1 1", "a / b", "0.5 / 0.5 x"})
            QTest::newRow(text) << text;
    }
    void otherTextsAreRefusedInOneSentence() {
        QFETCH(QString, text);
        Experiment experiment = table().defaults();
        experiment.stream.normalise = text.toStdString();
        const std::vector<std::string> problems = table().problems(experiment);
        QCOMPARE(problems.size(), std::size_t{1});
        QVERIFY2(problems.front().starts_with("stream.normalise is \"" + text.toStdString() + "\", but must be "),
                 problems.front().c_str());
    }

private:
    static PictureSettings settingsFor(const QString& text) {
        Experiment experiment = table().defaults();
        experiment.stream.dataset = "shapes";
        experiment.stream.normalise = text.toStdString();
        return pictureSettings(experiment, openDataset(datasetRequest(experiment)), "shapes", 32, Compute{});
    }
};

PALIMPSEST_APPLESS_TEST(TestNormalise)

}  // namespace tst_normalise

#include "tst_normalise.moc"
