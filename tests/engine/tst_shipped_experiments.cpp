// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <set>

#include "engine/config/experiment_file.h"
#include "engine/method/initial_prompts.h"
#include "engine/method_options/calibration_options.h"
#include "engine/method_options/head_method_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/support/resource_folder.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_plan.h"
#include "engine/train/experiment_inputs.h"
#include "tests/support/own_methods.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_shipped_experiments {

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

SweepPlan planOf(const std::string& name) {
    const std::vector<std::string> metrics = {"a_auc", "a_last", "f_last"};
    const std::filesystem::path file = findSweepGrid(name);
    return planSweep(table(), parseSweepGrid(table(), readTextFile(file), file.string(), metrics), file);
}

template <class Work>
QString refusal(const Work& work) {
    try {
        work();
    } catch (const Error& error) {
        return QString::fromStdString(error.sentence());
    }
    return {};
}

/// The error that the user would get instead of a run; empty when it could begin.
QString obstacle(const Experiment& experiment) {
    return refusal([&] {
        initialPrompts(experiment.initial_session, experiment.backbone);
        requireNamedFiles(table(), experiment);
    });
}

}  // namespace

class TestShippedExperiments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRunOfAGridFindsItsPromptsAndWeights_data() {
        QTest::addColumn<QString>("name");
        // Those of the paper want weights that do not come with the program; tst_paper_grids runs them in miniature.
        for (const std::string& name : sweepNames())
            if (!name.starts_with("paper/")) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void everyRunOfAGridFindsItsPromptsAndWeights() {
        QFETCH(QString, name);
        const SweepPlan plan = planOf(name.toStdString());
        QVERIFY(!plan.runs.empty());
        const auto trial = experimentCheck(table());
        for (const SweepRun& run : plan.runs) {
            QVERIFY2(obstacle(run.experiment).isEmpty(), qPrintable(obstacle(run.experiment)));
            const QString told = refusal([&] { trial->check(run.experiment); });
            QVERIFY2(told.isEmpty(), qPrintable(told));
        }
    }

    void everyPresetFindsItsPromptsAndWeights_data() {
        QTest::addColumn<QString>("name");
        for (const Preset& preset : listPresets())
            QTest::newRow(preset.name.c_str()) << QString::fromStdString(preset.name);
    }
    void everyPresetFindsItsPromptsAndWeights() {
        QFETCH(QString, name);
        const QString told = obstacle(loadExperiment(table(), name.toStdString()));
        QVERIFY2(told.isEmpty(), qPrintable(told));
    }

    void whatDoesNotFitTheBackboneIsFoundBeforeARun_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("part");
        QTest::newRow("a block") << "method.g_blocks"
                                 << "9"
                                 << "dualprompt"
                                 << "method.g_blocks names block 9";
        QTest::newRow("another block") << "method.e_blocks"
                                       << "2,6"
                                       << "mvp"
                                       << "method.e_blocks names block 6";
        QTest::newRow("many blocks") << "method.prompt_blocks"
                                     << "7"
                                     << "fly-prompt"
                                     << "at least 7 blocks";
        QTest::newRow("a block that no prompt needs") << "method.g_blocks"
                                                      << "9"
                                                      << "linear-probe"
                                                      << "";
        QTest::newRow("heads") << "backbone.heads"
                               << "7"
                               << "linear-probe"
                               << "backbone.heads is 7";
        QTest::newRow("a pool of another size") << "method.pool_size"
                                                << "3"
                                                << "dualprompt"
                                                << "fam.safetensors";
        QTest::newRow("no weights") << "backbone.weights"
                                    << "presets/default.toml"
                                    << "er"
                                    << "default.toml";
    }
    void whatDoesNotFitTheBackboneIsFoundBeforeARun() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, method);
        QFETCH(QString, part);
        Experiment experiment = table().defaults();
        table().setText(experiment, "method.name", method.toStdString());
        const auto trial = experimentCheck(table());
        trial->check(experiment);
        if (key == "backbone.weights")
            experiment.backbone.weights = (resourceFolder() / value.toStdString()).string();
        else
            table().setText(experiment, key.toStdString(), value.toStdString());
        if (key == "method.pool_size") experiment.initial_session.prompts = "fam";
        const QString told = refusal([&] { trial->check(experiment); });
        QVERIFY2(part.isEmpty() ? told.isEmpty() : told.contains(part), qPrintable(told));
    }

    void promptsThatNoMethodReadsAreNotAskedFor() {
        Experiment experiment = table().defaults();
        experiment.initial_session.prompts = "/nowhere.safetensors";
        QVERIFY_EXCEPTION_THROWN(requireNamedFiles(table(), experiment), Error);
        experiment.method.name = "linear-probe";
        experiment.method.of<CalibrationOptions>().form = "exact";
        experiment.method.of<CalibrationOptions>().file = "/nowhere.safetensors";
        requireNamedFiles(table(), experiment);
        experiment.backbone.weights = "/nowhere.npz";
        QVERIFY_EXCEPTION_THROWN(requireNamedFiles(table(), experiment), Error);
    }

    void aCovarianceThatIsNotThereIsNamed() {
        Experiment experiment = table().defaults();
        experiment.method.of<CalibrationOptions>().file = "/nowhere.safetensors";
        QCOMPARE(obstacle(experiment), QString());
        experiment.method.of<CalibrationOptions>().form = "exact";
        QVERIFY(obstacle(experiment).contains("There is no covariance /nowhere.safetensors."));
    }

    void theTableOfMethodsHasAllOfThemAndNoIdleSetting() {
        for (const char* name : {"methods", "first-network/methods", "first-network/methods-fractals"}) {
            std::set<std::string> methods;
            for (const SweepRun& run : planOf(name).runs) {
                const Experiment& e = run.experiment;
                methods.insert(e.method.name);
                // L2P + MISA uses the whole prompts (MISA, models/L2P.py): 10 tokens, or all there are.
                if (e.method.name == "l2p" && e.initial_session.prompts != "none") {
                    const bool first = e.backbone.name == "palimpsest-vit";
                    QCOMPARE(e.method.of<L2pOptions>().length, std::int64_t{first ? 10 : 0});
                }
                // Rows that replay have a memory, all others none.
                const bool replays = e.name.find(", memory ") != std::string::npos;
                QCOMPARE(e.memory.size > 0, replays);
                QVERIFY2(table().idleNotes(e).empty(), e.name.c_str());
                if (table().idleReason(e, *table().find("method.random_features")).empty())
                    QVERIFY2(e.method.of<RandomFeatureOptions>().count <= 1000,
                             e.name.c_str());  // 10,000 take too long
            }
            for (const MethodEntry& method : test::ownMethods())
                QVERIFY2(methods.contains(method.choice.value), method.choice.value.c_str());
        }
    }

    void whatTheBatchMaskDoesForALinearHeadIsInTheGrids_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QStringList>("controls");
        const QStringList masks{"linear-probe"}, methods{"linear-probe", "lwf", "er", "derpp", "clib"};
        for (const char* place : {"%1", "first-network/%1", "first-network/%1-fractals"})
            for (const char* grid : {"methods", "components", "masks"}) {
                const QString name = QString(place).arg(grid);
                QTest::newRow(qPrintable(name)) << name << (name.contains("methods") ? methods : masks);
            }
        QTest::newRow("components-clothes") << QString("components-clothes") << masks;
    }
    void whatTheBatchMaskDoesForALinearHeadIsInTheGrids() {
        QFETCH(QString, name);
        QFETCH(QStringList, controls);
        // Runs that differ in the mask alone; their names say so.
        std::set<std::vector<std::string>> seen, batch;
        bool random = false;
        for (const SweepRun& run : planOf(name.toStdString()).runs) {
            const Experiment& e = run.experiment;
            if (!controls.contains(QString::fromStdString(e.method.name))) continue;
            QCOMPARE(e.name.find("batch mask") != std::string::npos, e.mask.name == "batch");
            QCOMPARE(e.name.find("random backbone") != std::string::npos, e.backbone.isRandom());
            random |= e.backbone.isRandom();
            if (e.backbone.isRandom()) continue;
            (e.mask.name == "seen" ? seen : batch)
                .insert({e.method.name, std::to_string(e.memory.size), std::to_string(e.training.batch_size),
                         std::to_string(e.seed)});
        }
        QVERIFY(!batch.empty());
        QVERIFY(seen == batch);
        QCOMPARE(random, name.contains("methods"));
        std::set<QString> there;
        for (const auto& facts : batch) there.insert(QString::fromStdString(facts.front()));
        QCOMPARE(static_cast<qsizetype>(there.size()), controls.size());
    }

    void theMemoryOfTheMasksReplaysAsManyImagesAsArrive() {
        std::set<std::int64_t> replayed;
        for (const SweepRun& run : planOf("masks").runs) {
            QCOMPARE(resolvedMemory(run.experiment).batch_size, run.experiment.training.batch_size);
            replayed.insert(run.experiment.training.batch_size);
        }
        QCOMPARE(replayed, (std::set<std::int64_t>{1, 32, 64}));
    }

    void theCatalogueSaysWhichDataSetsAreDrawn() {
        std::set<std::string> drawn;
        for (const Choice& dataset : table().catalogue().datasets)
            if (dataset.drawn) drawn.insert(dataset.value);
        QCOMPARE(drawn, (std::set<std::string>{"formulas", "fractals", "glyphs", "shapes"}));
    }

    void theComponentsStartFromTheSeenMask() {
        for (const char* name : {"components", "components-clothes", "first-network/components-fractals"}) {
            const SweepPlan plan = planOf(name);
            QCOMPARE(plan.lines.at(0).name, std::string("Neither"));
            for (const SweepRun& run : plan.runs) {
                const std::string& line = plan.lines[run.line].name;
                const bool seen =
                    line == "Neither" || line == "Initial session (FAM) only" || line == "Linear probe, seen mask";
                QCOMPARE(run.experiment.mask.name == "seen", seen);
            }
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestShippedExperiments)

}  // namespace tst_shipped_experiments

#include "tst_shipped_experiments.moc"
