// SPDX-License-Identifier: GPL-3.0-or-later
// Longest event of the window's thread with ten thousand runs in the list.
#include <benchmark/benchmark.h>

#include <QLineEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/support/event_meter.h"
#include "tests/support/made_up_sweep.h"
#include "tests/support/many_runs.h"
#include "tests/support/scripted_run.h"
#include "ui/queue/sweep_page.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/run_library.h"
#include "ui/state/run_queue.h"
#include "ui/window/main_window.h"

namespace palimpsest {
namespace {

using namespace palimpsest::testing;

constexpr int kPatienceMs = 120'000;

testing::EventMeter& meter() {
    return *static_cast<testing::EventMeter*>(QCoreApplication::instance());
}

void waitFor(const std::function<bool()>& done) {
    if (!QTest::qWaitFor(done, kPatienceMs)) throw std::runtime_error("The list does not come to rest.");
}

/// Opens the window on the given number of runs, which are already in its index.
class Shelf {
public:
    static Shelf& of(int runs) {
        static std::map<int, std::unique_ptr<Shelf>> shelves;
        auto& shelf = shelves[runs];
        if (!shelf) shelf.reset(new Shelf(runs));
        return *shelf;
    }
    std::filesystem::path folder() const { return folder_.path().toStdString(); }
    std::unique_ptr<MainWindow> open() const {
        auto window = std::make_unique<MainWindow>(script_.laboratory(), folder());
        window->resize(1280, 800);
        window->show();
        return window;
    }
    /// Opens the window and waits for all runs to be listed.
    std::unique_ptr<MainWindow> openFilled() const {
        auto window = open();
        waitFor([&] { return !window->library()->scanning() && table(*window)->model()->rowCount() > 0; });
        settle();
        return window;
    }
    static QTableView* table(MainWindow& window) { return window.findChild<QTableView*>("runsTable"); }
    static RunTableModel* model(MainWindow& window) { return window.findChild<RunsPanel*>()->model(); }
    /// Waits until the effects of the last change are drawn.
    static void settle() { QTest::qWait(100); }

private:
    explicit Shelf(int runs) {
        writeManyRuns(OptionTable(testing::ScriptedRun::catalogue()), folder(), runs);
        openFilled();
    }
    QTemporaryDir folder_;
    testing::ScriptedRun script_;
};

void report(benchmark::State& state, const std::vector<testing::EventMeter::Work>& longest) {
    const auto worst =
        std::max_element(longest.begin(), longest.end(), [](const auto& a, const auto& b) { return a.ms < b.ms; });
    state.counters["longest_event_ms"] = worst->ms;
    state.SetLabel(worst->what.toStdString());
}

/// Fills an empty list with all runs.
void fillLibrary(benchmark::State& state) {
    const Shelf& shelf = Shelf::of(static_cast<int>(state.range(0)));
    std::vector<testing::EventMeter::Work> longest;
    for (auto _ : state) {
        auto window = shelf.open();
        // The first drawing of the window does not count for the library.
        meter().reset();
        waitFor([&] { return !window->library()->scanning() && Shelf::table(*window)->model()->rowCount() > 0; });
        Shelf::settle();
        longest.push_back(meter().longest());
    }
    report(state, longest);
}

using ListAction = std::function<void(MainWindow&, int turn)>;

/// Each iteration waits until the list is in the requested state.
void measureListAction(benchmark::State& state, const ListAction& action) {
    const auto window = Shelf::of(static_cast<int>(state.range(0))).openFilled();
    std::vector<testing::EventMeter::Work> longest;
    int turn = 0;
    for (auto _ : state) {
        QSignalSpy arranged(Shelf::model(*window), &RunTableModel::arranged);
        meter().reset();
        const double before = testing::EventMeter::threadMs();
        action(*window, turn++);
        const double own = testing::EventMeter::threadMs() - before;
        waitFor([&] { return !arranged.isEmpty() && !window->library()->scanning(); });
        Shelf::settle();
        longest.push_back(meter().longest());
        if (own > longest.back().ms) longest.back() = {own, QStringLiteral("the action itself")};
    }
    report(state, longest);
}

void filterLibrary(benchmark::State& state) {
    measureListAction(state, [](MainWindow& window, int turn) {
        const char* words[] = {"experiment 1", "experiment 12", "", "mask:batch tag:seventh",
                               "-mask:batch",  "nothing",       ""};
        window.findChild<QLineEdit*>("runsSearch")->setText(words[turn % 7]);
    });
}

void sortLibrary(benchmark::State& state) {
    measureListAction(state, [](MainWindow& window, int turn) {
        const int columns[] = {RunTableModel::Name, RunTableModel::AreaUnderCurve, RunTableModel::Seed,
                               RunTableModel::When};
        Shelf::table(window)->sortByColumn(columns[turn % 4], turn / 4 % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
    });
}

void groupLibrary(benchmark::State& state) {
    measureListAction(state, [](MainWindow& window, int) { window.findChild<QToolButton*>("runsGrouping")->click(); });
}

/// Refreshes as when the user returns to the window.
void refreshLibrary(benchmark::State& state) {
    const auto window = Shelf::of(static_cast<int>(state.range(0))).openFilled();
    std::vector<testing::EventMeter::Work> longest;
    for (auto _ : state) {
        QSignalSpy scanned(window->library(), &RunLibrary::scanned);
        meter().reset();
        window->library()->refresh();
        waitFor([&] { return !scanned.isEmpty(); });
        Shelf::settle();
        longest.push_back(meter().longest());
    }
    report(state, longest);
}

/// Measures the effect of a run that begins and ends: a new folder, which is inspected twice.
void addToLibrary(benchmark::State& state) {
    const Shelf& shelf = Shelf::of(static_cast<int>(state.range(0)));
    const OptionTable table(testing::ScriptedRun::catalogue());
    std::vector<std::filesystem::path> written;
    measureListAction(state, [&](MainWindow& window, int turn) {
        written.push_back(testing::writeMadeUpRun(table, shelf.folder(), "batch", 100 + turn));
        window.library()->touch(QString::fromStdString(written.back().string()));
    });
    for (const std::filesystem::path& folder : written) std::filesystem::remove_all(folder);
}

/// Selects all runs and gives them a note.
void selectAndMarkLibrary(benchmark::State& state) {
    measureListAction(state, [](MainWindow& window, int turn) {
        RunTableModel* model = Shelf::model(window);
        const QString id = model->index(turn, RunTableModel::Name).data(RunTableModel::IdRole).toString();
        Shelf::table(window)->selectAll();
        window.library()->editNotes({id}, [](RunNotes& notes) { notes.note += "."; });
    });
}

/// Opens the folder of a sweep on its page, until every run is shown with its curve and the differences.
void openSweep(benchmark::State& state) {
    const OptionTable table(testing::ScriptedRun::catalogue());
    const QTemporaryDir home;
    const std::filesystem::path folder = std::filesystem::path(home.path().toStdString()) / "sweep";
    const auto seeds = "1-" + std::to_string(state.range(0) / 2);  // of two rows
    testing::writeSweepRuns(table, testing::makeSweepFolder(table, folder, seeds), folder);
    std::vector<testing::EventMeter::Work> longest;
    for (auto _ : state) {
        SweepPage page(&table);
        page.show();
        Shelf::settle();
        meter().reset();
        page.open(folder);
        waitFor([&] { return page.sweep() && page.sweep()->whole; });
        longest.push_back(meter().longest());
    }
    report(state, longest);
}

/// Adds seeds to as many jobs of a queue, takes half of them back and puts them back.
void editQueue(benchmark::State& state) {
    const OptionTable table(testing::ScriptedRun::catalogue());
    std::vector<std::int64_t> seeds;
    for (std::int64_t seed = 0; seed < state.range(0); ++seed) seeds.push_back(seed);
    std::vector<testing::EventMeter::Work> longest;
    for (auto _ : state) {
        const QTemporaryDir home;
        const std::filesystem::path runs = std::filesystem::path(home.path().toStdString()) / "runs";
        RunQueue queue(&table, {runs / kQueueFolder, runs, "/bin/true"});
        queue.setPaused(true);
        std::vector<RunQueue::Taken> taken;
        QObject::connect(&queue, &RunQueue::tookBack, [&](const std::vector<RunQueue::Taken>& one) { taken = one; });
        queue.add(table.defaults(), seeds);
        waitFor([&] { return queue.jobs().size() == seeds.size(); });
        QList<std::int64_t> half;
        meter().reset();
        QTimer::singleShot(0, &queue, [&] { queue.add(table.defaults(), seeds); });
        waitFor([&] { return queue.jobs().size() == 2 * seeds.size(); });
        for (std::size_t row = 0; row < queue.jobs().size(); row += 2) half.append(queue.jobs()[row].id);
        QTimer::singleShot(0, &queue, [&] { queue.takeBack(half); });
        waitFor([&] { return queue.jobs().size() == seeds.size(); });
        QTimer::singleShot(0, &queue, [&] { queue.putBack(taken); });
        waitFor([&] { return queue.jobs().size() == 2 * seeds.size(); });
        longest.push_back(meter().longest());
    }
    report(state, longest);
}

void size(benchmark::internal::Benchmark* benchmark) {
    benchmark->ArgName("runs")->Arg(10'000)->Iterations(14)->Unit(benchmark::kMillisecond);
}
BENCHMARK(fillLibrary)->Apply(size)->Iterations(5);
BENCHMARK(filterLibrary)->Apply(size);
BENCHMARK(sortLibrary)->Apply(size);
BENCHMARK(groupLibrary)->Apply(size);
BENCHMARK(refreshLibrary)->Apply(size)->Iterations(5);
BENCHMARK(addToLibrary)->Apply(size);
BENCHMARK(selectAndMarkLibrary)->Apply(size);
BENCHMARK(editQueue)->ArgName("jobs")->Arg(1000)->Iterations(5)->Unit(benchmark::kMillisecond);
BENCHMARK(openSweep)->ArgName("runs")->Arg(1000)->Iterations(5)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace palimpsest
