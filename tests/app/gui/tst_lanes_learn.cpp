// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QAction>
#include <QApplication>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <filesystem>
#include <fstream>

#include "engine/api.h"
#include "engine/library/run_notes.h"
#include "engine/train/run_experiment.h"
#include "tests/support/test_program.h"
#include "ui/state/run_controller.h"
#include "ui/style/curve_style.h"
#include "ui/widgets/appearance.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/lane_controller.h"
#include "ui/window/main_window.h"

using namespace palimpsest;

namespace tst_lanes_learn {

namespace fs = std::filesystem;

namespace {

constexpr int kPatienceMs = 280000;

std::string fileText(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Files of a run's measurements, without times.
const QStringList kMeasured{"anytime.csv", "sessions.csv", "classes.csv", "training.csv",
                            "memory.csv",  "prompts.csv",  "pushes.csv",  "features.csv"};

}  // namespace

/// Two lanes in the real window, with the real engine.
class TestLanesLearn : public QObject {
    Q_OBJECT
    QTemporaryDir runs_, alone_;

    std::unique_ptr<MainWindow> open() {
        auto window =
            std::make_unique<MainWindow>(makeLaboratory(runs_.path().toStdString()), runs_.path().toStdString());
        window->show();
        ExperimentDraft* draft = window->controller()->draft();
        draft->set("stream.dataset", std::string("shapes"));
        draft->set("stream.train_limit", std::int64_t{160});
        draft->set("stream.test_limit", std::int64_t{60});
        draft->set("stream.sessions", std::int64_t{2});
        draft->set("evaluation.every_samples", std::int64_t{40});
        draft->set("memory.size", std::int64_t{40});
        draft->set("threads", std::int64_t{1});
        window->findChild<QAction*>("compareLanes")->trigger();
        return window;
    }

    void learn(MainWindow& window) {
        window.controller()->startOrResume();
        QVERIFY2(window.controller()->busy(), qPrintable(window.messages()->text()));
        QTRY_VERIFY_WITH_TIMEOUT(!window.controller()->busy(), kPatienceMs);
    }

    fs::path runAlone(const Experiment& experiment, const char* name) {
        const fs::path place = alone_.filePath(name).toStdString();
        RunControl control;
        RunObserver nobody;
        runExperiment(1, experiment, FreshRun{{}, place}, control, nobody);
        return place;
    }

private Q_SLOTS:
    void initTestCase() { applyAppearance(*qApp, Appearance::Dark); }

    void eachLaneLearnsWhatItLearnsAlone() {
        const auto window = open();
        window->state().lane_b.set("mask.name", std::string("none"));
        QSignalSpy first(window->controller()->bridge(0), &RunBridge::ended);
        QSignalSpy second(window->controller()->bridge(1), &RunBridge::ended);
        learn(*window);
        const auto a = first.at(0)[0].value<RunEnded>(), b = second.at(0)[0].value<RunEnded>();
        QCOMPARE(a.how, RunEnd::Finished);
        QCOMPARE(b.how, RunEnd::Finished);
        QVERIFY(a.folder != b.folder);
        const fs::path alone_a = runAlone(window->controller()->draft()->experiment(), "a");
        const fs::path alone_b = runAlone(window->state().lane_b.experiment(), "b");
        for (const QString& file : kMeasured) {
            const std::string name = file.toStdString();
            QVERIFY2(!fileText(alone_a / name).empty(), qPrintable(file));
            QVERIFY2(fileText(fs::path(a.folder) / name) == fileText(alone_a / name), qPrintable(file));
            QVERIFY2(fileText(fs::path(b.folder) / name) == fileText(alone_b / name), qPrintable(file));
        }
        QVERIFY(fileText(alone_a / "anytime.csv") != fileText(alone_b / "anytime.csv"));

        // The library finds them together.
        QTRY_VERIFY(readNotes(b.folder).tags.size() == 1);
        QTRY_COMPARE(readNotes(a.folder).tags, readNotes(b.folder).tags);
        QVERIFY(readNotes(a.folder).tags.front().starts_with("lanes-"));
        QCOMPARE(readNotes(a.folder).colour, std::string(kLaneColours[0]));
        QCOMPARE(readNotes(b.folder).colour, std::string(kLaneColours[1]));
    }

    void missingWeightsOfOneLaneAreToldAndTheOtherLearns() {
        const auto window = open();
        window->state().lane_b.set("backbone.weights", std::string("/nowhere/vit.safetensors"));
        QSignalSpy first(window->controller()->bridge(0), &RunBridge::ended);
        QSignalSpy second(window->controller()->bridge(1), &RunBridge::ended);
        learn(*window);
        QCOMPARE(first.at(0)[0].value<RunEnded>().how, RunEnd::Finished);
        QCOMPARE(second.at(0)[0].value<RunEnded>().how, RunEnd::Failed);
        QVERIFY2(
            window->messages()->text().startsWith("Lane B: ") && window->messages()->text().contains("vit.safetensors"),
            qPrintable(window->messages()->text()));
        QVERIFY(window->messages()->hint().endsWith("Lane A goes on."));
    }
};

PALIMPSEST_TEST(TestLanesLearn)

}  // namespace tst_lanes_learn

#include "tst_lanes_learn.moc"
