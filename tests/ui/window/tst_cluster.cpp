// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTreeView>
#include <filesystem>
#include <memory>

#include "engine/record/copy_mark.h"
#include "engine/support/file_io.h"
#include "engine/sweep/sweep_grid.h"
#include "tests/support/cli_program.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/scripted_remote.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/slurm_programs.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"
#include "ui/queue/submit_dialog.h"
#include "ui/queue/sweep_page.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/quit.h"
#include "ui/window/remote_run_controller.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_cluster {

namespace {

namespace fs = std::filesystem;
using News = ScriptedRemote::News;
constexpr int kPatience = 120'000;

struct Scene {
    fs::path home() const { return dir.path().toStdString(); }
    fs::path copy() const { return home() / "sweeps" / "masks"; }
    /// A window whose other machines obey this scene; null: they are real.
    std::unique_ptr<MainWindow> open(const std::shared_ptr<ScriptedRemote>& machines) {
        auto window = std::make_unique<MainWindow>(script.laboratory(), home() / "runs");
        if (machines) window->remote()->runs()->setService(machines);
        window->resize(1280, 800);
        showActive(*window);
        return window;
    }

    QTemporaryDir dir;
    ScriptedRun script;
};

QLineEdit* field(MainWindow& window, const char* name) {
    return window.findChild<QLineEdit*>(name);
}

QPushButton* button(MainWindow& window, const char* name) {
    return window.findChild<QPushButton*>(name);
}

/// Fills the editor in with two rows and two seeds, and asks for a Slurm.
void fillIn(MainWindow& window) {
    window.action(Command::NewSweep)->trigger();
    field(window, "sweepName")->setText("Masks");
    field(window, "sweepValues1")->setText("none, batch");
    field(window, "sweepKey2")->clear();
    field(window, "sweepSeeds")->setText("1-2");
    button(window, "sweepSubmit")->click();
}

QString state(const MainWindow& window, int row) {
    const auto* runs = window.findChild<QTreeView*>("sweepRuns");
    return runs->model()->index(row, SweepRunsModel::kState).data().toString();
}

}  // namespace

class TestCluster : public QObject {
    Q_OBJECT
private:
    SshServer server_;
    QString missing_;

private Q_SLOTS:
    void initTestCase() {
        missing_ = server_.start();
        if (missing_.isEmpty()) qputenv("PALIMPSEST_SSH_CONFIG", server_.path("client").toLocal8Bit());
    }
    void cleanupTestCase() { qunsetenv("PALIMPSEST_SSH_CONFIG"); }

    void aRefusalStaysInTheDialogAndASuccessOpensTheTable() {
        Scene scene;
        const auto machines = std::make_shared<ScriptedRemote>();
        const auto window = scene.open(machines);
        QSignalSpy remembered(window.get(), &MainWindow::clusterFieldsChanged);
        window->setClusterFields({"there", "ssh://lab/~/sweeps", "", "nowhere"});
        fillIn(*window);
        auto* dialog = window->findChild<SubmitDialog*>("submitDialog");
        QVERIFY(dialog && dialog->isVisible());
        QCOMPARE(window->findChild<QLabel*>("submitCount")->text(),
                 QString("4 runs, as 4 tasks of an array job, in ssh://lab/~/sweeps/masks"));
        machines->refuse(Failure{"lab says: Slurm refuses it: invalid partition specified: nowhere.", {}});
        button(*window, "submitStart")->click();
        QTRY_VERIFY(window->findChild<QLabel*>("submitFault")->text().contains("invalid partition"));
        QVERIFY(dialog->isVisible());
        // What was written for it alone is gone, so that the next sweep may have its name.
        QVERIFY(!fs::exists(scene.home() / "sweeps" / "masks.toml"));
        machines->refuse({});
        field(*window, "submitPartition")->setText("gpu");
        button(*window, "submitStart")->click();
        QTRY_VERIFY(!dialog->isVisible());
        QCOMPARE(remembered.last().at(0).toStringList().value(3), QString("gpu"));
        QCOMPARE(machines->requests().size(), std::size_t{1});
        QVERIFY(fs::exists(scene.home() / "sweeps" / "masks.toml"));
        QCOMPARE(machines->requests()[0].place, std::string("ssh://lab/~/sweeps/masks"));
        auto* page = window->findChild<SweepPage*>("sweepPage");
        QVERIFY(page && page->isVisible());
        QCOMPARE(page->folder(), QString::fromStdString(scene.copy().string()));
        auto* where = window->findChild<QLabel*>("sweepCluster");
        QTRY_VERIFY(where->text().contains("ssh://lab/~/sweeps/masks"));
        // Broken, and back: in a message and on the page.
        machines->tell(scene.copy(), News::Broken);
        QTRY_VERIFY(where->text().contains("No connection to lab"));
        QVERIFY(window->messages()->text().contains("No connection to lab"));
        machines->tell(scene.copy(), News::Back);
        QTRY_VERIFY(!where->text().contains("No connection to lab"));
        QVERIFY(!window->messages()->text().contains("No connection to lab"));
        button(*window, "sweepCancelJobs")->click();
        QVERIFY(machines->calls().empty());
        button(*window, "sweepCancelYes")->click();
        QTRY_COMPARE(machines->calls().size(), std::size_t{1});
        QTRY_VERIFY(button(*window, "sweepCancelJobs")->isEnabled());
    }

    void theNextWindowFollowsWithoutAQuestion() {
        Scene scene;
        const auto machines = std::make_shared<ScriptedRemote>();
        auto window = scene.open(machines);
        window->setClusterFields({"there", "ssh://lab/~/sweeps"});
        fillIn(*window);
        button(*window, "submitStart")->click();
        QTRY_COMPARE(machines->followed().size(), std::size_t{1});
        window.reset();
        window = scene.open(machines);
        QTRY_COMPARE(machines->followed().size(), std::size_t{2});
        QCOMPARE(machines->followed()[1], machines->followed()[0]);
        QTRY_VERIFY(window->messages()->text().contains("followed again"));
        QVERIFY(!QApplication::activeModalWidget());
        machines->tell(scene.copy(), News::Broken);
        QTRY_VERIFY(window->messages()->text().contains("No connection to lab"));
        QVERIFY(!QApplication::activeModalWidget());
    }

    // Else what begins there meanwhile would be followed by nobody.
    void closingWaitsForTheAnswerOfAnotherMachine_data() {
        QTest::addColumn<bool>("asked");
        QTest::newRow("the user closes it") << true;
        QTest::newRow("the system ends it") << false;
    }
    void closingWaitsForTheAnswerOfAnotherMachine() {
        QFETCH(bool, asked);
        Scene scene;
        const auto machines = std::make_shared<ScriptedRemote>();
        auto window = scene.open(machines);
        machines->hold(true);
        window->remote()->runs()->start(OptionTable(ScriptedRun::catalogue()).defaults(), "ssh://lab/~/runs", {});
        if (asked) {
            window->close();
            auto* question = window->findChild<QuitQuestion*>();
            QVERIFY(question && question->work() == QuitQuestion::Work::There);
            question->findChild<QPushButton*>("quitButton")->click();
        } else {
            window->stopAndClose();
            QVERIFY(!window->findChild<QuitQuestion*>());
        }
        QTest::qWait(50);
        QVERIFY(window->isVisible());
        machines->hold(false);
        QTRY_VERIFY(!window->isVisible());
        window.reset();
        window = scene.open(machines);
        QTRY_COMPARE(window->remote()->runs()->followed().size(), std::size_t{1});
    }

    void checkpointsOfACopyAreBroughtFromItsMenu() {
        Scene scene;
        const OptionTable table(ScriptedRun::catalogue());
        const fs::path run = writeMadeUpRun(table, scene.home() / "runs", "batch");
        replaceTextFile(run / kCopyMark, "ssh://lab/~/runs/one\n");
        const auto machines = std::make_shared<ScriptedRemote>();
        const auto window = scene.open(machines);
        auto* panel = window->findChild<RunsPanel*>("runsPanel");
        QTRY_VERIFY(window->library()->row(RunSet::idOf(run.string(), 0)));
        QTRY_COMPARE(panel->view()->model()->rowCount(), 1);
        QMenu menu;
        panel->actions()->fillMenu(&menu, panel->view()->model()->index(0, 0));
        auto* bring = menu.findChild<QAction*>("runBring");
        QVERIFY(bring && bring->isEnabled());
        bring->trigger();
        QTRY_COMPARE(machines->calls(), std::vector<std::string>{"checkpoints ssh://lab/~/runs/one " + run.string()});
        QTRY_VERIFY(window->messages()->text().contains("are here"));
    }

    // From the editor to a table that fills, by a real sshd and the command line there; scripts play Slurm.
    void aGridRunsOnAClusterAndItsTableFillsHere() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        Scene scene;
        const QString bin = scene.dir.filePath("bin");
        writeSlurmPrograms(bin);
        const QString worker = bin + "/worker";
        QFile script(worker);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nif [ \"$1\" = --version ]; then echo palimpsest-cli " +
                     QByteArray::fromStdString(scene.script.laboratory().version) + "; exit; fi\nexec '" +
                     test::program().toLocal8Bit() + "' \"$@\"\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        server_.preferPrograms(bin);
        const auto restored = qScopeGuard([&] { server_.allowAll(); });
        const auto window = scene.open(nullptr);
        QSignalSpy submitted(window->remote()->runs(), &RemoteRuns::submitted),
            refused(window->remote()->runs(), &RemoteRuns::submitFailed),
            cancelled(window->remote()->runs(), &RemoteRuns::cancelled),
            failed(window->remote()->runs(), &RemoteRuns::failed);
        window->setClusterFields({"there", "ssh://lab" + scene.dir.filePath("cluster"), worker, "nowhere"});
        fillIn(*window);
        QFile refusal(bin + "/refuse");
        QVERIFY(refusal.open(QIODevice::WriteOnly));
        refusal.write("sbatch: error: invalid partition specified: nowhere\n");
        refusal.close();
        button(*window, "submitStart")->click();
        QTRY_COMPARE_WITH_TIMEOUT(refused.count(), 1, kPatience);
        const QString fault = window->findChild<QLabel*>("submitFault")->text();
        QVERIFY2(fault.contains("invalid partition specified: nowhere"), qPrintable(fault));
        QVERIFY(QFile::remove(bin + "/refuse"));
        field(*window, "submitPartition")->setText("gpu");
        button(*window, "submitStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(submitted.count() == 1 || refused.count() == 2, kPatience);
        QVERIFY2(refused.count() == 1, qPrintable(refused.last().at(0).toString()));
        QCOMPARE(submitted[0][1].toStringList(), QStringList{"12"});
        auto* page = window->findChild<SweepPage*>("sweepPage");
        QVERIFY(page && page->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(page->sweep() && page->sweep()->whole && page->sweep()->runs.size() == 4, kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(state(*window, 0), QString("waiting: Priority"), kPatience);
        // One run goes on there, another has finished: both are seen here.
        const OptionTable table(ScriptedRun::catalogue());
        const fs::path there = scene.home() / "cluster" / "masks";
        const std::string text = readTextFile(there / "sweep.toml");
        const SweepPlan plan =
            planSweep(table, parseSweepGrid(table, text, "sweep.toml", report::sweepMetrics()), there / "sweep.toml");
        writeSweepRun(table, plan.runs[0], there, {});
        writeSweepRun(table, plan.runs[1], there, 0.5);
        QTRY_VERIFY_WITH_TIMEOUT(state(*window, 0).startsWith("running on"), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(state(*window, 1), QString("finished"), kPatience);
        QVERIFY(!page->sweep()->runs[0].curve.empty());
        // A checkpoint stays there until it is asked for.
        const fs::path checkpoint = fs::path("runs") / plan.runs[0].folder / "checkpoints" / "00000100.safetensors";
        fs::create_directories((there / checkpoint).parent_path());
        replaceTextFile(there / checkpoint, "numbers");
        QSignalSpy brought(window->remote()->runs(), &RemoteRuns::brought);
        QVERIFY(!fs::exists(scene.copy() / checkpoint));
        button(*window, "sweepBring")->click();
        QTRY_COMPARE_WITH_TIMEOUT(brought.count(), 1, kPatience);
        QVERIFY(fs::exists(scene.copy() / checkpoint));
        // A connection that breaks is said, and what happens meanwhile comes when it is back.
        auto* where = window->findChild<QLabel*>("sweepCluster");
        server_.stop();
        QTRY_VERIFY_WITH_TIMEOUT(where->text().contains("tried again"), kPatience);
        writeSweepRun(table, plan.runs[2], there, 0.6);
        QCOMPARE(server_.resume(), QString());
        QTRY_VERIFY_WITH_TIMEOUT(!where->text().contains("tried again"), kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(state(*window, 2), QString("finished"), kPatience);
        button(*window, "sweepCancelJobs")->click();
        button(*window, "sweepCancelYes")->click();
        QTRY_COMPARE_WITH_TIMEOUT(cancelled.count(), 1, kPatience);
        QCOMPARE(cancelled[0][1].toStringList(), QStringList{"12"});
        QVERIFY(QFile::exists(bin + "/cancelled"));
        QVERIFY2(failed.isEmpty(), qPrintable(failed.value(0).value(0).toString()));
    }
};

PALIMPSEST_TEST(TestCluster)

}  // namespace tst_cluster

#include "tst_cluster.moc"
