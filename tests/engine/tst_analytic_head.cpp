// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/random_features.h"
#include "engine/method/ridge_choice.h"
#include "engine/method/ridge_statistics.h"
#include "engine/method_options/head_method_options.h"
#include "engine/support/error.h"
#include "tests/support/small_method.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_analytic_head {

namespace {

using Rows = std::vector<std::vector<double>>;

Rows rowsOf(const Tensor& tensor) {
    const Tensor values = tensor.to(at::kDouble).contiguous();
    Rows rows;
    for (std::int64_t i = 0; i < values.size(0); ++i) {
        const double* row = values.data_ptr<double>() + i * values.size(1);
        rows.emplace_back(row, row + values.size(1));
    }
    return rows;
}

/// Solves A x = b by Gaussian elimination with row exchange, for several right sides.
Rows solved(Rows a, Rows b) {
    const std::size_t n = a.size();
    for (std::size_t i = 0; i < n; ++i) {
        std::size_t best = i;
        for (std::size_t r = i; r < n; ++r)
            if (std::abs(a[r][i]) > std::abs(a[best][i])) best = r;
        std::swap(a[i], a[best]);
        std::swap(b[i], b[best]);
        for (std::size_t r = 0; r < n; ++r) {
            if (r == i) continue;
            const double factor = a[r][i] / a[i][i];
            for (std::size_t c = i; c < n; ++c) a[r][c] -= factor * a[i][c];
            for (std::size_t c = 0; c < b[r].size(); ++c) b[r][c] -= factor * b[i][c];
        }
    }
    for (std::size_t i = 0; i < n; ++i)
        for (double& value : b[i]) value /= a[i][i];
    return b;
}

struct Samples {
    Rows features;
    std::vector<std::int64_t> units;
};

/// Ridge regression on the one-hot classes, from all samples at once: [features][classes].
Rows ridge(const Samples& samples, std::size_t classes, double lambda) {
    const std::size_t m = samples.features.front().size();
    Rows g(m, std::vector<double>(m, 0)), q(m, std::vector<double>(classes, 0));
    for (std::size_t s = 0; s < samples.features.size(); ++s)
        for (std::size_t i = 0; i < m; ++i) {
            for (std::size_t j = 0; j < m; ++j) g[i][j] += samples.features[s][i] * samples.features[s][j];
            q[i][static_cast<std::size_t>(samples.units[s])] += samples.features[s][i];
        }
    for (std::size_t i = 0; i < m; ++i) g[i][i] += lambda;
    return solved(g, q);
}

Rows classMeans(const Samples& samples, std::size_t classes) {
    const std::size_t m = samples.features.front().size();
    Rows means(classes, std::vector<double>(m, 0));
    for (std::size_t c = 0; c < classes; ++c) {
        double count = 0;
        for (std::size_t s = 0; s < samples.features.size(); ++s)
            count += samples.units[s] == static_cast<std::int64_t>(c);
        for (std::size_t s = 0; s < samples.features.size(); ++s)
            for (std::size_t i = 0; count > 0 && i < m; ++i)
                if (samples.units[s] == static_cast<std::int64_t>(c)) means[c][i] += samples.features[s][i] / count;
    }
    return means;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
}

/// A method that has seen three batches, with their features of the frozen network.
struct Taught {
    std::unique_ptr<Method> method;
    Samples samples;
};
Taught taught(const MethodSetup& setup, const std::vector<std::uint64_t>& order = {1, 2, 3}) {
    Taught result;
    result.method = makeMethod(setup);
    for (const std::uint64_t seed : order) {
        const UpdateInput input = noiseBatch(9, seed);
        result.method->update(input);
        for (const auto& row : rowsOf(setup.vit->features(input.images))) result.samples.features.push_back(row);
        for (const std::int64_t unit : indexVector(input.units)) result.samples.units.push_back(unit);
    }
    return result;
}

/// Covariance of the samples about the means of their classes.
Rows scatterWithin(const Samples& samples) {
    const Rows means = classMeans(samples, 4);
    const std::size_t m = means.front().size(), count = samples.features.size();
    Rows covariance(m, std::vector<double>(m, 0));
    for (std::size_t s = 0; s < count; ++s)
        for (std::size_t i = 0; i < m; ++i)
            for (std::size_t j = 0; j < m; ++j) {
                const auto& mean = means[static_cast<std::size_t>(samples.units[s])];
                covariance[i][j] += (samples.features[s][i] - mean[i]) * (samples.features[s][j] - mean[j]) /
                                    static_cast<double>(count);
            }
    return covariance;
}

/// The head's answers are those of a linear discriminant with this covariance, for the three classes that came.
void compareWithDiscriminant(const MethodSetup& setup, const Taught& it, const Rows& covariance) {
    const Rows means = classMeans(it.samples, 3);
    Rows columns(covariance.size(), std::vector<double>(3, 0));
    for (std::size_t i = 0; i < columns.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) columns[i][c] = means[c][i];
    const Rows weights = solved(covariance, columns), tests = rowsOf(setup.vit->features(noiseImages(5, 9)));
    it.method->beginEvaluation({});
    const Rows logits = rowsOf(it.method->logits({}, it.method->frozenFeatures(noiseImages(5, 9))));
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
            double score = 0;
            for (std::size_t k = 0; k < weights.size(); ++k) score += (tests[i][k] - 0.5 * means[c][k]) * weights[k][c];
            QVERIFY2(std::abs(logits[i][c] - score) < 1e-3 * (1 + std::abs(score)),
                     qPrintable(QString("%1 instead of %2").arg(logits[i][c]).arg(score)));
        }
}

/// Made-up features: means of the classes not far apart, and noise that all classes share.
struct Drawn {
    Tensor phi, units;
    RidgeStatistics statistics() const {
        RidgeStatistics sums(phi.size(1), 4, at::kCPU);
        sums.add(phi, units);
        return sums;
    }
};
Drawn drawnSamples(const std::vector<std::int64_t>& counts, std::int64_t features, std::uint64_t seed) {
    Random same(1), random(seed, 1);
    Tensor means = at::zeros({3, features});
    fillNormal(means, same);
    std::vector<Tensor> phi, units;
    for (std::int64_t unit = 0; unit < std::ssize(counts); ++unit) {
        Tensor noise = at::zeros({counts[static_cast<std::size_t>(unit)], features});
        fillNormal(noise, random);
        phi.push_back(means[unit] + noise);
        units.push_back(at::full({noise.size(0)}, unit, at::kLong));
    }
    return {at::cat(phi), at::cat(units)};
}

/// AIR as published, with a matrix for each class (Fang et al., analytic/AnalyticLinear.py).
Tensor airSolved(const Drawn& drawn, double gamma) {
    const Tensor phi = drawn.phi.to(at::kDouble);
    double all = 0, classes = 0;
    std::vector<double> shares;
    for (std::int64_t unit = 0; unit < 4; ++unit) {
        const double count = (drawn.units == unit).sum().item<double>();
        shares.push_back(count > 0 ? 1 / count : 0);
        all += shares.back();
        classes += count > 0;
    }
    Tensor inner = gamma * at::eye(phi.size(1), phi.options()), columns = at::zeros({phi.size(1), 4}, at::kDouble);
    for (std::int64_t unit = 0; unit < 4; ++unit) {
        const double share = shares[static_cast<std::size_t>(unit)] * classes / all;
        const Tensor own = phi.index_select(0, at::nonzero(drawn.units == unit).flatten());
        inner += share * at::matmul(own.t(), own);
        columns.select(1, unit).copy_(share * own.sum(0));
    }
    return at::matmul(at::inverse(inner), columns);
}

/// Images of three classes that differ in where they are bright, so that pixels alone tell them apart.
UpdateInput striped(std::int64_t count, std::uint64_t seed) {
    UpdateInput input = noiseBatch(count, seed);
    for (std::int64_t i = 0; i < count; ++i) input.images[i].narrow(1, 5 * (i % 3), 5).add_(1.5);
    return input;
}

Tensor evaluated(Method& method, const Tensor& images) {
    method.beginEvaluation({});
    return method.logits({}, method.frozenFeatures(images));
}

/// The head's answers are those of a ridge regression on these features of the images.
template <class Features>
void compareWithRegression(const MethodSetup& setup, Features features) {
    const auto method = makeMethod(setup);
    Samples samples;
    for (const std::uint64_t seed : {1, 2, 3}) {
        const UpdateInput input = noiseBatch(9, seed);
        method->update(input);
        for (const auto& row : rowsOf(features(input.images))) samples.features.push_back(row);
        for (const std::int64_t unit : indexVector(input.units)) samples.units.push_back(unit);
    }
    const Rows expected = ridge(samples, 4, 1e-3), tests = rowsOf(features(noiseImages(5, 9)));
    const Tensor logits = evaluated(*method, noiseImages(5, 9));
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t c = 0; c < 4; ++c) {
            double score = 0;
            for (std::size_t k = 0; k < tests[i].size(); ++k) score += tests[i][k] * expected[k][c];
            const double got = logits[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(c)].item<double>();
            QVERIFY2(std::abs(got - score) < 1e-3 * (1 + std::abs(score)),
                     qPrintable(QString("%1 instead of %2").arg(got).arg(score)));
        }
}

}  // namespace

class TestAnalyticHead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void itIsRidgeRegressionOnAllSamples() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<RandomFeatureOptions>().count = 0;
        setup.method.of<AnalyticHeadOptions>().ridge = 0.7;
        const Taught it = taught(setup);
        const Rows expected = ridge(it.samples, 4, 0.7), tests = rowsOf(setup.vit->features(noiseImages(5, 9)));
        const Tensor logits = evaluated(*it.method, noiseImages(5, 9));
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t c = 0; c < 4; ++c) {
                double score = 0;
                for (std::size_t k = 0; k < tests[i].size(); ++k) score += tests[i][k] * expected[k][c];
                const double got = logits[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(c)].item<double>();
                QVERIFY2(std::abs(got - score) < 1e-4, qPrintable(QString("%1 instead of %2").arg(got).arg(score)));
            }
    }

    void itIsTheSameRegressionOnRandomFeatures() {
        const RandomFeatures expansion(6, 10, Random(4), at::kCPU);
        Tensor features = at::zeros({12, 6});
        Random random(5);
        fillNormal(features, random);
        const Tensor phi = expansion(features), units = at::arange(0, 12) % 3;
        QVERIFY(phi.min().item<double>() == 0.0 && phi.size(1) == 10);
        RidgeStatistics statistics(10, 3, at::kCPU);
        for (std::int64_t i = 0; i < 12; i += 4) statistics.add(phi.narrow(0, i, 4), units.narrow(0, i, 4));
        const Rows expected = ridge({rowsOf(phi), indexVector(units)}, 3, 2.5), got = rowsOf(statistics.solved(2.5));
        for (std::size_t i = 0; i < 10; ++i)
            for (std::size_t c = 0; c < 3; ++c) QVERIFY(std::abs(got[i][c] - expected[i][c]) < 1e-5);
        QCOMPARE(statistics.samples(), std::int64_t{12});
    }

    void theOrderOfTheStreamDoesNotMatter_data() {
        QTest::addColumn<QString>("readout");
        for (const char* readout : {"ridge", "ncm", "lda"}) QTest::newRow(readout) << readout;
    }
    void theOrderOfTheStreamDoesNotMatter() {
        QFETCH(QString, readout);
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = readout.toStdString();
        setup.method.of<AnalyticHeadOptions>().ridge = 1;
        const Tensor images = noiseImages(6, 9);
        const Tensor there = evaluated(*taught(setup, {1, 2, 3}).method, images);
        const Tensor back = evaluated(*taught(setup, {3, 1, 2}).method, images);
        QVERIFY(largestDifference(there, back) < 1e-3 * (1 + there.abs().max().item<double>()));
        QVERIFY(largestDifference(there, evaluated(*taught(setup, {1, 2}).method, images)) > 1e-4);
    }

    void nearestClassMeanIsTheCosineToTheMean() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = "ncm";
        const Taught it = taught(setup);
        const Rows means = classMeans(it.samples, 4), tests = rowsOf(setup.vit->features(noiseImages(5, 9)));
        const Tensor logits = evaluated(*it.method, noiseImages(5, 9));
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t c = 0; c < 3; ++c) {
                const double cosine =
                    dot(tests[i], means[c]) / std::sqrt(dot(tests[i], tests[i]) * dot(means[c], means[c]));
                QVERIFY(std::abs(logits[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(c)].item<double>() -
                                 cosine) < 1e-5);
            }
    }

    void discriminantScoresUseTheCovarianceWithinClasses() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = "lda";
        const Taught it = taught(setup);
        Rows covariance = scatterWithin(it.samples);
        for (std::size_t i = 0; i < covariance.size(); ++i) {
            for (double& value : covariance[i]) value *= 1 - 1e-4;
            covariance[i][i] += 1e-4;
        }
        compareWithDiscriminant(setup, it, covariance);
    }

    void aClassWithoutASampleComesLast_data() {
        QTest::addColumn<QString>("readout");
        for (const char* readout : {"ncm", "lda"}) QTest::newRow(readout) << readout;
    }
    void aClassWithoutASampleComesLast() {
        QFETCH(QString, readout);
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = readout.toStdString();
        const Tensor logits = evaluated(*taught(setup).method, noiseImages(20, 9));
        QVERIFY(logits.narrow(1, 3, 1).lt(logits.narrow(1, 0, 3)).all().item<bool>());
        QVERIFY(at::isfinite(logits).all().item<bool>());
    }

    void itTrainsNothingAndNeedsNoImagesToEvaluate() {
        const MethodSetup setup = smallSetup("analytic-head");
        const auto method = makeMethod(setup);
        QVERIFY(method->trainable().empty());
        QVERIFY(!method->needsImages() && method->usesFrozenFeatures());
        const UpdateResult first = method->update(noiseBatch(9, 1));
        QVERIFY(std::abs(first.loss - std::log(4.0)) < 1e-5);  // before it has learned: all four classes are equal
    }

    void unknownChoicesAreRefused_data() {
        QTest::addColumn<int>("option");
        for (const int option : {0, 1, 2, 3, 4}) QTest::addRow("%d", option) << option;
    }
    void unknownChoicesAreRefused() {
        QFETCH(int, option);
        MethodSetup setup = smallSetup("analytic-head");
        auto& head = setup.method.of<AnalyticHeadOptions>();
        const std::vector<std::string*> fields = {&head.readout, &head.features, &head.balance, &head.ridge_choice,
                                                  &head.shrinkage};
        *fields[static_cast<std::size_t>(option)] = "oracle";
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
    }

    void withEquallyManyImagesOfEachClassBalancingChangesNothing() {
        const Drawn drawn = drawnSamples({7, 7, 7}, 6, 1);
        const Tensor plain = drawn.statistics().solved(2.5), balanced = drawn.statistics().solved(2.5, true);
        QVERIFY(largestDifference(plain, balanced) < 1e-6 * plain.abs().max().item<double>());
        // So does a matrix for each class.
        QVERIFY(largestDifference(plain, airSolved(drawn, 2.5)) < 1e-6 * plain.abs().max().item<double>());
        const Drawn uneven = drawnSamples({11, 7, 3}, 6, 1);
        QVERIFY(largestDifference(uneven.statistics().solved(2.5), uneven.statistics().solved(2.5, true)) > 1e-3);
    }

    void balancingComesNearAMatrixForEachClass() {
        // The classes share their covariance, so pooling it loses nothing but what the draw leaves.
        const Drawn drawn = drawnSamples({4000, 1000, 500}, 4, 2);
        const Tensor air = airSolved(drawn, 1e-3), pooled = drawn.statistics().solved(1e-3, true);
        const Tensor plain = drawn.statistics().solved(1e-3);
        QVERIFY(largestDifference(pooled, air) < 0.2 * largestDifference(plain, air));
    }

    void aRareClassIsFoundMoreOftenWhereClassesWeighTheSame() {
        const Drawn learned = drawnSamples({400, 400, 12}, 5, 3), tests = drawnSamples({200, 200, 200}, 5, 4);
        const auto recall = [&](bool balanced, std::int64_t unit) {
            const Tensor guesses = at::matmul(tests.phi, learned.statistics().solved(1, balanced)).argmax(1);
            return (guesses == unit).logical_and(tests.units == unit).sum().item<double>() / 200;
        };
        QVERIFY2(recall(true, 2) > recall(false, 2) + 0.2,
                 qPrintable(QString("%1 after %2").arg(recall(true, 2)).arg(recall(false, 2))));
        const auto mean = [&](bool balanced) {
            return (recall(balanced, 0) + recall(balanced, 1) + recall(balanced, 2)) / 3;
        };
        QVERIFY2(mean(true) > mean(false), qPrintable(QString("%1 after %2").arg(mean(true)).arg(mean(false))));
    }

    void theHeadBalancesItsStatistics() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<RandomFeatureOptions>().count = 0;
        setup.method.of<AnalyticHeadOptions>().balance = "pooled";
        const auto method = makeMethod(setup);
        RidgeStatistics statistics(32, 4, at::kCPU);
        for (const std::int64_t count : {4, 8, 11}) {  // of unit 2 come fewer
            const UpdateInput input = noiseBatch(count, static_cast<std::uint64_t>(count));
            method->update(input);
            statistics.add(setup.vit->features(input.images), input.units);
        }
        const Tensor weight = statistics.solved(1e-3, true), features = setup.vit->features(noiseImages(5, 9));
        const Tensor logits = evaluated(*method, noiseImages(5, 9));
        QVERIFY(logits.equal(at::matmul(features, weight.contiguous())));
        QVERIFY(largestDifference(logits, at::matmul(features, statistics.solved(1e-3))) > 1e-4);
    }

    void aRidgeByCrossValidationIsAsIfItHadBeenNamed() {
        MethodSetup setup = smallSetup("analytic-head");
        const RandomFeatures expansion(32, 24, Random(setup.seed, purpose::kHead, 2), at::kCPU);
        RidgeStatistics statistics(24, 4, at::kCPU);
        const auto learned = [&](const char* choice, double ridge) {
            setup.method.of<AnalyticHeadOptions>().ridge_choice = choice;
            setup.method.of<AnalyticHeadOptions>().ridge = ridge;
            auto method = makeMethod(setup);
            for (const std::uint64_t seed : {1, 2, 3}) {
                const UpdateInput input = noiseBatch(12, seed);
                method->update(input);
                if (choice == std::string("gcv"))
                    statistics.add(expansion(setup.vit->features(input.images)), input.units);
            }
            return method;
        };
        const auto chosen = learned("gcv", 7);
        const Tensor logits = evaluated(*chosen, noiseImages(5, 9));
        const double ridge = named(chosen->keptTensors(), "ridge").item<double>();
        QCOMPARE(ridge, gcvRidge(statistics));
        const auto fixed = learned("fixed", ridge);
        QVERIFY(logits.equal(evaluated(*fixed, noiseImages(5, 9))));
        QVERIFY(!named(fixed->keptTensors(), "ridge").defined());
        QVERIFY(!logits.equal(evaluated(*learned("fixed", 100 * ridge), noiseImages(5, 9))));
    }

    void onlyImagesThatHaveJustArrivedArePredicted() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().ridge_choice = "prequential";
        const auto method = makeMethod(setup);
        const RandomFeatures expansion(32, 24, Random(setup.seed, purpose::kHead, 2), at::kCPU);
        RidgeStatistics statistics(24, 4, at::kCPU);
        PrequentialRidge expected(1e-3);
        for (std::int64_t batch = 0; batch < 4; ++batch) {
            std::vector<std::int64_t> samples, units;
            for (std::int64_t i = 0; i < 6; ++i) {
                samples.push_back(100 * batch + i);
                units.push_back(i % 3);
            }
            method->beginBatch({samples, units, {}});
            for (std::int64_t update = 0; update < 2; ++update) {
                // Six of the stream, of which the third cannot be read, and four that are remembered.
                UpdateInput input = noiseBatch(9, static_cast<std::uint64_t>(10 * batch + update + 1));
                input.samples = samples;
                input.samples.erase(input.samples.begin() + 2);
                for (const std::int64_t past : {1, 2, 3, 4}) input.samples.push_back(1000 + past);
                const Tensor phi = expansion(setup.vit->features(input.images));
                if (update == 0) expected.score(phi.narrow(0, 0, 5), input.units.narrow(0, 0, 5));
                statistics.add(phi, input.units);
                method->update(input);
                method->beginEvaluation({});
                expected.solve(statistics, false);
            }
            QCOMPARE(named(method->keptTensors(), "ridge").item<double>(), expected.ridge());
        }
        QVERIFY(!expected.errors().empty() && expected.ridge() != 1e-3);
    }

    void sparseFeaturesAreThoseOfTheNetwork() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().features = "sparse";
        const RandomFeatures expansion(32, 24, Random(setup.seed, purpose::kHead, 2), at::kCPU,
                                       RandomFeatures::Kind::Sparse);
        compareWithRegression(setup, [&](const Tensor& images) { return expansion(setup.vit->features(images)); });
    }

    void allBlocksCountTheSame() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().features = "all-blocks";
        const RandomFeatures expansion(32, 24, Random(setup.seed, purpose::kHead, 2), at::kCPU,
                                       RandomFeatures::Kind::Sigmoid);
        const auto fused = [&](const Tensor& images) {
            Tensor x = setup.vit->embed(images), sum = at::zeros({images.size(0), 32});
            for (std::int64_t i = 0; i < 5; ++i) {
                x = setup.vit->block(i, x);
                sum += x.select(1, 0);
            }
            return setup.vit->finalNorm(sum / 5);
        };
        compareWithRegression(setup, [&](const Tensor& images) { return expansion(fused(images)); });
        const auto method = makeMethod(setup);
        QVERIFY(method->hasReference() && !method->frozenAreFinal());
        QVERIFY(method->finalFeatures(noiseImages(3, 1)).equal(setup.vit->features(noiseImages(3, 1))));
        // Without an expansion the mean itself decides.
        setup.method.of<AnalyticHeadOptions>().readout = "ncm";
        QVERIFY(largestDifference(makeMethod(setup)->frozenFeatures(noiseImages(3, 1)), fused(noiseImages(3, 1))) <
                1e-4);
    }

    void pixelsAskNoNetwork_data() {
        QTest::addColumn<QString>("readout");
        QTest::addColumn<int>("features");
        for (const char* readout : {"ridge", "ncm", "lda"})
            for (const int features : {0, 300})
                QTest::addRow("%s of %d", readout, features) << QString(readout) << features;
    }
    void pixelsAskNoNetwork() {
        QFETCH(QString, readout);
        QFETCH(int, features);
        MethodSetup setup = smallSetup("analytic-head");
        // A network that is asked would spoil every number.
        for (const auto& [name, tensor] : setup.vit->parameters())
            tensor.fill_(std::numeric_limits<float>::quiet_NaN());
        setup.method.of<AnalyticHeadOptions>().features = "pixels";
        setup.method.of<AnalyticHeadOptions>().readout = readout.toStdString();
        setup.method.of<AnalyticHeadOptions>().shrinkage = "oas";
        setup.method.of<RandomFeatureOptions>().count = features;
        const auto method = makeMethod(setup);
        QVERIFY(!method->hasReference() && method->repeatsFeatures());
        for (const std::uint64_t seed : {1, 2, 3}) method->update(striped(9, seed));
        const UpdateInput tests = striped(30, 9);
        const Tensor logits = evaluated(*method, tests.images);
        QVERIFY(at::isfinite(logits).all().item<bool>());
        const double right = (logits.argmax(1) == tests.units).to(at::kFloat).mean().item<double>();
        QVERIFY2(right > 0.6, qPrintable(QString::number(right)));
    }

    void pixelsThemselvesHaveMeansToo() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().features = "pixels";
        setup.method.of<AnalyticHeadOptions>().readout = "ncm";
        setup.method.of<RandomFeatureOptions>().count = 0;
        const auto method = makeMethod(setup);
        const UpdateInput input = striped(9, 1);
        method->update(input);
        const Tensor tests = striped(4, 2).images, logits = evaluated(*method, tests);
        for (std::int64_t unit = 0; unit < 3; ++unit) {
            Tensor mean = at::zeros({3 * 16 * 16});
            for (std::int64_t i = unit; i < 9; i += 3) mean += input.images[i].flatten() / 3;
            for (std::int64_t i = 0; i < 4; ++i) {
                const Tensor image = tests[i].flatten();
                const double cosine = ((image * mean).sum() / image.norm() / mean.norm()).item<double>();
                QVERIFY(std::abs(logits[i][unit].item<double>() - cosine) < 1e-5);
            }
        }
        for (const NamedTensor& kept : method->keptTensors()) QVERIFY(kept.name != "G");  // means need no matrix
    }

    void largeImagesAreMadeSmall() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.vit = std::make_shared<Vit>(VitShape{64, 16, 3, 32, 2, 2, 2});
        setup.method.of<AnalyticHeadOptions>().features = "pixels";
        Tensor images = at::zeros({2, 3, 64, 64});
        images.narrow(2, 0, 2).narrow(3, 62, 1).fill_(1);  // half of the last square of two by two in the first row
        const Tensor rows = makeMethod(setup)->frozenFeatures(images);
        QVERIFY(rows.sizes() == at::IntArrayRef({2, 3 * 32 * 32}));
        QCOMPARE(rows[0][31].item<float>(), 0.5f);
        QCOMPARE(rows.sum().item<float>(), 3.0f);
    }

    void shrinkageByOasFollowsItsFormula() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = "lda";
        setup.method.of<AnalyticHeadOptions>().shrinkage = "oas";
        const Taught it = taught(setup);
        Rows covariance = scatterWithin(it.samples);
        double trace = 0, squares = 0;  // of the covariance, and the trace of its square
        for (std::size_t i = 0; i < covariance.size(); ++i) {
            trace += covariance[i][i];
            squares += dot(covariance[i], covariance[i]);
        }
        // Chen et al., equation 23, with the trace of S^2 and the squared trace of S divided by D^2 throughout.
        const auto width = static_cast<double>(covariance.size()), count = static_cast<double>(it.samples.units.size());
        const double share =
            std::min(1.0, (squares + trace * trace) / ((count + 1) * (squares - trace * trace / width)));
        for (std::size_t i = 0; i < covariance.size(); ++i) {
            for (double& value : covariance[i]) value *= 1 - share;
            covariance[i][i] += share * trace / width;
        }
        QVERIFY(share > 0 && share < 1);
        compareWithDiscriminant(setup, it, covariance);
    }

    void oneImageOfEachClassHasNoSpreadToShrink() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = "lda";
        setup.method.of<AnalyticHeadOptions>().shrinkage = "oas";
        for (std::uint64_t seed = 1; seed <= 120; ++seed) {
            const auto method = makeMethod(setup);
            const UpdateInput input = noiseBatch(1 + static_cast<std::int64_t>(seed % 3), seed);
            // Images that come again are no spread either, but their sums are rounded.
            for (std::uint64_t again = 0; again <= 2 * (seed % 4); ++again) method->update(input);
            QVERIFY(evaluated(*method, input.images).argmax(1).equal(input.units));
        }
    }

    void inAForkTheSumsAreThoseOfTheSameFeatures_data() {
        QTest::addColumn<QString>("readout");
        QTest::addColumn<QString>("features");
        QTest::addColumn<bool>("fits");
        QTest::newRow("as before") << "ridge"
                                   << "random-relu" << true;
        QTest::newRow("other random ones") << "ridge"
                                           << "sparse" << false;
        QTest::newRow("other tokens") << "ncm"
                                      << "all-blocks" << false;
        QTest::newRow("as they are, whatever the expansion") << "ncm"
                                                             << "sparse" << true;
    }
    void inAForkTheSumsAreThoseOfTheSameFeatures() {
        QFETCH(QString, readout);
        QFETCH(QString, features);
        QFETCH(bool, fits);
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = readout.toStdString();
        StateArchive saved;
        taught(setup).method->keep(saved);
        setup.method.of<AnalyticHeadOptions>().features = features.toStdString();
        const auto fork = makeMethod(setup);
        StateArchive past(saved.tensors(), at::kCPU);
        if (fits)
            fork->keep(past);
        else
            QVERIFY_EXCEPTION_THROWN(fork->keep(past), Error);
    }

    void inAForkAChoiceOfTheRidgeMayBegin() {
        for (const char* choice : {"prequential", "gcv"}) {
            MethodSetup setup = smallSetup("analytic-head");
            StateArchive saved;
            const Taught plain = taught(setup);
            plain.method->keep(saved);
            setup.method.of<AnalyticHeadOptions>().ridge_choice = choice;
            const auto fork = makeMethod(setup);
            StateArchive past(saved.tensors(), at::kCPU);
            fork->keep(past);
            QVERIFY(named(fork->keptTensors(), "G").equal(named(plain.method->keptTensors(), "G")));
            fork->update(noiseBatch(9, 4));
            QVERIFY(at::isfinite(evaluated(*fork, noiseImages(3, 9))).all().item<bool>());
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestAnalyticHead)

}  // namespace tst_analytic_head

#include "tst_analytic_head.moc"
