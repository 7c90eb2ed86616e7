// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/config/experiment_differences.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_experiment_differences {

class TestExperimentDifferences : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    QStringList differences(const std::vector<std::pair<const char*, const char*>>& changes) const {
        const Experiment before = table_.defaults();
        Experiment after = before;
        for (const auto& [key, value] : changes) table_.setText(after, key, value);
        QStringList texts;
        for (const ExperimentDifference& difference : experimentDifferences(table_, before, after))
            texts.append(QString::fromStdString(difference.text()));
        return texts;
    }

private Q_SLOTS:
    void equalExperimentsDifferInNothing() { QCOMPARE(differences({}), QStringList()); }
    void theNameIsNoDifference() { QCOMPARE(differences({{"name", "other"}}), QStringList()); }

    void aDifferenceIsSaidInWords_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("text");
        QTest::newRow("a word of the file") << "mask.name"
                                            << "none"
                                            << "Logit mask: batch → none";
        QTest::newRow("a proper name") << "method.name"
                                       << "l2p"
                                       << "Method: DualPrompt → L2P";
        QTest::newRow("a number with a unit") << "memory.size"
                                              << "500"
                                              << "Memory: none → 500 images";
        QTest::newRow("a file") << "initial_session.prompts"
                                << "/somewhere/learned.safetensors"
                                << "Initial prompts: none → learned.safetensors";
        QTest::newRow("a switch")
            << "method.shift_and_scale"
            << "true"
            << QString("%1: off → on").arg(QString::fromStdString(table_.find("method.shift_and_scale")->title));
    }
    void aDifferenceIsSaidInWords() {
        QFETCH(QString, key);
        QFETCH(QString, value);
        QFETCH(QString, text);
        QCOMPARE(differences({{key.toUtf8().constData(), value.toUtf8().constData()}}), QStringList{text});
    }

    void whatChangesNothingInEitherIsLeftOut() {
        // There is no replay without a memory.
        QCOMPARE(differences({{"memory.batch_size", "16"}}), QStringList());
        QCOMPARE(differences({{"memory.batch_size", "16"}, {"memory.size", "100"}}).size(), 2);
    }

    void aValueThatIsOnlySpelledOutIsNoDifference() {
        Experiment before = table_.defaults(), after = before;
        before.memory.size = after.memory.size = 100;
        after.memory.batch_size = after.training.batch_size;
        QVERIFY(experimentDifferences(table_, before, after).empty());
    }
};

PALIMPSEST_GUILESS_TEST(TestExperimentDifferences)

}  // namespace tst_experiment_differences

#include "tst_experiment_differences.moc"
