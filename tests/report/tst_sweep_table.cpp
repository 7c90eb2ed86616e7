// SPDX-License-Identifier: GPL-3.0-or-later
#include <QRegularExpression>
#include <QTest>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/report/markup.h"
#include "engine/report/sweep_table.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;

namespace tst_sweep_table {

namespace {

constexpr double kMissing = -1;

/// values[line][seed]; kMissing: that run has not finished.
struct Made {
    SweepPlan plan;
    std::vector<SweepResult> results;
};

Made made(const std::vector<std::vector<double>>& values, const std::vector<std::string>& names = {}) {
    Made all;
    all.plan.title = "Title";
    all.plan.metrics = {"a_auc", "f_last"};
    for (std::size_t line = 0; line < values.size(); ++line) {
        all.plan.lines.push_back({names.empty() ? "Row " + std::to_string(line + 1) : names[line], 0});
    }
    for (std::size_t seed = 0; seed < values.front().size(); ++seed) {
        all.plan.seeds.push_back(static_cast<std::int64_t>(seed) + 1);
        for (std::size_t line = 0; line < values.size(); ++line) {
            SweepRun run;
            run.line = line;
            run.experiment.seed = all.plan.seeds.back();
            run.experiment.training.batch_size = 32;
            all.plan.runs.push_back(run);
            SweepResult result;
            result.state = values[line][seed] == kMissing ? RecordedState::Failed : RecordedState::Finished;
            result.summary.a_auc = values[line][seed];
            result.summary.seconds = 10 * static_cast<double>(line + 1);
            result.summary.images_per_second = 250;
            result.summary.batch_seconds = 0.08;  // a little less than 32 images take: some batches are short
            result.threads = 1;
            result.parameters = 1000 * static_cast<std::int64_t>(line);
            all.results.push_back(result);
        }
    }
    return all;
}

SweepTable tableOf(const Made& all) {
    return tabulate(all.plan, all.results);
}

double slowMean(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double slowDeviation(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += std::pow(value - slowMean(values), 2);
    return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

bool near(double a, double b) {
    return std::abs(a - b) < 1e-12;
}

}  // namespace

class TestSweepTable : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void meansAndDeviationsAreThoseOfTheSeeds() {
        const std::vector<double> values = {0.41, 0.44, 0.52, 0.47};
        const SweepTable table = tableOf(made({{0.1, 0.2, 0.3, 0.4}, values}));
        const SweepTableLine& line = table.lines[1];
        QCOMPARE(line.runs, std::int64_t{4});
        QVERIFY(near(line.cells[0].value.mean, slowMean(values)));
        QVERIFY(near(line.cells[0].value.deviation, slowDeviation(values)));
        QCOMPARE(line.seconds.mean, 20.0);
        QVERIFY(near(line.batch_seconds.mean, 0.08));
        QCOMPARE(line.parameters, std::int64_t{1000});
    }

    void differencesArePairedBySeed() {
        // The rows differ by 0.1 on each seed, though the seeds differ by far more.
        const SweepTable table = tableOf(made({{0.1, 0.5, 0.9}, {0.2, 0.6, 1.0}}));
        QVERIFY(near(table.lines[1].cells[0].difference().mean, 0.1));
        QVERIFY(near(table.lines[1].cells[0].difference().deviation, 0));
        QCOMPARE(table.lines[0].cells[0].difference().count, std::int64_t{0});
    }

    void theTimeOfABatchIsThatOfTheRunsThatKnowIt() {
        Made all = made({{0.1, 0.2, 0.3}, {0.1, 0.2, 0.3}});
        all.results[0].summary.batch_seconds = 0.02;
        all.results[2].summary.batch_seconds = 0.04;
        all.results[4].summary.batch_seconds = 0;
        for (const std::size_t unknown : {1, 3, 5}) all.results[unknown].summary.batch_seconds = 0;
        const SweepTable table = tableOf(all);
        QVERIFY(near(table.lines[0].batch_seconds.mean, 0.03));
        QCOMPARE(table.lines[1].batch_seconds.count, std::int64_t{0});
        const std::string text = sweepMarkdown(table);
        QVERIFY2(text.find("| Row 1 | 3 | 20.0 ± 10.0 | – | 10.0 | 30 | – |") != std::string::npos, text.c_str());
        QVERIFY2(text.find("| Row 2 | 3 | 20.0 ± 10.0 | – | 20.0 | – | 1,000 |") != std::string::npos, text.c_str());
    }

    void aMissingSeedIsLeftOutOfTheMeanAndOfThePairs() {
        const SweepTable table = tableOf(made({{0.1, kMissing, 0.3, 0.8}, {0.2, 0.9, kMissing, 0.6}}));
        const SweepTableLine& line = table.lines[1];
        QCOMPARE(line.runs, std::int64_t{3});
        QVERIFY(near(line.cells[0].value.mean, slowMean({0.2, 0.9, 0.6})));
        QCOMPARE(line.cells[0].difference().count, std::int64_t{2});
        QVERIFY(near(line.cells[0].difference().mean, slowMean({0.1, -0.2})));
        QVERIFY(near(line.cells[0].difference().deviation, slowDeviation({0.1, -0.2})));
    }

    void aNumberThatFewerSeedsHaveThanItsRowSaysSo() {
        Made all = made({{0.1, 0.2, 0.3}, {0.2, 0.4, 0.3}});
        QVERIFY(sweepMarkdown(tableOf(all)).find("[n]") == std::string::npos);
        for (std::size_t i = 0; i < 4; ++i) all.results[i].summary.f_last = 0.1 * static_cast<double>(i);
        const std::string text = sweepMarkdown(tableOf(all));
        QVERIFY2(text.find("| Row 2 | 3 | 30.0 ± 10.0 | 20.0 ± 14.1 [2] |") != std::string::npos, text.c_str());
        QVERIFY2(text.find("| Row 2 | Row 1 | 3 | +10.0 ± 10.0 | +10.0 ± 0.0 [2] |") != std::string::npos,
                 text.c_str());
        QCOMPARE(QString::fromStdString(text).count("[n]: only n of them have this number."), qsizetype{2});
        QVERIFY(sweepLatex(tableOf(all)).find("[2]") != std::string::npos);
    }

    void aLineIsComparedWithItsOwnBaseline() {
        Made all = made({{0.1, 0.2}, {0.5, 0.7}, {0.4, 0.4}, {0.6, 0.6}});
        all.plan.lines[1].baseline = 1;
        all.plan.lines[3].baseline = 1;
        const SweepTable table = tableOf(all);
        QCOMPARE(table.lines[1].cells[0].difference().count, std::int64_t{0});
        QVERIFY(near(table.lines[2].cells[0].difference().mean, 0.25));
        QVERIFY(near(table.lines[3].cells[0].difference().mean, 0.0));
        QVERIFY(sweepMarkdown(table).find("| Row 4 | Row 2 | 2 |") != std::string::npos);
    }

    void markdownHasALineARow() {
        QCOMPARE(QString::fromStdString(sweepMarkdown(tableOf(made({{0.10, 0.20}, {0.40, 0.30}})))),
                 QString("# Title\n\n"
                         "In per cent, mean ± sample standard deviation over the seeds.\n\n"
                         "| Row | Seeds | A_AUC | F_Last by session | Seconds | ms a batch | Parameters |\n"
                         "|---|---:|---:|---:|---:|---:|---:|\n"
                         "| Row 1 | 2 | 15.0 ± 7.1 | – | 10.0 | 80 | – |\n"
                         "| Row 2 | 2 | 35.0 ± 7.1 | – | 20.0 | 80 | 1,000 |\n\n"
                         "Differences in percentage points, seed by seed: mean ± sample standard deviation over the "
                         "seeds that both have.\n\n"
                         "| Row | Compared with | Seeds | A_AUC | F_Last by session |\n"
                         "|---|---|---:|---:|---:|\n"
                         "| Row 2 | Row 1 | 2 | +20.0 ± 14.1 | – |\n\n") +
                     QString::fromStdString(markdownText(evidenceCaption(1))) +
                     "\n\n"
                     "| Row | Compared with | Number | Finding | Seeds | Interval | p | p (Holm) |\n"
                     "|---|---|---|---|---:|---:|---:|---:|\n"
                     "| Row 2 | Row 1 | A\\_AUC | two seeds are too few; about 5 would be needed | 2 | "
                     "[−107.1; +147.1] | 0.500 | 0.500 |\n");
    }

    void aSingleSeedHasNoDeviation() {
        const SweepTable table = tableOf(made({{0.5}, {0.4}}));
        const std::string text = sweepMarkdown(table);
        QVERIFY2(text.find("| Row 1 | 1 | 50.0 | – | 10.0 | 80 | – |") != std::string::npos, text.c_str());
        QVERIFY2(text.find("| Row 2 | Row 1 | 1 | −10.0 | – |") != std::string::npos, text.c_str());
        const std::string csv = sweepCsv(table);
        QVERIFY2(csv.find("Row 1,,1,0.5,,,,0,") != std::string::npos, csv.c_str());
    }

    void aRowWithoutAFinishedRunStaysInTheTable() {
        const std::string text = sweepMarkdown(tableOf(made({{0.5, 0.6}, {kMissing, kMissing}})));
        QVERIFY2(text.find("| Row 2 | 0 | – | – | – | – | – |") != std::string::npos, text.c_str());
    }

    void aSingleRowHasNothingToCompareWith() {
        QVERIFY(sweepMarkdown(tableOf(made({{0.5, 0.6}}))).find("Differences") == std::string::npos);
    }

    void csvHasFractionsAndQuotesWhatNeedsIt() {
        const std::string csv = sweepCsv(tableOf(made({{0.25, 0.75}, {0.5, 0.75}}, {"A, \"b\"", "C"})));
        const QStringList lines = QString::fromStdString(csv).split('\n');
        QCOMPARE(lines[0], QString("row,baseline,runs,a_auc_mean,a_auc_std,a_auc_difference,a_auc_difference_std,"
                                   "a_auc_pairs,f_last_mean,f_last_std,f_last_difference,f_last_difference_std,"
                                   "f_last_pairs,seconds,batch_seconds,parameters,a_auc_low,a_auc_high,a_auc_p,"
                                   "a_auc_p_holm,a_auc_seeds_needed,f_last_low,f_last_high,f_last_p,f_last_p_holm,"
                                   "f_last_seeds_needed,precision,device,versions,processors"));
        QVERIFY2(lines[1].startsWith("\"A, \"\"b\"\"\",,2,0.5,0.353553"), qPrintable(lines[1]));
        QVERIFY2(lines[2].startsWith("C,\"A, \"\"b\"\"\",2,0.625,") && lines[2].contains(",2,,,,,0,20,0.08,1000,"),
                 qPrintable(lines[2]));
        QCOMPARE(lines[1].count(',') - 2, lines[0].count(',') - 1);
    }

    void latexIsABooktabsTableWithItsSigns() {
        const std::string tex = sweepLatex(tableOf(made({{0.1, 0.2}, {0.05, 0.1}}, {"50 % & _more_", "Less"})));
        for (const char* part :
             {"% Needs \\usepackage{booktabs}.", "\\caption{Title. In per cent, mean $\\pm$ sample",
              "\\begin{tabular}{lrrrrrr}",
              "Row & Seeds & $A_{\\mathrm{AUC}}$ & $F_{\\mathrm{Last}}$ by session & Seconds & ms a batch & Parameters "
              "\\\\",
              "\\midrule", "50 \\% \\& \\_more\\_ & $2$ & $15.0 \\pm 7.1$ & -- & $10.0$ & $80$ & -- \\\\",
              "Less & 50 \\% \\& \\_more\\_ & $2$ & $-7.5 \\pm 3.5$ & -- \\\\", "\\begin{tabular}{llrrr}",
              "$20.0$ & $80$ & $1{,}000$ \\\\", "\\bottomrule"}) {
            QVERIFY2(tex.find(part) != std::string::npos, (std::string(part) + "\nnot in\n" + tex).c_str());
        }
        for (const char* sign : {"±", "−", "–"}) QVERIFY(tex.find(sign) == std::string::npos);
    }

    void aBarInANameDoesNotBreakTheMarkdown() {
        const std::string text = sweepMarkdown(tableOf(made({{0.5}}, {"a|b|c"})));
        QVERIFY2(text.find("| a\\|b\\|c | 1 |") != std::string::npos, text.c_str());
    }

    void markdownSeesNoTagsOrSignsInNames() {
        Made all = made({{0.5}, {0.5}, {0.5}}, {"<b>*A*", "a`b", "_c_ ~~d~~"});
        all.plan.title = "Kept in <memory>";
        const std::string text = sweepMarkdown(tableOf(all));
        QVERIFY2(text.starts_with("# Kept in \\<memory>\n"), text.c_str());
        QVERIFY2(text.find("| \\<b>\\*A\\* | 1 |") != std::string::npos, text.c_str());
        QVERIFY2(text.find("| a\\`b | \\<b>\\*A\\* | 1 |") != std::string::npos, text.c_str());
        QVERIFY2(text.find("| \\_c\\_ \\~\\~d\\~\\~ | 1 |") != std::string::npos, text.c_str());
        QVERIFY2(text.find("A_AUC") != std::string::npos, text.c_str());
    }

    void onlyWhatTheIntervalTellsApartIsBetter() {
        // Five seeds, each a little better; and as much on average, but from two seeds alone.
        Made all = made({{0.1, 0.2, 0.3, 0.4, 0.5}, {0.11, 0.22, 0.33, 0.44, 0.55}, {0.2, 0.15, 0.38, 0.4, 0.52}});
        for (std::size_t i = 0; i < all.results.size(); ++i)
            all.results[i].summary.f_last = *all.results[i].summary.a_auc;
        const SweepTable table = tableOf(all);
        const std::string text = sweepMarkdown(table);
        // By hand: mean 3, half-width 2.776 · √(2.5 / 5) = 1.96; p = 2 / 32; four comparisons.
        for (const char* line : {"| Row 2 | Row 1 | A\\_AUC | better | 5 | [+1.0; +5.0] | 0.063 | 0.250 |",
                                 "| Row 2 | Row 1 | F\\_Last by session | worse | 5 | [+1.0; +5.0] | 0.063 | 0.250 |",
                                 "| Row 3 | Row 1 | A\\_AUC | not distinguishable with 5 seeds; about "})
            QVERIFY2(text.find(line) != std::string::npos, (std::string(line) + "\nnot in\n" + text).c_str());
        QVERIFY2(text.find("**") == std::string::npos, "nothing is bold");
        QVERIFY(sweepLatex(table).find("& better & $5$ & $[+1.0; +5.0]$ & $0.063$ & $0.250$") != std::string::npos);
        QVERIFY(sweepCsv(table).find(",0.0625,0.25,,") != std::string::npos);
        const auto json = nlohmann::json::parse(sweepDifferencesJson(table));
        QCOMPARE(json.size(), std::size_t{4});
        QCOMPARE(json[0]["finding"].get<std::string>(), std::string("better"));
        QVERIFY(near(json[0]["mean"].get<double>(), 0.03) && near(json[0]["p_holm"].get<double>(), 0.25));
        QVERIFY(json[0]["seeds_needed"].is_null() && json[2]["seeds_needed"].get<int>() > 5);
    }

    void aSingleSeedIsNoEvidence() {
        const std::string text = sweepMarkdown(tableOf(made({{0.5}, {0.4}})));
        QVERIFY2(text.find("one run each: no evidence | 1 | – | – | – |") != std::string::npos, text.c_str());
    }

    void otherPrecisionsDevicesAndVersionsAreSaid() {
        Made all = made({{0.5, 0.6}, {0.5, 0.6}});
        for (SweepResult& result : all.results) {
            result.precision = "float32";
            result.device = "cpu";
            result.versions = "palimpsest 1, libtorch 2";
        }
        QVERIFY(sweepMarkdown(tableOf(all)).find("The runs computed") == std::string::npos);
        // Row 2 alone, both seeds of it.
        all.results[1].precision = all.results[3].precision = "bfloat16";
        all.results[3].device = "cuda";
        all.results[0].versions = "palimpsest 2, libtorch 2";
        const std::string text = sweepMarkdown(tableOf(all));
        for (const char* note :
             {"in different precisions (bfloat16, float32)", "Row 1: float32; Row 2: bfloat16.",
              "on different devices (cpu, cuda)", "Row 1: cpu; Row 2: cpu and cuda.",
              "different versions of the programs (palimpsest 1, libtorch 2; palimpsest 2, libtorch 2)"})
            QVERIFY2(text.find(note) != std::string::npos, (std::string(note) + "\nnot in\n" + text).c_str());
        QVERIFY(sweepLatex(tableOf(all)).find("different precisions") != std::string::npos);
        QVERIFY(sweepCsv(tableOf(all)).find(",bfloat16,cpu; cuda,") != std::string::npos);
    }

    void publishedNumbersStandBesideTheOwn() {
        Made all = made({{0.5, 0.7}, {kMissing, kMissing}, {0.2, 0.4}});
        QVERIFY(!tableOf(all).hasPublished());
        QVERIFY(!QString::fromStdString(sweepCsv(tableOf(all))).contains("published"));
        all.plan.published_in = "A paper, Table 1";
        all.plan.lines[0].published = {{"a_auc", 0.655, 0.021}};
        all.plan.lines[1].published = {{"a_auc", 0.1}};
        const SweepTable table = tableOf(all);
        QVERIFY(table.hasPublished());
        const QString markdown = QString::fromStdString(sweepMarkdown(table));
        QVERIFY2(markdown.contains("Beside the published numbers of A paper, Table 1"), qPrintable(markdown));
        QVERIFY2(markdown.contains(
                     QRegularExpression("\\| Row 1 \\| A\\\\_AUC \\| 2 \\| 60.0 ± 14.1 \\| 65.5 ± 2.1 \\| −5.5 \\|")),
                 qPrintable(markdown));
        QVERIFY2(markdown.contains(QRegularExpression("\\| Row 2 \\| A\\\\_AUC \\| 0 \\| [^|]*\\| 10.0 \\| – \\|")),
                 qPrintable(markdown));
        const QStringList csv = QString::fromStdString(sweepCsv(table)).split('\n');
        QVERIFY2(csv[0].endsWith(",a_auc_published,a_auc_published_std,a_auc_published_difference,f_last_published,"
                                 "f_last_published_std,f_last_published_difference"),
                 qPrintable(csv[0]));
        QVERIFY2(csv[1].contains(",0.655,0.021,-0.05"), qPrintable(csv[1]));
        QVERIFY2(csv[2].endsWith(",0.1,,,,,"), qPrintable(csv[2]));
        QVERIFY2(csv[3].endsWith(",,,,,,"), qPrintable(csv[3]));
        for (int line = 1; line < 4; ++line) QCOMPARE(csv[line].count(','), csv[0].count(','));
        const auto json = nlohmann::json::parse(sweepPublishedJson(table));
        QCOMPARE(json.size(), std::size_t{2});
        QVERIFY(near(json[0]["difference"].get<double>(), 0.6 - 0.655));
        QVERIFY(json[1]["difference"].is_null() && json[1]["published_std"].is_null());
        QVERIFY(QString::fromStdString(sweepLatex(table)).contains("Beside the published numbers"));
    }

    void differentNumbersOfThreadsAreSaid() {
        Made all = made({{0.5, 0.6}});
        QVERIFY(sweepMarkdown(tableOf(all)).find("threads") == std::string::npos);
        all.results[1].threads = 4;
        const std::string note = "different numbers of threads (1, 4)";
        QVERIFY(sweepMarkdown(tableOf(all)).find(note) != std::string::npos);
        QVERIFY(sweepLatex(tableOf(all)).find(note) != std::string::npos);
    }
};

PALIMPSEST_APPLESS_TEST(TestSweepTable)

}  // namespace tst_sweep_table

#include "tst_sweep_table.moc"
