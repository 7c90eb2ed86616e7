// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/listing.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_tiny_imagenet {

namespace {

/// Lines of wnids.txt, deliberately not sorted, as in the original.
const QStringList kWnids{"n02124075", "n04067472", "n01443537", "n09428293"};

}  // namespace

class TestTinyImageNet : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        qunsetenv("PALIMPSEST_DATA");
        write("wnids.txt", kWnids.join('\n').toUtf8() + "\n");
        write("words.txt",
              "n00001740\tentity\nn01443537\tgoldfish, Carassius auratus\nn02124075\tEgyptian cat\n"
              "n04067472\treel\nn09428293\tseashore, coast, seacoast, sea-coast\n");
        for (int c = 0; c < kWnids.size(); ++c) {
            const QString name = kWnids[c];
            for (const int i : {0, 1, 2, 10}) {
                write(QString("train/%1/images/%1_%2.JPEG").arg(name).arg(i), jpeg(40 * c + i));
            }
            write("train/" + name + "/" + name + "_boxes.txt", name.toUtf8() + "_0.JPEG\t0\t0\t63\t63\n");
        }
        QByteArray annotations;
        for (const int i : {3, 0, 11, 1, 2, 10}) {
            write(QString("val/images/val_%1.JPEG").arg(i), jpeg(100 + i));
            annotations += QString("val_%1.JPEG\t%2\t0\t32\t44\t62\n").arg(i).arg(kWnids[i % 4]).toUtf8();
        }
        write("val/val_annotations.txt", annotations);
        write("test/images/test_0.JPEG", jpeg(7));
    }

    void classesAreTheLinesOfWnidsAndTrainingFollowsTheFolders() {
        const auto data = openDataset(request());
        QCOMPARE(data.class_names, (std::vector<std::string>{"Egyptian cat", "reel", "goldfish", "seashore"}));
        std::vector<Listed> expected;
        for (const auto& [name, label] : {std::pair{"n01443537", 2}, std::pair{"n02124075", 0},
                                          std::pair{"n04067472", 1}, std::pair{"n09428293", 3}})
            for (const char* i : {"0", "1", "10", "2"})
                expected.emplace_back(std::string(name) + "/images/" + name + "_" + i + ".JPEG", label);
        QCOMPARE(listed(*data.train), expected);
        QVERIFY(agrees(openLabels(request()), data));
        QCOMPARE(data.load_shape, LoadShape::Square);
        QCOMPARE(data.augment_policy, std::string("imagenet"));
        const std::array<float, 3> mean{0.4802F, 0.4481F, 0.3975F};
        QCOMPARE(data.mean, mean);
    }

    void validationFollowsTheFileNamesWithTheAnnotatedLabels() {
        const auto data = openDataset(request());
        std::vector<Listed> expected;
        for (const int i : {0, 1, 10, 11, 2, 3})
            expected.emplace_back("images/val_" + std::to_string(i) + ".JPEG", static_cast<std::int32_t>(i % 4));
        QCOMPARE(listed(*data.test), expected);
    }

    void picturesAreDecodedInColour() {
        const auto data = openDataset(request());
        const cv::Mat picture = data.test->image(2);
        QCOMPARE(picture.size(), cv::Size(64, 64));
        const auto pixel = picture.at<cv::Vec3b>(30, 30);
        QVERIFY(std::abs(pixel[0] - 110) < 6 && pixel[1] < 6 && std::abs(pixel[2] - 128) < 6);
        write("val/images/val_10.JPEG", jpeg(110).chopped(30));
        QVERIFY(inputErrorOf([&] { data.test->image(2); }).contains("val_10.JPEG is cut short"));
    }

    void theFolderIsFoundWhereAFetchPutsIt() {
        QVERIFY(QDir().mkpath(folder_->filePath("tinyimagenet")));
        QVERIFY(
            QDir().rename(folder_->filePath("tiny-imagenet-200"), folder_->filePath("tinyimagenet/tiny-imagenet-200")));
        qputenv("PALIMPSEST_DATA", folder_->path().toUtf8());
        QCOMPARE(openLabels({.name = "tinyimagenet"}).train.size(), std::size_t{16});
        QCOMPARE(openLabels(request()).train.size(), std::size_t{16});
    }

    void classesWithoutWordsKeepTheirNumbers() {
        QVERIFY(QFile::remove(path("words.txt")));
        QCOMPARE(openLabels(request()).class_names[1], std::string("n04067472"));
        write("words.txt", "n04067472\treel\nn01443537\treel\ngarbage\nn02124075\n");
        QCOMPARE(openLabels(request()).class_names,
                 (std::vector<std::string>{"n02124075", "reel (n04067472)", "reel (n01443537)", "n09428293"}));
    }

    void windowsLineEndsAreUnderstood() {
        write("wnids.txt", kWnids.join("\r\n").toUtf8());
        QCOMPARE(openLabels(request()).class_names[2], std::string("goldfish"));
    }

    void whatIsMissingOrWrongIsNamed_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("content");
        QTest::addColumn<QString>("says");
        const QString gone = "-";
        QTest::newRow("no wnids") << "wnids.txt" << gone << "looked for wnids.txt, train and val in";
        QTest::newRow("no annotations") << "val/val_annotations.txt" << gone << "val_annotations.txt does not exist";
        QTest::newRow("no names in wnids") << "wnids.txt"
                                           << "\n"
                                           << "names no class";
        QTest::newRow("no number") << "wnids.txt"
                                   << "n02124075\ncat\n"
                                   << "Line 2 of";
        QTest::newRow("a number twice") << "wnids.txt"
                                        << "n02124075\nn02124075\n"
                                        << "each once";
        QTest::newRow("a class too few") << "wnids.txt"
                                         << "n02124075\n"
                                         << "1 are expected, and it has 4";
        QTest::newRow("a class too many") << "wnids.txt" << kWnids.join('\n') + "\nn99999999"
                                          << "5 are expected, and it has 4";
        QTest::newRow("another class") << "wnids.txt"
                                       << "n02124075\nn04067472\nn01443537\nn99999999"
                                       << "are not those of";
        QTest::newRow("a validation picture missing")
            << "val/images/val_11.JPEG" << gone << "6 pictures are expected after";
        QTest::newRow("a validation picture too many") << "val/images/val_99.JPEG"
                                                       << "x"
                                                       << "val_99.JPEG in";
        QTest::newRow("annotation without class") << "val/val_annotations.txt"
                                                  << "val_0.JPEG\n"
                                                  << "Line 1 of";
        QTest::newRow("annotation of another class") << "val/val_annotations.txt"
                                                     << "val_0.JPEG\tn00000001\t0\t0\t1\t1\n"
                                                     << "a class of wnids.txt, but is";
    }
    void whatIsMissingOrWrongIsNamed() {
        QFETCH(QString, file);
        QFETCH(QString, content);
        QFETCH(QString, says);
        if (content == "-")
            QVERIFY(QFile::remove(path(file)));
        else
            write(file, content.toUtf8());
        const QString sentence = inputErrorOf([&] { openDataset(request()); });
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
        QVERIFY2(sentence.contains(folder_->path()), qPrintable(sentence));
        QCOMPARE(inputErrorOf([&] { openLabels(request()); }), sentence);
    }

    void nothingThereNamesTheFolderAndTheFetch() {
        QVERIFY(QDir(path("")).removeRecursively());
        const QString sentence = inputErrorOf([&] { openDataset(request()); });
        QVERIFY2(sentence.contains(folder_->path()) && sentence.contains("palimpsest-cli dataset fetch tinyimagenet"),
                 qPrintable(sentence));
    }

    void cutOrDamagedListsAreReadOrRefusedAndNothingElse() {
        for (const char* name : {"wnids.txt", "val/val_annotations.txt", "words.txt"}) {
            QFile file(path(name));
            QVERIFY(file.open(QIODevice::ReadOnly));
            const QByteArray whole = file.readAll();
            int refusals = 0;
            const auto attempt = [&](const QByteArray& bytes) {
                write(name, bytes);
                refusals += refused([&] { openDataset(request()); }) ? 1 : 0;
            };
            for (qsizetype length = 0; length + 1 < whole.size(); ++length) attempt(whole.left(length));
            for (unsigned round = 0; round < 100; ++round) attempt(damaged(whole, round));
            QVERIFY2(refusals > 50 || QString(name) == "words.txt", name);
            write(name, whole);
        }
    }

private:
    QString path(const QString& name) const { return folder_->filePath("tiny-imagenet-200/" + name); }
    void write(const QString& name, const QByteArray& bytes) { writeDeep(path(name), bytes); }
    static QByteArray jpeg(int number) { return encoded(cv::Mat(64, 64, CV_8UC3, colourOf(number)), ".jpg"); }
    DatasetRequest request() const { return {.name = "tinyimagenet", .root = folder_->path().toStdString()}; }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestTinyImageNet)

}  // namespace tst_tiny_imagenet

#include "tst_tiny_imagenet.moc"
