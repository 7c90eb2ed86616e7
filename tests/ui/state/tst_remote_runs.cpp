// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <memory>

#include "engine/record/copy_mark.h"
#include "engine/support/file_io.h"
#include "tests/support/scripted_remote.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/state/remote_runs.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_remote_runs {

namespace {

namespace fs = std::filesystem;
using News = ScriptedRemote::News;

struct Scene {
    fs::path runs() const { return fs::path(dir.path().toStdString()) / "runs"; }
    fs::path copy() const { return fs::path(dir.path().toStdString()) / "masks"; }
    fs::path list() const { return runs() / ".followed.json"; }
    QString content() const {
        QFile file(QString::fromStdString(list().string()));
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
    /// A window's own, with machines that obey this scene.
    std::unique_ptr<RemoteRuns> open() const {
        auto remote = std::make_unique<RemoteRuns>(&table, "0", runs());
        remote->setService(machines);
        return remote;
    }
    ClusterRequest request() const {
        return {copy().string() + ".toml", copy(), "ssh://lab/~/sweeps/masks", "", {"--partition=gpu", 2, 1}};
    }

    QTemporaryDir dir;
    OptionTable table{testCatalogue()};
    std::shared_ptr<ScriptedRemote> machines = std::make_shared<ScriptedRemote>();
};

}  // namespace

class TestRemoteRuns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aSweepIsSubmittedFollowedAndNoted() {
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy submitted(remote.get(), &RemoteRuns::submitted), ended(remote.get(), &RemoteRuns::sweepEnded);
        remote->submit(scene.request());
        QTRY_COMPARE(submitted.count(), 1);
        QCOMPARE(submitted[0][1].toStringList(), QStringList{"12"});
        const QString folder = QString::fromStdString(scene.copy().string());
        QVERIFY(remote->standing(folder) && !remote->standing(folder)->broken);
        QTRY_VERIFY(scene.content().contains("ssh://lab/~/sweeps/masks"));
        QTRY_COMPARE(scene.machines->followed().size(), std::size_t{1});
        QVERIFY(scene.machines->followed()[0].sweep);
        // Submitting what has not finished once more follows it no second time.
        remote->submit(scene.request());
        QTRY_COMPARE(submitted.count(), 2);
        scene.machines->tell(scene.copy(), News::End);
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(scene.machines->followed().size(), std::size_t{1});
        QVERIFY(!remote->standing(folder));
        QTRY_VERIFY(!scene.content().contains("ssh://"));
    }

    void aSweepOfThisMachineIsNotFollowed() {
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy submitted(remote.get(), &RemoteRuns::submitted);
        ClusterRequest request = scene.request();
        request.place.clear();
        remote->submit(request);
        QTRY_COMPARE(submitted.count(), 1);
        QVERIFY(remote->followed().empty());
    }

    void aRefusalIsItsSentenceAndFollowsNothing_data() {
        QTest::addColumn<QString>("message");
        for (const char* message : {"lab says: Slurm refuses sweep.sbatch: invalid partition specified: nowhere.",
                                    "This machine has no Slurm: there is no program sbatch.",
                                    "lab takes none of your keys.", "The disk of lab is full, or your share of it is."})
            QTest::newRow(message) << message;
    }
    void aRefusalIsItsSentenceAndFollowsNothing() {
        QFETCH(QString, message);
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy refused(remote.get(), &RemoteRuns::submitFailed), failed(remote.get(), &RemoteRuns::failed);
        scene.machines->refuse(Failure{message, "Do something else."});
        remote->submit(scene.request());
        QTRY_COMPARE(refused.count(), 1);
        QCOMPARE(refused[0][0].toString(), message);
        QCOMPARE(refused[0][1].toString(), QString("Do something else."));
        QVERIFY(remote->followed().empty());
        QVERIFY(!fs::exists(scene.list()));
        remote->cancel(QString::fromStdString(scene.copy().string()));
        QTRY_COMPARE(failed.count(), 1);
    }

    void anotherVersionThatFitsIsToldOnceWorkHasBegun() {
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy submitted(remote.get(), &RemoteRuns::submitted), started(remote.get(), &RemoteRuns::started);
        QSignalSpy noted(remote.get(), &RemoteRuns::noted);
        scene.machines->refuse(Failure{"The disk of lab is full.", ""});
        scene.machines->sayVersion("lab has Palimpsest 1.2.3, this computer 1.2.4.");
        QSignalSpy refused(remote.get(), &RemoteRuns::submitFailed);
        remote->submit(scene.request());
        QTRY_COMPARE(refused.count(), 1);
        QVERIFY(noted.isEmpty());
        scene.machines->refuse(std::nullopt);
        remote->submit(scene.request());
        QTRY_COMPARE(submitted.count(), 1);
        QTRY_COMPARE(noted.count(), 1);
        QCOMPARE(noted[0][0].toString(), QString("lab has Palimpsest 1.2.3, this computer 1.2.4."));
        remote->start(scene.table.defaults(), "ssh://lab/~/runs", "");
        QTRY_COMPARE(started.count(), 1);
        QTRY_COMPARE(noted.count(), 2);
    }

    void aBreakIsSaidOnceAndEndsByItself() {
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy broken(remote.get(), &RemoteRuns::broken), back(remote.get(), &RemoteRuns::back);
        remote->submit(scene.request());
        scene.machines->tell(scene.copy(), News::Broken);
        QTRY_COMPARE(broken.count(), 1);
        const QString folder = QString::fromStdString(scene.copy().string());
        QVERIFY(remote->standing(folder)->broken);
        QVERIFY(remote->standing(folder)->message.contains("No connection to lab"));
        QVERIFY(remote->standing(folder)->seen.isValid());
        scene.machines->tell(scene.copy(), News::Back);
        QTRY_COMPARE(back.count(), 1);
        QVERIFY(!remote->standing(folder)->broken);
        scene.machines->tell(scene.copy(), News::Full);
        QTRY_COMPARE(broken.count(), 2);
        QVERIFY(remote->standing(folder)->broken && remote->standing(folder)->full);
        QVERIFY(remote->standing(folder)->message.contains("The disk of this computer is full"));
        scene.machines->tell(scene.copy(), News::Back);
        QTRY_COMPARE(back.count(), 2);
        QVERIFY(!remote->standing(folder)->broken && !remote->standing(folder)->full);
        scene.machines->tell(scene.copy(), News::Noted);
        QTRY_VERIFY(remote->standing(folder)->message.contains("Slurm does not say"));
        QVERIFY(!remote->standing(folder)->broken);
    }

    void theNextWindowGoesOnFollowing() {
        const Scene scene;
        auto remote = scene.open();
        QSignalSpy arrived(remote.get(), &RemoteRuns::arrived);
        remote->submit(scene.request());
        remote->start(scene.table.defaults(), "ssh://lab/~/runs", "/opt/palimpsest-cli");
        QTRY_COMPARE(remote->followed().size(), std::size_t{2});
        QTRY_COMPARE(arrived.count(), 1);
        QTRY_COMPARE(scene.machines->followed().size(), std::size_t{2});
        const std::vector<Followed> before = remote->followed();
        // A window that ends, however.
        remote.reset();
        remote = scene.open();
        QSignalSpy taken(remote.get(), &RemoteRuns::takenUp), again(remote.get(), &RemoteRuns::arrived);
        remote->recall();
        QTRY_COMPARE(taken.count(), 1);
        QCOMPARE(taken[0][0].toInt(), 2);
        QCOMPARE(remote->followed(), before);
        QTRY_COMPARE(scene.machines->followed().size(), std::size_t{4});
        QVERIFY(again.isEmpty());
        // What has gone there meanwhile is said, and followed no longer.
        QSignalSpy failed(remote.get(), &RemoteRuns::failed);
        scene.machines->tell(scene.copy(), News::Gone);
        QTRY_COMPARE(failed.count(), 1);
        QCOMPARE(remote->followed().size(), std::size_t{1});
        QTRY_VERIFY(!scene.content().contains("masks"));
        QVERIFY(scene.content().contains("run-1"));
    }

    void whereNothingWasFollowedNoFileIsMade() {
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy taken(remote.get(), &RemoteRuns::takenUp), noted(remote.get(), &RemoteRuns::noted);
        remote->recall();
        QTest::qWait(50);
        QVERIFY(taken.isEmpty() && noted.isEmpty());
        QVERIFY(!fs::exists(scene.runs()));
    }

    void oneWindowHasTheList() {
        const Scene scene;
        const auto first = scene.open();
        first->submit(scene.request());
        QTRY_VERIFY(!scene.content().isEmpty());
        const auto second = scene.open();
        QSignalSpy noted(second.get(), &RemoteRuns::noted);
        second->recall();
        QTRY_COMPARE(noted.count(), 1);
        QVERIFY(noted[0][0].toString().contains("Another window"));
        QVERIFY(second->followed().empty());
        // What it follows itself takes nothing from the first one's list.
        ClusterRequest other = scene.request();
        other.place = "ssh://lab/~/sweeps/other";
        other.folder = scene.copy().string() + "-2";
        second->submit(other);
        QTRY_COMPARE(noted.count(), 2);
        QVERIFY(scene.content().contains("sweeps/masks") && !scene.content().contains("sweeps/other"));
    }

    void aDamagedListIsKeptAndSaid() {
        const Scene scene;
        fs::create_directories(scene.runs());
        replaceTextFile(scene.list(), R"({"version": 1, "followed": [{"kind": "sweep", "place": "lab:/x"}]})");
        const auto remote = scene.open();
        QSignalSpy noted(remote.get(), &RemoteRuns::noted);
        remote->recall();
        QTRY_COMPARE(noted.count(), 1);
        QVERIFY(noted[0][0].toString().contains("damaged"));
        QVERIFY(fs::exists(scene.runs() / ".followed.damaged.json"));
        QVERIFY(remote->followed().empty());
        remote->submit(scene.request());
        QTRY_VERIFY(scene.content().contains("sweeps/masks"));
    }

    void aNewerListIsLeftAlone() {
        const Scene scene;
        fs::create_directories(scene.runs());
        const std::string newer = R"({"version": 2, "followed": {}})";
        replaceTextFile(scene.list(), newer);
        const auto remote = scene.open();
        QSignalSpy noted(remote.get(), &RemoteRuns::noted);
        remote->recall();
        QTRY_COMPARE(noted.count(), 1);
        QVERIFY(noted[0][0].toString().contains("newer version"));
        remote->submit(scene.request());
        QTRY_COMPARE(noted.count(), 2);
        QCOMPARE(scene.content().toStdString(), newer);
    }

    void aCopyThatNobodyFollowsIsFollowedAgain() {
        const Scene scene;
        const auto remote = scene.open();
        fs::create_directories(scene.copy());
        replaceTextFile(scene.copy() / kCopyMark, "ssh://lab/~/sweeps/masks\n");
        remote->followSweep(QString::fromStdString(scene.copy().string()));
        QTRY_COMPARE(scene.machines->followed().size(), std::size_t{1});
        QCOMPARE(scene.machines->followed()[0], (Followed{true, "ssh://lab/~/sweeps/masks", scene.copy()}));
        QTRY_VERIFY(scene.content().contains("sweeps/masks"));
    }

    void followedAgainItHasTheProgramThatWasNamed() {
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy failed(remote.get(), &RemoteRuns::failed);
        ClusterRequest request = scene.request();
        request.program = "/opt/palimpsest-cli";
        remote->submit(request);
        QTRY_COMPARE(scene.machines->followed().size(), std::size_t{1});
        scene.machines->tell(scene.copy(), News::Gone);
        QTRY_COMPARE(failed.count(), 1);
        fs::create_directories(scene.copy());
        replaceTextFile(scene.copy() / kCopyMark, "ssh://lab/~/sweeps/masks\n");
        remote->followSweep(QString::fromStdString(scene.copy().string()));
        QTRY_COMPARE(scene.machines->followed().size(), std::size_t{2});
        QCOMPARE(scene.machines->followed()[1], scene.machines->followed()[0]);
    }

    void runsOfOneNameOnTwoMachinesHaveTheirOwnCopies() {
        const Scene scene;
        const auto remote = scene.open();
        for (const char* host : {"ssh://lab/~/runs", "ssh://office/~/runs"})
            remote->start(scene.table.defaults(), host, {});
        QTRY_COMPARE(remote->followed().size(), std::size_t{2});
        QVERIFY(remote->followed()[0].folder != remote->followed()[1].folder);
        QVERIFY(remote->followed()[0].place != remote->followed()[1].place);
    }

    void checkpointsComeIntoACopyAlone() {
        const Scene scene;
        const auto remote = scene.open();
        QSignalSpy brought(remote.get(), &RemoteRuns::brought), failed(remote.get(), &RemoteRuns::failed),
            cancelled(remote.get(), &RemoteRuns::cancelled);
        const QString folder = QString::fromStdString(scene.copy().string());
        fs::create_directories(scene.copy());
        remote->bringCheckpoints(folder);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains("is no copy"));
        replaceTextFile(scene.copy() / kCopyMark, "ssh://lab/~/sweeps/masks\n");
        remote->bringCheckpoints(folder);
        QTRY_COMPARE(brought.count(), 1);
        remote->cancel(folder);
        QTRY_COMPARE(cancelled.count(), 1);
        QCOMPARE(scene.machines->calls(),
                 (std::vector<std::string>{"checkpoints ssh://lab/~/sweeps/masks " + scene.copy().string(),
                                           "cancel ssh://lab/~/sweeps/masks " + scene.copy().string()}));
    }
};

PALIMPSEST_GUILESS_TEST(TestRemoteRuns)

}  // namespace tst_remote_runs

#include "tst_remote_runs.moc"
