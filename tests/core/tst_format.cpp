// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/support/format.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_format {

class TestFormat : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void durationsAreExactAndEstimatesAreNot_data() {
        QTest::addColumn<double>("seconds");
        QTest::addColumn<QString>("exact");
        QTest::addColumn<QString>("rough");
        QTest::newRow("nothing") << 0.0 << "0 s"
                                 << "5 s";
        QTest::newRow("seconds") << 41.6 << "42 s"
                                 << "40 s";
        QTest::newRow("nearly a minute") << 58.0 << "58 s"
                                         << "1 min";
        QTest::newRow("minutes") << 185.0 << "3 min 05 s"
                                 << "3 min";
        QTest::newRow("half a minute more") << 2376.0 << "39 min 36 s"
                                            << "40 min";
        QTest::newRow("nearly an hour") << 3580.0 << "59 min 40 s"
                                        << "1 h 00 min";
        QTest::newRow("hours") << 3725.0 << "1 h 02 min"
                               << "1 h 02 min";
    }
    void durationsAreExactAndEstimatesAreNot() {
        QFETCH(double, seconds);
        QTEST(QString::fromStdString(duration(seconds)), "exact");
        QTEST(QString::fromStdString(roughDuration(seconds)), "rough");
    }
};

PALIMPSEST_GUILESS_TEST(TestFormat)

}  // namespace tst_format

#include "tst_format.moc"
