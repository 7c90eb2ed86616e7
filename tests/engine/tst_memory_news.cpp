// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <fstream>
#include <map>

#include "engine/inputs/local_dataset_service.h"
#include "engine/memory/reservoir_memory.h"
#include "engine/record/run_folder.h"
#include "engine/support/random.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_memory_news {

namespace {

constexpr std::int64_t kPlaces = 20;

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

Experiment replaying() {
    Experiment e = table().defaults();
    e.stream.dataset = "shapes";
    e.stream.train_limit = 200;
    e.stream.test_limit = 20;
    e.stream.sessions = 2;
    e.backbone.weights = "random";
    e.method.name = "er";
    e.precision = "float32";
    e.threads = 1;
    e.training.updates_per_batch = 1;
    e.evaluation.every_samples = 64;
    e.memory.size = kPlaces;
    e.memory.batch_size = 4;
    e.memory.kind = "reservoir";
    return e;
}

/// All events in their order.
struct Heard : RunObserver {
    struct News {
        enum class What { Batch, Memory, Evaluation, Pause } what;
        std::int64_t samples_seen = 0;
    };
    std::vector<News> news;
    std::vector<MemoryHeld> memory;
    RunStarted started;
    RunEnded ended;
    std::int64_t seen = 0;

    void onStarted(const RunStarted& e) override { started = e; }
    void onBatch(const BatchLearned& e) override { news.push_back({News::What::Batch, seen = e.samples_seen}); }
    void onMemory(const MemoryHeld& e) override {
        news.push_back({News::What::Memory, e.samples_seen});
        memory.push_back(e);
    }
    void onEvaluated(const Evaluated& e) override { news.push_back({News::What::Evaluation, e.samples_seen}); }
    void onState(const StateChanged& e) override {
        if (e.state == RunState::Paused) news.push_back({News::What::Pause, seen});
    }
    void onEnded(const RunEnded& e) override { ended = e; }
};

/// Content of the reservoir after each batch, by samples seen: offered batch for batch, with its own draws.
std::map<std::int64_t, std::vector<std::int64_t>> simulated(const Experiment& e, const StreamPlan& plan) {
    ReservoirMemory memory(e.memory.size);
    Random random(static_cast<std::uint64_t>(e.seed), purpose::kMemory);
    std::map<std::int64_t, std::vector<std::int64_t>> kept;
    std::int64_t seen = 0;
    for (const auto& session : plan.sessions)
        for (std::size_t first = 0; first < session.size(); first += static_cast<std::size_t>(e.training.batch_size)) {
            const std::size_t count = std::min(session.size() - first, static_cast<std::size_t>(e.training.batch_size));
            const auto begin = session.begin() + static_cast<std::ptrdiff_t>(first);
            memory.offer({begin, begin + static_cast<std::ptrdiff_t>(count)}, [&](std::int64_t n) {
                return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
            });
            kept[seen += static_cast<std::int64_t>(count)] = memory.samples();
        }
    return kept;
}

std::string fileText(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestMemoryNews : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::filesystem::path place(const char* name) const { return folder_.filePath(name).toStdString(); }
    void run(const char* name, const Experiment& experiment, RunObserver& observer, RunControl& control) {
        runExperiment(1, experiment, FreshRun{{}, place(name)}, control, observer);
    }

private Q_SLOTS:
    void itIsToldBeforeEveryEvaluationAndAtTheEnd() {
        Heard heard;
        RunControl control;
        run("told", replaying(), heard, control);
        QVERIFY2(heard.ended.how == RunEnd::Finished, heard.ended.error.c_str());
        int evaluations = 0;
        for (std::size_t i = 0; i < heard.news.size(); ++i) {
            if (heard.news[i].what != Heard::News::What::Evaluation) continue;
            ++evaluations;
            QVERIFY(i > 0 && heard.news[i - 1].what == Heard::News::What::Memory);
            QCOMPARE(heard.news[i - 1].samples_seen, heard.news[i].samples_seen);
        }
        QVERIFY(evaluations > 3);
        QVERIFY(heard.news.back().what == Heard::News::What::Memory);
        QCOMPARE(heard.news.back().samples_seen, heard.started.total_samples);
        // The memory is reported before the first evaluation.
        QVERIFY(heard.news.front().what == Heard::News::What::Batch);
        QCOMPARE(heard.memory.front().samples_seen, heard.news.front().samples_seen);
    }

    void itHoldsWhatAMemoryOfTheTestHolds() {
        const Experiment e = replaying();
        Heard heard;
        RunControl control;
        run("same", e, heard, control);
        const auto expected = simulated(e, *heard.started.plan);
        const auto labels = experimentLabels(e);
        QVERIFY(!heard.memory.empty());
        for (const MemoryHeld& held : heard.memory) {
            QCOMPARE(held.run, std::int64_t{1});
            QCOMPARE(held.capacity, kPlaces);
            std::vector<std::int64_t> samples;
            for (const KeptSample& kept : held.kept) {
                samples.push_back(kept.sample);
                QCOMPARE(kept.label, labels->train[static_cast<std::size_t>(kept.sample)]);
                QVERIFY(std::ranges::find(held.seen_classes, kept.label) != held.seen_classes.end());
            }
            QVERIFY2(samples == expected.at(held.samples_seen), std::to_string(held.samples_seen).c_str());
        }
    }

    void theFolderHoldsABalanceForEveryEvaluation() {
        const Experiment e = replaying();
        Heard heard;
        RunControl control;
        run("folder", e, heard, control);
        std::string expected = "samples_seen";
        const std::size_t classes = heard.started.class_names.size();
        for (std::size_t label = 0; label < classes; ++label) expected += ",class_" + std::to_string(label);
        expected += '\n';
        MemoryBalance last;
        std::size_t memory = 0;
        for (std::size_t i = 0; i < heard.news.size(); ++i) {
            if (heard.news[i].what != Heard::News::What::Memory) continue;
            const MemoryBalance balance = balanceOf(heard.memory[memory++], classes);
            const bool recorded = i + 1 == heard.news.size() || heard.news[i + 1].what == Heard::News::What::Evaluation;
            if (!recorded || balance == last) continue;
            std::string line;
            for (const std::string& cell : memoryRow(balance)) line += (line.empty() ? "" : ",") + cell;
            expected += line + '\n';
            last = balance;
        }
        QCOMPARE(QString::fromStdString(fileText(place("folder") / "memory.csv")), QString::fromStdString(expected));
        const RunRecord record = readRun(table(), place("folder"));
        QVERIFY(record.memory == last);
        QCOMPARE(record.memory->total(), kPlaces);
        QVERIFY(record.warnings.empty());
    }

    void withoutAMemoryThereIsNoWordOfIt() {
        Experiment e = replaying();
        e.method.name = "linear-probe";
        e.memory.size = 0;
        Heard heard;
        RunControl control;
        run("none", e, heard, control);
        QVERIFY(heard.ended.how == RunEnd::Finished);
        QVERIFY(heard.memory.empty());
        QVERIFY(!std::filesystem::exists(place("none") / "memory.csv"));
    }

    void itIsShownWhenAPauseBegins() {
        struct Pausing : Heard {
            RunControl& control;
            explicit Pausing(RunControl& verbs) : control(verbs) {}
            void onBatch(const BatchLearned& e) override {
                Heard::onBatch(e);
                if (e.batch == 1) control.pause();
            }
            void onState(const StateChanged& e) override {
                Heard::onState(e);
                if (e.state == RunState::Paused) control.resume();
            }
        };
        RunControl control;
        Pausing heard(control);
        run("paused", replaying(), heard, control);
        const auto pause = std::ranges::find(heard.news, Heard::News::What::Pause, &Heard::News::what);
        QVERIFY(pause != heard.news.end() && pause + 1 != heard.news.end());
        QVERIFY((pause + 1)->what == Heard::News::What::Memory);
        QCOMPARE((pause + 1)->samples_seen, pause->samples_seen);
    }

    void watchingChangesNoNumber() {
        /// Pauses at every reported batch, and reads the pictures of all remembered images.
        struct Watching : RunObserver {
            RunControl& control;
            const Experiment& experiment;
            const std::shared_ptr<const DatasetService> service = makeDatasetService();
            std::size_t pictures = 0;
            int pauses = 0;
            Watching(RunControl& verbs, const Experiment& what) : control(verbs), experiment(what) {}
            void onBatch(const BatchLearned&) override { control.pause(); }
            void onState(const StateChanged& e) override {
                if (e.state != RunState::Paused) return;
                ++pauses;
                control.resume();
            }
            void onMemory(const MemoryHeld& e) override {
                std::vector<std::int64_t> samples;
                for (const KeptSample& kept : e.kept) samples.push_back(kept.sample);
                pictures += service->samplesAt(experiment, samples, 16, {}).size();
            }
        };
        Experiment e = replaying();
        for (const char* method : {"er", "derpp"}) {
            e.method.name = method;
            e.memory.kind = "auto";
            const std::string alone = std::string("alone-") + method, watched = std::string("watched-") + method;
            RunControl control;
            RunObserver nobody;
            run(alone.c_str(), e, nobody, control);
            Watching watching(control, e);
            run(watched.c_str(), e, watching, control);
            QVERIFY(watching.pictures > 0);
            QVERIFY(watching.pauses > 0);
            for (const char* file : {"anytime.csv", "sessions.csv", "classes.csv", "training.csv", "memory.csv"}) {
                QVERIFY2(!fileText(place(alone.c_str()) / file).empty(), file);
                QCOMPARE(fileText(place(watched.c_str()) / file), fileText(place(alone.c_str()) / file));
            }
        }
    }
};

PALIMPSEST_GUILESS_TEST(TestMemoryNews)

}  // namespace tst_memory_news

#include "tst_memory_news.moc"
