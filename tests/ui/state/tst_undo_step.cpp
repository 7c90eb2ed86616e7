// SPDX-License-Identifier: GPL-3.0-or-later
#include <QUndoStack>
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/state/undo_steps.h"

using namespace palimpsest;

namespace tst_undo_step {

class TestUndoStep : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void undoTakesItBackOnce() {
        QUndoStack stack;
        int taken = 0;
        const auto button = addUndoStep(&stack, "deletion of runs", [&] { ++taken; });
        QCOMPARE(stack.undoText(), QString("deletion of runs"));
        QCOMPARE(taken, 0);
        stack.undo();
        QCOMPARE(taken, 1);
        QVERIFY(!stack.canUndo() && !stack.canRedo());
        button();
        QCOMPARE(taken, 1);
    }

    void theButtonDoesWhatUndoWouldDo() {
        QUndoStack stack;
        int taken = 0;
        const auto button = addUndoStep(&stack, "deletion of runs", [&] { ++taken; });
        button();
        QCOMPARE(taken, 1);
        QVERIFY(!stack.canUndo() && !stack.canRedo());
    }

    void whatWasDoneSinceComesFirst() {
        QUndoStack stack;
        int taken = 0;
        const auto button = addUndoStep(&stack, "deletion of runs", [&] { ++taken; });
        stack.push(new QUndoCommand("a setting"));
        stack.undo();
        QCOMPARE(taken, 0);
        stack.redo();
        button();  // passes by the setting
        QCOMPARE(taken, 1);
        QCOMPARE(stack.index(), 2);
        stack.undo();
        stack.undo();
        QCOMPARE(taken, 1);
    }

    void theButtonOutlivesTheStep() {
        QUndoStack stack;
        int taken = 0;
        const auto button = addUndoStep(&stack, "deletion of runs", [&] { ++taken; });
        stack.clear();
        stack.push(new QUndoCommand("a setting"));
        button();
        QCOMPARE(taken, 1);
        QCOMPARE(stack.index(), 1);
    }

    void itsWayMayAddAStepOfItsOwn() {
        QUndoStack stack;
        int taken = 0;
        const auto again = [&] { addUndoStep(&stack, "another", [&] { ++taken; }); };
        const auto button = addUndoStep(&stack, "deletion of runs", [&] { QTimer::singleShot(0, this, again); });
        button();
        QTRY_COMPARE(stack.undoText(), QString("another"));
        stack.undo();
        QCOMPARE(taken, 1);
    }
};

PALIMPSEST_TEST(TestUndoStep)

}  // namespace tst_undo_step

#include "tst_undo_step.moc"
