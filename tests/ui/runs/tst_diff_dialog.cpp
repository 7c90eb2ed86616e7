// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <filesystem>
#include <memory>

#include "engine/record/run_diff_text.h"
#include "engine/support/error.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"
#include "ui/runs/diff_dialog.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_diff_dialog {

class TestDiffDialog : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Scene {
        explicit Scene(const OptionTable& table) : library(&table, folder.path().toStdString()) {
            first = writeMadeUpRun(table, folder.path().toStdString(), "batch", 1);
            second = writeMadeUpRun(table, folder.path().toStdString(), "none", 2);
            QSignalSpy scanned(&library, &RunLibrary::scanned);
            library.refresh();
            scanned.wait();
        }
        QString id(const std::filesystem::path& run) const { return RunSet::idOf(run.string(), 0); }

        QTemporaryDir folder;
        std::filesystem::path first, second;
        RunLibrary library;
        RunSet store;
    };

private Q_SLOTS:
    void theDialogSaysWhatTheCommandSays() {
        Scene scene(table_);
        RunsPanel panel(&scene.store, &scene.library);
        QWidget window;
        int asked = 0;
        DiffController controller(
            [&asked](const Experiment&) -> std::shared_ptr<const DatasetLabels> {
                ++asked;
                throw inputError("The pictures are gone.", "Fetch them.");
            },
            &scene.library, &panel, &window);
        controller.show(scene.id(scene.first), scene.id(scene.second));
        QVERIFY(controller.dialog());
        const auto* verdict = controller.dialog()->findChild<QLabel*>("diffVerdict");
        const auto* details = controller.dialog()->findChild<QPlainTextEdit*>("diffDetails");
        QTRY_VERIFY(!details->toPlainText().isEmpty());
        const RunDifferences found = compareRuns(table_, scene.first, scene.second);
        QVERIFY(!verdict->text().isEmpty());
        QVERIFY2(details->toPlainText().contains(": 1 → 2"), qPrintable(details->toPlainText()));
        QVERIFY2(details->toPlainText().contains("batch → none"), qPrintable(details->toPlainText()));
        QVERIFY(details->toPlainText().contains("Updates: "));
        QCOMPARE(QString::fromStdString(differencesText(found, {})).count('\n'),
                 details->toPlainText().count('\n') + 2);
    }

    void whatIsNoLongerThereIsSaid() {
        Scene scene(table_);
        RunsPanel panel(&scene.store, &scene.library);
        QWidget window;
        DiffController controller({}, &scene.library, &panel, &window);
        std::filesystem::remove_all(scene.second);
        controller.show(scene.id(scene.first), scene.id(scene.second));
        const auto* verdict = controller.dialog()->findChild<QLabel*>("diffVerdict");
        const QString name = QString::fromStdString(scene.second.string());
        QTRY_VERIFY2(verdict->text().contains(name), qPrintable(verdict->text()));
    }

    // Exactly two runs can differ.
    void theMenuOffersItForTwoRuns() {
        Scene scene(table_);
        RunsPanel panel(&scene.store, &scene.library);
        panel.show();
        QTRY_COMPARE(panel.view()->model()->rowCount(), 2);
        QSignalSpy asked(panel.actions(), &RunActions::diffRequested);
        const auto offered = [&panel] {
            QMenu menu;
            panel.actions()->fillMenu(&menu, panel.view()->model()->index(0, 0));
            for (QAction* action : menu.actions())
                if (action->objectName() == "runDiff") {
                    if (action->isEnabled()) action->trigger();
                    return action->isEnabled();
                }
            return false;
        };
        panel.view()->selectRow(0);
        QVERIFY(!offered());
        QCOMPARE(asked.count(), 0);
        panel.view()->selectAll();
        QVERIFY(offered());
        QCOMPARE(asked.count(), 1);
        const QSet<QString> ids{asked[0][0].toString(), asked[0][1].toString()};
        QCOMPARE(ids, (QSet<QString>{scene.id(scene.first), scene.id(scene.second)}));
    }
};

PALIMPSEST_TEST(TestDiffDialog)

}  // namespace tst_diff_dialog

#include "tst_diff_dialog.moc"
