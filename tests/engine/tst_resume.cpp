// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <sys/resource.h>

#include <QTemporaryDir>
#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/config/experiment_file.h"
#include "engine/learner/learner_permit.h"
#include "engine/method/method.h"
#include "engine/network/tensor_file.h"
#include "engine/record/checkpoints.h"
#include "engine/record/predictions.h"
#include "engine/record/resumable.h"
#include "engine/record/run_folder.h"
#include "engine/run/live_change.h"
#include "engine/run/run_control.h"
#include "engine/stream/experiment_stream.h"
#include "engine/stream/stream_export.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "tests/support/learner_program.h"
#include "tests/support/own_methods.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"

using namespace palimpsest;

namespace tst_resume {

namespace fs = std::filesystem;

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

/// Calls back after every update.
struct Watcher : RunObserver {
    std::function<void(const UpdateDone&)> on_update;
    RunStarted started;
    RunEnded ended;
    void onStarted(const RunStarted& event) override { started = event; }
    void onUpdate(const UpdateDone& event) override {
        if (on_update) on_update(event);
    }
    void onEnded(const RunEnded& event) override { ended = event; }
};

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void replaceContent(const fs::path& file, const std::string& content) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << content;
}

nlohmann::json statesOf(const fs::path& run) {
    return nlohmann::json::parse(contentOf(run / "run.json")).at("states");
}

/// All measurements of a run, by file, and the hashes of its states.
std::map<std::string, std::string> resultsOf(const fs::path& run) {
    std::map<std::string, std::string> results;
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
        const std::string name = fs::relative(entry.path(), run).string();
        if (entry.is_regular_file() && name != "commands.csv" &&
            (name.ends_with(".csv") || name.starts_with("predictions")))
            results[name] = contentOf(entry.path());
    }
    results["states"] = statesOf(run).dump();
    return results;
}

/// Leaves a run as it is before its first evaluation.
void forgetMeasured(const fs::path& run) {
    fs::remove_all(checkpointsFolder(run));
    for (const char* table : {"anytime.csv", "sessions.csv", "classes.csv"}) {
        const std::string content = contentOf(run / table);
        replaceContent(run / table, content.substr(0, content.find('\n') + 1));
    }
    for (const std::int64_t moment : predictionMoments(run))
        for (const auto& fileOf : {topClassesFile, predictionsFile}) fs::remove(fileOf(run, moment));
}

QString firstDifference(const std::map<std::string, std::string>& a, const std::map<std::string, std::string>& b) {
    std::set<std::string> names;
    for (const auto* results : {&a, &b})
        for (const auto& [name, ignored] : *results) names.insert(name);
    for (const std::string& name : names)
        if (!a.contains(name) || !b.contains(name) || a.at(name) != b.at(name)) return QString::fromStdString(name);
    return {};
}

}  // namespace

class TestResume : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    fs::path place(const std::string& name) const { return fs::path(folder_.path().toStdString()) / name; }

    /// Twelve batches of eight in two sessions on a network of width 32, evaluated every 24 images.
    Experiment small(const QString& settings) {
        Experiment e = table().defaults();
        const fs::path weights = place("weights.safetensors");
        if (!fs::exists(weights)) writeSafetensors(weights, test::tinyWeights({16, 4, 3, 32, 5, 2, 2}));
        e.name = "Small";
        e.stream.dataset = "shapes";
        e.stream.train_limit = 96;
        e.stream.test_limit = 24;
        e.stream.sessions = 2;
        e.backbone.name = "any";
        e.backbone.weights = weights.string();
        e.backbone.heads = 2;
        e.precision = "float32";
        e.threads = 1;
        e.training.batch_size = 8;
        e.training.updates_per_batch = 2;
        e.evaluation.every_samples = 24;
        e.memory.batch_size = 4;
        for (const char* setting :
             {"method.pool_size=3", "method.g_length=2", "method.e_length=2", "method.l2p_length=2",
              "method.l2p_selected=2", "method.prompt_length=2", "method.random_features=24", "method.rainbow_epochs=2",
              "method.clib_rate_period=2", "method.clib_rate_length=2", "initial_session.prompts=none"})
            set(e, setting);
        for (const QString& setting : settings.split(' ', Qt::SkipEmptyParts)) set(e, setting);
        return e;
    }
    static void set(Experiment& experiment, const QString& setting) {
        // A blank within a value stands as %20.
        const QString key = setting.section('=', 0, 0), value = setting.section('=', 1).replace("%20", " ");
        table().setText(experiment, key.toStdString(), value.toStdString());
    }

    /// Runs to the end; a copy of the folder after every `each`-th update is the state that a kill would leave.
    std::vector<fs::path> runWithCopies(const Experiment& experiment, const fs::path& run, std::int64_t each) {
        std::vector<fs::path> copies;
        Watcher watcher;
        watcher.on_update = [&](const UpdateDone& event) {
            if (event.update % each != 0) return;
            copies.push_back(run.string() + "-" + std::to_string(event.update));
            fs::copy(run, copies.back(), fs::copy_options::recursive);
        };
        RunControl control;
        runExperiment(1, experiment, FreshRun{{}, run}, control, watcher);
        if (watcher.ended.how != RunEnd::Finished) qWarning("%s", watcher.ended.error.c_str());
        return watcher.ended.how == RunEnd::Finished ? copies : std::vector<fs::path>();
    }
    static Watcher resumeRun(const Experiment& experiment, const fs::path& run) {
        Watcher watcher;
        RunControl control;
        runExperiment(1, experiment, ResumedRun{run}, control, watcher);
        return watcher;
    }

private Q_SLOTS:
    void initTestCase() { allowAllLearners(); }

    void aRunGoneOnWithEqualsAnUninterruptedOne_data() {
        QTest::addColumn<QString>("settings");
        for (const MethodEntry& entry : test::ownMethods()) {
            const std::string& name = entry.choice.value;
            // CLIB learns from its memory alone.
            if (name != "clib")
                QTest::newRow(name.c_str()) << QString("method.name=%1 memory.size=0").arg(name.c_str());
            QTest::newRow((name + " with a memory").c_str())
                << QString("method.name=%1 memory.size=10").arg(name.c_str());
        }
        for (const char* memory : {"0", "10"})
            for (const char* input : {"", "%20--pixels"})
                QTest::addRow("a program of its own, memory %s%s", memory, input)
                    << QString(
                           "method.name=external memory.size=%1 method.external_sessions=true "
                           "method.external_command=%2%3")
                           .arg(memory, QString::fromStdString(test::builtLearner("learner_nearest_mean")), input);
        for (const Choice& mask : maskChoices())
            QTest::newRow(("mask " + mask.value).c_str())
                << QString("mask.name=%1 memory.size=10").arg(mask.value.c_str());
        QTest::newRow("session mask that knows the session") << "mask.name=session mask.session_scope=whole";
        QTest::newRow("multiplicative mask") << "mask.form=multiplicative";
        QTest::newRow("slices of the pool") << "method.prompt_selection=session-slice";
        QTest::newRow("momentum") << "training.optimizer=sgd";
        for (const char* name : {"finetune", "ewcpp", "online-ewc"})
            QTest::newRow((std::string(name) + " with a slow backbone").c_str())
                << QString("method.name=%1 method.backbone_learning_rate=0.00005").arg(name);
        QTest::newRow("slow backbone with momentum")
            << "method.name=finetune method.backbone_learning_rate=0.00005 training.optimizer=sgd";
        // Any two losses are a plateau, unless nothing has risen since the last one.
        const QString plateaus =
            "method.name=online-lora method.lora_window=2 method.lora_plateau_mean=1000 "
            "method.lora_plateau_variance=1000";
        QTest::newRow("plateaus") << plateaus;
        QTest::newRow("plateaus kept as whole matrices") << plateaus + " method.lora_rank=64";
        QTest::newRow("plateaus as published") << plateaus +
                                                      " method.lora_merge=factors method.lora_loss=as-published "
                                                      "method.lora_buffer=as-published";
        for (const char* name : {"ewcpp", "online-ewc"})
            QTest::newRow((std::string(name) + " with negated logits").c_str())
                << QString("method.name=%1 method.ewc_importance=negated-logits").arg(name);
        for (const char* name : {"linear-probe", "single-prompt", "online-lora"})
            QTest::newRow((std::string(name) + " with an averaged head").c_str())
                << QString("method.name=%1 method.head_average=0.9 memory.size=10").arg(name);
        for (const auto& [name, readout] :
             {std::pair{"dualprompt", "ncm"}, {"single-prompt", "ridge"}, {"fly-prompt", "ncm"}})
            QTest::newRow((std::string(name) + ", read out by " + readout).c_str())
                << QString("method.name=%1 method.readout=%2").arg(name, readout);
        QTest::newRow("last blocks that learn, with SAM at first")
            << "method.trained_blocks=2 method.backbone_learning_rate=0.0005 training.sam_sessions=1";
        QTest::newRow("mixed images") << "method.name=er training.cutmix=true memory.size=10";
        QTest::newRow("what is unsure is remembered")
            << "method.name=rainbow-memory memory.size=10 memory.kind=uncertainty";
        QTest::newRow("a part of the test images") << "evaluation.anytime_part=10";
        for (const char* features : {"sparse", "all-blocks", "pixels"})
            QTest::addRow("analytic head of %s", features)
                << QString("method.name=analytic-head method.analytic_features=%1").arg(features);
        for (const char* choice : {"gcv", "prequential"})
            QTest::addRow("ridge chosen by %s", choice)
                << QString(
                       "method.name=analytic-head method.analytic_ridge_choice=%1 method.analytic_balance=pooled "
                       "memory.size=10")
                       .arg(choice);
        for (const char* readout : {"ncm", "lda"})
            QTest::addRow("analytic head of pixels by %s", readout)
                << QString(
                       "method.name=analytic-head method.analytic_features=pixels method.analytic_shrinkage=oas "
                       "method.analytic_readout=%1 memory.size=10")
                       .arg(readout);
        QTest::newRow("balanced memory") << "method.name=er memory.size=10 memory.kind=balanced";
    }
    void aRunGoneOnWithEqualsAnUninterruptedOne() {
        QFETCH(QString, settings);
        const Experiment e = small(settings);
        const fs::path whole = place(QTest::currentDataTag());
        const auto copies = runWithCopies(e, whole, 5);
        QVERIFY(copies.size() >= 2);
        const auto expected = resultsOf(whole);
        QVERIFY(statesOf(whole).size() >= 4);
        if (settings.contains("lora_plateau")) QVERIFY(readRun(table(), whole).plateaus.size() >= 2);
        for (const fs::path& copy : copies) {
            const Watcher resumed = resumeRun(e, copy);
            QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
            const QString difference = firstDifference(resultsOf(copy), expected);
            QVERIFY2(difference.isEmpty(), qPrintable(QString("%1 after %2").arg(difference, copy.c_str())));
        }
    }

    void aRunKilledTwiceIsStillTheSame() {
        const Experiment e = small("method.name=derpp memory.size=10");
        const fs::path whole = place("twice");
        const auto copies = runWithCopies(e, whole, 7);
        QVERIFY(!copies.empty());
        Watcher watcher;
        fs::path second;
        watcher.on_update = [&](const UpdateDone& event) {
            if (event.update != 20) return;
            second = copies.front().string() + "-again";
            fs::copy(copies.front(), second, fs::copy_options::recursive);
        };
        RunControl control;
        runExperiment(1, e, ResumedRun{copies.front()}, control, watcher);
        QVERIFY(!second.empty());
        QVERIFY2(resumeRun(e, second).ended.how == RunEnd::Finished, "the second time");
        QCOMPARE(firstDifference(resultsOf(second), resultsOf(whole)), QString());
        const auto run = nlohmann::json::parse(contentOf(second / "run.json"));
        QCOMPARE(run.at("resumed").size(), std::size_t{2});
        QCOMPARE(QString::fromStdString(run.at("state")), QString("finished"));
    }

    void aStoppedRunGoesOnWhereItStopped() {
        const Experiment e = small("");
        const fs::path whole = place("unstopped"), stopped = place("stopped");
        QVERIFY(!runWithCopies(e, whole, 100).empty() || fs::exists(whole / "summary.json"));
        Watcher watcher;
        RunControl control;
        std::int64_t at = 0;
        watcher.on_update = [&](const UpdateDone& event) {
            if (event.update == 9) control.stop();
            at = event.samples_seen;
        };
        runExperiment(1, e, FreshRun{{}, stopped}, control, watcher);
        QCOMPARE(toText(watcher.ended.how), toText(RunEnd::Stopped));
        QVERIFY(at > 0);
        QCOMPARE(listCheckpoints(stopped).front(), at);  // the batch of the ninth update, learned to its end
        const Experiment read = resumableExperiment(table(), stopped);
        const Watcher resumed = resumeRun(read, stopped);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QCOMPARE(resumed.started.resumed_at, at);
        QCOMPARE(firstDifference(resultsOf(stopped), resultsOf(whole)), QString());
        QVERIFY_EXCEPTION_THROWN(resumableExperiment(table(), stopped), Error);  // it is finished now
    }

    void aRunStoppedWithinAnEvaluationGoesOnWithIt_data() {
        QTest::addColumn<QString>("settings");
        QTest::newRow("prompts and a memory") << "memory.size=10";
        QTest::newRow("a head that evaluations solve") << "method.name=analytic-head";
        QTest::newRow("a router that evaluations solve") << "method.name=fly-prompt";
        QTest::newRow("an averaged head") << "method.name=linear-probe method.head_average=0.9";
        QTest::newRow("work behind a session") << "method.name=rainbow-memory memory.size=10";
        QTest::newRow("an early look") << "evaluation.early_look=8";
        QTest::newRow("a program of its own") << "method.name=external method.external_sessions=true "
                                                 "method.external_command=" +
                                                     QString::fromStdString(test::builtLearner("learner_nearest_mean"));
    }
    void aRunStoppedWithinAnEvaluationGoesOnWithIt() {
        QFETCH(QString, settings);
        struct Stopper : Watcher {
            RunControl control;
            int left = 0;  // evaluations until it stops
            void onState(const StateChanged& event) override {
                if (event.detail == "Evaluating" && --left == 0) control.stop();
            }
        };
        const Experiment e = small(settings);
        const fs::path whole = place(std::string("measured ") + QTest::currentDataTag());
        {
            RunControl control;
            Watcher watcher;
            runExperiment(1, e, FreshRun{{}, whole}, control, watcher);
            QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        }
        const auto expected = resultsOf(whole);
        int stops = 0;
        for (int nth = 1;; ++nth) {
            const fs::path run = whole.string() + "-" + std::to_string(nth);
            Stopper stopper;
            stopper.left = nth;
            std::int64_t seen = 0;
            stopper.on_update = [&](const UpdateDone& event) { seen = event.samples_seen; };
            runExperiment(1, e, FreshRun{{}, run}, stopper.control, stopper);
            if (stopper.ended.how == RunEnd::Finished) break;
            QCOMPARE(toText(stopper.ended.how), toText(RunEnd::Stopped));
            ++stops;
            QCOMPARE(listCheckpoints(run).front(), seen);  // nothing that was learned is lost
            const Watcher resumed = resumeRun(resumableExperiment(table(), run), run);
            QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
            QCOMPARE(resumed.started.resumed_at, seen);
            const QString difference = firstDifference(resultsOf(run), expected);
            QVERIFY2(difference.isEmpty(), qPrintable(QString("%1 after evaluation %2").arg(difference).arg(nth)));
        }
        QVERIFY(stops >= 4);  // anytime points and both ends of sessions
    }

    void aRunStoppedWithinTheWorkAfterASessionGoesOnWithIt_data() {
        QTest::addColumn<QString>("settings");
        QTest::newRow("training on the memory") << "method.name=rainbow-memory memory.size=10";
        QTest::newRow("training behind the evaluation")
            << "method.name=rainbow-memory memory.size=10 method.rainbow_evaluation=before";
        QTest::newRow("choice of what is remembered")
            << "method.name=rainbow-memory memory.size=10 memory.kind=uncertainty mask.name=session";
        QTest::newRow("importance of what was learned") << "method.name=online-ewc";
    }
    void aRunStoppedWithinTheWorkAfterASessionGoesOnWithIt() {
        QFETCH(QString, settings);
        struct Stopper : Watcher {
            RunControl control;
            bool at_first_word = false;  // of the work
            void onState(const StateChanged& event) override {
                if (at_first_word && event.state == RunState::Running && event.detail.find(" of ") != std::string::npos)
                    control.stop();
            }
        };
        const Experiment e = small(settings);
        const fs::path whole = place(std::string("worked ") + QTest::currentDataTag());
        // Updates behind the two of a batch are those of the work.
        std::vector<std::int64_t> within;
        {
            Watcher watcher;
            std::map<std::int64_t, int> counts;
            watcher.on_update = [&](const UpdateDone& event) {
                if (++counts[event.samples_seen] > 2) within.push_back(event.update);
            };
            RunControl control;
            runExperiment(1, e, FreshRun{{}, whole}, control, watcher);
            QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        }
        const auto expected = resultsOf(whole);
        within.push_back(-1);  // when the work begins
        QVERIFY(within.size() >= (settings.contains("rainbow") ? 4U : 1U));
        for (const std::int64_t at : within) {
            const fs::path run = whole.string() + "-" + std::to_string(at);
            Stopper stopper;
            stopper.at_first_word = at < 0;
            std::int64_t seen = 0;
            stopper.on_update = [&](const UpdateDone& event) {
                if (event.update == at) stopper.control.stop();
                seen = event.samples_seen;
            };
            runExperiment(1, e, FreshRun{{}, run}, stopper.control, stopper);
            // Behind the very last update there is nothing left to stop.
            if (stopper.ended.how == RunEnd::Finished && at == within[within.size() - 2]) continue;
            QCOMPARE(toText(stopper.ended.how), toText(RunEnd::Stopped));
            QCOMPARE(listCheckpoints(run).front(), seen);  // nothing that was learned from the stream is lost
            const Watcher resumed = resumeRun(resumableExperiment(table(), run), run);
            QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
            QCOMPARE(resumed.started.resumed_at, seen);
            const QString difference = firstDifference(resultsOf(run), expected);
            QVERIFY2(difference.isEmpty(), qPrintable(QString("%1 after update %2").arg(difference).arg(at)));
        }
    }

    void aProgramThatHasChangedSinceIsNoted() {
        const fs::path program = place("learner"), run = place("changed program");
        fs::copy_file(test::builtLearner("learner_nearest_mean"), program);
        const Experiment e = small("method.name=external method.external_sessions=true method.external_command=" +
                                   QString::fromStdString(program.string()));
        Watcher watcher;
        RunControl control;
        watcher.on_update = [&](const UpdateDone& event) {
            if (event.update == 9) control.stop();
        };
        runExperiment(1, e, FreshRun{{}, run}, control, watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Stopped, watcher.ended.error.c_str());
        const auto before = readRun(table(), run).program;
        QVERIFY(before.has_value());
        QCOMPARE(before->name, std::string("nearest mean"));
        QCOMPARE(before->digest.size(), std::size_t{64});
        const fs::path again = place("unchanged program");
        fs::copy(run, again, fs::copy_options::recursive);
        const auto changes = [](const std::vector<std::string>& warnings) {
            return std::ranges::count_if(
                warnings, [](const std::string& one) { return one.find("has changed since") != std::string::npos; });
        };
        QCOMPARE(changes(resumeRun(e, again).started.warnings), 0);

        std::ofstream(program, std::ios::app) << "x";  // bytes behind its end
        const Watcher resumed = resumeRun(e, run);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QCOMPARE(changes(resumed.started.warnings), 1);
        const RunRecord after = readRun(table(), run);
        QVERIFY(after.program->digest != before->digest);
        QCOMPARE(changes(after.origin.warnings), 1);
    }

    void aDamagedCheckpointFallsBackToTheOneBefore_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<bool>("cut");
        QTest::addColumn<QString>("said");
        QTest::newRow("a flipped byte") << "checkpoints/%1.safetensors" << false << "is damaged";
        QTest::newRow("tensors cut short") << "checkpoints/%1.safetensors" << true << "is damaged";
        QTest::newRow("description cut short") << "checkpoints/%1.json" << true << "description cannot be read";
        QTest::newRow("numbers that power took") << "training.csv" << true << "training.csv has lost its end";
    }
    void aDamagedCheckpointFallsBackToTheOneBefore() {
        QFETCH(QString, file);
        QFETCH(bool, cut);
        QFETCH(QString, said);
        const Experiment e = small("memory.size=10");
        const fs::path whole = place(std::string("damaged ") + QTest::currentDataTag());
        const auto copies = runWithCopies(e, whole, 19);
        QVERIFY(!copies.empty());
        const fs::path run = copies.back();
        const auto there = listCheckpoints(run);
        QVERIFY(there.size() >= 2);
        if (file.contains("%1")) file = file.arg(there.front(), 8, 10, QChar('0'));
        const fs::path broken = run / file.toStdString();
        std::string content = contentOf(broken);
        if (cut) {
            const CheckpointRecord newest = readCheckpointRecord(checkpointDescription(run, there.front()));
            const auto length = newest.mark.lengths.find(broken.filename().string());
            content.resize(length == newest.mark.lengths.end() ? content.size() / 2
                                                               : static_cast<std::size_t>(length->second) - 3);
        } else {
            content[content.size() - 9] = static_cast<char>(content[content.size() - 9] ^ 1);
        }
        replaceContent(broken, content);
        const Watcher resumed = resumeRun(e, run);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QVERIFY(resumed.started.resumed_at < there.front());
        QVERIFY2(QString::fromStdString(resumed.started.warnings.back()).contains(said),
                 resumed.started.warnings.back().c_str());
        QCOMPARE(firstDifference(resultsOf(run), resultsOf(whole)), QString());
        const auto kept = nlohmann::json::parse(contentOf(run / "run.json")).at("warnings");
        QCOMPARE(std::count(kept.begin(), kept.end(), resumed.started.warnings.back()), std::ptrdiff_t{1});
    }

    void whereAllCheckpointsAreDamagedThatIsSaidAndTheFolderStays() {
        const Experiment e = small("");
        const auto copies = runWithCopies(e, place("all damaged"), 10);
        QVERIFY(!copies.empty());
        const fs::path run = copies.front();
        for (const std::int64_t samples : listCheckpoints(run))
            replaceContent(checkpointTensors(run, samples), "no tensors");
        const std::string before = contentOf(run / "training.csv"), state = contentOf(run / "run.json");
        const Watcher resumed = resumeRun(e, run);
        QCOMPARE(toText(resumed.ended.how), toText(RunEnd::Failed));
        QVERIFY2(QString::fromStdString(resumed.ended.error).contains("all of them are damaged"),
                 resumed.ended.error.c_str());
        QCOMPARE(contentOf(run / "training.csv"), before);
        QCOMPARE(contentOf(run / "run.json"), state);
    }

    void anotherExperimentIsRefusedWithWhatDiffers_data() {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("said");
        QTest::newRow("method") << "method.name=l2p"
                                << "method.name was dualprompt and is l2p";
        QTest::newRow("mask") << "mask.name=seen"
                              << "mask.name was batch and is seen";
        QTest::newRow("seed") << "seed=2"
                              << "seed was 1 and is 2";
        QTest::newRow("threads") << "threads=2"
                                 << "threads was 1 and is 2";
        QTest::newRow("backbone") << "backbone.activation=quick-gelu"
                                  << "backbone.activation was auto and is quick-gelu";
    }
    void anotherExperimentIsRefusedWithWhatDiffers() {
        QFETCH(QString, change);
        QFETCH(QString, said);
        const auto copies = runWithCopies(small(""), place(std::string("other ") + QTest::currentDataTag()), 10);
        QVERIFY(!copies.empty());
        const std::string before = contentOf(copies.front() / "training.csv");
        const Watcher resumed = resumeRun(small(change), copies.front());
        QCOMPARE(toText(resumed.ended.how), toText(RunEnd::Failed));
        QVERIFY2(QString::fromStdString(resumed.ended.error).contains(said), resumed.ended.error.c_str());
        QVERIFY(resumed.ended.kind == ErrorKind::Input);
        QCOMPARE(contentOf(copies.front() / "training.csv"), before);
    }

    void withoutRoomForCheckpointsThereAreNone() {
        const Experiment e = small("evaluation.checkpoints=0");
        const auto copies = runWithCopies(e, place("none kept"), 10);
        QVERIFY(!copies.empty());
        QVERIFY(listCheckpoints(place("none kept")).empty());
        QVERIFY(statesOf(place("none kept")).size() >= 4);  // hashes are reported nevertheless
        const Watcher resumed = resumeRun(e, copies.front());
        QVERIFY2(QString::fromStdString(resumed.ended.error).contains("no checkpoint to go on from"),
                 resumed.ended.error.c_str());
    }

    void zeroedRowsAreLearnedAnew() {
        const Experiment e = small("memory.size=10");
        const fs::path whole = place("unzeroed");
        const auto copies = runWithCopies(e, whole, 20);
        QVERIFY(!copies.empty());
        const fs::path run = copies.front();
        const auto moments = listCheckpoints(run);
        QVERIFY(moments.size() >= 3);
        // A disk that lost what it said it had: as long as before, but the last rows of the newest checkpoint's are
        // zero.
        const std::int64_t end =
            readCheckpointRecord(checkpointDescription(run, moments[0])).mark.lengths.at("training.csv");
        std::string text = contentOf(run / "training.csv");
        text.replace(static_cast<std::size_t>(end) - 8, 8, 8, '\0');
        replaceContent(run / "training.csv", text);
        const Watcher resumed = resumeRun(e, run);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QCOMPARE(resumed.started.resumed_at, moments[1]);
        QVERIFY(std::any_of(
            resumed.started.warnings.begin(), resumed.started.warnings.end(),
            [](const std::string& one) { return one.find("training.csv is damaged") != std::string::npos; }));
        QCOMPARE(firstDifference(resultsOf(run), resultsOf(whole)), QString());
    }

    void aRunKilledBeforeItsFirstCheckpointBeginsAnewInItsFolder_data() {
        QTest::addColumn<bool>("claimed");
        QTest::newRow("as it began") << false;
        QTest::newRow("as its folder was made") << true;
    }
    void aRunKilledBeforeItsFirstCheckpointBeginsAnewInItsFolder() {
        QFETCH(bool, claimed);
        const Experiment e = small("method.name=er memory.size=10");
        const fs::path whole = place(claimed ? "claimed" : "early"), run = whole.string() + "-killed";
        const auto copies = runWithCopies(e, whole, 1);
        QVERIFY(!copies.empty());
        fs::copy(copies.front(), run, fs::copy_options::recursive);
        forgetMeasured(run);
        replaceContent(run / "library.json", "{\"note\": \"mine\"}");
        // The process that wrote the copy is this one; a killed one is gone.
        auto written = nlohmann::json::parse(contentOf(run / "run.json"));
        written["process"] = "gone";
        replaceContent(run / "run.json", written.dump());
        if (claimed) {
            replaceContent(run / "run.json", "");
            for (const char* name : {"anytime.csv", "training.csv", "classes.csv"}) fs::remove(run / name);
        }
        QVERIFY(neverLearned(table(), run));
        QCOMPARE(resumableExperiment(table(), run).training.batch_size, e.training.batch_size);
        const Watcher resumed = resumeRun(resumableExperiment(table(), run), run);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QCOMPARE(firstDifference(resultsOf(run), resultsOf(whole)), QString());
        QCOMPARE(contentOf(run / "library.json"), std::string("{\"note\": \"mine\"}"));
        QVERIFY(readRunState(run) == RecordedState::Finished);
        QVERIFY(!neverLearned(table(), run));
    }

    void aRunWhoseCheckpointsWereTakenAwayIsNotBegunAnew() {
        const Experiment e = small("");
        const fs::path whole = place("bare");
        const auto copies = runWithCopies(e, whole, 20);
        QVERIFY(!copies.empty());
        fs::remove_all(checkpointsFolder(copies.front()));
        QVERIFY(!neverLearned(table(), copies.front()));
        const std::string before = contentOf(copies.front() / "anytime.csv");
        const Watcher resumed = resumeRun(e, copies.front());
        QVERIFY(resumed.ended.how == RunEnd::Failed);
        QCOMPARE(contentOf(copies.front() / "anytime.csv"), before);
    }

    void aRunThatMayHaveMeasuredIsNotBegunAnew_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QByteArray>("added");  // to what stood there
        QTest::newRow("a session") << "sessions.csv" << QByteArray("0,0,0.5,10\n");
        QTest::newRow("classes") << "classes.csv" << QByteArray("10,0,0.5,10\n");
        QTest::newRow("a torn row of a session") << "sessions.csv" << QByteArray("0,0,");
        QTest::newRow("a damaged row") << "anytime.csv" << QByteArray("\0\0\0\0\0\0\n", 7);
        QTest::newRow("predictions") << "predictions/00000010.npy" << QByteArray("x");
        QTest::newRow("predictions in place of their folder") << "predictions" << QByteArray("x");
        QTest::newRow("a link in place of a table") << "classes.csv" << QByteArray();
    }
    void aRunThatMayHaveMeasuredIsNotBegunAnew() {
        QFETCH(QString, file);
        QFETCH(QByteArray, added);
        const Experiment e = small("");
        const fs::path run = place("measured-" + std::string(QTest::currentDataTag()));
        const auto copies = runWithCopies(e, run.string() + "-whole", 1);
        QVERIFY(!copies.empty());
        fs::copy(copies.front(), run, fs::copy_options::recursive);
        forgetMeasured(run);
        QVERIFY(neverLearned(table(), run));
        const fs::path changed = run / file.toStdString();
        const std::string content = fs::is_regular_file(changed) ? contentOf(changed) : "";
        fs::remove_all(changed);
        if (added.isEmpty()) {
            replaceContent(run / "elsewhere", content);
            fs::create_symlink("elsewhere", changed);
        } else {
            replaceContent(changed, content + added.toStdString());
        }
        QVERIFY(!neverLearned(table(), run));
    }

    void whatALossOfPowerLeftBesideTheFirstPredictionsIsRemoved() {
        const fs::path run = place("begun");
        const Experiment e = small("");
        const fs::path copy = runWithCopies(e, run, 2).front();
        QVERIFY(predictionMoments(copy).empty());
        const fs::path left = predictionsFolder(copy) / "00000008.npy.0123456789abcdef.part";
        fs::create_directories(left.parent_path());
        replaceContent(left, "half");
        resumeRun(e, copy);
        QVERIFY(!fs::exists(left));
        QVERIFY(!predictionMoments(copy).empty());
    }

    void noFileOutsideOfARunIsWrittenThroughItsLinks_data() {
        QTest::addColumn<QString>("name");
        for (const char* name :
             {"run.json.part", "summary.json.part", "experiment.toml.part", "anytime.csv", "training.csv",
              "checkpoints", "predictions", "run.json", "summary.json", "predictions.csv"})
            QTest::newRow(name) << QString(name);
    }
    void noFileOutsideOfARunIsWrittenThroughItsLinks() {
        QFETCH(QString, name);
        const fs::path run = place("linked-" + name.toStdString()), victims = place("victims-" + name.toStdString());
        const Experiment e = small("");
        const auto copies = runWithCopies(e, run, 20);
        QVERIFY(!copies.empty());
        const fs::path evil = copies.front(), planted = evil / name.toStdString();
        // What the victim has is what the run would expect to find there.
        fs::create_directory(victims);
        const fs::path victim = victims / "target";
        if (fs::exists(planted))
            fs::rename(planted, victim);
        else
            replaceContent(victim, "mine\n");
        fs::create_symlink(victim, planted);
        std::map<std::string, std::string> before;
        for (const auto& entry : fs::recursive_directory_iterator(victims))
            if (entry.is_regular_file()) before[entry.path().string()] = contentOf(entry.path());
        QVERIFY(!before.empty());
        resumeRun(e, evil);
        std::map<std::string, std::string> after;
        for (const auto& entry : fs::recursive_directory_iterator(victims))
            if (entry.is_regular_file()) after[entry.path().string()] = contentOf(entry.path());
        QVERIFY(after == before);
    }

    void aDiskTooFullForACheckpointHoldsTheRunAndLosesNothing() {
        const Experiment e = small("memory.size=10");
        const fs::path whole = place("roomy"), run = place("no room"), left = place("killed while full");
        QVERIFY(!runWithCopies(e, whole, 100).empty() || fs::exists(whole / "summary.json"));
        const auto moments = listCheckpoints(whole);
        QVERIFY(moments.size() >= 3);
        auto least = fs::file_size(checkpointTensors(whole, moments.front()));
        for (const std::int64_t at : moments) least = std::min(least, fs::file_size(checkpointTensors(whole, at)));
        // A limit on the size of files simulates the full disk: it fails the same system call.
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const auto handler = signal(SIGXFSZ, SIG_IGN);
        const auto back = qScopeGuard([&] {
            setrlimit(RLIMIT_FSIZE, &before);
            signal(SIGXFSZ, handler);
        });
        struct FullDisk : Watcher {
            std::function<void(const StateChanged&)> on_state;
            void onState(const StateChanged& event) override { on_state(event); }
        } watcher;
        watcher.on_update = [&](const UpdateDone& event) {
            // Tables are smaller until then.
            const rlimit limit{least - 1, before.rlim_max};
            if (event.update == 9) setrlimit(RLIMIT_FSIZE, &limit);
        };
        std::string said;
        watcher.on_state = [&](const StateChanged& state) {
            if (state.state != RunState::Paused || state.detail.empty()) return;
            setrlimit(RLIMIT_FSIZE, &before);
            if (said.empty()) fs::copy(run, left, fs::copy_options::recursive);
            said = state.detail;
        };
        RunControl control;
        runExperiment(1, e, FreshRun{{}, run}, control, watcher);
        QVERIFY2(said.find("checkpoints") != std::string::npos, said.c_str());
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        QCOMPARE(firstDifference(resultsOf(run), resultsOf(whole)), QString());
        QVERIFY(fs::exists(left));
        for (const fs::path& folder : {run, left})
            for (const std::int64_t at : listCheckpoints(folder))
                QCOMPARE(checkpointDamage(folder, readCheckpointRecord(checkpointDescription(folder, at))),
                         std::string());
        const Watcher resumed = resumeRun(e, left);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QCOMPARE(firstDifference(resultsOf(left), resultsOf(whole)), QString());
    }

    void aForkWithNothingChangedIsTheRunItself() {
        const Experiment e = small("method.name=er memory.size=10");
        const fs::path whole = place("forked");
        QVERIFY(!runWithCopies(e, whole, 20).empty());
        const auto moments = listCheckpoints(whole);
        QVERIFY(moments.size() >= 4);
        const std::int64_t at = moments[2];
        Watcher watcher;
        RunControl control;
        runExperiment(1, e, ForkedRun{{}, place("fork"), whole, at}, control, watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        QCOMPARE(watcher.started.resumed_at, at);
        QCOMPARE(firstDifference(resultsOf(place("fork")), resultsOf(whole)), QString());
        const auto run = nlohmann::json::parse(contentOf(place("fork") / "run.json"));
        QCOMPARE(QString::fromStdString(run.at("parent").at("run")), QString::fromStdString(whole.string()));
        QCOMPARE(run.at("parent").at("samples_seen").get<std::int64_t>(), at);
    }

    void aForkSharesThePastAndGoesItsOwnWay_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("change");
        QTest::newRow("mask") << "memory.size=10"
                              << "mask.name=none";
        QTest::newRow("learning rate") << ""
                                       << "training.learning_rate=0.05";
        QTest::newRow("smaller memory") << "method.name=er memory.size=10"
                                        << "memory.size=4";
        QTest::newRow("larger memory") << "method.name=er memory.size=10"
                                       << "memory.size=20";
        QTest::newRow("no memory any more") << "method.name=er memory.size=10"
                                            << "memory.size=0";
        QTest::newRow("a memory from now on") << "method.name=er"
                                              << "memory.size=10";
        QTest::newRow("smaller memory with logits") << "method.name=derpp memory.size=10"
                                                    << "memory.size=4";
        QTest::newRow("fewer hard images") << "method.name=online-lora"
                                           << "method.lora_hard_images=2";
        QTest::newRow("smaller memory of CLIB") << "method.name=clib memory.size=10"
                                                << "memory.size=4";
        QTest::newRow("larger memory of CLIB") << "method.name=clib memory.size=10"
                                               << "memory.size=20";
        QTest::newRow("balanced memory") << "method.name=er memory.size=10 memory.kind=balanced"
                                         << "memory.size=4";
        QTest::newRow("a slow backbone from now on") << "method.name=finetune"
                                                     << "method.backbone_learning_rate=0.00005";
        QTest::newRow("a slow backbone no more") << "method.name=finetune method.backbone_learning_rate=0.00005"
                                                 << "method.backbone_learning_rate=0";
        QTest::newRow("method's option") << "method.name=lwf"
                                         << "method.lwf_weight=5";
    }
    void aForkSharesThePastAndGoesItsOwnWay() {
        QFETCH(QString, settings);
        QFETCH(QString, change);
        const fs::path whole = place(std::string("parent ") + QTest::currentDataTag());
        const fs::path fork = place(std::string("child ") + QTest::currentDataTag());
        QVERIFY(!runWithCopies(small(settings), whole, 20).empty());
        const std::int64_t at = listCheckpoints(whole)[2];
        const CheckpointRecord record = readCheckpointRecord(checkpointDescription(whole, at));
        Watcher watcher;
        RunControl control;
        runExperiment(1, small(settings + " " + change), ForkedRun{{}, fork, whole, at}, control, watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        const auto length = static_cast<std::size_t>(record.mark.lengths.at("training.csv"));
        const std::string before = contentOf(whole / "training.csv"), after = contentOf(fork / "training.csv");
        QCOMPARE(after.substr(0, length), before.substr(0, length));
        QCOMPARE(std::count(after.begin(), after.end(), '\n'), std::count(before.begin(), before.end(), '\n'));
        QVERIFY(after != before);
    }

    void aForkSaysWhatItIsAForkOfAndWhatDiffers() {
        const fs::path whole = place("named parent"), fork = place("fork with a name");
        QVERIFY(!runWithCopies(small(""), whole, 20).empty());
        Watcher watcher;
        RunControl control;
        runExperiment(1, small("mask.name=none"), ForkedRun{{}, fork, whole, listCheckpoints(whole)[2]}, control,
                      watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        QVERIFY(watcher.started.fork.has_value());
        QCOMPARE(watcher.started.fork->name, std::string("Small"));
        QCOMPARE(watcher.started.fork->parent, whole.string());
        QCOMPARE(watcher.started.fork->differences, (std::vector<std::string>{"Logit mask: batch → none"}));
    }

    void aForkAtTheEndOfTheStreamIsRefused() {
        const fs::path whole = place("at its end"), fork = place("fork of the end");
        QVERIFY(!runWithCopies(small(""), whole, 20).empty());
        const std::int64_t end = listCheckpoints(whole).front(), before = forkableCheckpoints(whole).front();
        QCOMPARE(end, readRun(table(), whole).total_samples);
        QVERIFY(before < end);
        QCOMPARE(newestForkableCheckpoint(whole).record.samples_seen, before);
        Watcher watcher;
        RunControl control;
        runExperiment(1, small("mask.name=none"), ForkedRun{{}, fork, whole, end}, control, watcher);
        QCOMPARE(toText(watcher.ended.how), toText(RunEnd::Failed));
        QVERIFY(watcher.ended.kind == ErrorKind::Input);
        QVERIFY2(QString::fromStdString(watcher.ended.error).contains("a fork would learn nothing"),
                 watcher.ended.error.c_str());
        QVERIFY2(QString::fromStdString(watcher.ended.hint).startsWith("Choose an earlier moment"),
                 watcher.ended.hint.c_str());
        QVERIFY(!fs::exists(fork));
    }

    void timesAndSpeedsOfAForkAreItsOwn() {
        const fs::path whole = place("took long"), fork = place("took its own time"), killed = place("fork, killed");
        QVERIFY(!runWithCopies(small(""), whole, 20).empty());
        const std::int64_t at = listCheckpoints(whole)[2];
        // The parent seems to have run for eleven days.
        const fs::path description = checkpointDescription(whole, at);
        auto parent = nlohmann::json::parse(contentOf(description));
        parent["seconds"] = parent["training_seconds"] = 1e6;
        replaceContent(description, parent.dump());
        Watcher watcher;
        std::int64_t updates = 0;
        watcher.on_update = [&](const UpdateDone&) {
            if (++updates == 5) fs::copy(fork, killed, fs::copy_options::recursive);
        };
        RunControl control;
        runExperiment(1, small("mask.name=none"), ForkedRun{{}, fork, whole, at}, control, watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        const Watcher resumed = resumeRun(small("mask.name=none"), killed);
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        const CheckpointRecord begin = readCheckpointRecord(description);
        for (const auto& [run, ended] : {std::pair(fork, watcher.ended), std::pair(killed, resumed.ended)}) {
            const CheckpointRecord end = readCheckpointRecord(checkpointDescription(run, listCheckpoints(run).front()));
            const auto images = static_cast<double>(end.samples_seen - begin.samples_seen);
            const auto batches = static_cast<double>(end.batches - begin.batches);
            QVERIFY(ended.summary.seconds < 1e5);
            QVERIFY(end.training_seconds > 0);
            QCOMPARE(ended.summary.images_per_second, images / end.training_seconds);
            QCOMPARE(ended.summary.batch_seconds, end.training_seconds / batches);
        }
    }

    void aForkThatWouldBeAnotherRunIsRefused_data() {
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("said");
        QTest::newRow("stream") << "stream.sessions=3"
                                << "(stream.sessions) was 2 and is 3";
        QTest::newRow("method") << "method.name=l2p"
                                << "(method.name) was dualprompt and is l2p";
        QTest::newRow("batch") << "training.batch_size=4"
                               << "(training.batch_size) was 8 and is 4";
        QTest::newRow("shape") << "method.pool_size=2"
                               << "instead of [2,";
    }
    void aForkThatWouldBeAnotherRunIsRefused() {
        QFETCH(QString, change);
        QFETCH(QString, said);
        const fs::path whole = place(std::string("fork of ") + QTest::currentDataTag());
        const fs::path fork = place(std::string("no fork ") + QTest::currentDataTag());
        QVERIFY(!runWithCopies(small(""), whole, 20).empty());
        Watcher watcher;
        RunControl control;
        runExperiment(1, small(change), ForkedRun{{}, fork, whole, listCheckpoints(whole)[2]}, control, watcher);
        QCOMPARE(toText(watcher.ended.how), toText(RunEnd::Failed));
        QVERIFY2(QString::fromStdString(watcher.ended.error).contains(said), watcher.ended.error.c_str());
        QVERIFY(!fs::exists(fork));
    }

    void whatWasChangedOnTheWayIsReplayed_data() {
        QTest::addColumn<QString>("settings");
        QTest::newRow("ER") << "method.name=er memory.size=10";
        QTest::newRow("a slow backbone") << "method.name=finetune method.backbone_learning_rate=0.0005";
    }
    void whatWasChangedOnTheWayIsReplayed() {
        QFETCH(QString, settings);
        const Experiment e = small(settings);
        const std::string of = std::string(QTest::currentDataTag()) + ", ";
        const fs::path changed = place(of + "changed"), again = place(of + "replayed"),
                       plain = place(of + "not changed");
        QVERIFY(!runWithCopies(e, plain, 20).empty());
        Watcher watcher;
        RunControl control;
        std::vector<fs::path> copies;
        std::vector<LiveChange> made;
        watcher.on_update = [&](const UpdateDone& event) {
            const auto change = [&](const char* key, const char* value) {
                control.change({key, value});
                made.push_back({key, value, event.samples_seen});
            };
            if (event.update == 5) change("mask.name", "none");
            if (event.update == 11) change("training.learning_rate", "0.05");
            if (event.update == 14) change("evaluation.every_samples", "16");
            if (event.update == 9 || event.update == 19) {
                copies.push_back(changed.string() + std::to_string(event.update));
                fs::copy(changed, copies.back(), fs::copy_options::recursive);
            }
        };
        runExperiment(1, e, FreshRun{{}, changed}, control, watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        QVERIFY(!firstDifference(resultsOf(changed), resultsOf(plain)).isEmpty());
        const std::vector<LiveChange> recorded = recordedChanges(changed);
        QCOMPARE(made.size(), std::size_t{3});
        QVERIFY(recorded == made);
        RunControl replay;
        for (const LiveChange& change : recorded) replay.change(change);
        Watcher replayed;
        runExperiment(1, e, FreshRun{{}, again}, replay, replayed);
        QVERIFY2(replayed.ended.how == RunEnd::Finished, replayed.ended.error.c_str());
        QCOMPARE(firstDifference(resultsOf(again), resultsOf(changed)), QString());
        // Changes before the kill belong to the state, with or without an evaluation in between.
        QCOMPARE(copies.size(), std::size_t{2});
        QCOMPARE(recordedChanges(copies[0]).size(), std::size_t{1});
        for (const std::size_t kill : {0, 1}) {
            Watcher after;
            RunControl changes;
            for (std::size_t i = recordedChanges(copies[kill]).size(); i < made.size(); ++i) changes.change(made[i]);
            runExperiment(1, e, ResumedRun{copies[kill]}, changes, after);
            QVERIFY2(after.ended.how == RunEnd::Finished, after.ended.error.c_str());
            QCOMPARE(firstDifference(resultsOf(copies[kill]), resultsOf(changed)), QString());
        }
        // A fork begins with the settings of the moment when its checkpoint was written.
        const std::int64_t at = listCheckpoints(changed)[1];
        QVERIFY(at > made.back().at);
        for (const bool back : {false, true}) {
            const fs::path fork = place(of + (back ? "fork with the first mask" : "fork of the changed"));
            Experiment forked = forkedExperiment(table(), e, recorded, at);
            QCOMPARE(forked.mask.name, std::string("none"));
            QCOMPARE(forked.evaluation.every_samples, std::int64_t{16});
            if (back) forked.mask.name = e.mask.name;
            Watcher branch;
            RunControl nobody;
            runExperiment(1, forked, ForkedRun{{}, fork, changed, at}, nobody, branch);
            QVERIFY2(branch.ended.how == RunEnd::Finished, branch.ended.error.c_str());
            QCOMPARE(firstDifference(resultsOf(fork), resultsOf(changed)).isEmpty(), !back);
        }
    }

    void aRunOfAnImportedStreamIsGoneOnWithFromItsOwnList() {
        Experiment e = small("");
        const auto labels = experimentLabels(e);
        const StreamPlan plan = planExperimentStream(e, labels->train, std::ssize(labels->class_names));
        replaceContent(place("list.json"), formatIndexList(plan));
        e.stream.partition = "imported";
        e.stream.index_list = place("list.json").string();
        const fs::path whole = place("imported");
        const auto copies = runWithCopies(e, whole, 9);
        QVERIFY(!copies.empty());
        fs::remove(place("list.json"));
        const Watcher resumed = resumeRun(readExperiment(table(), copies.front() / "experiment.toml"), copies.front());
        QVERIFY2(resumed.ended.how == RunEnd::Finished, resumed.ended.error.c_str());
        QCOMPARE(firstDifference(resultsOf(copies.front()), resultsOf(whole)), QString());
    }

    void aRunWhoseFolderIsGoneWaitsUntilItIsBack() {
        const Experiment e = small("");
        const fs::path whole = place("stays"), run = place("goes"), away = place("away");
        QVERIFY(!runWithCopies(e, whole, 20).empty());
        struct : Watcher {
            fs::path run, away;
            int waits = 0;
            void onState(const StateChanged& state) override {
                if (state.reason != PauseReason::Unwritable) return;
                ++waits;
                if (fs::exists(away)) fs::rename(away, run);
            }
        } watcher;
        watcher.run = run;
        watcher.away = away;
        watcher.on_update = [&](const UpdateDone& event) {
            if (event.update == 9) fs::rename(run, away);
        };
        RunControl control;
        runExperiment(1, e, FreshRun{{}, run}, control, watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        QVERIFY(watcher.waits > 0);
        QVERIFY(!fs::exists(away));
        QCOMPARE(firstDifference(resultsOf(run), resultsOf(whole)), QString());
        QVERIFY(listCheckpoints(run) == listCheckpoints(whole));
    }

    void evaluationsThatAreAskedForLaterComeWhereTheyWouldHaveCome() {
        const fs::path first = place("every 16"), later = place("every 16, later");
        QVERIFY(!runWithCopies(small("evaluation.every_samples=16"), first, 20).empty());
        Watcher watcher;
        RunControl control;
        control.change({"evaluation.every_samples", "16", 24});
        runExperiment(1, small("evaluation.every_samples=24"), FreshRun{{}, later}, control, watcher);
        const auto momentsOf = [](const fs::path& run) {
            std::vector<std::int64_t> moments;
            for (const AnytimePoint& point : readRun(table(), run).anytime)
                if (point.samples_seen > 24) moments.push_back(point.samples_seen);
            return moments;
        };
        QVERIFY(momentsOf(first).size() > 2);
        QVERIFY(momentsOf(later) == momentsOf(first));
    }

    void aForkOfAChangedRunHasWhatItsExperimentSays_data() {
        QTest::addColumn<bool>("follows");
        QTest::newRow("as the run was then") << true;
        QTest::newRow("as the run began") << false;
    }
    void aForkOfAChangedRunHasWhatItsExperimentSays() {
        QFETCH(bool, follows);
        const Experiment e = small("");
        const fs::path changed = place(std::string("changed ") + QTest::currentDataTag());
        const fs::path fork = place(std::string("fork of a changed run ") + QTest::currentDataTag());
        Watcher watcher;
        RunControl control;
        watcher.on_update = [&](const UpdateDone& event) {
            if (event.update == 5) control.change({"mask.name", "none"});
        };
        runExperiment(1, e, FreshRun{{}, changed}, control, watcher);
        QVERIFY2(watcher.ended.how == RunEnd::Finished, watcher.ended.error.c_str());
        const std::int64_t at = listCheckpoints(changed)[2];
        const std::vector<LiveChange> changes = changesSinceBegin(changed);
        QCOMPARE(changes.size(), std::size_t{1});
        QVERIFY(changes[0].at < at);
        const Experiment then = forkedExperiment(table(), e, changes, at);
        QCOMPARE(then.mask.name, std::string("none"));
        QCOMPARE(forkedExperiment(table(), e, changes, changes[0].at).mask.name, e.mask.name);
        Watcher forked;
        RunControl own;
        runExperiment(1, follows ? then : e, ForkedRun{{}, fork, changed, at}, own, forked);
        QVERIFY2(forked.ended.how == RunEnd::Finished, forked.ended.error.c_str());
        QCOMPARE(firstDifference(resultsOf(fork), resultsOf(changed)).isEmpty(), follows);
        QVERIFY(changesSinceBegin(fork).empty());
    }

    void onlyWhatCanBeChangedOnTheWayIs_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("change");
        QTest::addColumn<QString>("said");
        QTest::newRow("stream") << ""
                                << "stream.sessions=3"
                                << "cannot be changed while a run goes on";
        QTest::newRow("learnable mask") << ""
                                        << "mask.name=learnable"
                                        << "from its beginning or not at all";
        QTest::newRow("CLIB's rate") << "method.name=clib memory.size=10"
                                     << "training.learning_rate=1"
                                     << "CLIB finds its learning rate by itself";
        QTest::newRow("no such mask") << ""
                                      << "mask.name=bacth"
                                      << "Did you mean";
        QTest::newRow("no such option") << ""
                                        << "mask.nam=batch"
                                        << "mask.name";
    }
    void onlyWhatCanBeChangedOnTheWayIs() {
        QFETCH(QString, settings);
        QFETCH(QString, change);
        QFETCH(QString, said);
        try {
            requireLive(table(), small(settings), liveChange(change.toStdString()));
            QFAIL("it was let through");
        } catch (const Error& error) {
            QVERIFY2(QString::fromStdString(error.sentence()).contains(said), error.sentence().c_str());
        }
    }

    void aRunPausesByItselfWhereItWasToldTo_data() {
        QTest::addColumn<PauseCondition>("condition");
        QTest::newRow("session border") << PauseCondition{.session_end = true};
        QTest::newRow("accuracy") << PauseCondition{.session = 0, .below = 1.1};
    }
    void aRunPausesByItselfWhereItWasToldTo() {
        QFETCH(PauseCondition, condition);
        struct Stopper : Watcher {
            RunControl* control = nullptr;
            std::int64_t seen = 0, paused_at = -1, first_evaluation = -1;
            void onEvaluated(const Evaluated& event) override {
                if (first_evaluation < 0) first_evaluation = event.samples_seen;
            }
            std::vector<StateChanged> pauses;
            void onState(const StateChanged& state) override {
                if (state.state != RunState::Paused) return;
                pauses.push_back(state);
                paused_at = seen;
                control->resume();
            }
        } watcher;
        RunControl control;
        watcher.control = &control;
        watcher.on_update = [&](const UpdateDone& event) { watcher.seen = event.samples_seen; };
        control.pauseWhen(condition);
        runExperiment(1, small(""), FreshRun{{}, place(std::string("pausing ") + QTest::currentDataTag())}, control,
                      watcher);
        QCOMPARE(toText(watcher.ended.how), toText(RunEnd::Finished));
        const std::int64_t border = std::ssize(watcher.started.plan->sessions.front());
        QCOMPARE(watcher.paused_at, condition.session_end ? border : watcher.first_evaluation);
        QVERIFY(!control.pauseCondition().any());
        QCOMPARE(watcher.pauses.size(), std::size_t{1});
        QVERIFY(watcher.pauses[0].reason == PauseReason::Condition);
        QVERIFY2(QString::fromStdString(watcher.pauses[0].detail)
                     .startsWith(condition.session_end ? "Session 1 has ended." : "The accuracy of session 1 is "),
                 watcher.pauses[0].detail.c_str());
    }

    void aPauseAtAnyMomentChangesNoState() {
        const Experiment e = small("method.name=clib memory.size=10");
        const fs::path whole = place("unpaused"), paused = place("paused");
        QVERIFY(!runWithCopies(e, whole, 20).empty());
        Watcher watcher;
        RunControl control;
        watcher.on_update = [&](const UpdateDone&) { control.step(); };
        control.step();
        runExperiment(1, e, FreshRun{{}, paused}, control, watcher);
        QCOMPARE(toText(watcher.ended.how), toText(RunEnd::Finished));
        QCOMPARE(firstDifference(resultsOf(paused), resultsOf(whole)), QString());
    }
};

PALIMPSEST_GUILESS_TEST(TestResume)

}  // namespace tst_resume

#include "tst_resume.moc"
