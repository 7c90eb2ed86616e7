// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/state/throttle.h"

using namespace palimpsest;

namespace tst_throttle {

class TestThrottle : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFirstTimeIsAtOnceAndManyTimesAreOne() {
        int turns = 0;
        Throttle pacer(
            20, [&] { ++turns; }, nullptr);
        pacer.ask();
        QCOMPARE(turns, 1);
        for (int i = 0; i < 10; ++i) pacer.ask();
        QCOMPARE(turns, 1);
        QVERIFY(pacer.waiting());
        QTRY_COMPARE(turns, 2);
        QVERIFY(!pacer.waiting());
    }

    void whatIsForgottenIsNotDone() {
        int turns = 0;
        Throttle pacer(
            3600 * 1000, [&] { ++turns; }, nullptr);
        pacer.ask();
        pacer.ask();
        pacer.forget();
        QVERIFY(!pacer.waiting());
        QCOMPARE(turns, 1);
        pacer.ask();
        QCOMPARE(turns, 2);
    }
};

PALIMPSEST_GUILESS_TEST(TestThrottle)

}  // namespace tst_throttle

#include "tst_throttle.moc"
