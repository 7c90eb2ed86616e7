// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <map>
#include <set>

#include "datasets/drawn/miniature.h"
#include "engine/adaptation/adapt_prompts.h"
#include "engine/method_options/prompt_options.h"
#include "engine/metrics/metric_catalogue.h"
#include "engine/support/file_io.h"
#include "engine/sweep/miniature.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_plan.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_paper_grids {

namespace {

namespace fs = std::filesystem;

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

SweepPlan planOf(const std::string& name) {
    std::vector<std::string> keys;
    for (const Metric& metric : metrics()) keys.emplace_back(metric.key);
    const fs::path file = findSweepGrid(name);
    return planSweep(table(), parseSweepGrid(table(), readTextFile(file), file.string(), keys), file);
}

std::vector<std::string> paperGrids() {
    std::vector<std::string> names = sweepNames();
    std::erase_if(names, [](const std::string& name) { return !name.starts_with("paper/"); });
    return names;
}

void addGrids() {
    QTest::addColumn<QString>("name");
    for (const std::string& name : paperGrids()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
}

struct RunWatch : RunObserver {
    RunEnded ended;
    std::int64_t updates = 0;
    void onUpdate(const UpdateDone&) override { ++updates; }
    void onEnded(const RunEnded& event) override { ended = event; }
};
struct AdaptationWatch : AdaptationObserver {
    AdaptationEnded ended;
    void onEnded(const AdaptationEnded& event) override { ended = event; }
};

const SweepLine& lineNamed(const SweepPlan& plan, const std::string& name) {
    const auto found = std::ranges::find(plan.lines, name, &SweepLine::name);
    if (found == plan.lines.end()) qFatal("no line %s", name.c_str());
    return *found;
}

}  // namespace

class TestPaperGrids : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("PALIMPSEST_DATA", folder_.filePath("data").toUtf8());
    }

    void everyTableAndFigureThatIsAnExperimentHasAGrid() {
        std::set<std::string> expected{"paper/figure-1", "paper/figure-3"};
        for (int number = 1; number <= 14; ++number) expected.insert("paper/table-" + std::to_string(number));
        const std::vector<std::string> names = paperGrids();
        QCOMPARE(std::set<std::string>(names.begin(), names.end()), expected);
    }

    void theSettingsAreThePapers_data() { addGrids(); }
    void theSettingsAreThePapers() {
        QFETCH(QString, name);
        const SweepPlan plan = planOf(name.toStdString());
        QCOMPARE(plan.seeds, (std::vector<std::int64_t>{1, 2, 3, 4, 5}));
        const bool masks = name == "paper/table-3", oneClassEach = name == "paper/table-13";
        const bool twoTasks = name == "paper/figure-3";
        for (const SweepRun& run : plan.runs) {
            const Experiment& e = run.experiment;
            QVERIFY2(table().idleNotes(e).empty(), e.name.c_str());
            QVERIFY2(e.backbone.image_size == 0 && !e.backbone.isEmbedded() && !e.backbone.isRandom(), e.name.c_str());
            if (!masks) QCOMPARE(e.training.batch_size, std::int64_t{32});
            if (!oneClassEach) QCOMPARE(e.stream.sessions, std::int64_t{twoTasks ? 2 : 5});
            QCOMPARE(e.training.learning_rate, 0.005);
            QCOMPARE(e.training.optimizer, std::string("adam"));
            QCOMPARE(e.precision, std::string("float32"));
            QCOMPARE(e.evaluation.anytime_part, std::int64_t{0});
            const bool many =
                e.method.name == "finetune" || e.method.name == "rainbow-memory" || e.method.name == "clib";
            QCOMPARE(e.training.updates_per_batch, std::int64_t{many ? 96 : 3});
            QCOMPARE(e.memory.size == 0 || e.memory.size == 500 || e.memory.size == 2000, true);
            QCOMPARE(e.memory.size > 0, e.name.find(", memory ") != std::string::npos);
        }
        for (const SweepPrompts& prompts : plan.prompts) {
            QCOMPARE(prompts.experiment.initial_session.batch_size, std::int64_t{128});
            QCOMPARE(prompts.experiment.initial_session.sessions, std::int64_t{1});
            QCOMPARE(prompts.experiment.seed, std::int64_t{1});
        }
        // Their times and their drawing give nothing to compare with.
        if (name != "paper/table-7" && !twoTasks) QVERIFY(!plan.published_in.empty());
    }

    void theToyExampleHasSamInTheFirstOfTwoTasksAlone() {
        const SweepPlan plan = planOf("paper/figure-3");
        std::set<std::pair<std::int64_t, std::int64_t>> settings;
        for (const SweepRun& run : plan.runs) {
            const Experiment& e = run.experiment;
            settings.emplace(e.method.of<DualPromptOptions>().trained_blocks, e.training.sam_sessions);
            QCOMPARE(e.training.sam_rho, 0.05);
            QCOMPARE(e.method.of<PromptOptions>().g_blocks, std::string("none"));
            QCOMPARE(e.stream.disjoint_percent, std::int64_t{100});
        }
        QCOMPARE(settings,
                 (std::set<std::pair<std::int64_t, std::int64_t>>{{0, 0}, {0, 1}, {1, 0}, {1, 1}, {2, 0}, {2, 1}}));
        for (const SweepLine& line : plan.lines) QVERIFY(plan.lines[line.baseline].name.ends_with(", Adam"));
    }

    void publishedNumbersAreThoseOfTheTables_data() {
        QTest::addColumn<QString>("grid");
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("metric");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("deviation");
        const auto row = [](const char* grid, const char* line, const char* metric, double mean, double deviation) {
            QTest::addRow("%s, %s", grid, line)
                << QString("paper/") + grid << QString(line) << QString(metric) << mean << deviation;
        };
        row("table-1", "MISA, CIFAR-100", "a_auc", 80.55, 2.17);
        row("table-1", "Rainbow Memory, memory 500, Tiny-ImageNet", "a_last_overall", 7.43, 0.27);
        row("table-1", "MVP, memory 2,000, ImageNet-R", "a_auc", 52.47, 1.45);
        row("table-2", "Batch mask only, ImageNet-R", "f_last_classwise", 20.84, 5.49);
        row("table-3", "Session mask, batch 64, memory 500", "a_auc", 50.26, 1.16);
        row("table-3", "Batch mask, batch 1", "a_auc", 1.50, 0.04);
        row("table-4", "SAM, CIFAR-100", "a_auc", 79.13, 2.38);
        row("table-5", "L2P, both", "a_last_overall", 27.86, 1.11);
        row("table-6", "DualPrompt, NCH", "a_last_overall", 49.4, 7.8);
        row("table-8", "MVP, batch mask", "a_auc", 40.98, 0.85);
        row("table-9", "Expert prompts", "a_last_overall", 42.66, 0.34);
        row("table-10", "SAM without augmentation", "a_auc", 47.71, 1.31);
        row("table-11", "4 epochs", "a_last_overall", 43.22, 0.85);
        row("table-12", "With scale and shift", "a_auc", 50.16, 1.22);
        row("table-13", "EWC, CIFAR-100", "a_auc", 68.1, 0.4);
        row("table-14", "MISA, CLIP", "a_last_overall", 42.3, 0.9);
        row("table-14", "MISA, CUB-200", "a_auc", 43.4, 1.9);
    }
    void publishedNumbersAreThoseOfTheTables() {
        QFETCH(QString, grid);
        QFETCH(QString, line);
        QFETCH(QString, metric);
        QFETCH(double, mean);
        QFETCH(double, deviation);
        const SweepPlan plan = planOf(grid.toStdString());
        bool found = false;
        for (const PublishedNumber& number : lineNamed(plan, line.toStdString()).published) {
            if (number.metric != metric.toStdString()) continue;
            found = true;
            QCOMPARE(100 * number.mean, mean);
            QVERIFY(number.deviation);
            QCOMPARE(100 * *number.deviation, deviation);
        }
        QVERIFY(found);
    }

    void aLineIsComparedWithinItsDataSetAndMemory() {
        const SweepPlan plan = planOf("paper/table-1");
        const auto ending = [](const std::string& name) { return name.substr(name.find(',')); };
        for (const SweepLine& line : plan.lines) {
            QCOMPARE(ending(plan.lines[line.baseline].name), ending(line.name));
            QVERIFY(plan.lines[line.baseline].name.starts_with("MISA"));
        }
    }

    void everyRowRunsInMiniatureAndEndsWithNumbers_data() { addGrids(); }
    void everyRowRunsInMiniatureAndEndsWithNumbers() {
        QFETCH(QString, name);
        SweepPlan plan = planOf(name.toStdString());
        placePrompts(plan, folder_.filePath("prompts").toStdString());
        makeMiniature(table(), plan);
        for (const std::string& dataset : datasetsOf(plan))
            makeMiniature(dataset, folder_.filePath("data").toStdString());
        const auto trial = experimentCheck(table());
        for (const SweepPrompts& prompts : plan.prompts) {
            RunControl control;
            AdaptationWatch watch;
            const fs::path file = fs::path(folder_.filePath("prompts").toStdString()) / prompts.file;
            fs::create_directories(file.parent_path());
            if (fs::exists(file)) continue;  // another grid has made the same
            adaptPrompts(prompts.experiment, {file, false}, control, watch);
            QVERIFY2(watch.ended.how == AdaptationEnded::How::Finished,
                     (prompts.name + ": " + watch.ended.error + " " + watch.ended.hint).c_str());
        }
        for (std::size_t i = 0; i < plan.lines.size(); ++i) {
            const SweepRun& run = plan.runs[i];  // all lines with the first seed
            QCOMPARE(run.line, i);
            const std::string& line = plan.lines[i].name;
            RunControl control;
            RunWatch watch;
            const QString folder = folder_.filePath("runs/" + name + "/" + QString::fromStdString(run.folder));
            runExperiment(1, run.experiment, FreshRun{{}, folder.toStdString()}, control, watch);
            QVERIFY2(watch.ended.how == RunEnd::Finished, (line + ": " + watch.ended.error).c_str());
            QVERIFY2(watch.updates > 0, line.c_str());
            for (const std::string& key : plan.metrics) {
                const auto metric = std::ranges::find(metrics(), key, [](const Metric& one) { return one.key; });
                const auto value = watch.ended.summary.*(metric->value);
                // A network that has learned nothing yet may have nothing to forget.
                const bool always = key == "a_auc" || key == "a_last_overall";
                QVERIFY2(value ? *value >= -1 && *value <= 1 : !always, (line + ", " + key).c_str());
            }
            QDir(folder).removeRecursively();
        }
    }

    void anInitialSessionIsTheSameFileInEveryGridThatAsksForIt() {
        QCOMPARE(planOf("paper/table-1").prompts.at(0).file, planOf("paper/table-2").prompts.at(0).file);
        std::set<std::string> files;
        for (const SweepPrompts& prompts : planOf("paper/table-11").prompts) files.insert(prompts.file);
        QCOMPARE(files.size(), std::size_t{4});
    }

private:
    QTemporaryDir folder_;
};

PALIMPSEST_APPLESS_TEST(TestPaperGrids)

}  // namespace tst_paper_grids

#include "tst_paper_grids.moc"
