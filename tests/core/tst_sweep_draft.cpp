// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/support/error.h"
#include "engine/sweep/sweep_draft.h"
#include "engine/sweep/sweep_plan.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_sweep_draft {

class TestSweepDraft : public QObject {
    Q_OBJECT
private:
    const OptionTable table_{testCatalogue()};

    SweepDraft draft() const {
        SweepDraft draft;
        draft.title = "A \"quoted\" title \\ with a stroke";
        draft.base = table_.defaults();
        draft.base.name = "Mine";
        draft.base.stream.dataset = "shapes";
        draft.base.stream.sessions = 4;
        draft.base.training.learning_rate = 0.0125;
        draft.axes = {{"mask.name", "none, batch"}, {"training.batch_size", "8,16 , 32"}};
        draft.seeds = "1-2, 7";
        return draft;
    }
    QString refusal(const SweepDraft& draft) const {
        try {
            gridOf(table_, draft);
        } catch (const Error& error) {
            return QString::fromStdString(error.sentence());
        }
        return {};
    }

private Q_SLOTS:
    void aDraftIsAnOrdinaryGridFile() {
        const SweepGrid grid = gridOf(table_, draft());
        QCOMPARE(runsOf(grid), std::int64_t{2 * 3 * 3});
        const std::vector<std::string> metrics = grid.metrics;
        const SweepGrid read = parseSweepGrid(table_, formatSweepGrid(grid), "grid.toml", metrics);
        QCOMPARE(sweepDifference(grid, read), std::string());
        QCOMPARE(read.title, draft().title);
        const SweepPlan plan = planSweep(table_, read, "/nowhere/grid.toml");
        QCOMPARE(plan.runs.size(), std::size_t{18});
        QCOMPARE(plan.lines[0].name, std::string("logit mask none, batch 8"));
        // Each run is the experiment with what varies, whatever the preset below it says.
        Experiment wanted = draft().base;
        wanted.mask.name = "batch";
        wanted.training.batch_size = 32;
        wanted.seed = 7;
        const SweepRun& last = plan.runs.back();
        for (const Option& option : table_.options())
            if (option.key != "name")
                QCOMPARE(QString::fromStdString(option.key + table_.text(last.experiment, option)),
                         QString::fromStdString(option.key + table_.text(wanted, option)));
    }

    void valuesWithCommasArePartedBySemicolons() {
        QCOMPARE(axisValues(table_, {"method.g_blocks", "0,1; 2"}).size(), std::size_t{2});
        QCOMPARE(std::get<std::string>(axisValues(table_, {"method.g_blocks", "0,1; 2"})[0]), std::string("0,1"));
    }

    void examplesAreValuesThatTheOptionTakes() {
        for (const Option& option : table_.options()) {
            if (option.key == "seed" || option.key == "name" || option.type == OptionType::Text) continue;
            const std::string values = exampleValues(option);
            if (option.type == OptionType::Choice && option.choices.empty()) continue;
            QVERIFY2(!values.empty(), option.key.c_str());
            try {
                axisValues(table_, {option.key, values});
            } catch (const Error& error) {
                QFAIL(error.what());
            }
        }
        SweepDraft given = draft();
        given.axes = {{"mask.name", ""}};
        QVERIFY2(!refusal(given).contains("8, 16, 32"), qPrintable(refusal(given)));
    }

    void whatIsNoGridIsSaid_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("values");
        QTest::addColumn<QString>("said");
        QTest::newRow("no option") << ""
                                   << "1, 2"
                                   << "no option to vary";
        QTest::newRow("misspelt") << "mask.nome"
                                  << "1"
                                  << "There is no option mask.nome. Did you mean mask.name?";
        QTest::newRow("unknown") << "something"
                                 << "1"
                                 << "There is no option something. Choose one";
        QTest::newRow("seed") << "seed"
                              << "1, 2"
                              << "no option to vary";
        QTest::newRow("no values") << "memory.size"
                                   << " , "
                                   << "memory.size has no values";
        QTest::newRow("word") << "memory.size"
                              << "many"
                              << "memory.size";
        QTest::newRow("out of range") << "training.batch_size"
                                      << "8, 0"
                                      << "training.batch_size";
        QTest::newRow("twice") << "memory.size"
                               << "5, 5"
                               << "twice";
        QTest::newRow("option twice") << "mask.name"
                                      << "seen"
                                      << "two rows of the grid";
    }
    void whatIsNoGridIsSaid() {
        QFETCH(QString, key);
        QFETCH(QString, values);
        QFETCH(QString, said);
        SweepDraft given = draft();
        given.axes.push_back({key.toStdString(), values.toStdString()});
        const QString answer = refusal(given);
        QVERIFY2(answer.contains(said), qPrintable(answer));
    }

    void aGridMayNotBeEmptyOrEndless() {
        SweepDraft given = draft();
        given.axes.clear();
        QVERIFY(refusal(given).contains("Nothing varies"));
        given = draft();
        given.seeds = "1-1000";
        given.axes[1].values = "1, 2, 3, 4, 5, 6";
        QVERIFY(refusal(given).contains("more than 10,000 runs"));
        given.seeds = "one";
        QVERIFY(refusal(given).contains("The seed \"one\" is no whole number"));
    }
};

PALIMPSEST_APPLESS_TEST(TestSweepDraft)

}  // namespace tst_sweep_draft

#include "tst_sweep_draft.moc"
