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
#include "ui/state/file_worker.h"
#include "ui/state/run_library.h"
#include "ui/stream/stream_compare_dialog.h"
#include "ui/stream/stream_preview.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_stream_compare_dialog {

class TestStreamCompareDialog : public QObject {
    Q_OBJECT
private:
    struct Scene {
        explicit Scene(const OptionTable& table)
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
        Scene scene(table_);
        QTRY_VERIFY(scene.sentence().contains("effective classes"));
        QCOMPARE(scene.table()->rowCount(), 6);
        QVERIFY(scene.find<StreamPreview>("firstStreamPreview")->stream());
        QVERIFY(!scene.find<StreamPreview>("secondStreamPreview")->stream());
        QTest::mouseClick(scene.find<QToolButton>("tableByClass"), Qt::LeftButton);
        QCOMPARE(scene.table()->rowCount(), 10);
    }

    void aPresetIsPlannedAndComparedInTheBackground() {
        Scene scene(table_);
        auto* chooser = scene.find<QComboBox>("compareChooser");
        QTRY_VERIFY(chooser->findData("clothes") > 0);
        const int row = chooser->findData("clothes");
        chooser->setCurrentIndex(row);
        Q_EMIT chooser->activated(row);
        QTRY_VERIFY(scene.dialog.second());
        QTRY_VERIFY(scene.sentence().startsWith("The same stream"));
        QVERIFY(scene.find<StreamPreview>("secondStreamPreview")->stream());
        QVERIFY(scene.find<QLabel>("secondStreamTitle")->text().startsWith("B: "));
        QVERIFY(scene.table()->columnCount() > 10);
        chooser->setCurrentIndex(0);
        Q_EMIT chooser->activated(0);
        QVERIFY(!scene.dialog.second());
        QTRY_VERIFY(scene.sentence().contains("effective classes"));
    }

    void itFollowsTheComposer() {
        Scene scene(table_);
        scene.dialog.compareWith("clothes");
        QTRY_VERIFY(scene.sentence().startsWith("The same stream"));
        Experiment other = table_.defaults();
        other.seed = 2;
        scene.dialog.setFirst(Scene::planned(other));
        QTRY_VERIFY(scene.sentence().startsWith("The same samples, in other sessions"));
        scene.dialog.setFirst(nullptr);
        QVERIFY(scene.sentence().isEmpty());
        QCOMPARE(scene.table()->rowCount(), 0);
    }

    void runsOfTheLibraryCanBeChosen() {
        Scene scene(table_);
        const auto folder = writeMadeUpRun(table_, scene.runs.path().toStdString(), "batch");
        scene.library.refresh();
        auto* chooser = scene.find<QComboBox>("compareChooser");
        QTRY_VERIFY(chooser->findData(QString::fromStdString(folder.string())) > 0);
        scene.dialog.compareWith(QString::fromStdString(folder.string()));
        QTRY_VERIFY(scene.dialog.second());
        QTRY_VERIFY(scene.sentence().startsWith("The same stream"));
        QCOMPARE(chooser->currentData().toString(), QString::fromStdString(folder.string()));
    }

    void anIndexListIsComparedOverTheSameLabels() {
        Scene scene(table_);
        Experiment other = table_.defaults();
        other.seed = 9;
        const auto stream = Scene::planned(other);
        const QString file = scene.runs.filePath("list.json");
        QFile list(file);
        QVERIFY(list.open(QIODevice::WriteOnly));
        list.write(QByteArray::fromStdString(formatIndexList(stream->plan)));
        list.close();
        QTest::mouseClick(scene.find<QToolButton>("chooseStreamFile"), Qt::LeftButton);
        auto* dialog = scene.find<QFileDialog>("compareFileDialog");
        QVERIFY(dialog);
        Q_EMIT dialog->fileSelected(file);
        QTRY_VERIFY(scene.dialog.second());
        QCOMPARE(scene.dialog.second()->fingerprint, QString::fromStdString(stream->plan.fingerprint()));
        QTRY_VERIFY(scene.sentence().contains("other sessions"));
    }

    void whatCannotBeReadIsToldInItsPlace_data() {
        QTest::addColumn<QString>("what");
        QTest::newRow("no preset") << "no-such-preset";
        QTest::newRow("no file") << "/nowhere/a.toml";
        QTest::newRow("no list") << "/nowhere/a.json";
    }
    void whatCannotBeReadIsToldInItsPlace() {
        QFETCH(QString, what);
        Scene scene(table_);
        auto* preview = scene.find<StreamPreview>("secondStreamPreview");
        const QImage before = preview->grab().toImage();
        scene.dialog.compareWith(what);
        const QImage planning = preview->grab().toImage();
        QVERIFY(planning != before);
        QTRY_VERIFY(preview->grab().toImage() != planning);
        QVERIFY(!scene.dialog.second());
        scene.dialog.compareWith("default");
        QTRY_VERIFY(scene.dialog.second());
    }

    void presetsThatCannotBeListedAreTold() {
        Scene scene(table_);
        auto* preview = scene.find<StreamPreview>("secondStreamPreview");
        QTRY_VERIFY(scene.find<QComboBox>("compareChooser")->findData("clothes") > 0);
        const QImage before = preview->grab().toImage();
        auto* files = scene.dialog.findChild<FileWorker*>();
        Q_EMIT files->failed("A preset cannot be read.", "Mend it.");
        const QImage told = preview->grab().toImage();
        QVERIFY(told != before);
        // It stands there again when nothing is chosen, and ends no comparison.
        scene.dialog.compareWith("clothes");
        Q_EMIT files->failed("A preset cannot be read.", "Mend it.");
        QTRY_VERIFY(scene.dialog.second());
        scene.dialog.compareWith({});
        QCOMPARE(preview->grab().toImage(), told);
    }

    void theTableIsCopied() {
        Scene scene(table_);
        QTRY_COMPARE(scene.table()->rowCount(), 6);
        QTest::mouseClick(scene.find<QToolButton>("copyStreamTable"), Qt::LeftButton);
        const QString all = QGuiApplication::clipboard()->text();
        QCOMPARE(all.count('\n'), 7);
        QVERIFY(all.startsWith("Session\tImages\t"));
        auto* view = scene.find<QTableView>("streamTable");
        view->selectRow(2);
        view->setFocus();
        QTest::keyClick(view, Qt::Key_C, Qt::ControlModifier);
        QTRY_COMPARE(QGuiApplication::clipboard()->text().count('\n'), 2);
        QVERIFY(QGuiApplication::clipboard()->text().contains("\n3\t"));
    }

    void everyColumnHasRoomForItsCells() {
        Scene scene(table_);
        scene.dialog.compareWith("clothes");
        QTRY_VERIFY(scene.sentence().startsWith("The same stream"));
        auto* view = scene.find<QTableView>("streamTable");
        for (const char* tab : {"tableByClass", "tableBySession"}) {
            QTest::mouseClick(scene.find<QToolButton>(tab), Qt::LeftButton);
            QVERIFY(scene.table()->rowCount() > 0);
            // Names, in the first column, are shortened where letters are wider than in the longest of them.
            for (int column = 1; column < scene.table()->columnCount(); ++column)
                for (int row = 0; row < scene.table()->rowCount(); ++row)
                    QVERIFY(view->columnWidth(column) + 2 >=
                            view->sizeHintForIndex(scene.table()->index(row, column)).width());
        }
    }

    void everythingAPersonCanUseHasNameAndTooltip() {
        Scene scene(table_);
        for (QWidget* widget : scene.dialog.findChildren<QWidget*>()) {
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
        auto scene = std::make_unique<Scene>(table_);
        scene->dialog.compareWith("no-mask");
        scene.reset();
        QCoreApplication::processEvents();
    }
};

PALIMPSEST_TEST(TestStreamCompareDialog)

}  // namespace tst_stream_compare_dialog

#include "tst_stream_compare_dialog.moc"
