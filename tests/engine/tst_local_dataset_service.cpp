// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <algorithm>
#include <thread>

#include "engine/api.h"
#include "engine/inputs/local_dataset_service.h"
#include "engine/support/error.h"
#include "engine/support/stop_scope.h"
#include "engine/train/experiment_inputs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_local_dataset_service {

class TestDatasetService : public QObject {
    Q_OBJECT
private:
    const std::shared_ptr<const DatasetService> service_ = makeDatasetService();

    static Experiment shapes(std::int64_t limit = 400) {
        Experiment experiment;
        experiment.stream.dataset = "shapes";
        experiment.stream.train_limit = limit;
        return experiment;
    }
    static DatasetCard card(const std::vector<DatasetCard>& cards, const std::string& name) {
        for (const DatasetCard& one : cards)
            if (one.name == name) return one;
        qFatal("The catalogue lacks %s.", name.c_str());
    }

private Q_SLOTS:
    void everyEntryOfTheCatalogueHasACard() {
        const Catalogue catalogue = engineCatalogue();
        const auto cards = service_->cards({});
        QCOMPARE(cards.size(), catalogue.datasets.size());
        for (std::size_t i = 0; i < cards.size(); ++i) {
            QCOMPARE(cards[i].name, catalogue.datasets[i].value);
            QVERIFY(!cards[i].title.empty() && !cards[i].summary.empty());
            QCOMPARE(cards[i].present, cards[i].missing.empty());
            QVERIFY(!cards[i].procedural || cards[i].present);
        }
    }

    void inAnEmptyFolderWhatHasFilesIsMissing() {
        QTemporaryDir folder;
        const DatasetCard missing = card(service_->cards(folder.path().toStdString()), "fashion-mnist");
        QVERIFY(!missing.present);
        QVERIFY(missing.missing.find(folder.path().toStdString()) != std::string::npos);
        QVERIFY(card(service_->cards(folder.path().toStdString()), "shapes").present);
    }

    void aFolderWithoutIconThemesIsSaidToBeAWrongOne() {
        QTemporaryDir folder;
        const DatasetCard missing = card(service_->cards(folder.path().toStdString()), "icons");
        QVERIFY(!missing.present && !missing.fetchable && !missing.takes_files);
        const QString says = QString::fromStdString(missing.missing);
        const QString wrong = "Icons were not found: " + folder.path() + " holds none of their 12 icon themes (Tango, ";
        QVERIFY2(says.startsWith(wrong), qPrintable(says));
        QVERIFY2(says.contains("Without Data folder (stream.root) what is installed in /usr/share/icons is taken"),
                 qPrintable(says));
    }

    void aPartThatIsMissingNamesTheWhole_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("whole");
        QTest::addColumn<QString>("says");
        const QString birds = "is a part of CUB-200-2011, which is not in FOLDER/cub200. Fetch CUB-200-2011, or take";
        QTest::newRow("CUB-175") << "cub175"
                                 << "cub200" << birds;
        QTest::newRow("CUB-25") << "cub25"
                                << "cub200" << birds;
        QTest::newRow("ImageNet-900")
            << "imagenet900"
            << "imagenet"
            << "is a part of ImageNet-1k, which is not in FOLDER/imagenet. Its makers hand it "
               "out themselves: see https://www.image-net.org/.";
    }
    void aPartThatIsMissingNamesTheWhole() {
        QFETCH(QString, name);
        QFETCH(QString, whole);
        QFETCH(QString, says);
        QTemporaryDir folder;
        const DatasetCard part = card(service_->cards(folder.path().toStdString()), name.toStdString());
        QVERIFY(!part.present && !part.fetchable && !part.takes_files);
        QCOMPARE(part.part_of, whole.toStdString());
        const QString missing = QString::fromStdString(part.missing);
        QVERIFY2(missing.contains(says.replace("FOLDER", folder.path())), qPrintable(missing));
    }

    void withTheWholeItsPartsAreThere() {
        QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath("cub200/CUB_200_2011"));
        const auto cards = service_->cards(folder.path().toStdString());
        QVERIFY(card(cards, "cub200").present);
        for (const char* name : {"cub175", "cub25"}) {
            QVERIFY(card(cards, name).present);
            QCOMPARE(card(cards, name).folder, folder.filePath("cub200").toStdString());
        }
        QVERIFY(!card(cards, "imagenet100").present);
    }

    void samplesAreSmallPicturesOfTheClassAskedFor() {
        for (const std::int32_t label : {0, 3, 9}) {
            const auto pictures = service_->samplesOfClass(shapes(), label, 8, 16, {});
            QCOMPARE(pictures.size(), std::size_t(8));
            for (const Thumbnail& picture : pictures) {
                QCOMPARE(picture.label, label);
                QVERIFY(picture.size > 0 && picture.size <= 16);
                QCOMPARE(picture.rgb.size(), std::size_t(picture.size) * std::size_t(picture.size) * 3);
            }
            QVERIFY(pictures[0].rgb != pictures[1].rgb);
        }
    }

    void twoLooksAtAClassAreTheSame() {
        const auto first = service_->samplesOfClass(shapes(), 2, 4, 24, {});
        const auto other = service_->samplesOfClass(shapes(), 3, 4, 24, {});
        const auto again = service_->samplesOfClass(shapes(), 2, 4, 24, {});
        QVERIFY(first[0].rgb != other[0].rgb);
        for (std::size_t i = 0; i < first.size(); ++i) QCOMPARE(first[i].rgb, again[i].rgb);
    }

    void imagesAtPositionsAreThoseOfTheTrainingSet() {
        const auto ofClass = service_->samplesOfClass(shapes(), 3, 2, 16, {});
        const auto labels = experimentLabels(shapes())->train;
        std::vector<std::int64_t> positions;
        for (std::size_t i = 0; i < labels.size() && positions.size() < 2; ++i)
            if (labels[i] == 3) positions.push_back(static_cast<std::int64_t>(i));
        std::ranges::reverse(positions);
        const auto pictures = service_->samplesAt(shapes(), positions, 16, {});
        QCOMPARE(pictures.size(), std::size_t(2));
        QCOMPARE(pictures[0].rgb, ofClass[1].rgb);
        QCOMPARE(pictures[1].rgb, ofClass[0].rgb);
        QCOMPARE(pictures[0].label, std::int32_t{3});
    }

    void whereNoImageIsThereIsNoPicture() {
        const std::vector<std::int64_t> positions{-1, 5, 400, std::int64_t{1} << 60};
        const auto pictures = service_->samplesAt(shapes(), positions, 16, {});
        QCOMPARE(pictures.size(), positions.size());
        for (const std::size_t none : {0, 2, 3}) QCOMPARE(pictures[none].size, 0);
        QVERIFY(pictures[1].size > 0);
        QVERIFY(service_->samplesAt(shapes(), positions, 0, {}).empty());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(service_->samplesAt(shapes(), positions, 16, stop.get_token()).empty());
    }

    void otherClassesOfADrawnSetAreAnotherSet() {
        Experiment first = shapes(8), other = shapes(8);
        first.stream.dataset = other.stream.dataset = "fractals";
        first.stream.classes = other.stream.classes = 4;
        other.stream.first_class = 4;
        const std::vector<std::int64_t> positions{0};
        const auto before = service_->samplesAt(first, positions, 16, {});
        QVERIFY(service_->samplesAt(other, positions, 16, {})[0].rgb != before[0].rgb);
        QCOMPARE(service_->samplesAt(first, positions, 16, {})[0].rgb, before[0].rgb);
    }

    void aClassGivesWhatItHas_data() {
        QTest::addColumn<int>("label");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("side");
        QTest::addColumn<int>("pictures");
        QTest::newRow("fewer than asked for") << 1 << 50 << 16 << 2;
        QTest::newRow("no such class") << 77 << 8 << 16 << 0;
        QTest::newRow("a negative label") << -1 << 8 << 16 << 0;
        QTest::newRow("none asked for") << 1 << 0 << 16 << 0;
        QTest::newRow("no size") << 1 << 8 << 0 << 0;
    }
    void aClassGivesWhatItHas() {
        QFETCH(int, label);
        QFETCH(int, count);
        QFETCH(int, side);
        QFETCH(int, pictures);
        QCOMPARE(service_->samplesOfClass(shapes(20), label, count, side, {}).size(), std::size_t(pictures));
    }

    void whatWasOpenedIsOpenedAnewOnceItIsForgotten() {
        QTemporaryDir pictures;
        const auto shade = [&](const QString& name, unsigned char grey) {
            QDir(pictures.path()).mkpath(QFileInfo(name).path());
            QFile file(pictures.filePath(name));
            if (!file.open(QIODevice::WriteOnly)) qFatal("A picture cannot be written.");
            file.write(QByteArray("P5 4 4 255\n") + QByteArray(16, char(grey)));
        };
        for (int i = 0; i < 10; ++i) shade(QString("%1/%2.pgm").arg(i % 2 == 0 ? "cats" : "dogs").arg(i), 40);
        Experiment experiment;
        experiment.stream.dataset = "folder";
        experiment.stream.root = pictures.path().toStdString();
        const auto firstOfClass = [&] { return service_->samplesOfClass(experiment, 0, 1, 16, {}).at(0).rgb.at(0); };
        QCOMPARE(int(firstOfClass()), 40);
        for (int i = 0; i < 10; ++i) shade(QString("birds/%1.pgm").arg(i), 200);
        QCOMPARE(int(firstOfClass()), 40);
        service_->forget();
        QCOMPARE(int(firstOfClass()), 200);
    }

    void whatIsNoLongerWantedIsNotRead() {
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(service_->samplesOfClass(shapes(), 1, 8, 16, stop.get_token()).empty());
    }

    void aDataSetThatIsMissingIsAnError() {
        QTemporaryDir folder;
        Experiment experiment;
        experiment.stream.dataset = "fashion-mnist";
        experiment.stream.root = folder.path().toStdString();
        QVERIFY_EXCEPTION_THROWN(service_->samplesOfClass(experiment, 1, 8, 16, {}), Error);
        experiment.stream.dataset = "no such";
        QVERIFY_EXCEPTION_THROWN(service_->samplesOfClass(experiment, 1, 8, 16, {}), Error);
        QVERIFY_EXCEPTION_THROWN(service_->fetch("no such", folder.path().toStdString(), {}, {}, {}), Error);
    }

    void offlineNothingIsAskedOfTheNetwork() {
        QTemporaryDir folder;
        const FetchOrigin source{.have = {}, .mirror = "http://127.0.0.1:1/nobody/listens", .offline = true};
        try {
            service_->fetch("fashion-mnist", folder.path().toStdString(), source, {}, {});
            QFAIL("Offline, nothing can come.");
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).starts_with("Offline"), error.what());
        }
    }

    void labelsAreNotReadForThoseWhoLeave() {
        QTemporaryDir runs;
        const auto labels = makeLaboratory(runs.path().toStdString()).labels;
        std::stop_source stop;
        stop.request_stop();
        {
            const StopScope scope(stop.get_token());
            QVERIFY_EXCEPTION_THROWN(labels(shapes()), GivenUp);
        }
        QCOMPARE(labels(shapes())->train.size(), std::size_t(400));
        // An open data set needs no reading.
        const StopScope scope(stop.get_token());
        QCOMPARE(labels(shapes())->train.size(), std::size_t(400));
    }

    void labelsAreRememberedUntilTheyAreForgotten() {
        QTemporaryDir runs, pictures;
        const auto add = [&](const QString& name) {
            QDir(pictures.path()).mkpath(QFileInfo(name).path());
            QFile file(pictures.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
        };
        for (int i = 0; i < 10; ++i) add(QString("%1/%2.png").arg(i % 2 == 0 ? "cats" : "dogs").arg(i));
        Experiment experiment;
        experiment.stream.dataset = "folder";
        experiment.stream.root = pictures.path().toStdString();
        const Laboratory laboratory = makeLaboratory(runs.path().toStdString());
        const auto images = [&] {
            const auto labels = laboratory.labels(experiment);
            return labels->train.size() + labels->test.size();
        };
        QCOMPARE(images(), std::size_t(10));
        add("birds/1.png");
        QCOMPARE(images(), std::size_t(10));
        laboratory.forget_labels();
        QCOMPARE(images(), std::size_t(11));
        QCOMPARE(laboratory.labels(experiment)->class_names.front(), std::string("birds"));
    }

    void severalThreadsMayAskAtOnce() {
        std::vector<std::size_t> counts(8);
        {
            std::vector<std::jthread> threads;
            for (std::size_t i = 0; i < counts.size(); ++i)
                threads.emplace_back([this, i, &counts] {
                    // The two data sets alternate, so that each replaces the other.
                    for (int round = 0; round < 5; ++round)
                        counts[i] +=
                            service_->samplesOfClass(shapes(i % 2 == 0 ? 200 : 300), int(i), 4, 16, {}).size() +
                            (service_->cards({}).empty() ? 0 : 1);
                });
        }
        for (const std::size_t count : counts) QCOMPARE(count, std::size_t(25));
    }
};

PALIMPSEST_GUILESS_TEST(TestDatasetService)

}  // namespace tst_local_dataset_service

#include "tst_local_dataset_service.moc"
