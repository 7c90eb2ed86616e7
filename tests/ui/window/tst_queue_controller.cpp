// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QDockWidget>
#include <QLineEdit>
#include <QPushButton>
#include <QTemporaryDir>
#include <filesystem>
#include <memory>

#include "tests/support/made_up_sweep.h"
#include "tests/support/queue_program.h"
#include "tests/support/scripted_run.h"
#include "tests/support/shown_widget.h"
#include "tests/support/test_program.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/sweep_page.h"
#include "ui/window/main_window.h"
#include "ui/window/queue_controller.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_queue_controller {

namespace {

namespace fs = std::filesystem;

class Scene {
public:
    Scene() : before_(qgetenv("PALIMPSEST_CLI")) {
        qputenv("PALIMPSEST_CLI", makeQueueProgram(dir.path()).toLocal8Bit());
    }
    ~Scene() { qputenv("PALIMPSEST_CLI", before_); }
    fs::path runs() const { return fs::path(dir.path().toStdString()) / "runs"; }
    std::unique_ptr<MainWindow> open() {
        auto window = std::make_unique<MainWindow>(script.laboratory(), runs());
        window->resize(1280, 800);
        showActive(*window);
        return window;
    }

    QTemporaryDir dir;
    ScriptedRun script;

private:
    const QByteArray before_;
};

bool shown(const MainWindow& window) {
    return window.findChild<QDockWidget*>("queueDock")->toggleViewAction()->isChecked();
}

}  // namespace

class TestQueueController : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void theButtonBesideStartQueuesSeedsWhichTheNextWindowFinds() {
        Scene scene;
        auto window = scene.open();
        QVERIFY(!shown(*window));
        QVERIFY(!fs::exists(scene.runs() / kQueueFolder));
        window->findChild<QPushButton*>("queueButton")->click();
        window->findChild<QLineEdit*>("queueSeeds")->setText("1-3");
        window->findChild<QPushButton*>("queueAdd")->click();
        QTRY_COMPARE(window->state().queue.jobs().size(), std::size_t{3});
        QVERIFY(shown(*window));
        QTRY_VERIFY(fs::exists(window->state().queue.jobs()[0].folder / "run.json"));
        window.reset();
        window = scene.open();
        QTRY_VERIFY(window->state().queue.asks());
        QVERIFY(shown(*window));
        QVERIFY(window->findChild<QWidget*>("queueAsks")->isVisibleTo(window.get()));
        window->findChild<QPushButton*>("queueLater")->click();
        QVERIFY(window->state().queue.paused() && !window->state().queue.asks());
        QCOMPARE(window->state().queue.jobs().size(), std::size_t{3});
    }

    void aSweepFolderOpensAsAPage() {
        Scene scene;
        const OptionTable table(ScriptedRun::catalogue());
        const fs::path folder = fs::path(scene.dir.path().toStdString()) / "masks";
        makeSweepFolder(table, folder, "1-2");
        const auto window = scene.open();
        auto* panel = window->findChild<QueuePanel*>("queuePanel");
        Q_EMIT panel->sweepAsked(QString::fromStdString(folder.string()));
        auto* page = window->findChild<SweepPage*>("sweepPage");
        QVERIFY(page && page->isVisible());
        QTRY_VERIFY(page->sweep() && page->sweep()->whole);
        QCOMPARE(page->sweep()->runs.size(), std::size_t{4});
    }
};

PALIMPSEST_TEST(TestQueueController)

}  // namespace tst_queue_controller

#include "tst_queue_controller.moc"
