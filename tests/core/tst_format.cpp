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

    void aTieIsRoundedAwayFromZeroInEveryFormat() {
        QCOMPARE(fixedText(34.25, 1), std::string("34.3"));
        QCOMPARE(fixedText(-34.25, 1), std::string("-34.3"));
        QCOMPARE(fixedText(12.5, 0), std::string("13"));
        QCOMPARE(fixedText(-0.04, 1), std::string("0.0"));
        QCOMPARE(perCent(0.3425), std::string("34.3"));
        QCOMPARE(perCentColumn(0.3425), std::string(" 34.3 %"));
        QCOMPARE(perCentColumn(-0.0004), std::string("  0.0 %"));
        QCOMPARE(byteCount(1'125), std::string("1.13 kB"));
    }
};

PALIMPSEST_GUILESS_TEST(TestFormat)

}  // namespace tst_format

#include "tst_format.moc"
