// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "engine/checkpoint/state_archive.h"
#include "engine/method/ridge_choice.h"
#include "engine/method/ridge_statistics.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_ridge_choice {

namespace {

/// Samples of three classes: a mean for each, and noise.
struct Samples {
    Tensor phi;    // [N, M]
    Tensor units;  // [N]
};
Samples samplesOf(std::int64_t count, std::int64_t features, std::uint64_t seed) {
    Random random(seed);
    Tensor phi = at::zeros({count, features}), means = at::zeros({3, features});
    Random same(9);
    fillNormal(means, same);
    fillNormal(phi, random);
    const Tensor units = at::arange(0, count) % 3;
    return {phi + means.index_select(0, units), units};
}

RidgeStatistics statisticsOf(const Samples& samples) {
    RidgeStatistics statistics(samples.phi.size(1), 4, at::kCPU);
    statistics.add(samples.phi, samples.units);
    return statistics;
}

/// The score from the samples themselves, by the matrix that turns targets into predictions.
double bruteScore(const Samples& samples, double ridge) {
    const Tensor x = samples.phi.to(at::kDouble), y = at::one_hot(samples.units, 4).to(at::kDouble);
    const auto count = static_cast<double>(x.size(0));
    const Tensor inner = at::matmul(x.t(), x) + ridge * at::eye(x.size(1), x.options());
    const Tensor hat = at::matmul(at::matmul(x, at::inverse(inner)), x.t());
    const double residual = (y - at::matmul(hat, y)).square().sum().item<double>() / count;
    const double free = 1 - hat.trace().item<double>() / count;
    return residual / (free * free);
}

/// The error of leaving each sample out in turn: what GCV stands for.
double leftOutError(const Samples& samples, double ridge) {
    double sum = 0;
    const std::int64_t count = samples.phi.size(0);
    for (std::int64_t out = 0; out < count; ++out) {
        const Tensor others = at::arange(0, count).masked_select(at::arange(0, count) != out);
        const Samples rest{samples.phi.index_select(0, others), samples.units.index_select(0, others)};
        const Tensor guess = at::matmul(samples.phi.narrow(0, out, 1), statisticsOf(rest).solved(ridge));
        sum += (guess - at::one_hot(samples.units.narrow(0, out, 1), 4)).square().sum().item<double>();
    }
    return sum / static_cast<double>(count);
}

}  // namespace

class TestRidgeChoice : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theGridGoesByTens() {
        const auto grid = ridgeGrid();
        QCOMPARE(grid.front(), 1e-4);
        QCOMPARE(grid.back(), 1e9);
        for (std::size_t i = 1; i < grid.size(); ++i) QVERIFY(std::abs(grid[i] / grid[i - 1] - 10) < 1e-9);
    }

    void gcvIsThatOfTheSamplesThemselves_data() {
        QTest::addColumn<int>("count");
        QTest::newRow("more samples than features") << 24;
        QTest::newRow("as many") << 8;
        QTest::newRow("fewer") << 6;
    }
    void gcvIsThatOfTheSamplesThemselves() {
        QFETCH(int, count);
        const Samples samples = samplesOf(count, 8, 1);
        const std::vector<double> ridges = {0.01, 0.1, 1, 10, 1000};
        const std::vector<double> got = gcvScores(statisticsOf(samples), ridges);
        for (std::size_t i = 0; i < ridges.size(); ++i) {
            const double expected = bruteScore(samples, ridges[i]);
            QVERIFY2(std::abs(got[i] - expected) < 1e-6 * expected,
                     qPrintable(QString("%1 instead of %2 with %3").arg(got[i]).arg(expected).arg(ridges[i])));
        }
    }

    void gcvComesNearTheErrorOfSamplesLeftOut() {
        const Samples samples = samplesOf(60, 8, 1);
        for (const double ridge : {1.0, 10.0, 100.0}) {
            const double gcv = gcvScores(statisticsOf(samples), {{ridge}}).front(), left = leftOutError(samples, ridge);
            QVERIFY2(std::abs(gcv - left) < 0.1 * left, qPrintable(QString("%1 and %2").arg(gcv).arg(left)));
        }
    }

    void theChosenRidgeHasTheLeastScore() {
        for (const std::uint64_t seed : {1u, 2u, 3u}) {
            const Samples samples = samplesOf(24, 8, seed);
            double best = 0, least = 1e300;
            for (const double ridge : ridgeGrid())
                if (const double score = bruteScore(samples, ridge); score < least) {
                    least = score;
                    best = ridge;
                }
            QCOMPARE(gcvRidge(statisticsOf(samples)), best);
        }
    }

    void samplesThatRepeatAreNoMoreDirections() {
        // Two samples three times each in eight features fill two directions; rounding must not fill the others.
        const Samples two = samplesOf(2, 8, 1);
        const Samples samples{two.phi.repeat({3, 1}), two.units.repeat({3})};
        const double got = gcvScores(statisticsOf(samples), {{0.1}}).front(), expected = bruteScore(samples, 0.1);
        QVERIFY2(std::abs(got - expected) < 1e-6 * expected, qPrintable(QString("%1, %2").arg(got).arg(expected)));
    }

    void predictionBeforeLearningIsThatDoneByHand_data() {
        QTest::addColumn<bool>("balanced");
        QTest::newRow("each image the same") << false;
        QTest::newRow("each class the same") << true;
    }
    void predictionBeforeLearningIsThatDoneByHand() {
        QFETCH(bool, balanced);
        PrequentialRidge choice(0.5);
        RidgeStatistics statistics(8, 4, at::kCPU);
        std::vector<double> errors(ridgeGrid().size(), 0);
        for (std::uint64_t batch = 0; batch < 5; ++batch) {
            Samples samples = samplesOf(7, 8, 10 + batch);
            // A class that comes late: no ridge has learned anything of it.
            if (batch == 2) samples.units[5].fill_(3);
            choice.score(samples.phi, samples.units);
            if (batch == 0) QVERIFY(choice.errors().empty());
            for (std::size_t i = 0; batch > 0 && i < errors.size(); ++i) {
                const Tensor weight = statistics.solved(ridgeGrid()[i], balanced);
                for (std::int64_t s = 0; s < 7; ++s) {
                    const auto unit = samples.units[s].item<std::int64_t>();
                    if (batch == 2 && unit == 3) continue;
                    for (std::int64_t c = 0; c < 4; ++c) {
                        const double wanted = unit == c ? 1 : 0;
                        const double guess = (samples.phi[s] * weight.select(1, c)).sum().item<double>();
                        errors[i] += (guess - wanted) * (guess - wanted);
                    }
                }
                QVERIFY(std::abs(choice.errors()[i] - errors[i]) < 1e-4 * (1 + errors[i]));
            }
            statistics.add(samples.phi, samples.units);
            const Tensor weight = choice.solve(statistics, balanced);
            const auto least = std::min_element(errors.begin(), errors.end()) - errors.begin();
            QCOMPARE(choice.ridge(), batch == 0 ? 0.5 : ridgeGrid()[static_cast<std::size_t>(least)]);
            QVERIFY(weight.equal(statistics.solved(choice.ridge(), balanced)));
        }
    }

    void whatWasScoredIsKept() {
        const Samples first = samplesOf(9, 8, 20), second = samplesOf(9, 8, 21);
        RidgeStatistics statistics = statisticsOf(first);
        PrequentialRidge choice(0.5);
        choice.solve(statistics, false);
        choice.score(second.phi, second.units);
        StateArchive saved;
        choice.keep(saved);
        PrequentialRidge restored(7);
        StateArchive archive(saved.tensors(), at::kCPU);
        restored.keep(archive);
        QCOMPARE(restored.ridge(), 0.5);
        for (PrequentialRidge* one : {&choice, &restored}) one->score(first.phi, first.units);
        QVERIFY(choice.errors() == restored.errors());
        QVERIFY(choice.solve(statistics, false).equal(restored.solve(statistics, false)));
        QVERIFY(choice.ridge() != 0.5 && choice.ridge() == restored.ridge());
    }

    void aChosenRidgeThatSinksBelowTheRoundingGivesWay() {
        // The images to predict have been learned already, so the least ridge is the best one.
        const Samples first = samplesOf(3, 8, 1);
        RidgeStatistics statistics = statisticsOf(first);
        PrequentialRidge choice(1);
        choice.solve(statistics, false);
        choice.score(first.phi, first.units);
        choice.solve(statistics, false);
        QCOMPARE(choice.ridge(), ridgeGrid().front());
        // Then come features so large that 1e-4 more is lost in the sums.
        statistics.add(samplesOf(3, 8, 2).phi * 1e9, at::arange(0, 3));
        QVERIFY(!statistics.trySolved(choice.ridge()));
        const Tensor weight = choice.solve(statistics, false);
        QVERIFY(choice.ridge() > ridgeGrid().front());
        QVERIFY(weight.equal(statistics.solved(choice.ridge())));
    }

    void aRidgeBelowTheRoundingOfTheSumsIsNotChosen() {
        // Three samples in eight features, so large that 1e-4 more is lost in their sums.
        const Samples large{samplesOf(3, 8, 1).phi * 1e9, at::arange(0, 3)};
        const RidgeStatistics statistics = statisticsOf(large);
        QVERIFY(!statistics.trySolved(1e-4));
        QVERIFY_EXCEPTION_THROWN(statistics.solved(1e-4), Error);
        QVERIFY(std::isinf(gcvScores(statistics, ridgeGrid()).front()));
        PrequentialRidge choice(1e9);
        QVERIFY(at::isfinite(choice.solve(statistics, false)).all().item<bool>());
        choice.score(large.phi, large.units);
        QVERIFY(std::isinf(choice.errors().front()) && std::isfinite(choice.errors().back()));
        QVERIFY(at::isfinite(choice.solve(statistics, false)).all().item<bool>());
        QVERIFY(choice.ridge() > 1e-4);
    }
};

PALIMPSEST_APPLESS_TEST(TestRidgeChoice)

}  // namespace tst_ridge_choice

#include "tst_ridge_choice.moc"
