// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <array>
#include <cmath>
#include <map>
#include <random>

#include "engine/support/random.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_random {

using List = std::vector<std::int64_t>;

class TestRandom : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void torchDrawsTheNumbersOfTheReference() {
        TorchRandom random(1);
        List order = random.permutation(100);
        order.resize(12);
        QCOMPARE(order, (List{45, 15, 90, 32, 35, 63, 17, 72, 79, 96, 48, 36}));
        QCOMPARE(random.integers(0, 50, 4), (List{37, 3, 23, 3}));
        QCOMPARE(random.integers(0, 50, 4), (List{46, 16, 16, 10}));
        QCOMPARE(random.integers(0, 2500, 4), (List{50, 647, 2175, 383}));
    }

    void torchUsesTheLowHalfOfTheSeedOnly() {
        TorchRandom narrow(7);
        TorchRandom wide((std::uint64_t{123} << 32) + 7);
        QCOMPARE(wide.permutation(50), narrow.permutation(50));
    }

    void torchTakesTwoWordsForAWideRange() {
        TorchRandom random(3);
        std::mt19937 words(3);
        const std::int64_t range = std::int64_t{1} << 40;
        for (const std::int64_t value : random.integers(-5, range - 5, 10)) {
            const std::uint64_t high = words();
            QCOMPARE(value,
                     static_cast<std::int64_t>(((high << 32) | words()) % static_cast<std::uint64_t>(range)) - 5);
        }
    }

    void torchShufflesShortListsWithoutAWord() {
        TorchRandom random(5);
        QCOMPARE(random.permutation(0), List{});
        QCOMPARE(random.permutation(1), List{0});
        QCOMPARE(random.word(), static_cast<std::uint32_t>(std::mt19937(5)()));
    }

    void torchRefusesWhatTorchRefuses() {
        TorchRandom random(1);
        QVERIFY_EXCEPTION_THROWN(random.integers(0, 0, 0), Error);
        QVERIFY_EXCEPTION_THROWN(random.integers(3, 2, 1), Error);
        QVERIFY_EXCEPTION_THROWN(random.integers(0, 5, -1), Error);
        QVERIFY_EXCEPTION_THROWN(random.permutation(-1), Error);
        QVERIFY_EXCEPTION_THROWN(random.permutation(std::int64_t{1} << 40), Error);
        QCOMPARE(random.integers(0, 5, 0), List{});
    }

    void torchGoesOnFromASavedState() {
        TorchRandom first(9);
        first.permutation(321);
        const std::string state = first.state();
        const List expected = first.permutation(100);
        TorchRandom second(1);
        second.restore(state);
        QCOMPARE(second.permutation(100), expected);
        QVERIFY_EXCEPTION_THROWN(second.restore("nonsense"), Error);
        second.restore(state);
        QCOMPARE(second.permutation(100), expected);
    }

    void wordsNeverChange() {
        Random random(1, 2, 3, 4);
        const std::vector<std::uint32_t> words = {random.word(), random.word(), random.word()};
        QCOMPARE(words, (std::vector<std::uint32_t>{3079458420u, 3838408743u, 756537370u}));
        QCOMPARE(random.uniform(), 0.6130781442054366);
        QCOMPARE(random.normal(), 0.0057876033030365148);
        QCOMPARE(random.below(1000), std::uint64_t{638});
    }

    void everyNameIsAStreamOfItsOwn_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<quint64>("purpose");
        QTest::addColumn<quint64>("a");
        QTest::addColumn<quint64>("b");
        QTest::newRow("other seed") << quint64{2} << quint64{0} << quint64{0} << quint64{0};
        QTest::newRow("other purpose") << quint64{1} << quint64{1} << quint64{0} << quint64{0};
        QTest::newRow("other a") << quint64{1} << quint64{0} << quint64{1} << quint64{0};
        QTest::newRow("other b") << quint64{1} << quint64{0} << quint64{0} << quint64{1};
        QTest::newRow("seed and purpose exchanged") << quint64{0} << quint64{1} << quint64{0} << quint64{0};
    }
    void everyNameIsAStreamOfItsOwn() {
        QFETCH(quint64, seed);
        QFETCH(quint64, purpose);
        QFETCH(quint64, a);
        QFETCH(quint64, b);
        Random plain(1);
        Random other(seed, purpose, a, b);
        int equal = 0;
        for (int i = 0; i < 1000; ++i) equal += plain.word() == other.word();
        QVERIFY(equal < 3);
    }

    void neighbouringStreamsAreUncorrelated() {
        double sum = 0;
        constexpr int kStreams = 20000;
        for (int i = 0; i < kStreams; ++i)
            sum += (Random(1, 0, static_cast<std::uint64_t>(i)).uniform() - 0.5) *
                   (Random(1, 0, static_cast<std::uint64_t>(i) + 1).uniform() - 0.5);
        // The standard error of the mean product is 1/12 / sqrt(n).
        QVERIFY(std::abs(sum / kStreams) < 4.0 / 12 / std::sqrt(kStreams));
    }

    void uniformNumbersFillTheirRange() {
        Random random(11);
        double low = 1, high = 0, sum = 0;
        constexpr int kDraws = 100000;
        for (int i = 0; i < kDraws; ++i) {
            const double value = random.uniform(-2, 3);
            QVERIFY(value >= -2 && value < 3);
            low = std::min(low, value);
            high = std::max(high, value);
            sum += value;
        }
        QVERIFY(low < -1.99 && high > 2.99);
        QVERIFY(std::abs(sum / kDraws - 0.5) < 4 * 5 / std::sqrt(12.0 * kDraws));
    }

    void below_data() {
        QTest::addColumn<quint64>("n");
        for (const quint64 n :
             {quint64{2}, quint64{7}, quint64{10}, quint64{3000000000}, quint64{1} << 32, quint64{3} << 62})
            QTest::addRow("below %llu", static_cast<unsigned long long>(n)) << n;
    }
    void below() {
        QFETCH(quint64, n);
        Random random(13);
        // The range is divided into seven equal parts; chi-square with 6 degrees of freedom, 0.01 % level.
        std::array<int, 7> counts{};
        constexpr int kDraws = 70000;
        const quint64 parts = std::min<quint64>(n, counts.size());
        for (int i = 0; i < kDraws; ++i) {
            const quint64 value = random.below(n);
            QVERIFY(value < n);
            ++counts[static_cast<std::size_t>(static_cast<double>(value) / static_cast<double>(n) *
                                              static_cast<double>(parts))];
        }
        if (n == 10) return;  // ten values cannot be divided into seven equal parts
        double chi = 0;
        const double expected = static_cast<double>(kDraws) / static_cast<double>(parts);
        for (std::size_t i = 0; i < parts; ++i) chi += std::pow(counts[i] - expected, 2) / expected;
        QVERIFY2(chi < 27.9, qPrintable(QString::number(chi)));
    }

    void belowOneIsZeroWithoutAWord() {
        Random random(1);
        Random same(1);
        QCOMPARE(random.below(0), std::uint64_t{0});
        QCOMPARE(random.below(1), std::uint64_t{0});
        QCOMPARE(random.word(), same.word());
    }

    void normalNumbersAreNormal() {
        Random random(17);
        constexpr int kDraws = 400000;
        double sum = 0, squares = 0, cubes = 0, fourths = 0;
        std::array<int, 3> beyond{};
        for (int i = 0; i < kDraws; ++i) {
            const double x = random.normal();
            sum += x;
            squares += x * x;
            cubes += x * x * x;
            fourths += x * x * x * x;
            for (std::size_t s = 0; s < beyond.size(); ++s) beyond[s] += std::abs(x) > static_cast<double>(s + 1);
        }
        const double error = 4 / std::sqrt(kDraws);
        QVERIFY(std::abs(sum / kDraws) < error);
        QVERIFY(std::abs(squares / kDraws - 1) < error * std::sqrt(2));
        QVERIFY(std::abs(cubes / kDraws) < error * std::sqrt(15));
        QVERIFY(std::abs(fourths / kDraws - 3) < error * std::sqrt(96));
        for (std::size_t s = 0; s < beyond.size(); ++s) {
            const double share = std::erfc(static_cast<double>(s + 1) / std::sqrt(2));
            QVERIFY(std::abs(static_cast<double>(beyond[s]) / kDraws - share) < error * std::sqrt(share));
        }
    }

    void shufflingReachesEveryOrderEquallyOften() {
        Random random(19);
        std::map<std::vector<int>, int> orders;
        constexpr int kDraws = 24000;
        for (int i = 0; i < kDraws; ++i) {
            std::vector<int> items{0, 1, 2, 3};
            random.shuffle(items);
            ++orders[items];
        }
        QCOMPARE(orders.size(), std::size_t{24});
        for (const auto& [order, count] : orders) QVERIFY(std::abs(count - kDraws / 24) < 5 * std::sqrt(kDraws / 24.0));
    }

    void goesOnFromASavedState() {
        Random first(23, 1);
        first.normal();
        const auto state = first.state();
        const double expected = first.normal();
        Random second(1);
        second.restore(state);
        QCOMPARE(second.normal(), expected);
    }

    void skippedWordsAreAsIfDrawn() {
        for (const std::uint64_t words : {0, 1, 2, 7, 1000}) {
            Random drawn(3, 1), skipped(3, 1);
            for (std::uint64_t i = 0; i < words; ++i) drawn.word();
            skipped.skip(words);
            QCOMPARE(skipped.state()[0], drawn.state()[0]);
            QCOMPARE(skipped.word(), drawn.word());
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestRandom)

}  // namespace tst_random

#include "tst_random.moc"
