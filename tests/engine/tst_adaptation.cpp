// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <thread>

#include "engine/adaptation/adapt_prompts.h"
#include "engine/adaptation/adaptation_state.h"
#include "engine/method_options/prompt_options.h"
#include "engine/network/tensor_file.h"
#include "engine/support/error.h"
#include "engine/train/experiment_inputs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_adaptation {

namespace {

namespace fs = std::filesystem;
using How = AdaptationEnded::How;

/// 36 images of 9 classes in 5 batches, twice each, 2 epochs: 20 steps of a network with random weights.
Experiment quick(const std::string& kind = "fam") {
    static const OptionTable table(engineCatalogue());
    Experiment e = table.defaults();
    e.device = "cpu";
    e.precision = "float32";
    e.threads = 1;
    e.backbone.weights = "random";
    InitialSessionOptions& s = e.initial_session;
    s.prompts = kind;
    s.dataset = "fractals";
    s.classes = 9;
    s.other_classes = 4;
    s.images_per_class = 4;
    s.epochs = 2;
    s.batch_size = 8;
    s.updates_per_batch = 2;
    s.learning_rate = 1e-3;
    s.rho = 0;
    s.sign = "plus";
    s.perturb = "all";
    s.other_drawn = 2;
    s.resample = 0.67;
    s.other_units = "separate";
    s.sessions = 1;
    s.augment_prompts = "both";
    s.augment = "auto";
    return e;
}
constexpr std::int64_t kSteps = 20;

struct Recorded : AdaptationObserver {
    std::vector<std::string> details;
    std::vector<AdaptationStarted> starts;
    std::vector<AdaptationProgress> news;
    std::vector<bool> pauses;
    std::vector<AdaptationEnded> ends;
    std::vector<std::string> warnings;
    std::function<void(const AdaptationProgress&)> onStep;

    void onPreparing(const std::string& detail) override { details.push_back(detail); }
    void onStarted(const AdaptationStarted& e) override { starts.push_back(e); }
    void onProgress(const AdaptationProgress& e) override {
        news.push_back(e);
        if (onStep) onStep(e);
    }
    void onPaused(bool paused) override { pauses.push_back(paused); }
    void onWarning(const std::string& text) override { warnings.push_back(text); }
    void onEnded(const AdaptationEnded& e) override { ends.push_back(e); }
};

std::string bytesOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const fs::path& file, const std::string& text) {
    std::ofstream out(file, std::ios::binary);
    out << text;
}

fs::path stateOf(const fs::path& file) {
    return file.string() + ".state";
}

/// Makes the file impossible to replace, as on a full disk: a link is never replaced. What it holds can still be read.
void makeUnwritable(const fs::path& file) {
    const fs::path kept = file.string() + ".kept";
    if (fs::exists(file)) fs::rename(file, kept);
    fs::create_symlink(kept, file);
}

Recorded adapt(const Experiment& experiment, const fs::path& file, bool resume = false) {
    Recorded recorded;
    RunControl control;
    adaptPrompts(experiment, {file, resume}, control, recorded);
    return recorded;
}

/// Adapts up to `step`, one step at a time, then calls the verb.
Recorded adaptUntil(const Experiment& experiment, const fs::path& file, std::int64_t step, void (RunControl::*verb)(),
                    bool resume = false) {
    Recorded recorded;
    RunControl control;
    recorded.onStep = [&](const AdaptationProgress& progress) {
        if (progress.step < step)
            control.step();
        else
            (control.*verb)();
    };
    control.step();
    adaptPrompts(experiment, {file, resume}, control, recorded);
    return recorded;
}

QString said(const Recorded& recorded) {
    const AdaptationEnded& end = recorded.ends.at(0);
    return QString::fromStdString(end.error + " " + end.hint);
}

}  // namespace

class TestAdaptation : public QObject {
    Q_OBJECT
    std::unique_ptr<QTemporaryDir> folder_;

    /// A file of that name in its own folder, since the name is part of the content.
    fs::path place(const char* name) const {
        const fs::path folder = folder_->filePath(name).toStdString();
        fs::create_directories(folder);
        return folder / "prompts.safetensors";
    }

private Q_SLOTS:
    void init() {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(folder_->isValid());
    }

    void aFinishedAdaptationWritesItsPrompts_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"naive", "sam", "fam"}) QTest::newRow(kind) << kind;
    }
    void aFinishedAdaptationWritesItsPrompts() {
        QFETCH(QString, kind);
        const fs::path file = place("done");
        const Recorded r = adapt(quick(kind.toStdString()), file);
        QCOMPARE(said(r), QString(" "));
        QCOMPARE(r.ends.size(), std::size_t{1});
        QVERIFY(r.ends[0].how == How::Finished);
        QVERIFY(r.ends[0].file == file);
        QCOMPARE(r.starts.at(0).kind, kind.toStdString());
        QCOMPARE(r.starts[0].data, std::string("Fractals: 9 classes to learn, 4 others"));
        QCOMPARE(r.starts[0].total_steps, kSteps);
        QCOMPARE(r.starts[0].first_step, std::int64_t{0});
        QVERIFY(r.starts[0].trainable_parameters > 0);
        QCOMPARE(r.news.back().step, kSteps);
        QCOMPARE(r.news.back().epoch, std::int64_t{2});
        QCOMPARE(r.news.back().samples_seen, std::int64_t{72});
        QCOMPARE(r.news.back().other_loss > 0, kind != "naive");

        const TensorFile prompts = readSafetensors(file);
        QCOMPARE(prompts.tensors.size(), std::size_t{2});
        QVERIFY(prompts.at("g_prompt.prompts").sizes() == at::IntArrayRef({1, 2, 192}));
        QVERIFY(prompts.at("e_prompt.prompts").sizes() == at::IntArrayRef({10, 6, 192}));
        for (const auto& [name, tensor] : prompts.tensors) QVERIFY(at::isfinite(tensor).all().item<bool>());
        QCOMPARE(prompts.metadata.at("kind"), kind.toStdString());
        QCOMPARE(prompts.metadata.at("steps"), std::string("20"));
        QCOMPARE(prompts.metadata.at("seed"), std::string("1"));
        QCOMPARE(prompts.metadata.at("backbone"), std::string("random, seed 1"));
        QCOMPARE(prompts.metadata.at("initial_session.epochs"), std::string("2"));
        QVERIFY(
            QString::fromStdString(prompts.metadata.at("data")).startsWith("Fractals: 9 classes to learn, 4 others"));
        QVERIFY(QString::fromStdString(prompts.metadata.at("command"))
                    .startsWith("palimpsest-cli isa default --out prompts.safetensors --set "));
        QVERIFY(!prompts.metadata.at("version").empty());
        QVERIFY(!fs::exists(stateOf(file)));
    }

    void theEmbeddedBackboneIsNamedByItsChecksum() {
        Experiment e = quick("naive");
        e.backbone.weights = "embedded";
        e.initial_session.epochs = e.initial_session.updates_per_batch = 1;
        const fs::path file = place("embedded");
        QVERIFY(adapt(e, file).ends[0].how == How::Finished);
        const QString digest = QString::fromStdString(readSafetensors(file).metadata.at("backbone"));
        QCOMPARE(digest.size(), 7 + 64);
        QVERIFY(digest.startsWith("sha256:"));
    }

    void methodsThatKnowTokensAloneGetTokens_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("form");
        QTest::newRow("DualPrompt") << "dualprompt"
                                    << "prefix tuning";
        QTest::newRow("L2P") << "l2p"
                             << "prompt tuning";
        QTest::newRow("MVP") << "mvp"
                             << "prompt tuning";
    }
    void methodsThatKnowTokensAloneGetTokens() {
        QFETCH(QString, method);
        QFETCH(QString, form);
        Experiment e = quick("naive");
        e.method.name = method.toStdString();
        e.method.of<PromptOptions>().form = "prefix";
        e.initial_session.epochs = 1;
        adapt(e, place("form"));
        const auto facts = readSafetensors(place("form")).metadata;
        QVERIFY(QString::fromStdString(facts.at("the prompt layout")).endsWith(form));
    }

    void otherKindsMakeOtherPrompts() {
        std::set<std::string> all;
        for (const char* kind : {"naive", "sam", "fam"}) {
            adapt(quick(kind), place(kind));
            const TensorFile prompts = readSafetensors(place(kind));
            const Tensor& tensor = prompts.at("e_prompt.prompts");
            all.insert({static_cast<const char*>(tensor.data_ptr()), tensor.nbytes()});
        }
        QCOMPARE(all.size(), std::size_t{3});
    }

    void promptsThatAreNoneOrAFileMeanFam() {
        for (const char* prompts : {"none", "old.safetensors"}) {
            const Recorded r = adaptUntil(quick(prompts), place("kindless"), 1, &RunControl::stop);
            QCOMPARE(r.starts.at(0).kind, std::string("fam"));
        }
    }

    void aStoppedAdaptationGoesOnWithTheSameBits_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("sessions");
        QTest::addColumn<int>("step");
        QTest::newRow("naive, in the middle of a batch") << "naive" << 1 << 7;
        QTest::newRow("SAM, in the second epoch") << "sam" << 1 << 12;
        QTest::newRow("FAM, after the first step") << "fam" << 1 << 1;
        QTest::newRow("FAM, in the middle of a batch") << "fam" << 1 << 13;
        QTest::newRow("FAM, at the end of an epoch") << "fam" << 1 << 10;
        QTest::newRow("FAM, in the last of three sessions") << "fam" << 3 << 21;
    }
    void aStoppedAdaptationGoesOnWithTheSameBits() {
        QFETCH(QString, kind);
        QFETCH(int, sessions);
        QFETCH(int, step);
        Experiment e = quick(kind.toStdString());
        e.initial_session.sessions = sessions;
        const fs::path whole = place("whole"), broken = place("broken");
        const Recorded unbroken = adapt(e, whole);
        QVERIFY(unbroken.ends[0].how == How::Finished);
        const Recorded stopped = adaptUntil(e, broken, step, &RunControl::stop);
        QVERIFY(stopped.ends[0].how == How::Stopped);
        QVERIFY(stopped.ends[0].file == broken);
        QVERIFY(fs::exists(stateOf(broken)));
        QCOMPARE(readSafetensors(broken).metadata.at("steps"), std::to_string(step));
        QVERIFY(bytesOf(broken) != bytesOf(whole));
        const Recorded rest = adapt(e, broken, true);
        QCOMPARE(said(rest), QString(" "));
        QCOMPARE(rest.starts.at(0).first_step, std::int64_t{step});
        QCOMPARE(rest.news.back().samples_seen, unbroken.news.back().samples_seen);
        QVERIFY(bytesOf(broken) == bytesOf(whole));
        QVERIFY(!fs::exists(stateOf(broken)));
    }

    void itMayBeStoppedAgainAndAgain() {
        const fs::path whole = place("whole"), broken = place("broken");
        adapt(quick(), whole);
        for (const std::int64_t step : {3, 4, 9, 16})
            QVERIFY(adaptUntil(quick(), broken, step, &RunControl::stop, step > 3).ends[0].how == How::Stopped);
        adapt(quick(), broken, true);
        QVERIFY(bytesOf(broken) == bytesOf(whole));
    }

    void pausesAndStepsChangeNothing() {
        const fs::path whole = place("whole"), paused = place("paused");
        adapt(quick(), whole);
        const Recorded r = adaptUntil(quick(), paused, kSteps, &RunControl::resume);
        QCOMPARE(r.news.size(), static_cast<std::size_t>(kSteps));
        QVERIFY(bytesOf(paused) == bytesOf(whole));
    }

    void aPauseIsTold() {
        Recorded r;
        RunControl control;
        control.step();
        r.onStep = [&](const AdaptationProgress& progress) {
            if (progress.step == 1) control.pause();
        };
        std::thread helper;
        struct Resumer : AdaptationObserver {
            Recorded& target;
            RunControl& control;
            std::thread& helper;
            Resumer(Recorded& t, RunControl& c, std::thread& h) : target(t), control(c), helper(h) {}
            void onProgress(const AdaptationProgress& e) override { target.onProgress(e); }
            void onPaused(bool paused) override {
                target.onPaused(paused);
                if (paused) helper = std::thread([this] { control.resume(); });
            }
            void onEnded(const AdaptationEnded& e) override { target.onEnded(e); }
        } resumer(r, control, helper);
        adaptPrompts(quick("naive"), {place("told"), false}, control, resumer);
        helper.join();
        QCOMPARE(r.pauses, (std::vector<bool>{true, false}));
        QVERIFY(r.ends.at(0).how == How::Finished);
    }

    void stoppingBeforeTheFirstStepKeepsNothing() {
        Recorded r;
        RunControl control;
        control.stop();
        const fs::path file = place("early");
        adaptPrompts(quick(), {file, false}, control, r);
        QVERIFY(r.ends.at(0).how == How::Stopped);
        QVERIFY(r.ends[0].file.empty());
        QVERIFY(r.starts.empty());
        QVERIFY(fs::is_empty(file.parent_path()));
    }

    void abortLeavesWhatWasThere_data() {
        QTest::addColumn<bool>("before");
        QTest::addColumn<int>("step");
        QTest::newRow("nothing, early") << false << 3;
        QTest::newRow("nothing, after a state was saved") << false << 12;
        QTest::newRow("other prompts and their state") << true << 12;
    }
    void abortLeavesWhatWasThere() {
        QFETCH(bool, before);
        QFETCH(int, step);
        const fs::path file = place("aborted");
        if (before) {
            write(file, "old prompts");
            write(stateOf(file), "old state");
        }
        const Recorded r = adaptUntil(quick(), file, step, &RunControl::abort);
        QVERIFY(r.ends.at(0).how == How::Stopped);
        QVERIFY(r.ends[0].file.empty());
        QCOMPARE(fs::exists(file), before);
        QCOMPARE(fs::exists(stateOf(file)), before);
        if (!before) return;
        QCOMPARE(bytesOf(file), std::string("old prompts"));
        QCOMPARE(bytesOf(stateOf(file)), std::string("old state"));
        QVERIFY(QString::fromStdString(r.starts.at(0).warnings.back()).contains("starts anew and will replace it"));
        QVERIFY(std::ranges::any_of(r.starts[0].warnings, [&](const std::string& warning) {
            return warning.starts_with(file.string() + " is there already and will be replaced");
        }));
    }

    void anAbortedResumptionCanBeResumedAgain() {
        const fs::path whole = place("whole"), broken = place("broken");
        adapt(quick(), whole);
        adaptUntil(quick(), broken, 5, &RunControl::stop);
        const std::string prompts = bytesOf(broken), state = bytesOf(stateOf(broken));
        adaptUntil(quick(), broken, 12, &RunControl::abort, true);
        QVERIFY(bytesOf(broken) == prompts);
        QVERIFY(bytesOf(stateOf(broken)) == state);
        adapt(quick(), broken, true);
        QVERIFY(bytesOf(broken) == bytesOf(whole));
    }

    void aLossThatIsNoNumberLeavesTheFile() {
        const fs::path file = place("diverged");
        write(file, "old prompts");
        Experiment e = quick("naive");
        e.initial_session.learning_rate = 1e30;
        const Recorded r = adapt(e, file);
        QVERIFY(r.ends.at(0).how == How::Failed);
        QVERIFY(!r.ends[0].input_error);
        QVERIFY2(said(r).contains("initial_session.learning_rate"), qPrintable(said(r)));
        QVERIFY(r.ends[0].file.empty());
        QCOMPARE(bytesOf(file), std::string("old prompts"));
    }

    void aStateThatCannotBeSavedCostsNothingButTheWayToGoOn_data() {
        QTest::addColumn<bool>("stopped");
        QTest::newRow("stopped") << true;
        QTest::newRow("finished") << false;
    }
    void aStateThatCannotBeSavedCostsNothingButTheWayToGoOn() {
        QFETCH(bool, stopped);
        const fs::path file = place("full"), whole = place("whole");
        Recorded r;
        RunControl control;
        r.onStep = [&](const AdaptationProgress& progress) {
            if (progress.step == 1) makeUnwritable(stateOf(file));
            stopped&& progress.step == 12 ? control.stop() : control.step();
        };
        control.step();
        adaptPrompts(quick(), {file, false}, control, r);
        QCOMPARE(said(r), QString(" "));
        QVERIFY(r.ends.at(0).how == (stopped ? How::Stopped : How::Finished));
        QVERIFY(r.ends[0].file == file);
        QCOMPARE(r.ends[0].state_step, 0);
        QCOMPARE(readSafetensors(file).metadata.at("steps"), std::string(stopped ? "12" : "20"));
        QVERIFY(!fs::exists(stateOf(file)));
        // The failure occurs at the end of the epoch and at the very end, but is reported once.
        QCOMPARE(r.warnings.size(), std::size_t{1});
        QVERIFY2(r.warnings[0].find(stateOf(file).string()) != std::string::npos, r.warnings[0].c_str());
        if (stopped) return;
        adapt(quick(), whole);
        QVERIFY(bytesOf(file) == bytesOf(whole));
    }

    void promptsThatCannotBeWrittenCanBeKeptElsewhere_data() {
        QTest::addColumn<int>("stop");
        QTest::addColumn<int>("full");  // for the state: the step from which it cannot be saved; 0: never
        QTest::addColumn<int>("left");  // step of the state that is there in the end; 0: none
        QTest::newRow("stopped") << 3 << 0 << 3;
        QTest::newRow("stopped, no state ever") << 3 << 1 << 0;
        QTest::newRow("stopped, an earlier state") << 12 << 11 << 10;
        QTest::newRow("finished, an earlier state") << 0 << 0 << 10;
        QTest::newRow("finished, no state ever") << 0 << 1 << 0;
    }
    void promptsThatCannotBeWrittenCanBeKeptElsewhere() {
        QFETCH(int, stop);
        QFETCH(int, full);
        QFETCH(int, left);
        const fs::path file = place("full"), elsewhere = place("elsewhere");
        Recorded r;
        RunControl control;
        r.onStep = [&](const AdaptationProgress& progress) {
            if (progress.step == 1) makeUnwritable(file);
            if (progress.step == full) makeUnwritable(stateOf(file));
            progress.step == stop ? control.stop() : control.step();
        };
        control.step();
        adaptPrompts(quick(), {file, false}, control, r);
        QVERIFY(r.ends.at(0).how == How::Failed);
        QVERIFY(r.ends[0].file.empty());
        QVERIFY2(said(r).contains("could not be written"), qPrintable(said(r)));
        // The last state is kept.
        QCOMPARE(r.ends[0].state_step, left);
        QCOMPARE(fs::exists(stateOf(file)), left > 0);
        if (left > 0) QCOMPARE(readAdaptationState(stateOf(file)).step, left);
        QCOMPARE(said(r).contains("Then go on from " + QString::fromStdString(stateOf(file).string())), left > 0);
        QVERIFY(r.ends[0].keep_at);
        // The second file may also fail.
        QVERIFY_THROWS_EXCEPTION(Error, r.ends[0].keep_at(file));
        QCOMPARE(fs::exists(stateOf(file)), left > 0);
        r.ends[0].keep_at(elsewhere);
        // A finished adaptation has nothing to resume.
        QCOMPARE(fs::exists(stateOf(file)), left > 0 && stop > 0);
        QCOMPARE(readSafetensors(elsewhere).metadata.at("steps"), std::to_string(stop > 0 ? stop : 20));
    }

    void oneAtATimeWritesToAFile() {
        const fs::path file = place("claimed");
        std::optional<Recorded> second;
        Recorded r;
        RunControl control;
        r.onStep = [&](const AdaptationProgress&) {
            if (!second) second = adapt(quick("naive"), file);
        };
        adaptPrompts(quick(), {file, false}, control, r);
        QVERIFY(second && second->ends.at(0).how == How::Failed);
        QVERIFY(second->ends[0].input_error);
        QVERIFY2(said(*second).contains("Another adaptation is writing to"), qPrintable(said(*second)));
        QCOMPARE(said(r), QString(" "));
        QCOMPARE(readSafetensors(file).metadata.at("kind"), std::string("fam"));
        // Nothing is left behind, and the next adaptation may start.
        QCOMPARE(std::distance(fs::directory_iterator(file.parent_path()), fs::directory_iterator()), 1);
        QCOMPARE(said(adapt(quick("naive"), file)), QString(" "));
    }

    void whereNothingCanBeMadeTheClaimDoesNotWaitForever() {
        // The folder exists and is readable, but no user can create files in it.
        if (!fs::is_directory("/proc/self")) QSKIP("There is no /proc.");
        const Recorded r = adapt(quick("naive"), "/proc/prompts.safetensors");
        QVERIFY(r.ends.at(0).how == How::Failed);
        QVERIFY2(said(r).contains("/proc/prompts.safetensors"), qPrintable(said(r)));
    }

    void aMethodWithoutPromptsIsRefused() {
        Experiment e = quick("naive");
        e.method.name = "linear-probe";
        const Recorded r = adapt(e, place("none"));
        QVERIFY(r.ends.at(0).input_error);
        QVERIFY2(said(r).contains("takes no prompts"), qPrintable(said(r)));
    }

    void theEndSaysHowManyStepsAreDone() {
        const fs::path file = place("counted");
        Recorded r;
        RunControl control;
        r.onStep = [&](const AdaptationProgress&) { control.stop(); };
        adaptPrompts(quick(), {file, false}, control, r);
        QCOMPARE(std::to_string(r.ends.at(0).step), readSafetensors(file).metadata.at("steps"));
        QCOMPARE(r.ends[0].state_step, r.ends[0].step);
        QVERIFY(r.ends[0].peak_memory_bytes > 0);
        QCOMPARE(adapt(quick(), file, true).ends.at(0).step, kSteps);
    }

    void theRadiusThatWasUsedIsRecorded_data() {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("rho");
        QTest::newRow("SAM") << "sam"
                             << "0.05";
        QTest::newRow("FAM") << "fam"
                             << "0.1";
    }
    void theRadiusThatWasUsedIsRecorded() {
        QFETCH(QString, kind);
        QFETCH(QString, rho);
        adaptUntil(quick(kind.toStdString()), place("rho"), 1, &RunControl::stop);
        QCOMPARE(readSafetensors(place("rho")).metadata.at("initial_session.rho"), rho.toStdString());
    }

    void aDamagedStateIsNoReasonToFetchAnything() {
        const fs::path file = place("damaged");
        write(stateOf(file), "no state");
        const Recorded r = adapt(quick(), file, true);
        QVERIFY(r.ends.at(0).input_error);
        QVERIFY2(said(r).contains("Start anew") && !said(r).contains("Download"), qPrintable(said(r)));
    }

    void anotherAdaptationIsNotGoneOnWith_data() {
        QTest::addColumn<std::function<void(Experiment&)>>("change");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, std::function<void(Experiment&)> change, const char* part) {
            QTest::newRow(name) << std::move(change) << QString(part);
        };
        row(
            "seed", [](Experiment& e) { e.seed = 2; }, "seed was 1 and is 2");
        row(
            "radius", [](Experiment& e) { e.initial_session.rho = 0.3; }, "initial_session.rho was 0.0 and is 0.3");
        row(
            "kind", [](Experiment& e) { e.initial_session.prompts = "sam"; },
            "initial_session.prompts was fam and is sam");
        row(
            "weights", [](Experiment& e) { e.backbone.weights = "embedded"; },
            "backbone was random, seed 1 and is sha256:");
        row(
            "layout", [](Experiment& e) { e.method.of<PromptPoolOptions>().size = 5; }, "the prompt layout was ");
        row(
            "classes", [](Experiment& e) { e.initial_session.classes = 8; },
            "data was Fractals: 9 classes to learn, 4 others");
    }
    void anotherAdaptationIsNotGoneOnWith() {
        QFETCH(std::function<void(Experiment&)>, change);
        QFETCH(QString, part);
        const fs::path file = place("other");
        adaptUntil(quick(), file, 2, &RunControl::stop);
        const std::string prompts = bytesOf(file), state = bytesOf(stateOf(file));
        Experiment e = quick();
        change(e);
        const Recorded r = adapt(e, file, true);
        QVERIFY(r.ends.at(0).how == How::Failed);
        QVERIFY(r.ends[0].input_error);
        QVERIFY2(said(r).contains("belongs to another adaptation") && said(r).contains(part), qPrintable(said(r)));
        QVERIFY(bytesOf(file) == prompts);
        QVERIFY(bytesOf(stateOf(file)) == state);
    }

    void anotherNumberOfThreadsIsOnlyNoted() {
        const fs::path file = place("threads");
        adaptUntil(quick("naive"), file, 2, &RunControl::stop);
        Experiment e = quick("naive");
        e.threads = 2;
        const Recorded r = adapt(e, file, true);
        QVERIFY(r.ends.at(0).how == How::Finished);
        QVERIFY(
            QString::fromStdString(r.starts.at(0).warnings.at(0)).contains("began with 1 thread and goes on with 2"));
    }

    void badInputIsRefused_data() {
        QTest::addColumn<std::function<void(Experiment&, AdaptationPlace&)>>("change");
        QTest::addColumn<QString>("part");
        using Change = std::function<void(Experiment&, AdaptationPlace&)>;
        const auto row = [](const char* name, Change change, const char* part) {
            QTest::newRow(name) << std::move(change) << QString(part);
        };
        row(
            "unknown data set", [](Experiment& e, AdaptationPlace&) { e.initial_session.dataset = "fractal"; },
            "There is no data set called \"fractal\"");
        row(
            "no data set", [](Experiment& e, AdaptationPlace&) { e.initial_session.dataset = ""; },
            "initial_session.dataset is empty");
        row(
            "no classes", [](Experiment& e, AdaptationPlace&) { e.initial_session.classes = 0; },
            "initial_session.classes");
        row(
            "no others", [](Experiment& e, AdaptationPlace&) { e.initial_session.other_classes = 0; },
            "initial_session.other_classes");
        row(
            "no epochs", [](Experiment& e, AdaptationPlace&) { e.initial_session.epochs = 0; }, "0 epochs");
        row(
            "too many sessions", [](Experiment& e, AdaptationPlace&) { e.initial_session.sessions = 10; },
            "initial_session.sessions is 10");
        row(
            "no such folder", [](Experiment&, AdaptationPlace& p) { p.file = "/nowhere/p.safetensors"; },
            "/nowhere/p.safetensors cannot be written");
        row(
            "a folder", [](Experiment&, AdaptationPlace& p) { fs::create_directories(p.file); }, "is a folder");
        row(
            "another kind of file", [](Experiment&, AdaptationPlace& p) { p.file.replace_extension(".pt"); },
            ".safetensors");
        row(
            "nothing to go on from", [](Experiment&, AdaptationPlace& p) { p.resume = true; },
            "prompts.safetensors.state to go on from");
        row(
            "a state that is none",
            [](Experiment&, AdaptationPlace& p) {
                p.resume = true;
                writeSafetensors(stateOf(p.file), {{"x", at::zeros({1})}});
            },
            "is no state of an adaptation");
        row(
            "a state that is damaged",
            [](Experiment&, AdaptationPlace& p) {
                p.resume = true;
                write(stateOf(p.file), "what?");
            },
            "is not a whole .safetensors file");
    }
    void badInputIsRefused() {
        QFETCH(std::function<void(Experiment&, AdaptationPlace&)>, change);
        QFETCH(QString, part);
        Experiment e = quick();
        AdaptationPlace where{place("bad"), false};
        change(e, where);
        Recorded r;
        RunControl control;
        adaptPrompts(e, where, control, r);
        QCOMPARE(r.ends.size(), std::size_t{1});
        QVERIFY(r.ends[0].how == How::Failed);
        QVERIFY(r.ends[0].input_error);
        QVERIFY2(said(r).contains(part), qPrintable(said(r)));
        QVERIFY(r.starts.empty());
    }

    void aDataSetWithFewerClassesIsScaledAndSaysSo() {
        Experiment e = quick();
        e.initial_session.dataset = "shapes";
        e.initial_session.classes = 900;
        e.initial_session.other_classes = 100;
        const Recorded r = adaptUntil(e, place("fewer"), 1, &RunControl::abort);
        QVERIFY2(!r.starts.empty(), qPrintable(said(r)));
        QCOMPARE(r.starts[0].data, std::string("Shapes: 32 classes to learn, 4 others"));
        QVERIFY(QString::fromStdString(r.starts[0].warnings.at(0))
                    .contains("so 32 are learned and 4 stand for the others"));
    }

    void outputUnitsAreSeparateOrShared_data() {
        QTest::addColumn<QString>("units");
        QTest::newRow("separate") << "separate";
        QTest::newRow("shared") << "shared";
    }
    void outputUnitsAreSeparateOrShared() {
        QFETCH(QString, units);
        Experiment e = quick();
        e.initial_session.other_units = units.toStdString();
        const fs::path file = place("units");
        adaptUntil(e, file, 15, &RunControl::stop);
        const AdaptationState state = readAdaptationState(stateOf(file));
        const std::set<std::int64_t> labels(state.exposed.begin(), state.exposed.end());
        QCOMPARE(labels.size(), state.exposed.size());
        for (std::int64_t label = 0; label < 9; ++label) QVERIFY(labels.contains(label));
        if (units == "shared") {
            QCOMPARE(labels.size(), std::size_t{9});
            return;
        }
        QVERIFY(labels.size() >= 11);  // at least one draw of two
        QVERIFY(*labels.rbegin() < 13);
        QVERIFY(state.other.batches == 15);
    }
};

PALIMPSEST_APPLESS_TEST(TestAdaptation)

}  // namespace tst_adaptation

#include "tst_adaptation.moc"
