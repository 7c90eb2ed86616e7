// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QtTest>

#include "engine/library/run_index.h"
#include "engine/library/run_trash.h"
#include "tests/datasets/errors.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_trash {

namespace fs = std::filesystem;

class TestRunTrash : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    template <class Deed>
    static QString refusal(Deed deed) {
        return test::inputErrorOf(deed);
    }

private Q_SLOTS:
    void aDeletedRunComesBackWhole() {
        QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, runs, "batch");
        writeNotes(run, {{"keep"}, "mine", {}, false});
        const fs::path trashed = moveToTrash(runs, run);
        QVERIFY(!fs::exists(run));
        QCOMPARE(trashedRuns(runs).size(), std::size_t(1));
        QVERIFY(findRuns(runs).empty());
        QCOMPARE(restoreFromTrash(runs, trashed), run);
        QCOMPARE(readRun(table_, run).experiment.mask.name, std::string("batch"));
        QCOMPARE(readNotes(run).note, std::string("mine"));
    }

    void aTrashThatIsALinkIsNeitherFilledNorEmptied() {
        QTemporaryDir folder, elsewhere;
        const fs::path runs = folder.path().toStdString(), mine = elsewhere.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, runs, "batch");
        fs::create_directory(mine / "precious");
        fs::create_directory_symlink(mine, trashOf(runs));
        QVERIFY(refusal([&] { moveToTrash(runs, run); }).contains("is a link"));
        QVERIFY(trashedRuns(runs).empty());
        QCOMPARE(emptyTrash(runs), std::size_t{0});
        QVERIFY(fs::exists(mine / "precious") && fs::exists(run));
    }

    void aNameThatIsTakenMeanwhileIsNotOverwritten() {
        QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, runs, "batch");
        const fs::path trashed = moveToTrash(runs, run);
        fs::create_directory(run);
        const fs::path back = restoreFromTrash(runs, trashed);
        QVERIFY(back != run);
        QVERIFY(fs::exists(back / "run.json"));
        QVERIFY(fs::is_empty(run));
    }

    void aNewRunLeavesTheNameOfADeletedOneFree() {
        QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        // Several of them begin within one second, which is what their names tell.
        for (int i = 0; i < 20; ++i) {
            const fs::path run = makeRunFolder(runs, "run", 1, "run");
            QVERIFY2(!fs::exists(trashOf(runs) / run.filename()), run.c_str());
            moveToTrash(runs, run);
        }
    }

    void aRunThatGoesOnIsNotDeleted() {
        QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        auto writer = RunFolderWriter::create(table_, madeUpExperiment("batch"), runs);
        const fs::path run = writer->folder();
        QVERIFY(refusal([&] { moveToTrash(runs, run); }).contains("is going on"));
        QVERIFY(fs::exists(run));
        writer.reset();
        moveToTrash(runs, run);
        QVERIFY(!fs::exists(run));
    }

    void onlyRunsOfTheFolderAreDeleted() {
        QTemporaryDir folder, elsewhere;
        const fs::path runs = folder.path().toStdString();
        const fs::path run = writeMadeUpRun(table_, elsewhere.path().toStdString(), "batch");
        QVERIFY(refusal([&] { moveToTrash(runs, run); }).contains("does not lie in"));
        QVERIFY(refusal([&] { moveToTrash(runs, runs); }).contains("does not lie in"));
        QVERIFY(refusal([&] { restoreFromTrash(runs, run); }).contains("not in the trash"));
        QVERIFY(fs::exists(run / "run.json"));
    }

    void emptyingDeletesForGood() {
        QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        const fs::path kept = writeMadeUpRun(table_, runs, "none");
        for (const char* mask : {"batch", "seen"}) moveToTrash(runs, writeMadeUpRun(table_, runs, mask));
        QCOMPARE(emptyTrash(runs), std::size_t(2));
        QVERIFY(trashedRuns(runs).empty());
        QVERIFY(fs::exists(kept / "run.json"));
        QCOMPARE(emptyTrash(runs), std::size_t(0));
    }
};

PALIMPSEST_GUILESS_TEST(TestRunTrash)

}  // namespace tst_run_trash

#include "tst_run_trash.moc"
