// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/widgets/cell_grid.h"

using namespace palimpsest;

namespace tst_cell_grid {

class TestCellGrid : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cellsShrinkUntilAllHaveRoomAndAreSharedThen_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<double>("side");
        QTest::addColumn<int>("members");
        QTest::newRow("few are large") << 100 << 12.0 << 1;
        QTest::newRow("more are smaller") << 200 << 8.0 << 1;
        QTest::newRow("many are tiny") << 1000 << 3.0 << 1;
        QTest::newRow("very many share") << 10000 << 3.0 << 6;
    }
    void cellsShrinkUntilAllHaveRoomAndAreSharedThen() {
        QFETCH(int, count);
        const CellGrid grid = CellGrid::fitted(count, 236);
        QTEST(grid.side, "side");
        QTEST(grid.members, "members");
        QCOMPARE(grid.cells, (count + grid.members - 1) / grid.members);
        QVERIFY(grid.rect(grid.columns - 1).right() <= 236);
        QVERIFY(grid.rect(grid.cells - 1).bottom() <= 132);
    }

    void everyCellIsFoundAtItsMiddleAndNoneBetween() {
        const CellGrid grid = CellGrid::fitted(100, 236);
        for (int cell = 0; cell < grid.cells; ++cell) QCOMPARE(grid.cellAt(grid.rect(cell).center().toPoint()), cell);
        QCOMPARE(grid.cellAt({14, 3}), -1);
        QCOMPARE(grid.cellAt({3, 14}), -1);
        QCOMPARE(grid.cellAt({3, 1000}), -1);
    }
};

PALIMPSEST_GUILESS_TEST(TestCellGrid)

}  // namespace tst_cell_grid

#include "tst_cell_grid.moc"
