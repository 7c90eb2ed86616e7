// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "tests/support/watched_model.h"
#include "ui/pretrained/adaptation_log.h"

using namespace palimpsest;
using namespace palimpsest::testing;

namespace tst_adaptation_log {

class TestAdaptationLog : public QObject {
    Q_OBJECT
private:
    static AdaptationProgress report(std::int64_t step) {
        return {.step = step, .epoch = 1, .samples_seen = 10 * step, .loss = 2, .other_loss = 1, .accuracy = 0.5};
    }

private Q_SLOTS:
    void reportsAreAppendedCutAndEmptied() {
        AdaptationLog log;
        watch(log);
        log.restart(true);
        log.append({report(1), report(2)});
        log.append({});
        log.append({report(5)});
        QCOMPARE(columnOf(log, AdaptationLog::Step), (QStringList{"1", "2", "5"}));
        QCOMPARE(columnOf(log, AdaptationLog::Accuracy).first(), QString("50.0 %"));
        QVERIFY(!columnOf(log, AdaptationLog::OtherLoss).first().isEmpty());
        QCOMPARE(log.nearest(3.4), qsizetype(1));
        QCOMPARE(log.nearest(100), qsizetype(2));
        log.keepUpTo(2);
        QCOMPARE(columnOf(log, AdaptationLog::Images), (QStringList{"10", "20"}));
        log.append({report(3)});
        QCOMPARE(log.rowCount(), 3);
        log.restart(false);
        QCOMPARE(log.rowCount(), 0);
        QCOMPARE(log.nearest(1), qsizetype(-1));
        log.append({report(1)});
        QCOMPARE(columnOf(log, AdaptationLog::OtherLoss), QStringList{QString()});
    }
};

PALIMPSEST_GUILESS_TEST(TestAdaptationLog)

}  // namespace tst_adaptation_log

#include "tst_adaptation_log.moc"
