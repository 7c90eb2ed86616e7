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

Q_DECLARE_METATYPE(palimpsest::Appearance)

class TestPinnedTable : public QObject {
    Q_OBJECT
private:
    /// A narrow column, names, and ten columns of numbers, of which four fit beside them.
    struct Desk {
        Desk() : model(30, 12), table(2) {
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
        Desk desk;
        QCOMPARE(desk.table.cover(), 0);
        QCOMPARE(desk.rect(0, 1).left(), 30);
        QCOMPARE(desk.table.indexAt({200, 5}).column(), 2);
    }

    void theFirstColumnsStayAndTheOthersPassBelowThem() {
        Desk desk;
        const QRect name = desk.rect(3, 1), number = desk.rect(3, 4);
        desk.scroll(100);
        QCOMPARE(desk.table.cover(), 150);
        QCOMPARE(desk.rect(3, 1), name);
        QCOMPARE(desk.rect(3, 4), number.translated(-100, 0));
        QCOMPARE(desk.table.indexAt(name.center()), desk.model.index(3, 1));
        QCOMPARE(desk.table.indexAt({5, name.center().y()}), desk.model.index(3, 0));
        QCOMPARE(desk.table.indexAt({151, name.center().y()}), desk.model.index(3, 3));
        desk.scroll(0);
        QCOMPARE(desk.table.cover(), 0);
        QCOMPARE(desk.rect(3, 4), number);
    }

    void whatStaysLooksTheSame() {
        Desk desk;
        desk.table.selectRow(2);
        const QRect names(0, 0, 149, desk.table.viewport()->height());  // the line at its end apart
        const QRect heading(0, 0, 149, desk.titles()->height());
        const QImage before = desk.table.viewport()->grab(names).toImage();
        const QImage titles = desk.titles()->grab(heading).toImage();
        for (const int pixels : {7, 100, 480, 90}) {
            desk.scroll(pixels);
            QCOMPARE(desk.table.viewport()->grab(names).toImage(), before);
            QCOMPARE(desk.titles()->grab(heading).toImage(), titles);
        }
        const QRect others(150, 0, 320, desk.table.viewport()->height());
        const QImage scrolled = desk.table.viewport()->grab(others).toImage();
        desk.scroll(0);
        QVERIFY(desk.table.viewport()->grab(others).toImage() != scrolled);
    }

    void aClickOnANameChoosesItsRowAndScrollsNothing() {
        Desk desk;
        desk.scroll(200);
        QSignalSpy clicked(&desk.table, &QTableView::clicked);
        QTest::mouseClick(desk.table.viewport(), Qt::LeftButton, {}, desk.rect(4, 1).center());
        QCOMPARE(clicked.count(), 1);
        QCOMPARE(clicked[0][0].toModelIndex(), desk.model.index(4, 1));
        QCOMPARE(desk.table.currentIndex(), desk.model.index(4, 1));
        QVERIFY(desk.table.selectionModel()->isRowSelected(4));
        QCOMPARE(desk.scrolled(), 200);
    }

    void theKeyboardBringsEachColumnIntoTheRoomBeside() {
        Desk desk;
        desk.table.setCurrentIndex(desk.model.index(0, 1));
        QTest::keyClick(&desk.table, Qt::Key_End);
        QCOMPARE(desk.table.currentIndex().column(), 11);
        QCOMPARE(desk.scrolled(), desk.table.horizontalScrollBar()->maximum());
        for (int column = 10; column >= 2; --column) {
            QTest::keyClick(&desk.table, Qt::Key_Left);
            QCOMPARE(desk.table.currentIndex().column(), column);
            QVERIFY2(desk.rect(0, column).left() >= desk.table.cover(), qPrintable(QString::number(column)));
        }
        QCOMPARE(desk.scrolled(), 0);
        for (int column = 3; column <= 11; ++column) {
            QTest::keyClick(&desk.table, Qt::Key_Right);
            QVERIFY(desk.rect(0, column).right() < desk.table.viewport()->width());
        }
        QTest::keyClick(&desk.table, Qt::Key_Home);
        QCOMPARE(desk.table.currentIndex().column(), 0);
        QCOMPARE(desk.scrolled(), 0);
    }

    void rowsAreReachedWithoutLosingTheColumns() {
        Desk desk;
        desk.scroll(200);
        desk.table.scrollTo(desk.model.index(29, 1));
        QCOMPARE(desk.scrolled(), 200);
        QVERIFY(desk.table.viewport()->rect().contains(desk.rect(29, 1)));
    }

    void aClickOnATitleThatStaysSorts() {
        Desk desk;
        desk.table.sortByColumn(4, Qt::AscendingOrder);
        desk.scroll(200);
        QTest::mouseClick(desk.titles(), Qt::LeftButton, {}, {80, 8});
        QCOMPARE(desk.table.horizontalHeader()->sortIndicatorSection(), 1);
        const Qt::SortOrder order = desk.table.horizontalHeader()->sortIndicatorOrder();
        QTest::mouseClick(desk.titles(), Qt::LeftButton, {}, {80, 8});
        QVERIFY(desk.table.horizontalHeader()->sortIndicatorOrder() != order);
        // The others sort as they do anywhere.
        QTest::mouseClick(desk.titles(), Qt::LeftButton, {}, {desk.rect(0, 5).center().x(), 8});
        QCOMPARE(desk.table.horizontalHeader()->sortIndicatorSection(), 5);
    }

    void aTitleThatStaysExplainsItself() {
        Desk desk;
        desk.model.setHeaderData(1, Qt::Horizontal, "The name", Qt::ToolTipRole);
        desk.model.setHeaderData(5, Qt::Horizontal, "A number", Qt::ToolTipRole);
        desk.scroll(200);
        const auto rest = [&](int x) {
            QHelpEvent event(QEvent::ToolTip, {x, 8}, desk.titles()->mapToGlobal(QPoint(x, 8)));
            QCoreApplication::sendEvent(desk.titles(), &event);
            return QToolTip::text();
        };
        QCOMPARE(rest(80), QString("The name"));
        QCOMPARE(rest(desk.rect(0, 5).center().x()), QString("A number"));
    }

    void aColumnThatStaysIsResizedByItsEnd_data() {
        QTest::addColumn<int>("from");
        QTest::newRow("from its own side") << 148;
        QTest::newRow("from the other side") << 151;
    }
    void aColumnThatStaysIsResizedByItsEnd() {
        QFETCH(int, from);
        Desk desk;
        desk.scroll(200);
        const int sorted = desk.table.horizontalHeader()->sortIndicatorSection();
        QTest::mouseMove(desk.titles(), {from, 8});
        QCOMPARE(desk.titles()->cursor().shape(), Qt::SplitHCursor);
        drag(desk.titles(), {from, 8}, {from + 40, 8});
        QCOMPARE(desk.table.columnWidth(1), 160);
        QCOMPARE(desk.table.cover(), 190);
        QCOMPARE(desk.scrolled(), 200);
        QCOMPARE(desk.table.horizontalHeader()->sortIndicatorSection(), sorted);
        for (int column = 2; column < 12; ++column) QCOMPARE(desk.table.columnWidth(column), 80);
        QTest::mouseMove(desk.titles(), {100, 8});
        QVERIFY(desk.titles()->cursor().shape() != Qt::SplitHCursor);
    }

    void aHiddenColumnCoversNothing() {
        Desk desk;
        desk.table.setColumnHidden(0, true);
        desk.scroll(90);
        QCOMPARE(desk.table.cover(), 120);
        QCOMPARE(desk.rect(0, 1).left(), 0);
        QCOMPARE(desk.table.indexAt({5, 5}).column(), 1);
    }

    void whereTheyWouldCoverNearlyEverythingTheyScrollAsAnyOther() {
        Desk desk;
        desk.table.setColumnWidth(1, 400);
        desk.scroll(200);
        QCOMPARE(desk.table.cover(), 0);
        QCOMPARE(desk.rect(0, 1).left(), -170);
        desk.table.scrollTo(desk.model.index(0, 0));
        QCOMPARE(desk.scrolled(), 0);
    }

    void anEditorPassesBelowTheNames() {
        Desk desk;
        const QModelIndex cell = desk.model.index(1, 4);
        desk.table.setCurrentIndex(cell);
        desk.table.edit(cell);
        auto* editor = desk.table.viewport()->findChild<QLineEdit*>();
        QVERIFY(editor);
        const QPoint middle(100, editor->geometry().center().y());
        desk.scroll(180);  // its cell begins at 130
        QCOMPARE(editor->x(), 130);
        QCOMPARE(desk.table.viewport()->childAt(140, middle.y()), nullptr);
        QCOMPARE(desk.table.viewport()->childAt(170, middle.y()), editor);
        desk.scroll(240);
        QCOMPARE(desk.table.viewport()->childAt(middle), nullptr);
        desk.scroll(0);
        QCOMPARE(desk.table.viewport()->childAt(desk.rect(1, 4).center()), editor);
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
        Desk desk;
        desk.table.setParent(&panel);
        desk.table.move(4, 4);
        panel.resize(desk.table.size() + QSize(8, 8));
        panel.show();
        desk.table.show();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        // Without the line at their end and the bar below.
        const int width = desk.table.columnViewportPosition(2) - 1;
        const QRect names(4, 4, width, desk.table.height() - 20);
        const QImage before = panel.grab(names).toImage();
        desk.scroll(100);
        QCOMPARE(desk.table.cover(), width + 1);
        QCOMPARE(panel.grab(names).toImage(), before);
        desk.table.setParent(nullptr);
    }
};

PALIMPSEST_TEST(TestPinnedTable)
#include "tst_pinned_table.moc"
