// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "engine/config/experiment_file.h"
#include "engine/support/error.h"
#include "engine/support/file_io.h"
#include "engine/sweep/sweep_grid.h"
#include "engine/sweep/sweep_plan.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;

namespace tst_sweep_grid {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kMetrics = {"a_auc", "a_last_overall", "f_last_classwise", "a_last", "f_last", "a_avg"};

const char* const kWhole = R"(title = "Masks"
seeds = [3, 1]
metrics = ["a_avg", "a_auc"]
[set]
"stream.sessions" = 4
stream.dataset = "shapes"
[[row]]
name = "None"
set = { "mask.name" = "none" }
[[row]]
name = "Batch"
[vary]
"training.batch_size" = [8, 32]
"memory.size" = [0, 500]
)";

const char* const kSessions = R"(seeds = [1]
published_in = "A paper, Table 4"
metrics = ["a_auc", "a_last"]
[set]
"stream.dataset" = "shapes"
[[initial_session]]
name = "FAM"
set = { "initial_session.prompts" = "fam", "initial_session.epochs" = 2 }
[[initial_session]]
name = "Naive"
seed = 7
set = { "initial_session.prompts" = "naive" }
[[initial_session]]
name = "Again"
set = { "initial_session.prompts" = "fam", "initial_session.epochs" = 2 }
[[row]]
name = "Without"
set = { "mask.name" = "none" }
[[row]]
name = "With"
initial_session = "FAM"
set = { "initial_session.load" = "general" }
published = { a_auc = [80.55, 2.17], a_last = 40 }
[[row]]
name = "Naive"
initial_session = "Naive"
baseline = "With"
[[row]]
name = "With again"
initial_session = "Again"
)";

}  // namespace

class TestSweepGrid : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everythingAGridSaysIsRead() {
        const SweepGrid grid = parse(kWhole);
        QCOMPARE(grid.title, std::string("Masks"));
        QCOMPARE(grid.base, std::string("default"));
        QCOMPARE(grid.seeds, (std::vector<std::int64_t>{3, 1}));
        QCOMPARE(grid.metrics, (std::vector<std::string>{"a_avg", "a_auc"}));
        QCOMPARE(grid.rows.size(), std::size_t{2});
        QCOMPARE(grid.rows[0].settings.front().key, std::string("mask.name"));
        QCOMPARE(grid.axes.size(), std::size_t{2});
        std::set<std::string> keys;
        for (const SweepSetting& setting : grid.settings) keys.insert(setting.key);
        QCOMPARE(keys, (std::set<std::string>{"stream.sessions", "stream.dataset"}));
    }

    void metricsAreThePapersUnlessSaid() {
        QCOMPARE(parse("seeds = [1]").metrics,
                 (std::vector<std::string>{"a_auc", "a_last_overall", "f_last_classwise", "a_last", "f_last"}));
    }

    void aMistakeIsNamedWithItsLine_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* toml, const char* part) {
            QTest::newRow(name) << QString(toml) << QString(part);
        };
        row("no TOML", "seeds = [1\n", "this is not TOML");
        row("unknown key", "seeds = [1]\ntitel = \"x\"", "line 2: unknown key titel. Did you mean title?");
        row("unknown key of a row", "seeds = [1]\n[[row]]\nname = \"A\"\nsett = 1",
            "line 4: row \"A\": unknown key sett. Did you mean set?");
        row("unknown option", "seeds = [1]\n[set]\n\"stream.sesions\" = 3",
            "line 3: unknown option stream.sesions. Did you mean stream.sessions?");
        row("unknown option of a row", "seeds = [1]\n[[row]]\nname = \"A\"\nset = { \"mask.nam\" = \"none\" }",
            "line 4: row \"A\": unknown option mask.nam. Did you mean mask.name?");
        row("value an option does not take", "seeds = [1]\n[[row]]\nname = \"A\"\nset = { \"mask.name\" = \"nonee\" }",
            "row \"A\": mask.name is \"nonee\"");
        row("the nearest value", "seeds = [1]\n[set]\n\"mask.name\" = \"nonee\"", "Did you mean none? The guide");
        row("value out of range", "seeds = [1]\n[vary]\n\"stream.sessions\" = [5, 0]",
            "line 3: vary: stream.sessions is 0, but must be a whole number from 1 to 1000");
        row("no seeds", "title = \"x\"", "there is no list of seeds");
        row("empty seeds", "seeds = []", "seeds must be a list with at least one entry");
        row("a seed twice", "seeds = [1, 2, 1]", "seeds holds 1 twice");
        row("a seed below zero", "seeds = [-1]", "seeds: seed is -1");
        row("unknown number", "seeds = [1]\nmetrics = [\"a_auk\"]", "no number \"a_auk\". Did you mean a_auc?");
        row("no list of values", "seeds = [1]\n[vary]\n\"memory.size\" = 3", "vary: memory.size must be a list");
        row("a value twice", "seeds = [1]\n[vary]\n\"training.learning_rate\" = [1, 1.0]",
            "vary: training.learning_rate holds 1.0 twice");
        row("an option in two forms", "seeds = [1]\n[set]\n\"memory.size\" = 3\nmemory.size = 5",
            "line 4: memory.size is given twice");
        row("varied in two forms", "seeds = [1]\n[vary]\nmemory.size = [1]\n\"memory.size\" = [2]",
            "line 4: vary: memory.size is given twice");
        row("seed as an option", "seeds = [1]\n[set]\nseed = 3", "seed stands in the list seeds");
        row("name as an option", "seeds = [1]\n[set]\nname = \"x\"", "name is that of the row");
        row("row without a name", "seeds = [1]\n[[row]]\nset = {}", "line 2: a row has no name");
        row("rows of one name", "seeds = [1]\n[[row]]\nname = \"A\"\n[[row]]\nname = \"A\"",
            "line 4: two rows are called \"A\"");
        row("varied and set", "seeds = [1]\n[set]\n\"memory.size\" = 3\n[vary]\n\"memory.size\" = [1]",
            "line 5: memory.size stands in [vary] and in [set]");
        row("two at once", "seed = [1]\n[[rows]]\nname = \"A\"",
            "line 1: unknown key seed. Did you mean seeds? Line 1:");
    }
    void aMistakeIsNamedWithItsLine() {
        QFETCH(QString, toml);
        QFETCH(QString, part);
        const QString message = complaint([&] { parse(toml.toStdString()); });
        QVERIFY2(message.startsWith("grid.toml, line ") && message.contains(part), qPrintable(message));
    }

    void everyCombinationOfEveryRowIsRunWithEverySeed() {
        const SweepPlan plan = planned(kWhole);
        std::vector<std::string> names;
        for (const SweepLine& line : plan.lines) names.push_back(line.name);
        QCOMPARE(names, (std::vector<std::string>{"None, batch 8, memory 0", "None, batch 8, memory 500",
                                                  "None, batch 32, memory 0", "None, batch 32, memory 500",
                                                  "Batch, batch 8, memory 0", "Batch, batch 8, memory 500",
                                                  "Batch, batch 32, memory 0", "Batch, batch 32, memory 500"}));
        QCOMPARE(plan.runs.size(), std::size_t{16});
        for (std::size_t i = 0; i < plan.runs.size(); ++i) {
            const SweepRun& run = plan.runs[i];
            QCOMPARE(run.number, static_cast<std::int64_t>(i) + 1);
            QCOMPARE(run.line, i % 8);
            QCOMPARE(run.experiment.seed, std::int64_t{i < 8 ? 3 : 1});
            QCOMPARE(run.experiment.name, names[i % 8]);
            QCOMPARE(run.experiment.mask.name, std::string(i % 8 < 4 ? "none" : "batch"));
            QCOMPARE(run.experiment.training.batch_size, std::int64_t{i % 4 < 2 ? 8 : 32});
            QCOMPARE(run.experiment.memory.size, std::int64_t{i % 2 == 0 ? 0 : 500});
            QCOMPARE(run.experiment.stream.sessions, std::int64_t{4});
        }
        QCOMPARE(plan.runs[1].folder, std::string("002-none-batch-8-memory-500-seed-3"));
    }

    void aLineIsComparedWithTheFirstRowAtTheSameValues() {
        const SweepPlan rows = planned(kWhole);
        for (std::size_t line = 0; line < rows.lines.size(); ++line) QCOMPARE(rows.lines[line].baseline, line % 4);
        const SweepPlan alone = planned("seeds = [1]\n[vary]\n\"memory.size\" = [0, 1, 2]");
        for (const SweepLine& line : alone.lines) QCOMPARE(line.baseline, std::size_t{0});
        QCOMPARE(alone.lines[2].name, std::string("memory 2"));
    }

    void aGridOfNothingButSeedsIsTheBaseAlone() {
        const SweepPlan plan = planned("seeds = [1, 2]");
        QCOMPARE(plan.lines.size(), std::size_t{1});
        QCOMPARE(plan.lines[0].name, std::string("Batch mask"));
    }

    void folderNamesAreSafeWhateverARowIsCalled() {
        const SweepPlan plan = planned("seeds = [1]\n[[row]]\nname = \"../a b/ÄÖ? \"\n[[row]]\nname = \"::\"");
        QCOMPARE(plan.runs[0].folder, std::string("001-a-b-seed-1"));
        QCOMPARE(plan.runs[1].folder, std::string("002-seed-1"));
    }

    void optionsAtOddsNameTheRowBeforeAnythingRuns() {
        const QString message = complaint([&] {
            planned(
                "seeds = [1]\n[[row]]\nname = \"Fine\"\n[[row]]\nname = \"Odd\"\nset = { \"method.name\" = \"clib\" }\n"
                "[vary]\n\"memory.size\" = [500, 0]");
        });
        QVERIFY2(message.contains("\"Odd, memory 0\": memory.size is 0, but CLIB learns from its memory alone"),
                 qPrintable(message));
    }

    void anAbsurdNumberOfRunsIsRefused() {
        std::string toml = "seeds = [1]\n[vary]\n";
        for (const char* key :
             {"memory.size", "training.batch_size", "stream.sessions", "stream.test_limit", "stream.train_limit"}) {
            toml += std::string("\"") + key + "\" = [";
            for (int value = 1; value <= 10; ++value) toml += std::to_string(1000 - value) + ",";
            toml += "]\n";
        }
        const QString message = complaint([&] { planned(toml); });
        QVERIFY2(message.contains("asks for more than 10,000 runs"), qPrintable(message));
    }

    void moreRowsThanCanBeRunAreRefused() {
        std::string toml = "seeds = [1]\n";
        for (int i = 0; i < 50'000; ++i) toml += "[[row]]\nname = \"" + std::to_string(i) + "\"\n";
        const QString message = complaint([&] { parse(toml); });
        QVERIFY2(message.contains("there are more than 10,000 rows"), qPrintable(message));
    }

    void aBaseAndAnIndexListAreNamedFromTheGridsFolder() {
        QTemporaryDir folder;
        write(folder.filePath("mine.toml"), "name = \"Mine\"\n[stream]\nsessions = 7\n");
        const SweepGrid grid = parse(
            "base = \"mine.toml\"\nseeds = [1]\n[set]\n\"stream.partition\" = \"imported\"\n\"stream.index_list\" = "
            "\"list.json\"");
        const SweepPlan plan = planSweep(table_, grid, folder.filePath("grid.toml").toStdString());
        QCOMPARE(plan.lines[0].name, std::string("Mine"));
        QCOMPARE(plan.runs[0].experiment.stream.sessions, std::int64_t{7});
        QCOMPARE(plan.runs[0].experiment.stream.index_list, folder.filePath("list.json").toStdString());
        const QString missing = complaint([&] {
            planSweep(table_, parse("base = \"none.toml\"\nseeds = [1]"), folder.filePath("grid.toml").toStdString());
        });
        QVERIFY2(missing.contains(folder.filePath("none.toml")), qPrintable(missing));
        QVERIFY2(missing.startsWith(folder.filePath("grid.toml") + ", base: "), qPrintable(missing));
    }

    void gridsThatAskForTheSameDoNotDiffer() {
        QCOMPARE(sweepDifference(parse(kWhole), parse(std::string("# a word\n") + kWhole)), std::string());
    }

    void anExperimentIsSaidToBeOne() {
        const auto told = [&](const std::string& toml) -> std::string {
            try {
                parseSweepGrid(table_, toml, "x.toml", kMetrics);
            } catch (const Error& error) {
                return error.what();
            }
            return "";
        };
        const std::string whole = formatExperiment(table_, table_.defaults());
        for (const std::string& toml : {whole, std::string("[stream]\nsessions = 3\n"), std::string("name = \"A\"\n")})
            QCOMPARE(told(toml), std::string("x.toml is an experiment, not a grid of runs."));
        for (const char* toml : {"title = \"x\"", "seed = 1", "[stream]\nsessions = 3\n[set]\n", ""})
            QVERIFY2(told(toml).starts_with("x.toml, line "), told(toml).c_str());
    }

    void gridsThatDifferSayInWhat_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("difference");
        QTest::newRow("seeds") << "[3, 1]"
                               << "[3, 1, 2]"
                               << "seeds: 3, 1 there, 3, 1, 2 here";
        QTest::newRow("base") << "seeds"
                              << "base = \"no-mask\"\nseeds"
                              << "base: default there, no-mask here";
        QTest::newRow("setting") << "sessions\" = 4"
                                 << "sessions\" = 5"
                                 << "set, stream.sessions: 4 there, 5 here";
        QTest::newRow("row") << "\"Batch\""
                             << "\"Other\""
                             << "rows: None, Batch there, None, Other here";
        QTest::newRow("a row's setting") << "\"none\""
                                         << "\"seen\""
                                         << "row \"None\", mask.name: none there, seen here";
        QTest::newRow("a new axis") << "[vary]"
                                    << "[vary]\n\"evaluation.every_samples\" = [1]"
                                    << "vary, evaluation.every_samples: nothing there, 1 here";
    }
    void gridsThatDifferSayInWhat() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, difference);
        QString changed(kWhole);
        changed.replace(from, to);
        QVERIFY(changed != kWhole);
        QCOMPARE(QString::fromStdString(sweepDifference(parse(kWhole), parse(changed.toStdString()))), difference);
    }

    void whatAGridAddsIsTold_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("added");
        const char* const kSeeds = "[3, 1]";
        QTest::newRow("a seed behind") << kSeeds << "[3, 1, 2]"
                                       << "seed 2";
        QTest::newRow("seeds between") << kSeeds << "[4, 3, 5, 1]"
                                       << "seeds 4 and 5";
        QTest::newRow("many") << kSeeds << "[3, 1, 4, 5, 6, 7, 8, 9]"
                              << "6 seeds";
        QTest::newRow("a row") << "[vary]"
                               << "[[row]]\nname = \"Seen\"\nset = { \"mask.name\" = \"seen\" }\n[vary]"
                               << "row \"Seen\"";
        QTest::newRow("a row and its initial session")
            << "[[row]]\nname = \"None\""
            << "[[initial_session]]\nname = \"FAM\"\n[[row]]\nname = \"New\"\ninitial_session = \"FAM\"\n[[row]]\nname "
               "= \"None\""
            << "row \"New\"";
        QTest::newRow("nothing") << kSeeds << "[3,  1]"
                                 << "";
        QTest::newRow("one gone") << kSeeds << "[3, 2]"
                                  << "";
        QTest::newRow("another order") << kSeeds << "[1, 3, 2]"
                                       << "";
        QTest::newRow("a row that is called otherwise") << "\"Batch\""
                                                        << "\"Other\""
                                                        << "";
        QTest::newRow("another value to vary") << "[8, 32]"
                                               << "[8, 32, 64]"
                                               << "";
        QTest::newRow("another setting") << "seeds = [3, 1]"
                                         << "seeds = [3, 1, 2]\nbase = \"no-mask\""
                                         << "";
    }
    void whatAGridAddsIsTold() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, added);
        QString changed(kWhole);
        changed.replace(from, to);
        QVERIFY(changed != kWhole);
        const std::optional<SweepAddition> found = sweepAddition(parse(kWhole), parse(changed.toStdString()));
        QCOMPARE(found.has_value(), !added.isEmpty());
        if (found) QCOMPARE(QString::fromStdString(found->text()), added);
    }

    // Without rows the base is the only one; rows would take its place.
    void rowsAreNotAddedToTheBaseAlone() {
        QVERIFY(!sweepAddition(parse("seeds = [1]\n"), parse("seeds = [1]\n[[row]]\nname = \"New\"\n")));
        QVERIFY(sweepAddition(parse("seeds = [1]\n"), parse("seeds = [1, 2]\n")).has_value());
    }

    void seedsAreWrittenIntoAGrid_data() {
        QTest::addColumn<QString>("before");
        QTest::addColumn<QString>("after");
        QTest::newRow("one line") << "# of me\nseeds = [1, 2]  # two\n"
                                  << "# of me\nseeds = [1, 2, 7, 9]  # two\n";
        QTest::newRow("lines") << "seeds = [\n 1, # é\n 2, # b\n]\n"
                               << "seeds = [\n 1, # é\n 2, 7, 9, # b\n]\n";
        QTest::newRow("has one") << "seeds = [9]\n"
                                 << "seeds = [9, 7]\n";
        QTest::newRow("has both") << "seeds = [7, 9]\n"
                                  << "seeds = [7, 9]\n";
        QTest::newRow("none") << "seeds = [ ]\n"
                              << "seeds = [7, 9 ]\n";
        QTest::newRow("a mark before") << "\uFEFFseeds = [1]\n"
                                       << "\uFEFFseeds = [1, 7, 9]\n";
        QTest::newRow("rows behind") << "title = \"seeds = [1]\"\nseeds = [1]\n[[row]]\nname = \"x\"\n"
                                     << "title = \"seeds = [1]\"\nseeds = [1, 7, 9]\n[[row]]\nname = \"x\"\n";
    }
    void seedsAreWrittenIntoAGrid() {
        QFETCH(QString, before);
        QFETCH(QString, after);
        const std::vector<std::int64_t> seeds = {7, 9, 7};
        QCOMPARE(QString::fromStdString(withMoreSeeds(before.toStdString(), "grid.toml", seeds)), after);
        QVERIFY(complaint([&] { withMoreSeeds("title = \"x\"", "grid.toml", seeds); }).contains("no list of seeds"));
    }

    // A base whose settings the rows replace may change.
    void theBasesOfTwoPlansAreCompared() {
        const SweepGrid grid = parse("seeds = [1, 2]\n[vary]\n\"mask.name\" = [\"none\", \"seen\"]\n");
        const Experiment there = table_.defaults();
        Experiment here = there;
        here.name = "Another name";
        here.mask.name = "seen";
        QCOMPARE(sweepBaseDifference(table_, grid, "grid.toml", there, here), std::string());
        here.stream.sessions = there.stream.sessions + 1;
        QCOMPARE(sweepBaseDifference(table_, grid, "grid.toml", there, here),
                 "stream.sessions: " + std::to_string(there.stream.sessions) + " there, " +
                     std::to_string(here.stream.sessions) + " here");
    }

    // The copy in the folder of a sweep has its base beside it, whatever lies where its own `base` leads.
    void aKeptGridHasItsBaseBesideIt() {
        QTemporaryDir folder;
        const fs::path grid = fs::path(folder.path().toStdString()) / "sweep.toml";
        write(folder.filePath("mine.toml"), "[stream]\nsessions = 7\n");
        write(folder.filePath(kKeptBase), "[stream]\nsessions = 6\n");
        const SweepGrid found = parse("base = \"mine.toml\"\nseeds = [1]\n");
        QCOMPARE(planSweep(table_, found, grid).runs[0].experiment.stream.sessions, std::int64_t{6});
        QCOMPARE(planSweep(table_, found, grid.parent_path() / "grid.toml").runs[0].experiment.stream.sessions,
                 std::int64_t{7});
    }

    void everyGridOfTheProgramResolves_data() {
        QTest::addColumn<QString>("name");
        // tst_paper_grids checks those of the paper, which want more than comes with the program.
        for (const std::string& name : sweepNames())
            if (!name.starts_with("paper/")) QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    void everyGridOfTheProgramResolves() {
        QFETCH(QString, name);
        const OptionTable any{Catalogue{}};  // without a catalogue any word is accepted
        const std::filesystem::path file = findSweepGrid(name.toStdString());
        const SweepPlan plan = planSweep(any, parseSweepGrid(any, readTextFile(file), file.string(), kMetrics), file);
        // Tables of the present network have ten seeds, those of the first one five, and rates are chosen with three.
        const bool first = name.startsWith("first-network/");
        QCOMPARE(plan.runs.front().experiment.backbone.name == "palimpsest-vit", first);
        QCOMPARE(plan.seeds.size(), std::size_t{first ? 5u : name == "rates" ? 3u : 10u});
        QVERIFY(plan.lines.size() >= 2);
        QVERIFY(!plan.title.empty());
        for (const SweepRun& run : plan.runs) {
            const Experiment& experiment = run.experiment;
            // Rows must differ in what they compare, whatever machine each of their runs finds.
            QCOMPARE(experiment.threads, std::int64_t{1});
            QCOMPARE(experiment.precision, std::string("float32"));
            const bool unseen = experiment.stream.dataset == "fractals";
            QCOMPARE(unseen, name.endsWith("-fractals") || name == "rates");
            // The backbone's 300 classes and those that prompts are adapted to do not count.
            const auto adapted = experiment.initial_session.classes + experiment.initial_session.other_classes;
            if (unseen) QVERIFY(experiment.stream.first_class >= std::max<std::int64_t>(300, adapted));
        }
    }

    void theGridsOfThePaperAreThere() {
        const std::vector<std::string> names = sweepNames();
        for (const char* name : {"methods", "components", "components-clothes", "masks", "adaptation", "initialised",
                                 "prompts", "rates", "first-network/methods", "first-network/components-fractals",
                                 "first-network/pace-fractals", "paper/table-1"}) {
            QVERIFY2(std::find(names.begin(), names.end(), name) != names.end(), name);
        }
        const QString message = complaint([] { findSweepGrid("mask"); });
        QVERIFY2(message.contains("Did you mean masks?") && message.contains("components"), qPrintable(message));
    }

    void aGridFileThatIsMissingIsNoUnknownName() {
        for (const char* file : {"nodir/x.toml", "./masks", "masks.toml", "paper/masks.toml"}) {
            const QString message = complaint([&] { findSweepGrid(file); });
            QVERIFY2(message.contains(QString("There is no file %1.").arg(file)), qPrintable(message));
            QVERIFY2(!message.contains("components"), qPrintable(message));
        }
        const QTemporaryDir folder;
        const QString taken = complaint([&] { findSweepGrid(folder.path().toStdString()); });
        QVERIFY2(taken.contains(folder.path() + " is a folder."), qPrintable(taken));
        const QString message = complaint([] { findSweepGrid("paper/tabel-1"); });
        QVERIFY2(message.contains("Did you mean paper/table-1?"), qPrintable(message));
    }

    void rowsNameTheirInitialSessionBaselineAndPublishedNumbers() {
        const SweepGrid grid = parse(kSessions);
        QCOMPARE(grid.published_in, std::string("A paper, Table 4"));
        QCOMPARE(grid.sessions.size(), std::size_t{3});
        QCOMPARE(grid.sessions[0].name, std::string("FAM"));
        QCOMPARE(grid.sessions[0].seed, std::int64_t{1});
        QCOMPARE(grid.sessions[1].seed, std::int64_t{7});
        QCOMPARE(grid.sessions[1].settings.front().key, std::string("initial_session.prompts"));
        QCOMPARE(grid.rows[1].initial_session, std::string("FAM"));
        QCOMPARE(grid.rows[2].baseline, std::string("With"));
        QCOMPARE(grid.rows[1].published.size(), std::size_t{2});
        const auto& first =
            grid.rows[1].published[0].metric == "a_auc" ? grid.rows[1].published[0] : grid.rows[1].published[1];
        QCOMPARE(first.mean, 0.8055);
        QCOMPARE(first.deviation.value_or(-1), 0.0217);
        QVERIFY(!(grid.rows[1].published[0].metric == "a_auc" ? grid.rows[1].published[1] : grid.rows[1].published[0])
                     .deviation);
    }

    void promptsArePlannedOnceForAllRowsThatAskForTheSame() {
        SweepPlan plan = planned(kSessions);
        // "Again" has the settings of "FAM", and no row names "Unused".
        QCOMPARE(plan.prompts.size(), std::size_t{2});
        QCOMPARE(plan.prompts[0].name, std::string("FAM"));
        QVERIFY(QString::fromStdString(plan.prompts[0].file).startsWith("fam-"));
        QVERIFY(plan.prompts[0].file != plan.prompts[1].file);
        QCOMPARE(plan.prompts[0].experiment.seed, std::int64_t{1});
        QCOMPARE(plan.prompts[0].experiment.initial_session.epochs, std::int64_t{2});
        std::vector<std::optional<std::size_t>> places;
        for (std::size_t line = 0; line < plan.lines.size(); ++line) places.push_back(plan.runs[line].prompts);
        QCOMPARE(places, (std::vector<std::optional<std::size_t>>{std::nullopt, 0, 1, 0}));
        // A run's file says how its prompts were made.
        QCOMPARE(plan.runs[1].experiment.initial_session.epochs, std::int64_t{2});
        QCOMPARE(plan.runs[1].experiment.initial_session.prompts, plan.prompts[0].file);
        QCOMPARE(plan.runs[1].experiment.initial_session.load, std::string("general"));
        placePrompts(plan, "/sweep/prompts");
        QCOMPARE(plan.runs[1].experiment.initial_session.prompts, "/sweep/prompts/" + plan.prompts[0].file);
        QCOMPARE(plan.runs[0].experiment.initial_session.prompts, std::string("none"));
        QCOMPARE(plan.lines[2].baseline, std::size_t{1});
        QCOMPARE(plan.lines[3].baseline, std::size_t{0});
        QCOMPARE(plan.lines[1].published.size(), std::size_t{2});
    }

    void otherSettingsMakeOtherPrompts_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<bool>("same");
        QTest::newRow("epochs") << "epochs\" = 2"
                                << "epochs\" = 3" << false;
        QTest::newRow("seed") << "name = \"FAM\""
                              << "name = \"FAM\"\nseed = 2" << false;
        QTest::newRow("backbone") << "[set]"
                                  << "[set]\n\"backbone.weights\" = \"random\"" << false;
        QTest::newRow("what a stream learns") << "[set]"
                                              << "[set]\n\"training.batch_size\" = 8" << true;
        QTest::newRow("a row's") << "\"mask.name\" = \"none\""
                                 << "\"mask.name\" = \"seen\"" << true;
    }
    void otherSettingsMakeOtherPrompts() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(bool, same);
        QString changed(kSessions);
        changed.replace(from, to);
        QVERIFY(changed != kSessions);
        QCOMPARE(planned(changed.toStdString()).prompts[0].file == planned(kSessions).prompts[0].file, same);
    }

    void publishedNumbersMakeNoOtherGrid() {
        QString changed(kSessions);
        changed.replace("80.55", "12.34").replace("baseline = \"With\"\n", "");
        QVERIFY(changed != kSessions);
        QCOMPARE(sweepDifference(parse(kSessions), parse(changed.toStdString())), std::string());
        changed.replace("epochs\" = 2", "epochs\" = 9");
        QCOMPARE(sweepDifference(parse(kSessions), parse(changed.toStdString())),
                 std::string("initial session \"FAM\", initial_session.epochs: 2 there, 9 here"));
    }

    void whatDoesNotFitAnInitialSessionIsSaid_data() {
        QTest::addColumn<QString>("toml");
        QTest::addColumn<QString>("part");
        const auto row = [](const char* name, const char* toml, const char* part) {
            QTest::newRow(name) << QString(toml) << QString(part);
        };
        row("no such session",
            "seeds = [1]\n[[row]]\nname = \"A\"\ninitial_session = \"FOM\"\n[[initial_session]]\nname = \"FAM\"",
            "row \"A\": there is no initial session \"FOM\". Did you mean FAM?");
        row("no such row", "seeds = [1]\n[[row]]\nname = \"A\"\nbaseline = \"B\"", "row \"A\": there is no row \"B\"");
        row("two of one name", "seeds = [1]\n[[initial_session]]\nname = \"F\"\n[[initial_session]]\nname = \"F\"",
            "two initial sessions are called \"F\"");
        row("an unknown key", "seeds = [1]\n[[initial_session]]\nname = \"F\"\nsed = 1",
            "initial session \"F\": unknown key sed. Did you mean seed?");
        row("prompts twice",
            "seeds = [1]\n[[initial_session]]\nname = \"F\"\n[[row]]\nname = \"A\"\ninitial_session = \"F\"\nset = { "
            "\"initial_session.prompts\" = \"fam\" }",
            "already says what initial_session.prompts is");
        row("an unknown number", "seeds = [1]\n[[row]]\nname = \"A\"\npublished = { a_auk = 3 }",
            "published: there is no number \"a_auk\". Did you mean a_auc?");
        row("not among the metrics",
            "seeds = [1]\nmetrics = [\"a_avg\"]\n[[row]]\nname = \"A\"\npublished = { a_auc = 3 }",
            "published has a_auc, which is not among metrics");
        row("no number", "seeds = [1]\n[[row]]\nname = \"A\"\npublished = { a_auc = [1, 2, 3] }",
            "must be a mean in per cent");
        row("of several lines",
            "seeds = [1]\n[[row]]\nname = \"A\"\npublished = { a_auc = 3 }\n[vary]\n\"memory.size\" = [0, 1]",
            "[vary] makes several of the row");
        row("nothing to adapt",
            "seeds = [1]\n[[initial_session]]\nname = \"F\"\n[[row]]\nname = \"A\"\ninitial_session = \"F\"",
            "initial_session.prompts is none, which is no way to adapt prompts");
        row("a method without prompts",
            "seeds = [1]\n[[initial_session]]\nname = \"F\"\nset = { \"initial_session.prompts\" = \"fam\", "
            "\"method.name\" = \"linear-probe\" }\n[[row]]\nname = \"A\"\ninitial_session = \"F\"",
            "method.name is linear-probe, which has no prompts to adapt");
        row("another backbone",
            "seeds = [1]\n[[initial_session]]\nname = \"F\"\nset = { \"initial_session.prompts\" = \"fam\" }\n"
            "[[row]]\nname = \"A\"\ninitial_session = \"F\"\nset = { \"backbone.weights\" = \"random\" }",
            "\"A\": backbone.weights is random, but its initial session \"F\" has embedded.");
    }
    void whatDoesNotFitAnInitialSessionIsSaid() {
        QFETCH(QString, toml);
        QFETCH(QString, part);
        const QString message = complaint([&] { planned(toml.toStdString()); });
        QVERIFY2(message.startsWith("grid.toml, ") && message.contains(part), qPrintable(message));
    }

private:
    template <class Action>
    static QString complaint(const Action& action) {
        try {
            action();
        } catch (const Error& error) {
            return QString::fromStdString(error.sentence());
        }
        return "nothing was wrong";
    }

    static void write(const QString& path, const std::string& text) {
        std::ofstream(path.toStdString(), std::ios::binary) << text;
    }

    SweepGrid parse(const std::string& toml) const { return parseSweepGrid(table_, toml, "grid.toml", kMetrics); }
    SweepPlan planned(const std::string& toml) const { return planSweep(table_, parse(toml), "grid.toml"); }

    const OptionTable table_{testCatalogue()};
};

PALIMPSEST_APPLESS_TEST(TestSweepGrid)

}  // namespace tst_sweep_grid

#include "tst_sweep_grid.moc"
