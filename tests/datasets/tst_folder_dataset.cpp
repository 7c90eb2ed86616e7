// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/picture_files.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_folder_dataset {

namespace {

using Names = std::vector<std::string>;
using Labels = std::vector<std::int32_t>;

Names namesOf(const ImageTable& table) {
    Names names;
    for (std::int64_t i = 0; i < table.size(); ++i) names.push_back(table.name(i));
    return names;
}

Labels labelsOf(const ImageTable& table) {
    return {table.labels().begin(), table.labels().end()};
}

}  // namespace

class TestFolderDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { folder_ = std::make_unique<QTemporaryDir>(); }

    void aFolderOfClassesIsSplitBySeedZero() {
        for (int i = 0; i < 6; ++i) picture(QString("cats/%1.png").arg(i), i);
        for (int i = 0; i < 4; ++i) picture(QString("dogs/%1.jpeg").arg(i), 6 + i);
        const auto data = open();
        QCOMPARE(data.name, std::string("folder"));
        QCOMPARE(data.class_names, (Names{"cats", "dogs"}));
        // torch.randperm(10) with seed 0 is 4 1 7 5 3 9 0 8 6 2.
        QCOMPARE(namesOf(*data.train), (Names{"cats/0.png", "cats/1.png", "cats/3.png", "cats/4.png", "cats/5.png",
                                              "dogs/1.jpeg", "dogs/2.jpeg", "dogs/3.jpeg"}));
        QCOMPARE(labelsOf(*data.train), (Labels{0, 0, 0, 0, 0, 1, 1, 1}));
        QCOMPARE(namesOf(*data.test), (Names{"cats/2.png", "dogs/0.jpeg"}));
        QCOMPARE(labelsOf(*data.test), (Labels{0, 1}));
        QCOMPARE(numberOf(data.train->image(2)), 3);
        QVERIFY(!data.train->identity().empty());
        QCOMPARE(data.load_shape, LoadShape::Square);
        QVERIFY(data.augment_policy.empty());
    }

    void trainAndTestFoldersAreTakenAsTheyAre_data() {
        QTest::addColumn<QString>("train");
        QTest::addColumn<QString>("test");
        QTest::newRow("train and test") << "train"
                                        << "test";
        QTest::newRow("capital letters") << "Train"
                                         << "TEST";
        QTest::newRow("train and val") << "train"
                                       << "val";
        QTest::newRow("training and validation") << "training"
                                                 << "validation";
    }
    void trainAndTestFoldersAreTakenAsTheyAre() {
        QFETCH(QString, train);
        QFETCH(QString, test);
        picture(train + "/b/1.png", 1);
        picture(train + "/b/2.png", 2);
        picture(train + "/a/1.png", 3);
        picture(test + "/b/9.png", 4);
        const auto data = open();
        QCOMPARE(data.class_names, (Names{"a", "b"}));
        QCOMPARE(labelsOf(*data.train), (Labels{0, 1, 1}));
        QCOMPARE(labelsOf(*data.test), (Labels{1}));
        QCOMPARE(numberOf(data.test->image(0)), 4);
        const auto labels = openLabels(request());
        QCOMPARE(labels.train, labelsOf(*data.train));
        QCOMPARE(labels.test, labelsOf(*data.test));
        QCOMPARE(labels.class_names, data.class_names);
    }

    void testGoesBeforeValidation() {
        for (const char* part : {"train", "val", "test"})
            for (const char* name : {"/a/1.png", "/b/1.png"}) picture(QString(part) + name, 1);
        picture("test/a/2.png", 2);
        QCOMPARE(open().test->size(), 3);
    }

    void aTrainFolderAloneIsSplit() {
        for (int i = 0; i < 5; ++i) picture(QString("train/a/%1.png").arg(i), i);
        for (int i = 0; i < 5; ++i) picture(QString("train/b/%1.png").arg(i), i);
        const auto data = open();
        QCOMPARE(data.class_names, (Names{"a", "b"}));
        QCOMPARE(data.train->size(), 8);
        QCOMPARE(data.test->size(), 2);
    }

    void aClassMayBeCalledTrain() {
        for (const char* name : {"car", "plane", "train"})
            for (int i = 0; i < 3; ++i) picture(QString("%1/%2.png").arg(name).arg(i), i);
        const auto data = open();
        QCOMPARE(data.class_names, (Names{"car", "plane", "train"}));
        QCOMPARE(data.train->size(), 7);
        QCOMPARE(data.test->size(), 2);
    }

    void limitsTakeFromEachClassInTurn() {
        for (int i = 0; i < 10; ++i) picture(QString("%1/%2.png").arg(i % 2 == 0 ? "a" : "b").arg(i), i);
        auto limited = request();
        limited.train_limit = 3;
        limited.test_limit = 1;
        const auto data = openDataset(limited);
        const auto whole = open();
        // The limit keeps two of the first class and one of the second; the first three would all be of one.
        QCOMPARE(labelsOf(*data.train), (Labels{0, 0, 1}));
        QCOMPARE(data.train->name(0), whole.train->name(0));
        QCOMPARE(data.train->name(1), whole.train->name(1));
        QCOMPARE(data.train->name(2).substr(0, 2), std::string("b/"));
        QCOMPARE(data.test->size(), 1);
        QCOMPARE(openLabels(limited).train, labelsOf(*data.train));
    }

    void unreadablePicturesAreFoundWhenTheyAreDecoded() {
        for (int i = 0; i < 5; ++i) picture(QString("a/%1.png").arg(i), i);
        for (int i = 0; i < 4; ++i) picture(QString("b/%1.png").arg(i), i);
        writeDeep(folder_->filePath("b/4.png"), "no picture");
        const auto data = open();
        int unreadable = 0;
        for (const auto& table : {data.train, data.test})
            for (std::int64_t i = 0; i < table->size(); ++i) {
                const QString sentence = inputErrorOf([&] { table->image(i); });
                if (sentence.isEmpty()) continue;
                ++unreadable;
                QVERIFY2(sentence.contains("b/4.png"), qPrintable(sentence));
                QCOMPARE(table->name(i), std::string("b/4.png"));
            }
        QCOMPARE(unreadable, 1);
    }

    void oddNamesBecomePlainText() {
        const std::filesystem::path odd = std::filesystem::path(folder_->path().toStdString()) / "a\xff\tb";
        std::filesystem::create_directory(odd);
        const QByteArray png = encoded(cv::Mat(2, 2, CV_8UC3, colourOf(1)), ".png");
        for (const char* name : {"1.png", "new\nline.png"}) {
            std::FILE* file = std::fopen((odd / name).c_str(), "wb");
            std::fwrite(png.constData(), 1, static_cast<std::size_t>(png.size()), file);
            std::fclose(file);
        }
        for (int i = 0; i < 3; ++i) picture(QString("z/%1.png").arg(i), i);
        const auto data = open();
        QCOMPARE(data.class_names, (Names{"a??b", "z"}));
        for (const auto& table : {data.train, data.test})
            for (std::int64_t i = 0; i < table->size(); ++i) {
                QVERIFY(table->name(i).find('\n') == std::string::npos);
                QVERIFY(!table->image(i).empty());
            }
        // QTemporaryDir cannot remove names that Qt cannot represent.
        QVERIFY(std::filesystem::remove_all(odd) > 0);
    }

    void whatIsNoDataSetSaysHowToMakeOne_data() {
        QTest::addColumn<QStringList>("files");
        QTest::addColumn<QString>("says");
        QTest::newRow("nothing") << QStringList{} << "has no class folders. Put the pictures of each class";
        QTest::newRow("loose pictures") << QStringList{"1.png", "2.png"} << "no class folders and 2 loose pictures";
        QTest::newRow("one class") << QStringList{"a/1.png"} << "a single class folder, a. Put";
        QTest::newRow("no pictures") << QStringList{"a/1.txt", "b/1.png", "b/2.png"}
                                     << "no pictures in a; 1 file of another kind was passed over.";
        QTest::newRow("no training classes")
            << QStringList{"train/1.png", "test/1.png"} << "train has no class folders and 1 loose";
        QTest::newRow("a class only in test")
            << QStringList{"train/a/1.png", "train/b/1.png", "test/c/1.png"} << "The class c in";
        QTest::newRow("no test pictures")
            << QStringList{"train/a/1.png", "train/b/1.png", "test/a/x.txt"} << "no test pictures in";
        QTest::newRow("one picture") << QStringList{"a/1.png", "b/1.txt"} << "no pictures in b";
    }
    void whatIsNoDataSetSaysHowToMakeOne() {
        QFETCH(QStringList, files);
        QFETCH(QString, says);
        for (const auto& file : files) picture(file, 1);
        const QString sentence = inputErrorOf([&] { open(); });
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(sentence.contains(folder_->path()), qPrintable(sentence));
        QCOMPARE(inputErrorOf([&] { openLabels(request()); }), sentence);
    }

    void theFolderMustBeNamed() {
        QVERIFY(inputErrorOf([&] { openDataset({.name = "folder"}); }).contains("stream.root"));
        const QString missing = inputErrorOf([&] { openDataset({.name = "folder", .root = "/nowhere/at/all"}); });
        QVERIFY2(missing.contains("/nowhere/at/all cannot be read"), qPrintable(missing));
    }

    void severalThreadsReadTheSamePictures() {
        for (int i = 0; i < 40; ++i) picture(QString("%1/%2.png").arg(i % 4).arg(i), i);
        QCOMPARE(differencesAcrossThreads(*open().train), 0);
    }

private:
    void picture(const QString& name, int number) { writeNumbered(folder_->filePath(name), number, ".png"); }
    DatasetRequest request() const { return {.name = "folder", .root = folder_->path().toStdString()}; }
    ImageDataset open() const { return openDataset(request()); }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestFolderDataset)

}  // namespace tst_folder_dataset

#include "tst_folder_dataset.moc"
