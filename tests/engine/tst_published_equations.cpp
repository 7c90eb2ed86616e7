// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/class_readout.h"
#include "engine/method/ridge_choice.h"
#include "engine/method/ridge_statistics.h"
#include "engine/method_options/head_average_options.h"
#include "engine/method_options/online_lora_options.h"
#include "engine/method_options/readout_options.h"
#include "engine/method_options/tuned_backbone_options.h"
#include "engine/network/tensor_file.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

// Numbers of tests/data/equations/make_reference.py, which follows the published equations in other ways.

using namespace palimpsest;

namespace tst_published_equations {

namespace {

Tensor reference(const std::string& name) {
    static const TensorFile file = readSafetensors(PALIMPSEST_TEST_DATA "/equations/reference.safetensors");
    return file.at(name);
}

/// Compares with float64 numbers, by the size of the largest.
void compare(const Tensor& got, const Tensor& expected, double bound, const std::string& what) {
    QVERIFY2(got.sizes() == expected.sizes(), what.c_str());
    const double away = largestDifference(got, expected), size = expected.abs().max().item<double>();
    QVERIFY2(away <= bound * size,
             qPrintable(QString("%1: %2 away, of %3").arg(QString::fromStdString(what)).arg(away).arg(size)));
}

RidgeStatistics sumsOf(const std::string& name, std::int64_t classes) {
    const Tensor phi = reference(name + ".phi"), units = reference(name + ".units");
    RidgeStatistics statistics(phi.size(1), classes, at::kCPU);
    // Image by image: the smallest batches there are.
    for (std::int64_t i = 0; i < phi.size(0); ++i) statistics.add(phi.narrow(0, i, 1), units.narrow(0, i, 1));
    return statistics;
}

/// The small network of the script.
std::shared_ptr<Vit> network() {
    prepareCompute("cpu", "float32", 1);
    auto vit = std::make_shared<Vit>(VitShape{8, 4, 3, 8, 2, 2, 2});
    std::vector<NamedTensor> all;
    for (const NamedTensor& entry : vit->parameters()) all.push_back({entry.name, reference("network." + entry.name)});
    vit->load(all, "of the script");
    return vit;
}

MethodSetup setupOf(const std::string& name, double rate) {
    MethodSetup setup = smallSetup(name);
    setup.vit = network();
    setup.exact_optimizer = OptimizerSettings{.kind = OptimizerSettings::Kind::Sgd, .learning_rate = rate};
    return setup;
}

void setTensor(const Method& method, const std::string& name, const Tensor& value) {
    NoGradGuard guard;
    Tensor(named(method.trainable(), name)).copy_(value);
}

UpdateInput inputOf(const Tensor& images, const Tensor& units, std::int64_t seen = 4) {
    UpdateInput input{images, units, seenMask(4, 4, at::kCPU)};
    input.seen = seen;
    return input;
}

double part(const UpdateResult& result, const std::string& name) {
    for (const auto& [known, value] : result.parts)
        if (known == name) return value;
    return std::nan("");
}

/// An analytic head's sums of the features as they stand in the file, in place of a network's.
Tensor discriminantScores(const std::string& shrinkage) {
    MethodSetup setup = smallSetup("analytic-head");
    setup.method.of<AnalyticHeadOptions>().readout = "lda";
    setup.method.of<AnalyticHeadOptions>().shrinkage = shrinkage;
    const auto method = makeMethod(setup);
    const RidgeStatistics sums = sumsOf("wide", 4);
    StateArchive empty;
    method->keep(empty);
    TensorsByName state = empty.tensors();
    for (const NamedTensor& entry : sums.tensors()) state["statistics." + entry.name] = entry.tensor;
    state["statistics.samples"] = at::tensor({sums.samples()}, at::kLong);
    StateArchive filled(state, at::kCPU);
    method->keep(filled);
    method->beginEvaluation({});
    return method->logits({}, reference("wide.tests"));
}

}  // namespace

class TestPublishedEquations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void regressionsOfTheGridAreLeastSquares() {
        const RidgeStatistics sums = sumsOf("sums", 5);
        for (std::size_t i = 0; i < ridgeGrid().size(); ++i) {
            const std::string what = std::to_string(ridgeGrid()[i]);
            const auto place = static_cast<std::int64_t>(i);
            compare(sums.solved(ridgeGrid()[i]), reference("sums.ridge")[place], 1e-6, "ridge " + what);
            compare(sums.solved(ridgeGrid()[i], true), reference("sums.pooled")[place], 1e-6, "pooled " + what);
        }
    }

    void gcvIsThatOfSingularValues() {
        for (const char* name : {"sums", "few"}) {
            const std::vector<double> got = gcvScores(sumsOf(name, 5), ridgeGrid());
            const Tensor expected = reference(std::string(name) + ".gcv");
            for (std::size_t i = 0; i < got.size(); ++i) {
                const double score = expected[static_cast<std::int64_t>(i)].item<double>();
                QVERIFY2(std::abs(got[i] - score) < 1e-6 * score,
                         qPrintable(QString("%1 for %2 of %3").arg(got[i]).arg(score).arg(ridgeGrid()[i])));
            }
        }
    }

    void predictionBeforeLearningAddsTheseErrors() {
        const Tensor phi = reference("prequential.phi"), units = reference("prequential.units");
        const Tensor errors = reference("prequential.errors");
        RidgeStatistics sums(phi.size(1), 5, at::kCPU);
        PrequentialRidge choice(1);
        for (std::int64_t begin = 0, round = -1; begin < phi.size(0); begin += 8, ++round) {
            const std::int64_t count = std::min<std::int64_t>(8, phi.size(0) - begin);
            const Tensor rows = phi.narrow(0, begin, count), of = units.narrow(0, begin, count);
            choice.score(rows, of);
            if (round >= 0) {
                compare(at::tensor(choice.errors(), at::kDouble), errors[round], 1e-5, "errors");
                // The least weighs as much as the largest.
                const double least = errors[round].min().item<double>();
                QVERIFY(std::abs(*std::ranges::min_element(choice.errors()) - least) < 1e-4 * least);
            }
            sums.add(rows, of);
            choice.solve(sums, false);
        }
        const auto best = errors[errors.size(0) - 1].argmin().item<std::int64_t>();
        QCOMPARE(choice.ridge(), ridgeGrid()[static_cast<std::size_t>(best)]);
    }

    void discriminantsShrinkAsTheirFormulasSay() {
        for (const char* shrinkage : {"oas", "fixed"})
            compare(discriminantScores(shrinkage).narrow(1, 0, 3), reference(std::string("wide.lda.") + shrinkage),
                    1e-5, shrinkage);
    }

    void readoutsAreThoseOfTheirSums() {
        for (const char* kind : {"ncm", "ridge"}) {
            MethodSetup setup = smallSetup("single-prompt", 3);
            setup.method.of<ReadoutOptions>() = {kind, 0.5};
            ClassReadout readout(setup);
            const Tensor phi = reference("wide.phi"), units = reference("wide.units");
            for (std::int64_t i = 0; i < phi.size(0); i += 5) {
                const std::int64_t count = std::min<std::int64_t>(5, phi.size(0) - i);
                readout.count(phi.narrow(0, i, count), units.narrow(0, i, count));
            }
            compare(readout.scores(reference("wide.tests")), reference(std::string("wide.") + kind), 1e-5, kind);
        }
    }

    void onlineLoraTakesTheseSteps_data() {
        QTest::addColumn<bool>("published");
        QTest::newRow("as read") << false;
        QTest::newRow("as published") << true;
    }
    void onlineLoraTakesTheseSteps() {
        QFETCH(bool, published);
        const std::string name = published ? "lora.published." : "lora.read.";
        MethodSetup setup = setupOf("online-lora", 0.25);
        OnlineLoraOptions& options = setup.method.of<OnlineLoraOptions>();
        options.rank = 1;
        options.strength = 8;
        options.hard_images = 2;
        options.window = 2;
        options.plateau_mean = 19;
        options.plateau_variance = published ? 0.05 : 0.4;
        options.buffer = published ? "as-published" : "images";
        options.merge = published ? "factors" : "products";
        // Read so, too: with as many classes as the limits were made for, nothing would be scaled.
        options.loss = published ? "as-published" : "scaled";
        const double scale = published ? 1 : std::log(200) / std::log(4);
        options.plateau_mean *= scale;
        options.plateau_variance *= scale * scale;
        setup.method.of<HeadAverageOptions>().decay = 0.8;
        const auto method = makeMethod(setup);
        setTensor(*method, "fc.weight", reference(name + "head"));
        // The average begins with the values of the head.
        StateArchive begun;
        method->keep(begun);
        TensorsByName state = begun.tensors();
        std::erase_if(state, [](const auto& entry) { return entry.first.find(".average.") != std::string::npos; });
        StateArchive rest(state, at::kCPU);
        method->keep(rest);
        const Tensor starts = reference(name + "starts");
        const auto begin = [&](std::int64_t turn) {
            for (std::int64_t block = 0; block < 2; ++block)
                setTensor(*method, "blocks." + std::to_string(block) + ".lora.a", starts[turn][block]);
        };
        begin(0);
        const Tensor images = reference("lora.images"), losses = reference(name + "losses");
        const Tensor plateaus = reference(name + "plateaus");
        std::int64_t found = 0;
        for (std::int64_t step = 0; step < images.size(0); ++step) {
            UpdateInput input = inputOf(images[step], reference("lora.units")[step]);
            for (std::int64_t i = 0; i < 3; ++i) input.samples.push_back(3 * step + i);
            const std::vector<std::int64_t> units = indexVector(input.units);
            method->beginBatch({input.samples, units, {}});
            const UpdateResult result = method->update(input);
            const std::string where = "step " + std::to_string(step);
            compare(at::tensor({part(result, "batch"), part(result, "hard"), part(result, "penalty")}, at::kDouble),
                    losses[step], 1e-4, where);
            const bool expected =
                found < plateaus.size(0) && plateaus[found][0].item<double>() == static_cast<double>(step);
            QVERIFY2(result.plateau.has_value() == expected, where.c_str());
            if (!expected) continue;
            QVERIFY(std::abs(result.plateau->mean / scale - plateaus[found][1].item<double>()) < 1e-3);
            QVERIFY(std::abs(result.plateau->variance / scale / scale - plateaus[found][2].item<double>()) < 1e-3);
            begin(++found);
        }
        QCOMPARE(found, plateaus.size(0));
        for (std::int64_t block = 0; block < 2; ++block)
            for (const char* factor : {"a", "b"}) {
                const std::string own = "blocks." + std::to_string(block) + ".lora." + factor;
                compare(named(method->trainable(), own), reference(name + factor)[block], 1e-3, own);
                compare(named(method->keptTensors(), "importance." + own), reference(name + "omega." + factor)[block],
                        1e-3, "importance of " + own);
            }
        compare(named(method->trainable(), "fc.weight"), reference(name + "weight"), 1e-4, "head");
        compare(named(method->headAverage()->averages(), "fc.weight"), reference(name + "average"), 1e-4, "average");
        NoGradGuard guard;
        compare(method->logits(reference(name + "probe"), {}), reference(name + "logits"), 1e-4, "outputs");
    }

    void importanceByNegatedLogitsIsThatOfAllClassesThatHaveCome() {
        MethodSetup setup = setupOf("ewcpp", 0.02);
        setup.method.of<TunedBackboneOptions>().importance = "negated-logits";
        setup.method.of<EwcPlusPlusOptions>().strength = 5000;
        const auto method = makeMethod(setup);
        setTensor(*method, "fc.weight", reference("ewc.head"));
        const Tensor images = reference("ewc.images"), units = reference("ewc.units");
        for (std::int64_t step = 0; step < 6; ++step) {
            UpdateInput input = inputOf(images[step], units[step], step < 3 ? 3 : 4);
            std::vector<bool> visible(4, false);
            for (const std::int64_t unit : indexVector(input.units)) visible[static_cast<std::size_t>(unit)] = true;
            input.mask = additiveMask(visible, at::kCPU);
            method->update(input);
            if (step % 3 == 2) method->endSession();
        }
        for (const NamedTensor& entry : setup.vit->parameters())
            for (const char* kind : {"importance.", "anchor."})
                compare(named(method->keptTensors(), kind + entry.name), reference("ewc." + (kind + entry.name)), 1e-3,
                        kind + entry.name);
    }
};

PALIMPSEST_APPLESS_TEST(TestPublishedEquations)

}  // namespace tst_published_equations

#include "tst_published_equations.moc"
