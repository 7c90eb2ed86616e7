// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QDir>
#include <QTemporaryDir>
#include <algorithm>
#include <map>
#include <new>
#include <numeric>
#include <opencv2/imgcodecs.hpp>
#include <utility>

#include "engine/support/random.h"
#include "engine/train/experiment_inputs.h"
#include "engine/train/run_experiment.h"
#include "engine/trust/check_trust.h"
#include "engine/trust/image_views.h"
#include "engine/trust/trust_check.h"
#include "engine/trust/trust_parts.h"
#include "tests/support/shade_table.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_check_trust {

namespace {

const OptionTable& table() {
    static const OptionTable t(engineCatalogue());
    return t;
}

Experiment tiny() {
    Experiment e = table().defaults();
    e.name = "Tiny";
    e.seed = 1;
    e.stream.dataset = "shapes";
    e.stream.train_limit = 320;
    e.stream.test_limit = 120;
    e.stream.sessions = 2;
    e.backbone.weights = "random";
    e.method.name = "linear-probe";
    e.device = "cpu";
    e.precision = "float32";
    e.threads = 1;
    e.training.batch_size = 16;
    e.training.updates_per_batch = 1;
    e.evaluation.every_samples = 64;
    return e;
}

struct Page : TrustObserver {
    std::vector<std::string> begun;
    std::map<std::string, TrustVerdict> verdicts;
    TrustEnded ended;
    int ends = 0;
    std::function<void()> on_checking;

    void onChecking(const TrustCheckInfo& check, std::int64_t, std::int64_t) override {
        begun.push_back(check.name);
        if (on_checking) on_checking();
    }
    void onVerdict(const TrustVerdict& verdict) override { verdicts[verdict.check] = verdict; }
    void onEnded(const TrustEnded& event) override {
        ended = event;
        ++ends;
    }
    QString colour(const std::string& check) const { return toText(verdicts.at(check).colour); }
    const char* sentence(const std::string& check) const { return verdicts.at(check).sentence.c_str(); }
    QString value(const std::string& check, const char* what) const {
        for (const TrustEvidence& evidence : verdicts.at(check).evidence)
            if (QString::fromStdString(evidence.what).startsWith(QLatin1String(what)))
                return QString::fromStdString(evidence.value);
        return {};
    }
};

Page pageOf(const Experiment& experiment, const std::vector<std::string>& checks, const TrustParts& parts = {}) {
    Page page;
    RunControl control;
    checkTrust({{}, experiment, checks, true}, parts, control, page);
    return page;
}

constexpr std::int32_t kClasses = 8;

/// Pictures of one shade each, which tells their class.
class ShadeTable : public ImageTable {
public:
    explicit ShadeTable(std::int64_t each) {
        for (std::int64_t i = 0; i < each * kClasses; ++i) labels_.push_back(static_cast<std::int32_t>(i % kClasses));
    }
    std::int64_t size() const override { return std::ssize(labels_); }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t index) const override {
        return cv::Mat(8, 8, CV_8UC3, cv::Scalar::all(10 + 20 * labels_[static_cast<std::size_t>(index)]));
    }

private:
    std::vector<std::int32_t> labels_;
};

/// One picture of one shade.
class FlatTable : public ImageTable {
public:
    explicit FlatTable(double shade) : shade_(shade) {}
    std::int64_t size() const override { return 1; }
    std::span<const std::int32_t> labels() const override { return labels_; }
    cv::Mat image(std::int64_t) const override { return cv::Mat(8, 8, CV_8UC3, cv::Scalar::all(shade_)); }

private:
    double shade_;
    std::vector<std::int32_t> labels_{0};
};

ImageDataset shades() {
    ImageDataset data;
    data.name = "shades";
    data.title = "Shades";
    for (std::int32_t i = 0; i < kClasses; ++i) data.class_names.push_back("shade " + std::to_string(i));
    data.deviation = {1, 1, 1};
    data.train = std::make_shared<ShadeTable>(30);
    data.test = std::make_shared<ShadeTable>(10);
    return data;
}

/// Learns nothing; its logits are what a test makes of the features.
class Idle : public FrozenBackboneMethod {
public:
    explicit Idle(const MethodSetup& setup) : FrozenBackboneMethod(setup.vit), classes_(setup.classes) {}
    ForwardResult forward(const UpdateInput&) override { return {}; }
    UpdateResult update(const UpdateInput&) override { return {}; }
    bool needsImages() const override { return false; }
    bool evaluatesSeenOnly() const override { return true; }
    std::vector<NamedTensor> trainable() const override { return {}; }

protected:
    std::int64_t classes_;
};

/// Judges an image by how it differs from those beside it, as batch statistics do.
class Relative : public Idle {
public:
    using Idle::Idle;
    Tensor logits(const Tensor&, const Tensor& frozen) override {
        return (frozen - frozen.mean(0, true)).narrow(1, 0, classes_);
    }
};

/// Raises one score of each image in large batches, by a share of its largest score.
class ALittleRelative : public Idle {
public:
    using Idle::Idle;
    Tensor logits(const Tensor&, const Tensor& frozen) override {
        Tensor scores = frozen.narrow(1, 0, classes_).clone();
        if (scores.size(0) > 40) scores.select(1, 0).add_(0.03 * scores.abs().amax(1).clamp_min(1));
        return scores;
    }
};

/// Takes large batches for another class than small ones, by less than float32 tells apart in a sum.
class StandsLevel : public Idle {
public:
    using Idle::Idle;
    Tensor logits(const Tensor&, const Tensor& frozen) override {
        Tensor scores = at::ones({frozen.size(0), classes_});
        scores.select(1, frozen.size(0) > 40 ? 0 : 1).add_(5e-5);
        return scores;
    }
};

/// Answers by the place in the batch: test images that come sorted by class would all be right.
class ByPlace : public Idle {
public:
    using Idle::Idle;
    Tensor logits(const Tensor&, const Tensor& frozen) override {
        return at::eye(classes_).index_select(0, at::arange(0, frozen.size(0)).remainder(classes_));
    }
};

/// Chooses one prompt for a whole batch; the scores do not depend on it.
class OnePrompt : public Idle {
public:
    using Idle::Idle;
    Tensor logits(const Tensor&, const Tensor& frozen) override {
        const auto chosen = static_cast<std::int64_t>(frozen.size(0) > 16);
        selected_.assign(static_cast<std::size_t>(frozen.size(0)), chosen);
        // Far above rounding, the same for every class: no prediction changes.
        return frozen.narrow(1, 0, classes_) + static_cast<double>(chosen);
    }
    std::int64_t poolSize() const override { return 2; }
    std::vector<std::int64_t> lastSelection() const override { return selected_; }

private:
    std::vector<std::int64_t> selected_;
};

/// Finds the memory too small for its first batch that is larger than those of a run, once it has answered it.
class OutOfMemoryOnce : public OnePrompt {
public:
    using OnePrompt::OnePrompt;
    Tensor logits(const Tensor& images, const Tensor& frozen) override {
        large_ = frozen.size(0) > 70;
        return OnePrompt::logits(images, frozen);
    }
    Tensor lastPenalty() const override {
        if (large_ && !std::exchange(failed_, true)) throw std::bad_alloc();
        return {};
    }

private:
    bool large_ = false;
    mutable bool failed_ = false;
};

/// Reads the true class from the picture, whatever label it was given.
class Oracle : public Idle {
public:
    using Idle::Idle;
    void beginBatch(const StreamBatch& batch) override {
        const auto labels = permutedLabels(shades().train->labels(), 1);
        for (std::size_t i = 0; i < batch.samples.size(); ++i)
            units_[labels[static_cast<std::size_t>(batch.samples[i])]] = batch.units[i];
    }
    bool needsImages() const override { return true; }
    Tensor logits(const Tensor& images, const Tensor&) override {
        Tensor result = at::zeros({images.size(0), classes_});
        for (std::int64_t i = 0; i < images.size(0); ++i) {
            const double shade = 255 * images[i].mean().item<double>();
            result[i][units_.at(static_cast<std::int32_t>(std::lround((shade - 10) / 20)))] = 1;
        }
        return result;
    }

private:
    std::map<std::int32_t, std::int64_t> units_;
};

/// Learns a little each time that it is evaluated.
class Peeking : public Idle {
public:
    explicit Peeking(const MethodSetup& setup) : Idle(setup), looks_(at::zeros({1})) {}
    void beginEvaluation(const Tensor&) override { looks_.add_(1); }
    Tensor logits(const Tensor&, const Tensor& frozen) override { return frozen.narrow(1, 0, classes_); }
    std::vector<NamedTensor> trainable() const override { return {{"looks", looks_}}; }

private:
    Tensor looks_;
};

/// Counts how many of it there are.
class Alone : public Idle {
public:
    inline static int made = 0, living = 0, most_living = 0, beside_last = 0;
    explicit Alone(const MethodSetup& setup) : Idle(setup) {
        ++made;
        beside_last = living++;
        most_living = std::max(most_living, living);
    }
    ~Alone() override { --living; }
    Tensor logits(const Tensor&, const Tensor& frozen) override {
        return at::one_hot(at::arange(0, frozen.size(0)).zero_(), classes_).to(at::kFloat);
    }
};

template <class Made>
TrustParts partsOf() {
    TrustParts parts;
    parts.open = [](const DatasetRequest&) { return shades(); };
    parts.make_method = [](const MethodSetup& setup) { return std::make_unique<Made>(setup); };
    return parts;
}

/// A picture that resembles no other one.
cv::Mat pictureOf(std::uint64_t number) {
    Random random(number);
    cv::Mat small(6, 6, CV_8UC3);
    for (int row = 0; row < small.rows; ++row)
        for (int column = 0; column < small.cols; ++column)
            for (int channel = 0; channel < 3; ++channel)
                small.at<cv::Vec3b>(row, column)[channel] = static_cast<std::uint8_t>(20 + random.below(200));
    return small;
}

void write(const QString& file, const cv::Mat& picture) {
    QDir().mkpath(QFileInfo(file).path());
    QVERIFY(cv::imwrite(file.toStdString(), picture));
}

}  // namespace

class TestCheckTrust : public QObject {
    Q_OBJECT

    /// Folders "train" and "test" with two classes of pictures that all differ.
    static void fill(const QTemporaryDir& folder) {
        std::uint64_t number = 0;
        for (const char* part : {"train", "test"})
            for (const char* name : {"cats", "dogs"})
                for (int i = 0; i < 5; ++i)
                    write(folder.filePath(QString("%1/%2/%3.png").arg(part, name).arg(i)), pictureOf(++number));
    }
    static Page overlapOf(const QTemporaryDir& folder) {
        Experiment e = tiny();
        e.stream.dataset = "folder";
        e.stream.root = folder.path().toStdString();
        e.stream.train_limit = e.stream.test_limit = 0;
        return pageOf(e, {"overlap"});
    }

private Q_SLOTS:
    void aLinearProbeIsGreenEverywhere() {
        const Page page = pageOf(tiny(), {});
        QCOMPARE(page.ends, 1);
        QVERIFY(page.ended.how == TrustEnded::How::Finished);
        QCOMPARE(page.verdicts.size(), trustChecks().size());
        for (const TrustCheckInfo& check : trustChecks())
            QVERIFY2(page.colour(check.name) == "green",
                     (std::string(check.name) + ": " + page.sentence(check.name)).c_str());
        QCOMPARE(page.ended.green, std::int64_t(trustChecks().size()));
        QCOMPARE(page.value("batch-size", "Images with another prediction"), QString("0 of 120"));
        QVERIFY2(QString(page.sentence("labels")).contains("or more would have shown"), page.sentence("labels"));
    }

    void predictionsThatDependOnTheBatchAreRed() {
        const Page page = pageOf(tiny(), {"batch-size"}, partsOf<Relative>());
        QCOMPARE(page.colour("batch-size"), QString("red"));
        QVERIFY2(QString(page.sentence("batch-size")).contains("image "), page.sentence("batch-size"));
        QCOMPARE(page.ended.red, std::int64_t{1});
    }

    void predictionsThatDependOnTheOrderAreRed() {
        const Page page = pageOf(tiny(), {"order"}, partsOf<ByPlace>());
        QVERIFY2(page.colour("order") == "red", page.sentence("order"));
    }

    void scoresThatDependOnTheBatchAreAmber() {
        const Page page = pageOf(tiny(), {"batch-size"}, partsOf<OnePrompt>());
        QCOMPARE(page.colour("batch-size"), QString("amber"));
        QCOMPARE(page.value("batch-size", "Images with another prediction, 1 at a time"), QString("0 of 80"));
        QCOMPARE(page.value("batch-size", "Images with another prompt, 1 at a time"), QString("80 of 80"));
    }

    void aSmallLookAtTheBatchIsNotTakenForRounding_data() {
        QTest::addColumn<QString>("precision");
        QTest::newRow("float32") << "float32";
        QTest::newRow("bfloat16") << "bfloat16";
    }
    void aSmallLookAtTheBatchIsNotTakenForRounding() {
        QFETCH(QString, precision);
        Experiment e = tiny();
        e.precision = precision.toStdString();
        const Page page = pageOf(e, {"batch-size"}, partsOf<ALittleRelative>());
        QVERIFY2(page.colour("batch-size") != "green", page.sentence("batch-size"));
    }

    void manyImagesThatRoundingDecidesAreAmber() {
        const Page page = pageOf(tiny(), {"batch-size"}, partsOf<StandsLevel>());
        QVERIFY2(page.colour("batch-size") == "amber", page.sentence("batch-size"));
        QVERIFY2(QString(page.sentence("batch-size")).contains("80 images"), page.sentence("batch-size"));
    }

    void promptsOfABatchThatWasAnsweredTwiceAreNotCompared() {
        const Page page = pageOf(tiny(), {"batch-size"}, partsOf<OutOfMemoryOnce>());
        QVERIFY(page.ended.how == TrustEnded::How::Finished);
        QCOMPARE(page.value("batch-size", "Images with another prediction, 1 at a time"), QString("0 of 80"));
        QCOMPARE(page.value("batch-size", "Images with another prompt, 1 at a time"), QString());
    }

    void labelsThatLeakAreRed() {
        const Page page = pageOf(tiny(), {"labels"}, partsOf<Oracle>());
        QVERIFY2(page.colour("labels") == "red", page.sentence("labels"));
        QCOMPARE(page.value("labels", "A_Last"), QString("100.0 % of 80 test images"));
        QCOMPARE(page.value("labels", "Chance"), QString("1 / 8 = 12.5 %"));
    }

    // All images of a class are alike here, so that each class is right or wrong as a whole.
    void wholeClassesThatAreRightByLuckAreNoLeak() {
        TrustParts parts = partsOf<Relative>();
        parts.make_method = makeMethod;
        for (const std::int64_t seed : {1, 2, 3}) {
            Experiment e = tiny();
            e.seed = seed;
            const Page page = pageOf(e, {"labels"}, parts);
            QVERIFY2(page.colour("labels") == "green", page.sentence("labels"));
        }
    }

    void learningFromBeingLookedAtIsRed() {
        const Page page = pageOf(tiny(), {"looking"}, partsOf<Peeking>());
        QCOMPARE(page.colour("looking"), QString("red"));
        QVERIFY2(QString(page.sentence("looking")).contains("looks"), page.sentence("looking"));
    }

    void tooFewTestImagesAreAmber() {
        Experiment e = tiny();
        e.stream.test_limit = 12;
        const Page page = pageOf(e, {"labels"});
        QCOMPARE(page.colour("labels"), QString("amber"));
        QVERIFY2(QString(page.sentence("labels")).contains("12 test images"), page.sentence("labels"));
    }

    void copiesOfTrainingImagesAreFound() {
        const QTemporaryDir folder;
        fill(folder);
        QCOMPARE(overlapOf(folder).colour("overlap"), QString("green"));
        // The same picture, a little brighter: it was saved anew.
        write(folder.filePath("test/dogs/8.png"), pictureOf(7) + cv::Scalar::all(1));
        const Page near = overlapOf(folder);
        QCOMPARE(near.colour("overlap"), QString("amber"));
        QCOMPARE(near.value("overlap", "Test images that show almost"), QString("1 of 11"));
        write(folder.filePath("test/dogs/9.png"), pictureOf(2));
        const Page page = overlapOf(folder);
        QCOMPARE(page.colour("overlap"), QString("red"));
        QCOMPARE(page.value("overlap", "Test images with the very pixels"), QString("1 of 12"));
        QCOMPARE(page.value("overlap", "Copy 1"), QString("test dogs/9.png and training cats/1.png (dogs and cats)"));
        QCOMPARE(page.value("overlap", "Near copy 1"), QString("test dogs/8.png and training dogs/1.png (dogs)"));
    }

    void greenSaysWhatWasCompared() {
        TrustParts parts;
        parts.open = [](const DatasetRequest&) {
            ImageDataset data = shades();
            const auto all = std::make_shared<testing::NoiseTable>(10'040);
            std::vector<std::int64_t> first(10'010), last(20);
            std::iota(first.begin(), first.end(), 0);
            std::iota(last.begin(), last.end(), 10'020);
            data.train = subsetOf(all, first);
            data.test = subsetOf(all, last);
            return data;
        };
        const Page page = pageOf(tiny(), {"overlap"}, parts);
        QVERIFY2(page.colour("overlap") == "green", page.sentence("overlap"));
        QVERIFY2(QString(page.sentence("overlap")).startsWith("None of the test images that were compared"),
                 page.sentence("overlap"));
        QVERIFY(!page.verdicts.at("overlap").cut.empty());
    }

    void lookAlikesThatWereNotComparedAreCounted() {
        TrustParts parts;
        parts.open = [](const DatasetRequest&) {
            ImageDataset data = shades();
            data.train = std::make_shared<ShadeTable>(2);  // sixteen flat pictures
            data.test = std::make_shared<FlatTable>(250);
            return data;
        };
        const Page page = pageOf(tiny(), {"overlap"}, parts);
        QVERIFY2(page.colour("overlap") == "green", page.sentence("overlap"));
        QCOMPARE(page.value("overlap", "Test images with more look-alikes than the 8"), QString("1"));
        QVERIFY2(QString(page.sentence("overlap")).contains("were not compared"), page.sentence("overlap"));
    }

    void aRunIsLookedAtWithItsNewestCheckpoint() {
        const QTemporaryDir folder;
        const std::filesystem::path run = folder.filePath("run").toStdString();
        RunControl control;
        RunObserver nobody;
        runExperiment(1, tiny(), FreshRun{{}, run}, control, nobody);
        Page page;
        checkTrust({run, {}, {"batch-size", "order"}, false}, control, page);
        QVERIFY2(page.colour("batch-size") == "green", page.sentence("batch-size"));
        QCOMPARE(page.colour("order"), QString("green"));
        QVERIFY(page.verdicts.at("order").cut.empty());

        std::filesystem::remove_all(run / "checkpoints");
        Page without;
        checkTrust({run, {}, {"batch-size", "order"}, false}, control, without);
        QCOMPARE(without.ended.amber, std::int64_t{2});
        QVERIFY2(QString(without.sentence("order")).startsWith("There is no trained state"), without.sentence("order"));
    }

    void aMissingDataSetIsAmberAndAWrongRequestFails() {
        Experiment e = tiny();
        e.stream.dataset = "folder";
        e.stream.root = "/nowhere";
        const Page missing = pageOf(e, {"overlap", "labels"});
        QVERIFY(missing.ended.how == TrustEnded::How::Finished);
        QCOMPARE(missing.ended.amber, std::int64_t{2});
        QVERIFY2(QString(missing.sentence("overlap")).contains("/nowhere"), missing.sentence("overlap"));

        const Page unknown = pageOf(tiny(), {"colour"});
        QVERIFY(unknown.ended.how == TrustEnded::How::Failed);
        QVERIFY(unknown.ended.kind == ErrorKind::Input);
        QVERIFY2(unknown.ended.error.find("\"colour\"") != std::string::npos, unknown.ended.error.c_str());
    }

    void itStopsWhenAsked() {
        Page page;
        RunControl control;
        page.on_checking = [&] {
            if (page.begun.size() == 2) control.stop();
        };
        checkTrust({{}, tiny(), {"overlap", "looking", "seeds"}, true}, control, page);
        QVERIFY(page.ended.how == TrustEnded::How::Stopped);
        QCOMPARE(page.begun.size(), std::size_t{2});
        QCOMPARE(page.verdicts.size(), std::size_t{1});
        QCOMPARE(page.ends, 1);
    }

    void streamsOfAnotherNumberFormatAreGoneBeforeItIsTried() {
        Experiment e = tiny();
        e.precision = "bfloat16";  // compared with float32 on every processor
        Alone::living = Alone::made = Alone::most_living = 0;
        const Page page = pageOf(e, {"batch-size", "precision"}, partsOf<Alone>());
        QVERIFY2(page.colour("precision") == "green", page.sentence("precision"));
        QVERIFY2(QString(page.sentence("precision")).contains("bfloat16 and float32 differ by 0.00 points"),
                 page.sentence("precision"));
        QCOMPARE(Alone::made, 5);
        // The trained state stays while the same format is learned again.
        QCOMPARE(Alone::most_living, 2);
        QCOMPARE(Alone::beside_last, 0);
    }

    void bitsThatDifferAreRedOnAProcessorAndWorthKnowingOnAGpu_data() {
        QTest::addColumn<bool>("gpu");
        QTest::addColumn<bool>("differ");
        QTest::addColumn<double>("change");
        QTest::addColumn<QString>("colour");
        QTest::newRow("same bits") << false << false << 0.0 << "green";
        QTest::newRow("other bits") << false << true << 0.0 << "red";
        QTest::newRow("same bits on a GPU") << true << false << 0.0 << "green";
        QTest::newRow("other bits on a GPU") << true << true << 0.0 << "amber";
        QTest::newRow("other accuracy on a GPU") << true << true << 0.02 << "amber";
    }
    void bitsThatDifferAreRedOnAProcessorAndWorthKnowingOnAGpu() {
        QFETCH(bool, gpu);
        QFETCH(bool, differ);
        QFETCH(double, change);
        QFETCH(QString, colour);
        PrecisionFacts facts;
        facts.gpu = gpu;
        if (differ) facts.differing = {"weights"};
        facts.again_change = change;
        facts.format = "tf32";
        facts.other_format = "bfloat16";
        facts.format_change = 0.001;
        TrustVerdict verdict;
        judgePrecision(verdict, facts);
        QCOMPARE(QString(toText(verdict.colour)), colour);
        const QString sentence = QString::fromStdString(verdict.sentence);
        QCOMPARE(sentence.contains("weights"), differ);
        QCOMPARE(sentence.contains("as promised"), !gpu && !differ);
        QCOMPARE(sentence.contains("So a repetition alone changes A_AUC by 2.00 points"), change > 0);
    }

    void theSameRequestGivesTheSamePage() {
        const Page first = pageOf(tiny(), {"order", "labels"}), second = pageOf(tiny(), {"order", "labels"});
        for (const char* check : {"order", "labels"}) {
            QCOMPARE(first.verdicts.at(check).sentence, second.verdicts.at(check).sentence);
            for (std::size_t i = 0; i < first.verdicts.at(check).evidence.size(); ++i)
                QCOMPARE(first.verdicts.at(check).evidence[i].value, second.verdicts.at(check).evidence[i].value);
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestCheckTrust)

}  // namespace tst_check_trust

#include "tst_check_trust.moc"
