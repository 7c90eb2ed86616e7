// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenu>
#include <QMimeData>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/support/scripted_datasets.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/datasets/dataset_dialog.h"
#include "ui/datasets/dataset_list_model.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"

using namespace palimpsest;
using palimpsest::testing::addAppearances;
using palimpsest::testing::checkDialog;
using palimpsest::testing::ScriptedDatasets;

namespace tst_dataset_dialog {

using Ending = ScriptedDatasets::Ending;

namespace {

/// Counts widgets that are shown as a window of their own because they have no parent yet. Such a widget is never
/// drawn anew where it moves later.
class ShownTooEarly : public QObject {
public:
    ShownTooEarly() { qApp->installEventFilter(this); }
    QStringList found;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto* widget = event->type() == QEvent::Show ? qobject_cast<QWidget*>(watched) : nullptr;
        if (widget && !widget->parentWidget() && !qobject_cast<const QDialog*>(widget))
            found.append(widget->metaObject()->className());
        return false;
    }
};

/// A dialog over scripted data sets, shown on one of them.
struct Scene {
    explicit Scene(const QString& name = "cifar-100", const ScriptedDatasets::Script& script = {})
        : service(std::make_shared<ScriptedDatasets>(script)), library(service), dialog(&library) {
        dialog.showDataset(name);
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return dialog.findChild<Widget*>(name);
    }
    QPushButton* button(const char* name) const { return part<QPushButton>(name); }
    QString labelText(const char* name) const { return part<QLabel>(name)->text(); }
    bool ready() const { return part<QWidget>("datasetDetails")->isVisible(); }
    MessageBar* messages() const { return part<MessageBar>("datasetMessages"); }

    std::shared_ptr<ScriptedDatasets> service;
    DatasetLibrary library;
    DatasetDialog dialog;
};

}  // namespace

class TestDatasetDialog : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void noPartIsShownBeforeItHasAPlace() {
        const ShownTooEarly early;
        Scene scene("cifar-100");
        QTRY_VERIFY(scene.ready());
        QCOMPARE(early.found, QStringList());
    }

    void opensOnTheDataSetAskedForAndIsNotModal() {
        Scene scene("cifar-100");
        QVERIFY(!scene.dialog.isModal());
        QTRY_VERIFY(scene.ready());
        QCOMPARE(scene.dialog.current(), QString("cifar-100"));
        QCOMPARE(scene.labelText("datasetTitle"), QString("CIFAR-100"));
        QCOMPARE(scene.labelText("datasetClasses"), QString("100"));
        QCOMPARE(scene.labelText("datasetImages"), QString("50,000 to learn from, 10,000 to test with"));
        QCOMPARE(scene.labelText("datasetSizeToFetch"), QString("169 MB"));
        QCOMPARE(scene.labelText("datasetLicence"), QString("MIT"));
        auto* list = scene.part<QListView>("datasetList");
        QCOMPARE(list->model()->rowCount(), 4);
        QCOMPARE(list->currentIndex().data().toString(), QString("CIFAR-100"));
    }

    void anUnknownNameOpensOnTheOneInUseOrTheFirst() {
        Scene scene("no such data set");
        QTRY_VERIFY(scene.ready());
        QCOMPARE(scene.dialog.current(), QString("fashion-mnist"));
    }

    void theButtonsSayWhatCanBeDoneNow_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<bool>("fetch");
        QTest::addColumn<bool>("have");
        QTest::addColumn<bool>("use");
        QTest::newRow("there") << "fashion-mnist" << false << false << true;
        QTest::newRow("to fetch") << "cifar-100" << true << true << false;
        QTest::newRow("to ask for") << "imagenet" << false << false << false;
        QTest::newRow("drawn by the program") << "shapes" << false << false << true;
    }
    void theButtonsSayWhatCanBeDoneNow() {
        QFETCH(QString, name);
        QFETCH(bool, fetch);
        QFETCH(bool, have);
        QFETCH(bool, use);
        Scene scene(name);
        QTRY_VERIFY(scene.ready());
        QCOMPARE(scene.button("datasetFetch")->isVisible(), fetch);
        QCOMPARE(scene.button("datasetHave")->isVisible(), have);
        QCOMPARE(scene.button("datasetUse")->isVisible(), use);
        QVERIFY(!scene.button("datasetCancel")->isVisible());
        QVERIFY(!scene.part<QProgressBar>("fetchBar")->isVisible());
        QCOMPARE(scene.part<QLabel>("datasetMissing")->isVisible(), !use);
    }

    void aFetchShowsStepSpeedAndTimeLeft() {
        Scene scene;
        QTRY_VERIFY(scene.ready());
        scene.button("datasetFetch")->click();
        QVERIFY(scene.button("datasetCancel")->isVisible());
        QVERIFY(!scene.button("datasetFetch")->isVisible());
        scene.service->allowSteps(4);
        auto* bar = scene.part<QProgressBar>("fetchBar");
        QTRY_COMPARE(bar->value(), bar->maximum() * 4 / 10);
        QCOMPARE(scene.labelText("fetchStep"), QString("Downloading clothes.gz"));
        QCOMPARE(scene.labelText("fetchPace"), QString("4.00 MB of 10.0 MB · 2.00 MB/s · 3 s left"));
        auto* list = scene.part<QListView>("datasetList");
        QCOMPARE(list->currentIndex().data(DatasetListModel::BadgeRole).toString(), QString("40 %"));
        scene.service->allowAll();
        QTRY_VERIFY(scene.button("datasetUse")->isVisible());
        QVERIFY(!bar->isVisible());
        QCOMPARE(list->currentIndex().data(DatasetListModel::BadgeRole).toString(), QString("here"));
        QVERIFY(!scene.messages()->isVisible());
    }

    void aLengthThatIsNotKnownOrNotTrueDoesNoHarm_data() {
        QTest::addColumn<qint64>("total");
        QTest::newRow("not known") << qint64(0);
        QTest::newRow("too short") << qint64(1000);
        QTest::newRow("negative") << qint64(-7);
    }
    void aLengthThatIsNotKnownOrNotTrueDoesNoHarm() {
        QFETCH(qint64, total);
        ScriptedDatasets::Script script;
        script.total = total;
        Scene scene("cifar-100", script);
        QTRY_VERIFY(scene.ready());
        scene.button("datasetFetch")->click();
        scene.service->allowSteps(5);
        QTRY_VERIFY(scene.labelText("fetchPace").startsWith("5.00 MB"));
        auto* bar = scene.part<QProgressBar>("fetchBar");
        QVERIFY(total > 0 ? bar->value() == bar->maximum() : bar->maximum() == 0);
        QVERIFY(!scene.labelText("fetchPace").contains("left"));
        QVERIFY(!scene.dialog.grab().isNull());
    }

    void cancelStopsTheFetchWithoutAnError() {
        Scene scene;
        QTRY_VERIFY(scene.ready());
        scene.button("datasetFetch")->click();
        scene.service->allowSteps(1);
        QTRY_VERIFY(scene.labelText("fetchPace").startsWith("1.00 MB"));
        scene.button("datasetCancel")->click();
        QTRY_VERIFY(scene.button("datasetFetch")->isVisible());
        QVERIFY(!scene.messages()->isVisible());
    }

    void whatGoesWrongStandsInTheDialogUntilTheNextTry() {
        ScriptedDatasets::Script script;
        script.ending = Ending::Fails;
        Scene scene("cifar-100", script);
        scene.service->allowAll();
        QTRY_VERIFY(scene.ready());
        scene.button("datasetFetch")->click();
        QTRY_VERIFY(scene.messages()->isVisible());
        QCOMPARE(scene.messages()->text(), QString::fromStdString(script.error));
        QCOMPARE(scene.messages()->hint(), QString::fromStdString(script.hint));
        QVERIFY(scene.button("datasetFetch")->isVisible());
        scene.service->setEnding(Ending::Arrives);
        scene.button("datasetFetch")->click();
        QVERIFY(!scene.messages()->isVisible());
        QTRY_VERIFY(scene.button("datasetUse")->isVisible());
    }

    void whatWentWrongBelongsToItsEntry() {
        ScriptedDatasets::Script script;
        script.ending = Ending::Fails;
        Scene scene("cifar-100", script);
        scene.service->allowAll();
        QTRY_VERIFY(scene.ready());
        scene.button("datasetFetch")->click();
        QTRY_VERIFY(scene.messages()->isVisible());
        scene.dialog.showDataset("fashion-mnist");
        QVERIFY(!scene.messages()->isVisible());
        scene.dialog.showDataset("cifar-100");
        QCOMPARE(scene.messages()->text(), QString::fromStdString(script.error));
        // Once dismissed, it is gone for good.
        scene.messages()->dismiss();
        scene.dialog.showDataset("imagenet");
        scene.dialog.showDataset("cifar-100");
        QVERIFY(!scene.messages()->isVisible());
        // A fetch that fails while another entry is shown tells it when its own is.
        scene.button("datasetFetch")->click();
        scene.dialog.showDataset("fashion-mnist");
        QTRY_VERIFY(!scene.library.fetching());
        QVERIFY(!scene.messages()->isVisible());
        scene.dialog.showDataset("cifar-100");
        QVERIFY(scene.messages()->isVisible());
    }

    void aMirrorAndOfflineCanBeChosen() {
        Scene scene;
        scene.service->allowAll();
        QTRY_VERIFY(scene.ready());
        auto* mirror = scene.part<QLineEdit>("datasetsMirror");
        auto* offline = scene.part<QCheckBox>("datasetsOffline");
        QVERIFY(mirror->text().isEmpty() && !offline->isChecked());
        scene.button("datasetFetch")->click();
        QTRY_COMPARE(scene.service->orders().size(), std::size_t(1));
        QVERIFY(scene.service->orders()[0].mirror.empty() && !scene.service->orders()[0].offline);
        QTRY_VERIFY(!scene.library.fetching());

        scene.service->setPresent("cifar-100", false);
        mirror->setFocus();
        QTest::keyClicks(mirror, " https://example.org/mirror/ ");
        scene.library.refresh();
        QTRY_VERIFY(scene.button("datasetFetch")->isVisible());
        scene.button("datasetFetch")->click();
        QTRY_COMPARE(scene.service->orders().size(), std::size_t(2));
        QCOMPARE(scene.service->orders()[1].mirror, std::string("https://example.org/mirror/"));
        QTRY_VERIFY(!scene.library.fetching());

        scene.service->setPresent("cifar-100", false);
        offline->click();
        QVERIFY(!mirror->isEnabled());
        scene.library.refresh();
        QTRY_VERIFY(scene.button("datasetFetch")->isVisible());
        scene.button("datasetFetch")->click();
        QTRY_COMPARE(scene.service->orders().size(), std::size_t(3));
        QVERIFY(scene.service->orders()[2].offline);
    }

    void cardsThatCannotBeReadAreToldInTheDialog() {
        ScriptedDatasets::Script script;
        script.cards_fail = true;
        Scene scene("cifar-100", script);
        QTRY_VERIFY(scene.messages()->isVisible());
        QVERIFY(!scene.ready());
    }

    void filesThatAreThereAlreadyAreTaken_data() {
        QTest::addColumn<QString>("action");
        QTest::addColumn<QString>("dialog");
        QTest::addColumn<QString>("path");
        QTest::newRow("a file") << "datasetHaveFile"
                                << "datasetFileDialog"
                                << "/tmp/cifar-100-binary.tar.gz";
        QTest::newRow("a folder") << "datasetHaveFolder"
                                  << "datasetFilesDialog"
                                  << "/tmp/downloads";
    }
    void filesThatAreThereAlreadyAreTaken() {
        QFETCH(QString, action);
        QFETCH(QString, dialog);
        QFETCH(QString, path);
        Scene scene;
        QTRY_VERIFY(scene.ready());
        scene.part<QAction>(qPrintable(action))->trigger();
        auto* files = scene.part<QFileDialog>(qPrintable(dialog));
        QVERIFY(files && !files->isModal());
        // Whatever is chosen meanwhile, the files belong to the data set that was asked about.
        scene.dialog.showDataset("imagenet");
        Q_EMIT files->fileSelected(path);
        scene.service->allowAll();
        QTRY_COMPARE(scene.service->orders().size(), std::size_t(1));
        QCOMPARE(scene.service->orders()[0].name, std::string("cifar-100"));
        QCOMPARE(QString::fromStdString(scene.service->orders()[0].have), path);
        files->close();
    }

    void aFileCanBeDropped() {
        Scene scene;
        QTRY_VERIFY(scene.ready());
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile("/tmp/cifar.tar.gz")});
        QDragEnterEvent enter({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&scene.dialog, &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop({50, 50}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&scene.dialog, &drop);
        QTRY_COMPARE(scene.service->orders().size(), std::size_t(1));
        QCOMPARE(scene.service->orders()[0].have, std::string("/tmp/cifar.tar.gz"));
    }

    void closingItKeepsTheFetchGoing() {
        Scene scene;
        QTRY_VERIFY(scene.ready());
        scene.button("datasetFetch")->click();
        QTest::keyClick(&scene.dialog, Qt::Key_Escape);
        QVERIFY(!scene.dialog.isVisible());
        QVERIFY(scene.library.fetching());
        scene.service->allowAll();
        QTRY_VERIFY(!scene.library.fetching());
        scene.dialog.showDataset("cifar-100");
        QVERIFY(scene.button("datasetUse")->isVisible());
    }

    void theKeyboardDoesEverything() {
        Scene scene("fashion-mnist");
        QTRY_VERIFY(scene.ready());
        QVERIFY(QTest::qWaitForWindowActive(&scene.dialog));
        auto* list = scene.part<QListView>("datasetList");
        QVERIFY(list->hasFocus());
        QSignalSpy used(&scene.dialog, &DatasetDialog::useRequested);
        QTest::keyClick(list, Qt::Key_Return);
        QCOMPARE(used.count(), 1);
        QCOMPARE(used[0][0].toString(), QString("fashion-mnist"));
        QTest::keyClick(list, Qt::Key_Down);
        QCOMPARE(scene.dialog.current(), QString("cifar-100"));
        QTest::keyClick(list, Qt::Key_Return);
        QVERIFY(scene.library.fetching());
        QSet<QWidget*> reached;
        for (int i = 0; i < 40; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            reached.insert(QApplication::focusWidget());
        }
        for (const char* name :
             {"datasetCancel", "datasetHomepage", "datasetCopyCitation", "datasetsChooseFolder", "datasetsClose"})
            QVERIFY2(reached.contains(scene.part<QWidget>(name)), name);
        QVERIFY(reached.contains(list));
    }

    void theCitationIsCopied() {
        Scene scene;
        QTRY_VERIFY(scene.ready());
        scene.button("datasetCopyCitation")->click();
        QCOMPARE(QGuiApplication::clipboard()->text(), QString("Somebody: CIFAR-100. Some venue, 2017."));
        QCOMPARE(scene.button("datasetCopyCitation")->text(), QString("Copied"));
        scene.dialog.showDataset("imagenet");
        QCOMPARE(scene.button("datasetCopyCitation")->text(), QString("Copy"));
    }

    void theFolderCanBeChosenAndGivenBack() {
        Scene scene;
        QTRY_VERIFY(scene.ready());
        QVERIFY(!scene.button("datasetsUsualFolder")->isVisible());
        scene.button("datasetsChooseFolder")->click();
        auto* files = scene.part<QFileDialog>("datasetsFolderDialog");
        Q_EMIT files->fileSelected("/big/disk");
        files->close();
        QCOMPARE(scene.library.folder(), QString("/big/disk"));
        QCOMPARE(scene.labelText("datasetsFolder"), QString("/big/disk"));
        QTRY_COMPARE(scene.labelText("datasetFolder"), QString("/big/disk/cifar-100"));
        scene.button("datasetsUsualFolder")->click();
        QVERIFY(scene.library.folder().isEmpty());
    }

    void theDataSetInUseCannotBeUsedTwice() {
        Scene scene("fashion-mnist");
        scene.dialog.setInUse("fashion-mnist");
        QTRY_VERIFY(scene.ready());
        QVERIFY(!scene.button("datasetUse")->isEnabled());
        scene.dialog.setInUse("shapes");
        QVERIFY(scene.button("datasetUse")->isEnabled());
    }

    void theSelectionSurvivesALookAtTheFiles() {
        Scene scene;
        QTRY_VERIFY(scene.ready());
        QSignalSpy changed(&scene.library, &DatasetLibrary::cardsChanged);
        scene.service->setPresent("cifar-100", true);
        scene.library.refresh();
        QTRY_VERIFY(changed.count() > 0 && scene.button("datasetUse")->isVisible());
        QCOMPARE(scene.dialog.current(), QString("cifar-100"));
    }

    void allIsNamedAndLegibleInBothAppearances_data() { addAppearances(); }
    void allIsNamedAndLegibleInBothAppearances() {
        QFETCH(int, appearance);
        applyAppearance(*qApp, Appearance(appearance));
        Scene scene;
        QTRY_VERIFY(scene.ready());
        const auto* model = scene.part<QListView>("datasetList")->model();
        QCOMPARE(model->index(1, 0).data(Qt::AccessibleTextRole).toString(), QString("CIFAR-100, missing"));
        checkDialog(scene.dialog, Appearance(appearance));
        applyAppearance(*qApp, Appearance::Dark);
    }
};

PALIMPSEST_TEST(TestDatasetDialog)

}  // namespace tst_dataset_dialog

#include "tst_dataset_dialog.moc"
