// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QFileDialog>
#include <QTemporaryDir>

#include "engine/support/file_io.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_replay_export {

class TestReplayExport : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::vector<std::filesystem::path> runs_;

    std::unique_ptr<MainWindow> open(const Laboratory& laboratory) {
        auto window = std::make_unique<MainWindow>(laboratory, folder_.filePath("runs").toStdString());
        showActive(*window);
        [&] { QTRY_VERIFY(window->library()->rows().size() == runs_.size()); }();
        return window;
    }
    static void show(const MainWindow& window, const std::filesystem::path& run) {
        const QString id = QString::fromStdString(run.string());
        [&] { QTRY_VERIFY(window.library()->find(id)); }();
        window.curves()->addRecord(*window.library()->find(id));
        window.curves()->select(id);
    }
    static void exportTo(const MainWindow& window, const QString& file) {
        window.action(Command::ExportReplay)->trigger();
        auto* dialog = window.findChild<QFileDialog*>("exportReplayDialog");
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(file);
        dialog->reject();
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* mask : {"batch", "none"})
            runs_.push_back(writeMadeUpRun(OptionTable(testCatalogue()), folder_.filePath("runs").toStdString(), mask));
    }

    void withoutARunTheReasonIsSaid() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        window->action(Command::ExportReplay)->trigger();
        QCOMPARE(window->messages()->text(), QString("There is no run to export."));
        QVERIFY(!window->findChild<QFileDialog*>("exportReplayDialog"));
    }

    void theSelectedRunAndTheComparedOneAreWritten() {
        ScriptedRun script;
        Laboratory laboratory = script.laboratory();
        const auto asked = std::make_shared<std::atomic<int>>(0);
        laboratory.replay_stream = [asked](const RunRecord&, const std::vector<std::int64_t>&) {
            ++*asked;
            return ReplayStream();
        };
        const auto window = open(laboratory);
        show(*window, runs_[0]);
        const QString one = folder_.filePath("one.html"), two = folder_.filePath("two.html");
        exportTo(*window, one);
        QTRY_VERIFY2(window->messages()->text().startsWith("Saved one.html, "), qPrintable(window->messages()->text()));
        QCOMPARE(asked->load(), 1);
        const std::string page = readTextFile(one.toStdString());
        QVERIFY(page.starts_with("<!") && page.find("batch run") != std::string::npos);
        QVERIFY(page.find("none run") == std::string::npos);
        show(*window, runs_[1]);
        exportTo(*window, two);
        QTRY_VERIFY(window->messages()->text().startsWith("Saved two.html, "));
        const std::string both = readTextFile(two.toStdString());
        QVERIFY(both.find("batch run") != std::string::npos && both.find("none run") != std::string::npos);
    }

    void whatCannotBeWrittenIsSaid() {
        ScriptedRun script;
        const auto window = open(script.laboratory());
        show(*window, runs_[0]);
        exportTo(*window, "/proc/none/replay.html");
        QTRY_VERIFY2(window->messages()->text().contains("/proc/none"), qPrintable(window->messages()->text()));
    }
};

PALIMPSEST_TEST(TestReplayExport)

}  // namespace tst_replay_export

#include "tst_replay_export.moc"
