// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <set>

#include "engine/config/experiment_file.h"
#include "engine/config/method_declaration.h"
#include "engine/stream/experiment_stream.h"
#include "engine/support/file_io.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_published_presets {

namespace {

const std::string kFolder = "as-published/";

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

std::vector<Preset> published() {
    std::vector<Preset> presets = listPresets();
    std::erase_if(presets, [](const Preset& preset) { return !preset.name.starts_with(kFolder); });
    return presets;
}

void addPresets() {
    QTest::addColumn<QString>("name");
    for (const Preset& preset : published()) QTest::newRow(preset.name.c_str()) << QString::fromStdString(preset.name);
}

/// The same on a few drawn images.
Experiment small(Experiment e) {
    const auto set = [&](const char* key, const char* value) { table().setText(e, key, value); };
    for (const auto& [key, value] : {std::pair{"device", "cpu"},
                                     {"threads", "1"},
                                     {"stream.dataset", "shapes"},
                                     {"stream.train_limit", "24"},
                                     {"stream.test_limit", "10"},
                                     {"stream.sessions", "2"},
                                     {"training.batch_size", "8"},
                                     {"evaluation.every_samples", "12"},
                                     {"evaluation.checkpoints", "0"},
                                     {"method.rainbow_epochs", "2"},
                                     {"method.random_features", "64"}})
        set(key, value);
    e.training.updates_per_batch = std::min<std::int64_t>(e.training.updates_per_batch, 2);
    e.memory.size = std::min<std::int64_t>(e.memory.size, 16);
    e.memory.batch_size = std::min<std::int64_t>(e.memory.batch_size, 4);
    return e;
}

struct EndWatch : RunObserver {
    RunEnded ended;
    std::int64_t updates = 0;
    void onUpdate(const UpdateDone&) override { ++updates; }
    void onEnded(const RunEnded& event) override { ended = event; }
};

}  // namespace

class TestPublishedPresets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyMethodHasOneAndMisaToo() {
        std::set<std::string> expected{kFolder + "misa"}, found;
        for (const MethodDeclaration& declared : methodDeclarations())
            if (declared.choice.value != "external") expected.insert(kFolder + declared.choice.value);
        for (const Preset& preset : published()) found.insert(preset.name);
        QCOMPARE(found, expected);
        for (const std::string& name : found) {
            const std::string method = loadExperiment(table(), name).method.name;
            QVERIFY2(name == kFolder + method || (name == kFolder + "misa" && method == "dualprompt"), name.c_str());
        }
    }

    void theyStandBehindTheOthersUnderNamesOfTheirOwn() {
        const std::vector<Preset> all = listPresets();
        const auto first = std::ranges::find_if(all, &Preset::grouped);
        QVERIFY(first != all.begin() && first != all.end());
        QVERIFY(std::all_of(first, all.end(), [](const Preset& preset) { return preset.grouped(); }));
        std::set<std::string> titles;
        for (const Preset& preset : all) QVERIFY2(titles.insert(preset.title).second, preset.title.c_str());
        for (const Preset& preset : published()) QVERIFY(preset.title.ends_with(", as published"));
    }

    void eachSaysItsSourceAndNothingIdle_data() { addPresets(); }
    void eachSaysItsSourceAndNothingIdle() {
        QFETCH(QString, name);
        const std::vector<Preset> presets = published();
        const auto preset = std::ranges::find(presets, name.toStdString(), &Preset::name);
        const std::string text = readTextFile(preset->file);
        const std::string comment = text.substr(0, text.find("\nname = "));
        QVERIFY2(comment.find(".py") != std::string::npos || comment.find("module ") != std::string::npos,
                 "names a file of the official code");
        const Experiment e = loadExperiment(table(), name.toStdString());
        QVERIFY2(table().problems(e).empty(), name.toUtf8());
        const std::vector<std::string> idle = table().idleNotes(e);
        QVERIFY2(idle.empty(), idle.empty() ? "" : idle.front().c_str());
        QCOMPARE(e.precision, std::string("float32"));
        requireNamedFiles(table(), e);
    }

    void allShareTheStreamOfAnotherPreset() {
        const auto streamOf = [](const std::string& name) {
            const Experiment e = loadExperiment(table(), name);
            std::string text = std::to_string(e.evaluation.every_samples);
            for (const Option& option : table().options())
                if (option.section() == "stream" || option.section() == "backbone")
                    text += "\n" + option.key + " = " + table().text(e, option);
            return text;
        };
        std::set<std::string> streams, others;
        for (const Preset& preset : listPresets()) (preset.grouped() ? streams : others).insert(streamOf(preset.name));
        QCOMPARE(streams.size(), std::size_t{1});
        QVERIFY2(others.contains(*streams.begin()), streams.begin()->c_str());
    }

    void eachCanBePlanned_data() { addPresets(); }
    void eachCanBePlanned() {
        QFETCH(QString, name);
        std::vector<std::int32_t> labels(6000);
        for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int32_t>(i % 10);
        const StreamPlan plan = planExperimentStream(loadExperiment(table(), name.toStdString()), labels, 10);
        QCOMPARE(plan.totalSamples(), std::int64_t{6000});
        QCOMPARE(plan.sessions.size(), std::size_t{5});
    }

    void batchesAndUpdatesAreThoseOfTheCode_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("batch");
        QTest::addColumn<int>("updates");
        QTest::addColumn<double>("rate");
        QTest::addColumn<int>("memory");
        QTest::addColumn<QString>("mask");
        const auto row = [](const char* name, int batch, int updates, double rate, int memory, const char* mask) {
            QTest::newRow(name) << name << batch << updates << rate << memory << mask;
        };
        row("misa", 32, 3, 0.005, 0, "batch");
        row("dualprompt", 32, 3, 0.005, 0, "seen");
        row("fly-prompt", 64, 3, 0.005, 0, "batch");
        row("er", 64, 3, 0.005, 2000, "seen");
        row("derpp", 32, 3, 0.005, 2000, "seen");
        row("finetune", 32, 96, 0.005, 0, "seen");
        row("rainbow-memory", 32, 96, 0.005, 500, "seen");
        row("clib", 64, 3, 0.005, 2000, "seen");
        row("online-lora", 64, 1, 0.0002, 0, "none");
    }
    void batchesAndUpdatesAreThoseOfTheCode() {
        QFETCH(QString, name);
        QFETCH(int, batch);
        QFETCH(int, updates);
        QFETCH(double, rate);
        QFETCH(int, memory);
        QFETCH(QString, mask);
        const Experiment e = loadExperiment(table(), kFolder + name.toStdString());
        QCOMPARE(e.training.batch_size, std::int64_t{batch});
        QCOMPARE(e.training.updates_per_batch, std::int64_t{updates});
        QCOMPARE(e.training.learning_rate, rate);
        QCOMPARE(e.memory.size, std::int64_t{memory});
        if (memory > 0) QCOMPARE(e.memory.batch_size, std::int64_t{32});
        QCOMPARE(e.mask.name, mask.toStdString());
    }

    void eachRunsInMiniature_data() { addPresets(); }
    void eachRunsInMiniature() {
        QFETCH(QString, name);
        QTemporaryDir folder;
        RunControl control;
        EndWatch watch;
        runExperiment(1, small(loadExperiment(table(), name.toStdString())),
                      FreshRun{{}, folder.filePath("run").toStdString()}, control, watch);
        QVERIFY2(watch.ended.how == RunEnd::Finished, (watch.ended.error + " " + watch.ended.hint).c_str());
        QVERIFY(watch.updates > 0);
        QVERIFY(watch.ended.summary.a_auc && watch.ended.summary.a_last_overall);
    }
};

PALIMPSEST_APPLESS_TEST(TestPublishedPresets)

}  // namespace tst_published_presets

#include "tst_published_presets.moc"
