// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/ATen.h>
#include <sys/resource.h>
#include <QScopeGuard>
#include <QTemporaryDir>
#include <algorithm>
#include <csignal>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/api.h"
#include "engine/record/run_folder.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_run_experiment {

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

Experiment quick() {
    Experiment e = table().defaults();
    e.name = "Quick";
    e.stream.dataset = "shapes";
    e.stream.train_limit = 200;
    e.stream.test_limit = 40;
    e.stream.sessions = 2;
    e.backbone.weights = "random";
    e.method.name = "linear-probe";
    e.precision = "float32";
    e.threads = 1;
    e.evaluation.every_samples = 64;
    return e;
}

struct Recorded : RunObserver {
    std::vector<Evaluated> evaluations;
    std::vector<EarlyLook> looks;
    std::vector<SessionEnded> sessions;
    std::vector<BatchLearned> batches;
    std::vector<RunState> states;
    RunStarted started;
    RunEnded ended;
    int ends = 0;
    std::function<void(const BatchLearned&)> onBatchDone;
    std::function<void(const StateChanged&)> onStateTold;

    void onStarted(const RunStarted& e) override { started = e; }
    void onState(const StateChanged& e) override {
        states.push_back(e.state);
        if (onStateTold) onStateTold(e);
    }
    void onBatch(const BatchLearned& e) override {
        batches.push_back(e);
        if (onBatchDone) onBatchDone(e);
    }
    void onEvaluated(const Evaluated& e) override { evaluations.push_back(e); }
    void onEarlyLook(const EarlyLook& e) override { looks.push_back(e); }
    void onSessionEnded(const SessionEnded& e) override { sessions.push_back(e); }
    void onEnded(const RunEnded& e) override {
        ended = e;
        ++ends;
    }
};

std::string fileText(const std::filesystem::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

class TestRunExperiment : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::filesystem::path place(const char* name) const { return folder_.filePath(name).toStdString(); }
    static void set(Experiment& experiment, const QString& setting) {
        const QStringList parts = setting.split('=');
        table().setText(experiment, parts[0].toStdString(), parts[1].toStdString());
    }
    Recorded runTo(const std::filesystem::path& exact, const Experiment& experiment) {
        Recorded recorded;
        RunControl control;
        runExperiment(7, experiment, FreshRun{{}, exact}, control, recorded);
        return recorded;
    }

private Q_SLOTS:
    void sameExperimentSameBits() {
        Experiment e = quick();
        e.method.name = "dualprompt";
        e.memory.size = 20;
        e.memory.batch_size = 8;
        const Recorded a = runTo(place("same-a"), e), b = runTo(place("same-b"), e);
        QCOMPARE(toText(a.ended.how), toText(RunEnd::Finished));
        for (const char* file : {"anytime.csv", "sessions.csv", "classes.csv", "training.csv"}) {
            QVERIFY(!fileText(place("same-a") / file).empty());
            QCOMPARE(fileText(place("same-a") / file), fileText(place("same-b") / file));
        }
        QCOMPARE(a.started.fingerprint, b.started.fingerprint);
    }

    void aRunWithoutMemoryEndsWithASentence_data() {
        QTest::addColumn<bool>("tensor");
        QTest::newRow("of the program") << false;
        QTest::newRow("of LibTorch") << true;
    }
    void aRunWithoutMemoryEndsWithASentence() {
        QFETCH(bool, tensor);
        Recorded recorded;
        recorded.onBatchDone = [tensor](const BatchLearned&) {
            if (!tensor) throw std::bad_alloc();
            at::empty({std::int64_t{1} << 46});
        };
        RunControl control;
        const std::filesystem::path folder = place(tensor ? "no-memory-1" : "no-memory-2");
        runExperiment(7, quick(), FreshRun{{}, folder}, control, recorded);
        QCOMPARE(recorded.ends, 1);
        QCOMPARE(toText(recorded.ended.how), toText(RunEnd::Failed));
        QVERIFY2(QString::fromStdString(recorded.ended.error).endsWith("ran out of memory."),
                 recorded.ended.error.c_str());
        QVERIFY(!recorded.ended.hint.empty());
        QCOMPARE(toText(readRunState(folder)), toText(RecordedState::Failed));
    }

    void anEarlyLookIsRecordedAndChangesNoNumber_data() {
        QTest::addColumn<QString>("method");
        for (const char* method : {"dualprompt", "mvp", "er", "fly-prompt"}) QTest::newRow(method) << method;
    }
    void anEarlyLookIsRecordedAndChangesNoNumber() {
        QFETCH(QString, method);
        Experiment e = quick();
        for (const char* setting :
             {"stream.train_limit=128", "training.updates_per_batch=1", "memory.size=20",
              "evaluation.every_samples=100", "method.random_features=50", "method.fly_experts=2"})
            set(e, setting);
        e.method.name = method.toStdString();
        const QByteArray name = "look-" + method.toUtf8();
        set(e, "evaluation.early_look=0");
        const Recorded without = runTo(place(name + "-none"), e);
        // The first session ends after 25 images, where there is an evaluation anyway.
        set(e, "evaluation.early_look=40");
        const Recorded with = runTo(place(name + "-early"), e);
        QVERIFY2(with.ended.how == RunEnd::Finished, with.ended.error.c_str());
        QVERIFY(without.looks.empty());
        QVERIFY(!std::filesystem::exists(place(name + "-none") / "early.csv"));
        QCOMPARE(with.looks.size(), std::size_t{1});
        QCOMPARE(with.looks[0].samples_seen, std::int64_t{57});
        QVERIFY(with.looks[0].test_images > 0 && with.looks[0].test_images <= 40);
        const RunRecord record = readRun(table(), place(name + "-early"));
        QCOMPARE(record.early.size(), std::size_t{1});
        QCOMPARE(record.early[0].accuracy, with.looks[0].accuracy);
        for (const char* file : {"anytime.csv", "sessions.csv", "classes.csv", "training.csv"})
            QCOMPARE(fileText(place(name + "-none") / file), fileText(place(name + "-early") / file));
        const auto states = [&](const char* which) {
            return nlohmann::json::parse(fileText(place(name + which) / "run.json")).at("states").dump();
        };
        QCOMPARE(states("-none"), states("-early"));
        QCOMPARE(*with.ended.summary.a_auc, *without.ended.summary.a_auc);
    }

    void theNearestClassMeanStandsBesideAFrozenBackbone() {
        Experiment e = quick();
        e.method.name = "dualprompt";
        const Recorded prompts = runTo(place("reference"), e);
        QVERIFY2(prompts.ended.how == RunEnd::Finished, prompts.ended.error.c_str());
        const RunRecord record = readRun(table(), place("reference"));
        QVERIFY(!record.anytime.empty());
        double sum = 0;
        for (const AnytimePoint& point : record.anytime) {
            QVERIFY(point.reference && *point.reference >= 0 && *point.reference <= 1);
            sum += *point.reference;
        }
        QVERIFY(std::abs(*record.summary.ncm_a_auc - sum / static_cast<double>(record.anytime.size())) < 1e-12);
        QVERIFY(record.summary.ncm_a_last_overall);
        // With one update a batch and the images as they are it is the head of class means itself.
        for (const char* setting :
             {"training.updates_per_batch=1", "training.augment=none", "method.analytic_readout=ncm"})
            set(e, setting);
        e.method.name = "analytic-head";
        runTo(place("reference-head"), e);
        const RunRecord head = readRun(table(), place("reference-head"));
        for (const AnytimePoint& point : head.anytime) QCOMPARE(*point.reference, point.accuracy);
        // A backbone that learns has no frozen features.
        e.method.name = "finetune";
        runTo(place("reference-none"), e);
        QVERIFY(!std::filesystem::exists(place("reference-none") / "reference.csv"));
        QVERIFY(!readRun(table(), place("reference-none")).summary.ncm_a_auc);
    }

    void aRunSaysHowOftenTheRightPromptIsChosen_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("heads");
        for (const char* method : {"dualprompt", "l2p", "mvp"}) QTest::newRow(method) << method << false;
        QTest::newRow("fly-prompt") << "fly-prompt" << true;
    }
    void aRunSaysHowOftenTheRightPromptIsChosen() {
        QFETCH(QString, method);
        QFETCH(bool, heads);
        Experiment e = quick();
        e.method.name = method.toStdString();
        set(e, "method.random_features=64");
        const QByteArray name = "routing-" + method.toUtf8();
        const Recorded run = runTo(place(name), e);
        QVERIFY2(run.ended.how == RunEnd::Finished, run.ended.error.c_str());
        const RunRecord record = readRun(table(), place(name));
        QVERIFY(!record.anytime.empty());
        for (const AnytimePoint& point : record.anytime) {
            QVERIFY(point.router && *point.router >= 0 && *point.router <= 1);
            QCOMPARE(point.agreement.has_value(), heads);
        }
        QVERIFY(record.summary.router_accuracy && *record.summary.router_accuracy <= 1);
        QCOMPARE(record.summary.head_agreement.has_value(), heads);
        QCOMPARE(*record.summary.router_accuracy, *run.ended.summary.router_accuracy);
        // The last row is of the last end of a session.
        const std::string rows = fileText(place(name) / "routing.csv");
        const std::string last = rows.substr(rows.rfind('\n', rows.size() - 2) + 1);
        QVERIFY2(last.find(shortestDigits(*record.summary.router_accuracy)) != std::string::npos, last.c_str());
    }

    void thePromptThatIsTakenAlwaysIsTheRightOne() {
        Experiment e = quick();
        e.method.name = "dualprompt";
        set(e, "method.pool_size=1");
        runTo(place("routing-one"), e);
        QCOMPARE(*readRun(table(), place("routing-one")).summary.router_accuracy, 1.0);
        // Nothing is chosen here.
        e.method.name = "coda-prompt";
        set(e, "method.pool_size=10");
        runTo(place("routing-none"), e);
        QVERIFY(!std::filesystem::exists(place("routing-none") / "routing.csv"));
        QVERIFY(!readRun(table(), place("routing-none")).summary.router_accuracy);
    }

    void otherSeedOtherNumbers() {
        Experiment e = quick();
        runTo(place("seed-1"), e);
        e.seed = 2;
        runTo(place("seed-2"), e);
        QVERIFY(fileText(place("seed-1") / "training.csv") != fileText(place("seed-2") / "training.csv"));
    }

    void asManyPastImagesAreReplayedAsArrive_data() {
        QTest::addColumn<QString>("method");
        for (const char* method : {"er", "rainbow-memory", "clib", "derpp"}) QTest::newRow(method) << method;
    }
    void asManyPastImagesAreReplayedAsArrive() {
        QFETCH(QString, method);
        Experiment e = quick();
        for (const char* setting :
             {"stream.train_limit=40", "stream.test_limit=20", "training.batch_size=8", "training.updates_per_batch=1",
              "evaluation.every_samples=0", "memory.size=20", "method.rainbow_epochs=2"})
            set(e, setting);
        e.method.name = method.toStdString();
        const QByteArray name = "replayed-" + method.toUtf8();
        const auto trained = [&](const QByteArray& replayed) {
            set(e, "memory.batch_size=" + replayed);
            const Recorded run = runTo(place(name + replayed), e);
            return run.ended.how == RunEnd::Finished ? fileText(place(name + replayed) / "training.csv")
                                                     : run.ended.error;
        };
        const std::string asMany = trained("0");
        QVERIFY2(asMany.find('\n') != std::string::npos, asMany.c_str());
        QCOMPARE(asMany, trained("8"));
        QVERIFY(asMany != trained("4"));
    }

    void optionsOfPromptsAndMasksReachTheRun_data() {
        QTest::addColumn<QString>("base");
        QTest::addColumn<QString>("change");
        QTest::newRow("prefix tuning") << ""
                                       << "method.prompt_form=prefix";
        QTest::newRow("general prompt alone") << ""
                                              << "method.e_blocks=none";
        QTest::newRow("expert prompt alone") << ""
                                             << "method.g_blocks=none";
        QTest::newRow("slice") << ""
                               << "method.prompt_selection=session-slice";
        QTest::newRow("slice with its defect") << "method.prompt_selection=session-slice"
                                               << "method.prompt_selection=as-published";
        QTest::newRow("learnable mask") << "mask.name=seen"
                                        << "mask.name=learnable";
        QTest::newRow("multiplied mask") << ""
                                         << "mask.form=multiplicative";
        QTest::newRow("whole session") << "mask.name=session"
                                       << "mask.session_scope=whole";
    }
    void optionsOfPromptsAndMasksReachTheRun() {
        QFETCH(QString, base);
        QFETCH(QString, change);
        Experiment e = quick();
        // Every class occurs in both sessions, and a batch holds few of them.
        for (const char* setting : {"method.name=dualprompt", "stream.disjoint_percent=0", "stream.blurry_percent=50",
                                    "stream.train_limit=64", "stream.test_limit=20", "training.batch_size=4",
                                    "training.updates_per_batch=1", "evaluation.every_samples=0"})
            set(e, setting);
        if (!base.isEmpty()) set(e, base);
        const QByteArray name = QTest::currentDataTag();
        const Recorded plain = runTo(place(name + "-base"), e);
        set(e, change);
        const Recorded changed = runTo(place(name + "-changed"), e);
        for (const Recorded* run : {&plain, &changed})
            QVERIFY2(run->ended.how == RunEnd::Finished, run->ended.error.c_str());
        QCOMPARE(plain.started.fingerprint, changed.started.fingerprint);
        const std::string before = fileText(place(name + "-base") / "training.csv");
        QVERIFY(!before.empty() && before != fileText(place(name + "-changed") / "training.csv"));
    }

    void pausesAndStepsChangeNoNumber() {
        const Experiment e = quick();
        runTo(place("unpaused"), e);
        RunControl control;
        Recorded recorded;
        control.step();
        recorded.onBatchDone = [&](const BatchLearned& batch) {
            if (batch.batch < 3) control.step();
            if (batch.batch == 3) control.resume();
        };
        runExperiment(1, e, FreshRun{{}, place("paused")}, control, recorded);
        for (const char* file : {"anytime.csv", "sessions.csv", "training.csv"})
            QCOMPARE(fileText(place("unpaused") / file), fileText(place("paused") / file));
        QCOMPARE(QString::fromStdString(fileText(place("paused") / "commands.csv")),
                 QString("samples_seen,command,argument\n0,step,\n32,step,\n40,step,\n72,resume,\n"));
        QVERIFY(recorded.batches.size() >= 3);
        QCOMPARE(recorded.batches[1].batch, std::int64_t{2});
    }

    void evaluationsComeAtTheLastBatchBorderBeforeTheThreshold() {
        Experiment e = quick();
        e.stream.sessions = 1;
        e.stream.train_limit = 320;
        e.evaluation.every_samples = 100;
        const Recorded r = runTo(place("rule"), e);
        std::vector<std::int64_t> anytime;
        for (const auto& evaluation : r.evaluations)
            if (evaluation.kind == EvaluationKind::Anytime) anytime.push_back(evaluation.samples_seen);
        QCOMPARE(anytime, (std::vector<std::int64_t>{96, 192, 288}));
        QCOMPARE(r.evaluations.back().kind, EvaluationKind::SessionEnd);
        QCOMPARE(r.evaluations.back().samples_seen, std::int64_t{320});
    }

    void summaryIsMadeOfTheRecordedNumbers() {
        const Recorded r = runTo(place("summary"), quick());
        double sum = 0, count = 0;
        for (const auto& evaluation : r.evaluations)
            if (evaluation.kind == EvaluationKind::Anytime) {
                sum += evaluation.accuracy;
                ++count;
            }
        QVERIFY(count > 0);
        QVERIFY(std::abs(*r.ended.summary.a_auc - sum / count) < 1e-12);
        QCOMPARE(*r.ended.summary.a_last_overall, r.evaluations.back().accuracy);
        double last = 0;
        int withData = 0;
        for (const auto& entry : r.sessions.back().accuracies)
            if (entry.samples > 0) {
                last += entry.accuracy;
                ++withData;
            }
        QVERIFY(std::abs(*r.ended.summary.a_last - last / withData) < 1e-12);
        const RunRecord record = readRun(table(), place("summary"));
        QCOMPARE(record.state, RecordedState::Finished);
        QCOMPARE(record.anytime.size(), static_cast<std::size_t>(count));
    }

    void batchMaskLetsThroughTheClassesOfTheBatchOnly() {
        Experiment e = quick();
        e.mask.name = "batch";
        const Recorded r = runTo(place("mask"), e);
        QVERIFY(!r.batches.empty());
        for (const BatchLearned& batch : r.batches) {
            std::set<std::int32_t> inBatch;
            for (const Thumbnail& image : batch.images) inBatch.insert(image.label);
            QCOMPARE(std::set<std::int32_t>(batch.visible_classes.begin(), batch.visible_classes.end()), inBatch);
        }
    }

    void withoutAMaskClassesThatHaveNotComeCompete_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("mask");
        QTest::addColumn<bool>("open");
        QTest::newRow("no mask") << "linear-probe"
                                 << "none" << true;
        QTest::newRow("the batch's classes") << "linear-probe"
                                             << "batch" << false;
        QTest::newRow("classes seen") << "linear-probe"
                                      << "seen" << false;
        QTest::newRow("ER-ACE has no mask in the first session") << "er-ace"
                                                                 << "batch" << true;
    }
    void withoutAMaskClassesThatHaveNotComeCompete() {
        QFETCH(QString, method);
        QFETCH(QString, mask);
        QFETCH(bool, open);
        Experiment e = quick();
        e.method.name = method.toStdString();
        e.mask.name = mask.toStdString();
        const std::string name = "open-" + method.toStdString() + "-" + mask.toStdString();
        const Recorded r = runTo(place(name.c_str()), e);
        QVERIFY(!r.batches.empty());
        QVERIFY(r.batches.front().seen_classes.size() < r.started.class_names.size());
        QCOMPARE(r.batches.front().unseen_open, open);
        // After all classes have appeared, no unseen one is left to show.
        for (const BatchLearned& batch : r.batches)
            QVERIFY(!batch.unseen_open || batch.seen_classes.size() < r.started.class_names.size());
    }

    void theTimeOfABatchIsTheMeanOfThoseLearned() {
        const Recorded r = runTo(place("pace"), quick());
        std::int64_t batches = 0, images = 0;
        const std::int64_t size = quick().training.batch_size;
        for (const auto& session : r.started.plan->sessions) {
            images += std::ssize(session);
            batches += (std::ssize(session) + size - 1) / size;
        }
        // Both numbers use the same clock.
        const Summary& summary = r.ended.summary;
        QVERIFY(summary.batch_seconds > 0);
        const double training = static_cast<double>(images) / summary.images_per_second;
        QVERIFY(std::abs(summary.batch_seconds * static_cast<double>(batches) / training - 1) < 1e-9);
    }

    void stopKeepsWhatWasLearned() {
        Experiment e = quick();
        RunControl control;
        Recorded recorded;
        recorded.onBatchDone = [&](const BatchLearned&) { control.stop(); };
        runExperiment(1, e, FreshRun{{}, place("stopped")}, control, recorded);
        QCOMPARE(toText(recorded.ended.how), toText(RunEnd::Stopped));
        QCOMPARE(readRun(table(), place("stopped")).state, RecordedState::Stopped);
        QVERIFY(!fileText(place("stopped") / "training.csv").empty());
    }

    void abortThrowsTheRunAway() {
        RunControl control;
        Recorded recorded;
        recorded.onBatchDone = [&](const BatchLearned&) { control.abort(); };
        runExperiment(1, quick(), FreshRun{{}, place("aborted")}, control, recorded);
        QCOMPARE(toText(recorded.ended.how), toText(RunEnd::Aborted));
        QVERIFY(!std::filesystem::exists(place("aborted")));
    }

    void endingDuringAnEvaluationIsToldAndRecorded_data() {
        QTest::addColumn<bool>("abort");
        QTest::newRow("stop") << false;
        QTest::newRow("abort") << true;
    }
    void endingDuringAnEvaluationIsToldAndRecorded() {
        QFETCH(bool, abort);
        const auto folder = place(QTest::currentDataTag());
        RunControl control;
        Recorded recorded;
        std::string commands;
        recorded.onStateTold = [&](const StateChanged& e) {
            if (e.detail == "Evaluating") abort ? control.abort() : control.stop();
            if (e.state == RunState::Stopping) commands = fileText(folder / "commands.csv");
        };
        runExperiment(1, quick(), FreshRun{{}, folder}, control, recorded);
        QCOMPARE(toText(recorded.ended.how), toText(abort ? RunEnd::Aborted : RunEnd::Stopped));
        QCOMPARE(std::count(recorded.states.begin(), recorded.states.end(), RunState::Stopping), 1);
        QCOMPARE(toText(recorded.states.back()), toText(RunState::Stopping));
        QVERIFY(recorded.evaluations.empty());
        QCOMPARE(QString::fromStdString(commands),
                 QString("samples_seen,command,argument\n40,%1,\n").arg(abort ? "abort" : "stop"));
        QCOMPARE(std::filesystem::exists(folder), !abort);
    }

    void endingAPausedRunIsNoResuming() {
        RunControl control;
        Recorded recorded;
        control.pause();
        recorded.onStateTold = [&](const StateChanged& e) {
            if (e.state == RunState::Paused) control.stop();
        };
        runExperiment(1, quick(), FreshRun{{}, place("paused-stop")}, control, recorded);
        QCOMPARE(fileText(place("paused-stop") / "commands.csv"),
                 std::string("samples_seen,command,argument\n0,pause,\n0,stop,\n"));
        QCOMPARE(toText(recorded.states.back()), toText(RunState::Stopping));
        QCOMPARE(toText(recorded.states[recorded.states.size() - 2]), toText(RunState::Paused));
    }

    void endingDuringPreparationLeavesNoFolder_data() {
        QTest::addColumn<QString>("detail");
        QTest::addColumn<bool>("abort");
        for (const bool abort : {false, true}) {
            for (const char* detail : {"Reading the data set", "Preparing the network"})
                QTest::addRow("%s while %s", abort ? "abort" : "stop", detail) << detail << abort;
        }
    }
    void endingDuringPreparationLeavesNoFolder() {
        QFETCH(QString, detail);
        QFETCH(bool, abort);
        RunControl control;
        Recorded recorded;
        recorded.onStateTold = [&](const StateChanged& e) {
            if (e.detail == detail.toStdString()) abort ? control.abort() : control.stop();
        };
        runExperiment(1, quick(), FreshRun{{}, place("early")}, control, recorded);
        QCOMPARE(toText(recorded.ended.how), toText(abort ? RunEnd::Aborted : RunEnd::Stopped));
        QCOMPARE(toText(recorded.states.back()), toText(RunState::Stopping));
        QCOMPARE(recorded.started.run, std::int64_t{0});
        QVERIFY(recorded.ended.folder.empty());
        QVERIFY(!std::filesystem::exists(place("early")));
    }

    void endingWhileTheDataSetIsOpenedGivesItUp_data() {
        QTest::addColumn<bool>("abort");
        QTest::newRow("stop") << false;
        QTest::newRow("abort") << true;
    }
    void endingWhileTheDataSetIsOpenedGivesItUp() {
        QFETCH(bool, abort);
        // The run would fail if it looked at the folder, which is missing.
        Experiment e = quick();
        e.stream.dataset = "folder";
        e.stream.root = place("no such folder").string();
        RunControl control;
        Recorded recorded;
        recorded.onStateTold = [&](const StateChanged& told) {
            if (told.detail == "Reading the data set") abort ? control.abort() : control.stop();
        };
        runExperiment(1, e, FreshRun{{}, place("given-up")}, control, recorded);
        QCOMPARE(toText(recorded.ended.how), toText(abort ? RunEnd::Aborted : RunEnd::Stopped));
        QCOMPARE(toText(recorded.states.back()), toText(RunState::Stopping));
        QCOMPARE(recorded.ends, 1);
        QVERIFY(recorded.ended.error.empty() && recorded.ended.folder.empty());
        QVERIFY(!std::filesystem::exists(place("given-up")));
        QCOMPARE(toText(runTo(place("looked-at"), e).ended.how), toText(RunEnd::Failed));
    }

    void whatWasMeasuredIsKeptWhenARunFails() {
        struct Thrower : Recorded {
            void onBatch(const BatchLearned&) override {
                if (!sessions.empty()) throw std::runtime_error("the window fell over\nbacktrace");
            }
        } thrower;
        RunControl control;
        runExperiment(1, quick(), FreshRun{{}, place("kept")}, control, thrower);
        QCOMPARE(toText(thrower.ended.how), toText(RunEnd::Failed));
        QCOMPARE(thrower.ended.error, std::string("Something unexpected went wrong: the window fell over"));
        QCOMPARE(thrower.ends, 1);
        QVERIFY(thrower.ended.summary.a_last_overall);
        const RunRecord record = readRun(table(), place("kept"));
        QCOMPARE(record.state, RecordedState::Failed);
        QCOMPARE(record.summary.a_auc, thrower.ended.summary.a_auc);
        QCOMPARE(record.summary.a_last_overall, thrower.ended.summary.a_last_overall);
    }

    void forgettingNeedsTwoSessionEnds_data() {
        QTest::addColumn<int>("sessions");
        QTest::newRow("one") << 1;
        QTest::newRow("two") << 2;
    }
    void forgettingNeedsTwoSessionEnds() {
        QFETCH(int, sessions);
        Experiment e = quick();
        e.stream.sessions = sessions;
        const auto folder = place(QTest::currentDataTag());
        const Recorded r = runTo(folder, e);
        QCOMPARE(toText(r.ended.how), toText(RunEnd::Finished));
        QVERIFY(r.ended.summary.a_last_overall);
        QCOMPARE(r.ended.summary.f_last.has_value(), sessions > 1);
        QCOMPARE(r.ended.summary.f_last_classwise.has_value(), sessions > 1);
        const RunRecord record = readRun(table(), folder);
        QCOMPARE(record.summary.f_last, r.ended.summary.f_last);
        QCOMPARE(record.summary.f_last_classwise, r.ended.summary.f_last_classwise);
    }

    void aListenerThatThrowsAnythingEndsTheRunOnce_data() {
        QTest::addColumn<bool>("atTheEnd");
        QTest::newRow("midway") << false;
        QTest::newRow("at the end") << true;
    }
    void aListenerThatThrowsAnythingEndsTheRunOnce() {
        QFETCH(bool, atTheEnd);
        struct Thrower : Recorded {
            bool at_the_end = false;
            void onProgress(const Progress&) override {
                if (!at_the_end) throw 42;
            }
            void onEnded(const RunEnded& e) override {
                Recorded::onEnded(e);
                if (at_the_end) throw 42;
            }
        } thrower;
        thrower.at_the_end = atTheEnd;
        RunControl control;
        runExperiment(1, quick(), FreshRun{{}, place(QTest::currentDataTag())}, control, thrower);
        QCOMPARE(thrower.ends, 1);
        QCOMPARE(toText(thrower.ended.how), toText(atTheEnd ? RunEnd::Finished : RunEnd::Failed));
        if (!atTheEnd)
            QCOMPARE(QString::fromStdString(thrower.ended.error), QString("Something unexpected went wrong."));
    }

    void aFullDiskPausesTheRunAndNothingIsLost_data() {
        QTest::addColumn<bool>("room");
        QTest::newRow("there is room again") << true;
        QTest::newRow("the person gives up") << false;
    }
    void aFullDiskPausesTheRunAndNothingIsLost() {
        QFETCH(bool, room);
        // A limit on the size of files simulates the full disk: it fails the same system call.
        rlimit before{};
        getrlimit(RLIMIT_FSIZE, &before);
        const auto handler = signal(SIGXFSZ, SIG_IGN);
        const auto back = qScopeGuard([&] {
            setrlimit(RLIMIT_FSIZE, &before);
            signal(SIGXFSZ, handler);
        });
        const std::filesystem::path run = place(room ? "full" : "full for good"), whole = place("never full");
        Experiment e = quick();
        e.evaluation.checkpoints = 0;  // leaves no room for the numbers rather than for checkpoints
        if (room) runTo(whole, e);
        RunControl control;
        Recorded recorded;
        recorded.onBatchDone = [&](const BatchLearned& batch) {
            control.step();
            if (batch.batch != 1) return;
            const rlimit limit{std::filesystem::file_size(run / "training.csv") + 20, before.rlim_max};
            setrlimit(RLIMIT_FSIZE, &limit);
        };
        std::string said;
        recorded.onStateTold = [&](const StateChanged& state) {
            if (state.state != RunState::Paused || state.detail.empty()) return;
            said = state.detail;
            if (room)
                setrlimit(RLIMIT_FSIZE, &before);
            else
                control.stop();
        };
        control.step();  // makes every batch be reported
        runExperiment(1, e, FreshRun{{}, run}, control, recorded);
        const std::string reason = "Cannot write " + (run / "training.csv").string() + ": File too large.";
        QCOMPARE(said, reason + " The run goes on as soon as it can be written.");
        QCOMPARE(recorded.ends, 1);
        if (room) {
            QCOMPARE(toText(recorded.ended.how), toText(RunEnd::Finished));
            for (const char* file : {"anytime.csv", "sessions.csv", "classes.csv", "training.csv"})
                QCOMPARE(fileText(run / file), fileText(whole / file));
            return;
        }
        QCOMPARE(toText(recorded.ended.how), toText(RunEnd::Failed));
        QCOMPARE(recorded.ended.error, reason);
        QVERIFY(recorded.ended.hint.find("Make room on the disk") != std::string::npos);
        QVERIFY(recorded.ended.kind == ErrorKind::Run);
    }

    void aSummaryThatCannotBeWrittenIsAFailure() {
        RunControl control;
        Recorded recorded;
        recorded.onStateTold = [&](const StateChanged& e) {
            if (e.state == RunState::Running)
                std::filesystem::create_directories(place("no-summary") / "summary.json" / "in the way");
        };
        runExperiment(1, quick(), FreshRun{{}, place("no-summary")}, control, recorded);
        QCOMPARE(toText(recorded.ended.how), toText(RunEnd::Failed));
        QCOMPARE(recorded.ends, 1);
        QVERIFY2(recorded.ended.error.find("summary.json: Is a directory.") != std::string::npos,
                 recorded.ended.error.c_str());
        QVERIFY(recorded.ended.summary.a_auc);
    }

    void badInputEndsAsFailedWithARemedy_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("missing weights") << "backbone.weights"
                                         << "/no/such.safetensors"
                                         << "/no/such.safetensors";
        QTest::newRow("missing data") << "stream.root"
                                      << "/no/such/folder"
                                      << "/no/such/folder";
        QTest::newRow("no such GPU") << "device"
                                     << "cuda:42"
                                     << "cuda:42";
        QTest::newRow("missing prompts") << "initial_session.prompts"
                                         << "/no/prompts.safetensors"
                                         << "/no/prompts";
    }
    void badInputEndsAsFailedWithARemedy() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, mentions);
        Experiment e = quick();
        e.method.name = "dualprompt";
        if (key == "stream.root") e.stream.dataset = "fashion-mnist";
        table().setText(e, key.toStdString(), value.toStdString());
        const Recorded r = runTo(place(QTest::currentDataTag()), e);
        QCOMPARE(toText(r.ended.how), toText(RunEnd::Failed));
        QVERIFY2(r.ended.error.find(mentions.toStdString()) != std::string::npos, r.ended.error.c_str());
        QVERIFY(!r.ended.hint.empty());
        QVERIFY(r.ended.kind == ErrorKind::Input);
        QVERIFY(r.ended.folder.empty());
        QVERIFY(!std::filesystem::exists(place(QTest::currentDataTag())));
    }

    void settingsAtOddsLeaveNoFolder() {
        Experiment e = quick();
        e.method.name = "clib";
        const Recorded r = runTo(place("odds"), e);
        QCOMPARE(toText(r.ended.how), toText(RunEnd::Failed));
        QCOMPARE(r.ends, 1);
        QVERIFY(!std::filesystem::exists(place("odds")));
    }

    void unwritableFolderFailsBeforeAnyTraining() {
        std::ofstream(place("a-file")) << "in the way";
        const Recorded r = runTo(place("a-file") / "below", quick());
        QCOMPARE(toText(r.ended.how), toText(RunEnd::Failed));
        QVERIFY(r.batches.empty());
    }

    void labelsOfAnExperimentHonourItsLimits() {
        const auto labels = experimentLabels(quick());
        QCOMPARE(labels->train.size(), std::size_t{200});
        QCOMPARE(labels->test.size(), std::size_t{40});
        const Laboratory laboratory = makeLaboratory(place("lab"));
        QCOMPARE(laboratory.labels(quick()).get(), laboratory.labels(quick()).get());
    }
};

PALIMPSEST_APPLESS_TEST(TestRunExperiment)

}  // namespace tst_run_experiment

#include "tst_run_experiment.moc"
