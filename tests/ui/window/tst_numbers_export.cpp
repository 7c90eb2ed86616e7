// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDir>
#include <QDirIterator>
#include <QFileDialog>
#include <QTemporaryDir>
#include <memory>

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

namespace tst_numbers_export {

class TestNumbersExport : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;
    std::vector<std::filesystem::path> runs_;

    std::unique_ptr<MainWindow> open(const ScriptedRun& script) {
        auto window = std::make_unique<MainWindow>(script.laboratory(), folder_.filePath("runs").toStdString());
        showActive(*window);
        [&] { QTRY_VERIFY(window->library()->rows().size() == runs_.size()); }();
        return window;
    }
    static void show(const MainWindow& window, const std::filesystem::path& run) {
        const QString id = QString::fromStdString(run.string());
        [&] { QTRY_VERIFY(window.library()->find(id)); }();
        window.curves()->addRecord(*window.library()->find(id));
        window.curves()->setVisible(id, true);
    }
    static void exportTo(const MainWindow& window, Command command, const QString& folder) {
        window.action(command)->trigger();
        auto* dialog = window.findChild<QFileDialog*>("exportNumbersDialog");
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(folder);
        dialog->reject();
    }
    static int filesIn(const QString& folder, const QString& pattern) {
        QDirIterator files(folder, {pattern}, QDir::Files, QDirIterator::Subdirectories);
        int count = 0;
        for (; files.hasNext(); ++count) files.next();
        return count;
    }

private Q_SLOTS:
    void initTestCase() {
        for (const char* mask : {"batch", "none"})
            runs_.push_back(writeMadeUpRun(OptionTable(testCatalogue()), folder_.filePath("runs").toStdString(), mask));
    }

    void withoutARunTheReasonIsSaid() {
        ScriptedRun script;
        const auto window = open(script);
        for (const Command command : {Command::ExportTensorBoard, Command::ExportMlflow}) {
            window->action(command)->trigger();
            QCOMPARE(window->messages()->text(), QString("There is no run to export."));
            QVERIFY(!window->findChild<QFileDialog*>("exportNumbersDialog"));
        }
    }

    void theRunsInSightAreWritten() {
        ScriptedRun script;
        const auto window = open(script);
        for (const auto& run : runs_) show(*window, run);
        const QString to = folder_.filePath("out");
        QVERIFY(QDir().mkpath(to));
        exportTo(*window, Command::ExportTensorBoard, to);
        QTRY_COMPARE(window->messages()->text(), QString("Saved 2 runs for TensorBoard"));
        QVERIFY2(window->messages()->hint().contains("tensorboard --logdir '" + to + "/tensorboard'"),
                 qPrintable(window->messages()->hint()));
        QCOMPARE(filesIn(to + "/tensorboard", "events.out.tfevents*"), 2);
        // The folder of an earlier export is taken as it is.
        exportTo(*window, Command::ExportTensorBoard, to + "/tensorboard");
        QTRY_COMPARE(window->messages()->text(), QString("Saved 2 runs for TensorBoard"));
        QVERIFY(!QDir(to + "/tensorboard/tensorboard").exists());
        exportTo(*window, Command::ExportMlflow, to);
        QTRY_COMPARE(window->messages()->text(), QString("Saved 2 runs for MLflow"));
        QVERIFY(filesIn(to + "/mlruns", "meta.yaml") >= 3);
    }

    void whatCannotBeWrittenIsSaid() {
        ScriptedRun script;
        const auto window = open(script);
        show(*window, runs_[0]);
        exportTo(*window, Command::ExportMlflow, "/proc/none");
        QTRY_VERIFY2(window->messages()->text().contains("/proc/none"), qPrintable(window->messages()->text()));
    }
};

PALIMPSEST_TEST(TestNumbersExport)

}  // namespace tst_numbers_export

#include "tst_numbers_export.moc"
