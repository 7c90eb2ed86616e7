// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>
#include <chrono>
#include <fstream>
#include <map>
#include <set>

#include "engine/record/run_folder_writer.h"
#include "engine/report/averages.h"
#include "engine/report/captions.h"
#include "engine/report/publication.h"
#include "engine/report/report.h"
#include "engine/report/report_figures.h"
#include "engine/report/report_inputs.h"
#include "engine/report/result_tables.h"
#include "engine/report/run_groups.h"
#include "engine/support/error.h"
#include "tests/datasets/errors.h"
#include "tests/support/test_catalogue.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;

namespace tst_report {

namespace fs = std::filesystem;

namespace {

struct FakeRun {
    std::int64_t seed = 1;
    double accuracy = 0.5;  ///< of every evaluation
    std::string mask = "batch";
    std::string stream = "a1b2c3d4e5f60718";
    RunEnd end = RunEnd::Finished;
    std::string precision = "float32";
    std::int64_t sessions = 2;  ///< sessions that end; the stream has two
    bool summary = true;        ///< false: killed before the summary
    std::int64_t memory = 0;
    std::int64_t replayed = 0;  ///< memory.batch_size
    std::string method = "dualprompt";
    std::optional<double> router = std::nullopt;
    std::string name = "Two <sessions>";
    std::int64_t general = 0;  ///< tokens of the general prompt; 0: not known
};

class Runs {
public:
    fs::path folder() const { return fs::path(folder_.path().toStdString()); }
    fs::path out() const { return folder() / "out"; }

    /// Writes a run of two sessions of 1000 images and four evaluations, in the way a real one is written.
    fs::path add(const std::string& name, const FakeRun& fake) {
        Experiment experiment = table.defaults();
        experiment.name = fake.name;
        experiment.seed = fake.seed;
        experiment.stream.sessions = 2;
        experiment.memory.size = fake.memory;
        experiment.memory.batch_size = fake.replayed;
        table.setText(experiment, "mask.name", fake.mask);
        table.setText(experiment, "method.name", fake.method);
        const auto writer = RunFolderWriter::createExact(table, experiment, folder() / "runs" / name);
        auto plan = std::make_shared<StreamPlan>();
        plan->sessions = {std::vector<std::int64_t>(1000), std::vector<std::int64_t>(1000)};
        RunStarted started;
        started.experiment = experiment;
        started.plan = plan;
        started.fingerprint = fake.stream;
        started.device = "cpu";
        started.precision = fake.precision;
        started.total_samples = 2000;
        if (fake.general > 0) started.prompt_lengths["method.g_length"] = fake.general;
        started.warnings = {"Session 2 has no disjoint class.", "memory.size is 0, so nothing is replayed."};
        writer->onStarted(started);
        for (std::int64_t k = 1; k <= 2 * fake.sessions; ++k) {
            Evaluated evaluated;
            evaluated.samples_seen = k * 500 - fake.seed;
            evaluated.session = (k - 1) / 2;
            evaluated.accuracy = fake.accuracy;
            writer->onEvaluated(evaluated);
            if (k % 2 == 0) {
                SessionEnded ended;
                ended.session = k / 2 - 1;
                ended.accuracies = {{0, fake.accuracy + 0.1, 100}};
                if (k == 4) {
                    ended.accuracies.push_back({1, 0, 0});
                }
                writer->onSessionEnded(ended);
            }
        }
        RunEnded ended;
        ended.how = fake.end;
        ended.error = fake.end == RunEnd::Failed ? "The disk is full." : "";
        ended.summary.a_auc = fake.accuracy;
        ended.summary.a_last = fake.accuracy;
        ended.summary.f_last = 0.1;
        ended.summary.router_accuracy = fake.router;
        ended.summary.sessions_ended = fake.sessions;
        ended.summary.peak_memory_bytes = 310'400'000;
        writer->onEnded(ended);
        if (!fake.summary) fs::remove(writer->folder() / "summary.json");
        return writer->folder();
    }

    std::vector<fs::path> write(const std::vector<fs::path>& inputs, const std::vector<std::string>& formats) {
        return writeReport(table, {inputs, out(), formats});
    }

    ReportedRuns group(const std::vector<fs::path>& inputs) {
        std::vector<RunRecord> records;
        for (const fs::path& input : collectRunFolders(inputs)) {
            records.push_back(readRun(table, input));
        }
        return groupRuns(table, std::move(records));
    }

    const OptionTable table{testCatalogue()};

private:
    QTemporaryDir folder_;
};

std::string bytes(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

bool mentions(const std::vector<std::string>& warnings, const std::string& part) {
    return std::any_of(warnings.begin(), warnings.end(),
                       [&](const std::string& warning) { return warning.find(part) != std::string::npos; });
}

bool same(double a, double b) {
    return std::abs(a - b) < 1e-12;
}

}  // namespace

class ReportTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void seedsAreAveragedWithTheSampleDeviation();
    void otherSettingsMakeAnotherGroup();
    void whatIsIdleIsNotToldOfAGroup();
    void groupsThatNothingTellsApartAreNumbered();
    void aReplayBatchThatIsSpelledOutMakesNoOtherGroup();
    void aSeedRunTwiceCountsOnce();
    void importedResultsAreWholeAndHaveNoSettings();
    void unfinishedRunsAreLeftOutAndNamed();
    void aRunThatGoesOnIsLeftOutBesideStoppedOnes();
    void aRunChangedOnItsWayIsNoSeedOfTheOthers();
    void differentNumbersOfSeedsAreNamed();
    void whereOneLineIsAMeanAllSayTheirNumberOfSeeds();
    void attemptsThatWereRunAgainAreSummedUp();
    void aLoneUnfinishedRunIsShown();
    void ofUnfinishedRunsTheOneThatGotFurthestCounts();
    void theNumbersOfUnfinishedRunsSayHowFarTheyGo();
    void aCrashedRunHasItsAreaSoFar();
    void tablesCountSessionsAsRunFoldersDo();
    void severalSeedsOfOneSessionHaveAWhisker();
    void theNumberOfSeedsIsThatOfEachSession();
    void unequalConditionsAreNamed();
    void sessionsWithoutTestDataAreNoZeros();
    void damagedRetentionRowsAreIgnored();
    void foldersOfAnyNameAreReported();
    void bordersAndAreaAreDrawnForASingleRunOnly();
    void aFolderOfRunsIsTheSameAsItsRuns();
    void aSweepIsInTheOrderOfItsGrid_data();
    void aSweepIsInTheOrderOfItsGrid();
    void aGridKeptAmongRunsMakesThemNoSweep();
    void filesOfEveryFormatAreWritten();
    void whatFewMethodsHaveNeedsNoColumnWithoutThem();
    void theSameRunsGiveTheSameBytes();
    void thePageIsSelfContainedAndWellFormed();
    void thePageTellsDifferencesWithTheirDirection();
    void aLongNameIsShortInTablesAndWholeInItsTip();
    void lengthsOfPromptsThatDifferAreListedThoughNobodyGaveThem();
    void experimentsOfOtherPrecisionsAreWarnedOf();
    void unknownFormatsAndStylesAreRefusedWithTheKnownOnes();
    void aFormatOfWhichThereIsNothingIsSaid();
    void badRequestsAreOneSentence_data();
    void badRequestsAreOneSentence();
};

void ReportTest::seedsAreAveragedWithTheSampleDeviation() {
    Runs runs;
    for (const auto& [seed, accuracy] : std::vector<std::pair<int, double>>{{1, 0.5}, {2, 0.6}, {3, 0.7}}) {
        runs.add("run" + std::to_string(seed), {.seed = seed, .accuracy = accuracy});
    }
    const ReportedRuns set = runs.group({runs.folder() / "runs"});
    QCOMPARE(set.groups.size(), std::size_t{1});
    const auto points = averageAnytime(set.groups.front());
    QCOMPARE(points.size(), std::size_t{4});
    QCOMPARE(points[0].accuracy.count, 3);
    QVERIFY(same(points[0].accuracy.mean, 0.6));
    QVERIFY(same(points[0].accuracy.deviation, 0.1));
    QVERIFY(same(points[0].samples_seen, 498));
    const Spread area = averageMetric(set.groups.front(), metrics().front());
    QVERIFY(same(area.mean, 0.6));
    QCOMPARE(averageMetric(set.groups.front(), metrics()[4]).count, 0);
    const auto retention = averageRetention(set.groups.front());
    QVERIFY(same(retention[1][0].mean, 0.7));
}

void ReportTest::otherSettingsMakeAnotherGroup() {
    Runs runs;
    const fs::path batch = runs.add("a", {});
    const fs::path none = runs.add("b", {.mask = "none"});
    const ReportedRuns set = runs.group({batch, none});
    QCOMPARE(set.groups.size(), std::size_t{2});
    QCOMPARE(set.groups[0].name, std::string("Two <sessions>, logit mask: Classes of the batch"));
    QCOMPARE(set.groups[1].name, std::string("Two <sessions>, logit mask: No mask"));
    QVERIFY(set.same_stream);
    QVERIFY(set.warnings.empty());
    const auto options = differingOptions(runs.table, set.groups);
    QCOMPARE(options.size(), std::size_t{1});
    QCOMPARE(options.front()->key, std::string("mask.name"));
}

void ReportTest::whatIsIdleIsNotToldOfAGroup() {
    Runs runs;
    const fs::path er = runs.add("a", {.mask = "seen", .method = "er"});
    const fs::path ace = runs.add("b", {.mask = "none", .method = "er-ace"});
    const ReportedRuns set = runs.group({er, ace});
    QCOMPARE(set.groups[0].name, std::string("Two <sessions>, method: ER"));
    QCOMPARE(set.groups[1].name, std::string("Two <sessions>, method: ER-ACE"));
    const auto options = differingOptions(runs.table, set.groups);
    QCOMPARE(options.size(), std::size_t{1});
    QCOMPARE(options.front()->key, std::string("method.name"));
    // ER-ACE is not described by it even if others differ in it.
    const ReportedRuns three = runs.group({er, ace, runs.add("c", {.mask = "batch", .method = "er"})});
    QCOMPARE(three.groups[0].name, std::string("Two <sessions>, method: ER, logit mask: Seen classes"));
    QCOMPARE(three.groups[1].name, std::string("Two <sessions>, method: ER-ACE"));
    const auto files = runs.write({er, ace, runs.folder() / "runs" / "c"}, {"html"});
    const std::string page = bytes(files.front());
    QVERIFY(page.find("<code>mask.name</code></th><td>seen</td><td>–</td><td>batch</td>") != std::string::npos);
}

void ReportTest::groupsThatNothingTellsApartAreNumbered() {
    Runs runs;
    const ReportedRuns set = runs.group(
        {runs.add("a", {.mask = "none", .method = "er-ace"}), runs.add("b", {.mask = "seen", .method = "er-ace"})});
    QCOMPARE(set.groups.size(), std::size_t{2});
    QCOMPARE(set.groups[0].name, std::string("Two <sessions> (1)"));
    QCOMPARE(set.groups[1].name, std::string("Two <sessions> (2)"));
    QVERIFY(differingOptions(runs.table, set.groups).empty());
}

void ReportTest::aReplayBatchThatIsSpelledOutMakesNoOtherGroup() {
    Runs runs;
    const std::int64_t arrive = runs.table.defaults().training.batch_size;
    const fs::path same = runs.add("a", {.memory = 500});
    const fs::path spelled = runs.add("b", {.seed = 2, .memory = 500, .replayed = arrive});
    const fs::path other = runs.add("c", {.memory = 500, .replayed = arrive + 1});
    QCOMPARE(runs.group({same, spelled}).groups.size(), std::size_t{1});
    QCOMPARE(runs.group({same, spelled, other}).groups.size(), std::size_t{2});
    const fs::path none = runs.add("d", {});
    const fs::path ignored = runs.add("e", {.seed = 2, .replayed = arrive});
    QCOMPARE(runs.group({none, ignored}).groups.size(), std::size_t{1});
    // It is not named either if something else differs.
    const ReportedRuns set = runs.group({runs.add("f", {.mask = "none", .memory = 500, .replayed = arrive}), same});
    const auto options = differingOptions(runs.table, set.groups);
    QCOMPARE(options.size(), std::size_t{1});
    QCOMPARE(options.front()->key, std::string("mask.name"));
}

void ReportTest::aSeedRunTwiceCountsOnce() {
    Runs runs;
    const fs::path first = runs.add("a", {.accuracy = 0.4});
    const fs::path second = runs.add("b", {.accuracy = 0.4});
    const ReportedRuns set = runs.group({first, second, first});
    QCOMPARE(set.groups.front().runs.size(), std::size_t{1});
    QVERIFY(mentions(set.warnings, "more than once"));
}

void ReportTest::importedResultsAreWholeAndHaveNoSettings() {
    Runs runs;
    std::vector<RunRecord> records = {readRun(runs.table, runs.add("own", {.mask = "batch"})),
                                      readRun(runs.table, runs.add("paper", {.mask = "none", .stream = ""}))};
    records[1].state = RecordedState::Imported;
    records[1].experiment.name = "Paper";
    const ReportedRuns set = groupRuns(runs.table, std::move(records));
    QCOMPARE(set.groups.size(), std::size_t{2});
    QVERIFY(set.groups[1].complete);
    QVERIFY(set.groups[1].imported());
    QVERIFY(mentions(set.warnings, "“Paper” was imported"));
    QVERIFY(!mentions(set.warnings, "not finished"));
    QVERIFY(!mentions(set.warnings, "different streams"));
    QVERIFY(differingOptions(runs.table, set.groups).empty());
    QVERIFY(!set.same_stream);
}

void ReportTest::unfinishedRunsAreLeftOutAndNamed() {
    Runs runs;
    const fs::path whole = runs.add("whole", {.seed = 1});
    const fs::path broken = runs.add("broken", {.seed = 2, .end = RunEnd::Failed});
    const ReportedRuns set = runs.group({whole, broken});
    QCOMPARE(set.groups.front().runs.size(), std::size_t{1});
    QCOMPARE(set.groups.front().runs.front().experiment.seed, 1);
    QVERIFY(mentions(set.warnings, "“broken” has not finished (failed: The disk is full."));
    QVERIFY(mentions(set.warnings, "left out"));
}

void ReportTest::aRunThatGoesOnIsLeftOutBesideStoppedOnes() {
    Runs runs;
    std::vector<RunRecord> records = {readRun(runs.table, runs.add("stopped", {.seed = 1, .end = RunEnd::Stopped})),
                                      readRun(runs.table, runs.add("young", {.seed = 2, .sessions = 1}))};
    records[1].state = RecordedState::Running;
    records[0].error = "training.learning_rate is too high.";
    const ReportedRuns set = groupRuns(runs.table, std::move(records));
    QCOMPARE(set.groups.front().runs.size(), std::size_t{1});
    QCOMPARE(averageAnytime(set.groups.front()).size(), std::size_t{4});
    QVERIFY(mentions(set.warnings, "“young” has not finished (running); it is left out."));
    QVERIFY(mentions(set.warnings, "what it has so far is shown"));
    QVERIFY(mentions(set.warnings, "(stopped: Learning rate is too high.)"));
}

void ReportTest::aRunChangedOnItsWayIsNoSeedOfTheOthers() {
    Runs runs;
    std::vector<RunRecord> records;
    for (int seed = 1; seed <= 3; ++seed)
        records.push_back(readRun(runs.table, runs.add("run" + std::to_string(seed), {.seed = seed})));
    records[2].changes = {{"mask.name", "none", 800}};
    const ReportedRuns set = groupRuns(runs.table, std::move(records));
    QCOMPARE(set.groups.size(), std::size_t{2});
    QCOMPARE(set.groups[0].runs.size(), std::size_t{2});
    QCOMPARE(set.groups[0].name, std::string("Two <sessions>, logit mask: Classes of the batch"));
    QCOMPARE(set.groups[1].name, std::string("Two <sessions>, logit mask: batch → none"));
    const std::string page = htmlPage(runs.table, set, {});
    QVERIFY(page.find("Logit mask <code>mask.name</code></th><td>batch</td><td>batch → none</td>") !=
            std::string::npos);
    QVERIFY(page.find("Changed after 800 images: logit mask: No mask") != std::string::npos);
}

void ReportTest::differentNumbersOfSeedsAreNamed() {
    Runs runs;
    for (const int seed : {1, 2, 3}) runs.add("a" + std::to_string(seed), {.seed = seed});
    for (const int seed : {1, 2}) runs.add("b" + std::to_string(seed), {.seed = seed, .mask = "none"});
    const std::vector<Figure> figures = makeFigures(runs.group({runs.folder() / "runs"}));
    for (const std::size_t k : {0, 1})
        QVERIFY2(figures[k].subtitle.ends_with("mean ± standard deviation of 2 or 3 seeds"),
                 figures[k].subtitle.c_str());
    const auto& first = std::get<CurveFigure>(figures[1].content).series;
    QCOMPARE(first[0].note, std::string("N = 3"));
    QCOMPARE(first[1].note, std::string("N = 2"));
}

void ReportTest::whereOneLineIsAMeanAllSayTheirNumberOfSeeds() {
    Runs runs;
    for (const int seed : {1, 2}) runs.add("a" + std::to_string(seed), {.seed = seed});
    runs.add("b", {.seed = 1, .mask = "none"});
    const std::vector<Figure> figures = makeFigures(runs.group({runs.folder() / "runs"}));
    for (const std::size_t k : {0, 1}) {
        const auto& series = std::get<CurveFigure>(figures[k].content).series;
        QVERIFY2(series[0].note.ends_with("N = 2"), series[0].note.c_str());
        QVERIFY2(series[1].note.ends_with("N = 1"), series[1].note.c_str());
        QVERIFY2(series[0].value.find(" ± ") != std::string::npos, series[0].value.c_str());
        QVERIFY2(series[1].value.find("±") == std::string::npos, series[1].value.c_str());
    }
    Runs single;
    for (const char* mask : {"batch", "none"}) single.add(mask, {.seed = 1, .mask = mask});
    for (const Figure& figure : makeFigures(single.group({single.folder() / "runs"})))
        if (const auto* curves = std::get_if<CurveFigure>(&figure.content))
            for (const Series& series : curves->series)
                QVERIFY2(series.note.find("N = ") == std::string::npos, series.note.c_str());
}

void ReportTest::attemptsThatWereRunAgainAreSummedUp() {
    Runs runs;
    std::vector<fs::path> all;
    for (int seed = 1; seed <= 5; ++seed) {
        const std::string name = "run" + std::to_string(seed);
        all.push_back(runs.add(name, {.seed = seed, .end = RunEnd::Stopped, .sessions = 1}));
        all.push_back(runs.add(name + "-2", {.seed = seed}));
    }
    const ReportedRuns set = runs.group(all);
    QCOMPARE(set.groups.front().runs.size(), std::size_t{5});
    QCOMPARE(set.warnings.size(), std::size_t{1});
    QVERIFY2(mentions(set.warnings, "5 runs that have not finished are left out") &&
                 mentions(set.warnings, "“run1”, “run2”, “run3” and 2 more"),
             set.warnings.front().c_str());
    QVERIFY(mentions(runs.group({all[0], all[1]}).warnings, "A run that has not finished is left out"));
}

void ReportTest::aLoneUnfinishedRunIsShown() {
    Runs runs;
    const ReportedRuns set = runs.group({runs.add("a", {.end = RunEnd::Stopped})});
    QVERIFY(!set.groups.front().complete);
    QCOMPARE(set.groups.front().runs.size(), std::size_t{1});
    QVERIFY(mentions(set.warnings, "what it has so far is shown"));
}

void ReportTest::ofUnfinishedRunsTheOneThatGotFurthestCounts() {
    Runs runs;
    const fs::path far = runs.add("far", {.end = RunEnd::Stopped});
    const fs::path newest = runs.add("newest", {.end = RunEnd::Stopped, .sessions = 1});
    for (const auto& inputs : {std::vector{far, newest}, std::vector{newest, far}}) {
        const ReportedRuns set = runs.group(inputs);
        QCOMPARE(set.groups.front().runs.size(), std::size_t{1});
        QCOMPARE(set.groups.front().runs.front().folder, far);
        QVERIFY(mentions(set.warnings, "only the one that got furthest, “far”, counts"));
    }
}

void ReportTest::theNumbersOfUnfinishedRunsSayHowFarTheyGo() {
    Runs runs;
    const fs::path stopped = runs.add("a", {.accuracy = 0.4, .end = RunEnd::Stopped, .sessions = 1});
    const fs::path whole = runs.add("b", {.accuracy = 0.6, .mask = "none"});
    const ReportedRuns set = runs.group({whole, stopped});
    QCOMPARE(set.groups[0].stage(), std::string());
    QCOMPARE(set.groups[1].stage(), std::string("after 1 of 2 sessions"));
    runs.write({whole, stopped}, {"html"});
    const std::string page = bytes(runs.out() / "report.html");
    QVERIFY(page.find("<td>40.0 <span class=\"quiet\">(so far)</span></td>") != std::string::npos);
    QVERIFY(page.find("<td>40.0 <span class=\"quiet\">(after 1 of 2 sessions)</span></td>") != std::string::npos);
    QVERIFY(page.find("A_AUC so far 40.0 %") != std::string::npos);
    QVERIFY2(page.find("class=\"delta") == std::string::npos, "half a run is no worse than a whole one");
    const std::string csv = metricsCsv(set);
    QVERIFY(csv.find("a_last,paper's text,0.6,,1,2\n") != std::string::npos);
    QVERIFY(csv.find("a_last,paper's text,0.4,,1,1\n") != std::string::npos);
}

void ReportTest::aCrashedRunHasItsAreaSoFar() {
    Runs runs;
    const ReportedRuns set = runs.group({runs.add("a", {.end = RunEnd::Failed, .sessions = 1, .summary = false})});
    const Spread area = averageMetric(set.groups.front(), metrics().front());
    QCOMPARE(area.count, 1);
    QVERIFY(same(area.mean, 0.5));
    QCOMPARE(averageMetric(set.groups.front(), metrics()[1]).count, 0);
}

void ReportTest::tablesCountSessionsAsRunFoldersDo() {
    Runs runs;
    const fs::path folder = runs.add("a", {});
    const std::string own = bytes(folder / "sessions.csv");
    QVERIFY(own.find("\n0,0,0.6,") != std::string::npos);
    QVERIFY(retentionCsv(runs.group({folder})).find(",0,0,0.6,,1\n") != std::string::npos);
}

void ReportTest::severalSeedsOfOneSessionHaveAWhisker() {
    Runs runs;
    const ReportedRuns set =
        runs.group({runs.add("a", {.seed = 1, .end = RunEnd::Stopped, .sessions = 1}),
                    runs.add("b", {.seed = 2, .accuracy = 0.7, .end = RunEnd::Stopped, .sessions = 1})});
    const std::vector<Figure> figures = makeFigures(set);
    const auto& retention = std::get<CurveFigure>(figures[1].content).series.front();
    QCOMPARE(retention.points.size(), std::size_t{1});
    QVERIFY(retention.band);
    QVERIFY2(figures[1].subtitle.ends_with("mean of 2 seeds, shaded: ± deviation of session 1"),
             figures[1].subtitle.c_str());
}

void ReportTest::theNumberOfSeedsIsThatOfEachSession() {
    Runs runs;
    std::vector<RunRecord> records;
    for (int seed = 1; seed <= 3; ++seed) {
        records.push_back(readRun(runs.table, runs.add("run" + std::to_string(seed), {.seed = seed})));
        // In one of them no class first occurs in session 2.
        const std::int64_t tested = seed == 3 ? 0 : 100;
        records.back().retention = {{0, 0, 0.6, 100}, {1, 0, 0.4, 100}, {1, 1, 0.1 * seed, tested}};
    }
    const ReportedRuns set = groupRuns(runs.table, std::move(records));
    const std::vector<Figure> figures = makeFigures(set);
    QVERIFY2(figures[0].subtitle.ends_with("mean ± standard deviation of 3 seeds"), figures[0].subtitle.c_str());
    QCOMPARE(figures[1].subtitle,
             std::string("what is left of each session, %, mean of 3 seeds (session 2: 2), shaded: ± deviation of "
                         "session 1"));
    const auto& series = std::get<CurveFigure>(figures[1].content).series;
    QCOMPARE(series[0].note, std::string());
    QCOMPARE(series[1].note, std::string("N = 2"));
    QVERIFY2(figures[2].subtitle.ends_with(", mean of 3 seeds (session 2: 2)"), figures[2].subtitle.c_str());
    const std::string caption = figureCaption(runs.table, set, figures[1]);
    QVERIFY2(caption.find("in per cent, mean of 3 seeds (session 2: 2), shaded") != std::string::npos, caption.c_str());
}

void ReportTest::unequalConditionsAreNamed() {
    Runs runs;
    runs.add("a", {.seed = 1});
    runs.add("b", {.seed = 2, .precision = "bfloat16"});
    runs.add("c", {.seed = 1, .mask = "none", .stream = "ffffffffffffffff"});
    const ReportedRuns set = runs.group({runs.folder() / "runs"});
    QVERIFY(mentions(set.warnings, "bfloat16 on cpu, float32 on cpu"));
    QVERIFY(mentions(set.warnings, "different streams"));
    QVERIFY(mentions(set.warnings, "not run with the same seeds"));
    QVERIFY(!set.same_stream);
}

void ReportTest::sessionsWithoutTestDataAreNoZeros() {
    Runs runs;
    const ReportedRuns set = runs.group({runs.add("a", {})});
    const auto retention = averageRetention(set.groups.front());
    QCOMPARE(retention[1][1].count, 0);
    QVERIFY(retentionCsv(set).find(",1,1,") == std::string::npos);
    QVERIFY(retentionCsv(set).find(",1,0,0.6,,1\n") != std::string::npos);
}

void ReportTest::damagedRetentionRowsAreIgnored() {
    Runs runs;
    const fs::path folder = runs.add("a", {});
    std::ofstream(folder / "sessions.csv", std::ios::app) << "900000000000,3,0.5,10\n-1,0,0.5,10\n0,1,0.5,10\n";
    const ReportedRuns set = runs.group({folder});
    QCOMPARE(averageRetention(set.groups.front()).size(), std::size_t{2});
}

void ReportTest::foldersOfAnyNameAreReported() {
    Runs runs;
    const fs::path folder = runs.add("Läufe <von> heute, 実験 1", {});
    fs::remove(folder / "experiment.toml");  // the folder's name becomes the run's
    const auto files = runs.write({folder}, {"html", "png", "svg", "pdf", "csv"});
    QCOMPARE(files.size(), std::size_t{14});
    QVERIFY(bytes(runs.out() / "report.html").find("Läufe &lt;von&gt; heute, 実験 1") != std::string::npos);
    QVERIFY(bytes(runs.out() / "anytime.csv").find("\"Läufe <von> heute, 実験 1\"") != std::string::npos);
}

void ReportTest::bordersAndAreaAreDrawnForASingleRunOnly() {
    Runs runs;
    const fs::path one = runs.add("a", {.seed = 1});
    const fs::path other = runs.add("b", {.seed = 2, .stream = "ffffffffffffffff"});
    const auto alone = std::get<CurveFigure>(makeFigures(runs.group({one})).front().content);
    QCOMPARE(alone.borders.size(), std::size_t{2});
    QCOMPARE(alone.borders[1].at, 1000.0);
    QVERIFY(alone.series.front().area);
    QVERIFY(!alone.series.front().band);
    const auto together = std::get<CurveFigure>(makeFigures(runs.group({one, other})).front().content);
    QVERIFY(together.borders.empty());
    QVERIFY(!together.series.front().area);
    QVERIFY(together.series.front().band);
    QCOMPARE(together.series.front().members.size(), std::size_t{2});
}

void ReportTest::aFolderOfRunsIsTheSameAsItsRuns() {
    Runs runs;
    const fs::path one = runs.add("a", {.seed = 1});
    const fs::path other = runs.add("b", {.seed = 2});
    const auto names = [](const std::vector<fs::path>& folders) {
        std::set<fs::path> set;
        for (const fs::path& folder : folders) {
            set.insert(fs::canonical(folder));
        }
        return set;
    };
    QCOMPARE(names(collectRunFolders({runs.folder() / "runs"})), names({one, other}));
    QCOMPARE(collectRunFolders({runs.folder() / "runs", one, one / "."}).size(), std::size_t{2});
}

void ReportTest::aSweepIsInTheOrderOfItsGrid_data() {
    QTest::addColumn<QString>("json");
    QTest::addColumn<QStringList>("order");
    QTest::newRow("of two rows") << R"({"rows": ["A", "B"]})"
                                 << QStringList{"003-a-seed-2", "005-a-seed-3", "002-b-seed-1", "004-b-seed-2"};
    // An array job writes no sweep.json before its tables are made.
    QTest::newRow("not known") << "" << QStringList{"002-b-seed-1", "003-a-seed-2", "004-b-seed-2", "005-a-seed-3"};
    QTest::newRow("damaged") << "{" << QStringList{"002-b-seed-1", "003-a-seed-2", "004-b-seed-2", "005-a-seed-3"};
}

void ReportTest::aSweepIsInTheOrderOfItsGrid() {
    QFETCH(QString, json);
    QFETCH(QStringList, order);
    Runs runs;
    // Several runs begin at once in any order; the first row has no run with the first seed.
    runs.add("005-a-seed-3", {.seed = 3});
    runs.add("004-b-seed-2", {.seed = 2, .mask = "none"});
    runs.add("002-b-seed-1", {.mask = "none"});
    runs.add("003-a-seed-2", {.seed = 2});
    std::ofstream(runs.folder() / "sweep.toml") << "seeds = [1, 2, 3]\n";
    if (!json.isEmpty()) std::ofstream(runs.folder() / "sweep.json") << json.toStdString();
    for (const fs::path& input : {runs.folder(), runs.folder() / "runs", runs.folder() / "runs/"}) {
        QStringList names;
        for (const fs::path& folder : collectRunFolders({input}))
            names << QString::fromStdString(folder.filename().string());
        QCOMPARE(names, order);
    }
}

void ReportTest::aGridKeptAmongRunsMakesThemNoSweep() {
    Runs runs;
    runs.add("a", {});
    const fs::path folder = runs.folder() / "runs";
    std::ofstream(folder / "sweep.toml") << "seeds = [1, 2, 3]\n";
    QCOMPARE(collectRunFolders({folder}), std::vector<fs::path>{folder / "a"});
}

void ReportTest::filesOfEveryFormatAreWritten() {
    Runs runs;
    const fs::path run = runs.add("a", {});
    const auto files = runs.write({run}, reportFormats());
    // A page and a replay; three figures in five formats, the curves of two also as films; a table in two; three tables
    // of numbers; captions.
    QCOMPARE(files.size(), std::size_t{2 + 3 * 5 + 2 + 2 + 3 + 1});
    QCOMPARE(files.front().filename().string(), std::string("report.html"));
    for (const fs::path& file : files) {
        QVERIFY2(fs::file_size(file) > 60, file.c_str());
    }
    QVERIFY(bytes(runs.out() / "anytime-accuracy.png").starts_with("\x89PNG"));
    QVERIFY(bytes(runs.out() / "r-matrix.pdf").starts_with("%PDF"));
    QCOMPARE(runs.write({run}, {}).size(), std::size_t{11});
    QCOMPARE(runs.write({run}, {"csv"}).size(), std::size_t{3});
    QVERIFY(
        bytes(runs.out() / "metrics.csv").starts_with("experiment,metric,definition,mean,std,runs,sessions_ended\n"));
}

void ReportTest::whatFewMethodsHaveNeedsNoColumnWithoutThem() {
    Runs runs;
    const fs::path plain = runs.add("a", {.seed = 1}),
                   routed = runs.add("b", {.seed = 1, .mask = "none", .router = 0.5});
    const auto written = [&](const std::vector<fs::path>& inputs) {
        std::string text;
        for (const fs::path& file : runs.write(inputs, {"html"})) text += bytes(file);
        return QString::fromStdString(text);
    };
    QVERIFY(!written({plain}).contains("Router accuracy"));
    const QString both = written({plain, routed});
    QVERIFY(both.contains("<th scope=\"col\">Router accuracy<small>Palimpsest</small></th>"));
    QVERIFY2(!both.contains("Head agreement"), "no run has it");
}

void ReportTest::theSameRunsGiveTheSameBytes() {
    Runs runs;
    const std::vector<fs::path> inputs{runs.add("a", {.seed = 1}), runs.add("b", {.seed = 1, .mask = "none"})};
    const std::vector<std::string> formats = reportFormats();
    std::map<fs::path, std::string> first;
    for (const fs::path& file : runs.write(inputs, formats)) {
        first[file] = bytes(file);
    }
    // A date in the file would have changed by now.
    const auto second = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    QTRY_VERIFY(std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now()) > second);
    for (const fs::path& file : runs.write(inputs, formats)) {
        QVERIFY2(bytes(file) == first[file], file.c_str());
    }
}

void ReportTest::thePageIsSelfContainedAndWellFormed() {
    Runs runs;
    runs.write({runs.add("a", {})}, {"html"});
    QString page = QString::fromStdString(bytes(runs.out() / "report.html"));
    // The only addresses are names of namespaces; nothing is loaded.
    QString rest = page;
    rest.remove("http://www.w3.org/2000/svg");
    QVERIFY(!rest.contains("http"));
    QVERIFY(!rest.contains("src="));
    QVERIFY(!rest.contains("@import"));
    QVERIFY(!rest.contains("<script"));
    QVERIFY(page.contains("Two &lt;sessions&gt;"));
    QVERIFY(page.contains("Session 2 has no disjoint class."));
    QVERIFY2(page.contains("Memory is none, so nothing is replayed."), "options are called as in the form");
    QVERIFY(page.contains("prefers-color-scheme: dark"));
    QVERIFY(page.contains("disjoint_percent = 50"));
    QVERIFY(page.contains("310 MB at most"));
    QVERIFY(page.contains("a1b2c3d4e5f60718"));
    QVERIFY2(page.contains(QRegularExpression("finished, \\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2} UTC")),
             "a run's own stamp is shown as day and time");
    QCOMPARE(page.count("<figure"), 3);
    QCOMPARE(page.count("<svg"), page.count("role=\"img\""));
    // HTML only leaves void elements open.
    page.remove(QRegularExpression("<!DOCTYPE[^>]*>|<meta[^>]*>"));
    QXmlStreamReader reader(page);
    while (!reader.atEnd()) {
        reader.readNext();
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString() + " at line " + QString::number(reader.lineNumber())));
}

void ReportTest::thePageTellsDifferencesWithTheirDirection() {
    Runs runs;
    std::vector<fs::path> low, high;
    for (const int seed : {1, 2, 3}) {
        const double more = 0.19 + 0.005 * seed;  // 19.5, 20 and 20.5 points
        low.push_back(runs.add("a" + std::to_string(seed), {.seed = seed, .accuracy = 0.4, .mask = "none"}));
        high.push_back(runs.add("b" + std::to_string(seed), {.seed = seed, .accuracy = 0.4 + more}));
    }
    const auto page = [&](std::vector<fs::path> first, const std::vector<fs::path>& second) {
        first.insert(first.end(), second.begin(), second.end());
        runs.write(first, {"html"});
        return QString::fromStdString(bytes(runs.out() / "report.html"));
    };
    const QString better = page(low, high);
    QVERIFY(
        better.contains("<span class=\"delta better\" title=\"the 95 % interval excludes 0 with 3 "
                        "seeds\">+20.0 (n = 3)</span>"));
    QVERIFY(better.contains("<td>[+18.8; +21.2]</td><td>0.250</td>") && better.contains("<td>better</td>"));
    const QString worse = page(high, low);
    QVERIFY(worse.contains("<span class=\"delta worse\" title=\"the 95 % interval excludes 0 with 3 seeds\">−20.0"));
    // One seed each: the same difference, but no judgement, and no table of evidence.
    const QString single = page({low[1]}, {high[1]});
    QVERIFY(single.contains("<span class=\"delta quiet\" title=\"one run each: no evidence\">+20.0 (n = 1)</span>"));
    QVERIFY(!single.contains("How sure the differences are"));
    // The difference is over the seeds that both have, as the table of evidence has it.
    QVERIFY(page({low[0], low[1]}, {high[1], high[2]}).contains("no evidence\">+20.0 (n = 1)</span>"));
    QVERIFY(page({low[0]}, {high[2]}).contains("no evidence\">+20.5 (no common seed)</span>"));
}

void ReportTest::aLongNameIsShortInTablesAndWholeInItsTip() {
    Runs runs;
    const std::string name = std::string(300, 'w') + " \"end\"";
    const fs::path run = runs.add("long", {.name = name});
    runs.write({run, runs.add("other", {.mask = "none"})}, {"html"});
    const QString page = QString::fromStdString(bytes(runs.out() / "report.html"));
    const QString title = "title=\"" + QString(300, 'w') + " &quot;end&quot;\">" + QString(59, 'w') + QChar(0x2026);
    QVERIFY(page.contains("<th scope=\"row\" " + title) && page.contains("<th scope=\"col\" " + title));
    QVERIFY(page.contains("<h3>" + QString(300, 'w')));
    QVERIFY(page.contains("overflow-wrap: anywhere; }\nh1"));
}

void ReportTest::lengthsOfPromptsThatDifferAreListedThoughNobodyGaveThem() {
    Runs runs;
    const fs::path one = runs.add("one", {.general = 3});
    const auto differing = [&](const fs::path& other) {
        runs.write({one, other}, {"html"});
        const QString page = QString::fromStdString(bytes(runs.out() / "report.html"));
        return page.mid(page.indexOf("What differs"), 2000);
    };
    const QString table = differing(runs.add("other", {.mask = "none", .general = 10}));
    QVERIFY2(table.contains("<code>method.g_length</code></th><td>3 (for 0)</td><td>10 (for 0)</td>"),
             qPrintable(table));
    QVERIFY(!differing(runs.add("alike", {.mask = "none", .general = 3})).contains("method.g_length"));
}

void ReportTest::experimentsOfOtherPrecisionsAreWarnedOf() {
    Runs runs;
    const fs::path exact = runs.add("exact", {.mask = "none"});
    const fs::path same = runs.add("same", {});
    const fs::path coarse = runs.add("coarse", {.mask = "seen", .precision = "bfloat16"});
    QVERIFY(!mentions(runs.group({exact, same}).warnings, "in the same way"));
    const auto warnings = runs.group({exact, coarse}).warnings;
    QVERIFY(mentions(warnings, "not all computed in the same way"));
    QVERIFY(mentions(warnings, "bfloat16 on cpu") && mentions(warnings, "float32 on cpu"));
}

void ReportTest::unknownFormatsAndStylesAreRefusedWithTheKnownOnes() {
    Runs runs;
    const fs::path run = runs.add("a", {});
    const auto hintOf = [&](const std::string& format, const std::string& style) -> std::string {
        try {
            writeReport(runs.table, {{run}, runs.out(), {format}, style});
        } catch (const Error& error) {
            return error.hint();
        }
        return {};
    };
    QCOMPARE(hintOf("tikz", "screen"),
             std::string("Known formats: html, pdf, svg, png, gif, pgfplots, latex, markdown, csv, replay."));
    QCOMPARE(hintOf("pdf", "poster"), std::string("Known styles: screen, single-column, double-column, slide."));
    QVERIFY2(!fs::exists(runs.out()), "nothing is written before the request is understood");
}

void ReportTest::aFormatOfWhichThereIsNothingIsSaid() {
    Runs runs;
    const fs::path run = runs.add("a", {.sessions = 0, .summary = false});
    const QString refusal = test::inputErrorOf([&] { runs.write({run}, {"gif"}); });
    QVERIFY2(refusal.startsWith("Nothing of these runs can be written as gif."), qPrintable(refusal));
    QVERIFY(!fs::exists(runs.out()));
    std::vector<std::string> unread;
    writeReport(runs.table, {{run}, runs.out(), {"html", "gif"}}, nullptr, &unread);
    QVERIFY(fs::exists(runs.out() / "report.html"));
    QCOMPARE(unread.back(), std::string("Nothing of these runs can be written as gif."));
}

void ReportTest::badRequestsAreOneSentence_data() {
    QTest::addColumn<QString>("input");
    QTest::addColumn<QString>("format");
    QTest::addColumn<QString>("out");
    QTest::addColumn<QString>("message");
    QTest::newRow("unknown format") << "runs/a"
                                    << "docx"
                                    << "out"
                                    << "docx";
    QTest::newRow("no such folder") << "nowhere"
                                    << "html"
                                    << "out"
                                    << "nowhere";
    QTest::newRow("no run inside") << "empty"
                                   << "html"
                                   << "out"
                                   << "neither a run nor a folder of runs";
    QTest::newRow("out is a file") << "runs/a"
                                   << "html"
                                   << "file"
                                   << "cannot be made";
    QTest::newRow("out below a file") << "runs/a"
                                      << "html"
                                      << "file/out"
                                      << "cannot be made";
    QTest::newRow("the page's name is taken") << "runs/a"
                                              << "html"
                                              << "taken"
                                              << "Cannot write";
}

void ReportTest::badRequestsAreOneSentence() {
    QFETCH(QString, input);
    QFETCH(QString, format);
    QFETCH(QString, out);
    QFETCH(QString, message);
    Runs runs;
    runs.add("a", {});
    fs::create_directories(runs.folder() / "empty");
    fs::create_directories(runs.folder() / "taken" / "report.html" / "by a folder");
    std::ofstream(runs.folder() / "file") << "in the way";
    try {
        writeReport(runs.table,
                    {{runs.folder() / input.toStdString()}, runs.folder() / out.toStdString(), {format.toStdString()}});
        QFAIL("the request was taken");
    } catch (const Error& error) {
        QVERIFY(error.kind() == ErrorKind::Input);
        QVERIFY2(QString(error.what()).contains(message), error.what());
        QVERIFY(!error.hint().empty());
        QVERIFY(!QString::fromStdString(error.sentence()).contains('\n'));
    }
}

PALIMPSEST_GUILESS_TEST(ReportTest)

}  // namespace tst_report

#include "tst_report.moc"
