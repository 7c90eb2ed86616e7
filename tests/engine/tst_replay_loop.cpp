// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "engine/checkpoint/state_archive.h"
#include "engine/memory/balanced_memory.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/method_options/head_method_options.h"
#include "engine/method_options/prompt_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/network/compute.h"
#include "engine/train/online_loop.h"
#include "tests/support/own_methods.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_replay_loop {

namespace {

constexpr std::int64_t kClasses = 4, kPixels = 16;
using Integers = std::vector<std::int64_t>;

/// Grey pictures; a sample's label is its number divided by 4. Records its requests.
class Asked : public TrainSource {
public:
    struct Past {
        std::int64_t batch, draw;
        Integers samples;
    };
    std::vector<Past> past_batches;
    std::map<std::int64_t, std::vector<Integers>> expected;
    std::map<std::int64_t, std::vector<Integers>> replayed;  // by batch, joined to the stream
    std::set<std::int64_t> lost;                             // unreadable past samples
    int joined = 0, alone = 0, unvaried = 0;

    std::int32_t label(std::int64_t sample) const override { return static_cast<std::int32_t>(sample / 4); }
    void expect(std::int64_t batch, const std::vector<Integers>& replay) override { expected[batch] = replay; }
    ShownImages images(std::int64_t batch, std::int64_t, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t> replay) override {
        ++(replay.empty() ? alone : joined);
        replayed[batch].emplace_back(replay.begin(), replay.end());
        Integers all(stream.begin(), stream.end());
        all.insert(all.end(), replay.begin(), replay.end());
        return shown(all);
    }
    ShownImages past(std::int64_t batch, std::int64_t draw, std::span<const std::int64_t> samples) override {
        past_batches.push_back({batch, draw, {samples.begin(), samples.end()}});
        Integers readable(samples.begin(), samples.end());
        std::erase_if(readable, [&](std::int64_t sample) { return lost.contains(sample); });
        return shown(readable);
    }
    ShownImages plain(std::span<const std::int64_t> samples) override {
        ++unvaried;
        return shown({samples.begin(), samples.end()});
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }

private:
    static ShownImages shown(const Integers& samples) {
        if (samples.empty()) return {};
        Tensor images = at::zeros({static_cast<std::int64_t>(samples.size()), 3, kPixels, kPixels});
        for (std::size_t i = 0; i < samples.size(); ++i)
            images[static_cast<std::int64_t>(i)].fill_(0.1 * static_cast<double>(samples[i]));
        return {images, samples};
    }
};

class Test : public TestSource {
public:
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        return {at::ones({static_cast<std::int64_t>(samples.size()), 3, kPixels, kPixels}),
                {samples.begin(), samples.end()}};
    }

private:
    std::vector<std::int32_t> labels_{0, 1, 2, 3};
};

struct Told : LoopListener {
    const OnlineLoop* loop = nullptr;
    std::vector<std::vector<bool>> visible;
    std::vector<Integers> memories_of_batches, memories_at_ends;
    std::vector<double> accuracies_at_ends;
    std::int64_t updates = 0, updates_at_first_end = 0, worked = 0, allowed = 1'000'000;
    bool finite = true;
    std::function<TensorsByName()> state;  // of the loop; null: it is not asked for
    std::optional<TensorsByName> kept;     // when the run ended within the work after a session
    void workChanges() override {
        if (state) kept = state();
    }
    void workGivenUp(bool changed) override {
        if (state && !changed) kept = state();
    }
    bool working(const std::string& what, std::int64_t done, std::int64_t total) override {
        finite = finite && !what.empty() && done <= total;
        return ++worked <= allowed;
    }
    void updated(std::int64_t update, const UpdateResult& result) override {
        finite = finite && std::isfinite(result.loss) && update == updates + 1;
        updates = update;
    }
    void learned(const Batch& batch) override {
        visible.push_back(batch.visible);
        memories_of_batches.push_back(loop->memory().samples());
    }
    void evaluated(EvaluationKind kind, std::int64_t, const Evaluation& evaluation) override {
        if (kind != EvaluationKind::SessionEnd) return;
        if (accuracies_at_ends.empty()) updates_at_first_end = updates;
        accuracies_at_ends.push_back(evaluation.accuracy);
        memories_at_ends.push_back(loop->memory().samples());
    }
};

/// A run of two sessions of two classes and two batches each.
struct Course {
    Asked train;
    Told told;
    LoopSettings settings;
    MethodSetup setup;
    StreamPlan plan;
    std::unique_ptr<Method> method;
    Integers remembered;
    bool whole = false;
    bool keeps_state = false;
    std::optional<TensorsByName> from;  // a kept state that it goes on from
    std::string state;                  // hash of all that the loop keeps, after a whole run

    explicit Course(const std::string& name, std::int64_t memory = 20) {
        setup.method.name = name;
        setup.method.of<RainbowMemoryOptions>().epochs = 2;
        setup.memory.size = settings.memory_size = memory;
        setup.memory.batch_size = settings.memory_batch = 2;
        setup.batch_size = settings.batch_size = 4;
        settings.classes = kClasses;
        settings.updates_per_batch = 2;
        settings.every_samples = 0;
        settings.mask = MaskKind::Seen;
        plan.sessions = {{0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}};
    }
    void run() {
        const Compute compute = prepareCompute("cpu", "float32", 1);
        setup.vit = std::make_shared<Vit>(VitShape{kPixels, 4, 3, 32, 5, 2, 2});
        setup.vit->initialise(Random(1));
        setup.classes = kClasses;
        setup.initial_session.prompts = "none";
        setup.optimizer = "adam";
        setup.learning_rate = 5e-3;
        method = makeMethod(setup);
        Test test;
        Evaluator evaluator(*method, test, kClasses, true, 8, compute.device);
        OnlineLoop loop(settings, *method, train, evaluator, told);
        told.loop = &loop;
        if (keeps_state)
            told.state = [&loop] {
                StateArchive archive;
                loop.keep(archive);
                return archive.tensors();
            };
        if (from) {
            StateArchive archive(*from, at::kCPU);
            loop.keep(archive);
            told.updates = loop.updates();
        }
        whole = loop.run(plan);
        if (whole && told.state) state = stateHash(told.state());
        told.state = nullptr;
        told.loop = nullptr;
        remembered = loop.memory().samples();
    }
};

}  // namespace

class TestReplayLoop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyMethodFinishesItsCourse_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<qint64>("memory");
        QTest::addColumn<QString>("mask");
        const auto row = [](const std::string& name, qint64 memory, const char* mask) {
            QTest::addRow("%s, %d, %s", name.c_str(), static_cast<int>(memory), mask)
                << QString::fromStdString(name) << memory << QString(mask);
        };
        for (const auto& entry : test::ownMethods()) {
            for (const qint64 memory : {0, 1})
                if (memory > 0 || entry.choice.value != "clib") row(entry.choice.value, memory, "seen");
            for (const char* mask : {"none", "seen", "batch", "session"}) row(entry.choice.value, 20, mask);
        }
    }
    /// Three sessions, the second of which is empty. FlyPrompt changes its expert twice, and CODA-Prompt opens a
    /// component in each session.
    void everyMethodFinishesItsCourse() {
        QFETCH(QString, name);
        QFETCH(qint64, memory);
        QFETCH(QString, mask);
        Course course(name.toStdString(), memory);
        course.setup.method.of<DualPromptOptions>().selection = "full-pool";
        makeSmall(course.setup.method);
        course.settings.mask = kMaskKinds.at(mask.toStdString());
        course.plan.sessions.insert(course.plan.sessions.begin() + 1, std::vector<std::int64_t>());
        course.setup.sessions = 3;
        course.setup.stream_samples = 16;
        course.setup.method.of<FlyPromptOptions>().experts = 3;
        course.run();
        QVERIFY(course.whole);
        QVERIFY(course.told.finite);
        QVERIFY(course.told.updates >= 8);
        QCOMPARE(course.told.accuracies_at_ends.size(), std::size_t{3});
        QVERIFY(static_cast<qint64>(course.remembered.size()) <= memory);
        // The kept tensors are the live ones, except for losses, which are numbers.
        const std::vector<NamedTensor> kept = course.method->keptTensors(), again = course.method->keptTensors();
        for (std::size_t i = 0; i < kept.size(); ++i)
            QVERIFY2(kept[i].name == "memory_loss" || kept[i].tensor.is_alias_of(again[i].tensor),
                     kept[i].name.c_str());
    }

    void erReplaysTogetherWithTheStream() {
        Course course("er");
        course.run();
        QCOMPARE(course.train.joined, 6);  // all batches but the first
        QCOMPARE(course.train.alone, 2);
        QVERIFY(course.train.past_batches.empty());
    }

    void erAceReplaysByItselfAndOnlyAfterTheFirstSession() {
        Course course("er-ace");
        course.run();
        QCOMPARE(course.train.joined, 0);
        QCOMPARE(course.train.past_batches.size(), std::size_t{4});
        for (const auto& past : course.train.past_batches) {
            QVERIFY(past.batch >= 3);
            // Replays are announced, so that they can be read ahead.
            QCOMPARE(course.train.expected.at(past.batch).at(static_cast<std::size_t>(past.draw)), past.samples);
        }
        QVERIFY(course.train.expected.at(2).empty());
        // The user sees the method's own mask; the only class still to come stays hidden.
        QCOMPARE(course.told.visible[0], (std::vector<bool>{true, true, true, true}));
        QCOMPARE(course.told.visible[2], (std::vector<bool>{false, false, true, false}));
        QCOMPARE(course.told.visible[3], (std::vector<bool>{false, false, false, true}));
    }

    void derppDrawsTwoLotsThatKnowNothingOfEachOther() {
        Course course("derpp");
        course.run();
        // Each update but the first replays two; the second already replays the batch itself.
        QCOMPARE(course.train.past_batches.size(), std::size_t{2 * 7});
        QCOMPARE(course.train.past_batches[0].batch, std::int64_t{1});
        int same = 0;
        for (std::size_t i = 0; i < course.train.past_batches.size(); i += 2) {
            QCOMPARE(course.train.past_batches[i].draw + 1, course.train.past_batches[i + 1].draw);
            same += course.train.past_batches[i].samples == course.train.past_batches[i + 1].samples;
        }
        QVERIFY(same < 7);
        QCOMPARE(course.remembered.size(), std::size_t{20});  // of 32 offered
    }

    void derppGoesOnWithoutImagesThatAreLost() {
        Course course("derpp");
        course.train.lost = {0, 1, 2, 3, 4, 9};
        course.run();
        QVERIFY(course.whole);
        QVERIFY(course.told.finite);
        QCOMPARE(course.told.updates, std::int64_t{8});
    }

    void clibLearnsFromItsMemoryAlone() {
        Course course("clib", 3);
        course.run();
        QCOMPARE(course.train.joined + course.train.alone, 0);
        QCOMPARE(course.told.updates, std::int64_t{8});
        for (const auto& past : course.train.past_batches) {
            QCOMPARE(past.samples.size(), std::size_t{2});
            for (const std::int64_t sample : past.samples) QVERIFY(sample < 4 * past.batch);
        }
        QVERIFY(course.train.unvaried > 0);
        std::set<std::int64_t> classes;
        for (const std::int64_t sample : course.remembered) classes.insert(sample / 4);
        QCOMPARE(classes.size(), std::size_t{3});
    }

    void clibWithoutAReadableImageMakesNoUpdate() {
        Course course("clib", 8);
        for (std::int64_t sample = 0; sample < 16; ++sample) course.train.lost.insert(sample);
        course.run();
        QVERIFY(course.whole);
        QCOMPARE(course.told.updates, std::int64_t{0});
        QCOMPARE(course.told.visible.size(), std::size_t{4});
    }

    void theKindOfMemoryCanBeChosen() {
        Course reservoir("er", 4), balanced("er", 4);
        balanced.settings.memory_kind = "balanced";
        reservoir.run();
        balanced.run();
        std::set<std::int64_t> classes;
        for (const std::int64_t sample : balanced.remembered) classes.insert(sample / 4);
        QCOMPARE(classes.size(), std::size_t{4});
        QVERIFY(reservoir.remembered != balanced.remembered);
        Course rainbow("rainbow-memory", 4);
        rainbow.run();
        QCOMPARE(rainbow.remembered, balanced.remembered);
    }

    void rainbowMemorysSessionEndIsMeasuredWhenItIsToldTo_data() {
        QTest::addColumn<QString>("when");
        QTest::addColumn<qint64>("updates");
        QTest::newRow("after") << "after" << qint64{4 + 2 * 2};  // two epochs of eight images, six at a time
        QTest::newRow("before") << "before" << qint64{4};
    }
    void rainbowMemorysSessionEndIsMeasuredWhenItIsToldTo() {
        QFETCH(QString, when);
        QFETCH(qint64, updates);
        Course course("rainbow-memory");
        course.setup.method.of<RainbowMemoryOptions>().evaluation = when.toStdString();
        course.run();
        QCOMPARE(course.told.updates_at_first_end, std::int64_t{updates});
        std::set<std::pair<std::int64_t, std::int64_t>> draws;
        for (const auto& past : course.train.past_batches) draws.emplace(past.batch, past.draw);
        QCOMPARE(draws.size(), course.train.past_batches.size());  // each with its own draws
    }

    void theWorkAfterASessionMayEndTheRun() {
        Course course("rainbow-memory");
        course.told.allowed = 3;
        course.run();
        QVERIFY(!course.whole);
        QVERIFY(course.told.accuracies_at_ends.empty());
        QCOMPARE(course.told.updates, std::int64_t{4 + 3});
    }

    void workThatWasStoppedIsDoneAgain_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("detail");
        QTest::addColumn<QString>("mask");
        QTest::newRow("online EWC") << "online-ewc"
                                    << ""
                                    << "seen";
        QTest::newRow("online EWC, session mask") << "online-ewc"
                                                  << ""
                                                  << "session";
        QTest::newRow("online EWC, negated logits") << "online-ewc"
                                                    << "negated-logits"
                                                    << "seen";
        QTest::newRow("rainbow memory") << "rainbow-memory"
                                        << ""
                                        << "seen";
        QTest::newRow("rainbow memory, session mask") << "rainbow-memory"
                                                      << ""
                                                      << "session";
        QTest::newRow("rainbow memory, evaluated before") << "rainbow-memory"
                                                          << "before"
                                                          << "seen";
        QTest::newRow("rainbow memory by uncertainty") << "rainbow-memory"
                                                       << "uncertainty"
                                                       << "session";
    }
    /// Three sessions, the second of which is empty.
    void workThatWasStoppedIsDoneAgain() {
        QFETCH(QString, name);
        QFETCH(QString, detail);
        QFETCH(QString, mask);
        const auto course = [&] {
            Course made(name.toStdString(), 6);
            made.keeps_state = true;
            made.settings.mask = kMaskKinds.at(mask.toStdString());
            made.plan.sessions.insert(made.plan.sessions.begin() + 1, std::vector<std::int64_t>());
            if (detail == "negated-logits")
                made.setup.method.of<TunedBackboneOptions>().importance = detail.toStdString();
            if (detail == "before") made.setup.method.of<RainbowMemoryOptions>().evaluation = detail.toStdString();
            if (detail == "uncertainty") made.setup.memory.kind = made.settings.memory_kind = detail.toStdString();
            return made;
        };
        const auto joined = [](auto first, const auto& second) {
            first.insert(first.end(), second.begin(), second.end());
            return first;
        };
        Course unbroken = course();
        unbroken.run();
        QVERIFY(unbroken.whole);
        QVERIFY(unbroken.told.worked >= 6);
        for (std::int64_t polls = 0; polls < unbroken.told.worked; ++polls) {
            Course before = course(), after = course();
            before.told.allowed = polls;
            before.run();
            QVERIFY(!before.whole);
            QVERIFY(before.told.kept.has_value());
            after.from = before.told.kept;
            after.run();
            QVERIFY(after.whole);
            const QByteArray when = QByteArray::number(static_cast<qint64>(polls));
            QVERIFY2(after.state == unbroken.state, when.constData());
            // Each evaluation comes once, each batch is learned once, and no update counts twice.
            QCOMPARE(joined(before.told.accuracies_at_ends, after.told.accuracies_at_ends),
                     unbroken.told.accuracies_at_ends);
            QCOMPARE(joined(before.told.visible, after.told.visible), unbroken.told.visible);
            QCOMPARE(after.told.updates, unbroken.told.updates);
            QVERIFY(after.told.finite);
        }
    }

    void aMemoryThatIsChosenAnewIsReplayedFromThen() {
        const auto sorted = [](Integers samples) {
            std::sort(samples.begin(), samples.end());
            return samples;
        };
        int changed = 0;
        for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
            Course course("rainbow-memory", 4);
            course.setup.memory.kind = course.settings.memory_kind = "uncertainty";
            course.setup.seed = course.settings.seed = seed;
            // As many as are remembered: each update replays the whole memory.
            course.setup.memory.batch_size = course.settings.memory_batch = 4;
            course.run();
            QVERIFY(course.whole);
            const Integers chosen = sorted(course.told.memories_at_ends[0]);
            changed += chosen != sorted(course.told.memories_of_batches[1]);
            QCOMPARE(course.train.replayed[3].size(), std::size_t{2});
            for (const Integers& replayed : course.train.replayed[3]) QCOMPARE(sorted(replayed), chosen);
            QCOMPARE(course.remembered.size(), std::size_t{4});
            std::set<std::int64_t> classes;
            for (const std::int64_t sample : course.remembered) classes.insert(sample / 4);
            QCOMPARE(classes.size(), std::size_t{4});
        }
        QVERIFY(changed > 0);
    }

    void slotsOfImagesThatAreLostAreLeftOut() {
        const Integers slots{5, 2, 7, 0}, asked{11, 12, 11, 14};
        QCOMPARE(slotsShown(slots, asked, {Tensor(), {11, 12, 11, 14}}), slots);
        QCOMPARE(slotsShown(slots, asked, {Tensor(), {12, 14}}), (Integers{2, 0}));
        QCOMPARE(slotsShown({}, asked, {Tensor(), {12, 14}}), Integers{});
        QCOMPARE(slotsShown(slots, asked, {}), Integers{});
    }
};

PALIMPSEST_APPLESS_TEST(TestReplayLoop)

}  // namespace tst_replay_loop

#include "tst_replay_loop.moc"
