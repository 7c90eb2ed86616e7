// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QSignalSpy>
#include <QUndoStack>

#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/state/experiment_draft.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedRun;

namespace tst_experiment_draft {

class TestExperimentDraft : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{ScriptedRun::catalogue()};

private Q_SLOTS:
    void beginsWithTheDefaults() {
        ExperimentDraft draft(&table_);
        QCOMPARE(draft.experiment().stream.sessions, table_.defaults().stream.sessions);
        QVERIFY(draft.problems().isEmpty());
        QVERIFY(!draft.undoStack()->canUndo());
    }

    void tellsWhichKeyChanged() {
        ExperimentDraft draft(&table_);
        QSignalSpy spy(&draft, &ExperimentDraft::changed);
        QVERIFY(draft.set("stream.sessions", std::int64_t{7}));
        QCOMPARE(draft.experiment().stream.sessions, 7);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy[0][0].toString(), QString("stream.sessions"));
    }

    void theSameValueAgainIsNoChange() {
        ExperimentDraft draft(&table_);
        draft.set("stream.sessions", std::int64_t{7});
        QSignalSpy spy(&draft, &ExperimentDraft::changed);
        QVERIFY(draft.set("stream.sessions", std::int64_t{7}));
        QCOMPARE(spy.count(), 0);
        QCOMPARE(draft.undoStack()->count(), 1);
    }

    void aValueOutOfRangeIsRefusedAndChangesNothing() {
        ExperimentDraft draft(&table_);
        QSignalSpy changed(&draft, &ExperimentDraft::changed);
        QSignalSpy refused(&draft, &ExperimentDraft::refused);
        QVERIFY(!draft.set("stream.disjoint_percent", std::int64_t{-3}));
        QCOMPARE(changed.count(), 0);
        QCOMPARE(refused.count(), 1);
        const QString why = refused[0][1].toString();
        QVERIFY2(why.startsWith("Disjoint classes is -3, but must be a whole number"), qPrintable(why));
        QVERIFY(!draft.undoStack()->canUndo());
    }

    void whatWasChangedSinceComesOntoAnother() {
        ExperimentDraft draft(&table_);
        draft.setNaming([](const Experiment&, const Experiment& after, const QString&) {
            return after.mask.name + " of " + after.name.substr(after.name.rfind(' ') + 1);
        });
        Experiment onto = draft.experiment(), since = draft.experiment();
        onto.name = "batch of A";
        since.name = "batch of B";
        onto.seed = 5;
        since.seed = 6;
        draft.replace(since, "B");
        draft.set("mask.name", std::string("none"));
        Experiment moved = draft.movedOnto(onto, since);
        QCOMPARE(moved.mask.name, std::string("none"));
        QCOMPARE(moved.seed, std::int64_t{5});
        QCOMPARE(moved.name, std::string("none of A"));
        draft.set("name", std::string("typed"));
        QCOMPARE(draft.movedOnto(onto, since).name, std::string("typed"));
        draft.replace(since, "B");
        QCOMPARE(draft.movedOnto(onto, since).name, std::string("batch of A"));
    }

    void anExperimentWithoutANameIsCalledAfterWhatIsChosen() {
        ExperimentDraft draft(&table_);
        draft.setNaming(
            [naming = ExperimentNaming(&table_)](const Experiment& before, const Experiment& after,
                                                 const QString& key) { return naming.nameOf(before, after, key); });
        const std::string untitled = draft.experiment().name;
        QVERIFY(!untitled.empty());
        draft.set("stream.sessions", std::int64_t{4});
        QCOMPARE(draft.experiment().name, untitled);
        draft.set("method.name", std::string("er"));
        draft.set("memory.size", std::int64_t{500});
        QCOMPARE(draft.experiment().name, std::string("ER, batch mask, 500 replayed"));
        draft.set("name", std::string("Mine"));
        draft.set("memory.size", std::int64_t{200});
        QCOMPARE(draft.experiment().name, std::string("Mine"));
    }

    void undoAndRedoGoThroughTheChanges() {
        ExperimentDraft draft(&table_);
        const auto before = draft.experiment().stream.sessions;
        draft.set("stream.sessions", std::int64_t{7});
        draft.set("seed", std::int64_t{42});
        draft.undoStack()->undo();
        QCOMPARE(draft.experiment().seed, 1);
        QCOMPARE(draft.experiment().stream.sessions, 7);
        draft.undoStack()->undo();
        QCOMPARE(draft.experiment().stream.sessions, before);
        draft.undoStack()->redo();
        draft.undoStack()->redo();
        QCOMPARE(draft.experiment().seed, 42);
    }

    void oneDragIsOneStepOfUndo() {
        ExperimentDraft draft(&table_);
        const int drag = draft.newGesture();
        for (std::int64_t v : {51, 60, 75}) draft.set("stream.disjoint_percent", v, drag);
        const int second = draft.newGesture();
        draft.set("stream.disjoint_percent", std::int64_t{80}, second);
        QCOMPARE(draft.undoStack()->count(), 2);
        draft.undoStack()->undo();
        QCOMPARE(draft.experiment().stream.disjoint_percent, 75);
        draft.undoStack()->undo();
        QCOMPARE(draft.experiment().stream.disjoint_percent, 50);
    }

    void aWholeExperimentIsOneStepOfUndo() {
        ExperimentDraft draft(&table_);
        Experiment other = table_.defaults();
        other.seed = 9;
        other.mask.name = "none";
        QSignalSpy spy(&draft, &ExperimentDraft::changed);
        draft.replace(other, "opening");
        QCOMPARE(spy.count(), 1);
        QVERIFY(spy[0][0].toString().isEmpty());
        draft.undoStack()->undo();
        QCOMPARE(draft.experiment().seed, 1);
        QCOMPARE(draft.experiment().mask.name, table_.defaults().mask.name);
    }

    void restartForgetsTheHistory() {
        ExperimentDraft draft(&table_);
        draft.set("seed", std::int64_t{42});
        draft.restart(table_.defaults());
        QVERIFY(!draft.undoStack()->canUndo());
        QCOMPARE(draft.experiment().seed, 1);
    }

    void problemsComeAndGoWithTheSettings() {
        ExperimentDraft draft(&table_);
        QSignalSpy spy(&draft, &ExperimentDraft::problemsChanged);
        draft.set("name", std::string());
        QCOMPARE(draft.problems().size(), 1);
        QCOMPARE(spy.count(), 1);
        draft.undoStack()->undo();
        QVERIFY(draft.problems().isEmpty());
        QCOMPARE(spy.count(), 2);
        // The form has no keys.
        draft.set("stream.train_limit", std::int64_t{3});
        QCOMPARE(draft.problems(), QStringList{"Training images is 3, too few images for 5 sessions."});
    }
};

PALIMPSEST_APPLESS_TEST(TestExperimentDraft)

}  // namespace tst_experiment_draft

#include "tst_experiment_draft.moc"
