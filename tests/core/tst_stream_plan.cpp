// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "engine/stream/stream_plan.h"
#include "engine/support/error.h"
#include "engine/support/random.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_stream_plan {

using Labels = std::vector<std::int32_t>;
using List = std::vector<std::int64_t>;
using Lists = std::vector<List>;

namespace {

Labels cyclicLabels(std::int64_t classes, std::int64_t samples) {
    Labels labels(static_cast<std::size_t>(samples));
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % classes);
    return labels;
}

Labels randomLabels(Random& random, std::int64_t classes, std::int64_t samples) {
    Labels labels(static_cast<std::size_t>(samples));
    for (std::int32_t& label : labels)
        label = static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(classes)));
    return labels;
}

StreamSettings settingsOf(std::int64_t classes, std::int64_t sessions, std::int64_t disjoint, std::int64_t blurry,
                          std::uint64_t seed, Partition partition = Partition::Stochastic) {
    return {classes, sessions, disjoint, blurry, partition, seed};
}

List lengths(const Lists& lists) {
    List result;
    for (const List& list : lists) result.push_back(static_cast<std::int64_t>(list.size()));
    return result;
}

List flattened(const Lists& lists) {
    List all;
    for (const List& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

/// Borders 0, ..., total of consecutive lists.
List borders(const Lists& lists) {
    List result{0};
    for (const List& list : lists) result.push_back(result.back() + static_cast<std::int64_t>(list.size()));
    return result;
}

QByteArray describe(const StreamSettings& s) {
    return QStringLiteral("C %1 T %2 disjoint %3 blurry %4 seed %5")
        .arg(s.classes)
        .arg(s.sessions)
        .arg(s.disjoint_percent)
        .arg(s.blurry_percent)
        .arg(s.seed)
        .toUtf8();
}

/// Number of samples of blurry classes outside their class's own session.
std::int64_t strayed(const StreamPlan& plan, const Labels& labels) {
    std::int64_t count = 0;
    for (std::size_t j = 0; j < plan.sessions.size(); ++j) {
        std::set<std::int64_t> own(plan.disjoint_classes[j].begin(), plan.disjoint_classes[j].end());
        own.insert(plan.blurry_classes[j].begin(), plan.blurry_classes[j].end());
        for (const std::int64_t sample : plan.sessions[j])
            count += own.count(labels[static_cast<std::size_t>(sample)]) == 0;
    }
    return count;
}

}  // namespace

class TestStreamPlan : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void referenceStreams_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("seed");
        QTest::addColumn<List>("disjoint");
        QTest::addColumn<List>("blurry");
        QTest::addColumn<List>("length");
        const auto row = [](int classes, int seed, List disjoint, List blurry, List length) {
            QTest::addRow("%d classes, seed %d", classes, seed) << classes << seed << disjoint << blurry << length;
        };
        row(100, 1, {0, 3, 3, 23, 37, 50}, {0, 10, 16, 16, 46, 50}, {6500, 3000, 10264, 22000, 8236});
        row(100, 2, {0, 0, 16, 25, 30, 50}, {0, 9, 12, 30, 46, 50}, {4500, 9500, 13500, 10500, 12000});
        row(100, 3, {0, 29, 42, 42, 43, 50}, {0, 13, 26, 31, 45, 50}, {21000, 13000, 2500, 7500, 6000});
        row(100, 4, {0, 1, 3, 37, 46, 50}, {0, 7, 7, 9, 34, 50}, {4000, 1300, 18000, 17000, 9700});
        row(100, 5, {0, 12, 26, 41, 41, 50}, {0, 1, 42, 42, 49, 50}, {6500, 27500, 8061, 3389, 4550});
        row(200, 1, {0, 14, 28, 72, 86, 100}, {0, 25, 37, 45, 46, 100}, {19500, 13000, 26000, 8763, 32737});
        row(200, 2, {0, 41, 41, 59, 94, 100}, {0, 9, 16, 35, 99, 100}, {25000, 3500, 18500, 49500, 3500});
        row(200, 3, {0, 5, 13, 34, 37, 100}, {0, 53, 64, 68, 82, 100}, {29000, 9500, 13072, 8059, 40369});
        row(200, 4, {0, 11, 19, 34, 65, 100}, {0, 0, 12, 19, 71, 100}, {6020, 10000, 10848, 41319, 31813});
        row(200, 5, {0, 12, 12, 59, 76, 100}, {0, 6, 45, 51, 98, 100}, {9216, 19500, 26500, 32000, 12784});
    }
    void referenceStreams() {
        QFETCH(int, classes);
        QFETCH(int, seed);
        QFETCH(List, disjoint);
        QFETCH(List, blurry);
        QFETCH(List, length);
        const Labels labels = cyclicLabels(classes, 500 * classes);
        const StreamPlan plan = planStream(labels, settingsOf(classes, 5, 50, 10, static_cast<std::uint64_t>(seed)));
        QCOMPARE(borders(plan.disjoint_classes), disjoint);
        QCOMPARE(borders(plan.blurry_classes), blurry);
        QCOMPARE(lengths(plan.sessions), length);
    }

    void theFirstReferenceStreamIndexForIndex() {
        const StreamPlan plan = planStream(cyclicLabels(100, 50000), settingsOf(100, 5, 50, 10, 1));
        const List& first = plan.sessions.front();
        QCOMPARE(List(first.begin(), first.begin() + 10),
                 (List{36398, 33690, 48815, 290, 49504, 35600, 33609, 7039, 20646, 11139}));
        QCOMPARE(std::accumulate(first.begin(), first.end(), std::int64_t{0}), std::int64_t{162600692});
    }

    void oneNewClassASession() {
        const StreamPlan plan = planStream(cyclicLabels(100, 50000), settingsOf(100, 100, 0, 101, 1));
        const List found = lengths(plan.sessions);
        QCOMPARE(List(found.begin(), found.begin() + 8), (List{376, 378, 377, 381, 387, 383, 387, 379}));
        QCOMPARE(List(found.end() - 4, found.end()), (List{742, 911, 904, 1017}));
        QCOMPARE(plan.totalSamples(), std::int64_t{50000});
    }

    void theUniformReferenceStreamIsEven() {
        const StreamPlan plan = planStream(cyclicLabels(100, 50000), settingsOf(100, 5, 50, 10, 1, Partition::Uniform));
        QCOMPARE(lengths(plan.sessions), (List(5, 10000)));
    }

    void classBudgets_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("sessions");
        QTest::addColumn<int>("percent");
        QTest::addColumn<int>("disjoint");
        QTest::addColumn<int>("blurry");
        QTest::newRow("even") << 100 << 5 << 50 << 50 << 50;
        QTest::newRow("rounded down to none") << 9 << 5 << 50 << 0 << 9;
        QTest::newRow("rounded down") << 43 << 5 << 50 << 20 << 23;
        QTest::newRow("a session for each class") << 100 << 100 << 50 << 0 << 100;
        QTest::newRow("ordered, one session") << 900 << 1 << 101 << 909 << -9;
        QTest::newRow("ordered, with a rest") << 611 << 10 << 101 << 610 << 1;
    }
    void classBudgets() {
        QFETCH(int, classes);
        QFETCH(int, sessions);
        QFETCH(int, percent);
        const StreamPlan plan =
            planStream(cyclicLabels(classes, 2 * classes), settingsOf(classes, sessions, percent, 10, 1));
        QTEST(static_cast<int>(plan.disjoint_count), "disjoint");
        QTEST(static_cast<int>(plan.blurry_count), "blurry");
    }

    void everySampleComesOnceWhateverTheSettings() {
        Random random(1, 1);
        for (int round = 0; round < 400; ++round) {
            const auto classes = static_cast<std::int64_t>(1 + random.below(60));
            const Labels labels = randomLabels(random, classes, static_cast<std::int64_t>(1 + random.below(600)));
            const StreamSettings settings = settingsOf(classes, static_cast<std::int64_t>(1 + random.below(12)),
                                                       static_cast<std::int64_t>(random.below(101)),
                                                       static_cast<std::int64_t>(random.below(101)), random.longWord());
            const StreamPlan plan = planStream(labels, settings);
            const QByteArray name = describe(settings);

            List samples = flattened(plan.sessions);
            std::sort(samples.begin(), samples.end());
            List all(labels.size());
            std::iota(all.begin(), all.end(), std::int64_t{0});
            QVERIFY2(samples == all, name);

            List classesFound = flattened(plan.disjoint_classes);
            const std::int64_t disjoint =
                settings.classes * settings.disjoint_percent / 100 / settings.sessions * settings.sessions;
            QVERIFY2(static_cast<std::int64_t>(classesFound.size()) == disjoint, name);
            const List blurryFound = flattened(plan.blurry_classes);
            classesFound.insert(classesFound.end(), blurryFound.begin(), blurryFound.end());
            std::sort(classesFound.begin(), classesFound.end());
            List allClasses(static_cast<std::size_t>(classes));
            std::iota(allClasses.begin(), allClasses.end(), std::int64_t{0});
            QVERIFY2(classesFound == allClasses, name);
            QVERIFY2(!plan.disjoint_classes.back().empty() || disjoint == 0, name);
        }
    }

    void disjointClassesStayInTheirSession() {
        Random random(1, 2);
        for (int round = 0; round < 200; ++round) {
            const Labels labels = randomLabels(random, 20, 400);
            const auto partition = round % 2 ? Partition::Uniform : Partition::Stochastic;
            const StreamPlan plan = planStream(
                labels,
                settingsOf(20, 5, 50, static_cast<std::int64_t>(random.below(101)), random.longWord(), partition));
            const auto counts = countSamples(plan, labels);
            for (std::size_t j = 0; j < plan.sessions.size(); ++j)
                for (const std::int64_t c : plan.disjoint_classes[j]) {
                    const List& row = counts[static_cast<std::size_t>(c)];
                    QCOMPARE(std::accumulate(row.begin(), row.end(), std::int64_t{0}), row[j]);
                }
        }
    }

    void atMostTheBlurryShareLeavesItsSession() {
        Random random(1, 3);
        for (int round = 0; round < 200; ++round) {
            const Labels labels = randomLabels(random, 30, 900);
            const auto percent = static_cast<std::int64_t>(random.below(101));
            const auto partition = round % 2 ? Partition::Uniform : Partition::Stochastic;
            const StreamPlan plan = planStream(labels, settingsOf(30, 5, 50, percent, random.longWord(), partition));
            const List blurry = flattened(plan.blurry_classes);
            const auto samples = std::count_if(labels.begin(), labels.end(), [&](std::int32_t label) {
                return std::find(blurry.begin(), blurry.end(), label) != blurry.end();
            });
            QVERIFY(strayed(plan, labels) <= samples * percent / 100);
            if (percent >= 50) QVERIFY(strayed(plan, labels) > 0);
        }
    }

    void theUniformPartitionIsEvenAndLosesLessThanASampleASession() {
        Random random(1, 4);
        for (int round = 0; round < 100; ++round) {
            const Labels labels = randomLabels(random, 24, 700);
            const StreamPlan plan =
                planStream(labels, settingsOf(24, 4, 50, static_cast<std::int64_t>(random.below(101)),
                                              random.longWord(), Partition::Uniform));
            QCOMPARE(lengths(plan.disjoint_classes), (List(4, 3)));
            QCOMPARE(lengths(plan.blurry_classes), (List(4, 3)));
            QVERIFY(plan.totalSamples() <= 700 && plan.totalSamples() > 700 - 4);
            const List samples = flattened(plan.sessions);
            QCOMPARE(std::set<std::int64_t>(samples.begin(), samples.end()).size(), samples.size());
        }
    }

    void threeQuartersOfAClassComeInItsOwnSession() {
        Random random(1, 5);
        for (int round = 0; round < 100; ++round) {
            Labels labels = randomLabels(random, 12, 600);
            const StreamPlan plan = planStream(labels, settingsOf(12, 12, 0, 101, random.longWord()));
            QCOMPARE(plan.totalSamples(), std::int64_t{600});
            const auto counts = countSamples(plan, labels);
            for (std::size_t c = 0; c < counts.size(); ++c) {
                const auto all =
                    static_cast<double>(std::accumulate(counts[c].begin(), counts[c].end(), std::int64_t{0}));
                QVERIFY(static_cast<double>(counts[c][c]) >= std::floor(0.75 * all));
                for (std::size_t j = 0; j < c; ++j) QCOMPARE(counts[c][j], std::int64_t{0});
            }
        }
    }

    void orderedDisjointClassesComeInTheirOrder() {
        const Labels labels = cyclicLabels(20, 400);
        const StreamPlan plan = planStream(labels, settingsOf(20, 5, 101, 0, 3));
        QCOMPARE(plan.disjoint_classes,
                 (Lists{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}, {12, 13, 14, 15}, {16, 17, 18, 19}}));
        QCOMPARE(lengths(plan.sessions), (List(5, 80)));
    }

    void partitionsWithANameAreTheOfficialModesAboveAHundredPerCent_data() {
        QTest::addColumn<StreamSettings>("named");
        QTest::addColumn<StreamSettings>("official");
        for (const std::uint64_t seed : {1, 2, 3}) {
            for (const int classes : {10, 12, 43}) {
                const auto row = [&](const char* name, Partition partition, std::int64_t disjoint,
                                     std::int64_t blurry) {
                    QTest::addRow("%s, %d classes, seed %d", name, classes, static_cast<int>(seed))
                        << settingsOf(classes, 5, 50, 10, seed, partition)
                        << settingsOf(classes, 5, disjoint, blurry, seed);
                };
                row("ordered", Partition::Ordered, 101, 0);
                row("one class", Partition::OneClass, 0, 101);
            }
        }
    }
    void partitionsWithANameAreTheOfficialModesAboveAHundredPerCent() {
        QFETCH(StreamSettings, named);
        QFETCH(StreamSettings, official);
        const Labels labels = cyclicLabels(named.classes, 20 * named.classes);
        const StreamPlan plan = planStream(labels, named);
        const StreamPlan expected = planStream(labels, official);
        QCOMPARE(plan.sessions, expected.sessions);
        QCOMPARE(plan.disjoint_classes, expected.disjoint_classes);
        QCOMPARE(plan.blurry_classes, expected.blurry_classes);
        QCOMPARE(plan.settings.disjoint_percent, official.disjoint_percent);
        QCOMPARE(plan.settings.blurry_percent, official.blurry_percent);
    }

    /// Expected values from a separate program, written from the description of the sampler alone.
    void theOlderSamplerRoundsTheBlurryClasses_data() {
        QTest::addColumn<int>("classes");
        QTest::addColumn<int>("samples");
        QTest::addColumn<int>("seed");
        QTest::addColumn<List>("disjoint");
        QTest::addColumn<List>("blurry");
        QTest::addColumn<List>("length");
        QTest::addColumn<QString>("fingerprint");
        const auto row = [](int classes, int samples, int seed, List disjoint, List blurry, List length,
                            const char* fingerprint) {
            QTest::addRow("%d classes, seed %d", classes, seed)
                << classes << samples << seed << disjoint << blurry << length << QString(fingerprint);
        };
        row(9, 45, 1, {0, 0, 0, 0, 0, 0}, {0, 2, 3, 4, 4, 5}, {10, 5, 5, 0, 5}, "cdfddf75eb7494e4");
        row(9, 45, 2, {0, 0, 0, 0, 0, 0}, {0, 0, 0, 1, 1, 5}, {1, 0, 5, 0, 19}, "529d5d67ee5c7d40");
        row(12, 60, 4, {0, 0, 0, 1, 3, 5}, {0, 0, 2, 2, 3, 5}, {0, 10, 5, 15, 20}, "616ff3414a2b3590");
        row(43, 430, 1, {0, 3, 3, 5, 5, 20}, {0, 1, 4, 9, 18, 20}, {40, 30, 70, 90, 170}, "bc177096b44d8cd2");
        row(43, 430, 3, {0, 11, 14, 15, 16, 20}, {0, 3, 11, 16, 17, 20}, {140, 110, 60, 20, 70}, "f5a9628f62bf56dd");
    }
    void theOlderSamplerRoundsTheBlurryClasses() {
        QFETCH(int, classes);
        QFETCH(int, samples);
        QFETCH(int, seed);
        QFETCH(List, disjoint);
        QFETCH(List, blurry);
        QFETCH(List, length);
        QFETCH(QString, fingerprint);
        StreamSettings settings = settingsOf(classes, 5, 50, 10, static_cast<std::uint64_t>(seed));
        settings.sampler = Sampler::Older;
        const StreamPlan plan = planStream(cyclicLabels(classes, samples), settings);
        QCOMPARE(borders(plan.disjoint_classes), disjoint);
        QCOMPARE(borders(plan.blurry_classes), blurry);
        QCOMPARE(plan.blurry_count, blurry.back());
        QCOMPARE(lengths(plan.sessions), length);
        QCOMPARE(QString::fromStdString(plan.fingerprint()), fingerprint);
    }

    void theOlderSamplerIndexForIndex() {
        StreamSettings settings = settingsOf(9, 5, 50, 10, 1);
        settings.sampler = Sampler::Older;
        const StreamPlan plan = planStream(cyclicLabels(9, 45), settings);
        QCOMPARE(plan.blurry_classes, (Lists{{4, 0}, {6}, {5}, {}, {7}}));
        QCOMPARE(plan.sessions, (Lists{{4, 13, 27, 9, 31, 0, 22, 18, 36, 40},
                                       {42, 15, 6, 33, 24},
                                       {41, 23, 32, 5, 14},
                                       {},
                                       {34, 16, 7, 43, 25}}));
    }

    void theOlderSamplerLosesWholeClassesAndNothingElse() {
        Random random(1, 9);
        int rounded = 0;
        for (int round = 0; round < 300; ++round) {
            const auto classes = static_cast<std::int64_t>(1 + random.below(60));
            const Labels labels = randomLabels(random, classes, static_cast<std::int64_t>(1 + random.below(600)));
            StreamSettings settings = settingsOf(classes, static_cast<std::int64_t>(1 + random.below(12)),
                                                 static_cast<std::int64_t>(random.below(101)),
                                                 static_cast<std::int64_t>(random.below(101)), random.longWord());
            const StreamPlan current = planStream(labels, settings);
            settings.sampler = Sampler::Older;
            const StreamPlan older = planStream(labels, settings);
            const QByteArray name = describe(settings);

            QVERIFY2(older.disjoint_classes == current.disjoint_classes, name);
            QVERIFY2(older.blurry_count % settings.sessions == 0, name);
            QVERIFY2(current.blurry_count - older.blurry_count < settings.sessions, name);
            // If no class is left over, both draw the same numbers.
            if (older.blurry_count == current.blurry_count) {
                QVERIFY2(older.sessions == current.sessions, name);
                continue;
            }
            ++rounded;
            const std::vector<ClassHome> homes = classHomes(older);
            const auto out =
                std::count_if(homes.begin(), homes.end(), [](const ClassHome& h) { return h.session < 0; });
            QCOMPARE(static_cast<std::int64_t>(out), current.blurry_count - older.blurry_count);
            std::vector<int> times(labels.size(), 0);
            for (const std::int64_t sample : flattened(older.sessions)) ++times[static_cast<std::size_t>(sample)];
            for (std::size_t i = 0; i < labels.size(); ++i)
                QVERIFY2(times[i] == (homes[static_cast<std::size_t>(labels[i])].session < 0 ? 0 : 1), name);
        }
        QVERIFY(rounded > 100);
    }

    void theEarlierSessionTakesAClassOfTwoSets() {
        // With 10 classes in 4 ordered sessions, two classes drawn at random are blurry as well as (mostly) disjoint.
        const Labels labels = cyclicLabels(10, 200);
        bool met = false;
        for (std::uint64_t seed = 1; seed <= 50; ++seed) {
            const StreamPlan plan = planStream(labels, settingsOf(10, 4, 101, 0, seed));
            const auto counts = countSamples(plan, labels);
            for (std::size_t b = 0; b < 4; ++b)
                for (const std::int64_t c : plan.blurry_classes[b]) {
                    const std::size_t ordered = static_cast<std::size_t>(c / 2);
                    const std::size_t session = c < 8 ? std::min(b, ordered) : b;
                    QCOMPARE(counts[static_cast<std::size_t>(c)][session], std::int64_t{20});
                    met = met || (c < 8 && b < ordered);
                }
        }
        QVERIFY(met);
    }

    void theSameSeedMakesTheSameStreamAndAnotherSeedAnother() {
        const Labels labels = cyclicLabels(10, 500);
        const StreamPlan plan = planStream(labels, settingsOf(10, 5, 50, 10, 1));
        const StreamPlan again = planStream(labels, settingsOf(10, 5, 50, 10, 1));
        const StreamPlan other = planStream(labels, settingsOf(10, 5, 50, 10, 2));
        QCOMPARE(again.sessions, plan.sessions);
        QCOMPARE(again.fingerprint(), plan.fingerprint());
        QVERIFY(other.fingerprint() != plan.fingerprint());
        QCOMPARE(plan.fingerprint().size(), std::size_t{16});
    }

    void theFingerprintKnowsWhereASessionEnds() {
        StreamPlan one;
        one.sessions = {{1, 2}, {3}};
        StreamPlan two;
        two.sessions = {{1}, {2, 3}};
        StreamPlan three;
        three.sessions = {{2, 1}, {3}};
        QVERIFY(one.fingerprint() != two.fingerprint());
        QVERIFY(one.fingerprint() != three.fingerprint());
        // SHA-256 of the little-endian int64 numbers 2, 1, 2, 1, 3.
        QCOMPARE(one.fingerprint(), std::string("be3cb7e04dcce365"));
    }

    void countsAddUpToTheStream() {
        const Labels labels = cyclicLabels(7, 300);
        const StreamPlan plan = planStream(labels, settingsOf(9, 3, 50, 30, 4));
        const auto counts = countSamples(plan, labels);
        QCOMPARE(counts.size(), std::size_t{9});
        for (std::size_t j = 0; j < plan.sessions.size(); ++j) {
            std::int64_t sum = 0;
            for (const List& row : counts) sum += row[j];
            QCOMPARE(sum, static_cast<std::int64_t>(plan.sessions[j].size()));
        }
        QCOMPARE(counts[8], (List(3, 0)));
    }

    void refusals_data() {
        QTest::addColumn<Labels>("labels");
        QTest::addColumn<StreamSettings>("settings");
        QTest::addColumn<QString>("sentence");
        const Labels ten = cyclicLabels(10, 200);
        const auto row = [](const char* name, const Labels& labels, const StreamSettings& settings,
                            const char* sentence) { QTest::newRow(name) << labels << settings << QString(sentence); };
        row("no class", ten, settingsOf(0, 5, 50, 10, 1), "The stream's number of classes is 0.");
        row("no session", ten, settingsOf(10, 0, 50, 10, 1), "The stream's number of sessions is 0.");
        row("negative sessions", ten, settingsOf(10, -5, 50, 10, 1), "The stream's number of sessions is -5.");
        row("absurdly many sessions", ten, settingsOf(10, 1000000000, 50, 10, 1),
            "The stream's number of sessions is 1000000000.");
        row("negative disjoint share", ten, settingsOf(10, 5, -1, 10, 1),
            "The stream's share of disjoint classes is -1 %.");
        row("absurd blurry share", ten, settingsOf(10, 5, 50, 100000, 1),
            "The stream's share of blurry samples is 100000 %.");
        row("no labels", {}, settingsOf(10, 5, 50, 10, 1), "There are no labels to plan a stream of.");
        row("label too large", {0, 1, 10}, settingsOf(10, 5, 50, 10, 1),
            "Sample 2 has label 10, but there are only 10 classes, from 0 to 9.");
        row("negative label", {0, -1}, settingsOf(10, 5, 50, 10, 1),
            "Sample 1 has label -1, but there are only 10 classes, from 0 to 9.");
        row("uneven uniform partition", ten, settingsOf(10, 3, 50, 10, 1, Partition::Uniform),
            "7 blurry classes cannot be shared equally among 3 sessions.");
        row("more sessions than classes, one new class each", ten, settingsOf(10, 20, 0, 101, 1),
            "20 sessions cannot each bring a new class of only 10.");
        row("one new class each, one without samples", {0, 1, 3, 3}, settingsOf(4, 4, 0, 101, 1),
            "Session 3 should bring class 2 as its new one, but that class has no blurry samples.");
        const auto older = [](StreamSettings settings) {
            settings.sampler = Sampler::Older;
            return settings;
        };
        row("older sampler, uniform", ten, older(settingsOf(10, 5, 50, 10, 1, Partition::Uniform)),
            "The older sampler knows only the stochastic partition.");
        row("older sampler, ordered", ten, older(settingsOf(10, 5, 50, 10, 1, Partition::Ordered)),
            "The older sampler knows only the stochastic partition.");
        row("older sampler, above 100 % disjoint", ten, older(settingsOf(10, 5, 101, 0, 1)),
            "The older sampler knows no share above 100 %.");
        row("older sampler, above 100 % blurry", ten, older(settingsOf(10, 5, 0, 101, 1)),
            "The older sampler knows no share above 100 %.");
        row("imported", ten, settingsOf(10, 5, 50, 10, 1, Partition::Imported), "An imported stream is not planned.");
        row("one new class each, all disjoint", ten, settingsOf(10, 5, 100, 101, 1),
            "Session 1 should bring class 0 as its new one, but that class has no blurry samples.");
    }
    void refusals() {
        QFETCH(Labels, labels);
        QFETCH(StreamSettings, settings);
        QFETCH(QString, sentence);
        try {
            planStream(labels, settings);
            QFAIL("planned");
        } catch (const Error& error) {
            QCOMPARE(QString(error.what()), sentence);
            QCOMPARE(static_cast<int>(error.kind()), static_cast<int>(ErrorKind::Input));
            QVERIFY(!error.hint().empty());
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestStreamPlan)

}  // namespace tst_stream_plan

#include "tst_stream_plan.moc"
