// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <ATen/CPUGeneratorImpl.h>

#include <cmath>
#include <limits>
#include <utility>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/method.h"
#include "engine/method_options/block_prompt_options.h"
#include "engine/train/online_loop.h"
#include "engine/train/run_news.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_method_hooks {

namespace {

/// Records the loop's calls; its logits are those of no class.
class Diary : public FrozenBackboneMethod {
public:
    explicit Diary(const MethodSetup& setup) : FrozenBackboneMethod(setup.vit) {}
    ForwardResult forward(const UpdateInput&) override { return {}; }
    UpdateResult update(const UpdateInput& input) override {
        calls.push_back("update " + QString::number(input.units.size(0)));
        return {};
    }
    void beginBatch(const StreamBatch& batch) override {
        QString line = "batch";
        for (const std::int64_t unit : batch.units) line += QString(" %1").arg(unit);
        calls.push_back(line);
        plain.push_back(batch.plain(batch.samples).images);
    }
    void endBatch() override { calls.push_back("end"); }
    void endSession() override { calls.push_back("session"); }
    void beginEvaluation(const Tensor& mask) override {
        const auto shown = mask.defined() ? mask.eq(0).sum().item<std::int64_t>() : std::int64_t{-1};
        calls.push_back(QString("evaluation %1").arg(shown));
    }
    Tensor logits(const Tensor&, const Tensor& frozen) override { return at::zeros({frozen.size(0), 4}); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }

    QStringList calls;
    std::vector<Tensor> plain;
};

/// Training images contain their sample's number, plus ten if augmented; labels are the number divided by two.
class Numbers : public TrainSource {
public:
    std::int32_t label(std::int64_t sample) const override { return static_cast<std::int32_t>(sample / 2); }
    ShownImages images(std::int64_t, std::int64_t, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t> replay) override {
        std::vector<std::int64_t> samples(stream.begin(), stream.end());
        samples.insert(samples.end(), replay.begin(), replay.end());
        return {shades(samples) + 10, samples};
    }
    ShownImages plain(std::span<const std::int64_t> samples) override {
        const std::vector<std::int64_t> wanted(samples.begin(), samples.end());
        return {shades(wanted), wanted};
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }

private:
    static Tensor shades(const std::vector<std::int64_t>& samples) {
        return at::tensor(samples).to(at::kFloat).reshape({-1, 1, 1, 1}).expand({-1, 3, 16, 16}).contiguous();
    }
};

class OneOfEach : public TestSource {
public:
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        return {noiseImages(static_cast<std::int64_t>(samples.size()), 1), {samples.begin(), samples.end()}};
    }

private:
    std::vector<std::int32_t> labels_{0, 1, 2, 3};
};

/// A learner on a device with room for few images.
class Tight : public Diary {
public:
    using Diary::Diary;
    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        asked.push_back(frozen.size(0));
        TORCH_CHECK(frozen.size(0) <= most && std::exchange(refused, refused - 1) <= 0,
                    "CUDA out of memory. Tried to allocate 2.00 GiB");
        return Diary::logits(images, frozen);
    }
    Tensor frozenFeatures(const Tensor& images) override {
        shown.push_back(images.size(0));
        return Diary::frozenFeatures(images);
    }
    std::int64_t most = 1, refused = 0;  // whatever is asked for, so many times
    std::vector<std::int64_t> asked, shown;
};

/// A learner whose outputs are the logarithms of 4, 8, 2 and 16: shares of 30.
class Fixed : public Diary {
public:
    using Diary::Diary;
    Tensor logits(const Tensor&, const Tensor& frozen) override {
        return at::tensor({4.0F, 8.0F, 2.0F, 16.0F}).log().expand({frozen.size(0), 4}).contiguous();
    }
};

/// The same on a device that has no room for what is only recorded.
class Roomless : public Fixed {
public:
    using Fixed::Fixed;
    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        passes.push_back(frozen.size(0));
        return Fixed::logits(images, frozen);
    }
    Tensor headRows() const override {
        ++looks;
        TORCH_CHECK(looks == 0, "CUDA out of memory. Tried to allocate 2.00 GiB");
        return {};
    }
    std::vector<std::int64_t> passes;
    mutable int looks = 0;
};

/// A learner whose outputs are all one number, or none.
class Even : public Diary {
public:
    using Diary::Diary;
    Tensor logits(const Tensor&, const Tensor& frozen) override { return at::full({frozen.size(0), 4}, output); }
    float output = 0;
};

/// Ten test images of each of four classes in turn, each its own noise.
class Forty : public TestSource {
public:
    Forty() {
        for (int i = 0; i < 40; ++i) labels_.push_back(i % 4);
    }
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        std::vector<Tensor> all;
        for (const std::int64_t sample : samples) all.push_back(noiseImages(1, static_cast<std::uint64_t>(sample) + 1));
        return {at::cat(all), {samples.begin(), samples.end()}};
    }

private:
    std::vector<std::int32_t> labels_;
};

EvaluationRecord everything() {
    return {[] { return true; }, [](std::size_t, bool) { return true; }};
}

struct Results : LoopListener {
    std::vector<double> losses, evaluations;
    void updated(std::int64_t, const UpdateResult& result) override { losses.push_back(result.loss); }
    void evaluated(EvaluationKind, std::int64_t, const Evaluation& evaluation) override {
        evaluations.push_back(evaluation.accuracy);
        evaluations.push_back(evaluation.loss);
    }
};

/// Runs two sessions of two batches with two updates each, and a memory.
Results passed(const MethodSetup& given, std::int64_t memory) {
    MethodSetup setup = given;
    setup.sessions = 2;
    setup.stream_samples = 8;
    setup.method.of<FlyPromptOptions>().experts = 3;
    const auto method = makeMethod(setup);
    Numbers train;
    OneOfEach test;
    Evaluator evaluator(*method, test, 4, method->evaluatesSeenOnly(), 3, at::kCPU);
    Results results;
    LoopSettings settings;
    settings.classes = 4;
    settings.batch_size = 2;
    settings.updates_per_batch = 2;
    settings.every_samples = 4;
    settings.memory_size = memory;
    settings.memory_batch = 2;
    OnlineLoop loop(settings, *method, train, evaluator, results);
    StreamPlan plan;
    plan.sessions = {{5, 1, 4, 0}, {6, 2, 3, 7}};
    if (!loop.run(plan)) results.evaluations.clear();
    return results;
}

/// Gives an evaluator what another one has saved, as resuming a run does.
void restore(Evaluator& evaluator, Evaluator& from, const ClassRegistry& registry) {
    StateArchive saved;
    from.keep(saved, registry);
    StateArchive restored(saved.tensors(), at::kCPU);
    evaluator.keep(restored, registry);
}

}  // namespace

class TestMethodHooks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEvaluationWithoutEnoughMemoryGoesOnWithHalfTheBatch() {
        Tight tight(smallSetup("linear-probe"));
        OneOfEach test;
        ClassRegistry registry;
        registry.expose({0, 1, 2, 3});
        Evaluator evaluator(tight, test, 4, true, 4, at::kCPU);
        const Evaluation first = evaluator.evaluate(registry, [] { return false; });
        QCOMPARE(first.samples, (std::vector<std::int64_t>{0, 1, 2, 3}));
        QCOMPARE(tight.asked, (std::vector<std::int64_t>{4, 4, 2, 2, 1, 1, 1, 1}));
        QCOMPARE(first.halved_to, std::int64_t{1});
        QCOMPARE(evaluator.evaluate(registry, [] { return false; }).halved_to, std::int64_t{0});
        QCOMPARE(tight.asked.size(), std::size_t{12});

        // What it has learned of its memory is kept, and a run that is resumed begins with it.
        Tight fresh(smallSetup("linear-probe"));
        Evaluator resumed(fresh, test, 4, true, 4, at::kCPU);
        restore(resumed, evaluator, registry);
        fresh.asked.clear();
        resumed.evaluate(registry, [] { return false; });
        QCOMPARE(fresh.asked, (std::vector<std::int64_t>{1, 1, 1, 1}));
        tight.most = 0;
        QVERIFY_EXCEPTION_THROWN(evaluator.evaluate(registry, [] { return false; }), c10::Error);
    }

    void memoryThatIsRefusedOnceChangesNoEvaluation() {
        Tight calm(smallSetup("linear-probe")), disturbed(smallSetup("linear-probe"));
        calm.most = disturbed.most = 2;
        disturbed.refused = 1;
        OneOfEach test;
        ClassRegistry registry;
        registry.expose({0, 1, 2, 3});
        Evaluator first(calm, test, 4, true, 2, at::kCPU), second(disturbed, test, 4, true, 2, at::kCPU);
        const Evaluation expected = first.evaluate(registry, [] { return false; });
        const Evaluation found = second.evaluate(registry, [] { return false; });
        QCOMPARE(disturbed.asked, (std::vector<std::int64_t>{2, 2, 2}));
        QCOMPARE(found.loss, expected.loss);
        QCOMPARE(found.samples, expected.samples);
        QCOMPARE(found.halved_to, std::int64_t{0});
        StateArchive one, other;
        first.keep(one, registry);
        second.keep(other, registry);
        QCOMPARE(stateHash(other.tensors()), stateHash(one.tensors()));
    }

    void anEvaluationThatIsHalvedMidwayTakesTheSmallerBatchFromItsBeginning() {
        Tight tight(smallSetup("linear-probe"));
        tight.most = 2;
        OneOfEach test;
        ClassRegistry registry;
        registry.expose({0, 1, 2, 3});
        Evaluator evaluator(tight, test, 4, true, 2, at::kCPU);
        bool tightened = false;
        const Evaluation evaluation = evaluator.evaluate(registry, [&] {
            if (!tight.asked.empty() && !std::exchange(tightened, true)) tight.most = 1;
            return false;
        });
        QCOMPARE(tight.asked, (std::vector<std::int64_t>{2, 2, 2, 1, 1, 1, 1}));
        QCOMPARE(evaluation.samples, (std::vector<std::int64_t>{0, 1, 2, 3}));
        QCOMPARE(evaluation.halved_to, std::int64_t{1});
        // A run that is resumed computes the features in the same batches.
        Tight fresh(smallSetup("linear-probe"));
        Evaluator resumed(fresh, test, 4, true, 2, at::kCPU);
        restore(resumed, evaluator, registry);
        QCOMPARE(fresh.shown, (std::vector<std::int64_t>{1, 1, 1, 1}));
    }

    void anEvaluationKeepsTheMostProbableUnits_data() {
        QTest::addColumn<bool>("seenOnly");
        QTest::newRow("among the classes seen") << true;
        QTest::newRow("among all outputs") << false;
    }
    void anEvaluationKeepsTheMostProbableUnits() {
        QFETCH(bool, seenOnly);
        Fixed fixed(smallSetup("linear-probe"));
        OneOfEach test;
        Evaluator evaluator(fixed, test, 4, seenOnly, 2, at::kCPU);
        ClassRegistry registry;
        registry.expose({0, 1, 2});
        const auto never = [] { return false; };
        QVERIFY(evaluator.evaluate(registry, never).top_units.empty());  // nobody asked
        evaluator.recordFor(everything());
        const Evaluation all = evaluator.evaluate(registry, never);
        QCOMPARE(all.predictions.size(), std::size_t{3});
        QCOMPARE(all.top_units.size(), std::size_t{9});
        // Hidden, the fourth output has no share: of 4 + 8 + 2 = 14.
        const std::vector<std::int64_t> units =
            seenOnly ? std::vector<std::int64_t>{1, 0, 2} : std::vector<std::int64_t>{3, 1, 0};
        const std::vector<float> shares = seenOnly ? std::vector<float>{8.0F / 14, 4.0F / 14, 2.0F / 14}
                                                   : std::vector<float>{16.0F / 30, 8.0F / 30, 4.0F / 30};
        for (std::size_t i = 0; i < 9; ++i) {
            QCOMPARE(all.top_units[i], units[i % 3]);
            QVERIFY(std::abs(all.top_shares[i] - shares[i % 3]) < 1e-6F);
        }
        QVERIFY(evaluator.evaluate(registry, never, TestPart::Early).top_units.empty());
    }

    void withoutRoomForWhatIsOnlyRecordedAnEvaluationIsWhatItWouldBe() {
        Roomless roomless(smallSetup("linear-probe"));
        OneOfEach test;
        ClassRegistry registry;
        registry.expose({0, 1, 2, 3});
        const auto never = [] { return false; };
        Evaluator evaluator(roomless, test, 4, true, 2, at::kCPU);
        evaluator.watch({1});
        const Evaluation plain = evaluator.evaluate(registry, never);
        QCOMPARE(roomless.looks, 0);  // nobody asked for features
        QVERIFY(!plain.unrecorded && !plain.features);
        QCOMPARE(plain.watched.size(), std::size_t{1});
        evaluator.recordFor(everything());
        roomless.passes.clear();
        const Evaluation recorded = evaluator.evaluate(registry, never);
        QVERIFY(roomless.looks > 0);
        QVERIFY(recorded.unrecorded);
        QVERIFY(recorded.top_units.empty() && recorded.top_shares.empty() && recorded.watched.empty() &&
                !recorded.features);
        QCOMPARE(roomless.passes, (std::vector<std::int64_t>{2, 2}));
        QCOMPARE(recorded.halved_to, std::int64_t{0});
        QCOMPARE(recorded.predictions, plain.predictions);
        QCOMPARE(recorded.loss, plain.loss);
    }

    void watchedImagesAreInEveryEvaluationAndChangeNone_data() {
        QTest::addColumn<QString>("method");
        for (const char* method : {"linear-probe", "dualprompt", "fly-prompt", "finetune"})
            QTest::newRow(method) << method;
    }
    void watchedImagesAreInEveryEvaluationAndChangeNone() {
        QFETCH(QString, method);
        const auto first = makeMethod(smallSetup(method.toStdString())),
                   second = makeMethod(smallSetup(method.toStdString()));
        Forty test;
        const auto never = [] { return false; };
        // Of 40 images 8 are in the part, 0 to 3 among them.
        Evaluator plain(*first, test, 4, true, 16, at::kCPU, 8), watching(*second, test, 4, true, 16, at::kCPU, 8);
        watching.watch({38, 7, 3, 22});
        ClassRegistry registry;
        registry.expose({3, 1});  // 38 and 22 are of class 2, which is still to come
        const auto generator = [] { return at::detail::getDefaultCPUGenerator().get_state(); };
        for (const bool whole : {false, false, true, false}) {
            const TestPart part = whole ? TestPart::All : TestPart::Anytime;
            const Evaluation a = plain.evaluate(registry, never, part);
            const Tensor before = generator();
            const Evaluation b = watching.evaluate(registry, never, part);
            QVERIFY(at::equal(generator(), before));
            QCOMPARE(b.samples, a.samples);
            QCOMPARE(b.predictions, a.predictions);
            QVERIFY(b.loss == a.loss);
            QVERIFY(b.accuracy == a.accuracy);
            std::vector<std::int64_t> watched;
            for (const WatchedAnswer& answer : b.watched) watched.push_back(answer.sample);
            QCOMPARE(watched, registry.count() == 2 ? (std::vector<std::int64_t>{3, 7})
                                                    : (std::vector<std::int64_t>{3, 7, 22, 38}));
            registry.expose({0, 2});
        }
        QVERIFY(watching.evaluate(registry, never, TestPart::Early).watched.empty());
        StateArchive one, other;
        plain.keep(one, registry);
        watching.keep(other, registry);
        QCOMPARE(stateHash(other.tensors()), stateHash(one.tensors()));
    }

    void theAnswerStandsOutAlsoWhereOutputsAreEqualOrNoNumbers_data() {
        QTest::addColumn<float>("output");
        QTest::newRow("equal") << 2.0F;
        QTest::newRow("diverged") << std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
    }
    void theAnswerStandsOutAlsoWhereOutputsAreEqualOrNoNumbers() {
        QFETCH(float, output);
        Even even(smallSetup("linear-probe"));
        even.output = output;
        OneOfEach test;
        ClassRegistry registry;
        registry.expose({0, 1, 2, 3});
        Evaluator evaluator(even, test, 4, true, 2, at::kCPU);
        evaluator.recordFor(everything());
        evaluator.watch({0, 1, 2, 3});
        const Evaluation found = evaluator.evaluate(registry, [] { return false; });
        const std::vector<WatchedShare> rows = watchedRows(found, registry.exposed());
        for (std::size_t i = 0; i < 4; ++i) {
            const auto image = static_cast<std::int64_t>(i);
            WatchedMoment moment;
            for (const WatchedShare& row : rows)
                if (row.image == image) moment.shares.push_back(row);
            QCOMPARE(moment.shares.size(), std::size_t{4});
            QCOMPARE(moment.shares[0].label, static_cast<std::int32_t>(i));
            for (const WatchedShare& share : moment.shares) QVERIFY(share.probability >= 0 && share.probability <= 1);
            QCOMPARE(moment.best().label, static_cast<std::int32_t>(found.predictions[i]));
            QCOMPARE(moment.recognised(), found.predictions[i] == image);
        }
        const Evaluated event = evaluationEvent(found, registry.exposed(), 4);
        for (std::size_t i = 0; i < 4; ++i) {
            const ClassShare& answer = (*event.top_classes)[i][0];
            QCOMPARE(answer.label, (*event.predictions)[i]);
            QCOMPARE(answer.share, std::isfinite(output) ? 0.25F : 0.0F);
        }
    }

    void theLoopTellsAMethodWhatHappens_data() {
        QTest::addColumn<bool>("seenOnly");
        QTest::newRow("evaluation hides classes to come") << true;
        QTest::newRow("evaluation hides nothing") << false;
    }
    void theLoopTellsAMethodWhatHappens() {
        QFETCH(bool, seenOnly);
        const MethodSetup setup = smallSetup("linear-probe");
        Diary diary(setup);
        Numbers train;
        OneOfEach test;
        Evaluator evaluator(diary, test, 4, seenOnly, 8, at::kCPU);
        LoopListener silent;
        LoopSettings settings;
        settings.classes = 4;
        settings.batch_size = 2;
        settings.updates_per_batch = 2;
        settings.every_samples = 0;
        settings.memory_size = 8;
        settings.memory_batch = 1;
        OnlineLoop loop(settings, diary, train, evaluator, silent);
        StreamPlan plan;
        plan.sessions = {{5, 1}, {6, 4}};
        QVERIFY(loop.run(plan));
        const QString two = seenOnly ? "2" : "-1", three = seenOnly ? "3" : "-1";
        // Classes 2, 0, 3, 2 are the units 0, 1, 2, 0; the second batch replays one image in each update.
        QCOMPARE(diary.calls,
                 (QStringList{"batch 0 1", "update 2", "update 2", "end", "evaluation " + two, "session", "batch 2 0",
                              "update 3", "update 3", "end", "evaluation " + three, "session"}));
        QCOMPARE(diary.plain.size(), std::size_t{2});
        QCOMPARE(diary.plain[0][0][0][0][0].item<float>(), 5.0F);
        QCOMPARE(diary.plain[1][1][0][0][0].item<float>(), 4.0F);
    }

    void methodsGoThroughTheWholeLoopAndRepeatThemselves_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<int>("memory");
        for (const char* method : {"l2p", "mvp", "single-prompt", "fly-prompt", "coda-prompt", "analytic-head"})
            for (const int memory : {0, 4}) QTest::addRow("%s, %d remembered", method, memory) << method << memory;
    }
    void methodsGoThroughTheWholeLoopAndRepeatThemselves() {
        QFETCH(QString, method);
        QFETCH(int, memory);
        const MethodSetup setup = smallSetup(method.toStdString());
        const Results results = passed(setup, memory);
        QCOMPARE(results.losses.size(), std::size_t{8});
        QVERIFY(results.evaluations.size() >= 4);
        for (const double value : results.losses) QVERIFY(std::isfinite(value));
        for (const double value : results.evaluations) QVERIFY(std::isfinite(value));
        const Results again = passed(smallSetup(method.toStdString()), memory);
        QCOMPARE(again.losses, results.losses);
        QCOMPARE(again.evaluations, results.evaluations);
    }
};

PALIMPSEST_APPLESS_TEST(TestMethodHooks)

}  // namespace tst_method_hooks

#include "tst_method_hooks.moc"
