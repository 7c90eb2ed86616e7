// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <limits>

#include "tests/support/test_program.h"
#include "ui/datasets/dataset_text.h"

using namespace palimpsest;

namespace tst_dataset_text {

class TestDatasetText : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bytesAreReadable_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<QString>("text");
        QTest::newRow("none") << qint64(0) << "0 bytes";
        QTest::newRow("negative") << qint64(-5) << "0 bytes";
        QTest::newRow("few") << qint64(999) << "999 bytes";
        QTest::newRow("thousand") << qint64(1000) << "1.00 kB";
        QTest::newRow("rounding never shows four digits") << qint64(999'600'000) << "1.00 GB";
        QTest::newRow("tens") << qint64(30'878'645) << "30.9 MB";
        QTest::newRow("hundreds") << qint64(169'001'437) << "169 MB";
        QTest::newRow("most there is") << std::numeric_limits<qint64>::max() << "9223372 TB";
    }
    void bytesAreReadable() {
        QFETCH(qint64, bytes);
        QFETCH(QString, text);
        QCOMPARE(bytesText(bytes), text);
    }

    void theShareNeverLeavesItsRange_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("total");
        QTest::addColumn<double>("share");
        QTest::newRow("half") << qint64(5) << qint64(10) << 0.5;
        QTest::newRow("more than all") << qint64(50) << qint64(10) << 1.0;
        QTest::newRow("less than nothing") << qint64(-1) << qint64(10) << 0.0;
        QTest::newRow("of an unknown length") << qint64(5) << qint64(0) << -1.0;
        QTest::newRow("of a negative length") << qint64(5) << qint64(-3) << -1.0;
    }
    void theShareNeverLeavesItsRange() {
        QFETCH(qint64, bytes);
        QFETCH(qint64, total);
        QFETCH(double, share);
        QCOMPARE(shareOf({"", "", bytes, total, 0}), share);
    }

    void thePaceLeavesOutWhatIsNotKnown_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("total");
        QTest::addColumn<double>("speed");
        QTest::addColumn<QString>("text");
        QTest::newRow("all known") << qint64(10'000'000) << qint64(30'000'000) << 4e6
                                   << "10.0 MB of 30.0 MB · 4.00 MB/s · 5 s left";
        QTest::newRow("no length") << qint64(10'000'000) << qint64(0) << 4e6 << "10.0 MB · 4.00 MB/s";
        QTest::newRow("no speed") << qint64(10'000'000) << qint64(30'000'000) << 0.0 << "10.0 MB of 30.0 MB";
        QTest::newRow("no number") << qint64(0) << qint64(10) << std::numeric_limits<double>::quiet_NaN()
                                   << "0 bytes of 10 bytes";
        QTest::newRow("endless speed") << qint64(0) << qint64(10) << std::numeric_limits<double>::infinity()
                                       << "0 bytes of 10 bytes";
        QTest::newRow("more than all") << qint64(40) << qint64(30) << 4e6 << "40 bytes of 30 bytes · 4.00 MB/s";
        QTest::newRow("hardly moving") << qint64(0) << qint64(30'000'000'000) << 1.0 << "0 bytes of 30.0 GB · 1 byte/s";
        QTest::newRow("nothing") << qint64(0) << qint64(0) << 0.0 << "";
    }
    void thePaceLeavesOutWhatIsNotKnown() {
        QFETCH(qint64, bytes);
        QFETCH(qint64, total);
        QFETCH(double, speed);
        QFETCH(QString, text);
        QCOMPARE(paceText(DatasetProgress{"Downloading", "a.gz", bytes, total, speed}), text);
    }

    void factsLeaveOutWhatIsNotKnown() {
        DatasetCard card;
        QVERIFY(factsText(card).isEmpty());
        card.classes = 100;
        card.train = 50'000;
        card.test = 10'000;
        card.bytes = 169'001'437;
        QCOMPARE(factsText(card), QString("100 classes · 60,000 images · 169 MB"));
        card.train = 0;
        QCOMPARE(factsText(card), QString("100 classes · 169 MB"));
        card.train = 50'000;
        card.bytes = 0;
        card.procedural = true;
        QCOMPARE(factsText(card), QString("100 classes · 60,000 images · drawn by the program"));
    }
};

PALIMPSEST_APPLESS_TEST(TestDatasetText)

}  // namespace tst_dataset_text

#include "tst_dataset_text.moc"
