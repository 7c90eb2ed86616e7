// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QListView>
#include <QTemporaryDir>

#include "tests/support/made_up_runs.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/scripted_run.h"
#include "tests/support/test_program.h"
#include "ui/now/memory_dialog.h"
#include "ui/now/memory_strip.h"
#include "ui/now/now_panel.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/picture_grid.h"
#include "ui/window/dataset_controller.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_memory_controller {

namespace {

/// Image i is of class i modulo ten; so many are kept.
MemoryHeld held(std::int64_t samplesSeen, std::int64_t images) {
    MemoryHeld event;
    event.run = 1;
    event.samples_seen = samplesSeen;
    event.capacity = 100;
    std::vector<KeptSample> kept;
    for (std::int64_t i = 0; i < images; ++i) kept.push_back({i, static_cast<std::int32_t>(i % 10)});
    event.kept = std::move(kept);
    for (std::int32_t label = 0; label < 10; ++label) event.seen_classes.push_back(label);
    return event;
}

/// A run that tells what the test hands it, and ends when it is stopped.
class SpokenRun {
public:
    RunFunction function() {
        return [this](std::int64_t run, const Experiment& experiment, RunControl& control, RunObserver& observer) {
            RunStarted started = madeUpStart(run, "", "batch");
            started.experiment = experiment;
            observer.onStarted(started);
            observer.onState({run, RunState::Running, ""});
            std::unique_lock lock(mutex_);
            while (wake_.wait(lock, control.endToken(), [this] { return !words_.empty(); })) {
                for (MemoryHeld& event : std::exchange(words_, {})) {
                    event.run = run;
                    observer.onMemory(event);
                }
            }
            observer.onEnded(madeUpEnd(run, RunEnd::Stopped));
        };
    }
    void say(const MemoryHeld& event) {
        const std::lock_guard lock(mutex_);
        words_.push_back(event);
        wake_.notify_all();
    }

private:
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::vector<MemoryHeld> words_;
};

struct Scene {
    QTemporaryDir runs;
    ScriptedRun script;  // for its labels
    SpokenRun spoken;
    std::shared_ptr<ScriptedDatasets> service = std::make_shared<ScriptedDatasets>();
    std::unique_ptr<MainWindow> window;

    explicit Scene(const std::function<void(const std::filesystem::path&)>& fill = {}) {
        if (fill) fill(runs.path().toStdString());
        Laboratory laboratory = script.laboratory();
        laboratory.run = spoken.function();
        laboratory.datasets = service;
        laboratory.catalogue.datasets.push_back({"folder", "Folder of images", "Yours."});
        window = std::make_unique<MainWindow>(laboratory, runs.path().toStdString());
        window->show();
        window->activateWindow();
    }
    ~Scene() {
        if (window) window->controller()->stop();
        window.reset();
    }
    void setMemory(std::int64_t size) { window->controller()->draft()->set("memory.size", size); }
    [[nodiscard]] bool start() {
        window->controller()->startOrResume();
        return QTest::qWaitFor([this] { return window->controller()->state() == RunState::Running; });
    }
    /// False: it was not read in time.
    [[nodiscard]] bool open(const std::filesystem::path& folder) {
        QSignalSpy opened(window.get(), &MainWindow::opened);
        window->open(QString::fromStdString(folder.string()));
        return QTest::qWaitFor([&] { return opened.count() == 1; });
    }
    MemoryDialog* show() {
        window->findChild<QAction*>("memory")->trigger();
        return window->findChild<MemoryDialog*>("memoryDialog");
    }
    /// Why there is nothing to show; empty when there is something.
    static QString nothing(const MemoryDialog* dialog) {
        const auto* label = dialog->findChild<QLabel*>("memoryNothing");
        return label->isVisible() ? label->text() : QString();
    }
    static QString places(const MemoryDialog* dialog) {
        const auto* label = dialog->findChild<QLabel*>("memoryPlaces");
        return label->isVisible() ? label->text() : QString();
    }
    MemoryStrip* strip() { return window->findChild<MemoryStrip*>("memoryStrip"); }
};

/// Begins a run; without an event, without a word of its memory.
std::unique_ptr<RunFolderWriter> beginRun(const std::filesystem::path& parent, std::int64_t memory,
                                          const std::optional<MemoryHeld>& event) {
    const OptionTable table(testCatalogue());
    Experiment experiment = madeUpExperiment("batch");
    experiment.memory.size = memory;
    auto writer = RunFolderWriter::create(table, experiment, parent);
    RunStarted started = madeUpStart(1, writer->folder().string(), "batch");
    started.experiment = experiment;
    writer->onStarted(started);
    if (event) writer->onMemory(*event);
    writer->onEvaluated(madeUpEvaluation(1, 500, 0.5));
    return writer;
}

/// Writes such a run that ended. Returns its folder.
std::filesystem::path writeRun(const std::filesystem::path& parent, std::int64_t memory,
                               const std::optional<MemoryHeld>& event) {
    const auto writer = beginRun(parent, memory, event);
    RunEnded end = madeUpEnd(1, RunEnd::Finished);
    writer->onEnded(end);
    return writer->folder();
}

/// As a version wrote it that knew nothing of classes.
void forgetClasses(const std::filesystem::path& folder) {
    QFile file(QString::fromStdString((folder / "run.json").string()));
    if (!file.open(QIODevice::ReadOnly)) qFatal("There is no run.");
    QJsonObject run = QJsonDocument::fromJson(file.readAll()).object();
    file.close();
    run.remove("class_names");
    run.remove("class_kinds");
    if (!file.open(QIODevice::WriteOnly)) qFatal("The run cannot be changed.");
    file.write(QJsonDocument(run).toJson());
}

}  // namespace

class TestMemoryController : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }
    void cleanup() { applyTextSize(*qApp, TextSize::Normal); }

    void withoutAMemoryItSaysWhatGivesOne() {
        Scene scene;
        scene.setMemory(0);
        MemoryDialog* dialog = scene.show();
        QCOMPARE(Scene::nothing(dialog),
                 QString("This experiment keeps no past images; the setting Memory gives it some."));
        scene.setMemory(100);
        QTRY_COMPARE(Scene::nothing(dialog), QString("The memory is empty until a run learns: press F5 to start."));
        QCOMPARE(dialog->windowTitle(), QString("Memory"));
        scene.setMemory(0);
        QVERIFY(scene.start());
        QTRY_COMPARE(Scene::nothing(dialog),
                     QString("This run keeps no past images; the setting Memory gives the next one some."));
        QVERIFY(!scene.strip()->isVisible());
    }

    void aLiveRunShowsWhatItKeepsAsItComes() {
        Scene scene;
        scene.setMemory(100);
        QVERIFY(scene.start());
        MemoryDialog* dialog = scene.show();
        QTRY_COMPARE(Scene::nothing(dialog), QString("The memory is empty until the first batch has been learned."));
        const std::string name = scene.window->controller()->draft()->experiment().name;
        QVERIFY2(dialog->windowTitle().startsWith("Memory: " + QString::fromStdString(name)),
                 qPrintable(dialog->windowTitle()));
        QTRY_VERIFY(scene.strip()->isVisible());
        QCOMPARE(scene.strip()->places(), QString("0 of 100 places"));
        scene.spoken.say(held(320, 42));
        QTRY_COMPARE(Scene::places(dialog), QString("42 of 100 places"));
        QTRY_COMPARE(scene.strip()->places(), QString("42 of 100 places"));
        QCOMPARE(dialog->findChild<QListView*>("memoryGrid")->model()->rowCount(), 42);
        scene.spoken.say(held(640, 100));
        QTRY_COMPARE(Scene::places(dialog), QString("100 of 100 places"));
        scene.window->controller()->stop();
        QTRY_VERIFY(!scene.window->controller()->busy());
        // Images that it kept can be seen when it is over.
        QCOMPARE(Scene::places(dialog), QString("100 of 100 places"));
        QVERIFY(dialog->findChild<QListView*>("memoryGrid")->isVisible());
    }

    void theStripOpensIt_data() {
        QTest::addColumn<bool>("keyboard");
        QTest::newRow("mouse") << false;
        QTest::newRow("keyboard") << true;
    }
    void theStripOpensIt() {
        QFETCH(bool, keyboard);
        Scene scene;
        QVERIFY(QTest::qWaitForWindowActive(scene.window.get()));
        scene.setMemory(100);
        QVERIFY(scene.start());
        QTRY_VERIFY(scene.strip()->isVisible());
        QVERIFY(!scene.window->findChild<MemoryDialog*>());
        if (keyboard) {
            scene.strip()->setFocus();
            // Space would pause the run.
            QTest::keyClick(scene.strip(), Qt::Key_Return);
        } else {
            QTest::mouseClick(scene.strip(), Qt::LeftButton);
        }
        QVERIFY(scene.window->findChild<MemoryDialog*>()->isVisible());
        QCOMPARE(scene.window->controller()->state(), RunState::Running);
    }

    void aRunReadFromItsFolderShowsItsBalance() {
        std::filesystem::path folder;
        Scene scene([&](const auto& parent) { folder = writeRun(parent, 100, held(500, 42)); });
        QVERIFY(scene.open(folder));
        MemoryDialog* dialog = scene.show();
        QCOMPARE(Scene::places(dialog), QString("42 of 100 places"));
        QVERIFY(dialog->findChild<QLabel*>("memoryMoment")->text().startsWith("after 500 images"));
        QVERIFY(dialog->findChild<QLabel*>("memoryImagesUnknown")->isVisible());
        const auto* rows = dialog->findChild<QListView*>("memoryClasses")->model();
        QCOMPARE(rows->rowCount(), 1 + 10);
        QCOMPARE(rows->index(2, 0).data(Qt::ToolTipRole).toString(),
                 QString("Trouser, blurry class: 5 images, 11.9 % of those kept"));
    }

    void aFolderThatDoesNotNameItsClassesShowsTheirNumbers() {
        std::filesystem::path folder;
        Scene scene([&](const auto& parent) {
            folder = writeRun(parent, 100, held(500, 42));
            forgetClasses(folder);
        });
        QVERIFY(scene.open(folder));
        const MemoryDialog* dialog = scene.show();
        QCOMPARE(Scene::places(dialog), QString("42 of 100 places"));
        const auto* rows = dialog->findChild<QListView*>("memoryClasses")->model();
        QCOMPARE(rows->rowCount(), 1 + 10);
        QCOMPARE(rows->index(2, 0).data(Qt::ToolTipRole).toString(),
                 QString("class 1: 5 images, 11.9 % of those kept"));
    }

    void aFolderThatIsStillWrittenMayYetSay() {
        std::unique_ptr<RunFolderWriter> writer;
        Scene scene([&](const auto& parent) { writer = beginRun(parent, 100, std::nullopt); });
        QSignalSpy opened(scene.window.get(), &MainWindow::opened);
        scene.window->open(QString::fromStdString(writer->folder().string()));
        QTRY_COMPARE(opened.count(), 1);
        QCOMPARE(Scene::nothing(scene.show()),
                 QString("The folder of this run does not say yet what its memory keeps."));
    }

    void filesThatChangedAreReadAnew() {
        Scene scene;
        QTemporaryDir images;
        scene.setMemory(100);
        QVERIFY(scene.start());
        scene.service->allowAll();
        scene.service->setPicturesFail(true);
        scene.spoken.say(held(320, 42));
        MemoryDialog* dialog = scene.show();
        const auto* failure = dialog->findChild<QLabel*>("memoryFailure");
        QTRY_VERIFY(failure->isVisible());
        const std::int64_t calls = scene.service->pictureCalls();
        scene.service->setPicturesFail(false);
        // A folder that is given may be the one that is looked at, with other images by now.
        scene.window->datasets()->openImages(images.path());
        QTRY_VERIFY(!failure->isVisible());
        QTRY_VERIFY(scene.service->pictureCalls() > calls);
    }

    void aWindowThatClosesDoesNotWaitForPictures() {
        Scene scene;
        scene.setMemory(100);
        QVERIFY(scene.start());
        scene.spoken.say(held(320, 42));
        scene.show();
        QTRY_COMPARE(scene.service->pictureCalls(), 1);
        scene.window->controller()->stop();
        QTRY_VERIFY(!scene.window->controller()->busy());
        scene.window.reset();
        QCOMPARE(scene.service->picturesGivenUp(), 1);
    }

    void aFolderThatDoesNotSayIsToldApart_data() {
        QTest::addColumn<int>("memory");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("no memory") << 0 << "This run keeps no past images; the setting Memory gives the next one some.";
        QTest::newRow("no word of it") << 100 << "The folder of this run does not say what its memory kept.";
    }
    void aFolderThatDoesNotSayIsToldApart() {
        QFETCH(int, memory);
        QFETCH(QString, sentence);
        std::filesystem::path folder;
        Scene scene([&](const auto& parent) { folder = writeRun(parent, memory, std::nullopt); });
        QVERIFY(scene.open(folder));
        QCOMPARE(Scene::nothing(scene.show()), sentence);
    }

    void theRunInFullColourIsShown() {
        std::filesystem::path folder;
        Scene scene([&](const auto& parent) { folder = writeRun(parent, 100, held(500, 42)); });
        QVERIFY(scene.open(folder));
        MemoryDialog* dialog = scene.show();
        QVERIFY(scene.start());
        scene.spoken.say(held(320, 7));
        QTRY_COMPARE(Scene::places(dialog), QString("7 of 100 places"));
        scene.window->curves()->select(RunSet::idOf(folder.string(), 0));
        QTRY_COMPARE(Scene::places(dialog), QString("42 of 100 places"));
    }

    void theStripTellsTheClassUnderTheMouse() {
        MemoryStrip strip;
        strip.resize(240, strip.sizeHint().height());
        ClassNames words{{"T-shirt", "Trouser", "Pullover", "Dress"}, {ClassKind::Disjoint, ClassKind::Blurry}};
        MemoryBalance balance;
        balance.kept = {12, 1, std::nullopt, 0};
        strip.setMemory(words, balance, 20);
        QCOMPARE(strip.barCount(), 3);
        const int low = strip.height() - 4;
        QCOMPARE(strip.textAt({20, low}), QString("T-shirt, disjoint class: 12 images"));
        QCOMPARE(strip.textAt({120, low}), QString("Trouser, blurry class: 1 image"));
        QCOMPARE(strip.textAt({239, low}), QString("Dress: 0 images"));
        QVERIFY(strip.textAt({20, 4}).isEmpty());
        QCOMPARE(strip.accessibleDescription(), QString("13 of 20 places: T-shirt 12, Trouser 1, Dress 0"));
        strip.clear(20);
        QVERIFY(strip.textAt({20, low}).isEmpty());
        QCOMPARE(strip.accessibleDescription(), QString("0 of 20 places"));
    }

    void ofVeryManyClassesTheTallestOfABarIsTold() {
        MemoryStrip strip;
        strip.resize(240, strip.sizeHint().height());
        MemoryBalance balance;
        balance.kept.assign(1000, 2);
        balance.kept[999] = 9;
        strip.setMemory({}, balance, 2500);
        QVERIFY(strip.barCount() > 40 && strip.barCount() < 240);
        QCOMPARE(strip.textAt({239, strip.height() - 4}), QString("class 999: 9 images"));
        QVERIFY(strip.accessibleDescription().endsWith("and 988 more classes"));
        // The last bar, alone as tall, is drawn so.
        const QImage image = strip.grab().toImage();
        const QColor colour = Theme::of(&strip).quiet;
        const auto tall = [&](int x) {
            int rows = 0;
            for (int y = 0; y < image.height(); ++y) rows += image.pixelColor(x, y) == colour;
            return rows;
        };
        QVERIFY2(tall(238) > 2 * tall(20), qPrintable(QString("%1, %2").arg(tall(238)).arg(tall(20))));
    }

    void theStripDrawsTallerBarsForLargerClasses() {
        MemoryStrip strip;
        strip.resize(240, strip.sizeHint().height());
        MemoryBalance balance;
        balance.kept = {20, 5};
        strip.setMemory({{"a", "b"}, {ClassKind::Disjoint, ClassKind::Blurry}}, balance, 40);
        const QImage image = strip.grab().toImage();
        const auto tall = [&](int x, const QColor& colour) {
            int rows = 0;
            for (int y = 0; y < image.height(); ++y) rows += image.pixelColor(x, y) == colour;
            return rows;
        };
        const Theme& theme = Theme::of(&strip);
        const int large = tall(60, theme.disjoint), small = tall(180, theme.blurry);
        QVERIFY2(large > 3 * small && small > 3, qPrintable(QString("%1, %2").arg(large).arg(small)));
    }
};

PALIMPSEST_TEST(TestMemoryController)

}  // namespace tst_memory_controller

#include "tst_memory_controller.moc"
