// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/idx.h"
#include "engine/support/stop_scope.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/idx_files.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_idx {

class TestIdx : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void imagesAreReadWhetherGzippedOrNot_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("packed");
        QTest::newRow("plain") << "images" << false;
        QTest::newRow("gzipped") << "images.gz" << true;
        QTest::newRow("gzipped under a plain name") << "images" << true;
        QTest::newRow("plain under a gzip name") << "images.gz" << false;
    }
    void imagesAreReadWhetherGzippedOrNot() {
        QFETCH(QString, name);
        QFETCH(bool, packed);
        const QByteArray bytes = idxImages(5, 3, 4);
        const auto images = readIdxImages(writeFile(folder_.filePath(name), packed ? gzipped(bytes) : bytes));
        QCOMPARE(images.count, 5);
        QCOMPARE(images.in_file, 5);
        QCOMPARE(images.rows, 3);
        QCOMPARE(images.columns, 4);
        QCOMPARE(images.pixels.size(), std::size_t{60});
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t p = 0; p < 12; ++p) QCOMPARE(images.pixels[i * 12 + p], static_cast<std::uint8_t>(i + p));
    }

    void aLongReadingCanBeGivenUp() {
        const auto path = write(idxImages(5, 3, 4));
        std::stop_source stop;
        stop.request_stop();
        const StopScope scope(stop.get_token());
        QVERIFY_EXCEPTION_THROWN(readIdxImages(path), GivenUp);
    }

    void onlyTheFirstImagesAreKeptWhenAsked() {
        const auto path = write(idxImages(5, 3, 4));
        const auto images = readIdxImages(path, 2);
        const auto all = readIdxImages(path);
        QCOMPARE(images.count, 2);
        QCOMPARE(images.in_file, 5);
        QCOMPARE(images.pixels, std::vector<std::uint8_t>(all.pixels.begin(), all.pixels.begin() + 24));
        QCOMPARE(readIdxImages(path, 99).count, 5);
    }

    void aFileLargerThanOneReadingStepArrivesWhole() {
        const QByteArray bytes = idxImages(3001, 32, 32);
        const auto images = readIdxImages(write(gzipped(bytes)), 2999);
        QCOMPARE(images.pixels.size(), std::size_t{2999} * 1024);
        const auto* expected = reinterpret_cast<const std::uint8_t*>(bytes.constData()) + 16;
        QVERIFY(std::equal(images.pixels.begin(), images.pixels.end(), expected));
    }

    void labelsAreReadInOrder() {
        const std::vector<std::uint8_t> expected{3, 1, 4, 1, 5};
        const QByteArray bytes = idxLabels(QByteArray("\3\1\4\1\5", 5));
        QCOMPARE(readIdxLabels(write(bytes)), expected);
        QCOMPARE(readIdxLabels(write(gzipped(bytes))), expected);
    }

    void emptyTablesAreReadAsEmpty() {
        QCOMPARE(readIdxImages(write(idxImages(0, 28, 28))).count, 0);
        QVERIFY(readIdxLabels(write(idxLabels({}))).empty());
    }

    void badImageFilesAreRefusedWithWhatIsWrong_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const QByteArray good = idxImages(5, 3, 4);
        QTest::newRow("empty") << QByteArray() << "cut short: it ends before its magic number";
        QTest::newRow("cut in the header") << good.left(10) << "it ends before its number of rows";
        QTest::newRow("a text") << QByteArray("hello, world\n")
                                << "should begin with 0x00000803 but begins with 0x68656c6c";
        QTest::newRow("labels") << idxLabels("abc") << "It holds labels; give the file with the images.";
        QTest::newRow("cut in the pixels") << good.left(40) << "need 60 bytes, but it holds 24";
        QTest::newRow("cut, then gzipped") << gzipped(good.left(40)) << "need 60 bytes, but it holds 24";
        QTest::newRow("one byte too many") << good + 'x' << "more bytes follow after 5 images of 3 by 4 pixels";
        QTest::newRow("gzipped, one byte too many") << gzipped(good + 'x') << "more bytes follow";
        QTest::newRow("no rows") << header({0x803, 5, 0, 4}) << "images of 0 by 4 pixels";
        QTest::newRow("absurd side") << header({0x803, 5, 0xFFFFFFFF, 4}) << "images of 4294967295 by 4 pixels";
        QTest::newRow("absurd count") << header({0x803, 0xFFFFFFFF, 16384, 16384}) << "far more than its 16 bytes";
        QTest::newRow("absurd count, gzipped") << gzipped(header({0x803, 0xFFFFFFFF, 28, 28})) << "can hold";
        QTest::newRow("gzip cut short") << gzipped(good).chopped(9) << "damaged: it ends too early";
        QTest::newRow("gzip cut in its header") << gzipped(good).left(5) << "damaged: it ends too early";
        QByteArray wrongSum = gzipped(good);
        wrongSum[wrongSum.size() - 6] = static_cast<char>(wrongSum[wrongSum.size() - 6] ^ 1);
        QTest::newRow("gzip with a wrong checksum") << wrongSum << "damaged: incorrect data check";
    }
    void badImageFilesAreRefusedWithWhatIsWrong() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto path = write(bytes);
        for (const std::int64_t keep : {0, 1}) {
            const QString sentence = inputErrorOf([&] { readIdxImages(path, keep); });
            QVERIFY2(sentence.contains(says), qPrintable(sentence));
            QVERIFY2(sentence.contains(QString::fromStdString(path.string())), qPrintable(sentence));
        }
    }

    void badLabelFilesAreRefusedWithWhatIsWrong_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        const QByteArray good = idxLabels("abcdef");
        QTest::newRow("images") << idxImages(5, 3, 4) << "It holds images; give the file with the labels.";
        QTest::newRow("cut short") << good.chopped(2) << "6 labels need 6 bytes, but it holds 4";
        QTest::newRow("too long") << good + 'x' << "more bytes follow after 6 labels";
        QTest::newRow("absurd count") << header({0x801, 0xFFFFFFFF}) << "promises 4294967295 labels";
    }
    void badLabelFilesAreRefusedWithWhatIsWrong() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const QString sentence = inputErrorOf([&] { readIdxLabels(write(bytes)); });
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

    void missingFilesAndFoldersAreNamed() {
        const auto missing = inputErrorOf([&] { readIdxLabels(folder_.filePath("nowhere").toStdString()); });
        QVERIFY2(missing.contains("nowhere does not exist"), qPrintable(missing));
        const auto folder = inputErrorOf([&] { readIdxLabels(folder_.path().toStdString()); });
        QVERIFY2(folder.contains("is not a file"), qPrintable(folder));
    }

private:
    std::filesystem::path write(const QByteArray& bytes) { return writeFile(folder_.filePath("file"), bytes); }

    QTemporaryDir folder_;
};

PALIMPSEST_APPLESS_TEST(TestIdx)

}  // namespace tst_idx

#include "tst_idx.moc"
