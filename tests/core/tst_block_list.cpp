// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/config/option_table.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_block_list {

class TestBlockList : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void risingNumbersAreRead_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<qint64>>("blocks");
        QTest::newRow("two") << "0,1" << QList<qint64>{0, 1};
        QTest::newRow("one") << "4" << QList<qint64>{4};
        QTest::newRow("with gaps and spaces") << "2, 3 ,11" << QList<qint64>{2, 3, 11};
        QTest::newRow("none") << "none" << QList<qint64>{};
    }
    void risingNumbersAreRead() {
        QFETCH(QString, text);
        QFETCH(QList<qint64>, blocks);
        const auto read = blockList("method.g_blocks", text.toStdString());
        QCOMPARE(QList<qint64>(read.begin(), read.end()), blocks);
    }

    void anythingElseIsRefusedInOneSentence_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("why");
        QTest::newRow("falling") << "1,0"
                                 << "block 0 comes after 1";
        QTest::newRow("twice") << "2,3,3"
                               << "block 3 twice";
        QTest::newRow("negative") << "-1,0"
                                  << "no list of blocks";
        QTest::newRow("too large") << "0,1000"
                                   << "no list of blocks";
        QTest::newRow("beyond any number") << "99999999999999999999"
                                           << "no list of blocks";
        QTest::newRow("empty") << ""
                               << "no list of blocks";
        QTest::newRow("trailing comma") << "0,1,"
                                        << "no list of blocks";
        QTest::newRow("words") << "0,two"
                               << "no list of blocks";
        QTest::newRow("a fraction") << "1.5"
                                    << "no list of blocks";
        QTest::newRow("none among others") << "0,none"
                                           << "no list of blocks";
    }
    void anythingElseIsRefusedInOneSentence() {
        QFETCH(QString, text);
        QFETCH(QString, why);
        try {
            blockList("method.e_blocks", text.toStdString());
            QFAIL("accepted");
        } catch (const Error& error) {
            const QString message = error.what();
            QVERIFY2(message.startsWith("method.e_blocks is \"" + text + "\", "), error.what());
            QVERIFY2(message.contains(why) && message.endsWith('.'), error.what());
            QVERIFY(error.kind() == ErrorKind::Input && !error.hint().empty());
        }
    }
};

PALIMPSEST_APPLESS_TEST(TestBlockList)

}  // namespace tst_block_list

#include "tst_block_list.moc"
