// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/listing.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_places365 {

class TestPlaces365 : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qunsetenv("PALIMPSEST_DATA");
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void listsSayWhichPictureIsOfWhichClass_data() {
        QTest::addColumn<QString>("train");
        QTest::addColumn<QString>("test");
        QTest::newRow("small, as torchvision names it") << "data_256_standard"
                                                        << "val_256";
        QTest::newRow("large, as torchvision names it") << "data_large_standard"
                                                        << "val_large";
        QTest::newRow("small, as the archives unpack") << "data_256"
                                                       << "val_256";
    }
    void listsSayWhichPictureIsOfWhichClass() {
        QFETCH(QString, train);
        QFETCH(QString, test);
        write(train, test);
        const auto data = openDataset(request());
        QCOMPARE(listed(*data.train), (std::vector<Listed>{{"a/airfield/00000001.png", 0},
                                                           {"z/zen_garden/00000002.png", 364},
                                                           {"a/airfield/00000003.png", 0}}));
        QCOMPARE(listed(*data.test),
                 (std::vector<Listed>{{"Places365_val_00000001.png", 364}, {"Places365_val_00000002.png", 7}}));
        QVERIFY(agrees(openLabels(request()), data));
        QCOMPARE(numberOf(data.train->image(1)), 2);
        QCOMPARE(numberOf(data.test->image(0)), 11);
        QCOMPARE(data.class_names.size(), std::size_t{365});
        QCOMPARE(data.class_names[0], std::string("airfield"));
        QCOMPARE(data.class_names[8], std::string("apartment building, outdoor"));
        QCOMPARE(data.load_shape, LoadShape::Square);
    }

    void faultsAreNamedWithTheirLine_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* file, const char* content, const char* part) {
            QTest::newRow(name) << QString(file) << QString(content) << QString(part);
        };
        row("a class too many", "places365_train_standard.txt", "/a/airfield/00000001.png 0\n/b/bar/1.png 365\n",
            "Line 2 of ");
        row("no number", "places365_val.txt", "Places365_val_00000001.png\n", "Line 1 of ");
        row("a number with something behind it", "places365_val.txt", "Places365_val_00000001.png 3x\n", "Line 1 of ");
        row("an empty list", "places365_val.txt", "\n", "names no picture");
        row("too few classes", "categories_places365.txt", "/a/airfield 0\n", "names 1 of the 365 classes");
    }
    void faultsAreNamedWithTheirLine() {
        QFETCH(QString, file);
        QFETCH(QString, content);
        QFETCH(QString, part);
        write("data_256_standard", "val_256");
        writeDeep(folder_->filePath("places365/" + file), content.toUtf8());
        const QString sentence = inputErrorOf([&] { openDataset(request()); });
        QVERIFY2(sentence.contains(part) && sentence.contains(file), qPrintable(sentence));
        QCOMPARE(inputErrorOf([&] { openLabels(request()); }), sentence);
    }

    void missingPicturesAndMissingListsAreNamed() {
        write("data_256_standard", "val_256");
        QVERIFY(QDir(folder_->filePath("places365/val_256")).removeRecursively());
        const QString pictures = inputErrorOf([&] { openDataset(request()); });
        QVERIFY2(pictures.contains("val_256, val_large"), qPrintable(pictures));
        QVERIFY(QFile::remove(folder_->filePath("places365/places365_val.txt")));
        const QString lists = inputErrorOf([&] { openDataset(request()); });
        QVERIFY2(lists.contains("places365_val.txt") && lists.contains(folder_->path()), qPrintable(lists));
    }

private:
    void write(const QString& train, const QString& test) const {
        const QString below = folder_->filePath("places365/");
        QByteArray categories;
        for (int c = 0; c < 365; ++c) {
            const QString name = c == 0     ? "/a/airfield"
                                 : c == 8   ? "/a/apartment_building/outdoor"
                                 : c == 364 ? "/z/zen_garden"
                                            : QString("/m/place_%1").arg(c);
            categories += name.toUtf8() + " " + QByteArray::number(c) + "\n";
        }
        writeDeep(below + "categories_places365.txt", categories);
        writeDeep(below + "places365_train_standard.txt",
                  "/a/airfield/00000001.png 0\n/z/zen_garden/00000002.png 364\n/a/airfield/00000003.png 0\n");
        writeDeep(below + "places365_val.txt", "Places365_val_00000001.png 364\nPlaces365_val_00000002.png 7\n");
        writeNumbered(below + train + "/a/airfield/00000001.png", 1, ".png");
        writeNumbered(below + train + "/z/zen_garden/00000002.png", 2, ".png");
        writeNumbered(below + train + "/a/airfield/00000003.png", 3, ".png");
        writeNumbered(below + test + "/Places365_val_00000001.png", 11, ".png");
        writeNumbered(below + test + "/Places365_val_00000002.png", 12, ".png");
    }
    DatasetRequest request() const { return {.name = "places365", .root = folder_->path().toStdString()}; }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestPlaces365)

}  // namespace tst_places365

#include "tst_places365.moc"
