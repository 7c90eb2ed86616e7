// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/memory/logit_memory.h"
#include "tests/support/test_program.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "engine/memory/balanced_memory.h"
#include "engine/support/error.h"

using namespace palimpsest;

namespace tst_memories {

namespace {

using Integers = std::vector<std::int64_t>;
using Leaves = BalancedMemory::Leaves;

std::int64_t none(std::int64_t) {
    return 0;
}

/// Unit of a sample: three classes whose shares of the stream shift; samples are numbered in stream order.
std::int64_t unitOf(std::int64_t sample, Random& random) {
    return static_cast<std::int64_t>(random.below(sample < 40 ? 2 : 3));
}

/// The simplest implementation of the rule, slot by slot.
struct Plain {
    std::int64_t capacity = 0;
    Integers samples, units;
    std::vector<double> importance;

    void offer(std::int64_t sample, std::int64_t unit, const SampleMemory::Draw* draw) {
        std::size_t slot = samples.size();
        const bool grows = static_cast<std::int64_t>(slot) < capacity;
        if (grows) {
            samples.push_back(0);
            units.push_back(-1);
            importance.push_back(0);
        } else {
            std::map<std::int64_t, std::int64_t> counts;
            for (const std::int64_t u : units) ++counts[u];
            ++counts[unit];
            std::int64_t largest = -1;
            for (const auto& [u, n] : counts)
                if (largest < 0 || n > counts[largest]) largest = u;
            Integers members;
            for (std::size_t i = 0; i < units.size(); ++i)
                if (units[i] == largest) members.push_back(static_cast<std::int64_t>(i));
            if (members.empty()) members.assign(1, 0);  // a class without any, in a memory of one slot
            std::int64_t leaves = members.front();
            for (const std::int64_t member : members)
                if (importance[static_cast<std::size_t>(member)] < importance[static_cast<std::size_t>(leaves)])
                    leaves = member;
            if (draw) leaves = members[static_cast<std::size_t>((*draw)(static_cast<std::int64_t>(members.size())))];
            slot = static_cast<std::size_t>(leaves);
        }
        double sum = 0, whole = 0;
        int others = 0;
        for (std::size_t i = 0; i < units.size(); ++i) {
            whole += importance[i];
            if (i == slot || units[i] != unit) continue;
            sum += importance[i];
            ++others;
        }
        samples[slot] = sample;
        units[slot] = unit;
        importance[slot] = others ? sum / others : grows ? 0 : whole / static_cast<double>(importance.size());
    }
};

}  // namespace

class TestMemories : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aBalancedMemoryDoesWhatItsRuleSays_data() {
        QTest::addColumn<bool>("random");
        QTest::addColumn<int>("capacity");
        QTest::newRow("by chance") << true << 10;
        QTest::newRow("by chance, one slot") << true << 1;
        QTest::newRow("by importance") << false << 10;
        QTest::newRow("by importance, as many slots as classes") << false << 3;
    }
    void aBalancedMemoryDoesWhatItsRuleSays() {
        QFETCH(bool, random);
        QFETCH(int, capacity);
        Random stream(3), drawn(5), again(5), scores(7);
        BalancedMemory memory(capacity, random ? Leaves::Random : Leaves::LeastImportant);
        Plain plain{capacity, {}, {}, {}};
        const auto draws = [](Random& source) -> SampleMemory::Draw {
            return [&source](std::int64_t n) {
                return static_cast<std::int64_t>(source.below(static_cast<std::uint64_t>(n)));
            };
        };
        const SampleMemory::Draw first = draws(drawn), second = draws(again);
        for (std::int64_t batch = 0; batch < 30; ++batch) {
            Integers samples, units;
            for (std::int64_t i = 0; i < 5; ++i) {
                samples.push_back(5 * batch + i);
                units.push_back(unitOf(samples.back(), stream));
            }
            memory.offer(samples, units, first);
            for (std::size_t i = 0; i < samples.size(); ++i)
                plain.offer(samples[i], units[i], random ? &second : nullptr);
            QCOMPARE(memory.samples(), plain.samples);
            QCOMPARE(memory.units(), plain.units);
            std::vector<double> importance;
            for (std::size_t i = 0; i < plain.importance.size(); ++i) {
                QVERIFY(std::abs(memory.importance()[i] - plain.importance[i]) < 1e-12);
                importance.push_back(scores.uniform(-1, 1));
            }
            memory.setImportance(importance);
            plain.importance = importance;
        }
    }

    void aBalancedMemoryEvensOutItsClasses() {
        BalancedMemory memory(9);
        Random random(1);
        Integers samples(60), units(60);
        std::iota(samples.begin(), samples.end(), std::int64_t{0});
        for (std::size_t i = 0; i < units.size(); ++i) units[i] = static_cast<std::int64_t>(i / 20);
        memory.offer(samples, units, [&](std::int64_t n) {
            return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
        });
        QCOMPARE(memory.counts(), (Integers{3, 3, 3}));
    }

    void aClassOfOneImageGivesItAway() {
        for (const Leaves leaves : {Leaves::Random, Leaves::LeastImportant}) {
            BalancedMemory memory(2, leaves);
            memory.offer({7, 8}, {0, 1}, none);
            memory.offer({9}, {2}, none);
            QCOMPARE(memory.samples(), (Integers{9, 8}));
            QCOMPARE(memory.written(), (Integers{0}));
            // Class 0 has no sample to lose, and is the first of those that would be largest.
            memory.offer({10}, {0}, none);
            QCOMPARE(memory.samples().size(), std::size_t{2});
            QCOMPARE(memory.counts()[0], std::int64_t{1});
        }
    }

    void aMemoryWithoutRoomStaysEmpty() {
        BalancedMemory balanced(0);
        balanced.offer({1, 2}, {0, 1}, none);
        QVERIFY(balanced.samples().empty());
        LogitMemory logits(0, 3);
        logits.offer({1, 2}, {0, 1}, none);
        logits.store(at::zeros({2, 3}));
        QVERIFY(logits.samples().empty());
    }

    void aBalancedMemoryCanBeChosenAnew() {
        BalancedMemory memory(3);
        memory.offer({1, 2, 3}, {0, 0, 1}, none);
        memory.replace({5, 6, 7, 8}, {1, 1, 2, 2});
        QCOMPARE(memory.samples(), (Integers{5, 6, 7}));
        QCOMPARE(memory.counts(), (Integers{0, 2, 1}));
        memory.offer({9}, {2}, none);
        QCOMPARE(memory.samples(), (Integers{9, 6, 7}));
    }

    void storedLogitsStayWithTheirImage() {
        LogitMemory memory(4, 2);
        Random random(2);
        std::map<std::int64_t, float> given;
        for (std::int64_t batch = 0; batch < 20; ++batch) {
            const Integers samples{3 * batch, 3 * batch + 1, 3 * batch + 2};
            Tensor logits = at::zeros({3, 2});
            for (std::int64_t i = 0; i < 3; ++i) {
                given[samples[static_cast<std::size_t>(i)]] =
                    static_cast<float>(10 * samples[static_cast<std::size_t>(i)]);
                logits[i].fill_(10.0 * static_cast<double>(samples[static_cast<std::size_t>(i)]));
            }
            memory.offer(samples, samples, [&](std::int64_t n) {
                return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
            });
            memory.store(logits);
            Integers slots(memory.samples().size());
            std::iota(slots.begin(), slots.end(), std::int64_t{0});
            const Tensor kept = memory.logits(slots);
            for (std::size_t slot = 0; slot < slots.size(); ++slot) {
                QCOMPARE(kept[static_cast<std::int64_t>(slot)][1].item<float>(), given[memory.samples()[slot]]);
                QCOMPARE(memory.units()[slot], memory.samples()[slot]);
            }
        }
    }

    void logitsCannotBeLeftBehind() {
        LogitMemory memory(4, 2);
        QVERIFY_EXCEPTION_THROWN(memory.replace({1}, {0}), Error);
    }

    void votesThatAgreeAreCertain() {
        QCOMPARE(voteUncertainty(Integers{2, 2, 2, 2}), 0.0);
        QCOMPARE(voteUncertainty(Integers{2, 1, 2, 0}), 0.5);
        QCOMPARE(voteUncertainty(Integers{0, 1, 2, 3}), 0.75);
    }

    void theChoiceReachesFromTheSurestToTheUnsure() {
        std::vector<UncertainSample> candidates;
        for (std::int64_t i = 0; i < 8; ++i) candidates.push_back({i, 0, 0.1 * static_cast<double>(7 - i)});
        QCOMPARE(spreadByUncertainty(candidates, 4, 1, none), (Integers{7, 5, 3, 1}));
    }

    void roomThatSmallClassesLeaveIsFilledByChance() {
        std::vector<UncertainSample> candidates{{10, 0, 0.5}};
        for (std::int64_t i = 0; i < 9; ++i) candidates.push_back({20 + i, 1, 0.1 * static_cast<double>(i)});
        Random random(4);
        const auto chosen = spreadByUncertainty(candidates, 6, 2, [&](std::int64_t n) {
            return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n)));
        });
        QCOMPARE(chosen.size(), std::size_t{6});
        QCOMPARE(std::set<std::int64_t>(chosen.begin(), chosen.end()).size(), std::size_t{6});
        QCOMPARE(Integers(chosen.begin(), chosen.begin() + 4), (Integers{0, 1, 4, 7}));
    }

    void aChoiceOfMoreThanThereIsTakesAll() {
        const std::vector<UncertainSample> candidates{{1, 0, 0.5}, {2, 1, 0.5}};
        QCOMPARE(spreadByUncertainty(candidates, 6, 2, none).size(), std::size_t{2});
        QVERIFY(spreadByUncertainty(candidates, 0, 2, none).empty());
    }

    void importanceRisesWhereReplayHelpedTheOthers() {
        std::vector<double> importance{0, 0, 0};
        const std::vector<double> before{2, 2}, now{1, 3, 9};
        // Only slot 0 is comparable: slot 1 was written since, slot 2 did not exist before.
        updateImportance(importance, before, now, Integers{1}, Integers{1});
        QVERIFY(std::abs(importance[1] - 0.1) < 1e-12);
        QCOMPARE(importance[0], 0.0);
        updateImportance(importance, {}, now, Integers{2}, {});
        QCOMPARE(importance[2], 0.0);
    }
};

PALIMPSEST_APPLESS_TEST(TestMemories)

}  // namespace tst_memories

#include "tst_memories.moc"
