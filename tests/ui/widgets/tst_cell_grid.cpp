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

    void lowRoomShrinksCellsUntilAllAreSeen() {
        QCOMPARE(CellGrid::fitted(80, 236).side, 12.0);
        for (const double height : {87.0, 58.0, 40.0, 20.0, 11.0, 3.0}) {
            const CellGrid grid = CellGrid::fitted(80, 236, height);
            QVERIFY2(grid.rect(grid.cells - 1).bottom() <= height, qPrintable(QString::number(height)));
            QVERIFY(grid.cells * grid.members >= 80);
        }
        QCOMPARE(CellGrid::fitted(80, 236, 58).side, 8.0);
        QCOMPARE(CellGrid::fitted(80, 236, 3).members, 2);
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
