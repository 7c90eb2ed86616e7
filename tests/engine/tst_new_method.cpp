// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QtTest>

#include "engine/config/experiment_file.h"
#include "engine/network/compute.h"
#include "engine/train/online_loop.h"
#include "tests/support/test_program.h"

// The worked example of CONTRIBUTING.md, "A method, step by step": between the marks it is the same, word for word, but
// that the two sources there include the header first, which begins with #pragma once.

// header begins
#include <string>

namespace palimpsest {

struct ClassMeansOptions {
    std::string distance = "euclidean";  ///< or "cosine"
    double shrinkage = 0;                ///< 0..1, share of the mean of all images in the mean of each class
};

}  // namespace palimpsest
// header ends
// declaration begins
#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"

namespace palimpsest {
namespace {

// A check sees the whole experiment, and says in a sentence what is wrong with it.
void addClassMeansProblems(const Experiment& experiment, MethodProblems& problems) {
    if (experiment.method.of<ClassMeansOptions>().shrinkage == 1)
        problems.options.push_back("method.class_means_shrinkage is 1, so all classes have the same mean; lower it.");
}

}  // namespace

MethodDeclaration declareClassMeans() {
    using namespace option_row;
    return {.choice = {"class-means", "Class means", "The nearest mean of a class wins; nothing is trained.",
                       method_family::kHead, "A sum for each class.", "One pass an image.", "Mensink et al., 2013"},
            .options = {choice("method.class_means_distance", "Distance", "euclidean",
                               OPTION_OF(ClassMeansOptions, distance))
                            .choices({{"euclidean", "Euclidean", "The straight line between feature and mean"},
                                      {"cosine", "Cosine", "The angle between them, whatever their lengths"}})
                            .help("What makes a mean the nearest.")
                            .source("Mensink et al., equation 2: Euclidean"),
                        real("method.class_means_shrinkage", "Shrinkage", 0, OPTION_OF(ClassMeansOptions, shrinkage))
                            .range(0, 1)
                            .expert()
                            .help("How far each mean is drawn towards the mean of all images.")},
            .problems = addClassMeansProblems};
}

}  // namespace palimpsest
// declaration ends
// learner begins
#include "engine/checkpoint/state_archive.h"
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
          counts_(at::zeros({setup.classes, 1}, sums_.options())),
          cosine_(setup.method.of<ClassMeansOptions>().distance == "cosine"),
          shrinkage_(setup.method.of<ClassMeansOptions>().shrinkage) {}

    // One pass in training mode: logits, loss and accuracy of stream and replayed images together.
    ForwardResult forward(const UpdateInput& input) override {
        return plainForward(nearness(frozenFeatures(input.images)), input);
    }
    // By default: forward, backward, a step of the optimiser. This method only counts.
    UpdateResult update(const UpdateInput& input) override {
        const ForwardResult before = forward(input);
        const Tensor features = frozenFeatures(input.images);
        sums_.index_add_(0, input.units, features);
        counts_.index_add_(0, input.units, at::ones({features.size(0), 1}, counts_.options()));
        return resultOf(before);
    }

    // Test images come with their features of the frozen network, which are computed once and kept.
    Tensor logits(const Tensor&, const Tensor& frozen) override { return nearness(frozen); }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }

    // State that a run resumes from, besides the trainable tensors: saved with every checkpoint and restored from it.
    void keep(StateArchive& archive) override {
        FrozenBackboneMethod::keep(archive);
        archive.shared("sums", sums_);
        archive.shared("counts", counts_);
    }

private:
    Tensor nearness(const Tensor& features) const {
        const Tensor all = sums_.sum(0, true) / counts_.sum().clamp_min(1);
        const Tensor means = (sums_ / counts_.clamp_min(1)).lerp(all, shrinkage_);
        if (cosine_) return at::cosine_similarity(features.unsqueeze(1), means.unsqueeze(0), 2);
        return -(features.unsqueeze(1) - means.unsqueeze(0)).square().sum(2);
    }

    Tensor sums_;    // [C, D]
    Tensor counts_;  // [C, 1]
    bool cosine_;
    double shrinkage_;
};

}  // namespace

std::unique_ptr<Method> makeClassMeans(const MethodSetup& setup) {
    return std::make_unique<ClassMeans>(setup);
}

}  // namespace palimpsest
// learner ends

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

/// The example with one image of each class learned.
std::unique_ptr<Method> learntExample(const MethodSetup& setup) {
    auto method = makeClassMeans(setup);
    method->update({shownOf({0, 8, 16, 24}).images, at::arange(kClasses), at::zeros({kClasses})});
    return method;
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
        Accuracies accuracies;
        LoopSettings settings;
        settings.classes = kClasses;
        settings.batch_size = 8;
        settings.updates_per_batch = 2;
        settings.every_samples = 0;
        OnlineLoop loop(settings, *method, train, evaluator, accuracies);
        StreamPlan plan;
        plan.sessions.resize(2);
        for (std::int64_t sample = 0; sample < kClasses * kOfEach; ++sample)
            plan.sessions[static_cast<std::size_t>(sample / (2 * kOfEach))].push_back(sample);
        QVERIFY(loop.run(plan));
        QCOMPARE(accuracies.after_session, (std::vector<double>{1.0, 1.0}));
    }

    void theDistanceIsTheOneChosen() {
        MethodSetup setup = setupOfExample();
        setup.method.of<ClassMeansOptions>().distance = "cosine";
        const auto cosine = learntExample(setup);
        const Tensor features = cosine->frozenFeatures(shownOf({1, 9, 17}).images);
        QVERIFY(at::allclose(cosine->logits({}, features), cosine->logits({}, 3 * features), 1e-4, 1e-5));
        const auto euclidean = learntExample(setupOfExample());
        QVERIFY(!at::allclose(euclidean->logits({}, features), euclidean->logits({}, 3 * features), 1e-4, 1e-5));
    }

    void whollyShrunkMeansAreTheSame() {
        MethodSetup setup = setupOfExample();
        setup.method.of<ClassMeansOptions>().shrinkage = 1;
        const auto method = learntExample(setup);
        const Tensor logits = method->logits({}, method->frozenFeatures(shownOf({1, 9}).images));
        QVERIFY(at::allclose(logits, logits.select(1, 0).unsqueeze(1).expand_as(logits)));
    }

    /// As the guide says: the method's own files are all that knows of its options.
    void itsOptionsAreKnownEverywhere() {
        std::vector<MethodDeclaration> methods = methodDeclarations();
        methods.push_back(declareClassMeans());
        Catalogue catalogue;
        for (const MethodDeclaration& method : methods) catalogue.methods.push_back(method.choice);
        const OptionTable table(catalogue, methods);
        Experiment experiment = table.defaults();
        QCOMPARE(experiment.method.of<ClassMeansOptions>().distance, std::string("euclidean"));
        table.setText(experiment, "method.name", "class-means");
        table.setText(experiment, "method.class_means_distance", "cosine");
        table.setText(experiment, "method.class_means_shrinkage", "0.25");
        QCOMPARE(table.problems(experiment), std::vector<std::string>());
        const Experiment again = parseExperiment(table, formatExperiment(table, experiment), "example.toml");
        QCOMPARE(again.method.of<ClassMeansOptions>().distance, std::string("cosine"));
        QCOMPARE(again.method.of<ClassMeansOptions>().shrinkage, 0.25);
        QVERIFY(table.jsonSchema().find("\"class_means_distance\"") != std::string::npos);
        QVERIFY(table.markdown().find("| `class_means_shrinkage` |") != std::string::npos);

        table.setText(experiment, "method.class_means_shrinkage", "1");
        QCOMPARE(table.problems(experiment),
                 (std::vector<std::string>{
                     "method.class_means_shrinkage is 1, so all classes have the same mean; lower it."}));
        table.setText(experiment, "method.name", "linear-probe");
        QCOMPARE(table.problems(experiment), std::vector<std::string>());
        QCOMPARE(table.idleReason(experiment, *table.find("method.class_means_shrinkage")),
                 std::string("Only Class means reads it."));
    }

    void theGuideShowsThisVeryCode() {
        const QString file = textOf(tests_ + "/engine/tst_new_method.cpp");
        const QString guide = textOf(tests_ + "/../CONTRIBUTING.md");
        const QString own = "#include \"engine/method_options/class_means_options.h\"\n\n";
        for (const auto& [part, first, holds] :
             {std::tuple{"header", QString("#pragma once\n\n"), "struct ClassMeansOptions"},
              std::tuple{"declaration", own, "MethodDeclaration declareClassMeans"},
              std::tuple{"learner", own, "class ClassMeans"}}) {
            const QString begin = QString("// %1 begins\n").arg(part), end = QString("// %1 ends\n").arg(part);
            const QString code = file.section(begin, 1, 1).section(end, 0, 0);
            QVERIFY(code.contains(holds));
            QVERIFY2(guide.contains("```cpp\n" + first + code + "```"), part);
        }
    }

    /// Checks the guide: a file in the folder is built without being named anywhere.
    void aMethodsFileIsFound() {
        const QString engine = tests_ + "/../engine/";
        const QString targets = textOf(engine + "CMakeLists.txt");
        for (const char* folder : {"method", "method_options"}) {
            QVERIFY(targets.contains(QRegularExpression(QString("FOLDERS [^)]*\\b%1\\b").arg(folder))));
            for (const QString& file : QDir(engine + folder).entryList({"*.cpp"}))
                QVERIFY2(!targets.contains(file), qPrintable(file));
        }
        QVERIFY(textOf(tests_ + "/../resources/cmake/PalimpsestTargets.cmake")
                    .contains("file(GLOB files CONFIGURE_DEPENDS"));
        const QString guide = textOf(tests_ + "/../CONTRIBUTING.md");
        for (const char* file : {"method_options/class_means_options.h", "method_options/class_means_options.cpp",
                                 "method/class_means.cpp"})
            QVERIFY2(guide.contains(QString("`engine/%1`").arg(file)), file);
    }

    /// As the guide says: no method is declared anywhere but in its own files and in its line of the list.
    void oneLineRegistersAMethod() {
        const QString engine = tests_ + "/../engine/";
        const QString list = textOf(engine + "method_options/all_methods.inc");
        const QString makers = textOf(engine + "method", "*.cpp");
        const QString declarations = textOf(engine + "method_options", "*.cpp");
        int methods = 0;
        for (auto found = QRegularExpression("\nMETHOD\\((\\w+)\\)(?=\n)").globalMatch(list); found.hasNext();
             ++methods) {
            const QString name = found.next().captured(1);
            QCOMPARE(makers.count("std::unique_ptr<Method> make" + name + "(const MethodSetup& setup) {"), 1);
            QCOMPARE(declarations.count("MethodDeclaration declare" + name + "() {"), 1);
        }
        QCOMPARE(static_cast<std::size_t>(methods), methodList().size());
        for (const QString& header : QDir(engine + "method").entryList({"*.h"}))
            QVERIFY2(
                !textOf(engine + "method/" + header).contains("std::unique_ptr<Method> make") || header == "method.h",
                qPrintable(header));
    }

    /// A rule for one method stands in that method's file. The default of method.name is the only name elsewhere.
    void noOtherFileOfTheOptionsNamesAMethod() {
        const QString config = textOf(tests_ + "/../engine/config", "*.cpp") +
                               textOf(tests_ + "/../engine/config", "*.h") + textOf(tests_ + "/../engine/run", "*.cpp");
        for (const MethodDeclaration& method : methodDeclarations()) {
            const QString name = QString::fromStdString(method.choice.value);
            QVERIFY2(config.count("\"" + name + "\"") == (name == "dualprompt" ? 1 : 0), qPrintable(name));
        }
    }

private:
    const QString tests_ = QString::fromLocal8Bit(PALIMPSEST_TEST_DATA) + "/..";

    static QString textOf(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    /// All files of a folder, one after the other.
    static QString textOf(const QString& folder, const QString& pattern) {
        QString text;
        for (const QString& file : QDir(folder).entryList({pattern})) text += textOf(folder + "/" + file);
        return text;
    }
};

PALIMPSEST_APPLESS_TEST(TestNewMethod)
#include "tst_new_method.moc"
