// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include "engine/record/copy_mark.h"
#include "engine/support/file_io.h"
#include "tests/support/foreign_run.h"
#include "tests/support/test_program.h"
#include "ui/state/run_follower.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_run_follower {

class TestRunFollower : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Scene {
        explicit Scene(const OptionTable& table)
            : run(table, folder.path()),
              id(run.id()),
              library(&table, folder.path().toStdString()),
              follower(&store, &library, nullptr, std::chrono::milliseconds(20)) {}
        void show() {
            QSignalSpy scanned(&library, &RunLibrary::scanned);
            library.refresh();
            QVERIFY(scanned.wait());
            QVERIFY(library.find(id));
            store.addRecord(*library.find(id));
            store.setVisible(id, true);
        }
        bool looking() const { return follower.findChild<QTimer*>()->isActive(); }
        QTemporaryDir folder;
        ForeignRun run;
        const QString id;
        RunSet store;
        RunLibrary library;
        RunFollower follower;
    };

private Q_SLOTS:
    void whatAnotherProgramWritesArrives() {
        Scene scene(table_);
        scene.show();
        const ShownRun* run = scene.store.find(scene.id);
        QCOMPARE(run->points.anytime().size(), std::size_t(1));
        const int generation = run->generation;
        scene.run.addPoint(1000, 0.6);
        QTRY_COMPARE(run->points.anytime().size(), std::size_t(2));
        scene.run.endFirstSession(0.7);
        QTRY_COMPARE(run->points.retentionOf(0).size(), std::size_t(1));
        QCOMPARE(run->points.sessionEnds().size(), std::size_t(1));
        QCOMPARE(run->generation, generation);
        QVERIFY(run->inProgress());
        scene.run.finish();
        QTRY_VERIFY(run->finished);
        QTRY_VERIFY(!scene.looking());
        QCOMPARE(scene.library.find(scene.id)->state, RecordedState::Finished);
    }

    void onceItsProgramIsGoneTheRunHasCrashed() {
        Scene scene(table_);
        scene.show();
        QVERIFY(scene.looking());
        QCOMPARE(scene.library.find(scene.id)->state, RecordedState::Running);
        scene.run.kill();
        QTRY_COMPARE(scene.library.find(scene.id)->state, RecordedState::Crashed);
        QVERIFY(!scene.store.find(scene.id)->inProgress());
        QVERIFY(!scene.store.find(scene.id)->areaIsFinal());
        QTRY_VERIFY(!scene.looking());
    }

    void aRunThatGoesOnAgainGrowsAgain() {
        Scene scene(table_);
        scene.show();
        scene.run.kill();
        QTRY_VERIFY(!scene.store.find(scene.id)->inProgress());
        QTRY_VERIFY(!scene.looking());
        // Its process is another machine's after all.
        replaceTextFile(scene.run.folder() / kCopyMark, "ssh://lab/~/runs/one\n");
        scene.run.addPoint(1000, 0.6);
        scene.library.touch(scene.id);
        QTRY_VERIFY(scene.store.find(scene.id)->inProgress());
        QCOMPARE(scene.store.find(scene.id)->points.anytime().size(), std::size_t(2));
        QVERIFY(scene.looking());
        scene.run.addPoint(1500, 0.7);
        QTRY_COMPARE(scene.store.find(scene.id)->points.anytime().size(), std::size_t(3));
    }

    void aRunThatItsProgramThrowsAwayDisappears() {
        Scene scene(table_);
        scene.show();
        std::filesystem::remove_all(scene.run.folder());
        QTRY_VERIFY(!scene.store.find(scene.id));
        QVERIFY(!scene.library.find(scene.id));
    }

    void runsOfThisProgramBringTheirOwnNews() {
        Scene scene(table_);
        scene.store.onStarted(madeUpStart(1, scene.run.folder().string(), "batch"));
        QSignalSpy scanned(&scene.library, &RunLibrary::scanned);
        scene.library.refresh();
        QVERIFY(scanned.wait());
        QCOMPARE(scene.library.find(scene.id)->state, RecordedState::Running);
        QVERIFY(!scene.looking());
    }
};

PALIMPSEST_GUILESS_TEST(TestRunFollower)

}  // namespace tst_run_follower

#include "tst_run_follower.moc"
