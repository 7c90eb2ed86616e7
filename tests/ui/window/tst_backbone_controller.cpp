// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QLabel>
#include <QPushButton>
#include <QTemporaryDir>
#include <QToolButton>
#include <QUndoStack>

#include "tests/support/scripted_backbones.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/experiment/experiment_panel.h"
#include "ui/experiment/option_form.h"
#include "ui/pretrained/backbone_dialog.h"
#include "ui/state/run_controller.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using palimpsest::testing::ScriptedBackbones;
using palimpsest::testing::ScriptedRun;

namespace tst_backbone_controller {

namespace {

/// The whole window, over backbones without files. `names`: those an experiment may take.
struct Scene {
    explicit Scene(const std::vector<std::string>& names = {"any", "vit-b16"})
        : service(std::make_shared<ScriptedBackbones>()), window(laboratory(names), runs.path().toStdString()) {
        service->allowAll();
        window.show();
    }

    Laboratory laboratory(const std::vector<std::string>& names) const {
        Laboratory lab = run.laboratory();
        for (const std::string& name : names) lab.catalogue.backbones.push_back({name, name, "A backbone."});
        lab.backbones = service;
        return lab;
    }
    template <class Widget>
    Widget* part(const char* name) const {
        return window.findChild<Widget*>(name);
    }
    BackboneDialog* dialog() const { return part<BackboneDialog>("backboneDialog"); }
    ExperimentDraft* draft() const { return window.controller()->draft(); }
    const BackboneOptions& backbone() const { return draft()->experiment().backbone; }

    QTemporaryDir runs;
    ScriptedRun run;
    std::shared_ptr<ScriptedBackbones> service;
    MainWindow window;
};

}  // namespace

class TestBackboneController : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void useItWritesTheDraftAsOneStepThatCanBeUndone() {
        Scene scene;
        scene.part<QAction>("backbone")->trigger();
        QVERIFY(scene.dialog() && scene.dialog()->isVisible());
        scene.dialog()->openFile("/tmp/known.npz");
        auto* use = scene.part<QPushButton>("backboneUse");
        QTRY_VERIFY(use->isVisible());
        const int before = scene.draft()->undoStack()->count();
        use->click();
        QCOMPARE(scene.backbone().name, std::string("vit-b16"));
        QCOMPARE(scene.backbone().weights, std::string("/tmp/known.npz"));
        QCOMPARE(scene.draft()->undoStack()->count(), before + 1);
        QVERIFY(!scene.dialog()->isVisible());
        scene.draft()->undoStack()->undo();
        QCOMPARE(scene.backbone().name, std::string("palimpsest-stem-vit"));
        QCOMPARE(scene.backbone().weights, std::string("embedded"));
    }

    void aBlockThatTheNetworkLacksIsSaidAtOnce() {
        Scene scene;
        scene.draft()->set("method.e_blocks", std::string("2,12"));
        scene.part<QAction>("backbone")->trigger();
        scene.dialog()->openFile("/tmp/my.pt");
        QTRY_VERIFY(scene.part<QPushButton>("backboneUse")->isVisible());
        const QString notes = scene.part<QLabel>("backboneNotes")->text();
        QVERIFY2(notes.contains("method.e_blocks names block 12, but this network has only the blocks 0 to 11."),
                 qPrintable(notes));
        QVERIFY2(!notes.contains("g_blocks"), qPrintable(notes));
    }

    void whatWasChosenForThePreviousNetworkGoesWithIt() {
        Scene scene;
        scene.draft()->set("backbone.heads", std::int64_t(4));
        scene.draft()->set("backbone.image_size", std::int64_t(64));
        scene.draft()->set("backbone.activation", std::string("quick-gelu"));
        scene.part<QAction>("backbone")->trigger();
        scene.dialog()->openFile("/tmp/my.pt");
        auto* use = scene.part<QPushButton>("backboneUse");
        QTRY_VERIFY(use->isVisible());
        use->click();
        const BackboneOptions usual = scene.draft()->table().defaults().backbone;
        QCOMPARE(scene.backbone().heads, usual.heads);
        QCOMPARE(scene.backbone().image_size, usual.image_size);
        QCOMPARE(scene.backbone().activation, usual.activation);
        scene.draft()->undoStack()->undo();
        QCOMPARE(scene.backbone().heads, std::int64_t(4));
        QCOMPARE(scene.backbone().image_size, std::int64_t(64));
        QCOMPARE(scene.backbone().activation, std::string("quick-gelu"));
    }

    void anotherFileOfTheExperimentIsShownWhenTheDialogComesBack() {
        Scene scene;
        scene.draft()->set("backbone.weights", std::string("/tmp/one.pt"));
        scene.part<QAction>("backbone")->trigger();
        auto* title = scene.part<QLabel>("backboneTitle");
        QCOMPARE(title->text(), QString("one.pt"));
        scene.dialog()->openFile("/tmp/two.pt");
        scene.dialog()->close();
        scene.part<QAction>("backbone")->trigger();
        QCOMPARE(title->text(), QString("two.pt"));
        scene.dialog()->close();
        scene.draft()->set("backbone.weights", std::string("/tmp/three.pt"));
        scene.part<QAction>("backbone")->trigger();
        QCOMPARE(title->text(), QString("three.pt"));
    }

    void aRefusalStandsInTheDialog() {
        Scene scene(std::vector<std::string>{});
        scene.part<QAction>("backbone")->trigger();
        scene.dialog()->openFile("/tmp/my.pt");
        auto* use = scene.part<QPushButton>("backboneUse");
        QTRY_VERIFY(use->isVisible());
        use->click();
        QVERIFY(scene.dialog()->isVisible());
        QVERIFY(scene.part<QLabel>("backboneMessage")->isVisible());
        QVERIFY(scene.part<QLabel>("backboneMessage")->text().contains("Backbone"));
        QCOMPARE(scene.backbone().weights, std::string("embedded"));
    }

    void theButtonBesideTheWeightsOpensIt() {
        Scene scene;
        scene.window.experimentPanel()->form()->setExpertShown(true);
        auto* button = scene.part<QToolButton>("chooseBackbone");
        QVERIFY(button && button->isVisible());
        button->click();
        QVERIFY(scene.dialog()->isVisible());
    }

    void theFileOfTheExperimentIsShownAtOnce() {
        Scene scene;
        QFile file(scene.runs.filePath("mine.pt"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        scene.draft()->set("backbone.weights", file.fileName().toStdString());
        scene.draft()->set("backbone.name", std::string("vit-b16"));
        scene.part<QAction>("backbone")->trigger();
        auto* use = scene.part<QPushButton>("backboneUse");
        QTRY_VERIFY(use->isVisible());
        QVERIFY(!use->isEnabled());
        QCOMPARE(use->text(), QString("In use"));
    }

    void withoutAServiceThereIsNothingToOpen() {
        ScriptedRun run;
        QTemporaryDir runs;
        MainWindow window(run.laboratory(), runs.path().toStdString());
        QVERIFY(!window.findChild<QAction*>("backbone")->isEnabled());
        QVERIFY(!window.findChild<QToolButton*>("chooseBackbone"));
    }
};

PALIMPSEST_TEST(TestBackboneController)

}  // namespace tst_backbone_controller

#include "tst_backbone_controller.moc"
