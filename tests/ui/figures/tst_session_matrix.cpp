// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QLabel>
#include <QtTest>
#include <cmath>

#include "tests/support/figure_scene.h"
#include "tests/support/test_program.h"
#include "ui/figures/session_matrix.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/panel.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_session_matrix {

class TestSessionMatrix : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { applyAppearance(*qApp, Appearance::Dark); }

    void theRMatrixEndsAtTheChosenMoment() {
        FigureScene scene;
        scene.live();
        auto* sessions = scene.show(new SessionMatrix(&scene.store, &scene.cursor));
        sessions->showNow();
        const auto known = [sessions] {
            const MatrixContent& content = sessions->canvas()->content();
            return std::count_if(content.shares.begin(), content.shares.end(), [](double x) { return !std::isnan(x); });
        };
        QCOMPARE(known(), 15);
        scene.cursor.pin(2500);
        sessions->showNow();
        QCOMPARE(known(), 3);
        QVERIFY(sessions->panel()->caption().contains("2,500"));
        QVERIFY(sessions->panel()->caption().startsWith(scene.store.label(scene.store.selected()->id)));
        scene.cursor.pin(std::nullopt);
        sessions->showNow();
        QCOMPARE(known(), 15);
    }

    void itsTitleSaysWhatAnRMatrixIs() {
        FigureScene scene;
        auto* sessions = scene.show(new SessionMatrix(&scene.store, &scene.cursor));
        const auto* title = sessions->panel()->findChild<QLabel*>("panelTitle");
        QCOMPARE(title->text(), QString("R matrix"));
        const QString meaning = title->toolTip();
        QVERIFY2(meaning.startsWith("R matrix: the accuracy after each session"), qPrintable(meaning));
        // A title that is cut is told, too, with what it means below.
        sessions->panel()->setTitle(QString("R matrix ").repeated(40));
        QTRY_VERIFY2(title->toolTip().endsWith('\n' + meaning), qPrintable(title->toolTip()));
    }

    void aCellIsWhatIsLeftOfASession() {
        FigureScene scene;
        scene.live();
        auto* sessions = scene.show(new SessionMatrix(&scene.store, &scene.cursor));
        sessions->showNow();
        const MatrixContent& content = sessions->canvas()->content();
        const ShownRun* run = scene.store.selected();
        QCOMPARE(content.rows, (QStringList{"1", "2", "3", "4", "5"}));
        int cells = 0;
        for (const auto& [session, points] : run->points.retention())
            for (const RetentionPoint& point : points) {
                QCOMPARE(content.share(int(point.after_session), int(session)), point.accuracy);
                ++cells;
            }
        QCOMPARE(cells, 15);
        QVERIFY(std::isnan(content.share(0, 1)));
        const MatrixTable& table = sessions->table();
        QAbstractItemModelTester tester(&const_cast<MatrixTable&>(table),
                                        QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(table.headerData(0, Qt::Horizontal).toString(), QString("after session"));
        QCOMPARE(table.index(2, 2).data().toString(), QString("78.0 %"));
        QCOMPARE(table.index(0, 2).data().toString(), QString());
        QVERIFY2(table.csv().startsWith("after session,1,2,3,4,5\n1,90,,,,\n"), qPrintable(table.csv()));
    }

    void theRowOfTheSharedMomentIsMarked() {
        FigureScene scene;
        scene.live();
        auto* sessions = scene.show(new SessionMatrix(&scene.store, &scene.cursor));
        sessions->showNow();
        QCOMPARE(sessions->canvas()->markedRow(), -1);
        scene.cursor.hover(2500);
        sessions->showNow();
        QCOMPARE(sessions->canvas()->markedRow(), 1);
        // A click on a row pins the end of its session.
        QTest::mouseClick(sessions->canvas(), Qt::LeftButton, {},
                          sessions->canvas()->cellRect(3, 0).center().toPoint());
        QCOMPARE(scene.cursor.pinned(), CurveCursor::Moment(4800));
    }
};

PALIMPSEST_TEST(TestSessionMatrix)

}  // namespace tst_session_matrix

#include "tst_session_matrix.moc"
