// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <vector>

#include "engine/support/truncated_normal.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_truncated_normal {

class TestTruncatedNormal : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void threadsChangeNothing_data() {
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("threads");
        for (const int count : {0, 1, 8192, 16384, 70001, 300000})
            for (const int threads : {1, 2, 5}) QTest::addRow("%d by %d", count, threads) << count << threads;
    }

    void threadsChangeNothing() {
        QFETCH(int, count);
        QFETCH(int, threads);
        Random one(7, 3), many(7, 3);
        std::vector<float> expected(static_cast<std::size_t>(count)), values(expected.size());
        for (float& value : expected) {
            double drawn = one.normal();
            while (drawn < -2 || drawn > 2) drawn = one.normal();
            value = static_cast<float>(drawn * 0.02);
        }
        drawTruncatedNormal(values, many, 0.02, threads);
        QVERIFY(values == expected);
        QCOMPARE(many.word(), one.word());
    }
};

PALIMPSEST_APPLESS_TEST(TestTruncatedNormal)

}  // namespace tst_truncated_normal

#include "tst_truncated_normal.moc"
