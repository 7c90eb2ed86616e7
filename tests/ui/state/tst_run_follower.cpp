// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include "tests/support/foreign_run.h"
#include "tests/support/test_program.h"
#include "ui/state/run_follower.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

using namespace palimpsest;
using namespace palimpsest::testing;

class TestRunFollower : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    struct Desk {
        explicit Desk(const OptionTable& table)
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
        Desk desk(table_);
        desk.show();
        const ShownRun* run = desk.store.find(desk.id);
        QCOMPARE(run->points.anytime().size(), std::size_t(1));
        const int generation = run->generation;
        desk.run.addPoint(1000, 0.6);
        QTRY_COMPARE(run->points.anytime().size(), std::size_t(2));
        desk.run.endFirstSession(0.7);
        QTRY_COMPARE(run->points.retentionOf(0).size(), std::size_t(1));
        QCOMPARE(run->points.sessionEnds().size(), std::size_t(1));
        QCOMPARE(run->generation, generation);
        QVERIFY(run->inProgress());
        desk.run.finish();
        QTRY_VERIFY(run->finished);
        QTRY_VERIFY(!desk.looking());
        QCOMPARE(desk.library.find(desk.id)->state, RecordedState::Finished);
    }

    void onceItsProgramIsGoneTheRunHasCrashed() {
        Desk desk(table_);
        desk.show();
        QVERIFY(desk.looking());
        QCOMPARE(desk.library.find(desk.id)->state, RecordedState::Running);
        desk.run.kill();
        QTRY_COMPARE(desk.library.find(desk.id)->state, RecordedState::Crashed);
        QVERIFY(!desk.store.find(desk.id)->inProgress());
        QVERIFY(!desk.store.find(desk.id)->areaIsFinal());
        QTRY_VERIFY(!desk.looking());
    }

    void aRunThatItsProgramThrowsAwayDisappears() {
        Desk desk(table_);
        desk.show();
        std::filesystem::remove_all(desk.run.folder());
        QTRY_VERIFY(!desk.store.find(desk.id));
        QVERIFY(!desk.library.find(desk.id));
    }

    void runsOfThisProgramBringTheirOwnNews() {
        Desk desk(table_);
        desk.store.onStarted(madeUpStart(1, desk.run.folder().string(), "batch"));
        QSignalSpy scanned(&desk.library, &RunLibrary::scanned);
        desk.library.refresh();
        QVERIFY(scanned.wait());
        QCOMPARE(desk.library.find(desk.id)->state, RecordedState::Running);
        QVERIFY(!desk.looking());
    }
};

PALIMPSEST_GUILESS_TEST(TestRunFollower)
#include "tst_run_follower.moc"
