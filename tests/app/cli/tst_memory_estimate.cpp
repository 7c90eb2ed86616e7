// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>

#include "app/commands/memory_estimate.h"
#include "engine/support/process.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_memory_estimate {

class TestMemoryEstimate : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasMeasuredAsAWholeIsNotExtended() {
        const MemoryPeaks peaks{32, 128, 100, 700, 900};
        QCOMPARE(wholePeak(peaks, peaks, 32, 128), std::int64_t{900});
        QCOMPARE(wholePeak(peaks, peaks, 16, 64), std::int64_t{900});
    }

    void aFrozenNetworkNeedsMostForItsEvaluation() {
        const MemoryPeaks larger{4, 16, 400, 450, 600}, smaller{1, 4, 400, 450, 480};
        // 10 for each test image.
        QCOMPARE(wholePeak(larger, smaller, 64, 256), std::int64_t{600 + 240 * 10});
    }

    void aNetworkThatLearnsNeedsMostForItsUpdates() {
        const MemoryPeaks larger{4, 16, 400, 1000, 600}, smaller{1, 4, 400, 700, 480};
        QCOMPARE(wholePeak(larger, smaller, 64, 64), std::int64_t{1000 + 60 * 100});
        // But not with a batch of one image.
        QCOMPARE(wholePeak(larger, smaller, 1, 64), std::int64_t{600 + 48 * 10});
    }

    void whatIsNeededToBeginCountsToo() {
        const MemoryPeaks larger{4, 16, 5000, 450, 600}, smaller{1, 4, 400, 450, 480};
        QCOMPARE(wholePeak(larger, smaller, 4, 16), std::int64_t{5000});
    }

    void noiseOfTheMeasurementTakesNothingAway() {
        const MemoryPeaks larger{4, 16, 400, 450, 600}, smaller{1, 4, 400, 470, 640};
        QCOMPARE(wholePeak(larger, smaller, 64, 256), std::int64_t{640});
        // All classes of the larger run that were met had as few images as those of the smaller one.
        const MemoryPeaks equal{4, 4, 400, 450, 600};
        QCOMPARE(wholePeak(equal, smaller, 4, 256), std::int64_t{640});
    }

    void thePeakBeginsAnewWhereTheSystemAllowsIt() {
        constexpr std::size_t kBytes = std::size_t{256} << 20;
        {
            const std::unique_ptr<char[]> much(new char[kBytes]);
            std::memset(much.get(), 1, kBytes);
            QVERIFY(much[kBytes / 2] == 1);
        }
        const std::int64_t before = peakMemoryBytes();
        const bool forgotten = forgetPeakMemory();
        const std::int64_t after = peakMemoryBytes();
        // What it returns is what happened.
        QCOMPARE(after < before - static_cast<std::int64_t>(kBytes / 2), forgotten);
    }
};

PALIMPSEST_GUILESS_TEST(TestMemoryEstimate)

}  // namespace tst_memory_estimate

#include "tst_memory_estimate.moc"
