// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <QFile>
#include <QTemporaryDir>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "engine/record/predictions.h"
#include "engine/report/figure_drawing.h"
#include "engine/report/figure_style.h"
#include "engine/report/publication.h"
#include "engine/report/report.h"
#include "engine/report/report_figures.h"
#include "engine/support/format.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/measured_run.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;
using namespace palimpsest::testing;

namespace tst_measured_figures {

namespace fs = std::filesystem;

class TestMeasuredFigures : public QObject {
    Q_OBJECT
private:
    QTemporaryDir folder_;
    MeasuredRun measured_;
    RunRecord record_;

    static const MeasuredFigure* find(const std::vector<MeasuredFigure>& all, const std::string& file) {
        const auto found =
            std::find_if(all.begin(), all.end(), [&](const auto& one) { return one.figure.file == file; });
        return found == all.end() ? nullptr : &*found;
    }
    static const HeatFigure& heat(const MeasuredFigure* one) { return std::get<HeatFigure>(one->figure.content); }

private Q_SLOTS:
    void initTestCase() {
        measured_ = measureRun(folder_.path().toStdString(), true);
        record_.folder = measured_.folder;
        for (int i = 0; i < 10; ++i) record_.class_names.push_back("Kind " + std::to_string(i));
    }

    void aRunHasAFigureOfAllThatItMeasured() {
        const auto all = measuredFigures(record_);
        std::vector<std::string> files;
        for (const MeasuredFigure& one : all) files.push_back(one.figure.file);
        QCOMPARE(files, (std::vector<std::string>{"class-accuracy", "confusion-matrix", "loss", "prompt-use",
                                                  "memory-balance", "pushes"}));
        for (const MeasuredFigure& one : all) {
            QVERIFY(one.csv.ends_with('\n'));
            for (const FigureStyle& style : figureStyles())
                QCOMPARE(figureSvg(one.figure, style), figureSvg(one.figure, style));
        }
    }

    void ofSeveralRunsEachHasItsOwnFiles() {
        RunRecord other = record_;
        other.experiment.seed = record_.experiment.seed + 1;
        const RunGroup group{"MISA", {record_, other}};
        const OptionTable table(testCatalogue());
        std::set<std::string> taken;
        const auto first = piecesOfRun(table, group, record_, taken), second = piecesOfRun(table, group, other, taken);
        QCOMPARE(first.size(), std::size_t{6});
        QCOMPARE(second.size(), std::size_t{6});
        // Two folders may have the same name; their files may not.
        const std::string folder = record_.folder.filename().string();
        QCOMPARE(first[1].file, "confusion-matrix-" + folder);
        QCOMPARE(second[1].file, "confusion-matrix-" + folder + "-2");
        QVERIFY(second[1].title.ends_with(" of MISA, seed " + std::to_string(other.experiment.seed)));
        QVERIFY(second[1].caption.find("seed " + std::to_string(other.experiment.seed)) != std::string::npos);
        QVERIFY(second[1].caption.find("seed " + std::to_string(record_.experiment.seed)) == std::string::npos);
        QCOMPARE(second[1].csv, measuredFigures(record_)[1].csv);
        // The matrix of an earlier moment is different.
        const auto earlier = piecesOfRun(table, group, other, taken, 1);
        QVERIFY(earlier.size() < 2 || earlier[1].csv != second[1].csv);
    }

    void aReportHasTheFiguresOfEachRunWhenAsked() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        for (const int seed : {1, 2}) {
            const fs::path run = testing::writeMadeUpRun(OptionTable(testCatalogue()), root / "runs", "none", seed);
            fs::copy(record_.folder / "training.csv", run / "training.csv", fs::copy_options::overwrite_existing);
        }
        const OptionTable table(testCatalogue());
        ReportRequest request{{root / "runs"}, root / "out", {"csv"}};
        const auto few = writeReport(table, request);
        request.each_run = true;
        const auto all = writeReport(table, request);
        QVERIFY(all.size() > few.size());
        QVERIFY(std::equal(few.begin(), few.end(), all.begin()));
        std::size_t losses = 0;
        for (const auto& file : all) losses += file.filename().string().starts_with("loss-");
        QCOMPARE(losses, std::size_t{2});
    }

    void lossesOfSeveralRunsAreDrawnTogether() {
        const PointSeries& points = measured_.history.loss;
        RunRecord other = record_;
        other.experiment.seed = record_.experiment.seed + 1;
        RunRecord without;  // a foreign result has no losses
        ReportedRuns runs;
        runs.groups = {{"MISA", {record_, other}}, {"Naïve, \"plain\"", {record_}}, {"Foreign", {without}}};
        const auto made = lossFigure(runs);
        QVERIFY(made);
        QCOMPARE(made->figure.file, std::string("loss"));
        const auto& curves = std::get<CurveFigure>(made->figure.content);
        QCOMPARE(curves.series.size(), std::size_t{2});
        QCOMPARE(curves.series[0].name, std::string("MISA"));
        QCOMPARE(curves.series[0].note, std::string("N = 2"));
        QCOMPARE(curves.series[0].members.size(), std::size_t{2});
        // Beside a mean, a single run is marked as one.
        QCOMPARE(curves.series[1].note, std::string("N = 1"));
        QVERIFY(curves.series[0].style.ink != curves.series[1].style.ink);
        // The mean of the drawn means, weighted by updates, is the mean of all updates.
        double sum = 0, highest = 0;
        std::set<double> batches;
        for (std::size_t i = 0; i < points.size(); ++i) batches.insert(points.x(i));
        const std::size_t many = std::clamp<std::size_t>(batches.size() / 2, 1, 40);
        std::vector<double> parts(many), counts(many);
        const double last = points.x(points.size() - 1), wide = last / double(many);
        for (std::size_t i = 0; i < points.size(); ++i) {
            const auto part = std::min<std::size_t>(many - 1, static_cast<std::size_t>(points.x(i) / wide));
            parts[part] += points.y(i);
            counts[part] += 1;
            sum += points.y(i);
            highest = std::max(highest, points.y(i));
        }
        QVERIFY(sum > 0);
        std::size_t k = 0;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            if (counts[part] == 0) continue;
            const FigurePoint& point = curves.series[0].points[k++];
            QVERIFY(std::abs(point.y - parts[part] / counts[part]) < 1e-9);
            QVERIFY(std::abs(point.x - (static_cast<double>(part) + 0.5) * wide) < 1e-9);
            QCOMPARE(point.count, std::int64_t{2});
        }
        QCOMPARE(curves.series[0].points.size(), k);
        QVERIFY(curves.y.high >= highest);
        // All numbers, one a line.
        QCOMPARE(std::count(made->csv.begin(), made->csv.end(), '\n'), 3 * std::ptrdiff_t(points.size()) + 1);
        QVERIFY(made->csv.starts_with("experiment,seed,samples_seen,loss\nMISA,"));
        QVERIFY(made->csv.find("\"Naïve, \"\"plain\"\"\",") != std::string::npos);
        runs.groups = {{"Foreign", {without}}};
        QVERIFY(!lossFigure(runs));
    }

    void theMeanOfShortRunsDoesNotTakeTurns() {
        // Two seeds with other levels whose sessions end elsewhere, so that their batches do, too.
        QTemporaryDir folder;
        ReportedRuns runs{{{"MISA", {}}}, {}, false};
        for (const int seed : {0, 1}) {
            RunRecord run = record_;
            run.experiment.seed = seed;
            run.folder = fs::path(folder.path().toStdString()) / std::to_string(seed);
            fs::create_directories(run.folder);
            std::ofstream file(run.folder / "training.csv");
            std::ifstream whole(record_.folder / "training.csv");
            std::string header;
            std::getline(whole, header);
            QVERIFY2(header.starts_with("samples_seen"), header.c_str());
            const auto fields = std::count(header.begin(), header.end(), ',');
            file << header << '\n';
            for (int update = 0; update < 24; ++update) {
                file << 32 * (update / 3 + 1) - (update / 3 < 4 ? 17 * seed : 3 * seed);
                for (int field = 1; field <= fields; ++field)
                    file << ',' << (QString::fromStdString(header).split(',')[field] == "loss" ? 1 + 2 * seed : 0);
                file << '\n';
            }
            file.close();
            runs.groups.front().runs.push_back(run);
        }
        const auto made = lossFigure(runs);
        QVERIFY(made);
        const Series& mean = std::get<CurveFigure>(made->figure.content).series.front();
        QVERIFY(mean.points.size() >= 2);
        for (const FigurePoint& point : mean.points) {
            QVERIFY2(std::abs(point.y - 2) < 1e-9, std::to_string(point.y).c_str());
            QCOMPARE(point.count, std::int64_t{2});
        }
    }

    void classesShowWhatTheHistoryHolds() {
        const auto all = measuredFigures(record_);
        const HeatFigure& figure = heat(find(all, "class-accuracy"));
        const RunHistory& history = measured_.history;
        QCOMPARE(figure.rows.size(), history.seen.size());
        QCOMPARE(figure.rows.front(), "Kind " + std::to_string(history.seen.front()));
        QCOMPARE(figure.columns.back(), grouped(history.classes.back().samples_seen));
        for (std::size_t r = 0; r < history.seen.size(); ++r) {
            const float known = history.classes.back().accuracy[static_cast<std::size_t>(history.seen[r])];
            QCOMPARE(figure.values[r].back().has_value(), !std::isnan(known));
            if (!std::isnan(known)) QVERIFY(std::abs(*figure.values[r].back() - 100 * known) < 1e-4);
        }
    }

    void theConfusionMatrixIsThatOfTheMomentAskedFor() {
        const RunHistory& history = measured_.history;
        for (const std::size_t place : {std::size_t{0}, history.predicted.size() / 2, history.predicted.size() - 1}) {
            const std::int64_t at = history.predicted[place];
            const auto truth = *history.test_labels, answers = readClassList(predictionsFile(record_.folder, at));
            const auto all = measuredFigures(record_, at);
            const MeasuredFigure* one = find(all, "confusion-matrix");
            QVERIFY2(one->figure.subtitle.find("after " + grouped(at) + " images") != std::string::npos,
                     one->figure.subtitle.c_str());
            const HeatFigure& figure = heat(one);
            // The expected numbers are counted directly: images of each class by predicted class.
            for (std::size_t r = 0; r < figure.rows.size(); ++r)
                for (std::size_t c = 0; c < figure.columns.size(); ++c) {
                    int images = 0, taken = 0;
                    for (std::size_t i = 0; i < truth.size(); ++i) {
                        if (answers[i] == kNotTested || "Kind " + std::to_string(truth[i]) != figure.rows[r]) continue;
                        ++images;
                        taken += (answers[i] < 0 ? "no class yet" : "Kind " + std::to_string(answers[i])) ==
                                 figure.columns[c];
                    }
                    QCOMPARE(figure.values[r][c].has_value(), images > 0);
                    if (images > 0) QVERIFY(std::abs(*figure.values[r][c] - 100.0 * taken / images) < 1e-9);
                }
        }
        QVERIFY(!find(measuredFigures(record_, history.predicted.front() - 1), "confusion-matrix"));
        // Between two evaluations the earlier one counts.
        const auto between = measuredFigures(record_, history.predicted[1] - 1);
        QVERIFY(find(between, "confusion-matrix")->figure.subtitle.find(grouped(history.predicted[0])) !=
                std::string::npos);
    }

    void theLossLosesNoPeak() {
        const auto all = measuredFigures(record_);
        const auto& curves = std::get<CurveFigure>(find(all, "loss")->figure.content);
        const auto& points = curves.series.front().points;
        const auto& losses = measured_.history.loss.ys();
        double drawn = 0;
        for (const FigurePoint& point : points) drawn = std::max(drawn, point.y);
        QCOMPARE(drawn, *std::max_element(losses.begin(), losses.end()));
        QVERIFY(curves.y.high >= drawn);
        QCOMPARE(std::count(find(all, "loss")->csv.begin(), find(all, "loss")->csv.end(), '\n'),
                 static_cast<std::ptrdiff_t>(losses.size()) + 1);
    }

    void countsOfTheMemoryAreNoShares() {
        const auto all = measuredFigures(record_);
        const HeatFigure& figure = heat(find(all, "memory-balance"));
        QCOMPARE(figure.decimals, 0);
        double most = 1;
        for (const MemoryBalance& balance : measured_.history.memory)
            for (const auto& kept : balance.kept) most = std::max(most, static_cast<double>(kept.value_or(0)));
        QCOMPARE(figure.top, most);
    }

    void pushesGoToBothSides() {
        constexpr float kHidden = std::numeric_limits<float>::quiet_NaN();
        RunHistory history;
        history.seen = {3, 1};
        history.pushes = {{100, {kHidden, kHidden, kHidden, 2.5F}, {}},
                          {200, {kHidden, 10, kHidden, -40}, {}},
                          {300, {kHidden, kHidden, kHidden, 0}, {}}};
        const auto all = measuredFigures(record_, history, {}, nullptr);
        const MeasuredFigure* made = find(all, "pushes");
        QVERIFY(made);
        const HeatFigure& figure = heat(made);
        QCOMPARE(figure.rows, (std::vector<std::string>{"Kind 3", "Kind 1"}));
        QCOMPARE(figure.columns, (std::vector<std::string>{"100", "200", "300"}));
        QCOMPARE(figure.top, 40.0);
        QCOMPARE(figure.values[0][1], std::optional(-40.0));
        QCOMPARE(figure.values[1][0], std::optional<double>());
        QCOMPARE(QString::fromStdString(made->csv),
                 QString("samples_seen,Kind 3,Kind 1\n100,2.5,\n200,-40,10\n300,0,\n"));
        // By the square root: a quarter of the largest is half as strong.
        QCOMPARE(heatColour(figure, 10).ink, Ink::Series3);
        QCOMPARE(heatColour(figure, 10).share, 0.5);
        QCOMPARE(heatColour(figure, -40).ink, Ink::Series4);
        QCOMPARE(heatColour(figure, -40).share, 1.0);
        QCOMPARE(heatColourAt(figure, 0.25).ink, Ink::Series4);
        QCOMPARE(heatColourAt(figure, 0.25).share, 0.5);
        QCOMPARE(heatColourAt(figure, 0.5).share, 0.0);
        for (const FigureStyle& style : figureStyles()) {
            const std::string drawn = figureSvg(made->figure, style), typeset = figureTikz(made->figure, style, "");
            for (const char* number : {"-40.0", "10.0", "2.5", "−40"})
                QVERIFY2(drawn.find(number) != std::string::npos, number);
            QVERIFY(typeset.find("palimpsestSeries4!62") != std::string::npos);
            QVERIFY(typeset.find("palimpsestSeries3!33.5") != std::string::npos);
        }
        history.pushes.resize(1);
        history.pushes[0].push[3] = 0;
        QVERIFY(!find(measuredFigures(record_, history, {}, nullptr), "pushes"));
    }

    void whatTheFolderDoesNotHaveIsAbsent() {
        QTemporaryDir folder;
        RunRecord none;
        none.folder = folder.path().toStdString();
        QVERIFY(measuredFigures(none).empty());
        // A damaged list of predictions does not affect other figures.
        const MeasuredRun run = measureRun(folder.path().toStdString() + "/damaged", true);
        RunRecord damaged;
        damaged.folder = run.folder;
        const auto file = predictionsFile(run.folder, run.history.predicted.back());
        QVERIFY(QFile::resize(QString::fromStdString(file.string()), 20));
        const auto all = measuredFigures(damaged);
        QVERIFY(!find(all, "confusion-matrix"));
        QVERIFY(find(all, "class-accuracy"));
        QCOMPARE(heat(find(all, "class-accuracy")).rows.front(), "class " + std::to_string(run.history.seen.front()));
    }
};

PALIMPSEST_APPLESS_TEST(TestMeasuredFigures)

}  // namespace tst_measured_figures

#include "tst_measured_figures.moc"
