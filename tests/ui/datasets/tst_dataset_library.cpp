// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>
#include <semaphore>
#include <thread>

#include "engine/support/stop_scope.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/test_program.h"
#include "ui/datasets/dataset_library.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedDatasets;

namespace tst_dataset_library {

using Ending = ScriptedDatasets::Ending;
using FetchEnd = DatasetLibrary::FetchEnd;

namespace {

/// Folders so large that their listing never ends.
struct Endless : ScriptedDatasets {
    std::vector<DatasetCard> cards(const std::filesystem::path&) const override {
        begun.release();
        for (;;) {
            StopScope::check();
            std::this_thread::yield();
        }
    }
    mutable std::counting_semaphore<> begun{0};
};

}  // namespace

class TestDatasetLibrary : public QObject {
    Q_OBJECT
private:
    static std::shared_ptr<ScriptedDatasets> scripted(Ending ending = Ending::Arrives) {
        ScriptedDatasets::Script script;
        script.ending = ending;
        return std::make_shared<ScriptedDatasets>(script);
    }

private Q_SLOTS:
    void withoutAServiceItStaysEmpty() {
        DatasetLibrary library(nullptr);
        library.refresh();
        library.fetch("cifar-100");
        library.checkPresence("cifar-100", {});
        QVERIFY(library.cards().empty());
        QVERIFY(!library.fetching());
    }

    void theCardsAreReadInTheBackground() {
        const auto service = scripted();
        DatasetLibrary library(service);
        QSignalSpy changed(&library, &DatasetLibrary::cardsChanged);
        library.refresh();
        QVERIFY(library.cards().empty());
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(library.cards().size(), std::size_t(4));
        QVERIFY(library.find("fashion-mnist")->present);
        QVERIFY(!library.find("cifar-100")->present);
        QVERIFY(!library.find("no such"));
    }

    void aShelfThatGoesDoesNotWaitForALongListing_data() {
        QTest::addColumn<bool>("presence");
        QTest::newRow("all cards") << false;
        QTest::newRow("one data set") << true;
    }
    void aShelfThatGoesDoesNotWaitForALongListing() {
        QFETCH(bool, presence);
        const auto service = std::make_shared<Endless>();
        auto library = std::make_unique<DatasetLibrary>(service);
        presence ? library->checkPresence("cifar-100", {}) : library->refresh();
        service->begun.acquire();
        library.reset();  // would wait for ever
        QCoreApplication::processEvents();
    }

    void cardsThatCannotBeReadAreTold() {
        ScriptedDatasets::Script script;
        script.cards_fail = true;
        DatasetLibrary library(std::make_shared<ScriptedDatasets>(script));
        QSignalSpy failed(&library, &DatasetLibrary::refreshFailed);
        library.refresh();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(!failed[0][0].toString().isEmpty() && !failed[0][1].toString().isEmpty());
    }

    void aFetchShowsItsProgressAndLeavesTheDataSetThere() {
        const auto service = scripted();
        DatasetLibrary library(service);
        QSignalSpy ended(&library, &DatasetLibrary::fetchEnded), settled(&library, &DatasetLibrary::settled);
        library.fetch("cifar-100", "/tmp/have.tar.gz");
        library.fetch("cifar-100");
        QVERIFY(library.fetching());
        service->allowSteps(3);
        QTRY_COMPARE(library.fetchOf("cifar-100")->progress.bytes, 3'000'000);
        QCOMPARE(library.fetchOf("cifar-100")->stage, DatasetLibrary::Stage::Going);
        service->allowAll();
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Done);
        QCOMPARE(settled.count(), 1);
        QVERIFY(!library.fetching());
        QVERIFY(library.find("cifar-100")->present);
        QCOMPARE(service->orders().size(), std::size_t(1));
        QCOMPARE(service->orders()[0].have, std::string("/tmp/have.tar.gz"));
    }

    void progressWakesTheWindowOnlyNowAndThen() {
        ScriptedDatasets::Script script;
        script.steps = 200'000;
        const auto service = std::make_shared<ScriptedDatasets>(script);
        service->allowAll();
        DatasetLibrary library(service);
        QSignalSpy moved(&library, &DatasetLibrary::fetchMoved), ended(&library, &DatasetLibrary::fetchEnded);
        library.fetch("cifar-100");
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 60000);
        QVERIFY2(moved.count() < 1000, qPrintable(QString::number(moved.count())));
    }

    void whatGoesWrongIsTold_data() {
        QTest::addColumn<int>("ending");
        QTest::addColumn<QString>("message");
        QTest::addColumn<QString>("hint");
        const ScriptedDatasets::Script script;
        QTest::newRow("an error") << int(Ending::Fails) << QString::fromStdString(script.error)
                                  << QString::fromStdString(script.hint);
        QTest::newRow("done, it says, but nothing is there")
            << int(Ending::Lies) << "The fetch of CIFAR-100 ended, but it is not complete."
            << "CIFAR-100 is not in /data/cifar-100. Fetch it.";
        QTest::newRow("an end without a word")
            << int(Ending::GivesUp) << "The fetch of CIFAR-100 ended, but it is not complete."
            << "CIFAR-100 is not in /data/cifar-100. Fetch it.";
    }
    void whatGoesWrongIsTold() {
        QFETCH(int, ending);
        QFETCH(QString, message);
        QFETCH(QString, hint);
        const auto service = scripted(Ending(ending));
        service->allowAll();
        DatasetLibrary library(service);
        QSignalSpy changed(&library, &DatasetLibrary::cardsChanged), ended(&library, &DatasetLibrary::fetchEnded);
        library.refresh();
        QTRY_COMPARE(changed.count(), 1);
        library.fetch("cifar-100");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Failed);
        QCOMPARE(ended[0][2].toString(), message);
        QCOMPARE(ended[0][3].toString(), hint);
        QVERIFY(!library.fetching());
        service->setEnding(Ending::Arrives);
        library.fetch("cifar-100");
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(ended[1][1].value<FetchEnd>(), FetchEnd::Done);
    }

    void aFetchCanBeCancelled() {
        const auto service = scripted();
        DatasetLibrary library(service);
        QSignalSpy ended(&library, &DatasetLibrary::fetchEnded);
        library.fetch("cifar-100");
        service->allowSteps(1);
        QTRY_COMPARE(library.fetchOf("cifar-100")->progress.bytes, 1'000'000);
        library.cancel("cifar-100");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Stopped);
        QVERIFY(ended[0][2].toString().isEmpty());
        library.cancel("cifar-100");
        QCOMPARE(ended.count(), 1);
    }

    void theThirdFetchWaitsAndCanBeCancelledBeforeItBegins() {
        const auto service = scripted();
        DatasetLibrary library(service);
        QSignalSpy ended(&library, &DatasetLibrary::fetchEnded);
        for (const char* name : {"fashion-mnist", "cifar-100", "imagenet"}) library.fetch(name);
        QTRY_COMPARE(service->orders().size(), std::size_t(2));
        QCOMPARE(library.fetchOf("imagenet")->stage, DatasetLibrary::Stage::Waiting);
        library.cancel("imagenet");
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Stopped);
        service->allowAll();
        QTRY_COMPARE(ended.count(), 3);
        QVERIFY(!library.fetching());
        QCOMPARE(service->orders().size(), std::size_t(2));
    }

    void deletedInMidFetchItLeavesNothingBehind() {
        const auto service = scripted();
        {
            DatasetLibrary library(service);
            for (const char* name : {"fashion-mnist", "cifar-100", "imagenet"}) library.fetch(name);
            library.refresh();
            service->allowSteps(2);
        }
        QVERIFY(service->orders().size() <= 2);
        QCOMPARE(service.use_count(), 1);
    }

    void anotherFolderIsAskedForWhatIsThere() {
        const auto service = scripted();
        service->allowAll();
        DatasetLibrary library(service);
        QSignalSpy changed(&library, &DatasetLibrary::cardsChanged), ended(&library, &DatasetLibrary::fetchEnded);
        library.setFolder("/big/disk");
        QTRY_COMPARE(changed.count(), 1);
        // In its usual place it is as good.
        QVERIFY(library.find("fashion-mnist")->present);
        QVERIFY(library.rootFor("fashion-mnist").isEmpty());
        QVERIFY(!library.find("cifar-100")->present);
        library.fetch("cifar-100");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Done);
        QCOMPARE(service->orders()[0].root, std::string("/big/disk"));
        QCOMPARE(library.rootFor("cifar-100"), QString("/big/disk/cifar-100"));
    }

    void itLooksWhetherAnExperimentsDataSetIsThere_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("missing");
        QTest::newRow("there") << "fashion-mnist" << false;
        QTest::newRow("missing") << "cifar-100" << true;
        QTest::newRow("unknown") << "no such" << false;
    }
    void itLooksWhetherAnExperimentsDataSetIsThere() {
        QFETCH(QString, name);
        QFETCH(bool, missing);
        DatasetLibrary library(scripted());
        QSignalSpy checked(&library, &DatasetLibrary::presenceChecked);
        library.checkPresence(name, {});
        QTRY_COMPARE(checked.count(), 1);
        QCOMPARE(checked[0][0].toString(), name);
        QCOMPARE(checked[0][2].toBool(), missing);
    }
};

PALIMPSEST_GUILESS_TEST(TestDatasetLibrary)

}  // namespace tst_dataset_library

#include "tst_dataset_library.moc"
