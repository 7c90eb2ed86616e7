// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/formats/wordnet.h"
#include "engine/support/random.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/listing.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>
#include <numeric>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_imagenet {

namespace {

constexpr int kClasses = 1000;

std::vector<std::size_t> ranks(std::size_t first, std::size_t count) {
    std::vector<std::size_t> all(count);
    std::iota(all.begin(), all.end(), first);
    return all;
}

}  // namespace

class TestImageNet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        qunsetenv("PALIMPSEST_DATA");
        QVERIFY(sorted_.isValid() && flat_.isValid());
        QByteArray solution = "ImageId,PredictionString\n";
        QByteArray names;
        for (int c = 0; c < kClasses; ++c) {
            // Most tests decode nothing, so most pictures are empty files.
            for (const char* part : {"train/%1/%1_10.JPEG", "train/%1/%1_9.JPEG", "val/%1/ILSVRC2012_val_%2.JPEG"})
                writeDeep(sorted_.filePath("imgnt/" + name(part, c)), {});
            writeDeep(flat_.filePath("ILSVRC/Data/CLS-LOC/" + name("train/%1/%1_10.JPEG", c)), {});
            writeDeep(flat_.filePath("ILSVRC/Data/CLS-LOC/" + name("val/ILSVRC2012_val_%2.JPEG", c)), {});
            // The list has its own order, as Kaggle's has.
            const int other = (c * 7 + 3) % kClasses;
            solution += name("ILSVRC2012_val_%2", other).toUtf8() + "," + wnid(other).toUtf8() + " 85 1 499 272 \n";
            names += wnid(c).toUtf8() +
                     (c == 5 || c == 6 ? " crane\n" : " word_" + QByteArray::number(c) + ", other word\n");
        }
        writeDeep(flat_.filePath("LOC_val_solution.csv"), solution);
        writeDeep(flat_.filePath("LOC_synset_mapping.txt"), names);
        writeNumbered(sorted_.filePath("imgnt/" + name("val/%1/ILSVRC2012_val_%2.JPEG", 999)), 77, ".jpg");
    }

    void theListWithoutOverlapHas611Classes() {
        const auto kept = imagenet611Ranks();
        QCOMPARE(kept.size(), std::size_t{611});
        QVERIFY(std::is_sorted(kept.begin(), kept.end()) && std::adjacent_find(kept.begin(), kept.end()) == kept.end());
        QCOMPARE(kept[0], std::size_t{0});
        QCOMPARE(kept[1], std::size_t{5});
        QCOMPARE(kept[2], std::size_t{6});
        QCOMPARE(kept[3], std::size_t{8});
        QCOMPARE(kept.back(), std::size_t{999});
    }

    void everyPartHasItsClassesNumberedAnew_data() {
        QTest::addColumn<QString>("dataset");
        QTest::addColumn<std::vector<std::size_t>>("kept");
        QTest::newRow("all") << "imagenet" << ranks(0, 1000);
        QTest::newRow("the first 100") << "imagenet100" << ranks(0, 100);
        QTest::newRow("the first 900") << "imagenet900" << ranks(0, 900);
        QTest::newRow("the last 100") << "imagenet-last100" << ranks(900, 100);
        QTest::newRow("without overlap") << "imagenet611" << imagenet611Ranks();
        std::vector<std::size_t> drawn;
        for (const std::int64_t rank : TorchRandom(0).permutation(1000))
            drawn.push_back(static_cast<std::size_t>(rank));
        drawn.resize(100);
        std::sort(drawn.begin(), drawn.end());
        QTest::newRow("drawn by chance") << "imagenet-random100" << drawn;
    }
    void everyPartHasItsClassesNumberedAnew() {
        QFETCH(QString, dataset);
        QFETCH(std::vector<std::size_t>, kept);
        const auto data = openDataset(request(dataset, sorted_));
        std::vector<std::string> classes;
        std::vector<Listed> train;
        std::vector<Listed> test;
        for (std::size_t label = 0; label < kept.size(); ++label) {
            const int rank = static_cast<int>(kept[label]);
            const auto l = static_cast<std::int32_t>(label);
            classes.push_back(wnid(rank).toStdString());
            train.emplace_back(name("%1/%1_10.JPEG", rank).toStdString(), l);
            train.emplace_back(name("%1/%1_9.JPEG", rank).toStdString(), l);
            test.emplace_back(name("%1/ILSVRC2012_val_%2.JPEG", rank).toStdString(), l);
        }
        QCOMPARE(data.class_names, classes);
        QCOMPARE(listed(*data.train), train);
        QCOMPARE(listed(*data.test), test);
        QVERIFY(agrees(openLabels(request(dataset, sorted_)), data));
        QCOMPARE(data.load_shape, LoadShape::Square);
        QCOMPARE(data.augment_policy, std::string("imagenet"));
    }

    void thePublishedCodesVariantDeclares900ClassesAndHasPicturesOf100() {
        const auto data = openDataset(request("imagenet900-code", sorted_));
        QCOMPARE(data.class_names.size(), std::size_t{900});
        QCOMPARE(data.train->size(), 200);
        QCOMPARE(data.test->size(), 100);
        QCOMPARE(*std::max_element(data.train->labels().begin(), data.train->labels().end()), 99);
    }

    void kagglesFlatValidationIsLabelledByItsList() {
        const auto data = openDataset(request("imagenet", flat_));
        QCOMPARE(data.test->size(), kClasses);
        for (int c = 0; c < kClasses; ++c) {
            QCOMPARE(data.test->labels()[static_cast<std::size_t>(c)], c);
            QCOMPARE(data.test->name(c), name("val/ILSVRC2012_val_%2.JPEG", c).toStdString());
        }
        const auto last = openDataset(request("imagenet-last100", flat_));
        QCOMPARE(last.test->size(), 100);
        QCOMPARE(last.test->labels()[0], 0);
        QCOMPARE(last.test->name(0), name("val/ILSVRC2012_val_%2.JPEG", 900).toStdString());
    }

    void classNamesComeFromKagglesList() {
        const auto labels = openLabels(request("imagenet100", flat_));
        QCOMPARE(labels.class_names[0], std::string("word 0"));
        QCOMPARE(labels.class_names[5], "crane (" + wnid(5).toStdString() + ")");
        QCOMPARE(labels.class_names[6], "crane (" + wnid(6).toStdString() + ")");
    }

    void picturesAreDecodedWhenAsked() {
        const auto data = openDataset(request("imagenet", sorted_));
        const auto pixel = data.test->image(999).at<cv::Vec3b>(1, 1);
        QVERIFY(std::abs(pixel[0] - 77) < 8 && std::abs(pixel[2] - 128) < 8);
        QVERIFY(inputErrorOf([&] { data.test->image(0); }).contains("is empty"));
    }

    void aFolderWithJustThePartsClassesWillDo() {
        QTemporaryDir folder;
        for (int c = 0; c < 100; ++c)
            for (const char* part : {"train/%1/a.JPEG", "val/%1/b.JPEG"})
                writeDeep(folder.filePath(name(part, c * 3)), {});
        const auto labels = openLabels(request("imagenet100", folder));
        QCOMPARE(labels.train.size(), std::size_t{100});
        QCOMPARE(labels.class_names[99], wnid(297).toStdString());
        const QString sentence = inputErrorOf([&] { openLabels(request("imagenet900", folder)); });
        QVERIFY2(sentence.contains("1000 class folders are expected, or just the 900 of ImageNet-900, but it has 100"),
                 qPrintable(sentence));
    }

    void aFolderOfOtherClassesIsRefused_data() {
        QTest::addColumn<int>("first");
        QTest::addColumn<QString>("right");
        QTest::addColumn<QString>("wrong");
        QTest::addColumn<QString>("says");
        QTest::newRow("the first hundred")
            << 1'440'764 << "imagenet100"
            << "imagenet-last100"
            << "are not those of ImageNet-1k, last 100 classes: n01440764 is another class";
        QTest::newRow("the last hundred") << 4'562'935 << "imagenet-last100"
                                          << "imagenet100"
                                          << "are not those of ImageNet-100: n04563034 is another class";
    }
    void aFolderOfOtherClassesIsRefused() {
        QFETCH(int, first);
        QFETCH(QString, right);
        QFETCH(QString, wrong);
        QFETCH(QString, says);
        QTemporaryDir folder;
        for (int c = 0; c < 100; ++c)
            for (const char* part : {"train/n%1/a.JPEG", "val/n%1/b.JPEG"})
                writeDeep(folder.filePath(QString(part).arg(first + c, 8, 10, QChar('0'))), {});
        QCOMPARE(openLabels(request(right, folder)).train.size(), std::size_t{100});
        const QString sentence = inputErrorOf([&] { openLabels(request(wrong, folder)); });
        QVERIFY2(sentence.contains("The 100 class folders in " + folder.filePath("train")) && sentence.contains(says),
                 qPrintable(sentence));
    }

    void nothingThereSaysWhereToAsk() {
        const QTemporaryDir folder;
        const QString sentence = inputErrorOf([&] { openDataset(request("imagenet900", folder)); });
        QVERIFY2(sentence.contains(folder.path()) && sentence.contains("Get it from https://www.image-net.org/"),
                 qPrintable(sentence));
    }

    void aFlatValidationNeedsASoundList_data() {
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("says");
        QTest::newRow("none") << "-"
                              << "there is no LOC_val_solution.csv beside them";
        QTest::newRow("no number") << "ImageId,PredictionString\na,cat 1 2\n"
                                   << "Line 2 of";
        QTest::newRow("no comma") << "ImageId,PredictionString\na b\n"
                                  << "a comma and a WordNet number, but is \"a b\"";
        QTest::newRow("empty") << ""
                               << "a.JPEG in";
        QTest::newRow("a picture missing") << "ImageId,PredictionString\na," + wnid(0) + " 1\nb," + wnid(1) + " 1\n"
                                           << "2 pictures are expected";
    }
    void aFlatValidationNeedsASoundList() {
        QFETCH(QString, content);
        QFETCH(QString, says);
        QTemporaryDir folder;
        for (int c = 0; c < 100; ++c) writeDeep(folder.filePath(name("train/%1/a.JPEG", c)), {});
        writeDeep(folder.filePath("val/a.JPEG"), {});
        if (content != "-") writeDeep(folder.filePath("LOC_val_solution.csv"), content.toUtf8());
        const QString sentence = inputErrorOf([&] { openLabels(request("imagenet100", folder)); });
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

private:
    /// %1: the class of a rank; %2: its number with eight digits.
    static QString name(const QString& pattern, int rank) {
        QString made = pattern;
        return made.replace("%1", wnid(rank)).replace("%2", QString("%1").arg(rank, 8, 10, QChar('0')));
    }
    static DatasetRequest request(const QString& dataset, const QTemporaryDir& folder) {
        return {.name = dataset.toStdString(), .root = folder.path().toStdString()};
    }

    QTemporaryDir sorted_;  ///< validation pictures in class folders
    QTemporaryDir flat_;    ///< as Kaggle's archive unpacks
};

PALIMPSEST_APPLESS_TEST(TestImageNet)

}  // namespace tst_imagenet

#include "tst_imagenet.moc"
