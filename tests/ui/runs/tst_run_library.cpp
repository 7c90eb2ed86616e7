// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QWidget>
#include <QtTest>

#include "tests/support/foreign_run.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/no_more_files.h"
#include "tests/support/test_program.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_library {

namespace fs = std::filesystem;

class TestRunLibrary : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    static QString idOf(const fs::path& folder) { return RunSet::idOf(folder.string(), 0); }
    static void scan(RunLibrary& library) {
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        library.refresh();
        QVERIFY(scanned.wait());
    }

private Q_SLOTS:
    void runsAreReadInTheBackground() {
        QTemporaryDir folder;
        const fs::path a = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        const fs::path b = writeMadeUpRun(table_, folder.path().toStdString(), "none");
        RunLibrary library(&table_, folder.path().toStdString());
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        library.refresh();
        QVERIFY(library.records().empty());  // nothing was read on this thread
        QVERIFY(library.scanning());
        QVERIFY(scanned.wait());
        QVERIFY(!library.scanning());
        QCOMPARE(library.records().size(), std::size_t(2));
        QVERIFY(library.find(idOf(a)));
        QCOMPARE(library.find(idOf(b))->experiment.mask.name, std::string("none"));
        QCOMPARE(library.find(idOf(a))->anytime.size(), std::size_t(kImages / 500));
    }

    void aFolderThatCannotBeReadKeepsItsRunsAndIsSaid() {
        QTemporaryDir folder;
        const fs::path run = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        RunLibrary library(&table_, folder.path().toStdString());
        scan(library);
        QCOMPARE(library.rows().size(), std::size_t(1));
        QSignalSpy failed(&library, &RunLibrary::failed), scanned(&library, &RunLibrary::scanned);
        {
            const NoMoreFiles none;
            library.refresh();
            QVERIFY(scanned.wait());
        }
        QVERIFY(library.row(idOf(run)));
        const bool said = std::any_of(failed.begin(), failed.end(), [&](const QList<QVariant>& message) {
            return message[0].toString().startsWith("Cannot read the folder " + folder.path());
        });
        QVERIFY(said);
        scan(library);
        QVERIFY(library.row(idOf(run)));
    }

    void runsOfOtherProgramsAppearByThemselves() {
        QTemporaryDir folder;
        RunLibrary library(&table_, folder.path().toStdString());
        QWidget window;
        const RunWatch watch(&library, &window, std::chrono::milliseconds(5));
        window.show();
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        QTRY_VERIFY(scanned.count() > 1);
        QVERIFY(library.rows().empty());
        const fs::path run = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        QTRY_VERIFY(library.find(idOf(run)));
    }

    void aFolderWithoutRunsIsEmpty() {
        RunLibrary library(&table_, "/no/such/folder");
        scan(library);
        QVERIFY(library.records().empty());
    }

    void unchangedFoldersAreNotReadAgain() {
        QTemporaryDir folder;
        const fs::path a = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        RunLibrary library(&table_, folder.path().toStdString());
        scan(library);
        const RunLibrary::Record before = library.find(idOf(a));
        QSignalSpy changed(&library, &RunLibrary::changed);
        scan(library);
        QCOMPARE(library.find(idOf(a)), before);
        QCOMPARE(changed.count(), 0);

        QFile csv(QString::fromStdString((a / "anytime.csv").string()));
        QVERIFY(csv.open(QIODevice::Append));
        csv.write("6500,4,0.5,1,10,600\n");
        csv.close();
        scan(library);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(library.find(idOf(a))->anytime.size(), before->anytime.size() + 1);
    }

    void aRunWhoseProgramIsGoneHasCrashedThoughNoFileChanged() {
        QTemporaryDir folder;
        ForeignRun run(table_, folder.path());
        RunLibrary library(&table_, folder.path().toStdString());
        scan(library);
        QCOMPARE(library.find(run.id())->state, RecordedState::Running);
        const RunLibrary::Record before = library.find(run.id());
        scan(library);
        QCOMPARE(library.find(run.id()), before);
        run.kill();
        scan(library);
        QCOMPARE(library.find(run.id())->state, RecordedState::Crashed);
    }

    void aSecondLookReadsWhatHasGrown() {
        QTemporaryDir folder;
        ForeignRun grown(table_, folder.path()), still(table_, folder.path());
        RunLibrary library(&table_, folder.path().toStdString());
        scan(library);
        const RunLibrary::Record before = library.find(still.id());
        grown.addPoint(1000, 0.6);
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        library.rescan({grown.id(), still.id()});
        QVERIFY(scanned.wait());
        QCOMPARE(library.find(grown.id())->anytime.size(), std::size_t(2));
        QCOMPARE(library.find(still.id()), before);
    }

    void aRunAddedDuringAScanStays() {
        QTemporaryDir folder, elsewhere;
        const fs::path inside = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        const fs::path outside = writeMadeUpRun(table_, elsewhere.path().toStdString(), "none");
        RunLibrary library(&table_, folder.path().toStdString());
        QSignalSpy scanned(&library, &RunLibrary::scanned), changed(&library, &RunLibrary::changed);
        library.refresh();
        library.add(std::make_shared<const RunRecord>(readRun(table_, outside)));
        QCOMPARE(changed.count(), 1);
        QVERIFY(library.find(idOf(outside)));
        QVERIFY(scanned.wait());
        QVERIFY(library.find(idOf(inside)));
        QVERIFY(library.find(idOf(outside)));
        QCOMPARE(library.records().size(), std::size_t(2));
    }

    /// Orders come faster than they are carried out, so that each meets a list that has changed since.
    void rowsStandInTheirOrderWhateverCameInBetween() {
        QTemporaryDir folder, elsewhere;
        const fs::path runs = folder.path().toStdString();
        QStringList ids;
        for (int i = 0; i < 12; ++i) ids.push_back(idOf(writeMadeUpRun(table_, runs, i % 2 ? "batch" : "none", i + 1)));
        const fs::path outside = writeMadeUpRun(table_, elsewhere.path().toStdString(), "none");
        RunLibrary library(&table_, runs);
        const auto note = [](const char* text) { return [text](RunNotes& notes) { notes.note = text; }; };
        library.refresh();
        library.touch(ids[3]);
        library.editNotes({ids[5], ids[5], ids[6]}, note("twice"));
        library.add(std::make_shared<const RunRecord>(readRun(table_, outside)));
        library.refresh();
        library.remove({ids[0], ids[7]});
        library.editNotes(ids.mid(8), note("many"));
        library.rebuild();
        QTRY_VERIFY(!library.scanning());
        QCOMPARE(library.rows().size(), std::size_t(11));
        QVERIFY(std::is_sorted(library.rows().begin(), library.rows().end(), [](const auto& a, const auto& b) {
            return a->started != b->started ? a->started > b->started : a->folder.native() > b->folder.native();
        }));
        for (const RunRowPtr& row : library.rows()) QCOMPARE(library.row(idOf(row->folder)), row);
        QVERIFY(library.row(idOf(outside)));
        QVERIFY(!library.row(ids[0]) && !library.row(ids[7]));
        QCOMPARE(library.row(ids[5])->notes.note, std::string("twice"));
        QCOMPARE(library.row(ids[9])->notes.note, std::string("many"));
        QCOMPARE(library.trashed(), qsizetype(2));
    }

    void newAndDeletedRunsAreNoticed() {
        QTemporaryDir folder;
        const fs::path a = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        RunLibrary library(&table_, folder.path().toStdString());
        scan(library);
        const fs::path b = writeMadeUpRun(table_, folder.path().toStdString(), "none");
        fs::remove_all(a);
        scan(library);
        QCOMPARE(library.records().size(), std::size_t(1));
        QVERIFY(!library.find(idOf(a)));
        QVERIFY(library.find(idOf(b)));
    }

    void touchReadsOneFolder() {
        QTemporaryDir folder;
        RunLibrary library(&table_, folder.path().toStdString());
        const fs::path a = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        writeMadeUpRun(table_, folder.path().toStdString(), "none");
        QSignalSpy changed(&library, &RunLibrary::changed);
        library.touch(QString::fromStdString(a.string()));
        QVERIFY(changed.wait());
        QCOMPARE(library.records().size(), std::size_t(1));
        QVERIFY(library.find(idOf(a)));

        fs::remove_all(a);
        library.touch(QString::fromStdString(a.string()));
        QVERIFY(changed.wait());
        QVERIFY(library.records().empty());
    }

    void aRunFromElsewhereStaysUntilItIsGone() {
        QTemporaryDir folder, elsewhere;
        const fs::path a = writeMadeUpRun(table_, elsewhere.path().toStdString(), "batch");
        RunLibrary library(&table_, folder.path().toStdString());
        QSignalSpy changed(&library, &RunLibrary::changed);
        library.touch(QString::fromStdString(a.string()));
        QVERIFY(changed.wait());
        scan(library);
        QVERIFY(library.find(idOf(a)));
        fs::remove_all(a);
        scan(library);
        QVERIFY(!library.find(idOf(a)));
    }

    void aDamagedRunDoesNotHideTheOthers() {
        QTemporaryDir folder;
        const fs::path a = writeMadeUpRun(table_, folder.path().toStdString(), "batch");
        const fs::path b = writeMadeUpRun(table_, folder.path().toStdString(), "none");
        QFile toml(QString::fromStdString((a / "experiment.toml").string()));
        QVERIFY(toml.open(QIODevice::WriteOnly));
        toml.write("this is not an experiment");
        toml.close();
        RunLibrary library(&table_, folder.path().toStdString());
        scan(library);
        QVERIFY(library.find(idOf(a)));
        QVERIFY(!library.find(idOf(a))->warnings.empty());
        QVERIFY(library.find(idOf(b))->warnings.empty());
    }

    void aFolderThatIsNoRunIsNamed() {
        QTemporaryDir folder;
        RunLibrary library(&table_, folder.path().toStdString());
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        library.touch(folder.path());
        QVERIFY(scanned.wait());
        QCOMPARE(scanned[0][0].toStringList().size(), 1);
        QVERIFY(scanned[0][0].toStringList()[0].contains(folder.path()));
        QVERIFY(library.records().empty());
    }

    void aFolderThatIsGoneIsNoComplaint() {
        QTemporaryDir folder;
        RunLibrary library(&table_, folder.path().toStdString());
        QSignalSpy scanned(&library, &RunLibrary::scanned);
        library.touch(folder.filePath("gone"));
        QVERIFY(scanned.wait());
        QVERIFY(scanned[0][0].toStringList().isEmpty());
    }

    void closingWhileScanningIsSafe() {
        QTemporaryDir folder;
        for (int i = 0; i < 10; ++i) writeMadeUpRun(table_, folder.path().toStdString(), "batch", i);
        for (int i = 0; i < 20; ++i) {
            RunLibrary library(&table_, folder.path().toStdString());
            library.refresh();
            library.refresh();
        }
    }
};

PALIMPSEST_TEST(TestRunLibrary)

}  // namespace tst_run_library

#include "tst_run_library.moc"
