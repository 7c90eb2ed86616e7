// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <cmath>

#include "engine/optim/adaptive_rate.h"
#include "engine/support/random.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_adaptive_rate {

namespace {

using Numbers = std::vector<double>;

/// Upper tail of Student's t, by summing its density in small steps.
double slowTail(double t, double freedom) {
    const double scale =
        std::exp(std::lgamma((freedom + 1) / 2) - std::lgamma(freedom / 2)) / std::sqrt(freedom * std::acos(-1.0));
    double sum = 0;
    constexpr int kSteps = 100'000;
    const double step = std::abs(t) / kSteps;
    // The tail is one half minus the part from 0 to t, where the density has no long end.
    for (int i = 0; i < kSteps; ++i) {
        const double x = (i + 0.5) * step;
        sum += scale * std::pow(1 + x * x / freedom, -(freedom + 1) / 2) * step;
    }
    return t >= 0 ? 0.5 - sum : 0.5 + sum;
}

double mean(const Numbers& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double slowWelch(const Numbers& a, const Numbers& b) {
    const auto spread = [](const Numbers& values) {
        double sum = 0;
        for (const double value : values) sum += std::pow(value - mean(values), 2);
        const auto n = static_cast<double>(values.size());
        return sum / (n - 1) / n;
    };
    const double va = spread(a), vb = spread(b), n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
    const double freedom = std::pow(va + vb, 2) / (va * va / (n - 1) + vb * vb / (m - 1));
    return slowTail((mean(a) - mean(b)) / std::sqrt(va + vb), freedom);
}

/// Losses that fall by `high` in a turn at the higher rate and by `low` at the lower one, unevenly.
double rateAfter(AdaptiveRate& rate, int turns, double high, double low) {
    Random random(1);
    Numbers losses(8, 100.0);
    for (int turn = 0; turn < turns; ++turn)
        for (int update = 0; update < 10; ++update) {
            const double fall = (rate.rate() == rate.high() ? high : low) / 10;
            for (double& loss : losses) loss -= fall * random.uniform(0.5, 1.5);
            rate.next(losses, {});
        }
    return rate.high();
}

}  // namespace

class TestAdaptiveRate : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void welchsTestIsThatOfAddedUpDensities() {
        Random random(9);
        for (int round = 0; round < 12; ++round) {
            Numbers a, b;
            for (int i = 0; i < 3 + round; ++i) a.push_back(random.uniform(0, 1));
            for (int i = 0; i < 9; ++i) b.push_back(random.uniform(-0.3, 1.5));
            const double got = welchGreater(a, b), slow = slowWelch(a, b);
            QVERIFY2(std::abs(got - slow) < 1e-6, qPrintable(QString("%1 for %2").arg(got).arg(slow)));
            QVERIFY(std::abs(welchGreater(b, a) - (1 - got)) < 1e-12);
        }
    }

    void thereIsNoTestWithoutSpread() {
        QVERIFY(std::isnan(welchGreater(Numbers{1}, Numbers{1, 2})));
        QVERIFY(std::isnan(welchGreater(Numbers{1, 1}, Numbers{2, 2})));
    }

    void theTwoRatesTakeTurns() {
        AdaptiveRate rate({.start = 1, .step = 0.5, .period = 3});
        QCOMPARE(rate.rate(), 1.0);
        const Numbers losses{1, 2};
        for (const double expected : {1.0, 1.0, 0.5, 0.5, 0.5, 1.0}) QCOMPARE(rate.next(losses, {}), expected);
    }

    void theBetterRateWins() {
        AdaptiveRate falling({.start = 0.1}), rising({.start = 0.1});
        QVERIFY(rateAfter(falling, 40, 0.1, 0.5) < 0.1);
        QVERIFY(rateAfter(rising, 40, 0.5, 0.1) > 0.1);
        QVERIFY(std::abs(rising.low() / rising.high() - 0.95) < 1e-12);
    }

    void slotsThatWereRewrittenDoNotCount() {
        AdaptiveRate plain({.start = 0.1}), disturbed({.start = 0.1});
        Random random(1);
        Numbers losses(8, 100.0);
        for (int update = 0; update < 400; ++update) {
            for (double& loss : losses) loss -= random.uniform(0, plain.rate() == plain.high() ? 0.2 : 0.1);
            Numbers other = losses;
            // It does not count until it can be compared with itself: the slot is rewritten at every update.
            other.push_back(random.uniform(0, 1000));
            const std::vector<std::int64_t> last{8};
            QCOMPARE(disturbed.next(other, last), plain.next(losses, {}));
        }
        QVERIFY(plain.high() > 0.1);
    }
};

PALIMPSEST_APPLESS_TEST(TestAdaptiveRate)

}  // namespace tst_adaptive_rate

#include "tst_adaptive_rate.moc"
