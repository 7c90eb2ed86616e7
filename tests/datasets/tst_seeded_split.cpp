// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/formats/picture_files.h"
#include "tests/datasets/torch_permutation.h"
#include "tests/support/test_program.h"

#include <QtTest>
#include <numeric>

using namespace palimpsest;
using namespace palimpsest::test;

namespace tst_seeded_split {

using Indices = std::vector<std::int64_t>;

class TestSeededSplit : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void partsArePyTorchsPermutation_data() {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<Indices>("permutation");
        // Results of torch.randperm(10, generator=torch.Generator().manual_seed(seed))
        QTest::newRow("seed 0") << quint64{0} << Indices{4, 1, 7, 5, 3, 9, 0, 8, 6, 2};
        QTest::newRow("seed 42") << quint64{42} << Indices{2, 6, 1, 8, 4, 5, 0, 9, 3, 7};
    }
    void partsArePyTorchsPermutation() {
        QFETCH(quint64, seed);
        QFETCH(Indices, permutation);
        const auto permuted = seededSplit(10, seed, SplitOrder::Permuted);
        QCOMPARE(permuted.train, Indices(permutation.begin(), permutation.begin() + 8));
        QCOMPARE(permuted.test, Indices(permutation.begin() + 8, permutation.end()));
        auto sorted = seededSplit(10, seed, SplitOrder::Sorted);
        std::sort(permutation.begin(), permutation.begin() + 8);
        std::sort(permutation.begin() + 8, permutation.end());
        QCOMPARE(sorted.train, Indices(permutation.begin(), permutation.begin() + 8));
        QCOMPARE(sorted.test, Indices(permutation.begin() + 8, permutation.end()));
    }

    void theOfficialStreamsPermutationBeginsAsRecorded() {
        // Order of a hundred classes with seed 1, recorded from the official sampler.
        const Indices recorded{45, 15, 90, 32, 35, 63, 17, 72, 79, 96, 48, 36};
        const auto split = seededSplit(100, 1, SplitOrder::Permuted);
        QCOMPARE(Indices(split.train.begin(), split.train.begin() + 12), recorded);
    }

    void sizesAreThoseOfThePublishedSplits_data() {
        QTest::addColumn<qint64>("count");
        QTest::addColumn<qint64>("train");
        QTest::newRow("ImageNet-R") << qint64{30000} << qint64{24000};
        QTest::newRow("CUB-200-2011") << qint64{11788} << qint64{9430};
        QTest::newRow("GTSRB") << qint64{39209} << qint64{31367};
        QTest::newRow("one") << qint64{1} << qint64{0};
        QTest::newRow("none") << qint64{0} << qint64{0};
        QTest::newRow("five") << qint64{5} << qint64{4};
    }
    void sizesAreThoseOfThePublishedSplits() {
        QFETCH(qint64, count);
        QFETCH(qint64, train);
        for (const auto order : {SplitOrder::Sorted, SplitOrder::Permuted}) {
            auto split = seededSplit(count, 0, order);
            QCOMPARE(std::ssize(split.train), train);
            QCOMPARE(split.train, splitPart(count, 0, true, order == SplitOrder::Sorted));
            // Together they contain everything, once.
            split.train.insert(split.train.end(), split.test.begin(), split.test.end());
            std::sort(split.train.begin(), split.train.end());
            Indices all(static_cast<std::size_t>(count));
            std::iota(all.begin(), all.end(), 0);
            QCOMPARE(split.train, all);
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestSeededSplit)

}  // namespace tst_seeded_split

#include "tst_seeded_split.moc"
