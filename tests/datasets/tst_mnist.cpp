// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/idx_files.h"
#include "tests/datasets/listing.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_mnist {

class TestMnist : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qunsetenv("PALIMPSEST_DATA");
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void digitsAreReadWhereverToolsPutThem_data() {
        QTest::addColumn<QString>("below");
        QTest::newRow("the folder itself") << "";
        QTest::newRow("as torchvision unpacks it") << "/MNIST/raw";
        QTest::newRow("where a fetch puts it") << "/mnist";
    }
    void digitsAreReadWhereverToolsPutThem() {
        QFETCH(QString, below);
        write(below);
        const auto data = openDataset(request());
        QCOMPARE(data.title, std::string("MNIST"));
        QCOMPARE(data.class_names.size(), std::size_t{10});
        QCOMPARE(data.class_names[7], std::string("7"));
        QCOMPARE(data.train->size(), 12);
        QCOMPARE(data.train->labels()[11], 4);
        QCOMPARE(data.test->image(2).at<std::uint8_t>(0, 1), std::uint8_t{3});
        QVERIFY(agrees(openLabels(request()), data));
        QCOMPARE(data.mean[0], 0.1307F);
        QCOMPARE(data.load_shape, LoadShape::Native);
        QVERIFY(data.augment_policy.empty());
        qputenv("PALIMPSEST_DATA", folder_->path().toUtf8());
        QCOMPARE(openLabels({.name = "mnist"}).test.size(), std::size_t{4});
    }

    void theDataSetsOwnFolderGoesBeforeFilesOfThoseNamesInTheRoot() {
        write("/mnist");
        // Fashion-MNIST's files have the same names.
        for (const char* part : {"train", "t10k"}) {
            writeFile(folder_->filePath(QString("%1-images-idx3-ubyte").arg(part)), idxImages(2, 28, 28));
            writeFile(folder_->filePath(QString("%1-labels-idx1-ubyte").arg(part)), idxLabels("\x09\x09"));
        }
        QCOMPARE(openDataset(request()).train->size(), 12);
        QCOMPARE(openLabels(request()).test.size(), std::size_t{4});
    }

    void aFetchThatWasStoppedDoesNotHideACompleteCopy() {
        write("/mnist");
        QVERIFY(QFile::remove(folder_->filePath("mnist/t10k-labels-idx1-ubyte.gz")));
        QVERIFY(inputErrorOf([&] { openDataset(request()); }).contains("mnist is incomplete: it lacks t10k-labels"));
        write("/MNIST/raw");
        QCOMPARE(openLabels(request()).train.size(), std::size_t{12});
    }

    void filesOfFashionMnistAreNotReadAsDigits() {
        write("");
        // Sizes of Fashion-MNIST's packed files; bytes after a gzip stream are not part of it.
        for (const auto& [name, size] : {std::pair{"train-images-idx3-ubyte.gz", 26'421'880},
                                         {"train-labels-idx1-ubyte.gz", 29'515},
                                         {"t10k-images-idx3-ubyte.gz", 4'422'102},
                                         {"t10k-labels-idx1-ubyte.gz", 5'148}})
            QVERIFY(QFile::resize(folder_->filePath(name), size));
        const QString sentence = inputErrorOf([&] { openDataset(request()); });
        QVERIFY2(
            sentence.contains("MNIST was not found: looked for its train-images-idx3-ubyte.gz in " + folder_->path()),
            qPrintable(sentence));
        write("/MNIST/raw");
        QCOMPARE(openDataset(request()).train->size(), 12);
    }

    void missingFilesNameTheFetchAndTheFolder() {
        const QString sentence = inputErrorOf([&] { openDataset(request()); });
        QVERIFY2(sentence.contains(folder_->path()) && sentence.contains("palimpsest-cli dataset fetch mnist"),
                 qPrintable(sentence));
        QVERIFY(!sentence.contains("apt"));
        write("");
        QVERIFY(QFile::remove(folder_->filePath("t10k-images-idx3-ubyte.gz")));
        QVERIFY(inputErrorOf([&] { openDataset(request()); }).contains("it lacks t10k-images-idx3-ubyte.gz."));
    }

    void labelsBeyondNineAreRefused() {
        write("");
        writeFile(folder_->filePath("train-labels-idx1-ubyte.gz"), idxLabels("\x0b"));
        QVERIFY(inputErrorOf([&] { openLabels(request()); }).contains("the label 11, where MNIST has 0 to 9"));
    }

private:
    void write(const QString& below) {
        const QString folder = folder_->path() + below;
        writeDeep(folder + "/train-images-idx3-ubyte.gz", gzipped(idxImages(12, 28, 28)));
        writeDeep(folder + "/train-labels-idx1-ubyte.gz",
                  gzipped(idxLabels(QByteArray("\5\0\4\1\x09\2\1\3\1\4\3\4", 12))));
        writeDeep(folder + "/t10k-images-idx3-ubyte.gz", gzipped(idxImages(4, 28, 28)));
        writeDeep(folder + "/t10k-labels-idx1-ubyte.gz", gzipped(idxLabels(QByteArray("\7\2\1\0", 4))));
    }
    DatasetRequest request() const { return {.name = "mnist", .root = folder_->path().toStdString()}; }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestMnist)

}  // namespace tst_mnist

#include "tst_mnist.moc"
