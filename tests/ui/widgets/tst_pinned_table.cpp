// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHeaderView>
#include <QHelpEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QToolTip>
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/pinned_table.h"

using namespace palimpsest;

namespace tst_pinned_table {

class TestPinnedTable : public QObject {
    Q_OBJECT
private:
    /// A narrow column, names, and ten columns of numbers, of which four fit beside them.
    struct Scene {
        Scene() : model(30, 12), table(2) {
            for (int row = 0; row < model.rowCount(); ++row)
                for (int column = 0; column < model.columnCount(); ++column)
                    model.setItem(row, column, new QStandardItem(QString("%1/%2").arg(row).arg(column)));
            table.setModel(&model);
            table.setFrameShape(QFrame::NoFrame);
            table.setShowGrid(false);
            table.verticalHeader()->hide();
            table.setSelectionBehavior(QAbstractItemView::SelectRows);
            table.setEditTriggers(QAbstractItemView::NoEditTriggers);
            table.setSortingEnabled(true);
            table.setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
            for (int column = 0; column < model.columnCount(); ++column) table.setColumnWidth(column, 80);
            table.setColumnWidth(0, 30);
            table.setColumnWidth(1, 120);
            table.resize(150 + 4 * 80, 300);
            table.show();
            QVERIFY(QTest::qWaitForWindowExposed(&table));
        }
        void scroll(int pixels) { table.horizontalScrollBar()->setValue(pixels); }
        int scrolled() const { return table.horizontalScrollBar()->value(); }
        QRect rect(int row, int column) const { return table.visualRect(model.index(row, column)); }
        QWidget* titles() const { return table.horizontalHeader()->viewport(); }
        QStandardItemModel model;
        PinnedTable table;
    };
    static void drag(QWidget* widget, QPoint from, QPoint to) {
        const auto send = [&](QEvent::Type type, QPoint at, Qt::MouseButton button, Qt::MouseButtons buttons) {
            QMouseEvent event(type, at, widget->mapToGlobal(at), button, buttons, Qt::NoModifier);
            QCoreApplication::sendEvent(widget, &event);
        };
        send(QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton);
        send(QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton);
        send(QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton);
    }

private Q_SLOTS:
    void unscrolledItIsAnyTable() {
        Scene scene;
        QCOMPARE(scene.table.cover(), 0);
        QCOMPARE(scene.rect(0, 1).left(), 30);
        QCOMPARE(scene.table.indexAt({200, 5}).column(), 2);
    }

    void theFirstColumnsStayAndTheOthersPassBelowThem() {
        Scene scene;
        const QRect name = scene.rect(3, 1), number = scene.rect(3, 4);
        scene.scroll(100);
        QCOMPARE(scene.table.cover(), 150);
        QCOMPARE(scene.rect(3, 1), name);
        QCOMPARE(scene.rect(3, 4), number.translated(-100, 0));
        QCOMPARE(scene.table.indexAt(name.center()), scene.model.index(3, 1));
        QCOMPARE(scene.table.indexAt({5, name.center().y()}), scene.model.index(3, 0));
        QCOMPARE(scene.table.indexAt({151, name.center().y()}), scene.model.index(3, 3));
        scene.scroll(0);
        QCOMPARE(scene.table.cover(), 0);
        QCOMPARE(scene.rect(3, 4), number);
    }

    void whatStaysLooksTheSame() {
        Scene scene;
        scene.table.selectRow(2);
        const QRect names(0, 0, 149, scene.table.viewport()->height());  // the line at its end apart
        const QRect heading(0, 0, 149, scene.titles()->height());
        const QImage before = scene.table.viewport()->grab(names).toImage();
        const QImage titles = scene.titles()->grab(heading).toImage();
        for (const int pixels : {7, 100, 480, 90}) {
            scene.scroll(pixels);
            QCOMPARE(scene.table.viewport()->grab(names).toImage(), before);
            QCOMPARE(scene.titles()->grab(heading).toImage(), titles);
        }
        const QRect others(150, 0, 320, scene.table.viewport()->height());
        const QImage scrolled = scene.table.viewport()->grab(others).toImage();
        scene.scroll(0);
        QVERIFY(scene.table.viewport()->grab(others).toImage() != scrolled);
    }

    void aClickOnANameChoosesItsRowAndScrollsNothing() {
        Scene scene;
        scene.scroll(200);
        QSignalSpy clicked(&scene.table, &QTableView::clicked);
        QTest::mouseClick(scene.table.viewport(), Qt::LeftButton, {}, scene.rect(4, 1).center());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].toModelIndex(), scene.model.index(4, 1));
        QCOMPARE(scene.table.currentIndex(), scene.model.index(4, 1));
        QVERIFY(scene.table.selectionModel()->isRowSelected(4));
        QCOMPARE(scene.scrolled(), 200);
    }

    void theKeyboardBringsEachColumnIntoTheRoomBeside() {
        Scene scene;
        scene.table.setCurrentIndex(scene.model.index(0, 1));
        QTest::keyClick(&scene.table, Qt::Key_End);
        QCOMPARE(scene.table.currentIndex().column(), 11);
        QCOMPARE(scene.scrolled(), scene.table.horizontalScrollBar()->maximum());
        for (int column = 10; column >= 2; --column) {
            QTest::keyClick(&scene.table, Qt::Key_Left);
            QCOMPARE(scene.table.currentIndex().column(), column);
            QVERIFY2(scene.rect(0, column).left() >= scene.table.cover(), qPrintable(QString::number(column)));
        }
        QCOMPARE(scene.scrolled(), 0);
        for (int column = 3; column <= 11; ++column) {
            QTest::keyClick(&scene.table, Qt::Key_Right);
            QVERIFY(scene.rect(0, column).right() < scene.table.viewport()->width());
        }
        QTest::keyClick(&scene.table, Qt::Key_Home);
        QCOMPARE(scene.table.currentIndex().column(), 0);
        QCOMPARE(scene.scrolled(), 0);
    }

    void rowsAreReachedWithoutLosingTheColumns() {
        Scene scene;
        scene.scroll(200);
        scene.table.scrollTo(scene.model.index(29, 1));
        QCOMPARE(scene.scrolled(), 200);
        QVERIFY(scene.table.viewport()->rect().contains(scene.rect(29, 1)));
    }

    void aClickOnATitleThatStaysSorts() {
        Scene scene;
        scene.table.sortByColumn(4, Qt::AscendingOrder);
        scene.scroll(200);
        QTest::mouseClick(scene.titles(), Qt::LeftButton, {}, {80, 8});
        QCOMPARE(scene.table.horizontalHeader()->sortIndicatorSection(), 1);
        const Qt::SortOrder order = scene.table.horizontalHeader()->sortIndicatorOrder();
        QTest::mouseClick(scene.titles(), Qt::LeftButton, {}, {80, 8});
        QVERIFY(scene.table.horizontalHeader()->sortIndicatorOrder() != order);
        // The others sort as they do anywhere.
        QTest::mouseClick(scene.titles(), Qt::LeftButton, {}, {scene.rect(0, 5).center().x(), 8});
        QCOMPARE(scene.table.horizontalHeader()->sortIndicatorSection(), 5);
    }

    void aTitleThatStaysExplainsItself() {
        Scene scene;
        scene.model.setHeaderData(1, Qt::Horizontal, "The name", Qt::ToolTipRole);
        scene.model.setHeaderData(5, Qt::Horizontal, "A number", Qt::ToolTipRole);
        scene.scroll(200);
        const auto rest = [&](int x) {
            QHelpEvent event(QEvent::ToolTip, {x, 8}, scene.titles()->mapToGlobal(QPoint(x, 8)));
            QCoreApplication::sendEvent(scene.titles(), &event);
            return QToolTip::text();
        };
        QCOMPARE(rest(80), QString("The name"));
        QCOMPARE(rest(scene.rect(0, 5).center().x()), QString("A number"));
    }

    void aColumnThatStaysIsResizedByItsEnd_data() {
        QTest::addColumn<int>("from");
        QTest::newRow("from its own side") << 148;
        QTest::newRow("from the other side") << 151;
    }
    void aColumnThatStaysIsResizedByItsEnd() {
        QFETCH(int, from);
        Scene scene;
        scene.scroll(200);
        const int sorted = scene.table.horizontalHeader()->sortIndicatorSection();
        QTest::mouseMove(scene.titles(), {from, 8});
        QCOMPARE(scene.titles()->cursor().shape(), Qt::SplitHCursor);
        drag(scene.titles(), {from, 8}, {from + 40, 8});
        QCOMPARE(scene.table.columnWidth(1), 160);
        QCOMPARE(scene.table.cover(), 190);
        QCOMPARE(scene.scrolled(), 200);
        QCOMPARE(scene.table.horizontalHeader()->sortIndicatorSection(), sorted);
        for (int column = 2; column < 12; ++column) QCOMPARE(scene.table.columnWidth(column), 80);
        QTest::mouseMove(scene.titles(), {100, 8});
        QVERIFY(scene.titles()->cursor().shape() != Qt::SplitHCursor);
    }

    void aHiddenColumnCoversNothing() {
        Scene scene;
        scene.table.setColumnHidden(0, true);
        scene.scroll(90);
        QCOMPARE(scene.table.cover(), 120);
        QCOMPARE(scene.rect(0, 1).left(), 0);
        QCOMPARE(scene.table.indexAt({5, 5}).column(), 1);
    }

    void whereTheyWouldCoverNearlyEverythingTheyScrollAsAnyOther() {
        Scene scene;
        scene.table.setColumnWidth(1, 400);
        scene.scroll(200);
        QCOMPARE(scene.table.cover(), 0);
        QCOMPARE(scene.rect(0, 1).left(), -170);
        scene.table.scrollTo(scene.model.index(0, 0));
        QCOMPARE(scene.scrolled(), 0);
    }

    void anEditorPassesBelowTheNames() {
        Scene scene;
        const QModelIndex cell = scene.model.index(1, 4);
        scene.table.setCurrentIndex(cell);
        scene.table.edit(cell);
        auto* editor = scene.table.viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        const QPoint middle(100, editor->geometry().center().y());
        scene.scroll(180);  // its cell begins at 130
        QCOMPARE(editor->x(), 130);
        QCOMPARE(scene.table.viewport()->childAt(140, middle.y()), nullptr);
        QCOMPARE(scene.table.viewport()->childAt(170, middle.y()), editor);
        scene.scroll(240);
        QCOMPARE(scene.table.viewport()->childAt(middle), nullptr);
        scene.scroll(0);
        QCOMPARE(scene.table.viewport()->childAt(scene.rect(1, 4).center()), editor);
    }

    /// The last, since a theme stays. Its sheet leaves the ground to what the table lies on.
    void nothingShinesThroughInTheThemes_data() {
        QTest::addColumn<Appearance>("appearance");
        QTest::newRow("dark") << Appearance::Dark;
        QTest::newRow("light") << Appearance::Light;
        QTest::newRow("projector") << Appearance::Projector;
    }
    void nothingShinesThroughInTheThemes() {
        QFETCH(Appearance, appearance);
        applyAppearance(*qApp, appearance);
        QFrame panel;
        panel.setProperty("panel", true);
        Scene scene;
        scene.table.setParent(&panel);
        scene.table.move(4, 4);
        panel.resize(scene.table.size() + QSize(8, 8));
        panel.show();
        scene.table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        // Without the line at their end and the bar below.
        const int width = scene.table.columnViewportPosition(2) - 1;
        const QRect names(4, 4, width, scene.table.height() - 20);
        const QImage before = panel.grab(names).toImage();
        scene.scroll(100);
        QCOMPARE(scene.table.cover(), width + 1);
        QCOMPARE(panel.grab(names).toImage(), before);
        scene.table.setParent(nullptr);
    }
};

PALIMPSEST_TEST(TestPinnedTable)

}  // namespace tst_pinned_table

#include "tst_pinned_table.moc"
