// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRandomGenerator>
#include <QtTest>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "tests/support/test_program.h"
#include "ui/plots/seed_means.h"
#include "ui/state/curve_options.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"

using namespace palimpsest;

namespace tst_seed_means {

using report::SeedCurve;

namespace {

/// A run, evaluation by evaluation, along sessions.
struct SessionCurve {
    std::vector<double> x, y;
    double reach = 0;  ///< the last evaluation holds until here
};

std::optional<double> heightOf(const SessionCurve& curve, double place) {
    const auto after =
        static_cast<std::size_t>(std::upper_bound(curve.x.begin(), curve.x.end(), place) - curve.x.begin());
    if (after == 0) return std::nullopt;
    const auto evaluation = [&](std::size_t i) { return PlacedValue{curve.x[i], curve.y[i]}; };
    return heightAt(place, evaluation(after - 1),
                    after < curve.x.size() ? std::optional(evaluation(after)) : std::nullopt);
}

SeedBand seedBand(const std::vector<SeedCurve>& curves, BandWidth width) {
    std::vector<SeedPoints> points;
    for (const SeedCurve& curve : curves)
        points.push_back(
            {curve.x.size(), [&](std::size_t i) { return curve.x[i]; }, [&](std::size_t i) { return curve.y[i]; }});
    return seedBand(points, width);
}

SeedBand sessionBand(const std::vector<SessionCurve>& curves, BandWidth width) {
    std::vector<SessionPoints> points;
    for (const SessionCurve& curve : curves)
        points.push_back({curve.x.size(), [&](std::size_t i) { return curve.x[i]; }, curve.reach,
                          [&](double place) { return heightOf(curve, place); }});
    return sessionBand(points, width);
}

}  // namespace

class TestSeedMeans : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theBandIsMeanAndSpreadOfTheSeeds() {
        const std::vector<SeedCurve> curves{
            {{1, 2, 3}, {10, 20, 30}}, {{1, 2, 3}, {14, 26, 36}}, {{1, 2, 3}, {12, 14, 42}}};
        const SeedBand band = seedBand(curves, BandWidth::Deviation);
        QCOMPARE(band.x, (std::vector<double>{1, 2, 3}));
        QCOMPARE(band.mean, (std::vector<double>{12, 20, 36}));
        QCOMPARE(band.half_width[0], 2.0);
        const SeedBand error = seedBand(curves, BandWidth::Error);
        QCOMPARE(error.half_width[0], 2 / std::sqrt(3.0));
        QCOMPARE(error.mean, band.mean);
    }

    void evaluationsAreAveragedOneByOneWhereverTheyAre() {
        // As in reports: the last place is the mean of the last ones, not the last that both had passed.
        const SeedBand band =
            seedBand({{{100, 200, 308}, {10, 20, 30}}, {{96, 204, 300}, {10, 24, 40}}}, BandWidth::Deviation);
        QCOMPARE(band.x, (std::vector<double>{98, 202, 304}));
        QCOMPARE(band.mean, (std::vector<double>{10, 22, 35}));
        QCOMPARE(band.half_width[2], std::sqrt(50.0));
    }

    void veryLongCurvesKeepTheirEnds() {
        SeedCurve long_one;
        for (int i = 0; i < 10007; ++i) {
            long_one.x.push_back(i);
            long_one.y.push_back(i);
        }
        const SeedBand band = seedBand({long_one, long_one}, BandWidth::Deviation);
        QVERIFY(band.x.size() < 6000);
        QCOMPARE(band.evaluations.front(), std::size_t{0});
        QCOMPARE(band.evaluations.back(), std::size_t{10006});
        QCOMPARE(band.mean.back(), 10006.0);
    }

    void itEndsWhereTheShortestEnds() {
        const SeedBand band = seedBand({{{1, 2, 3, 4}, {1, 1, 1, 1}}, {{1, 2}, {3, 3}}}, BandWidth::Deviation);
        QCOMPARE(band.x, (std::vector<double>{1, 2}));
    }

    void oneCurveHasNoBand() {
        QVERIFY(seedBand({{{1, 2}, {1, 2}}}, BandWidth::Deviation).x.empty());
        QVERIFY(seedBand({{{1, 2}, {1, 2}}, {}}, BandWidth::Deviation).x.empty());
    }

    void alongSessionsEqualPlacesAreAveraged() {
        // One evaluation of session 1 and three of session 2 beside two of each: number by number they would mix.
        const std::vector<SessionCurve> curves{{{0.5, 1.2, 1.6, 2.0}, {80, 20, 40, 60}, 2},
                                               {{0.4, 0.8, 1.4, 2.0}, {90, 70, 30, 50}, 2}};
        const SeedBand band = sessionBand(curves, BandWidth::Deviation);
        QCOMPARE(band.x, (std::vector<double>{0.5, 0.8, 1.4, 1.6, 2.0}));
        // At 0.5 the second stands between 90 and 70, at 0.8 the first still has what it had last in that session.
        const std::vector<double> mean{(80 + 85) / 2.0, (80 + 70) / 2.0, (30 + 30) / 2.0, (40 + 110 / 3.0) / 2, 55};
        for (std::size_t i = 0; i < mean.size(); ++i)
            QVERIFY2(std::abs(band.mean[i] - mean[i]) < 1e-9, qPrintable(QString::number(band.mean[i])));
        QVERIFY(band.half_width[2] < 1e-9);
        QVERIFY(std::abs(band.half_width[4] - std::sqrt(50.0)) < 1e-9);
        QVERIFY(std::abs(sessionBand(curves, BandWidth::Error).half_width[4] - 5) < 1e-9);
        QVERIFY(sessionBand({curves.front()}, BandWidth::Deviation).x.empty());
    }

    void alongSessionsABandEndsWhereTheShortestReaches() {
        const SessionCurve whole{{0.5, 1.5, 1.9}, {1, 2, 3}, 2}, half{{0.5, 1.2}, {5, 6}, 1.2};
        QCOMPARE(sessionBand({whole, half}, BandWidth::Deviation).x, (std::vector<double>{0.5}));
        // A finished curve holds its last value until its end.
        const SessionCurve early{{0.5, 1.5, 1.8}, {5, 6, 7}, 2};
        const SeedBand band = sessionBand({whole, early}, BandWidth::Deviation);
        QCOMPARE(band.x, (std::vector<double>{0.5, 1.5, 1.8, 1.9}));
        QCOMPARE(band.mean.back(), 5.0);
    }

    void whatIsMeasuredAtABorderBelongsToTheSessionBeforeIt() {
        QCOMPARE(sessionOfPlace(0), std::int64_t{0});
        QCOMPARE(sessionOfPlace(0.5), std::int64_t{0});
        QCOMPARE(sessionOfPlace(1), std::int64_t{0});
        QCOMPARE(sessionOfPlace(1.001), std::int64_t{1});
        const SeedBand band = sessionBand({{{1.0, 1.5}, {90, 10}, 2}, {{0.9, 1.5}, {80, 20}, 2}}, BandWidth::Deviation);
        QCOMPARE(band.x, (std::vector<double>{1.0, 1.5}));
        QCOMPARE(band.mean, (std::vector<double>{85, 15}));
    }

    void veryLongCurvesAlongSessionsKeepTheirEnds() {
        SessionCurve curve;
        for (int i = 1; i <= 20000; ++i) {
            curve.x.push_back(i / 10000.0);
            curve.y.push_back(i);
        }
        curve.reach = 2;
        const SeedBand band = sessionBand({curve, curve}, BandWidth::Deviation);
        QVERIFY(band.x.size() < 2 * kMostBandPlaces);
        QCOMPARE(band.x.back(), 2.0);
        QCOMPARE(band.mean.back(), 20000.0);
    }

    void aBandAsksOnlyForWhatItShows() {
        std::size_t asked = 0;
        const auto point = [&](std::size_t i) { return ++asked, static_cast<double>(i); };
        std::vector<SeedPoints> curves(3, SeedPoints{10'000'000, point, point});
        const SeedBand band = seedBand(curves, BandWidth::Deviation);
        QVERIFY(band.x.size() <= 2 * kMostBandPlaces && band.evaluations.back() == 9'999'999);
        QCOMPARE(asked, 6 * band.x.size());
    }

    void anyBandIsTheSlowMeanOfItsSeeds() {
        QRandomGenerator random(20);
        for (int round = 0; round < 200; ++round) {
            std::vector<SeedCurve> curves(std::size_t(random.bounded(0, 6)));
            std::size_t shortest = curves.empty() ? 0 : 1000;
            for (SeedCurve& curve : curves) {
                const int length = random.bounded(0, 30);
                shortest = std::min(shortest, std::size_t(length));
                double x = 0;
                for (int i = 0; i < length; ++i) {
                    curve.x.push_back(x += random.bounded(1, 50));
                    curve.y.push_back(random.bounded(100.0));
                }
            }
            for (const BandWidth width : {BandWidth::Deviation, BandWidth::Error}) {
                const SeedBand band = seedBand(curves, width);
                QCOMPARE(band.x.size(), curves.size() < 2 ? 0 : shortest);
                const double n = double(curves.size());
                for (std::size_t k = 0; k < band.x.size(); ++k) {
                    double places = 0, sum = 0, squares = 0;
                    for (const SeedCurve& curve : curves) places += curve.x[k], sum += curve.y[k];
                    for (const SeedCurve& curve : curves) squares += (curve.y[k] - sum / n) * (curve.y[k] - sum / n);
                    const double deviation = std::sqrt(squares / (n - 1));
                    QCOMPARE(band.evaluations[k], k);
                    QVERIFY(std::abs(band.x[k] - places / n) < 1e-9);
                    QVERIFY(std::abs(band.mean[k] - sum / n) < 1e-9);
                    QVERIFY(std::abs(band.half_width[k] -
                                     (width == BandWidth::Error ? deviation / std::sqrt(n) : deviation)) < 1e-9);
                }
            }
        }
    }

    void anyBandAlongSessionsIsTheSlowMeanOfItsSeeds() {
        QRandomGenerator random(21);
        int places = 0;
        for (int round = 0; round < 300; ++round) {
            std::vector<SessionCurve> curves(std::size_t(random.bounded(2, 5)));
            for (SessionCurve& curve : curves) {
                std::set<int> eighths;
                for (int i = random.bounded(0, 20); i > 0; --i) eighths.insert(random.bounded(1, 4 * 8 + 1));
                for (const int eighth : eighths) {
                    curve.x.push_back(eighth / 8.0);
                    curve.y.push_back(random.bounded(100.0));
                }
                curve.reach = curve.x.empty() ? 0 : random.bounded(2) ? 4 : curve.x.back();
            }
            // A height in words: the last evaluation of the same session, or the line to the next of that session.
            const auto height = [](const SessionCurve& curve, double place) -> std::optional<double> {
                std::optional<std::size_t> before, after;
                const auto session = [](double x) { return std::ceil(x); };
                for (std::size_t i = 0; i < curve.x.size(); ++i) {
                    if (session(curve.x[i]) != session(place)) continue;
                    if (curve.x[i] <= place) before = i;
                    if (curve.x[i] > place && !after) after = i;
                }
                if (!before || place > curve.reach) return std::nullopt;
                if (!after) return curve.y[*before];
                const double part = (place - curve.x[*before]) / (curve.x[*after] - curve.x[*before]);
                return curve.y[*before] * (1 - part) + curve.y[*after] * part;
            };
            std::map<double, Spread> expected;
            for (const SessionCurve& one : curves)
                for (const double place : one.x) {
                    std::vector<double> heights;
                    for (const SessionCurve& curve : curves)
                        if (const auto value = height(curve, place)) heights.push_back(*value);
                    if (heights.size() == curves.size()) expected[place] = spread(heights);
                }
            const SeedBand band = sessionBand(curves, BandWidth::Error);
            QCOMPARE(band.x.size(), expected.size());
            std::size_t k = 0;
            for (const auto& [place, value] : expected) {
                QCOMPARE(band.x[k], place);
                QVERIFY(std::abs(band.mean[k] - value.mean) < 1e-9);
                QVERIFY(std::abs(band.half_width[k] - value.deviation / std::sqrt(double(value.count))) < 1e-9);
                ++k;
                ++places;
            }
        }
        QVERIFY(places > 500);
    }

    void theMeanOfRetentionCountsWhatIsThere() {
        QRandomGenerator random(22);
        ShownRunFacts five;
        five.experiment.stream.sessions = 5;
        const auto facts = std::make_shared<const ShownRunFacts>(five);
        for (int round = 0; round < 100; ++round) {
            std::vector<ShownRun> runs(std::size_t(random.bounded(1, 5)));
            std::map<std::pair<std::int64_t, std::int64_t>, std::vector<double>> expected;
            std::vector<const ShownRun*> all;
            for (ShownRun& run : runs) {
                run.facts = facts;
                const std::int64_t ended = random.bounded(0, 6), missing = random.bounded(0, 8);
                for (std::int64_t after = 0; after < ended; ++after)
                    for (std::int64_t session = 0; session <= after; ++session) {
                        const std::int64_t samples = session == missing ? 0 : 10;
                        const double accuracy = random.bounded(1.0);
                        run.points.addRetention({after, session, accuracy, samples});
                        if (samples > 0) expected[{session, after}].push_back(accuracy);
                    }
                all.push_back(&run);
            }
            for (std::int64_t session = 0; session < 5; ++session) {
                const RetentionMean mean = retentionMean(all, session);
                std::int64_t least = 0, most = 0;
                for (std::int64_t after = 0; after < 5; ++after) {
                    const auto values = expected.find({session, after});
                    QCOMPARE(mean.count(after), std::size_t(values != expected.end()));
                    if (values == expected.end()) continue;
                    double sum = 0;
                    for (const double value : values->second) sum += value;
                    const auto count = std::int64_t(values->second.size());
                    QCOMPARE(mean.at(after).count, count);
                    QVERIFY(std::abs(mean.at(after).mean - sum / double(count)) < 1e-12);
                    if (count == 1) QCOMPARE(mean.at(after).deviation, 0.0);
                    least = most == 0 ? count : std::min(least, count);
                    most = std::max(most, count);
                }
                QCOMPARE(seedsOf(mean).least, least);
                QCOMPARE(seedsOf(mean).most, most);
            }
        }
    }

    void theRunningMeanFollowsAndForgets() {
        RunningMean mean(3);  // a new value weighs a half
        QCOMPARE(mean.add(8), 8.0);
        QCOMPARE(mean.add(4), 6.0);
        QCOMPARE(mean.add(std::numeric_limits<double>::quiet_NaN()), 6.0);
        QCOMPARE(mean.add(0), 3.0);
        RunningMean slow(99);
        // At first the plain mean: a single odd point does not linger.
        slow.add(100);
        slow.add(0);
        QCOMPARE(slow.add(2), 34.0);
    }

    void optionsComeBackAsTheyWere() {
        CurveOptions options, restored;
        CurveOptions::Values values;
        values.log_x = values.follow = values.whole_percent = true;
        values.smoothing = 20;
        values.band = CurveOptions::Band::Error;
        options.set(values);
        restored.restore(options.state());
        QCOMPARE(restored.values(), values);
    }

    void oddOptionsAreLeftAside() {
        CurveOptions options;
        options.restore({{"smoothing", 7}, {"band", 99}, {"logX", "yes"}, {"unheard", 3}});
        CurveOptions::Values expected;
        expected.log_x = true;
        QCOMPARE(options.values(), expected);
    }
};

PALIMPSEST_APPLESS_TEST(TestSeedMeans)

}  // namespace tst_seed_means

#include "tst_seed_means.moc"
