// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QTemporaryDir>
#include <cmath>
#include <condition_variable>
#include <fstream>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/method/method.h"
#include "engine/network/tensor_file.h"
#include "engine/record/checkpoints.h"
#include "engine/record/run_folder.h"
#include "engine/support/stop_scope.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/mask_lens.h"
#include "engine/train/mask_view.h"
#include "engine/train/run_experiment.h"
#include "tests/support/own_methods.h"
#include "tests/support/test_program.h"
#include "tests/support/tiny_vit.h"

using namespace palimpsest;

namespace tst_mask_lens {

namespace fs = std::filesystem;

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

/// Keeps what was reported of each update, and lets another thread wait for pauses.
struct Keeper : RunObserver {
    std::vector<UpdateDone> updates;
    std::vector<BatchLearned> batches;
    std::vector<Evaluated> evaluations;
    RunEnded ended;
    std::mutex mutex;
    std::condition_variable wake;
    std::int64_t pauses = 0;
    bool over = false;

    void onUpdate(const UpdateDone& event) override { updates.push_back(event); }
    void onBatch(const BatchLearned& event) override { batches.push_back(event); }
    void onEvaluated(const Evaluated& event) override { evaluations.push_back(event); }
    void onState(const StateChanged& event) override {
        if (event.state != RunState::Paused) return;
        const std::lock_guard lock(mutex);
        ++pauses;
        wake.notify_all();
    }
    void onEnded(const RunEnded& event) override {
        ended = event;
        const std::lock_guard lock(mutex);
        over = true;
        wake.notify_all();
    }
    /// False: the run has ended.
    bool waitForPause(std::int64_t number) {
        std::unique_lock lock(mutex);
        wake.wait(lock, [&] { return pauses >= number || over; });
        return pauses >= number;
    }
};

std::string contentOf(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// All measurements of a run and the hashes of its states.
std::map<std::string, std::string> resultsOf(const fs::path& run) {
    std::map<std::string, std::string> results;
    for (const auto& entry : fs::recursive_directory_iterator(run)) {
        const std::string name = fs::relative(entry.path(), run).string();
        if (entry.is_regular_file() && name != "commands.csv" &&
            (name.ends_with(".csv") || name.starts_with("predictions")))
            results[name] = contentOf(entry.path());
    }
    results["states"] = nlohmann::json::parse(contentOf(run / "run.json")).at("states").dump();
    return results;
}

std::vector<std::optional<double>> pushesOf(const MaskView& view) {
    std::vector<std::optional<double>> pushes;
    for (const ClassPush& push : view.pushes) pushes.push_back(push.push);
    return pushes;
}

bool same(const MaskLens& a, const MaskLens& b) {
    if (a.views.size() != b.views.size() || a.samples_seen != b.samples_seen || a.batch != b.batch ||
        a.images != b.images || a.replayed != b.replayed || a.used != b.used || !a.inference != !b.inference)
        return false;
    if (a.inference && (a.inference->images != b.inference->images || a.inference->right != b.inference->right ||
                        a.inference->right_among_seen != b.inference->right_among_seen))
        return false;
    for (std::size_t i = 0; i < a.views.size(); ++i) {
        const MaskView &one = a.views[i], &other = b.views[i];
        if (one.mask != other.mask || one.loss != other.loss || one.accuracy != other.accuracy ||
            one.pushes != other.pushes || one.unnamed != other.unnamed || one.unnamed_push != other.unnamed_push)
            return false;
    }
    return true;
}

}  // namespace

class TestMaskLens : public QObject {
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
        const QString key = setting.section('=', 0, 0), value = setting.section('=', 1);
        table().setText(experiment, key.toStdString(), value.toStdString());
    }
    fs::path learned(const std::string& name, const Experiment& experiment, Keeper& keeper) const {
        RunControl control;
        const fs::path run = place(name);
        fs::remove_all(run);
        runExperiment(1, experiment, FreshRun{{}, run}, control, keeper);
        if (keeper.ended.how != RunEnd::Finished) qWarning("%s", keeper.ended.error.c_str());
        return keeper.ended.how == RunEnd::Finished ? run : fs::path();
    }

private Q_SLOTS:
    void theNumbersAreThoseComputedByHand() {
        // Odds in place of logits, so that each probability is a fraction that can be seen.
        const Tensor logits = at::tensor({1., 2., 3., 4., 10., 2., 2., 4., 2., 10.}, at::kFloat).view({2, 5}).log();
        const LensUpdate update{logits, at::tensor({0, 2}, at::kLong), {0, 2}};
        MaskPolicy policy(MaskKind::Learnable, 5);
        policy.beginStep(std::vector<std::int64_t>{0, 2, 3});
        const std::vector<std::int32_t> exposed{7, 3, 5, 1};
        struct Expected {
            MaskKind mask;
            double loss, accuracy;
            std::vector<std::optional<double>> pushes;
            std::int64_t unnamed;
            double unnamed_push;
        };
        const std::vector<Expected> all{
            {MaskKind::None, std::log(100.) / 2, 0, {0.85, -0.2, 0.65, -0.3}, 1, -1},
            {MaskKind::Seen, std::log(25.) / 2, 0.5, {0.7, -0.4, 0.3, -0.6}, 0, 0},
            {MaskKind::Batch, std::log(6.) / 2, 0.5, {5. / 12, std::nullopt, -5. / 12, std::nullopt}, 0, 0},
            {MaskKind::Session, std::log(16.) / 2, 0.5, {0.625, std::nullopt, 0.125, -0.75}, 0, 0}};
        for (const Expected& expected : all) {
            const MaskView view = viewThrough(expected.mask, update, policy, exposed);
            QVERIFY(view.mask == expected.mask);
            QVERIFY2(std::abs(view.loss - expected.loss) < 1e-6, qPrintable(QString::number(view.loss, 'g', 10)));
            QCOMPARE(view.accuracy, expected.accuracy);
            QCOMPARE(view.unnamed, expected.unnamed);
            QVERIFY(std::abs(view.unnamed_push - expected.unnamed_push) < 1e-6);
            QCOMPARE(view.pushes.size(), exposed.size());
            for (std::size_t unit = 0; unit < exposed.size(); ++unit) {
                QCOMPARE(view.pushes[unit].label, exposed[unit]);
                QCOMPARE(view.pushes[unit].push.has_value(), expected.pushes[unit].has_value());
                if (view.pushes[unit].push)
                    QVERIFY2(std::abs(*view.pushes[unit].push - *expected.pushes[unit]) < 1e-6,
                             qPrintable(QString::number(*view.pushes[unit].push, 'g', 10)));
            }
        }
    }

    void aHiddenLogitOfZeroStillCompetesWhereTheRunHasItSo() {
        const Tensor logits = at::tensor({3., 2., 5.}, at::kFloat).view({1, 3}).log();
        const LensUpdate update{logits, at::tensor({0}, at::kLong), {0}};
        const MaskView view =
            viewThrough(MaskKind::Batch, update, MaskPolicy(MaskKind::None, 3, MaskForm::Multiplicative), {0, 1});
        QVERIFY(std::abs(view.loss - std::log(5. / 3)) < 1e-6);
        QVERIFY(std::abs(*view.pushes[0].push - 0.4) < 1e-6);
        QVERIFY(!view.pushes[1].push);
    }

    void theSentencesSayWhatTheNumbersSay() {
        MaskLens lens;
        lens.class_names = {"Bag", "Boot", "Coat", "Dress"};
        lens.batch = {0, 1};
        const auto view = [](MaskKind mask, std::vector<std::optional<double>> pushes, std::int64_t unnamed,
                             double push) {
            MaskView one;
            one.mask = mask;
            for (std::size_t i = 0; i < pushes.size(); ++i)
                one.pushes.push_back({static_cast<std::int32_t>(i), pushes[i], 0});
            one.unnamed = unnamed;
            one.unnamed_push = push;
            return one;
        };
        const std::optional<double> hidden;
        lens.views = {view(MaskKind::None, {1.5, 2.5, -1, -2}, 3, -1), view(MaskKind::Seen, {1, 2, -1.2, -1.8}, 0, 0),
                      view(MaskKind::Batch, {0.1, -0.1, hidden, hidden}, 0, 0),
                      view(MaskKind::Session, {0.6, 0.4, hidden, -0.01}, 0, 0)};
        QCOMPARE(pushedOthers(lens, MaskKind::None).count(), std::int64_t{5});
        QCOMPARE(pushedOthers(lens, MaskKind::Session).count(), std::int64_t{0});
        QCOMPARE(
            QString::fromStdString(lensSentence(lens)),
            QString("Through the batch mask only the 2 classes of this batch are pulled or pushed. Without a mask 5 "
                    "others are pushed down, by 4.0 in all (3 of them are outputs that no class has taken yet). "
                    "With the seen mask: 2, by 3.0; with the session mask: none of them."));
        lens.views[0] = view(MaskKind::None, {1.5, 2.5, 0, -0.01}, 0, 0);
        lens.batch = {0};
        lens.views[0].pushes[1].push = 0;
        QCOMPARE(QString::fromStdString(lensSentence(lens)),
                 QString("Through the batch mask only the one class of this batch is pulled or pushed. Here the other "
                         "masks hardly differ: no other class is pushed down by much."));
        QVERIFY(inferenceSentence(lens).empty());
        lens.inference = LensInference{200, 200, 50, 80};
        lens.classes_seen = 3;
        QCOMPARE(QString::fromStdString(inferenceSentence(lens)),
                 QString("Of 200 test images of the 3 classes seen so far, 25.0 % are right where every output may "
                         "answer, and 40.0 % where only classes seen may."));
        lens.inference->all = 3000;
        QCOMPARE(
            QString::fromStdString(inferenceSentence(lens)),
            QString("Of 200 test images, an even sample of the 3,000 of the 3 classes seen so far, 25.0 % are right "
                    "where every output may answer, and 40.0 % where only classes seen may. The curves count more "
                    "images, so they may differ by a few points."));
    }

    void theRunsOwnMaskShowsTheUpdateThatComesNext_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<bool>("plain");
        for (const char* mask : {"none", "seen", "batch", "session"})
            for (const char* memory : {"0", "10"})
                QTest::addRow("%s mask, memory of %s", mask, memory)
                    << QString("method.name=linear-probe mask.name=%1 memory.size=%2").arg(mask, memory) << true;
        QTest::newRow("session mask that knows the session")
            << "method.name=linear-probe mask.name=session mask.session_scope=whole" << true;
        QTest::newRow("multiplicative mask") << "method.name=linear-probe mask.form=multiplicative" << true;
        QTest::newRow("backbone that learns")
            << "method.name=finetune method.backbone_learning_rate=0.00005 memory.size=10" << true;
        for (const MethodEntry& entry : test::ownMethods())
            QTest::addRow("%s", entry.choice.value.c_str())
                << QString("method.name=%1 memory.size=10").arg(entry.choice.value.c_str()) << false;
    }
    void theRunsOwnMaskShowsTheUpdateThatComesNext() {
        QFETCH(QString, settings);
        QFETCH(bool, plain);
        Keeper keeper;
        const fs::path run = learned("next", small(settings), keeper);
        QVERIFY(!run.empty());
        int compared = 0;
        for (const std::int64_t at : forkableCheckpoints(run)) {
            const MaskLens lens = maskLens(table(), run, at);
            QCOMPARE(lens.samples_seen, at);
            QCOMPARE(lens.views.size(), std::size_t(4));
            QVERIFY(lens.images + lens.replayed > 0);
            const auto updates = readCheckpointRecord(checkpointDescription(run, at)).updates;
            const UpdateDone& next = keeper.updates.at(static_cast<std::size_t>(updates));
            QCOMPARE(next.update, updates + 1);
            if (!lens.used) continue;
            ++compared;
            const MaskView& used = lens.view(*lens.used);
            // EWC++ makes two steps with a batch, and tells the second.
            if (!settings.contains("ewcpp")) QCOMPARE(used.accuracy, next.batch_accuracy);
            if (plain) QCOMPARE(used.loss, next.loss);
        }
        const bool own = settings.contains("er-ace") || settings.contains("mvp");
        QVERIFY(own || compared >= 4);
    }

    void pushesAreThoseOfTheBatchThatComesNext() {
        Keeper keeper;
        const fs::path run =
            learned("pushes", small("method.name=linear-probe mask.name=seen training.updates_per_batch=1"), keeper);
        QVERIFY(!run.empty());
        int compared = 0;
        for (const std::int64_t at : forkableCheckpoints(run)) {
            const MaskLens lens = maskLens(table(), run, at);
            for (const BatchLearned& batch : keeper.batches) {
                if (batch.samples_seen != at + 8) continue;
                ++compared;
                std::vector<std::optional<double>> pushes;
                for (const ClassPush& push : batch.pushes) pushes.push_back(push.push);
                QCOMPARE(pushesOf(lens.view(MaskKind::Seen)), pushes);
            }
        }
        QVERIFY(compared > 0);
    }

    /// Of the batch that comes next only what the run could read is counted, and of its memory likewise.
    void whatCannotBeReadIsNotCounted_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<bool>("joined");
        QTest::newRow("no memory") << "memory.size=0" << true;
        QTest::newRow("memory") << "memory.size=40" << true;
        QTest::newRow("memory in batches of its own") << "method.name=derpp memory.size=40" << false;
    }
    void whatCannotBeReadIsNotCounted() {
        QFETCH(QString, settings);
        QFETCH(bool, joined);
        const fs::path data = place("holed");
        fs::remove_all(data);
        for (const char* part : {"train", "test"})
            for (const char* name : {"apples", "pears"}) {
                fs::create_directories(data / part / name);
                for (int i = 0; i < 24; ++i) {
                    std::ofstream out(data / part / name / (std::to_string(100 + i) + ".ppm"), std::ios::binary);
                    // Every third training image is no picture.
                    if (part == std::string("train") && i % 3 == 0) continue;
                    out << "P6\n8 8\n255\n" << std::string(8 * 8 * 3, static_cast<char>('a' + i));
                }
            }
        Keeper keeper;
        Experiment experiment = small(
            "method.name=linear-probe stream.dataset=folder training.updates_per_batch=1 "
            "evaluation.every_samples=8 " +
            settings);
        experiment.stream.root = data.string();
        const fs::path run = learned("holed-run", experiment, keeper);
        QVERIFY(!run.empty());
        int compared = 0;
        std::int64_t replayed = 0, missing = 0;
        for (const std::int64_t at : forkableCheckpoints(run)) {
            // One update a batch; not every batch is shown, but every update is told.
            const auto next = std::ranges::find_if(keeper.updates,
                                                   [&](const UpdateDone& update) { return update.samples_seen > at; });
            if (next == keeper.updates.end()) continue;
            const MaskLens lens = maskLens(table(), run, at);
            QCOMPARE(lens.images, next->samples_seen - at);
            QVERIFY(lens.images <= 8 && lens.replayed <= 4);
            missing += 8 - lens.images;
            ++compared;
            replayed += lens.replayed;
            if (joined) QCOMPARE(lens.view(*lens.used).loss, next->loss);
        }
        QVERIFY(compared >= 2 && missing > 0);
        QCOMPARE(replayed > 0, joined && experiment.memory.size > 0);
    }

    void answersAreThoseOfTheRunsOwnEvaluation_data() {
        QTest::addColumn<QString>("settings");
        for (const char* method : {"linear-probe", "dualprompt", "fly-prompt", "analytic-head"})
            for (const char* hidden : {"seen", "none"})
                QTest::addRow("%s, %s", method, hidden)
                    << QString("method.name=%1 mask.evaluation=%2").arg(method, hidden);
    }
    void answersAreThoseOfTheRunsOwnEvaluation() {
        QFETCH(QString, settings);
        Keeper keeper;
        const fs::path run = learned("answers", small(settings), keeper);
        QVERIFY(!run.empty());
        int compared = 0;
        for (const std::int64_t at : forkableCheckpoints(run)) {
            const MaskLens lens = maskLens(table(), run, at);
            QCOMPARE(lens.inference.has_value(), lens.classes_seen > 0);
            // Few test images are all looked at.
            if (lens.inference) QCOMPARE(lens.inference->all, lens.inference->images);
            for (const Evaluated& evaluation : keeper.evaluations) {
                if (evaluation.samples_seen != at) continue;
                ++compared;
                const std::int64_t right =
                    settings.endsWith("seen") ? lens.inference->right_among_seen : lens.inference->right;
                QCOMPARE(static_cast<double>(right) / static_cast<double>(lens.inference->images), evaluation.accuracy);
            }
        }
        QVERIFY(compared >= 2);
    }

    void aRunThatIsLookedAtEndsWithTheSameBits_data() {
        QTest::addColumn<QString>("settings");
        for (const MethodEntry& entry : test::ownMethods())
            QTest::addRow("%s", entry.choice.value.c_str())
                << QString("method.name=%1 memory.size=10").arg(entry.choice.value.c_str());
    }
    void aRunThatIsLookedAtEndsWithTheSameBits() {
        QFETCH(QString, settings);
        const Experiment experiment = small(settings);
        Keeper alone;
        const fs::path untouched = learned("alone", experiment, alone);
        QVERIFY(!untouched.empty());

        Keeper keeper;
        RunControl control;
        control.pause();
        const fs::path run = place("looked");
        fs::remove_all(run);
        std::vector<MaskLens> live;
        std::string failed;
        std::thread looker([&] {
            for (std::int64_t pause = 1; keeper.waitForPause(pause); ++pause) {
                try {
                    if (pause % 3 == 1) live.push_back(maskLens(table(), run, std::nullopt));
                } catch (const std::exception& error) {
                    failed = error.what();
                }
                control.step();
            }
        });
        runExperiment(1, experiment, FreshRun{{}, run}, control, keeper);
        looker.join();
        QCOMPARE(failed, std::string());
        QVERIFY(keeper.ended.how == RunEnd::Finished);
        QVERIFY(live.size() >= 4);
        QVERIFY(resultsOf(run) == resultsOf(untouched));
        // What was seen while it stood still is what its folder shows afterwards.
        for (const MaskLens& seen : live) QVERIFY(same(seen, maskLens(table(), run, seen.samples_seen)));
    }

    void theCheckpointAtOrBeforeTheMomentIsTaken() {
        Keeper keeper;
        const fs::path run = learned("moments", small("method.name=linear-probe"), keeper);
        const std::vector<std::int64_t> all = forkableCheckpoints(run);
        QVERIFY(all.size() >= 3);
        QCOMPARE(maskLens(table(), run, std::nullopt).samples_seen, all.front());
        QCOMPARE(maskLens(table(), run, 1000).samples_seen, all.front());
        QCOMPARE(maskLens(table(), run, all[1] + 1).samples_seen, all[1]);
        QCOMPARE(maskLens(table(), run, all[1] - 1).samples_seen, all[2]);
        const MaskLens beginning = maskLens(table(), run, 0);
        QCOMPARE(beginning.classes_seen, std::int64_t{0});
        QVERIFY(!beginning.inference);
        // Classes that come with the batch have names already.
        QCOMPARE(beginning.view(MaskKind::Seen).pushes.size(), beginning.batch.size());
        QVERIFY(beginning.view(MaskKind::None).unnamed > 0);
    }

    void aRunThatCannotBeLookedAtSaysWhy_data() {
        QTest::addColumn<QString>("settings");
        QTest::addColumn<QString>("damage");
        QTest::addColumn<int>("at");
        QTest::addColumn<QString>("said");
        QTest::newRow("no checkpoints") << "evaluation.checkpoints=0"
                                        << "" << 1000 << "keeps no checkpoints";
        QTest::newRow("before the first image") << ""
                                                << "" << -5 << "no moment before its first image";
        QTest::newRow("other weights") << ""
                                       << "weights" << 1000 << "belong to other circumstances: the backbone's digest";
        QTest::newRow("checkpoints gone at the beginning") << ""
                                                           << "early" << 1 << "no checkpoint at or before 1 images";
        QTest::newRow("the end alone") << ""
                                       << "all but the end" << 1000 << "there is no next batch";
        QTest::newRow("no run") << ""
                                << "run" << 1000 << "is not a run folder";
    }
    void aRunThatCannotBeLookedAtSaysWhy() {
        QFETCH(QString, settings);
        QFETCH(QString, damage);
        QFETCH(int, at);
        QFETCH(QString, said);
        Keeper keeper;
        const fs::path run = learned("refused", small("method.name=linear-probe " + settings), keeper);
        QVERIFY(!run.empty());
        const auto drop = [&](const auto& wanted) {
            for (const std::int64_t each : listCheckpoints(run))
                if (wanted(each)) fs::remove(checkpointDescription(run, each));
        };
        if (damage == "weights")
            writeSafetensors(place("weights.safetensors"), test::tinyWeights({16, 4, 3, 32, 5, 2, 2}, 2));
        if (damage == "early") drop([](std::int64_t each) { return each < 30; });
        if (damage == "all but the end") drop([](std::int64_t each) { return each < 96; });
        if (damage == "run") fs::remove(run / "run.json");
        if (damage == "run") fs::remove(run / "experiment.toml");
        QString message;
        try {
            maskLens(table(), run, at);
        } catch (const Error& error) {
            message = QString::fromStdString(error.sentence());
        }
        if (damage == "weights") fs::remove(place("weights.safetensors"));
        QVERIFY2(message.contains(said), qPrintable(message));
    }

    void aLookCanBeGivenUp() {
        Keeper keeper;
        const fs::path run = learned("given up", small("method.name=linear-probe"), keeper);
        std::stop_source stop;
        stop.request_stop();
        const StopScope scope(stop.get_token());
        QVERIFY_EXCEPTION_THROWN(maskLens(table(), run, std::nullopt), GivenUp);
    }
};

PALIMPSEST_GUILESS_TEST(TestMaskLens)

}  // namespace tst_mask_lens

#include "tst_mask_lens.moc"
