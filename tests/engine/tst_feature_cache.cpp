// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>

#include "engine/data/stream_source.h"
#include "engine/method/feature_cache.h"
#include "engine/train/online_loop.h"
#include "tests/support/shade_table.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_feature_cache {

namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::int64_t kSamples = 48;

/// Images whose every number is their view.
Tensor imagesOf(const Integers& views) {
    return at::tensor(views, at::kLong).to(at::kFloat).reshape({-1, 1, 1, 1}).expand({-1, 3, 2, 2}).contiguous();
}

/// Twice the view and its square, and which views had to be computed.
struct Doubling {
    Integers computed;
    Tensor operator()(const Tensor& images) {
        const Tensor view = images.select(3, 0).select(2, 0).select(1, 0);
        for (std::int64_t i = 0; i < view.size(0); ++i) computed.push_back(std::lround(view[i].item<double>()));
        return at::stack({2 * view, view * view}, 1);
    }
};

/// Test images of the four classes in turn.
class NoiseTest : public TestSource {
public:
    NoiseTest() {
        for (std::int32_t i = 0; i < kTestImages; ++i) labels_.push_back(i % 4);
    }
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        std::vector<Tensor> shown;
        for (const std::int64_t sample : samples)
            shown.push_back(noiseImages(1, static_cast<std::uint64_t>(sample) + 100));
        return {at::cat(shown), {samples.begin(), samples.end()}};
    }

private:
    static constexpr std::int32_t kTestImages = 40;
    std::vector<std::int32_t> labels_;
};

/// Passes images on, and counts those lots of them that are still held by somebody.
class CountingSource : public TrainSource {
public:
    explicit CountingSource(TrainSource& source) : source_(source) {}
    std::int32_t label(std::int64_t sample) const override { return source_.label(sample); }
    std::vector<std::int64_t> open(std::int64_t batch, std::span<const std::int64_t> stream) override {
        return source_.open(batch, stream);
    }
    void expect(std::int64_t batch, const std::vector<Integers>& replay) override { source_.expect(batch, replay); }
    ShownImages images(std::int64_t batch, std::int64_t update, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t> replay) override {
        return counted(source_.images(batch, update, stream, replay));
    }
    ShownImages past(std::int64_t batch, std::int64_t draw, std::span<const std::int64_t> samples) override {
        return counted(source_.past(batch, draw, samples));
    }
    ShownImages plain(std::span<const std::int64_t> samples) override { return source_.plain(samples); }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }
    std::ptrdiff_t mostHeld() const { return most_held_; }

private:
    ShownImages counted(ShownImages shown) {
        shown_.emplace_back(shown.images.getIntrusivePtr());
        const auto held = std::count_if(shown_.begin(), shown_.end(), [](const auto& one) { return !one.expired(); });
        most_held_ = std::max(most_held_, held);
        return shown;
    }

    TrainSource& source_;
    std::vector<c10::weak_intrusive_ptr<c10::TensorImpl, c10::UndefinedTensorImpl>> shown_;
    std::ptrdiff_t most_held_ = 0;
};

struct Losses : LoopListener {
    std::vector<double> losses, accuracies;
    void updated(std::int64_t, const UpdateResult& result) override {
        losses.push_back(result.loss);
        accuracies.push_back(result.accuracy);
    }
    std::vector<double> references;  // negative: none
    void evaluated(EvaluationKind, std::int64_t, const Evaluation& evaluation) override {
        references.push_back(evaluation.reference.value_or(-1));
    }
};

/// What a method learns from two sessions with a memory. `cache` may be null.
struct Learned {
    std::vector<double> losses, accuracies;
    std::vector<Tensor> weights;
    std::ptrdiff_t most_held;  // lots of images at once
    std::vector<double> references;
};
Learned learned(const std::string& name, const Augment& augment, FeatureCache* cache, bool cutmix = false,
                const std::string& memory = "auto") {
    MethodSetup setup = smallSetup(name);
    setup.memory = {.size = 12, .batch_size = 8, .kind = memory};
    setup.batch_size = 8;
    setup.sessions = 2;
    setup.stream_samples = kSamples;
    setup.method.of<RainbowMemoryOptions>().epochs = 2;
    const auto method = makeMethod(setup);
    method->setFeatureCache(cache);

    auto plan = std::make_shared<StreamPlan>();
    plan->sessions.resize(2);
    for (std::int64_t i = 0; i < kSamples; ++i) plan->sessions[i < kSamples / 2 ? 0 : 1].push_back((i * 7) % kSamples);
    StreamSource::Settings pictures;
    pictures.image_size = 16;
    pictures.batch_size = 8;
    pictures.augment = augment;
    pictures.deviation = {1, 1, 1};
    StreamSource pictureSource(std::make_shared<testing::NoiseTable>(kSamples), plan, pictures);
    CountingSource source(pictureSource);

    NoiseTest test;
    Evaluator evaluator(*method, test, 4, true, 8, at::kCPU);
    LoopSettings settings;
    settings.classes = 4;
    settings.batch_size = 8;
    settings.every_samples = 0;
    settings.memory_size = 12;
    settings.memory_batch = 8;
    settings.memory_kind = memory;
    settings.mask = MaskKind::Seen;
    settings.cutmix = cutmix;
    Losses heard;
    OnlineLoop(settings, *method, source, evaluator, heard).run(*plan);
    Learned result{heard.losses, heard.accuracies, {}, source.mostHeld(), heard.references};
    for (const NamedTensor& entry : method->trainable()) result.weights.push_back(entry.tensor.detach().clone());
    return result;
}

}  // namespace

class TestFeatureCache : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachViewIsComputedOnce() {
        FeatureCache cache(10);
        Doubling doubling;
        const auto compute = [&](const Tensor& images) { return doubling(images); };
        const std::vector<Integers> lots = {{3, 5, 3}, {5, 7, 3, 7}, {7, 3}, {1}};
        for (const Integers& views : lots) {
            Doubling expected;
            QVERIFY(cache.features(imagesOf(views), views, compute).equal(expected(imagesOf(views))));
        }
        QCOMPARE(doubling.computed, (Integers{3, 5, 7, 1}));
        QCOMPARE(cache.held(), std::int64_t{4});
    }

    void theOldestMakesRoom() {
        FeatureCache cache(3);
        Doubling doubling;
        const auto compute = [&](const Tensor& images) { return doubling(images); };
        // The second lot has more views than there is room for, and one that is held until then.
        const std::vector<Integers> lots = {{1, 2}, {2, 3, 4, 5, 6}, {6, 4}, {2, 6}, {2, 6, 4}};
        for (const Integers& views : lots) {
            Doubling expected;
            QVERIFY(cache.features(imagesOf(views), views, compute).equal(expected(imagesOf(views))));
            QVERIFY(cache.held() <= 3);
        }
        QCOMPARE(doubling.computed, (Integers{1, 2, 3, 4, 5, 6, 2, 4}));
    }

    void itHoldsABatchOrWhatMayComeBack() {
        QCOMPARE(FeatureCache::rowsFor(128, false, 96), std::int64_t{96});
        QCOMPARE(FeatureCache::rowsFor(128, true, 96), std::int64_t{(256 << 20) / 512});
        QCOMPARE(FeatureCache::rowsFor(1 << 28, false, 96), std::int64_t{1});
    }

    void noNumberDependsOnIt_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("held");
        for (const char* name : {"dualprompt", "l2p", "coda-prompt", "fly-prompt", "linear-probe", "lwf",
                                 "analytic-head", "er", "er-ace", "derpp", "rainbow-memory", "clib"})
            QTest::newRow(name) << name << true;
        QTest::newRow("LibTorch computes a part") << "mvp" << false;
        QTest::newRow("the backbone learns") << "finetune" << false;
    }
    void noNumberDependsOnIt() {
        QFETCH(QString, method);
        QFETCH(bool, held);
        Augment each(Augment::CropFlip);
        each.scope = Augment::Image;
        for (const Augment& augment : {Augment(Augment::None), Augment(Augment::CropFlip), each}) {
            const Learned without = learned(method.toStdString(), augment, nullptr);
            QVERIFY(!without.losses.empty());
            // A small one has to let go of rows that come back.
            for (const std::int64_t rows : {10000, 11}) {
                FeatureCache cache(rows);
                const Learned with = learned(method.toStdString(), augment, &cache);
                QCOMPARE(with.losses, without.losses);
                QCOMPARE(with.accuracies, without.accuracies);
                for (std::size_t i = 0; i < with.weights.size(); ++i)
                    QVERIFY(with.weights[i].equal(without.weights[i]));
                QCOMPARE(cache.held() > 0, held);
            }
        }
    }

    void withoutAugmentationEachImageIsComputedOnce() {
        FeatureCache cache(10000);
        learned("er", Augment::None, &cache);
        QCOMPARE(cache.held(), kSamples);
    }

    void theReferenceIsTheSameForEveryMethod_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("cutmix");
        for (const char* name : {"dualprompt", "l2p", "mvp", "fly-prompt", "er", "er-ace", "derpp", "analytic-head"})
            QTest::newRow(name) << name << false;
        QTest::newRow("mixed images") << "er" << true;
    }
    void theReferenceIsTheSameForEveryMethod() {
        QFETCH(QString, method);
        QFETCH(bool, cutmix);
        const std::vector<double> expected = learned("linear-probe", Augment::CropFlip, nullptr).references;
        QCOMPARE(expected.size(), std::size_t{2});
        QVERIFY(expected[0] >= 0 && expected[1] >= 0);
        FeatureCache cache(10000);
        for (FeatureCache* held : {static_cast<FeatureCache*>(nullptr), &cache})
            QCOMPARE(learned(method.toStdString(), Augment::CropFlip, held, cutmix).references, expected);
    }

    void aMethodThatIsShownNoneOfTheStreamHasNoReference() {
        QCOMPARE(learned("clib", Augment::None, nullptr).references, (std::vector<double>{-1, -1}));
    }

    void featuresOfTheReferenceAreCached() {
        // Its updates compute none of the varied images; the router has computed the unvaried ones.
        FeatureCache cache(10000);
        learned("fly-prompt", Augment::CropFlip, &cache);
        QVERIFY2(cache.held() > kSamples, qPrintable(QString::number(cache.held())));
    }

    void imagesOfAnUpdateAreLetGo_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<QString>("memory");
        // After each session it makes two passes over its memory and, by uncertainty, twelve over all images before.
        QTest::newRow("the work after a session") << "rainbow-memory"
                                                  << "auto";
        QTest::newRow("the choice after a session") << "rainbow-memory"
                                                    << "uncertainty";
        QTest::newRow("two batches of past images") << "derpp"
                                                    << "auto";
        QTest::newRow("images unvaried") << "fly-prompt"
                                         << "auto";
    }
    void imagesOfAnUpdateAreLetGo() {
        QFETCH(QString, method);
        QFETCH(QString, memory);
        FeatureCache cache(10000);
        for (FeatureCache* held : {static_cast<FeatureCache*>(nullptr), &cache}) {
            const Learned with = learned(method.toStdString(), Augment::CropFlip, held, false, memory.toStdString());
            // The stream's lot and two of past images, and one that is being made.
            QVERIFY2(with.most_held <= 4, qPrintable(QString::number(with.most_held)));
        }
    }

    void mixedImagesAreNotHeldForWhatTheyWere() {
        // "er" takes mixed images; in half of the updates they are as they were.
        FeatureCache cache(10000);
        const Learned with = learned("er", Augment::None, &cache, true),
                      without = learned("er", Augment::None, nullptr, true);
        QCOMPARE(with.losses, without.losses);
        QVERIFY(learned("er", Augment::None, nullptr).losses != without.losses);
    }
};

PALIMPSEST_APPLESS_TEST(TestFeatureCache)

}  // namespace tst_feature_cache

#include "tst_feature_cache.moc"
