// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/api.h"
#include "engine/config/experiment_file.h"
#include "engine/config/text_file.h"
#include "engine/method/initial_prompts.h"
#include "engine/support/error.h"
#include "engine/sweep/sweep_names.h"
#include "engine/sweep/sweep_plan.h"

using namespace palimpsest;

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

/// What a person would be told instead of a run; empty when it could begin.
QString obstacle(const Experiment& experiment) {
    try {
        initialPrompts(experiment.initial_session, experiment.backbone);
        requireNamedFiles(table(), experiment);
    } catch (const Error& error) {
        return QString::fromStdString(error.sentence());
    }
    return {};
}

}  // namespace

class TestShippedExperiments : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRunOfAGridFindsItsPromptsAndWeights_data() {
        QTest::addColumn<QString>("name");
        for (const std::string& name : sweepNames()) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void everyRunOfAGridFindsItsPromptsAndWeights() {
        QFETCH(QString, name);
        const SweepPlan plan = planOf(name.toStdString());
        QVERIFY(!plan.runs.empty());
        for (const SweepRun& run : plan.runs)
            QVERIFY2(obstacle(run.experiment).isEmpty(), qPrintable(obstacle(run.experiment)));
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

    void promptsThatNoMethodReadsAreNotAskedFor() {
        Experiment experiment = table().defaults();
        experiment.initial_session.prompts = "/nowhere.safetensors";
        QVERIFY_EXCEPTION_THROWN(requireNamedFiles(table(), experiment), Error);
        experiment.method.name = "linear-probe";
        requireNamedFiles(table(), experiment);
        experiment.backbone.weights = "/nowhere.npz";
        QVERIFY_EXCEPTION_THROWN(requireNamedFiles(table(), experiment), Error);
    }

    void theComponentsStartFromTheSeenMask() {
        for (const char* name : {"components", "components-fractals"}) {
            const SweepPlan plan = planOf(name);
            QCOMPARE(plan.lines.at(0).name, std::string("Neither"));
            for (const SweepRun& run : plan.runs) {
                const std::string& line = plan.lines[run.line].name;
                const bool seen = line == "Neither" || line == "Initial session (FAM) only";
                QCOMPARE(run.experiment.mask.name == "seen", seen);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestShippedExperiments)
#include "tst_shipped_experiments.moc"
