// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QApplication>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <filesystem>
#include <memory>

#include "engine/support/file_io.h"
#include "engine/support/json.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_remote.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/ssh_server.h"
#include "tests/support/test_program.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"
#include "ui/window/remote_run_controller.h"

using namespace palimpsest;
using namespace palimpsest::testing;
namespace fs = std::filesystem;

namespace tst_remote_run {

/// A window whose other machines are scripted.
struct Remote {
    QTemporaryDir here;
    ScriptedRun run;
    std::shared_ptr<ScriptedRemote> machines = std::make_shared<ScriptedRemote>();
    std::unique_ptr<MainWindow> window = std::make_unique<MainWindow>(run.laboratory(), here.path().toStdString());

    Remote() {
        window->remote()->runs()->setService(machines);
        showActive(*window);
    }
};

class TestRemoteRun : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};
    SshServer server_;
    QString missing_;

    static void setState(const fs::path& run, const char* state) {
        Json document = parsedJson(readTextFile(run / "run.json"));
        document["state"] = state;
        document["host"] = "another-machine.invalid";
        replaceTextFile(run / "run.json", document.dump(2));
    }
    static QPushButton* button(QWidget* dialog, const char* name) { return dialog->findChild<QPushButton*>(name); }

private Q_SLOTS:
    void initTestCase() {
        missing_ = server_.start();
        if (missing_.isEmpty()) qputenv("PALIMPSEST_SSH_CONFIG", server_.path("client").toLocal8Bit());
    }
    void cleanupTestCase() { qunsetenv("PALIMPSEST_SSH_CONFIG"); }

    void theFieldsNameAPlace_data() {
        QTest::addColumn<QString>("machine");
        QTest::addColumn<QString>("folder");
        QTest::addColumn<QString>("place");
        QTest::newRow("absolute") << "me@node1:2222"
                                  << "/data/runs"
                                  << "ssh://me@node1:2222/data/runs";
        QTest::newRow("home") << "node1"
                              << "~/runs"
                              << "ssh://node1/~/runs";
        QTest::newRow("relative") << "node1"
                                  << "runs"
                                  << "ssh://node1/~/runs";
        QTest::newRow("empty") << " node1 "
                               << ""
                               << "ssh://node1/~/palimpsest-runs";
        QTest::newRow("a whole address") << "ssh://me@node1:2222/data/runs"
                                         << ""
                                         << "ssh://me@node1:2222/data/runs";
        QTest::newRow("a whole address at home") << "me@node1/~/runs"
                                                 << ""
                                                 << "ssh://me@node1/~/runs";
        QTest::newRow("as an address") << "ssh://node1"
                                       << "/x"
                                       << "ssh://node1/x";
    }
    void theFieldsNameAPlace() {
        QFETCH(QString, machine);
        QFETCH(QString, folder);
        QFETCH(QString, place);
        RemoteRunDialog dialog;
        dialog.setFields({machine, folder});
        QCOMPARE(dialog.place(), place);
    }

    void aMachineThatIsNoneStartsNothing() {
        RemoteRunDialog dialog;
        const auto* fault = dialog.findChild<QLabel*>("remoteRunFault");
        QVERIFY(!button(&dialog, "remoteRunStart")->isEnabled());
        QVERIFY(fault->text().isEmpty());
        dialog.setFields({"-oProxyCommand=x", "/x"});
        QVERIFY(!button(&dialog, "remoteRunStart")->isEnabled());
        QVERIFY(!fault->text().isEmpty());
        dialog.setFields({"node1", "/x"});
        QVERIFY(button(&dialog, "remoteRunStart")->isEnabled());
        QVERIFY(fault->text().isEmpty());
        dialog.setFields({"ssh://node1/y", "/x"});
        QVERIFY(!button(&dialog, "remoteRunStart")->isEnabled());
        QVERIFY(fault->text().contains("named twice"));
    }

    void whatFailsIsSaidInTheDialogWhichKeepsWhatWasTyped() {
        const Remote scene;
        MainWindow* const window = scene.window.get();
        window->action(Command::RunThere)->trigger();
        RemoteRunDialog* dialog = window->remote()->dialog();
        QVERIFY(dialog->isVisible());
        QTRY_COMPARE(dialog->focusWidget(), dialog->findChild<QLineEdit*>("remoteRunMachine"));
        scene.machines->refuse(Failure{"lab takes none of your keys.", "`ssh-copy-id lab` gives it one."});
        dialog->setFields({"lab", "~/runs", ""});
        QSignalSpy remembered(window, &MainWindow::remoteFieldsChanged);
        button(dialog, "remoteRunStart")->click();
        QVERIFY(!button(dialog, "remoteRunStart")->isEnabled());
        const auto* fault = dialog->findChild<QLabel*>("remoteRunFault");
        QTRY_VERIFY(fault->text().startsWith("lab takes none of your keys."));
        QVERIFY(dialog->isVisible());
        QCOMPARE(dialog->fields(), QStringList({"lab", "~/runs", ""}));
        QVERIFY(!window->messages()->text().contains("Starting"));
        QVERIFY2(remembered.isEmpty(), "no run has begun there");
        // Another try of the same.
        scene.machines->refuse(std::nullopt);
        button(dialog, "remoteRunStart")->click();
        QTRY_VERIFY(!dialog->isVisible());
        QTRY_COMPARE(window->remote()->runs()->followed().size(), std::size_t{1});
        QCOMPARE(remembered.count(), 1);
        QCOMPARE(window->messages()->text(), QString("The run has begun on lab."));
    }

    void aTextThatWasNotTakenStartsNothing() {
        const Remote scene;
        MainWindow* const window = scene.window.get();
        window->setRemoteFields({"lab", "", ""});
        ExperimentDraft* draft = window->controller()->draft();
        draft->setRefusal("seed", "Seed is a whole number.");
        window->action(Command::RunThere)->trigger();
        QVERIFY(!window->remote()->dialog());
        QVERIFY2(window->messages()->text().startsWith("Not started"), qPrintable(window->messages()->text()));
        window->messages()->dismissAll();
        window->findChild<QAction*>("runOn0")->trigger();
        QVERIFY2(window->messages()->text().startsWith("Not started"), qPrintable(window->messages()->text()));
        QVERIFY(!window->remote()->runs()->beginning());
        draft->setRefusal("seed", {});
        window->action(Command::RunThere)->trigger();
        RemoteRunDialog* dialog = window->remote()->dialog();
        draft->setRefusal("seed", "Seed is a whole number.");
        button(dialog, "remoteRunStart")->click();
        QVERIFY(dialog->findChild<QLabel*>("remoteRunFault")->text().contains("Seed is a whole number."));
        QVERIFY(!dialog->busy() && !window->remote()->runs()->beginning());
    }

    void placesThatDifferInTheProgramAloneSaySo() {
        QTemporaryDir here;
        const ScriptedRun run;
        const auto window = std::make_unique<MainWindow>(run.laboratory(), here.path().toStdString());
        window->setRemoteFields(
            {"lab", "", "", "lab", "~/palimpsest-runs", "/opt/new/palimpsest-cli", "office", "", ""});
        QStringList titles;
        for (const QAction* action : window->findChild<QMenu*>("runOn")->actions())
            if (!action->isSeparator()) titles.append(action->text());
        QCOMPARE(titles, QStringList({"This computer", "lab, in ~/palimpsest-runs, with palimpsest-cli found by itself",
                                      "lab, in ~/palimpsest-runs, with /opt/new/palimpsest-cli",
                                      "office, in ~/palimpsest-runs"}));
    }

    void aRunThereGrowsHere() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir there, here;
        // A program there that computes a run which was made up before.
        const fs::path made = writeMadeUpRun(table_, there.path().toStdString(), "batch");
        setState(made, "running");
        const QString worker = there.filePath("palimpsest-cli");
        QFile script(worker);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write(
            "#!/bin/sh\nif [ \"$1\" = --version ]; then echo palimpsest-cli 0.1.0; exit; fi\n"
            "trap 'exit 0' TERM\ncp -r " +
            QByteArray::fromStdString(made.string()) + " \"$4\"\nwhile :; do sleep 0.1; done\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const ScriptedRun run;
        auto window = std::make_unique<MainWindow>(run.laboratory(), here.path().toStdString());
        showActive(*window);
        QSignalSpy remembered(window.get(), &MainWindow::remoteFieldsChanged);
        RemoteRuns* remote = window->remote()->runs();
        QSignalSpy arrived(remote, &RemoteRuns::arrived), failed(remote, &RemoteRuns::startFailed),
            ended(remote, &RemoteRuns::ended), stopping(remote, &RemoteRuns::stopping),
            started(remote, &RemoteRuns::started);
        window->action(Command::RunThere)->trigger();
        RemoteRunDialog* dialog = window->remote()->dialog();
        QVERIFY(dialog && dialog->isVisible());
        const QStringList fields{"lab", there.filePath("runs"), worker};
        dialog->setFields(fields);
        button(dialog, "remoteRunStart")->click();
        QTRY_VERIFY_WITH_TIMEOUT(arrived.count() > 0 || failed.count() > 0, 120'000);
        QVERIFY2(failed.isEmpty(), qPrintable(failed.value(0).value(1).toString()));
        QCOMPARE(remembered.value(0).value(0).toStringList(), fields);
        const QString folder = arrived[0][0].toString();
        QCOMPARE(QFileInfo(folder).path(), here.path());
        const QString id = RunSet::idOf(folder.toStdString(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(window->library()->row(id) != nullptr, 120'000);
        QTRY_VERIFY_WITH_TIMEOUT(window->curves()->find(id) != nullptr, 120'000);
        // Stopped there, then ended, it ends here, too.
        remote->stop(folder);
        QTRY_COMPARE_WITH_TIMEOUT(stopping.count(), 1, 120'000);
        QCOMPARE(stopping[0][1].toBool(), true);
        setState(fs::path(there.filePath("runs").toStdString()) / QFileInfo(folder).fileName().toStdString(),
                 "stopped");
        QTRY_COMPARE_WITH_TIMEOUT(ended.count(), 1, 120'000);
        QTRY_VERIFY_WITH_TIMEOUT(window->library()->row(id)->state == RecordedState::Stopped, 120'000);
    }

    void thePlacesOfTheLastTimesAreEntriesOfTheMenu() {
        const Remote scene;
        MainWindow* const window = scene.window.get();
        QVERIFY2(!window->findChild<QMenu*>("runOn"), "there is nothing to choose yet");
        window->setRemoteFields({"me@lab", "~/a & b", "", "office", "", "/opt/palimpsest-cli"});
        const auto titles = [&] {
            QStringList found;
            for (const QAction* action : window->findChild<QMenu*>("runOn")->actions())
                if (!action->isSeparator()) found.append(action->text());
            return found;
        };
        QCOMPARE(titles(), QStringList({"This computer", "me@lab, in ~/a && b", "office, in ~/palimpsest-runs"}));
        QSignalSpy remembered(window, &MainWindow::remoteFieldsChanged);
        QSignalSpy started(window->remote()->runs(), &RemoteRuns::started);
        window->findChild<QAction*>("runOn1")->trigger();
        QTRY_COMPARE(started.count(), 1);
        QCOMPARE(started[0][0].toString(), QString("ssh://office/~/palimpsest-runs/run-1"));
        QTRY_COMPARE(scene.machines->followed().size(), std::size_t{1});
        QCOMPARE(scene.machines->followed()[0].program, std::string("/opt/palimpsest-cli"));
        // The one that was chosen last comes first, here and the next time.
        QCOMPARE(remembered.last().value(0).toStringList(),
                 QStringList({"office", "", "/opt/palimpsest-cli", "me@lab", "~/a & b", ""}));
        QTRY_COMPARE(titles(), QStringList({"This computer", "office, in ~/palimpsest-runs", "me@lab, in ~/a && b"}));
        for (int i = 0; i < 9; ++i) {
            window->action(Command::RunThere)->trigger();
            window->remote()->dialog()->setFields({"node" + QString::number(i), "", ""});
            button(window->remote()->dialog(), "remoteRunStart")->click();
            QTRY_VERIFY(!window->remote()->dialog()->isVisible());
        }
        QTRY_COMPARE(titles().value(1), QString("node8, in ~/palimpsest-runs"));
        QCOMPARE(titles().size(), 6);
        QTRY_COMPARE(started.count(), 10);
    }

    void aPauseThereIsAMessageUntilItIsOver() {
        const Remote scene;
        RemoteRuns* const remote = scene.window->remote()->runs();
        QSignalSpy arrived(remote, &RemoteRuns::arrived), paused(remote, &RemoteRuns::paused);
        remote->start(madeUpExperiment("batch"), "ssh://lab/~/x", {});
        QTRY_COMPARE(arrived.count(), 1);
        const fs::path folder = arrived[0][0].toString().toStdString();
        scene.machines->tell(folder, ScriptedRemote::News::Noted);
        QTRY_COMPARE(paused.count(), 1);
        const QString sentence = paused[0][1].toString();
        QVERIFY(!sentence.isEmpty());
        QVERIFY2(scene.window->messages()->text().contains(sentence), qPrintable(scene.window->messages()->text()));
        scene.machines->tell(folder, ScriptedRemote::News::NotedNoMore);
        QTRY_COMPARE(paused.count(), 2);
        QVERIFY(!scene.window->messages()->text().contains(sentence));
    }

    void whatIsWrongComesToTheMessageBar() {
        if (!missing_.isEmpty()) QSKIP(qPrintable(missing_));
        QTemporaryDir here;
        const ScriptedRun run;
        auto window = std::make_unique<MainWindow>(run.laboratory(), here.path().toStdString());
        showActive(*window);
        QSignalSpy failed(window->remote()->runs(), &RemoteRuns::startFailed);
        window->remote()->runs()->start(madeUpExperiment("batch"), "ssh://lab/~/x", "/no/such/program");
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, 120'000);
        QVERIFY2(window->messages()->text().contains("There is no program /no/such/program on lab"),
                 qPrintable(window->messages()->text()));
    }
};

PALIMPSEST_TEST(TestRemoteRun)

}  // namespace tst_remote_run

#include "tst_remote_run.moc"
