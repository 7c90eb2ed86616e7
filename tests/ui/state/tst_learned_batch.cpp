// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/state/learned_batch.h"

using namespace palimpsest;

namespace tst_learned_batch {

class TestLearnedBatch : public QObject {
    Q_OBJECT
private:
    /// Sessions of five and three images; image i is of class labels()[i].
    static StreamPlan plan() {
        StreamPlan plan;
        plan.sessions = {{4, 0, 1, 2, 3}, {7, 6, 5}};
        return plan;
    }
    static std::vector<std::int32_t> labels() { return {0, 0, 1, 1, 2, 3, 2, 4}; }

private Q_SLOTS:
    void itIsTheBatchThatEndsThereOrHoldsTheMoment_data() {
        QTest::addColumn<qint64>("moment");
        QTest::addColumn<qint64>("number");
        QTest::addColumn<qint64>("begin");
        QTest::addColumn<QList<qint64>>("samples");
        QTest::newRow("the first") << qint64(1) << qint64(1) << qint64(0) << QList<qint64>{4, 0};
        QTest::newRow("its end") << qint64(2) << qint64(1) << qint64(0) << QList<qint64>{4, 0};
        QTest::newRow("the next") << qint64(3) << qint64(2) << qint64(2) << QList<qint64>{1, 2};
        QTest::newRow("short, at a session's end") << qint64(5) << qint64(3) << qint64(4) << QList<qint64>{3};
        QTest::newRow("another session") << qint64(6) << qint64(4) << qint64(5) << QList<qint64>{7, 6};
        QTest::newRow("the last") << qint64(8) << qint64(5) << qint64(7) << QList<qint64>{5};
    }
    void itIsTheBatchThatEndsThereOrHoldsTheMoment() {
        QFETCH(qint64, moment);
        QFETCH(qint64, number);
        QFETCH(qint64, begin);
        QFETCH(QList<qint64>, samples);
        const auto batch = learnedBatch(plan(), labels(), 2, moment);
        QVERIFY(batch);
        QCOMPARE(qint64(batch->number), number);
        QCOMPARE(qint64(batch->count), qint64(5));
        QCOMPARE(qint64(batch->begin), begin);
        QCOMPARE(QList<qint64>(batch->samples.begin(), batch->samples.end()), samples);
    }

    void classesComeInTheirOrder() {
        const auto batch = learnedBatch(plan(), labels(), 2, 7);
        QVERIFY(batch);
        QCOMPARE(batch->labels, (std::vector<std::int32_t>{4, 2}));
        QCOMPARE(batch->seen, (std::vector<std::int32_t>{2, 0, 1, 4}));
        QCOMPARE(batch->session, (std::vector<std::int32_t>{4, 2}));
        QCOMPARE(batch->whole_session, (std::vector<std::int32_t>{4, 2, 3}));
    }

    void whatDoesNotFitIsNoBatch() {
        QVERIFY(!learnedBatch(plan(), labels(), 2, 0));
        QVERIFY(!learnedBatch(plan(), labels(), 2, 9));
        QVERIFY(!learnedBatch(plan(), labels(), 0, 3));
        const std::vector<std::int32_t> few{0, 1};
        QVERIFY(!learnedBatch(plan(), few, 2, 3));
    }
};

PALIMPSEST_APPLESS_TEST(TestLearnedBatch)

}  // namespace tst_learned_batch

#include "tst_learned_batch.moc"
