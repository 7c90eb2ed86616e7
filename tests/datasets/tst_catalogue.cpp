// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "datasets/table/source.h"
#include "engine/support/stop_scope.h"
#include "tests/datasets/errors.h"
#include "tests/datasets/pictures.h"
#include "tests/support/test_program.h"

#include <QtTest>
#include <cmath>
#include <set>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_catalogue {

namespace {

std::vector<DatasetInfo> proceduralOnes() {
    auto all = datasetCatalogue();
    std::erase_if(all, [](const DatasetInfo& info) { return !info.procedural; });
    return all;
}

}  // namespace

class TestCatalogue : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void otherNumbersThanTheMakersAreNoted_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("train");
        QTest::addColumn<qint64>("test");
        QTest::addColumn<bool>("noted");
        QTest::newRow("whole") << "cifar10" << qint64{50'000} << qint64{10'000} << false;
        QTest::newRow("a training image short") << "cifar10" << qint64{49'999} << qint64{10'000} << true;
        QTest::newRow("a test image more") << "cifar10" << qint64{50'000} << qint64{10'001} << true;
        QTest::newRow("parts that were not looked at") << "cifar10" << qint64{-1} << qint64{-1} << false;
        QTest::newRow("a person's own") << "folder" << qint64{12} << qint64{3} << false;
        QTest::newRow("made to order") << "fractals" << qint64{7} << qint64{7} << false;
    }
    void otherNumbersThanTheMakersAreNoted() {
        QFETCH(QString, name);
        QFETCH(qint64, train);
        QFETCH(qint64, test);
        QFETCH(bool, noted);
        const std::string note = numbersNote(catalogueEntry(name.toStdString()), train, test);
        QCOMPARE(!note.empty(), noted);
        if (noted) QVERIFY2(note.find("CIFAR-10 has 50,000 training and 10,000 test images") == 0, note.c_str());
    }

    void everyEntryIsCompleteAndNamedOnce() {
        std::set<std::string> names;
        for (const auto& info : datasetCatalogue()) {
            QVERIFY(names.insert(info.name).second);
            for (const auto& text : {info.title, info.summary, info.origin, info.licence}) QVERIFY(!text.empty());
            QVERIFY(info.summary.ends_with('.'));
            // The classes of the user's own folders are known once they are opened.
            const bool own = info.name == "folder" || info.name == "own-drawings";
            if (!own) QVERIFY(info.classes > 1);
            // The number of pictures of a part is known once it is opened.
            if (!own && info.name != "wikiart" && info.part_of.empty()) QVERIFY(info.train > 0 && info.test > 0);
            QVERIFY(info.class_names.empty() || std::ssize(info.class_names) == info.classes);
            QCOMPARE(std::set<std::string>(info.class_names.begin(), info.class_names.end()).size(),
                     info.class_names.size());
            // The window expects the whole before its parts.
            if (!info.part_of.empty()) QVERIFY2(names.contains(info.part_of) && info.files.empty(), info.name.c_str());
            if (info.procedural || own) continue;
            QVERIFY2(!info.citation.empty() && info.homepage.starts_with("http"), info.name.c_str());
        }
        QCOMPARE(names, (std::set<std::string>{"cifar10",
                                               "cifar100",
                                               "cub175",
                                               "cub200",
                                               "cub25",
                                               "fashion-mnist",
                                               "folder",
                                               "formulas",
                                               "fractals",
                                               "glyphs",
                                               "gtsrb",
                                               "icons",
                                               "imagenet",
                                               "imagenet-last100",
                                               "imagenet-r",
                                               "imagenet100",
                                               "imagenet611",
                                               "imagenet900",
                                               "imagenet900-code",
                                               "mnist",
                                               "nch",
                                               "own-drawings",
                                               "places365",
                                               "shapes",
                                               "tinyimagenet",
                                               "wikiart",
                                               "wikiart-code",
                                               "imagenet-random100"}));
    }

    void everyFileHasASizeAChecksumAndAddresses() {
        int files = 0;
        for (const auto& info : datasetCatalogue())
            for (const auto& file : info.files) {
                ++files;
                const std::size_t digits = file.checksum.starts_with("sha256:") ? 7 + 64 : 4 + 32;
                QVERIFY2(file.size > 0 && file.checksum.size() == digits, file.name.c_str());
                const std::string hex = file.checksum.substr(file.checksum.find(':') + 1);
                QVERIFY2(hex.find_first_not_of("0123456789abcdef") == std::string::npos, file.name.c_str());
                QVERIFY2(!file.urls.empty() && file.archive == !file.unpacked.empty(), file.name.c_str());
                for (const auto& url : file.urls)
                    QVERIFY2(url.starts_with("http") && url.find(file.name) != std::string::npos, url.c_str());
            }
        QCOMPARE(files, 18);
    }

    void theLoadingOfPicturesFollowsTheirNamesAsInTheOfficialCode_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("shape");
        QTest::addColumn<QString>("policy");
        const auto row = [](const char* name, LoadShape shape, const char* policy) {
            QTest::newRow(name) << name << static_cast<int>(shape) << policy;
        };
        row("cifar10", LoadShape::Native, "cifar10");
        row("cifar100", LoadShape::Native, "cifar10");
        row("tinyimagenet", LoadShape::Square, "imagenet");
        row("imagenet", LoadShape::Square, "imagenet");
        row("imagenet611", LoadShape::Square, "imagenet");
        row("imagenet-r", LoadShape::ShortSideCrop, "imagenet");
        row("gtsrb", LoadShape::ShortSideCrop, "");
        row("cub200", LoadShape::Square, "");
        row("cub175", LoadShape::Square, "");
        row("nch", LoadShape::Native, "");
        row("wikiart", LoadShape::ShortSideCrop, "imagenet");
        row("wikiart-code", LoadShape::ShortSideCrop, "imagenet");
        row("places365", LoadShape::Square, "");
        row("mnist", LoadShape::Native, "");
        row("fashion-mnist", LoadShape::Native, "");
        row("icons", LoadShape::Native, "");
        for (const char* drawn : {"shapes", "glyphs", "fractals", "formulas"}) row(drawn, LoadShape::Native, "");
    }
    void theLoadingOfPicturesFollowsTheirNamesAsInTheOfficialCode() {
        QFETCH(QString, name);
        QFETCH(int, shape);
        QFETCH(QString, policy);
        QCOMPARE(static_cast<int>(loadShapeOf(name.toStdString())), shape);
        QCOMPARE(QString::fromStdString(augmentPolicyOf(name.toStdString())), policy);
    }

    void proceduralDataSetsKeepWhatTheCataloguePromises() {
        QCOMPARE(proceduralOnes().size(), std::size_t{4});
        for (const auto& info : proceduralOnes()) {
            const auto data = openDataset({.name = info.name});
            QCOMPARE(data.name, info.name);
            QCOMPARE(data.title, info.title);
            QCOMPARE(static_cast<std::int64_t>(data.class_names.size()), info.classes);
            QCOMPARE(data.train->size(), info.train);
            QCOMPARE(data.test->size(), info.test);
        }
    }

    void proceduralDataSetsAreDrawnToOrder() {
        for (const auto& info : proceduralOnes()) {
            QVERIFY2(info.most_classes > info.classes, info.name.c_str());
            const auto most = openLabels({.name = info.name, .classes = info.most_classes, .train_limit = 1});
            QCOMPARE(static_cast<std::int64_t>(most.class_names.size()), info.most_classes);
            QCOMPARE(std::set<std::string>(most.class_names.begin(), most.class_names.end()).size(),
                     most.class_names.size());
            const DatasetRequest request{.name = info.name, .classes = 5, .side = 48, .train_each = 3};
            const auto data = openDataset(request);
            QCOMPARE(data.train->size(), 15);
            QCOMPARE(openLabels(request).train.size(), std::size_t{15});
            for (std::int64_t i = 0; i < 5; ++i) {
                QCOMPARE(data.train->image(i).size(), cv::Size(48, 48));
                QCOMPARE(data.test->image(i).size(), cv::Size(48, 48));
            }
        }
    }

    void labelsAloneAgreeWithTheWholeDataSet() {
        for (const auto& info : proceduralOnes()) {
            const DatasetRequest request{.name = info.name, .classes = 6, .train_limit = 100, .test_limit = 13};
            const auto data = openDataset(request);
            const auto labels = openLabels(request);
            QCOMPARE(labels.title, data.title);
            QCOMPARE(labels.class_names, data.class_names);
            const auto train = data.train->labels();
            const auto test = data.test->labels();
            QCOMPARE(labels.train, std::vector<std::int32_t>(train.begin(), train.end()));
            QCOMPARE(labels.test, std::vector<std::int32_t>(test.begin(), test.end()));
        }
    }

    void theStatedMeanAndDeviationAreNearTheMeasuredOnes() {
        for (const auto& info : proceduralOnes()) {
            const auto data =
                openDataset({.name = info.name, .classes = std::min<std::int64_t>(300, info.most_classes)});
            const std::int64_t count = std::min<std::int64_t>(600, data.train->size());
            cv::Scalar sum;
            cv::Scalar squares;
            int channels = 0;
            for (std::int64_t i = 0; i < count; ++i) {
                const cv::Mat picture = data.train->image(i);
                cv::Scalar mean;
                cv::Scalar deviation;
                cv::meanStdDev(picture, mean, deviation);
                sum += mean;
                squares += mean.mul(mean) + deviation.mul(deviation);
                channels = picture.channels();
            }
            for (int c = 0; c < channels; ++c) {
                const double mean = sum[c] / static_cast<double>(count);
                const double deviation = std::sqrt(squares[c] / static_cast<double>(count) - mean * mean);
                const auto k = static_cast<std::size_t>(c);
                QVERIFY(std::abs(mean / 255 - static_cast<double>(data.mean[k])) < 0.05);
                QVERIFY(std::abs(deviation / 255 - static_cast<double>(data.deviation[k])) < 0.05);
            }
        }
    }

    void badRequestsAreRefusedWithTheRemedy_data() {
        QTest::addColumn<DatasetRequest>("request");
        QTest::addColumn<QString>("says");
        QTest::newRow("unknown name") << DatasetRequest{.name = "fasion"}
                                      << "no data set called \"fasion\". Choose one of: fashion-mnist, icons, mnist, ";
        QTest::newRow("no name") << DatasetRequest{} << "Choose one of";
        QTest::newRow("negative limit") << DatasetRequest{.name = "shapes", .train_limit = -1}
                                        << "limit of training images of -1 is below zero";
        QTest::newRow("negative test limit")
            << DatasetRequest{.name = "shapes", .test_limit = -5} << "limit of test images of -5 is below zero";
        QTest::newRow("negative classes")
            << DatasetRequest{.name = "fractals", .classes = -2} << "number of classes of -2 is below zero";
        QTest::newRow("too many shapes") << DatasetRequest{.name = "shapes", .classes = 37} << "Use at most 36.";
        QTest::newRow("too many glyphs") << DatasetRequest{.name = "glyphs", .classes = 95} << "Use at most 94.";
        QTest::newRow("too many formulas")
            << DatasetRequest{.name = "formulas", .classes = 10001} << "Use at most 10000.";
        QTest::newRow("too many fractals")
            << DatasetRequest{.name = "fractals", .classes = 10001} << "cannot have 10001 classes. Use at most 10000.";
    }
    void badRequestsAreRefusedWithTheRemedy() {
        QFETCH(DatasetRequest, request);
        QFETCH(QString, says);
        const QString opening = inputErrorOf([&] { openDataset(request); });
        QVERIFY2(opening.contains(says), qPrintable(opening));
        QCOMPARE(inputErrorOf([&] { openLabels(request); }), opening);
    }

    void whatIsNoLongerWantedIsNotOpened() {
        std::stop_source stop;
        const DatasetRequest request{.name = "fractals"};
        {
            const StopScope scope(stop.get_token());
            QCOMPARE(openDataset(request).class_names.size(), std::size_t{20});
            stop.request_stop();
            QVERIFY_EXCEPTION_THROWN(openDataset(request), GivenUp);
            QVERIFY_EXCEPTION_THROWN(openLabels(request), GivenUp);
            {
                // The innermost scope counts.
                const StopScope inner{std::stop_token()};
                QCOMPARE(openLabels(request).class_names.size(), std::size_t{20});
            }
            QVERIFY_EXCEPTION_THROWN(openLabels(request), GivenUp);
        }
        QCOMPARE(openLabels(request).class_names.size(), std::size_t{20});
    }
};

PALIMPSEST_APPLESS_TEST(TestCatalogue)

}  // namespace tst_catalogue

#include "tst_catalogue.moc"
