// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDateTime>
#include <QDeadlineTimer>
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>

#include "engine/config/experiment_file.h"
#include "engine/support/file_io.h"
#include "tests/support/queue_program.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/state/run_queue.h"
#include "ui/state/standstill.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_queue {

namespace {

namespace fs = std::filesystem;

Catalogue withExternal() {
    Catalogue catalogue = testCatalogue();
    catalogue.methods.push_back({"external", "Your own program", "A program learns."});
    return catalogue;
}

struct Scene {
    Scene() : program(makeQueueProgram(dir.path())) {}
    ~Scene() { finish(); }
    std::unique_ptr<RunQueue> queue() {
        auto made =
            std::make_unique<RunQueue>(&table, RunQueue::Places{runs() / kQueueFolder, runs(), program.toStdString()});
        QSignalSpy opened(made.get(), &RunQueue::opened);
        made->recall();
        opened.wait();
        return made;
    }
    fs::path runs() const { return fs::path(dir.path().toStdString()) / "runs"; }
    fs::path file() const { return runs() / kQueueFolder / "queue.json"; }
    QString at(const char* name) const { return dir.filePath(name); }
    void finish() const { write("go", {}); }
    void write(const char* name, const QByteArray& text) const {
        QFile out(at(name));
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write(text);
    }
    QStringList calls() const {
        QFile in(at("calls"));
        if (!in.open(QIODevice::ReadOnly)) return {};
        return QString::fromUtf8(in.readAll()).split('\n', Qt::SkipEmptyParts);
    }
    Experiment experiment(const std::string& name = "Mine") const {
        Experiment made = table.defaults();
        made.name = name;
        return made;
    }
    static QList<int> seeds(const RunQueue& queue) {
        QList<int> seeds;
        for (const QueueJob& job : queue.jobs()) seeds.append(static_cast<int>(job.seed));
        return seeds;
    }
    static QueueState stateOf(const RunQueue& queue, std::size_t row) { return queue.jobs().at(row).state; }

    QTemporaryDir dir;
    OptionTable table{withExternal()};
    QString program;
};

}  // namespace

class TestRunQueue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aQueueThatWasNeverUsedMakesNoFolder() {
        Scene scene;
        const auto queue = scene.queue();
        QVERIFY(queue->jobs().empty());
        QVERIFY(!fs::exists(scene.runs()));
    }

    void fiveSeedsAreOnePress() {
        Scene scene;
        const auto queue = scene.queue();
        QSignalSpy added(queue.get(), &RunQueue::added);
        queue->add(scene.experiment(), {1, 2, 3, 4, 5});
        QTRY_COMPARE(added.count(), 1);
        QCOMPARE(added.at(0).at(0).toInt(), 5);
        QCOMPARE(queue->jobs().size(), std::size_t{5});
        QTRY_COMPARE(scene.calls().size(), 1);
        QVERIFY2(scene.calls().at(0).contains("--set seed=1 --out"), qPrintable(scene.calls().at(0)));
        QVERIFY(!scene.calls().at(0).contains("threads"));
        scene.finish();
        QTRY_VERIFY_WITH_TIMEOUT(queue->working() + queue->waiting() == 0, 60'000);
        QCOMPARE(scene.calls().size(), 5);
        for (const QueueJob& job : queue->jobs()) QCOMPARE(job.state, QueueState::Finished);
    }

    void severalRunAtOnceAndShareTheCores() {
        Scene scene;
        const auto queue = scene.queue();
        queue->add(scene.experiment(), {1, 2, 3});
        queue->setAtOnce(2);
        QTRY_COMPARE(queue->working(), 2);
        QCOMPARE(queue->waiting(), 1);
        QTRY_COMPARE(scene.calls().size(), 2);
        QVERIFY(scene.calls().join(' ').contains("threads="));
        scene.finish();
        QTRY_VERIFY_WITH_TIMEOUT(queue->working() + queue->waiting() == 0, 60'000);
    }

    void rowsMoveAreHeldAndTakenBack() {
        Scene scene;
        const auto queue = scene.queue();
        queue->add(scene.experiment(), {1, 2, 3, 4});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{4});
        queue->setPaused(true);
        const auto id = [&](std::size_t row) { return queue->jobs().at(row).id; };
        queue->move(id(3), 1);
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 4, 2, 3}));
        queue->move(id(1), 4);
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 2, 3, 4}));
        queue->move(id(1), 1);
        queue->move(id(1), 2);
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 2, 3, 4}));
        queue->hold({id(1)}, true);
        QCOMPARE(Scene::stateOf(*queue, 1), QueueState::Held);
        queue->takeBack({id(2)});
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 2, 4}));
        scene.finish();
        queue->setPaused(false);
        QTRY_VERIFY_WITH_TIMEOUT(queue->working() + queue->waiting() == 0, 60'000);
        QCOMPARE(Scene::stateOf(*queue, 1), QueueState::Held);
        QSignalSpy taken(queue.get(), &RunQueue::tookBack);
        queue->clearEnded();
        QCOMPARE(Scene::seeds(*queue), QList<int>{2});
        queue->clearEnded();
        QCOMPARE(taken.count(), 1);
    }

    void aRunThatIsHeldStopsAndGoesOnInItsFolder() {
        Scene scene;
        const auto queue = scene.queue();
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(!queue->jobs().empty() && fs::exists(queue->jobs()[0].folder / "run.json"));
        const auto id = queue->jobs()[0].id;
        QTRY_VERIFY(queue->find(id)->pid > 0);
        queue->hold({id}, true);
        QTRY_COMPARE_WITH_TIMEOUT(queue->find(id)->state, QueueState::Held, 30'000);
        QVERIFY(queue->find(id)->sentence.empty());
        scene.finish();
        queue->hold({id}, false);
        QTRY_COMPARE_WITH_TIMEOUT(queue->find(id)->state, QueueState::Finished, 30'000);
        QVERIFY(scene.calls().last().startsWith("run --resume " +
                                                QString::fromStdString(queue->jobs()[0].folder.string())));
    }

    void aLearnerThatDoesNotAnswerIsEnded() {
        Scene scene;
        const auto queue = scene.queue();
        Experiment experiment = scene.experiment();
        experiment.method.name = "external";
        queue->add(experiment, {1});
        QTRY_VERIFY(!queue->jobs().empty() && fs::exists(queue->jobs()[0].folder / "run.json"));
        const auto id = queue->jobs()[0].id;
        QTRY_VERIFY(queue->find(id)->pid > 0);
        const QString deaf = scene.at("deaf");
        scene.write("deaf", {});
        queue->endLearners({id});
        QVERIFY2(!queue->waitsForLearner(id) && QFile::exists(deaf), "only what was asked to stop is ended");
        queue->hold({id}, true);
        QTRY_VERIFY(!QFile::exists(deaf));
        QCOMPARE(queue->find(id)->state, QueueState::Stopping);
        QVERIFY(queue->waitsForLearner(id));
        queue->endLearners({id});
        QTRY_COMPARE_WITH_TIMEOUT(queue->find(id)->state, QueueState::Held, 30'000);
    }

    void whatSomebodyElseStopsDoesNotBeginAgainByItself() {
        Scene scene;
        const auto queue = scene.queue();
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(!queue->jobs().empty() && fs::exists(queue->jobs()[0].folder / "run.json"));
        QTRY_VERIFY(queue->jobs()[0].pid > 0);
        kill(static_cast<pid_t>(queue->jobs()[0].pid), SIGTERM);
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Held, 30'000);
        QVERIFY(QString::fromStdString(queue->jobs()[0].sentence).contains("Somebody stopped it"));
    }

    void aFailureIsTheSentenceOfTheProgram() {
        Scene scene;
        scene.write("fail", {});
        const auto queue = scene.queue();
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(!queue->jobs().empty());
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Failed, 30'000);
        QCOMPARE(queue->jobs()[0].sentence, std::string("The data are not there. Fetch them."));
        QFile::remove(scene.at("fail"));
        scene.finish();
        queue->retry({queue->jobs()[0].id});
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Finished, 30'000);
    }

    void jobsThatAreTriedAgainTogetherGetAFolderEach() {
        Scene scene;
        scene.write("fail", {});
        const auto queue = scene.queue();
        for (int i = 0; i < 2; ++i) {
            queue->add(scene.experiment(), {1});
            QTRY_COMPARE(queue->jobs().size(), static_cast<std::size_t>(i) + 1);
        }
        QTRY_VERIFY_WITH_TIMEOUT(
            Scene::stateOf(*queue, 0) == QueueState::Failed && Scene::stateOf(*queue, 1) == QueueState::Failed, 30'000);
        // Neither can go on where it is.
        for (const QueueJob& job : queue->jobs()) {
            fs::create_directories(job.folder);
            replaceTextFile(job.folder / "run.json", R"({"state": "failed"})");
        }
        queue->setPaused(true);
        const auto first = queue->jobs()[0].id, second = queue->jobs()[1].id;
        // Once in one call, once in two of a moment.
        queue->retry({first, second});
        QTRY_COMPARE(queue->waiting(), 2);
        QVERIFY(queue->jobs()[0].folder != queue->jobs()[1].folder);
        for (const QueueJob& job : queue->jobs()) QVERIFY(!fs::exists(job.folder));
        queue->setPaused(false);
        QTRY_VERIFY_WITH_TIMEOUT(
            Scene::stateOf(*queue, 0) == QueueState::Failed && Scene::stateOf(*queue, 1) == QueueState::Failed, 30'000);
        for (const QueueJob& job : queue->jobs()) {
            fs::create_directories(job.folder);
            replaceTextFile(job.folder / "run.json", R"({"state": "failed"})");
        }
        queue->setPaused(true);
        queue->retry({first});
        queue->retry({second});
        QTRY_COMPARE(queue->waiting(), 2);
        QVERIFY(queue->jobs()[0].folder != queue->jobs()[1].folder);
    }

    void aMissingProgramIsSaid() {
        Scene scene;
        QFile::remove(scene.program);
        const auto queue = scene.queue();
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(!queue->jobs().empty());
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Failed, 30'000);
        QVERIFY(QString::fromStdString(queue->jobs()[0].sentence).startsWith("Cannot start"));
    }

    void anotherWindowGoesOnOnceItIsTold() {
        Scene scene;
        auto queue = scene.queue();
        queue->add(scene.experiment(), {1, 2});
        QTRY_VERIFY(queue->jobs().size() == 2 && queue->jobs()[0].pid > 0);
        QTRY_VERIFY(fs::exists(queue->jobs()[0].folder / "run.json"));
        const fs::path first = queue->jobs()[0].folder;
        queue.reset();  // closing stops it
        QTRY_COMPARE(readRunState(first), RecordedState::Stopped);
        queue = scene.queue();
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 2}));
        QVERIFY(queue->asks());
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Waiting, 30'000);
        const qsizetype before = scene.calls().size();
        QTest::qWait(50);
        QCOMPARE(scene.calls().size(), before);
        scene.finish();
        queue->goOn();
        QVERIFY(!queue->asks());
        QTRY_VERIFY_WITH_TIMEOUT(queue->working() + queue->waiting() == 0, 60'000);
        QVERIFY(scene.calls().at(before).startsWith("run --resume"));
    }

    void whatIsTakenBackIsPutBack() {
        Scene scene;
        const auto queue = scene.queue();
        queue->setPaused(true);
        queue->add(scene.experiment(), {1, 2, 3, 4});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{4});
        std::vector<RunQueue::Taken> taken;
        connect(queue.get(), &RunQueue::tookBack, queue.get(),
                [&](const std::vector<RunQueue::Taken>& one) { taken = one; });
        const auto id = [&](std::size_t row) { return queue->jobs().at(row).id; };
        queue->hold({id(2)}, true);
        queue->takeBack({id(0), id(2)});
        QCOMPARE(Scene::seeds(*queue), (QList<int>{2, 4}));
        QCOMPARE(taken.size(), std::size_t{2});
        queue->putBack(taken);
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 2, 3, 4}));
        QCOMPARE(Scene::stateOf(*queue, 2), QueueState::Held);
        // Twice changes nothing.
        queue->putBack(taken);
        QCOMPARE(queue->jobs().size(), std::size_t{4});
        QTRY_VERIFY(readTextFile(scene.file()).find("\"seed\": 3") != std::string::npos);
    }

    void eachThatIsPutBackGoesToItsRow() {
        Scene scene;
        const auto queue = scene.queue();
        queue->setPaused(true);
        queue->add(scene.experiment(), {1, 2, 3, 4, 5, 6, 7});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{7});
        std::vector<RunQueue::Taken> taken;
        connect(queue.get(), &RunQueue::tookBack, queue.get(),
                [&](const std::vector<RunQueue::Taken>& one) { taken = one; });
        const auto id = [&](std::size_t row) { return queue->jobs().at(row).id; };
        queue->takeBack({id(6), id(1), id(2), id(4)});
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 4, 6}));
        queue->putBack(taken);
        QCOMPARE(Scene::seeds(*queue), (QList<int>{1, 2, 3, 4, 5, 6, 7}));
        queue->takeBack({id(1), id(5), id(6)});
        // What has become shorter meanwhile has no such row.
        const std::vector<RunQueue::Taken> first = taken;
        queue->takeBack({id(0), id(1), id(2)});
        QCOMPARE(Scene::seeds(*queue), QList<int>{5});
        queue->putBack(first);
        QCOMPARE(Scene::seeds(*queue), (QList<int>{5, 2, 6, 7}));
    }

    void aFolderThatIsUsedMeanwhileIsNotSharedByWhatIsPutBack() {
        Scene scene;
        const auto queue = scene.queue();
        queue->setPaused(true);
        queue->add(scene.experiment(), {1});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{1});
        const RunQueue::Taken taken{0, queue->jobs()[0]};
        queue->takeBack({taken.job.id});
        queue->add(scene.experiment(), {1});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{1});
        QCOMPARE(queue->jobs()[0].folder, taken.job.folder);
        queue->putBack({taken});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{2});
        QVERIFY(queue->jobs()[0].folder != queue->jobs()[1].folder);
    }

    void whatWorkedWhenItWasTakenBackGoesOn() {
        Scene scene;
        const auto queue = scene.queue();
        std::vector<RunQueue::Taken> taken;
        connect(queue.get(), &RunQueue::tookBack, queue.get(),
                [&](const std::vector<RunQueue::Taken>& one) { taken = one; });
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(!queue->jobs().empty() && fs::exists(queue->jobs()[0].folder / "run.json"));
        QTRY_VERIFY(queue->jobs()[0].pid > 0);
        queue->takeBack({queue->jobs()[0].id});
        QCOMPARE(Scene::stateOf(*queue, 0), QueueState::Stopping);
        // While it stops.
        queue->putBack(taken);
        QTRY_COMPARE_WITH_TIMEOUT(scene.calls().size(), 2, 30'000);
        QVERIFY(scene.calls().at(1).startsWith("run --resume"));
        QTRY_VERIFY(queue->jobs()[0].pid > 0);
        // When it has gone.
        queue->takeBack({queue->jobs()[0].id});
        QTRY_VERIFY_WITH_TIMEOUT(queue->jobs().empty(), 30'000);
        queue->putBack(taken);
        scene.finish();
        QTRY_VERIFY_WITH_TIMEOUT(queue->jobs().size() == 1 && Scene::stateOf(*queue, 0) == QueueState::Finished,
                                 30'000);
        QCOMPARE(scene.calls().size(), 3);
    }

    void whatIsToOutliveTheQueueGoesOnAndIsFoundAgain() {
        Scene scene;
        auto queue = scene.queue();
        queue->add(scene.experiment(), {1, 2});
        QTRY_VERIFY(queue->jobs().size() == 2 && queue->jobs()[0].pid > 0);
        QTRY_VERIFY(fs::exists(queue->jobs()[0].folder / "run.json"));
        const auto pid = queue->jobs()[0].pid;
        queue->setOutlived(true);
        queue.reset();
        queue = scene.queue();
        QVERIFY(queue->asks());
        QCOMPARE(queue->working(), 1);
        QCOMPARE(queue->jobs()[0].pid, pid);
        scene.finish();
        // Not stopped.
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Finished, 30'000);
        // What waits is asked about all the same.
        QVERIFY(queue->asks());
        QCOMPARE(scene.calls().size(), 1);
    }

    void whatOutlivedTheQueueAndIsStoppedLaterDoesNotBeginAgainByItself() {
        Scene scene;
        auto queue = scene.queue();
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(!queue->jobs().empty() && queue->jobs()[0].pid > 0);
        QTRY_VERIFY(fs::exists(queue->jobs()[0].folder / "run.json"));
        queue->setOutlived(true);
        queue.reset();
        queue = scene.queue();
        queue->goOn();
        QSignalSpy looked(queue.get(), &RunQueue::progressed);
        QVERIFY(looked.wait());
        // It was found at work: from here on somebody has a reason.
        kill(static_cast<pid_t>(queue->jobs()[0].pid), SIGTERM);
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Held, 30'000);
        QCOMPARE(scene.calls().size(), 1);
    }

    void whatWasAskedToStopWithTheWindowGoesOnAlthoughItIsStillFoundAtWork() {
        Scene scene;
        auto queue = scene.queue();
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(!queue->jobs().empty() && queue->jobs()[0].pid > 0);
        QTRY_VERIFY(fs::exists(queue->jobs()[0].folder / "run.json"));
        const auto pid = static_cast<pid_t>(queue->jobs()[0].pid);
        // It comes to its end only when it may.
        kill(pid, SIGSTOP);
        queue.reset();
        QVERIFY(parseQueue(readTextFile(scene.file()), "queue.json").jobs.at(0).resumes);
        queue = scene.queue();
        QSignalSpy looked(queue.get(), &RunQueue::progressed);
        QVERIFY(looked.wait());
        QCOMPARE(queue->working(), 1);
        kill(pid, SIGCONT);
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Waiting, 30'000);
        QVERIFY(queue->asks());
    }

    void whatIsJustBeingBegunStopsWithTheQueue() {
        Scene scene;
        auto queue = scene.queue();
        queue->setPaused(true);
        queue->addSweep("/grids/masks.toml", scene.runs() / "masks", "Masks");
        queue->add(scene.experiment(), {1});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{2});
        queue->setPaused(false);
        QCOMPARE(queue->working(), 1);
        // Nobody hears that it has begun.
        QDeadlineTimer patience(30'000);
        while (!fs::exists(scene.runs() / "masks" / "run.json") && !patience.hasExpired()) QTest::qSleep(10);
        QCOMPARE(queue->jobs()[0].pid, std::int64_t{0});
        queue.reset();
        QTRY_COMPARE_WITH_TIMEOUT(readRunState(scene.runs() / "masks"), RecordedState::Stopped, 30'000);
    }

    void aProgramThatACrashLeftWithoutANumberIsFoundAgain() {
        Scene scene;
        auto queue = scene.queue();
        queue->addSweep("/grids/masks.toml", scene.runs() / "masks", "Masks");
        QTRY_VERIFY(!queue->jobs().empty() && queue->jobs()[0].pid > 0);
        const auto pid = queue->jobs()[0].pid;
        queue->setOutlived(true);
        queue.reset();
        QueueFile left = parseQueue(readTextFile(scene.file()), "queue.json");
        left.jobs[0].pid = 0;
        left.jobs[0].process.clear();
        replaceTextFile(scene.file(), formatQueue(left));
        queue = scene.queue();
        QCOMPARE(queue->jobs().at(0).pid, pid);
        QSignalSpy looked(queue.get(), &RunQueue::progressed);
        QVERIFY(looked.wait());
        QCOMPARE(Scene::stateOf(*queue, 0), QueueState::Running);
        QCOMPARE(scene.calls().size(), 1);
    }

    void whatOutlivedACrashIsFoundAgain() {
        Scene scene;
        QByteArray left;
        {
            const auto queue = scene.queue();
            queue->add(scene.experiment(), {1});
            QTRY_VERIFY(queue->jobs().size() == 1 && queue->jobs()[0].pid > 0);
            // As a window leaves it that is killed: nobody is asked to stop.
            QTRY_VERIFY(fs::exists(scene.file()));
            QTRY_VERIFY(readTextFile(scene.file()).find("\"running\"") != std::string::npos);
            QTRY_VERIFY(readTextFile(scene.file()).find("\"pid\": 0") == std::string::npos);
            left = QByteArray::fromStdString(readTextFile(scene.file()));
            queue->setPaused(true);
            scene.finish();
            QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Finished, 30'000);
        }
        replaceTextFile(scene.file(), left.toStdString());
        const auto queue = scene.queue();
        QTRY_COMPARE_WITH_TIMEOUT(Scene::stateOf(*queue, 0), QueueState::Finished, 30'000);
        // Nobody saw how long it took: no estimate is made of it.
        QCOMPARE(queue->jobs()[0].seconds, 0.0);
        QVERIFY(!queue->asks());
        QCOMPARE(scene.calls().size(), 1);
    }

    void whatAKilledRunHadWorkedCounts() {
        Scene scene;
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        QueueFile left;
        QueueJob job;
        job.id = 1;
        job.name = "Mine";
        job.experiment = std::make_shared<const std::string>(formatExperiment(scene.table, scene.experiment()));
        job.folder = scene.runs() / "mine-seed-1";
        job.state = QueueState::Running;
        job.pid = QCoreApplication::applicationPid();
        job.process = "before the machine went down";
        job.began = now - 100'000;
        job.seconds = 5;
        job.starts = 1;
        left.jobs = {job};
        fs::create_directories(job.folder);
        replaceTextFile(job.folder / "run.json", R"({"state": "stopped"})");
        fs::last_write_time(job.folder / "run.json", fs::file_time_type::clock::now() - std::chrono::seconds(40));
        fs::create_directories(scene.file().parent_path());
        replaceTextFile(scene.file(), formatQueue(left));
        const auto queue = scene.queue();
        QTRY_COMPARE(Scene::stateOf(*queue, 0), QueueState::Waiting);
        const double seconds = queue->jobs()[0].seconds;
        QVERIFY2(seconds > 64 && seconds < 66, std::to_string(seconds).c_str());
    }

    void theFileIsWholeAtEveryMoment() {
        // Whatever moment a window is killed at, the file is one of those it wrote: it is read while it is written.
        Scene scene;
        const auto queue = scene.queue();
        queue->add(scene.experiment(), {1, 2, 3, 4, 5, 6, 7, 8});
        queue->setPaused(true);
        QTRY_VERIFY(queue->jobs().size() == 8 && fs::exists(scene.file()));
        for (int i = 0; i < 60; ++i) {
            queue->move(queue->jobs().back().id, 0);
            QCoreApplication::processEvents();
            QCOMPARE(parseQueue(readTextFile(scene.file()), "queue.json").jobs.size(), std::size_t{8});
        }
    }

    void aDamagedFileIsKeptAside() {
        Scene scene;
        fs::create_directories(scene.file().parent_path());
        replaceTextFile(scene.file(), "{\"version\": 1, \"jobs\": [");
        RunQueue queue(&scene.table, {scene.runs() / kQueueFolder, scene.runs(), scene.program.toStdString()});
        QSignalSpy failed(&queue, &RunQueue::failed), opened(&queue, &RunQueue::opened);
        queue.recall();
        QVERIFY(opened.wait());
        QCOMPARE(failed.count(), 1);
        const QString aside = QString::fromStdString((scene.runs() / kQueueFolder / "queue.damaged.json").string());
        QVERIFY(failed.at(0).at(1).toString().contains(aside));
        QCOMPARE(readTextFile(aside.toStdString()), std::string("{\"version\": 1, \"jobs\": ["));
        queue.setPaused(true);
        queue.add(scene.experiment(), {3});
        QTRY_COMPARE(queue.jobs().size(), std::size_t{1});
    }

    void twoWindowsDoNotShareAQueue() {
        Scene scene;
        auto queue = scene.queue();
        queue->add(scene.experiment(), {1});
        QTRY_VERIFY(fs::exists(scene.file()));
        RunQueue other(&scene.table, {scene.runs() / kQueueFolder, scene.runs(), scene.program.toStdString()});
        QSignalSpy failed(&other, &RunQueue::failed), opened(&other, &RunQueue::opened);
        other.recall();
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(other.elsewhere() && failed.isEmpty());
        QVERIFY(other.jobs().empty() && !other.isOpen());
        QCOMPARE(other.othersJobs().size(), std::size_t{1});
        QCOMPARE(other.othersJobs()[0].folder, queue->jobs()[0].folder);
        for (int time = 1; time <= 2; ++time) {
            other.add(scene.experiment(), {2});
            QTRY_COMPARE(failed.count(), time);
            QVERIFY(failed.last().at(0).toString().contains("belongs to another window"));
        }
        QVERIFY(other.jobs().empty());
        // Once that window is closed, this one has it.
        scene.finish();
        QTRY_VERIFY_WITH_TIMEOUT(queue->working() == 0, 60'000);
        queue.reset();
        other.recall();
        QTRY_VERIFY(other.isOpen());
        QVERIFY(!other.elsewhere() && other.othersJobs().empty());
        QCOMPARE(other.jobs().size(), std::size_t{1});
    }

    void aSweepThatNobodyMeasuredTakesUnknownTime() {
        Scene scene;
        const auto queue = scene.queue();
        queue->setPaused(true);
        queue->addSweep("/grids/masks.toml", scene.runs() / "masks", "Masks");
        QTRY_COMPARE(queue->jobs().size(), std::size_t{1});
        QVERIFY(!queue->left() && queue->leftUnknown());
        queue->addSweep("/grids/rates.toml", scene.runs() / "rates", "Rates", 7200);
        // One of which nothing is known makes the whole unknown.
        QVERIFY(!queue->left() && queue->leftUnknown());
        queue->hold({queue->jobs()[0].id}, true);
        QVERIFY(queue->left() && !queue->leftUnknown());
        QCOMPARE(*queue->left(), 7200.0);
    }

    void whatIsSlowDoesNotStandStill() {
        constexpr std::int64_t kMinute = 60'000;
        Standstill hangs;
        QVERIFY(!hangs.stands(kMinute));
        hangs.note(0, 1'000);
        QVERIFY(!hangs.stands(10 * kMinute));
        hangs.note(0.08, 3'000);
        hangs.note(0.08, 30'000);
        QVERIFY(!hangs.stands(kMinute));
        QVERIFY(hangs.stands(2 * kMinute));
        hangs.note(0.09, 2 * kMinute);
        QVERIFY(!hangs.stands(3 * kMinute));
        // Whose batches take so long gets more time.
        Standstill slow;
        for (std::int64_t i = 1; i <= 3; ++i) slow.note(0.1 * static_cast<double>(i), i * 2 * kMinute);
        QVERIFY(!slow.stands(11 * kMinute));
        QVERIFY(slow.stands(13 * kMinute));
    }

    void aSweepThatComesBeforeTheQueueIsOpenKeepsItsFolder() {
        Scene scene;
        const auto queue = scene.queue();
        queue->setPaused(true);
        queue->addSweep("/grids/masks.toml", scene.runs() / "masks", "Masks");
        queue->add(scene.experiment(), {1});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{2});
        QCOMPARE(queue->jobs()[0].folder, scene.runs() / "masks");
        QCOMPARE(queue->jobs()[1].folder, scene.runs() / "mine-seed-1");
    }

    void aSweepTakesItsTurnAlone() {
        Scene scene;
        const auto queue = scene.queue();
        queue->setPaused(true);
        queue->add(scene.experiment(), {1});
        QTRY_COMPARE(queue->jobs().size(), std::size_t{1});
        queue->addSweep("/grids/masks.toml", scene.runs() / "masks", "Masks");
        queue->addSweep("/grids/masks.toml", scene.runs() / "masks", "Masks");
        QCOMPARE(queue->jobs().size(), std::size_t{2});
        queue->setAtOnce(4);
        // It is no run that the library lists.
        connect(queue.get(), &RunQueue::folderChanged, queue.get(),
                [&](const QString& folder) { QVERIFY2(!folder.endsWith("masks"), qPrintable(folder)); });
        queue->setPaused(false);
        QTRY_COMPARE(scene.calls().size(), 1);
        QCOMPARE(Scene::stateOf(*queue, 1), QueueState::Waiting);
        scene.finish();
        QTRY_COMPARE_WITH_TIMEOUT(scene.calls().size(), 2, 30'000);
        QVERIFY(scene.calls().at(1).startsWith("sweep /grids/masks.toml --out"));
    }
};

PALIMPSEST_GUILESS_TEST(TestRunQueue)

}  // namespace tst_run_queue

#include "tst_run_queue.moc"
