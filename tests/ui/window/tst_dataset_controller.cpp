// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDropEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>
#include <atomic>
#include <thread>

#include "engine/support/stop_scope.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/datasets/dataset_dialog.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/state/run_controller.h"
#include "ui/stream/class_hover.h"
#include "ui/stream/stream_preview.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/main_window.h"
#include "ui/window/quit.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedDatasets;
using palimpsest::testing::ScriptedRun;
using palimpsest::testing::showActive;

namespace tst_dataset_controller {

namespace {

/// The whole window, over data sets without files and runs without a network.
struct Scene {
    explicit Scene(const ScriptedDatasets::Script& script = {})
        : datasets(std::make_shared<ScriptedDatasets>(script)), window(laboratory(), runs.path().toStdString()) {
        showActive(window);
    }

    Laboratory laboratory() {
        Laboratory lab = run.laboratory();
        lab.catalogue.datasets.push_back({"cifar-100", "CIFAR-100", "Many things."});
        lab.catalogue.datasets.push_back({"folder", "Folder of images", "Yours."});
        lab.datasets = datasets;
        lab.labels = [plain = lab.labels, service = datasets, listings = listings](const Experiment& experiment) {
            const StreamOptions& stream = experiment.stream;
            while (stream.root == "/endless") {
                *listings = true;
                StopScope::check();
                std::this_thread::yield();
            }
            for (const DatasetCard& card : service->cards(stream.root))
                if (card.name == stream.dataset && !card.present)
                    throw inputError(card.title + " was not found.", "Fetch it.");
            if (stream.dataset == "folder" && stream.root.find("odd") != std::string::npos)
                throw inputError("The folder " + stream.root + " has only one class.", "Add another.");
            return plain(experiment);
        };
        lab.forget_labels = [forgotten = forgotten] { ++*forgotten; };
        lab.run = [plain = lab.run, labels = lab.labels](std::int64_t number, const Experiment& experiment,
                                                         RunControl& control, RunObserver& observer) {
            try {
                labels(experiment);
            } catch (const Error& error) {
                RunEnded ended;
                ended.run = number;
                ended.how = RunEnd::Failed;
                ended.error = error.what();
                ended.hint = error.hint();
                observer.onEnded(ended);
                return;
            }
            plain(number, experiment, control, observer);
        };
        return lab;
    }

    template <class Widget>
    Widget* part(const char* name) const {
        return window.findChild<Widget*>(name);
    }
    ExperimentDraft* draft() const { return window.controller()->draft(); }
    DatasetLibrary* shelf() const { return window.datasets()->library(); }
    DatasetDialog* dialog() const { return part<DatasetDialog>("datasetDialog"); }

    void drop(const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &enter);
        QDropEvent event({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window, &event);
    }

    QTemporaryDir runs;
    ScriptedRun run;
    std::shared_ptr<std::atomic<int>> forgotten = std::make_shared<std::atomic<int>>(0);
    /// True while a folder without end is being listed.
    std::shared_ptr<std::atomic<bool>> listings = std::make_shared<std::atomic<bool>>(false);
    std::shared_ptr<ScriptedDatasets> datasets;
    MainWindow window;
};

/// A folder of two classes with a picture each, told from the names alone.
void fillWithImages(const QTemporaryDir& folder) {
    for (const char* name : {"cat", "dog"}) {
        QDir(folder.path()).mkpath(name);
        QFile file(folder.filePath(QString(name) + "/1.png"));
        if (!file.open(QIODevice::WriteOnly)) qFatal("A file cannot be made.");
    }
}

}  // namespace

class TestDatasetController : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void aDroppedFolderOfImagesIsStreamedAndCanBeUndone() {
        Scene scene;
        QTemporaryDir folder;
        fillWithImages(folder);
        QSignalSpy opened(&scene.window, &MainWindow::opened);
        scene.drop(folder.path());
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(opened[0][0].toBool());
        QCOMPARE(scene.draft()->experiment().stream.dataset, std::string("folder"));
        QCOMPARE(QString::fromStdString(scene.draft()->experiment().stream.root), folder.path());
        QCOMPARE(QString::fromStdString(scene.draft()->experiment().name), QFileInfo(folder.path()).fileName());
        QVERIFY2(scene.window.messages()->text().contains("images to learn from"),
                 qPrintable(scene.window.messages()->text()));
        QTest::keyClick(&scene.window, Qt::Key_Z, Qt::ControlModifier);
        QCOMPARE(scene.draft()->experiment().stream.dataset, std::string("fashion-mnist"));
        QVERIFY(scene.draft()->experiment().stream.root.empty());
        QTest::keyClick(&scene.window, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
        QCOMPARE(scene.draft()->experiment().stream.dataset, std::string("folder"));
    }

    void aFolderThatCannotBeStreamedChangesNothing_data() {
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<bool>("images");
        QTest::addColumn<QString>("message");
        QTest::newRow("no images") << "plain" << false << "no run, no sweep and no images";
        QTest::newRow("images its loader refuses") << "odd" << true << "has only one class";
    }
    void aFolderThatCannotBeStreamedChangesNothing() {
        QFETCH(QString, prefix);
        QFETCH(bool, images);
        QFETCH(QString, message);
        Scene scene;
        QTemporaryDir folder(QDir::tempPath() + "/" + prefix + "-XXXXXX");
        if (images) fillWithImages(folder);
        QSignalSpy opened(&scene.window, &MainWindow::opened);
        scene.drop(folder.path());
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(!opened[0][0].toBool());
        QVERIFY2(scene.window.messages()->text().contains(message), qPrintable(scene.window.messages()->text()));
        QVERIFY(scene.window.messages()->text().contains(folder.path()));
        QVERIFY(!scene.window.messages()->hint().isEmpty());
        QCOMPARE(scene.draft()->experiment().stream.dataset, std::string("fashion-mnist"));
        QCOMPARE(scene.draft()->undoStack()->count(), 0);
    }

    void theFailureOfAFolderLeavesWithTheNextOne() {
        Scene scene;
        QTemporaryDir odd(QDir::tempPath() + "/odd-XXXXXX"), good;
        for (const QTemporaryDir* folder : {&odd, &good}) fillWithImages(*folder);
        QSignalSpy opened(&scene.window, &MainWindow::opened);
        const MessageBar* messages = scene.window.messages();
        scene.window.open(odd.path());
        QTRY_COMPARE(opened.count(), 1);
        QVERIFY(!opened[0][0].toBool());
        QVERIFY2(messages->text().contains("has only one class"), qPrintable(messages->text()));
        const int before = messages->count();
        scene.window.open("no-such-preset");
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(messages->count(), before);
        QVERIFY2(!messages->text().contains("has only one class"), qPrintable(messages->text()));
        scene.window.open(odd.path());
        QTRY_COMPARE(opened.count(), 3);
        // Also where it is chosen in the menu.
        scene.part<QAction>("openImages")->trigger();
        auto* dialog = scene.part<QFileDialog>("imageFolderDialog");
        Q_EMIT dialog->fileSelected(good.path());
        dialog->close();
        QTRY_COMPARE(opened.count(), 4);
        QVERIFY(opened[3][0].toBool());
        QVERIFY2(messages->text().contains("images to learn from"), qPrintable(messages->text()));
        scene.window.messages()->dismiss();
        QCOMPARE(messages->count(), before - 1);
    }

    void aFolderGivenAgainIsReadAnew() {
        Scene scene;
        QTemporaryDir folder;
        fillWithImages(folder);
        QSignalSpy opened(&scene.window, &MainWindow::opened);
        QSignalSpy shown(scene.part<ExperimentPanel>("experimentPanel"), &ExperimentPanel::streamShown);
        const auto isShown = [&] {
            const auto& stream = scene.part<StreamPreview>("streamPreview")->stream();
            return stream && stream->experiment.stream.root == folder.path().toStdString();
        };
        scene.drop(folder.path());
        QTRY_COMPARE(opened.count(), 1);
        QTRY_VERIFY(isShown());
        QCOMPARE(scene.forgotten->load(), 1);
        const qsizetype before = shown.count();
        scene.drop(folder.path());
        QTRY_COMPARE(opened.count(), 2);
        QCOMPARE(scene.forgotten->load(), 2);
        QTRY_VERIFY(shown.count() > before);
        QCOMPARE(scene.draft()->undoStack()->count(), 1);
    }

    void aWindowThatClosesDoesNotWaitForALongListing() {
        auto scene = std::make_unique<Scene>();
        scene->window.datasets()->openImages("/endless");
        QTRY_VERIFY(*scene->listings);
        scene.reset();  // would wait for ever
    }

    void theMenuOpensAFolderOfImages() {
        Scene scene;
        QTemporaryDir folder;
        fillWithImages(folder);
        scene.part<QAction>("openImages")->trigger();
        auto* dialog = scene.part<QFileDialog>("imageFolderDialog");
        QVERIFY(dialog && !dialog->isModal());
        Q_EMIT dialog->fileSelected(folder.path());
        dialog->close();
        QTRY_COMPARE(scene.draft()->experiment().stream.dataset, std::string("folder"));
    }

    void theChooserMarksWhatIsMissing() {
        Scene scene;
        auto* box = scene.part<QComboBox>("optionEditor.stream.dataset.value");
        const int missing = box->findData("cifar-100"), here = box->findData("fashion-mnist");
        QTRY_COMPARE(box->itemData(missing, Qt::AccessibleTextRole).toString(), QString("CIFAR-100, missing"));
        QCOMPARE(box->itemData(here, Qt::AccessibleTextRole).toString(), QString("Fashion-MNIST"));
        QCOMPARE(box->itemText(missing), QString("CIFAR-100"));
        QVERIFY(box->itemData(missing, Qt::ToolTipRole).toString().contains("Fetch it"));
        scene.datasets->setPresent("cifar-100", true);
        scene.shelf()->refresh();
        QTRY_COMPARE(box->itemData(missing, Qt::AccessibleTextRole).toString(), QString("CIFAR-100"));
    }

    void choosingAMissingOneOffersToGetIt() {
        Scene scene;
        auto* box = scene.part<QComboBox>("optionEditor.stream.dataset.value");
        auto* section = scene.window.findChild<Fold*>("dataSection");
        section->setOpen(false);
        auto* remedy = scene.part<QPushButton>("datasetRemedy");
        QVERIFY(!remedy->isVisible());
        Q_EMIT box->activated(box->findData("cifar-100"));
        QCOMPARE(scene.draft()->experiment().stream.dataset, std::string("cifar-100"));
        // Also where the section was folded away.
        QTRY_VERIFY(remedy->isVisible());
        QVERIFY(section->isOpen());
        QVERIFY(remedy->text().contains("CIFAR-100"));
        remedy->click();
        QVERIFY(scene.dialog() && scene.dialog()->isVisible());
        QCOMPARE(scene.dialog()->current(), QString("cifar-100"));
        scene.datasets->allowAll();
        QTRY_VERIFY(scene.part<QPushButton>("datasetFetch")->isVisible());
        scene.part<QPushButton>("datasetFetch")->click();
        // The stream's picture comes by itself.
        QTRY_VERIFY(scene.part<StreamPreview>("streamPreview")->stream());
        QVERIFY(!remedy->isVisible());
        QTRY_VERIFY(!scene.part<QPushButton>("datasetUse")->isEnabled());
    }

    void anotherDataSetLeavesTheOldFolderBehind() {
        Scene scene;
        QTemporaryDir folder;
        fillWithImages(folder);
        scene.window.open(folder.path());
        QTRY_COMPARE(scene.draft()->experiment().stream.dataset, std::string("folder"));
        auto* box = scene.part<QComboBox>("optionEditor.stream.dataset.value");
        Q_EMIT box->activated(box->findData("shapes"));
        QCOMPARE(scene.draft()->experiment().stream.dataset, std::string("shapes"));
        QVERIFY(scene.draft()->experiment().stream.root.empty());
    }

    void choosingWhatIsInUseChangesNothing() {
        Scene scene;
        auto* box = scene.part<QComboBox>("optionEditor.stream.dataset.value");
        Q_EMIT box->activated(box->findData("fashion-mnist"));
        QCOMPARE(scene.draft()->undoStack()->count(), 0);
    }

    void choosingTheFolderOfImagesAsksForOne() {
        Scene scene;
        auto* box = scene.part<QComboBox>("optionEditor.stream.dataset.value");
        box->setCurrentIndex(box->findData("folder"));
        Q_EMIT box->activated(box->currentIndex());
        QVERIFY(scene.part<QFileDialog>("imageFolderDialog"));
        // Until there is an answer, nothing has changed.
        QCOMPARE(box->currentData().toString(), QString("fashion-mnist"));
        QCOMPARE(scene.draft()->undoStack()->count(), 0);
    }

    void aRunWithoutItsDataSetOffersToGetIt() {
        Scene scene;
        scene.draft()->set("stream.dataset", std::string("cifar-100"));
        QTest::keyClick(&scene.window, Qt::Key_F5);
        QTRY_VERIFY(scene.window.messages()->isVisible());
        QCOMPARE(scene.window.messages()->text(), QString("CIFAR-100 was not found."));
        auto* action = scene.part<QPushButton>("messageAction");
        QTRY_VERIFY(action->isVisible());
        QCOMPARE(action->text(), QString("Get it"));
        action->click();
        QVERIFY(scene.dialog()->isVisible());
        QCOMPARE(scene.dialog()->current(), QString("cifar-100"));
        QVERIFY(!scene.window.messages()->isVisible());
    }

    void otherFailuresOfARunOfferNothing() {
        Scene scene;
        scene.window.messages()->showMessage(MessageBar::Kind::Error, "Something else.");
        QSignalSpy looked(scene.shelf(), &DatasetLibrary::presenceChecked);
        scene.window.datasets()->findRemedy("Something else.");
        QTRY_COMPARE(looked.count(), 1);
        QVERIFY(!scene.part<QPushButton>("messageAction")->isVisible());
    }

    void whatWasFetchedBehindAClosedDialogIsTold() {
        Scene scene;
        scene.window.datasets()->showDialog("cifar-100");
        QTRY_VERIFY(scene.part<QPushButton>("datasetFetch")->isVisible());
        scene.part<QPushButton>("datasetFetch")->click();
        auto* note = scene.part<QToolButton>("fetchNote");
        scene.datasets->allowSteps(4);
        QTRY_COMPARE(note->text(), QString("Fetching 40 %"));
        QVERIFY(note->toolTip().contains("CIFAR-100"));
        QVERIFY(note->isVisible());
        scene.dialog()->close();
        scene.datasets->allowAll();
        QTRY_VERIFY(scene.window.messages()->isVisible());
        QCOMPARE(scene.window.messages()->text(), QString("CIFAR-100 is here."));
        QVERIFY(!note->isVisible());
        auto* action = scene.part<QPushButton>("messageAction");
        QCOMPARE(action->text(), QString("Use it"));
        action->click();
        QCOMPARE(scene.draft()->experiment().stream.dataset, std::string("cifar-100"));
    }

    void aFailureBehindAClosedDialogIsTold() {
        ScriptedDatasets::Script script;
        script.ending = ScriptedDatasets::Ending::Fails;
        Scene scene(script);
        scene.shelf()->fetch("cifar-100");
        scene.datasets->allowAll();
        QTRY_VERIFY(scene.window.messages()->isVisible());
        QCOMPARE(scene.window.messages()->text(), QString::fromStdString(script.error));
        scene.part<QPushButton>("messageAction")->click();
        QCOMPARE(scene.dialog()->current(), QString("cifar-100"));
    }

    void aDataSetInAChosenFolderIsUsedFromThere() {
        Scene scene;
        scene.datasets->allowAll();
        scene.shelf()->setFolder("/big/disk");
        QSignalSpy ended(scene.shelf(), &DatasetLibrary::fetchEnded);
        scene.shelf()->fetch("cifar-100");
        QTRY_COMPARE(ended.count(), 1);
        auto* box = scene.part<QComboBox>("optionEditor.stream.dataset.value");
        Q_EMIT box->activated(box->findData("cifar-100"));
        QCOMPARE(scene.draft()->experiment().stream.root, std::string("/big/disk/cifar-100"));
    }

    void aFetchGoesOnBesideARun() {
        Scene scene;
        scene.shelf()->fetch("cifar-100");
        QTest::keyClick(&scene.window, Qt::Key_F5);
        QTRY_COMPARE(scene.window.controller()->state(), RunState::Running);
        scene.datasets->allowAll();
        QTRY_VERIFY(!scene.shelf()->fetching());
        QCOMPARE(scene.window.controller()->state(), RunState::Running);
        scene.run.allowAll();
        QTRY_COMPARE(scene.window.controller()->state(), RunState::Idle);
    }

    void closingTheWindowStopsFetchesFirst() {
        Scene scene;
        for (const char* name : {"cifar-100", "imagenet", "fashion-mnist"}) scene.shelf()->fetch(name);
        QTRY_COMPARE(scene.datasets->orders().size(), std::size_t(2));
        scene.window.close();
        QVERIFY(scene.window.isVisible());
        auto* question = scene.window.findChild<QuitQuestion*>();
        QVERIFY(question && question->text().contains("fetched"));
        question->findChild<QAbstractButton*>("quitButton")->click();
        QTRY_VERIFY(!scene.window.isVisible());
        QVERIFY(!scene.shelf()->fetching());
    }

    void theRowsOfTheStreamHaveTheirTips() {
        Scene scene;
        scene.datasets->allowAll();
        auto* preview = scene.part<StreamPreview>("streamPreview");
        QTRY_VERIFY(preview->stream());
        preview->setFocus();
        QTest::keyClick(preview, Qt::Key_Down);
        auto* tip = scene.part<ClassTip>("classTip");
        QTRY_COMPARE(tip->pictureCount(), qsizetype(ClassTip::kPictures));
        QVERIFY(tip->isVisible());
    }
};

PALIMPSEST_TEST(TestDatasetController)

}  // namespace tst_dataset_controller

#include "tst_dataset_controller.moc"
