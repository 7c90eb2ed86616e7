// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/past_samples.h"
#include "tests/support/test_program.h"

#include <QtTest>
#include <set>

#include "engine/memory/reservoir_memory.h"

using namespace palimpsest;

namespace tst_past_samples {

namespace {

using Samples = PastSamples::Samples;

/// A class for every three samples; sample 4 cannot be read.
class HalfRead : public TrainSource {
public:
    std::int32_t label(std::int64_t sample) const override { return static_cast<std::int32_t>(sample / 3); }
    ShownImages images(std::int64_t, std::int64_t, std::span<const std::int64_t>,
                       std::span<const std::int64_t> replay) override {
        ShownImages shown;
        for (const std::int64_t sample : replay)
            if (sample != 4) shown.samples.push_back(sample);
        shown.images = at::zeros({static_cast<std::int64_t>(shown.samples.size()), 3, 2, 2}, at::kFloat);
        return shown;
    }
    std::vector<Thumbnail> thumbnails(std::int64_t, std::span<const std::int64_t>) override { return {}; }
};

}  // namespace

class TestPastSamples : public QObject {
    Q_OBJECT
    HalfRead train_;
    ClassRegistry registry_;
    ReservoirMemory full_{12}, empty_{12};

    PastSamples of(const SampleMemory& memory, std::int64_t updates = 3, std::int64_t count = 5) {
        return {{.seed = 7, .updates = updates, .count = count}, memory, registry_, train_};
    }

private Q_SLOTS:
    void initTestCase() {
        // Classes appear in the order 2, 0, 3, 1, so that no unit equals its label.
        registry_.expose({2, 0, 3, 1});
        full_.replace({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, {});
    }

    void everyUpdateOfABatchHasItsOwnDraw() {
        const PastSamples past = of(full_);
        const auto drawn = past.drawAhead(4);
        QCOMPARE(drawn.size(), std::size_t{3});
        std::set<Samples> different(drawn.begin(), drawn.end());
        for (const Samples& samples : past.drawAhead(5)) different.insert(samples);
        QCOMPARE(different.size(), std::size_t{6});
        for (const Samples& samples : different) QCOMPARE(samples.size(), std::size_t{5});
        // Repeated requests draw the same, whatever was requested meanwhile and however many updates there are.
        QCOMPARE(past.drawAhead(4), drawn);
        QCOMPARE(of(full_, 1).drawAhead(4).front(), drawn.front());
    }

    void nothingIsDrawnWhereThereIsNothingOrNothingIsAskedFor() {
        QCOMPARE(of(empty_).drawAhead(1), std::vector<Samples>(3));
        QCOMPARE(of(full_, 3, 0).drawAhead(1), std::vector<Samples>(3));
    }

    void lotsOfAnUpdateAreDrawnApart() {
        const PastSamples past = of(full_);
        const Samples first = past.drawnSlots(4, 1, 0), second = past.drawnSlots(4, 1, 1);
        QVERIFY(first != second);
        QCOMPARE(past.drawnSlots(4, 1, 0), first);
        QCOMPARE(past.samplesOf({3, 0}), (Samples{3, 0}));
    }

    void imagesThatCannotBeReadAreLeftOutOfUnitsAndSlots() {
        const PastSamples past = of(full_);
        const PastBatch batch = past.shown(1, 0, {9, 4, 0}, {20, 21, 22});
        QCOMPARE(batch.images.size(0), std::int64_t{2});
        QVERIFY(batch.units.equal(at::tensor({2, 1}, at::kLong)));
        QCOMPARE(batch.slots, (Samples{20, 22}));
        QVERIFY(!past.shown(1, 0, {4}, {}).images.defined());
        QVERIFY(!past.shown(1, 0, {}, {}).images.defined());
    }
};

PALIMPSEST_APPLESS_TEST(TestPastSamples)

}  // namespace tst_past_samples

#include "tst_past_samples.moc"
