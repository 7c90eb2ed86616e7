// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QColorDialog>
#include <QDesktopServices>
#include <QDir>
#include <QDrag>
#include <QFileDialog>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <set>

#include "engine/api.h"
#include "engine/config/experiment_file.h"
#include "engine/library/run_trash.h"
#include "engine/record/example_runs.h"
#include "engine/record/run_folder.h"
#include "engine/train/experiment_inputs.h"
#include "tests/support/environment.h"
#include "tests/support/event_meter.h"
#include "tests/support/footprint.h"
#include "tests/support/machine_pace.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/monkey_mind.h"
#include "tests/support/scripted_adaptation.h"
#include "tests/support/scripted_datasets.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_experiment.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_library.h"
#include "ui/style/theme.h"
#include "ui/widgets/appearance.h"
#include "ui/window/main_window.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_window_monkey {

namespace fs = std::filesystem;

namespace {

constexpr int kWindows = 10;
constexpr int kDeeds = 500;  // in each window
constexpr int kMadeUp = 20;  // runs that exist from the beginning
constexpr int kDraftEvery = 20;
constexpr int kSoakRuns = 12;   // in one window
constexpr int kSoakDeeds = 20;  // beside each of them
/// Most that a window may keep of a third of its runs, which its list and figures know.
constexpr qint64 kMostKeptKb = 64 * 1024;
constexpr qint64 kMostKeptHandles = 8;
constexpr int kPatienceMs = 240'000;
/// Work that a user would notice as a freeze; palimpsest-bench-window measures how long it takes on a quiet machine.
constexpr double kLongestMs = 250;
/// Limit for another theme or text size: Qt restyles all of the window's widgets at once.
constexpr double kDressMs = 1000;
constexpr std::uint64_t kSeed = 1;
constexpr QChar kNested = u'~';  // first letter of the lines of nested actions

QStringList& complaints() {
    static QStringList all;
    return all;
}

QtMessageHandler usual = nullptr;

/// Fails on Qt's own warnings. Without a screen some requests cannot be fulfilled.
void onMessage(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    static const std::array platform{QLatin1String("This plugin does not support"), QLatin1String("Populating font"),
                                     QLatin1String("Unimplemented code.")};
    const bool known = std::any_of(platform.begin(), platform.end(), [&](const auto& s) { return text.startsWith(s); });
    // Hundreds of them would bury what went wrong.
    if (known) return;
    if (type != QtInfoMsg && type != QtDebugMsg) complaints().append(text);
    usual(type, context, text);
}

/// Keeps a window open, whatever would close it.
class CloseBlocker : public QObject {
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() != QEvent::Close) return false;
        event->ignore();
        return true;
    }
};

}  // namespace

/// Five thousand random actions of a user in the real window with the real engine. PALIMPSEST_MONKEY_SEED chooses
/// others, PALIMPSEST_MONKEY_DEEDS their number in each window; every action is a line of a log, which
/// PALIMPSEST_MONKEY_REPLAY plays again. One more window learns run after run, PALIMPSEST_SOAK_RUNS of them with
/// PALIMPSEST_SOAK_DEEDS actions beside each, and must not grow; PALIMPSEST_SOAK_TABLE is a file for what it held.
class TestWindowMonkey : public QObject {
    Q_OBJECT
private:
    QTemporaryDir home_;
    std::set<std::string> begun_;  ///< folders of runs that began and were not discarded
    std::vector<QStringList> replay_;
    QFile log_;
    ScriptedAdaptation adaptation_;
    std::shared_ptr<ScriptedDatasets> datasets_ = std::make_shared<ScriptedDatasets>();
    QStringList stalls_;
    MachinePace pace_;
    EventMeter::Work longest_;  ///< in this window, without dialogs of Qt
    std::optional<MonkeyMind> mind_;
    QStringList script_;  ///< remaining actions of a replay in this window
    bool acting_ = false;
    int helped_ = 0;

    fs::path runs() const { return (home_.path() + "/runs").toStdString(); }
    static EventMeter& meter() { return *static_cast<EventMeter*>(QCoreApplication::instance()); }

    std::unique_ptr<MainWindow> open() {
        Laboratory lab = makeLaboratory(runs());
        const auto table = std::make_shared<const OptionTable>(lab.catalogue);
        lab.run = [real = lab.run, table](std::int64_t run, const Experiment& draft, RunControl& control,
                                          RunObserver& observer) {
            real(run, tinyExperiment(draft, *table), control, observer);
        };
        lab.adapt = adaptation_.function();
        lab.datasets = datasets_;
        auto window = std::make_unique<MainWindow>(std::move(lab), runs());
        for (std::size_t lane = 0; lane < RunController::kLanes; ++lane) {
            RunBridge* bridge = window->controller()->bridge(lane);
            const auto folder = std::make_shared<std::string>();
            connect(bridge, &RunBridge::started, this, [this, folder](const RunStarted& event) {
                *folder = event.replayed ? std::string() : event.folder;
                if (!event.replayed) begun_.insert(event.folder);
            });
            connect(bridge, &RunBridge::ended, this, [this, folder](const RunEnded& event) {
                if (event.how == RunEnd::Aborted) begun_.erase(*folder);
                // The next run may be aborted before it starts, and must not take this one's folder off.
                folder->clear();
            });
        }
        window->setAppearance(Appearance::Dark);
        window->beginSession(home_.path() + "/workspace");
        window->show();
        window->activateWindow();
        return window;
    }

    /// Closes dialogs for files and colours, which belong to Qt, and those that would delete runs or reach for other
    /// machines. True: there was one.
    static bool putAwayForeignDialogs() {
        bool any = false;
        for (QWidget* window : QApplication::topLevelWidgets()) {
            auto* dialog = qobject_cast<QDialog*>(window);
            if (!dialog || !dialog->isVisible()) continue;
            const bool foreign = qobject_cast<QFileDialog*>(dialog) || qobject_cast<QColorDialog*>(dialog) ||
                                 dialog->objectName() == "emptyTrashQuestion" ||
                                 dialog->objectName() == "remoteRunDialog";
            if (foreign) dialog->reject();
            any = any || foreign;
        }
        return any;
    }

    /// Does one action, with help() for the event loops that it enters.
    void act(const MonkeyAction& action) {
        helped_ = 0;
        acting_ = true;
        MonkeyHands::act(action);
        acting_ = false;
        QTest::qWait(2);
    }

    /// Acts within nested event loops: menus of buttons and drags wait in one during an action.
    void help() {
        constexpr int kPatience = 8;
        QDrag::cancel();
        QWidget* popup = QApplication::activePopupWidget();
        if (!acting_ || !popup) return;
        const bool ready = replay_.empty() || script_.value(0).startsWith(kNested);
        if (++helped_ > kPatience || !ready) {
            popup->close();
            return;
        }
        const QString line = replay_.empty() ? kNested + mind_->next().line() : script_.takeFirst();
        note(line);
        MonkeyHands::act(MonkeyAction::of(line.mid(1)));
    }

    void checkDraft(MainWindow& window) {
        const ExperimentDraft* draft = window.controller()->draft();
        const std::string text = formatExperiment(draft->table(), draft->experiment());
        QCOMPARE(formatExperiment(draft->table(), parseExperiment(draft->table(), text, "the draft")), text);
    }

    static void closeDialogs() {
        while (QWidget* popup = QApplication::activePopupWidget()) popup->close();
        for (QWidget* other : QApplication::topLevelWidgets())
            if (auto* dialog = qobject_cast<QDialog*>(other); dialog && dialog->isVisible()) dialog->reject();
    }

    void end(MainWindow& window) {
        closeDialogs();
        window.stopAndClose();
        QTRY_VERIFY_WITH_TIMEOUT(!window.isVisible() && !window.controller()->busy(), kPatienceMs);
        QTRY_VERIFY_WITH_TIMEOUT(!window.library()->scanning(), kPatienceMs);
    }

    /// Checks that every run that began is in the folder of runs or in its trash, once and complete, and that the list
    /// has it.
    void checkRuns(MainWindow& window) {
        const OptionTable& table = window.library()->table();
        std::vector<fs::path> folders = trashedRuns(runs());
        const std::size_t trashed = folders.size();
        for (const fs::path& folder : findRuns(runs())) folders.push_back(folder);
        // Copies of the demo's runs are as many as it was watched after they had been deleted.
        std::set<std::string> recorded;
        for (const char* name : kDemoRuns) recorded.insert(readRun(table, recordedRunsFolder() / name).started);
        const auto begun = std::ranges::count_if(
            folders, [&](const fs::path& folder) { return !recorded.contains(readRun(table, folder).started); });
        QCOMPARE(static_cast<std::size_t>(begun), kMadeUp + begun_.size());
        for (const fs::path& folder : folders) {
            const RunRecord run = readRun(table, folder);
            QVERIFY2(run.state == RecordedState::Finished || run.state == RecordedState::Stopped,
                     qPrintable(QString::fromStdString(folder.string() + ": " + toText(run.state) + " " + run.error)));
            QVERIFY2(run.warnings.empty(), run.warnings.empty() ? "" : run.warnings.front().c_str());
        }
        QSignalSpy scanned(window.library(), &RunLibrary::scanned);
        window.library()->refresh();
        QVERIFY(scanned.wait(kPatienceMs));
        QCOMPARE(window.library()->rows().size(), folders.size() - trashed);
        QCOMPARE(window.library()->trashed(), qsizetype(trashed));
    }

private Q_SLOTS:
    void initTestCase() {
        usual = qInstallMessageHandler(onMessage);
        QVERIFY(home_.isValid());
        // Folders, pages and addresses must not be opened on the real desktop.
        for (const char* scheme : {"file", "http", "https"}) QDesktopServices::setUrlHandler(scheme, this, "ignore");
        QGuiApplication::setQuitOnLastWindowClosed(false);
        // What is queued begins and fails: its runs would be of the full experiment.
        QFile queued(home_.filePath("palimpsest-cli"));
        QVERIFY(queued.open(QIODevice::WriteOnly));
        queued.write("#!/bin/sh\nsleep 0.2\necho 'palimpsest-cli: It does not learn here.' >&2\nexit 2\n");
        queued.close();
        queued.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("PALIMPSEST_CLI", queued.fileName().toLocal8Bit());
        datasets_->allowAll();
        adaptation_.allowAll();
        const OptionTable table(engineCatalogue());
        for (int i = 0; i < kMadeUp; ++i) writeMadeUpRun(table, runs(), i % 2 ? "batch" : "none", i + 1);
        if (const QString name = qEnvironmentVariable("PALIMPSEST_MONKEY_REPLAY"); !name.isEmpty()) {
            QFile file(name);
            QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(name));
            for (const QString& line : QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts))
                if (line.startsWith("window"))
                    replay_.emplace_back();
                else if (!replay_.empty())
                    replay_.back().append(line);
        } else {
            log_.setFileName(QDir::temp().filePath(QString("palimpsest-monkey-%1.log").arg(seed())));
            QVERIFY(log_.open(QIODevice::WriteOnly | QIODevice::Truncate));
        }
        // File names that are typed refer to this folder.
        QDir::setCurrent(home_.path());
        qInfo("seed %llu, log %s", static_cast<unsigned long long>(seed()), qPrintable(log_.fileName()));
    }

    void noDeedBreaksTheWindow_data() {
        QTest::addColumn<int>("number");
        for (int i = 0; i < kWindows; ++i) QTest::addRow("window %d", i + 1) << i;
    }
    void noDeedBreaksTheWindow() {
        QFETCH(int, number);
        if (!replay_.empty() && number >= int(replay_.size())) QSKIP("The log has no more windows.");
        mind_.emplace(seed() * 1000 + static_cast<std::uint64_t>(number));
        script_ = replay_.empty() ? QStringList() : replay_[std::size_t(number)];
        complaints().clear();
        stalls_.clear();
        longest_ = {};
        note(QString("window %1").arg(number + 1));
        QTimer helper;
        connect(&helper, &QTimer::timeout, this, &TestWindowMonkey::help);
        helper.start(20);
        auto window = open();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        for (int i = 0; replay_.empty() ? i < deeds() : !script_.isEmpty(); ++i) {
            const MonkeyAction action = replay_.empty() ? mind_->next() : MonkeyAction::of(script_.takeFirst());
            // It belonged to an event loop that was not entered this time.
            if (action.verb.startsWith(kNested)) continue;
            note(action.line());
            meter().reset();
            const QString dress = appearanceSheet();
            act(action);
            const EventMeter::Work work = meter().longest();
            const bool foreign = putAwayForeignDialogs();
            const bool dressed = appearanceSheet() != dress;
            if (work.ms > longest_.ms && !foreign && !dressed) longest_ = {work.ms, action.line() + ": " + work.what};
            const double most = dressed ? kDressMs : kLongestMs;
            // Slowness of the machine is no stall of the window.
            if (work.ms > most && !foreign && work.ms > most * pace_.slowness())
                stalls_.append(
                    QString("%1 ms: action %2, %3: %4").arg(work.ms).arg(i + 1).arg(action.line(), work.what));
            if (i % kDraftEvery == 0) checkDraft(*window);
            if (QTest::currentTestFailed()) return;
            QVERIFY2(complaints().isEmpty(),
                     qPrintable(QString("action %1, %2: %3").arg(i + 1).arg(action.line(), complaints().join(" | "))));
            if (window->isVisible()) continue;
            // A user who quits may return.
            end(*window);
            window.reset();
            window = open();
            QVERIFY(QTest::qWaitForWindowActive(window.get()));
        }
        checkDraft(*window);
        end(*window);
        if (QTest::currentTestFailed()) return;
        checkRuns(*window);
        qInfo("%zu runs so far; the longest work was %.1f ms: %s", begun_.size(), longest_.ms,
              qPrintable(longest_.what));
#ifndef PALIMPSEST_SANITIZED
        QVERIFY2(stalls_.isEmpty(), qPrintable(stalls_.join('\n')));
#endif
    }

    void aWindowThatLearnsRunAfterRunDoesNotGrow() {
        if (!replay_.empty()) QSKIP("A log is played again.");
        const int runs = std::max(3, environmentOr("PALIMPSEST_SOAK_RUNS", kSoakRuns));
        const std::size_t begun_before = begun_.size();
        const int deeds = environmentOr("PALIMPSEST_SOAK_DEEDS", kSoakDeeds);
        mind_.emplace(seed());
        script_.clear();
        complaints().clear();
        note("one window for many runs");
        QTimer helper;
        connect(&helper, &QTimer::timeout, this, &TestWindowMonkey::help);
        helper.start(20);
        auto window = open();
        QVERIFY(QTest::qWaitForWindowActive(window.get()));
        auto stop = std::make_unique<CloseBlocker>();
        window->installEventFilter(stop.get());
        RunController& controller = *window->controller();
        const Experiment usual_draft = controller.draft()->experiment();
        FootprintLog held;
        for (int run = 0; run < runs; ++run) {
            const std::size_t before = begun_.size();
            controller.draft()->replace(usual_draft, "For the next run");
            controller.start(FreshLaunch{});
            QTRY_VERIFY_WITH_TIMEOUT(begun_.size() > before || !controller.busy(), kPatienceMs);
            for (int i = 0; i < deeds; ++i) {
                const MonkeyAction action = mind_->next();
                note(action.line());
                act(action);
                putAwayForeignDialogs();
                if (QTest::currentTestFailed()) return;
                QVERIFY2(complaints().isEmpty(), qPrintable(QString("run %1, action %2, %3: %4")
                                                                .arg(run + 1)
                                                                .arg(i + 1)
                                                                .arg(action.line(), complaints().join(" | "))));
                QVERIFY2(window->isVisible(), qPrintable(action.line()));
            }
            closeDialogs();
            if (controller.busy()) controller.stop();
            QTRY_VERIFY_WITH_TIMEOUT(!controller.busy() && !window->library()->scanning(), kPatienceMs);
            held.add();
        }
        stop.reset();
        end(*window);
        if (QTest::currentTestFailed()) return;
        held.write("PALIMPSEST_SOAK_TABLE");
        const qint64 heap_kb = held.grown(&Footprint::heap_kb), handles = held.grown(&Footprint::handles),
                     threads = held.grown(&Footprint::threads);
        qInfo("%d runs: %lld KB, %lld handles and %lld threads more stayed", runs, static_cast<long long>(heap_kb),
              static_cast<long long>(handles), static_cast<long long>(threads));
        // Some starts are refused: what the user did before may wait for an answer.
        QVERIFY(begun_.size() - begun_before >= static_cast<std::size_t>(runs) / 2);
#ifndef PALIMPSEST_SANITIZED
        QVERIFY(heap_kb < kMostKeptKb);
#endif
        QVERIFY(handles <= kMostKeptHandles);
        QVERIFY(threads <= kMostKeptHandles);
    }

    void cleanupTestCase() {
        qInstallMessageHandler(usual);
    }

    void theRunsTookPart() {
        QVERIFY(begun_.size() > 3 || !replay_.empty());
    }

public Q_SLOTS:
    void ignore(const QUrl&) {}

private:
    static std::uint64_t seed() {
        bool ok = false;
        const auto chosen = qEnvironmentVariable("PALIMPSEST_MONKEY_SEED").toULongLong(&ok);
        return ok ? chosen : kSeed;
    }
    static int deeds() {
        return environmentOr("PALIMPSEST_MONKEY_DEEDS", kDeeds);
    }
    /// Writes a line at once, so that it survives a crash.
    void note(const QString& line) {
        if (!log_.isOpen()) return;
        log_.write(line.toUtf8() + '\n');
        log_.flush();
    }
};

PALIMPSEST_TEST_RUN(TestWindowMonkey, QStandardPaths::setTestModeEnabled(true); EventMeter application(argc, argv);
                    applyAppearance(application, Appearance::Dark))

}  // namespace tst_window_monkey

#include "tst_window_monkey.moc"
