// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/fetching/fetch.h"
#include "datasets/table/image_dataset.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/idx_files.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>
#include <array>
#include <atomic>
#include <cmath>
#include <opencv2/core.hpp>
#include <thread>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_fashion_mnist {

namespace {

constexpr const char* kName = "fashion-mnist";
const QString kDebianFolder = "/usr/share/datasets/fashion-mnist";

QByteArray labelBytes(int count) {
    QByteArray labels;
    for (int i = 0; i < count; ++i) labels.append(static_cast<char>(i % 10));
    return labels;
}

/// A small data set of the real layout: 40 train and 20 test images, the test files not gzipped.
void writeSmallSet(const QString& folder) {
    QDir().mkpath(folder);
    writeFile(folder + "/train-images-idx3-ubyte.gz", gzipped(idxImages(40, 28, 28)));
    writeFile(folder + "/train-labels-idx1-ubyte.gz", gzipped(idxLabels(labelBytes(40))));
    writeFile(folder + "/t10k-images-idx3-ubyte", idxImages(20, 28, 28));
    writeFile(folder + "/t10k-labels-idx1-ubyte", idxLabels(labelBytes(20)));
}

DatasetRequest requestAt(const QString& root) {
    return {.name = kName, .root = root.toStdString()};
}

}  // namespace

class TestFashionMnist : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        qunsetenv("PALIMPSEST_DATA");
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void filesAreFoundInTheUsualLayouts_data() {
        QTest::addColumn<QString>("below");
        QTest::newRow("the folder itself") << "";
        QTest::newRow("a folder of data sets") << "/fashion-mnist";
        QTest::newRow("as torchvision unpacks it") << "/FashionMNIST/raw";
    }
    void filesAreFoundInTheUsualLayouts() {
        QFETCH(QString, below);
        writeSmallSet(folder_->path() + below);
        const auto byRoot = openDataset(requestAt(folder_->path()));
        QCOMPARE(byRoot.train->size(), 40);
        QCOMPARE(byRoot.test->size(), 20);
        qputenv("PALIMPSEST_DATA", folder_->path().toUtf8());
        QCOMPARE(openDataset({.name = kName}).train->size(), 40);
    }

    void whatTheLoaderFindsElsewhereNeedsNoFetch() {
        const QString place = folder_->path() + "/FashionMNIST/raw";
        writeSmallSet(place);
        qputenv("PALIMPSEST_DATA", folder_->path().toUtf8());
        FetchSettings settings;
        settings.offline = true;
        const FetchOutcome outcome = fetchDataset(kName, settings);
        QVERIFY(outcome.elsewhere && !outcome.stopped);
        QCOMPARE(outcome.folder.string(), place.toStdString());
        QCOMPARE(openLabels({.name = kName}).folder, outcome.folder);
        settings.root = folder_->path().toStdString();
        QVERIFY(inputErrorOf([&] { fetchDataset(kName, settings); }).contains("are missing in"));
    }

    void aTruncatedFileElsewhereIsNoDataSet() {
        const QString place = folder_->path() + "/FashionMNIST/raw";
        writeSmallSet(place);
        writeFile(place + "/t10k-images-idx3-ubyte", idxImages(20, 28, 28).chopped(5));
        qputenv("PALIMPSEST_DATA", folder_->path().toUtf8());
        FetchSettings settings;
        settings.offline = true;
        QVERIFY(inputErrorOf([&] { fetchDataset(kName, settings); }).contains("are missing in"));
    }

    void imagesAndLabelsMatchTheFiles() {
        writeSmallSet(folder_->path());
        const auto data = openDataset(requestAt(folder_->path()));
        QCOMPARE(data.class_names.size(), std::size_t{10});
        QCOMPARE(data.class_names[9], std::string("Ankle boot"));
        for (const auto& table : {data.train, data.test}) {
            QCOMPARE(static_cast<std::int64_t>(table->labels().size()), table->size());
            for (std::int64_t i = 0; i < table->size(); ++i) {
                const cv::Mat picture = table->image(i);
                QCOMPARE(picture.type(), CV_8UC1);
                QCOMPARE(picture.size(), cv::Size(28, 28));
                QCOMPARE(picture.at<std::uint8_t>(2, 3), static_cast<std::uint8_t>(i + 2 * 28 + 3));
                QCOMPARE(table->labels()[static_cast<std::size_t>(i)], static_cast<std::int32_t>(i % 10));
            }
        }
    }

    void changingAPictureLeavesTheDataSetAlone() {
        writeSmallSet(folder_->path());
        const auto data = openDataset(requestAt(folder_->path()));
        data.train->image(3).setTo(cv::Scalar(99));
        QCOMPARE(data.train->image(3).at<std::uint8_t>(0, 0), std::uint8_t{3});
    }

    void limitsKeepTheFirstSamples() {
        writeSmallSet(folder_->path());
        auto request = requestAt(folder_->path());
        request.train_limit = 7;
        request.test_limit = 500;
        const auto data = openDataset(request);
        QCOMPARE(data.train->size(), 7);
        QCOMPARE(data.train->labels().size(), std::size_t{7});
        QCOMPARE(data.train->image(6).at<std::uint8_t>(0, 0), std::uint8_t{6});
        QCOMPARE(data.test->size(), 20);
        const auto labels = openLabels(request);
        QVERIFY(std::equal(labels.train.begin(), labels.train.end(), data.train->labels().begin(),
                           data.train->labels().end()));
        QCOMPARE(labels.test.size(), std::size_t{20});
    }

    void imagesBeyondTheTableAreRefused() {
        writeSmallSet(folder_->path());
        const auto data = openDataset(requestAt(folder_->path()));
        QVERIFY(inputErrorOf([&] { data.train->image(40); }).contains("no image 40"));
        QVERIFY(inputErrorOf([&] { data.train->image(-1); }).contains("no image -1"));
    }

    void missingFilesNameThePackageAndTheAlternative() {
        const QString sentence = inputErrorOf([&] { openDataset(requestAt(folder_->path())); });
        QVERIFY2(sentence.contains(folder_->path()), qPrintable(sentence));
        QVERIFY2(sentence.contains("sudo apt install dataset-fashion-mnist"), qPrintable(sentence));
        QVERIFY2(sentence.contains("palimpsest-cli dataset fetch fashion-mnist"), qPrintable(sentence));
        QVERIFY2(sentence.contains("PALIMPSEST_DATA"), qPrintable(sentence));
        QVERIFY2(sentence.contains("Data folder (stream.root)"), qPrintable(sentence));
        QCOMPARE(inputErrorOf([&] { openLabels(requestAt(folder_->path())); }), sentence);
    }

    void anIncompleteFolderSaysWhichFileItLacks() {
        writeSmallSet(folder_->path());
        QVERIFY(QFile::remove(folder_->filePath("t10k-labels-idx1-ubyte")));
        const QString sentence = inputErrorOf([&] { openDataset(requestAt(folder_->path())); });
        QVERIFY2(sentence.contains("it lacks t10k-labels-idx1-ubyte.gz."), qPrintable(sentence));
    }

    void moreOrFewerLabelsThanImagesAreRefused_data() {
        QTest::addColumn<int>("labels");
        QTest::addColumn<qint64>("limit");
        QTest::newRow("fewer") << 39 << qint64{0};
        QTest::newRow("more") << 41 << qint64{0};
        QTest::newRow("more than images, beyond the limit") << 41 << qint64{10};
    }
    void moreOrFewerLabelsThanImagesAreRefused() {
        QFETCH(int, labels);
        QFETCH(qint64, limit);
        writeSmallSet(folder_->path());
        writeFile(folder_->filePath("train-labels-idx1-ubyte.gz"), idxLabels(labelBytes(labels)));
        auto request = requestAt(folder_->path());
        request.train_limit = limit;
        const QString sentence = inputErrorOf([&] { openDataset(request); });
        QVERIFY2(sentence.contains(QString("40 images, %1 labels").arg(labels)), qPrintable(sentence));
    }

    void labelsBeyondTheTenClassesAreRefused() {
        writeSmallSet(folder_->path());
        auto labels = labelBytes(40);
        labels[17] = 10;
        writeFile(folder_->filePath("train-labels-idx1-ubyte.gz"), idxLabels(labels));
        const QString sentence = inputErrorOf([&] { openLabels(requestAt(folder_->path())); });
        QVERIFY2(sentence.contains("sample 17 the label 10"), qPrintable(sentence));
    }

    void theRealDataSetIsWholeAndItsStatisticsHold() {
        const auto data = openReal({.name = kName});
        if (!data) QSKIP("Debian's package dataset-fashion-mnist is not installed.");
        QCOMPARE(data->train->size(), 60000);
        QCOMPARE(data->test->size(), 10000);
        double sum = 0;
        double squares = 0;
        for (std::int64_t i = 0; i < data->train->size(); ++i) {
            const cv::Mat picture = data->train->image(i);
            sum += cv::sum(picture)[0];
            squares += picture.dot(picture);
        }
        const double count = 60000.0 * 28 * 28;
        const double mean = sum / count;
        const double deviation = std::sqrt(squares / count - mean * mean);
        for (std::size_t channel = 0; channel < 3; ++channel) {
            QVERIFY(std::abs(mean / 255 - static_cast<double>(data->mean[channel])) < 5e-5);
            QVERIFY(std::abs(deviation / 255 - static_cast<double>(data->deviation[channel])) < 5e-5);
        }
    }

    void theFirstSamplesOfTheRealDataSetHoldAllClassesEvenly() {
        const auto data = openReal({.name = kName, .train_limit = 12000, .test_limit = 2000});
        if (!data) QSKIP("Debian's package dataset-fashion-mnist is not installed.");
        for (const auto& table : {data->train, data->test}) {
            std::array<std::int64_t, 10> counts{};
            for (const auto label : table->labels()) ++counts[static_cast<std::size_t>(label)];
            for (const auto count : counts) {
                QVERIFY(count * 10 > table->size() * 9 / 10);
                QVERIFY(count * 10 < table->size() * 11 / 10);
            }
        }
    }

    void severalThreadsReadTheSamePictures() {
        writeSmallSet(folder_->path());
        const auto data = openDataset(requestAt(folder_->path()));
        std::atomic<int> wrong{0};
        {
            std::vector<std::jthread> readers;
            for (int reader = 0; reader < 4; ++reader)
                readers.emplace_back([&] {
                    for (int round = 0; round < 50; ++round)
                        for (std::int64_t i = 0; i < data.train->size(); ++i)
                            if (data.train->image(i).at<std::uint8_t>(0, 0) != i) ++wrong;
                });
        }
        QCOMPARE(wrong.load(), 0);
    }

private:
    static std::optional<ImageDataset> openReal(DatasetRequest request) {
        if (!QDir(kDebianFolder).exists()) return {};
        request.root = kDebianFolder.toStdString();
        return openDataset(request);
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

PALIMPSEST_APPLESS_TEST(TestFashionMnist)

}  // namespace tst_fashion_mnist

#include "tst_fashion_mnist.moc"
