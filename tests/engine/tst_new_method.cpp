// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QtTest>

#include "engine/network/compute.h"
#include "engine/train/online_loop.h"
#include "tests/support/test_program.h"

// The worked example of CONTRIBUTING.md, "A method, step by step": between the two marks it is the same verbatim.
// example begins
#include "engine/checkpoint/state_archive.h"
#include "engine/method/frozen_method.h"
#include "engine/method/linear_head.h"
#include "engine/method/method.h"

namespace palimpsest {
namespace {

/// Nearest class mean: a class is the mean feature of its images, and the nearest one wins. Nothing is trained.
class ClassMeans : public FrozenBackboneMethod {
public:
    explicit ClassMeans(const MethodSetup& setup)
        : FrozenBackboneMethod(setup.vit),
          sums_(at::zeros({setup.classes, vit_->shape().width}, at::TensorOptions(at::kFloat).device(vit_->device()))),
          counts_(at::zeros({setup.classes, 1}, sums_.options())) {}

    // One pass in training mode: logits, loss and accuracy of stream and replayed images together.
    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(distances(frozenFeatures(input.images)), input);
    }
    // By default: forward, backward, a step of the optimiser. This method only counts.
    UpdateResult update(const UpdateInput& input) override {
        const ForwardResult before = forward(input);
        const Tensor features = frozenFeatures(input.images);
        sums_.index_add_(0, input.units, features);
        counts_.index_add_(0, input.units, at::ones({features.size(0), 1}, counts_.options()));
        return {before.loss.item<double>(), before.accuracy, {}};
    }

    // Test images come with their features of the frozen network, which are computed once and kept.
    Tensor logits(const Tensor&, const Tensor& frozen) override { return distances(frozen); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }

    // State besides the parameters that learn: saved with every checkpoint and restored from there.
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.shared("sums", sums_);
        archive.shared("counts", counts_);
    }

private:
    Tensor distances(const Tensor& features) const {
        const Tensor means = sums_ / counts_.clamp_min(1);
        return -(features.unsqueeze(1) - means.unsqueeze(0)).square().sum(2);
    }

    Tensor sums_;    // [C, D]
    Tensor counts_;  // [C, 1]
};

}  // namespace

std::unique_ptr<Method> makeClassMeans(const MethodSetup& setup) {
    return std::make_unique<ClassMeans>(setup);
}

}  // namespace palimpsest
// example ends

using namespace palimpsest;

namespace {

constexpr std::int64_t kClasses = 4, kOfEach = 8;

/// A picture of one shade a class, with a little noise; a sample's label is its number divided by 8.
Tensor picture(std::int64_t sample) {
    Tensor noise = at::zeros({3, 16, 16});
    Random random(static_cast<std::uint64_t>(sample));
    fillNormal(noise, random);
    Tensor shade = at::zeros({3, 16, 16});
    const std::int64_t unit = sample / kOfEach;
    shade[unit % 3] += unit < 3 ? 2.0 : -2.0;
    return shade + 0.1 * noise;
}

ShownImages shownOf(std::vector<std::int64_t> samples) {
    std::vector<Tensor> pictures;
    for (const std::int64_t sample : samples) pictures.push_back(picture(sample));
    return {at::stack(pictures), std::move(samples)};
}

class Shades : public TrainSource {
public:
    std::int32_t label(std::int64_t sample) const override { return static_cast<std::int32_t>(sample / kOfEach); }
    ShownImages images(std::int64_t, std::int64_t, std::span<const std::int64_t> stream,
                       std::span<const std::int64_t> replay) override {
        std::vector<std::int64_t> samples(stream.begin(), stream.end());
        samples.insert(samples.end(), replay.begin(), replay.end());
        return shownOf(std::move(samples));
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }
};

class OtherShades : public TestSource {
public:
    std::span<const std::int32_t> labels() const override { return labels_; }
    ShownImages images(std::span<const std::int64_t> samples) override {
        std::vector<std::int64_t> others;
        for (const std::int64_t sample : samples) others.push_back(sample * kOfEach);
        ShownImages shown = shownOf(others);
        shown.samples.assign(samples.begin(), samples.end());
        return shown;
    }

private:
    std::vector<std::int32_t> labels_{0, 1, 2, 3};
};

struct Accuracies : LoopListener {
    std::vector<double> after_session;
    void evaluated(EvaluationKind, std::int64_t, const Evaluation& evaluation) override {
        after_session.push_back(evaluation.accuracy);
    }
};

MethodSetup setupOfExample() {
    prepareCompute("cpu", "float32", 1);
    MethodSetup setup;
    setup.vit = std::make_shared<Vit>(VitShape{16, 4, 3, 32, 5, 2, 2});
    setup.vit->initialise(Random(1));
    setup.classes = kClasses;
    return setup;
}

}  // namespace

class TestNewMethod : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theExampleLearnsAStreamInTheLoop() {
        const auto method = makeClassMeans(setupOfExample());
        Shades train;
        OtherShades test;
        Evaluator evaluator(*method, test, kClasses, method->evaluatesSeenOnly(), 8, at::kCPU);
        Accuracies told;
        LoopSettings settings;
        settings.classes = kClasses;
        settings.batch_size = 8;
        settings.updates_per_batch = 2;
        settings.every_samples = 0;
        OnlineLoop loop(settings, *method, train, evaluator, told);
        StreamPlan plan;
        plan.sessions.resize(2);
        for (std::int64_t sample = 0; sample < kClasses * kOfEach; ++sample)
            plan.sessions[static_cast<std::size_t>(sample / (2 * kOfEach))].push_back(sample);
        QVERIFY(loop.run(plan));
        QCOMPARE(told.after_session, (std::vector<double>{1.0, 1.0}));
    }

    void theGuideShowsThisVeryCode() {
        const QString tests = QString::fromLocal8Bit(PALIMPSEST_TEST_DATA) + "/..";
        const QString file = textOf(tests + "/engine/tst_new_method.cpp");
        const QString code = file.section("// example begins\n", 1, 1).section("// example ends\n", 0, 0);
        QVERIFY(code.contains("class ClassMeans"));
        QVERIFY2(textOf(tests + "/../CONTRIBUTING.md").contains("```cpp\n" + code + "```"),
                 "CONTRIBUTING.md shows other code than this file.");
    }

    /// Checks the guide: a file in the folder is built without being named anywhere.
    void aMethodsFileIsFound() {
        const QString engine = QString::fromLocal8Bit(PALIMPSEST_TEST_DATA) + "/../../engine/";
        const QString sources = textOf(engine + "torch_sources.cmake");
        QVERIFY(sources.contains("GLOB ENGINE_METHOD_SOURCES CONFIGURE_DEPENDS"));
        QVERIFY(sources.contains("/method/*.cpp)"));
        QVERIFY(sources.contains("\n  ${ENGINE_METHOD_SOURCES}\n"));
        for (const QString& file : QDir(engine + "method").entryList({"*.cpp"}))
            QVERIFY2(!sources.contains("method/" + file), qPrintable(file));
        const QString guide = textOf(engine + "../CONTRIBUTING.md");
        QVERIFY(guide.contains("Save it as `engine/method/class_means.cpp`"));
        QVERIFY(!guide.contains("torch_sources.cmake"));
    }

    /// Checks the guide: a method is declared nowhere but in its own file and in its line of the list.
    void oneLineRegistersAMethod() {
        const QString engine = QString::fromLocal8Bit(PALIMPSEST_TEST_DATA) + "/../../engine/";
        const QString list = textOf(engine + "method/method_list.cpp");
        int makers = 0;
        for (auto found = QRegularExpression("MADE_BY\\((make\\w+)\\)\\}").globalMatch(list); found.hasNext();
             ++makers) {
            const QString maker = found.next().captured(1);
            QCOMPARE(list.count("(" + maker + ")"), 1);
        }
        QCOMPARE(static_cast<std::size_t>(makers), methodList().size());
        for (const QString& header : QDir(engine + "method").entryList({"*.h"}))
            QVERIFY2(
                !textOf(engine + "method/" + header).contains("std::unique_ptr<Method> make") || header == "method.h",
                qPrintable(header));
    }

private:
    static QString textOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }
};

PALIMPSEST_APPLESS_TEST(TestNewMethod)
#include "tst_new_method.moc"
