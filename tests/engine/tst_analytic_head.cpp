// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "engine/method/random_features.h"
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

Tensor evaluated(Method& method, const Tensor& images) {
    method.beginEvaluation({});
    return method.logits({}, method.frozenFeatures(images));
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
        const Rows means = classMeans(it.samples, 4);
        const std::size_t m = means.front().size(), count = it.samples.features.size();
        Rows covariance(m, std::vector<double>(m, 0)), columns(m, std::vector<double>(3, 0));
        for (std::size_t s = 0; s < count; ++s)
            for (std::size_t i = 0; i < m; ++i)
                for (std::size_t j = 0; j < m; ++j) {
                    const auto& mean = means[static_cast<std::size_t>(it.samples.units[s])];
                    covariance[i][j] += (1 - 1e-4) * (it.samples.features[s][i] - mean[i]) *
                                        (it.samples.features[s][j] - mean[j]) / static_cast<double>(count);
                }
        for (std::size_t i = 0; i < m; ++i) {
            covariance[i][i] += 1e-4;
            for (std::size_t c = 0; c < 3; ++c) columns[i][c] = means[c][i];
        }
        const Rows weights = solved(covariance, columns), tests = rowsOf(setup.vit->features(noiseImages(5, 9)));
        const Tensor logits = evaluated(*it.method, noiseImages(5, 9));
        for (std::size_t i = 0; i < 5; ++i)
            for (std::size_t c = 0; c < 3; ++c) {
                double score = 0;
                for (std::size_t k = 0; k < m; ++k) score += (tests[i][k] - 0.5 * means[c][k]) * weights[k][c];
                const double got = logits[static_cast<std::int64_t>(i)][static_cast<std::int64_t>(c)].item<double>();
                QVERIFY2(std::abs(got - score) < 1e-3 * (1 + std::abs(score)),
                         qPrintable(QString("%1 instead of %2").arg(got).arg(score)));
            }
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

    void anUnknownReadoutIsRefused() {
        MethodSetup setup = smallSetup("analytic-head");
        setup.method.of<AnalyticHeadOptions>().readout = "oracle";
        QVERIFY_EXCEPTION_THROWN(makeMethod(setup), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestAnalyticHead)

}  // namespace tst_analytic_head

#include "tst_analytic_head.moc"
