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
        DatasetLibrary shelf(nullptr);
        shelf.refresh();
        shelf.fetch("cifar-100");
        shelf.checkPresence("cifar-100", {});
        QVERIFY(shelf.cards().empty());
        QVERIFY(!shelf.fetching());
    }

    void theCardsAreReadInTheBackground() {
        const auto service = scripted();
        DatasetLibrary shelf(service);
        QSignalSpy changed(&shelf, &DatasetLibrary::cardsChanged);
        shelf.refresh();
        QVERIFY(shelf.cards().empty());
        QTRY_COMPARE(changed.count(), 1);
        QCOMPARE(shelf.cards().size(), std::size_t(4));
        QVERIFY(shelf.find("fashion-mnist")->present);
        QVERIFY(!shelf.find("cifar-100")->present);
        QVERIFY(!shelf.find("no such"));
    }

    void aShelfThatGoesDoesNotWaitForALongListing_data() {
        QTest::addColumn<bool>("look");
        QTest::newRow("all cards") << false;
        QTest::newRow("one data set") << true;
    }
    void aShelfThatGoesDoesNotWaitForALongListing() {
        QFETCH(bool, look);
        const auto service = std::make_shared<Endless>();
        auto shelf = std::make_unique<DatasetLibrary>(service);
        look ? shelf->checkPresence("cifar-100", {}) : shelf->refresh();
        service->begun.acquire();
        shelf.reset();  // would wait for ever
        QCoreApplication::processEvents();
    }

    void cardsThatCannotBeReadAreTold() {
        ScriptedDatasets::Script script;
        script.cards_fail = true;
        DatasetLibrary shelf(std::make_shared<ScriptedDatasets>(script));
        QSignalSpy failed(&shelf, &DatasetLibrary::refreshFailed);
        shelf.refresh();
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(!failed[0][0].toString().isEmpty() && !failed[0][1].toString().isEmpty());
    }

    void aFetchShowsItsProgressAndLeavesTheDataSetThere() {
        const auto service = scripted();
        DatasetLibrary shelf(service);
        QSignalSpy ended(&shelf, &DatasetLibrary::fetchEnded), settled(&shelf, &DatasetLibrary::settled);
        shelf.fetch("cifar-100", "/tmp/have.tar.gz");
        shelf.fetch("cifar-100");
        QVERIFY(shelf.fetching());
        service->allowSteps(3);
        QTRY_COMPARE(shelf.fetchOf("cifar-100")->progress.bytes, 3'000'000);
        QCOMPARE(shelf.fetchOf("cifar-100")->stage, DatasetLibrary::Stage::Going);
        service->allowAll();
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Done);
        QCOMPARE(settled.count(), 1);
        QVERIFY(!shelf.fetching());
        QVERIFY(shelf.find("cifar-100")->present);
        QCOMPARE(service->orders().size(), std::size_t(1));
        QCOMPARE(service->orders()[0].have, std::string("/tmp/have.tar.gz"));
    }

    void progressWakesTheWindowOnlyNowAndThen() {
        ScriptedDatasets::Script script;
        script.steps = 200'000;
        const auto service = std::make_shared<ScriptedDatasets>(script);
        service->allowAll();
        DatasetLibrary shelf(service);
        QSignalSpy moved(&shelf, &DatasetLibrary::fetchMoved), ended(&shelf, &DatasetLibrary::fetchEnded);
        shelf.fetch("cifar-100");
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
        DatasetLibrary shelf(service);
        QSignalSpy changed(&shelf, &DatasetLibrary::cardsChanged), ended(&shelf, &DatasetLibrary::fetchEnded);
        shelf.refresh();
        QTRY_COMPARE(changed.count(), 1);
        shelf.fetch("cifar-100");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Failed);
        QCOMPARE(ended[0][2].toString(), message);
        QCOMPARE(ended[0][3].toString(), hint);
        QVERIFY(!shelf.fetching());
        service->setEnding(Ending::Arrives);
        shelf.fetch("cifar-100");
        QTRY_COMPARE(ended.count(), 2);
        QCOMPARE(ended[1][1].value<FetchEnd>(), FetchEnd::Done);
    }

    void aFetchCanBeCancelled() {
        const auto service = scripted();
        DatasetLibrary shelf(service);
        QSignalSpy ended(&shelf, &DatasetLibrary::fetchEnded);
        shelf.fetch("cifar-100");
        service->allowSteps(1);
        QTRY_COMPARE(shelf.fetchOf("cifar-100")->progress.bytes, 1'000'000);
        shelf.cancel("cifar-100");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Stopped);
        QVERIFY(ended[0][2].toString().isEmpty());
        shelf.cancel("cifar-100");
        QCOMPARE(ended.count(), 1);
    }

    void theThirdFetchWaitsAndCanBeCancelledBeforeItBegins() {
        const auto service = scripted();
        DatasetLibrary shelf(service);
        QSignalSpy ended(&shelf, &DatasetLibrary::fetchEnded);
        for (const char* name : {"fashion-mnist", "cifar-100", "imagenet"}) shelf.fetch(name);
        QTRY_COMPARE(service->orders().size(), std::size_t(2));
        QCOMPARE(shelf.fetchOf("imagenet")->stage, DatasetLibrary::Stage::Waiting);
        shelf.cancel("imagenet");
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Stopped);
        service->allowAll();
        QTRY_COMPARE(ended.count(), 3);
        QVERIFY(!shelf.fetching());
        QCOMPARE(service->orders().size(), std::size_t(2));
    }

    void deletedInMidFetchItLeavesNothingBehind() {
        const auto service = scripted();
        {
            DatasetLibrary shelf(service);
            for (const char* name : {"fashion-mnist", "cifar-100", "imagenet"}) shelf.fetch(name);
            shelf.refresh();
            service->allowSteps(2);
        }
        QVERIFY(service->orders().size() <= 2);
        QCOMPARE(service.use_count(), 1);
    }

    void anotherFolderIsAskedForWhatIsThere() {
        const auto service = scripted();
        service->allowAll();
        DatasetLibrary shelf(service);
        QSignalSpy changed(&shelf, &DatasetLibrary::cardsChanged), ended(&shelf, &DatasetLibrary::fetchEnded);
        shelf.setFolder("/big/disk");
        QTRY_COMPARE(changed.count(), 1);
        // In its usual place it is as good.
        QVERIFY(shelf.find("fashion-mnist")->present);
        QVERIFY(shelf.rootFor("fashion-mnist").isEmpty());
        QVERIFY(!shelf.find("cifar-100")->present);
        shelf.fetch("cifar-100");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<FetchEnd>(), FetchEnd::Done);
        QCOMPARE(service->orders()[0].root, std::string("/big/disk"));
        QCOMPARE(shelf.rootFor("cifar-100"), QString("/big/disk/cifar-100"));
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
        DatasetLibrary shelf(scripted());
        QSignalSpy looked(&shelf, &DatasetLibrary::presenceChecked);
        shelf.checkPresence(name, {});
        QTRY_COMPARE(looked.count(), 1);
        QCOMPARE(looked[0][0].toString(), name);
        QCOMPARE(looked[0][2].toBool(), missing);
    }
};

PALIMPSEST_GUILESS_TEST(TestDatasetLibrary)
#include "tst_dataset_library.moc"
