// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/image_file.h"
#include "engine/support/error.h"
#include "engine/support/module_stamp.h"
#include "engine/support/own_module.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/picture_files.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <sys/stat.h>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_image_file {

namespace {

void addFormats() {
    QTest::addColumn<QString>("ending");
    for (const char* ending : {".png", ".bmp", ".ppm", ".tif", ".jpg", ".webp"}) QTest::newRow(ending) << ending;
}

/// A picture that claims to be large, without any data.
QByteArray bomb(const QString& ending) {
    const auto little = [](std::uint32_t value) {
        QByteArray bytes;
        for (int shift = 0; shift < 32; shift += 8) bytes.append(static_cast<char>(value >> shift & 0xFFU));
        return bytes;
    };
    const std::uint32_t side = 50000;
    if (ending == ".png")
        return QByteArray("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16) + bigEndian(side) + bigEndian(side) +
               QByteArray("\x08\x02\0\0\0\0\0\0\0", 9) + "IEND1234";
    if (ending == ".bmp") return "BM" + QByteArray(12, '\0') + little(40) + little(side) + little(side);
    if (ending == ".ppm") return "P6\n# a comment with 7 in it\n50000 50000 255\n";
    if (ending == ".tif")
        return QByteArray("II*\0\x08\0\0\0\x02\0", 10) + QByteArray("\0\1\4\0\1\0\0\0", 8) + little(side) +
               QByteArray("\1\1\4\0\1\0\0\0", 8) + little(side);
    if (ending == ".jpg")
        return QByteArray("\xff\xd8\xff\xe0\0\4..\xff\xc0\0\x11\x08", 13) + QByteArray("\xc3\x50\xc3\x50", 4) +
               QByteArray(8, '\1') + "\xff\xd9";
    return "RIFF" + little(22) + "WEBPVP8X" + little(10) + QByteArray(4, '\0') + QByteArray("\x50\xc3\0\x50\xc3\0", 6);
}

}  // namespace

class TestImageFile : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// A version alone would let a module of an older build in.
    void theCodecsHaveAStampOfTheirBuild() {
        const std::filesystem::path file = ownModule("libpalimpsest-codecs.so");
        MarkedModule module{"module", "palimpsest_codecs", PALIMPSEST_CODECS_MARK, PALIMPSEST_MODULE_STAMP};
        requireOwnMark(file, module);
        module.own = PALIMPSEST_VERSION " 0123456789abcdef";
        QVERIFY_EXCEPTION_THROWN(requireOwnMark(file, module), Error);
        module.mark = PALIMPSEST_ENGINE_MARK;
        QVERIFY_EXCEPTION_THROWN(requireOwnMark(file, module), Error);
    }

    void picturesComeInRgbOrder_data() { addFormats(); }
    void picturesComeInRgbOrder() {
        QFETCH(QString, ending);
        for (const cv::Size size : {cv::Size(37, 22), cv::Size(1, 1), cv::Size(3, 40)}) {
            const cv::Mat expected = gradient(size.width, size.height);
            const cv::Mat found = readImageFile(write(encoded(expected, ending.toStdString())));
            QCOMPARE(found.type(), CV_8UC3);
            QCOMPARE(found.size(), size);
            const bool lossy = ending == ".jpg" || ending == ".webp";
            QVERIFY(lossy ? difference(found, expected) < 0.1 : same(found, expected));
        }
        // Saturated colours reveal the channel order even if compression changes values.
        const cv::Mat orange =
            readImageFile(write(encoded(cv::Mat(16, 16, CV_8UC3, {250, 120, 5}), ending.toStdString())));
        const auto pixel = orange.at<cv::Vec3b>(8, 8);
        QVERIFY(pixel[0] > 230 && pixel[1] > 100 && pixel[1] < 140 && pixel[2] < 25);
    }

    void greyIsCopiedToAllChannels_data() {
        QTest::addColumn<QString>("ending");
        for (const char* ending : {".png", ".bmp", ".pgm", ".tif", ".jpg"}) QTest::newRow(ending) << ending;
    }
    void greyIsCopiedToAllChannels() {
        QFETCH(QString, ending);
        const cv::Mat picture =
            readImageFile(write(encoded(cv::Mat(9, 7, CV_8UC1, cv::Scalar(77)), ending.toStdString())));
        QCOMPARE(picture.type(), CV_8UC3);
        const auto pixel = picture.at<cv::Vec3b>(4, 4);
        QVERIFY(pixel[0] == pixel[1] && pixel[1] == pixel[2] && std::abs(pixel[0] - 77) <= 1);
    }

    void transparencyIsIgnored() {
        cv::Mat bgra(2, 2, CV_8UC4, cv::Scalar(10, 20, 200, 0));
        const cv::Mat picture = readImageFile(write(encoded(bgra, ".png")));
        QCOMPARE(picture.at<cv::Vec3b>(0, 0), cv::Vec3b(200, 20, 10));
    }

    void orientationIsIgnoredAsPilDoes() {
        // Exif data with a rotation by 90 degrees.
        const QByteArray exif(
            "\xff\xe1\0\x22"
            "Exif\0\0MM\0*\0\0\0\x08\0\1\x01\x12\0\3\0\0\0\1\0\6\0\0\0\0\0\0",
            36);
        QByteArray jpeg = encoded(gradient(20, 10), ".jpg");
        jpeg.insert(2, exif);
        QCOMPARE(readImageFile(write(jpeg)).size(), cv::Size(20, 10));
    }

    void theContentDecidesNotTheName() {
        const auto path = writeFile(folder_.filePath("picture.jpg"), encoded(gradient(5, 5), ".png"));
        QVERIFY(same(readImageFile(path), gradient(5, 5)));
    }

    void aCutPictureIsRefusedWhereverItIsCut_data() { addFormats(); }
    void aCutPictureIsRefusedWhereverItIsCut() {
        QFETCH(QString, ending);
        const QByteArray whole = encoded(gradient(37, 22), ending.toStdString());
        for (qsizetype length = 0; length < whole.size(); ++length) {
            const auto path = write(whole.left(length));
            QVERIFY2(refused([&] { readImageFile(path); }),
                     qPrintable(QString("%1 of %2").arg(length).arg(whole.size())));
        }
    }

    void aDamagedPictureIsReadOrRefusedAndNothingElse_data() { addFormats(); }
    void aDamagedPictureIsReadOrRefusedAndNothingElse() {
        QFETCH(QString, ending);
        const QByteArray whole = encoded(gradient(37, 22), ending.toStdString());
        int refusals = 0;
        for (unsigned round = 0; round < 150; ++round) {
            const auto path = write(damaged(whole, round));
            try {
                const cv::Mat picture = readImageFile(path);
                QVERIFY(!picture.empty() && picture.type() == CV_8UC3);
            } catch (const Error&) {
                ++refusals;
            }
        }
        QVERIFY(refusals > 0);
    }

    void aPictureOfTooManyPixelsIsRefusedBeforeItIsDecoded_data() { addFormats(); }
    void aPictureOfTooManyPixelsIsRefusedBeforeItIsDecoded() {
        QFETCH(QString, ending);
        const auto path = write(bomb(ending));
        const QString sentence = inputErrorOf([&] { readImageFile(path); });
        const QString size = ending == ".webp" ? "50001 by 50001" : "50000 by 50000";
        QVERIFY2(sentence.contains(size + " pixels, where at most 100000000"), qPrintable(sentence));
    }

    void whatIsNoPictureIsNamed_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("says");
        QTest::newRow("empty") << QByteArray() << "is empty";
        QTest::newRow("a text") << QByteArray("hello\n") << "is not a picture of a known kind";
        QTest::newRow("one byte") << QByteArray("P") << "is not a picture of a known kind";
        QTest::newRow("only a signature") << QByteArray("\x89PNG\r\n\x1a\n") << "is cut short at 8 bytes";
        QTest::newRow("no size") << QByteArray("P6\n0 0 255\n") << "is damaged and cannot be decoded";
        QTest::newRow("a tiff without size") << QByteArray("II*\0\x08\0\0\0\0\0", 10) << "is damaged";
    }
    void whatIsNoPictureIsNamed() {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, says);
        const auto path = write(bytes);
        const QString sentence = inputErrorOf([&] { readImageFile(path); });
        QVERIFY2(sentence.contains(says) && sentence.contains("picture"), qPrintable(sentence));
    }

    void whatIsNoFileIsNamed() {
        const std::filesystem::path folder = folder_.path().toStdString();
        QVERIFY(inputErrorOf([&] { readImageFile(folder / "none.png"); }).contains("none.png does not exist"));
        QVERIFY(inputErrorOf([&] { readImageFile(folder); }).contains("is not a file"));
        // Opening a pipe would block for ever.
        QCOMPARE(mkfifo((folder / "pipe.png").c_str(), 0600), 0);
        QVERIFY(inputErrorOf([&] { readImageFile(folder / "pipe.png"); }).contains("is not a file"));
    }

    void oddNamesAreShownPlainly() {
        const std::filesystem::path path = std::filesystem::path(folder_.path().toStdString()) / "a\xff\n.png";
        std::FILE* file = std::fopen(path.c_str(), "wb");
        QVERIFY(file != nullptr);
        std::fputs("no picture", file);
        std::fclose(file);
        const QString sentence = inputErrorOf([&] { readImageFile(path); });
        QVERIFY2(sentence.contains("a??.png"), qPrintable(sentence));
        // QTemporaryDir cannot remove names that Qt cannot represent.
        QVERIFY(std::filesystem::remove(path));
    }

    void endingsThatTorchvisionTakesForPictures_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("picture");
        for (const char* name :
             {"a.jpg", "a.JPEG", "a.png", "a.ppm", "a.Bmp", "a.pgm", "a.tif", "a.TIFF", "a.webp", "a.b.jpg", ".jpg"})
            QTest::newRow(name) << name << true;
        for (const char* name : {"a.gif", "a.txt", "jpg", "a.jpg.txt", "a.jp", "", "a.csv"})
            QTest::newRow(QByteArray("not ") + name) << name << false;
    }
    void endingsThatTorchvisionTakesForPictures() {
        QFETCH(QString, name);
        QFETCH(bool, picture);
        QCOMPARE(isImageName(name.toStdString()), picture);
    }

private:
    std::filesystem::path write(const QByteArray& bytes) { return writeFile(folder_.filePath("picture"), bytes); }

    QTemporaryDir folder_;
};

PALIMPSEST_APPLESS_TEST(TestImageFile)

}  // namespace tst_image_file

#include "tst_image_file.moc"
