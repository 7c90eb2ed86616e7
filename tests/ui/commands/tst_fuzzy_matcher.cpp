// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "tests/support/test_program.h"
#include "ui/commands/fuzzy_matcher.h"

using namespace palimpsest;

namespace tst_fuzzy_matcher {

class TestFuzzyMatcher : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aFewLettersFindWhatIsMeant_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("text");
        QTest::newRow("nothing asked") << ""
                                       << "Learning rate";
        QTest::newRow("the beginning") << "lea"
                                       << "Learning rate";
        QTest::newRow("a later word") << "rate"
                                      << "Learning rate";
        QTest::newRow("inside a word") << "arn"
                                       << "Learning rate";
        QTest::newRow("first letters") << "lr"
                                       << "Learning rate";
        QTest::newRow("pieces of words") << "expfig"
                                         << "Export figure";
        QTest::newRow("words in another order") << "figure export"
                                                << "Export figure";
        QTest::newRow("capitals") << "EXPORT"
                                  << "Export figure";
        QTest::newRow("after a sign") << "auc"
                                      << "A_AUC";
    }
    void aFewLettersFindWhatIsMeant() {
        QFETCH(QString, query);
        QFETCH(QString, text);
        QVERIFY(FuzzyMatcher(query).match(text));
    }

    void whatIsNotMeantIsNotFound_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("text");
        QTest::newRow("a letter too many") << "learningg"
                                           << "Learning rate";
        QTest::newRow("letters in another order") << "rl"
                                                  << "Learning rate";
        QTest::newRow("one of two words") << "learning figure"
                                          << "Learning rate";
        QTest::newRow("spread from inside a word") << "er"
                                                   << "Learning rate";
        QTest::newRow("scattered by chance") << "epgr"
                                             << "Export figure";
        QTest::newRow("an empty text") << "a"
                                       << "";
    }
    void whatIsNotMeantIsNotFound() {
        QFETCH(QString, query);
        QFETCH(QString, text);
        QVERIFY(!FuzzyMatcher(query).match(text));
    }

    void theNearerOneScoresHigher_data() {
        QTest::addColumn<QString>("query");
        QTest::addColumn<QString>("near");
        QTest::addColumn<QString>("far");
        QTest::newRow("beginning before a later word") << "save"
                                                       << "Save experiment"
                                                       << "Never save";
        QTest::newRow("a word before its inside") << "rate"
                                                  << "Learning rate"
                                                  << "Separate heads";
        QTest::newRow("together before spread") << "mem"
                                                << "Memory"
                                                << "Mask every method";
        QTest::newRow("short before long") << "seed"
                                           << "Seed"
                                           << "Seed of the stream of images";
    }
    void theNearerOneScoresHigher() {
        QFETCH(QString, query);
        QFETCH(QString, near);
        QFETCH(QString, far);
        const FuzzyMatcher matcher(query);
        const auto a = matcher.match(near), b = matcher.match(far);
        QVERIFY(a && b);
        QVERIFY2(a->score > b->score, qPrintable(QString("%1 %2").arg(a->score).arg(b->score)));
    }

    void thePlacesAreThoseOfTheLettersFound() {
        QCOMPARE(FuzzyMatcher("rate").match("Learning rate")->places, (QList<int>{9, 10, 11, 12}));
        QCOMPARE(FuzzyMatcher("lr").match("Learning rate")->places, (QList<int>{0, 9}));
        // Both words find the same letters once.
        QCOMPARE(FuzzyMatcher("le lea").match("Learning rate")->places, (QList<int>{0, 1, 2}));
    }

    void whatIsNotShownIsFoundToo() {
        const FuzzyMatcher matcher("optimizer");
        QVERIFY(!matcher.match("Update rule"));
        const auto found = matcher.match("Update rule", "training.optimizer");
        QVERIFY(found && found->places.isEmpty());
        QVERIFY(found->score < matcher.match("Optimizer")->score);
    }
};

PALIMPSEST_TEST(TestFuzzyMatcher)

}  // namespace tst_fuzzy_matcher

#include "tst_fuzzy_matcher.moc"
