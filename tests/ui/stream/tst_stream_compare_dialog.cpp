// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGuiApplication>
#include <QLabel>
#include <QTableView>
#include <QTemporaryDir>
#include <QToolButton>

#include "engine/config/experiment_file.h"
#include "engine/stream/stream_export.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/state/run_library.h"
#include "ui/stream/stream_compare_dialog.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

class TestStreamCompareDialog : public QObject {
    Q_OBJECT
private:
    struct Desk {
        explicit Desk(const OptionTable& table)
            : library(&table, runs.path().toStdString()), dialog(labels(), &library) {
            dialog.setFirst(planned(table.defaults()));
            dialog.show();
        }
        static StreamPlanner::Labels labels() {
            static const ScriptedRun script;
            return script.laboratory().labels;
        }
        static std::shared_ptr<const PlannedStream> planned(const Experiment& experiment) {
            return plannedStream(experiment, labels()(experiment));
        }
        template <typename T>
        T* find(const QString& name) {
            return dialog.findChild<T*>(name);
        }
        QString sentence() { return find<QLabel>("compareSentence")->text(); }
        QAbstractItemModel* table() { return find<QTableView>("streamTable")->model(); }

        QTemporaryDir runs;
        RunLibrary library;
        StreamCompareDialog dialog;
    };
    const OptionTable table_{ScriptedRun::catalogue()};

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aloneTheStreamShowsItsOwnNumbers() {
        Desk desk(table_);
        QTRY_VERIFY(desk.sentence().contains("effective classes"));
        QCOMPARE(desk.table()->rowCount(), 6);
        QVERIFY(desk.find<StreamPreview>("firstStreamPreview")->stream());
        QVERIFY(!desk.find<StreamPreview>("secondStreamPreview")->stream());
        QTest::mouseClick(desk.find<QToolButton>("tableByClass"), Qt::LeftButton);
        QCOMPARE(desk.table()->rowCount(), 10);
    }

    void aPresetIsPlannedAndComparedInTheBackground() {
        Desk desk(table_);
        auto* chooser = desk.find<QComboBox>("compareChooser");
        QTRY_VERIFY(chooser->findData("no-mask") > 0);
        const int row = chooser->findData("no-mask");
        chooser->setCurrentIndex(row);
        Q_EMIT chooser->activated(row);
        QTRY_VERIFY(desk.dialog.second());
        QTRY_VERIFY(desk.sentence().startsWith("The same stream"));
        QVERIFY(desk.find<StreamPreview>("secondStreamPreview")->stream());
        QVERIFY(desk.find<QLabel>("secondStreamTitle")->text().startsWith("B: "));
        QVERIFY(desk.table()->columnCount() > 10);
        chooser->setCurrentIndex(0);
        Q_EMIT chooser->activated(0);
        QVERIFY(!desk.dialog.second());
        QTRY_VERIFY(desk.sentence().contains("effective classes"));
    }

    void itFollowsTheComposer() {
        Desk desk(table_);
        desk.dialog.compareWith("default");
        QTRY_VERIFY(desk.sentence().startsWith("The same stream"));
        Experiment other = table_.defaults();
        other.seed = 2;
        desk.dialog.setFirst(Desk::planned(other));
        QTRY_VERIFY(desk.sentence().startsWith("The same samples, in other sessions"));
        desk.dialog.setFirst(nullptr);
        QVERIFY(desk.sentence().isEmpty());
        QCOMPARE(desk.table()->rowCount(), 0);
    }

    void runsOfTheLibraryCanBeChosen() {
        Desk desk(table_);
        const auto folder = writeMadeUpRun(table_, desk.runs.path().toStdString(), "batch");
        desk.library.refresh();
        auto* chooser = desk.find<QComboBox>("compareChooser");
        QTRY_VERIFY(chooser->findData(QString::fromStdString(folder.string())) > 0);
        desk.dialog.compareWith(QString::fromStdString(folder.string()));
        QTRY_VERIFY(desk.dialog.second());
        QTRY_VERIFY(desk.sentence().startsWith("The same stream"));
        QCOMPARE(chooser->currentData().toString(), QString::fromStdString(folder.string()));
    }

    void anIndexListIsComparedOverTheSameLabels() {
        Desk desk(table_);
        Experiment other = table_.defaults();
        other.seed = 9;
        const auto stream = Desk::planned(other);
        const QString file = desk.runs.filePath("list.json");
        QFile list(file);
        QVERIFY(list.open(QIODevice::WriteOnly));
        list.write(QByteArray::fromStdString(formatIndexList(stream->plan)));
        list.close();
        QTest::mouseClick(desk.find<QToolButton>("chooseStreamFile"), Qt::LeftButton);
        auto* dialog = desk.find<QFileDialog>("compareFileDialog");
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(file);
        QTRY_VERIFY(desk.dialog.second());
        QCOMPARE(desk.dialog.second()->fingerprint, QString::fromStdString(stream->plan.fingerprint()));
        QTRY_VERIFY(desk.sentence().contains("other sessions"));
    }

    void whatCannotBeReadIsToldInItsPlace_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("no preset") << "no-such-preset";
        QTest::newRow("no file") << "/nowhere/a.toml";
        QTest::newRow("no list") << "/nowhere/a.json";
    }
    void whatCannotBeReadIsToldInItsPlace() {
        QFETCH(QString, what);
        Desk desk(table_);
        auto* preview = desk.find<StreamPreview>("secondStreamPreview");
        const QImage before = preview->grab().toImage();
        desk.dialog.compareWith(what);
        const QImage planning = preview->grab().toImage();
        QVERIFY(planning != before);
        QTRY_VERIFY(preview->grab().toImage() != planning);
        QVERIFY(!desk.dialog.second());
        desk.dialog.compareWith("default");
        QTRY_VERIFY(desk.dialog.second());
    }

    void theTableIsCopied() {
        Desk desk(table_);
        QTRY_COMPARE(desk.table()->rowCount(), 6);
        QTest::mouseClick(desk.find<QToolButton>("copyStreamTable"), Qt::LeftButton);
        const QString all = QGuiApplication::clipboard()->text();
        QCOMPARE(all.count('\n'), 7);
        QVERIFY(all.startsWith("Session\tImages\t"));
        auto* view = desk.find<QTableView>("streamTable");
        view->selectRow(2);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QGuiApplication::clipboard()->text().count('\n'), 2);
        QVERIFY(QGuiApplication::clipboard()->text().contains("\n3\t"));
    }

    void everyColumnHasRoomForItsCells() {
        Desk desk(table_);
        desk.dialog.compareWith("no-mask");
        QTRY_VERIFY(desk.sentence().startsWith("The same stream"));
        auto* view = desk.find<QTableView>("streamTable");
        for (const char* tab : {"tableByClass", "tableBySession"}) {
            QTest::mouseClick(desk.find<QToolButton>(tab), Qt::LeftButton);
            QVERIFY(desk.table()->rowCount() > 0);
            // Names, in the first column, are shortened where letters are wider than in the longest of them.
            for (int column = 1; column < desk.table()->columnCount(); ++column)
                for (int row = 0; row < desk.table()->rowCount(); ++row)
                    QVERIFY(view->columnWidth(column) + 2 >=
                            view->sizeHintForIndex(desk.table()->index(row, column)).width());
        }
    }

    void everythingAPersonCanUseHasNameAndTooltip() {
        Desk desk(table_);
        for (QWidget* widget : desk.dialog.findChildren<QWidget*>()) {
            if (!qobject_cast<QToolButton*>(widget) && !qobject_cast<QComboBox*>(widget) &&
                !qobject_cast<QTableView*>(widget))
                continue;
            if (widget->objectName().startsWith("qt_")) continue;
            QVERIFY2(!widget->objectName().isEmpty(), widget->metaObject()->className());
            QVERIFY2(!widget->accessibleName().isEmpty(), qPrintable(widget->objectName()));
            QVERIFY2(!widget->toolTip().isEmpty(), qPrintable(widget->objectName()));
        }
    }

    void closingWhileAPlanIsMadeDoesNoHarm() {
        auto desk = std::make_unique<Desk>(table_);
        desk->dialog.compareWith("no-mask");
        desk.reset();
        QCoreApplication::processEvents();
    }
};

PALIMPSEST_TEST(TestStreamCompareDialog)
#include "tst_stream_compare_dialog.moc"
