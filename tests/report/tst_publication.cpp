// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/method_options/prompt_options.h"
#include "engine/record/example_runs.h"
#include "engine/report/averages.h"
#include "engine/report/captions.h"
#include "engine/report/figure_drawing.h"
#include "engine/report/markup.h"
#include "engine/report/publication.h"
#include "engine/report/report_figures.h"
#include "engine/report/result_tables.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;
using palimpsest::testing::madeUpRecord;

namespace tst_publication {

namespace {

const OptionTable& table() {
    static const OptionTable kTable(testCatalogue());
    return kTable;
}

RunRecord run(const std::string& mask, std::int64_t seed, double area) {
    RunRecord record = madeUpRecord("/runs/" + mask + std::to_string(seed), mask, 0.5, seed);
    record.device = "cpu";
    record.precision = "float32";
    record.summary.a_auc = area;
    record.summary.a_last = area - 0.1;
    record.summary.sessions_ended = testing::kSessions;
    return record;
}

ReportedRuns seeds() {
    return groupRuns(table(), {run("batch", 1, 0.5), run("batch", 2, 0.6), run("batch", 3, 0.7)});
}

bool holds(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

class PublicationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void tablesHaveTheSampleDeviation() {
        // 50, 60, 70: divided by N - 1 the deviation is 10, divided by N it is 8.2.
        const std::string markdown = resultMarkdown(table(), seeds());
        QVERIFY2(holds(markdown, "| batch run | 3 | 60.0 ± 10.0 | 50.0 ± 10.0 | – |"), markdown.c_str());
        QVERIFY(markdown.starts_with("| Experiment | N | A\\_AUC ↑ | A\\_Last by session ↑ | F\\_Last by session ↓ |"));
        const std::string latex = resultLatex(table(), seeds());
        QVERIFY2(holds(latex, "batch run & $3$ & $60.0 \\pm 10.0$ & $50.0 \\pm 10.0$ & -- &"), latex.c_str());
        for (const char* rule : {"\\toprule", "\\midrule", "\\bottomrule"}) QVERIFY(holds(latex, rule));
        QVERIFY(holds(latex, "$A_{\\mathrm{AUC}}$ $\\uparrow$ & "));
        QVERIFY(holds(latex, "mean $\\pm$ sample standard deviation over N seeds"));
    }

    void aNumberThatFewRunsHaveSaysHowMany() {
        ReportedRuns runs = seeds();
        runs.groups.front().runs[0].summary.f_last = 0.2;
        runs.groups.front().runs[1].summary.f_last = 0.2;
        QVERIFY(holds(resultMarkdown(table(), runs), "| 20.0 ± 0.0 [2] |"));
        QVERIFY(holds(resultCaption(table(), runs), "[n]: only n of them have this number."));
        QVERIFY(!holds(resultCaption(table(), seeds()), "[n]"));
    }

    void longNamesAreShortWhereThereIsLittleRoom() {
        QCOMPARE(shortName(std::string(60, 'a'), 60), std::string(60, 'a'));
        QCOMPARE(shortName(std::string(200, 'a') + ", logit mask: No mask", 60),
                 std::string(29, 'a') + "…" + std::string(9, 'a') + ", logit mask: No mask");
        std::string wide;
        for (int i = 0; i < 100; ++i) wide += "é";
        QCOMPARE(QString::fromStdString(shortName(wide, 60)),
                 QString(29, QChar(0xe9)) + QChar(0x2026) + QString(30, QChar(0xe9)));

        RunRecord record = run("batch", 1, 0.5);
        record.experiment.name = std::string(200, 'a') + " end";
        const ReportedRuns runs = groupRuns(table(), {record});
        const std::string latex = resultLatex(table(), runs), row = std::string(29, 'a') + "\\ldots{}";
        QVERIFY2(holds(latex, row + std::string(26, 'a') + " end & $1$"), latex.c_str());
        QVERIFY(holds(latex, "\n% Row 1: " + record.experiment.name + "\n"));
        QVERIFY(holds(figureTikz(makeFigures(runs).front(), screenStyle(), {}), "\\addlegendentry{" + row));
        QVERIFY(holds(metricsCsv(runs), record.experiment.name));
    }

    void shortNamesThatWouldBeAlikeAreNumbered() {
        const std::string one = std::string(40, 'a') + "1" + std::string(40, 'b');
        const std::string two = std::string(40, 'a') + "2" + std::string(40, 'b');
        const auto names = texNames({one, two, one, "plain"});
        QCOMPARE(names.size(), std::size_t{3});
        QCOMPARE(names.at(one), std::string(29, 'a') + "…" + std::string(30, 'b') + " (1)");
        QCOMPARE(names.at(two), std::string(29, 'a') + "…" + std::string(30, 'b') + " (2)");
        QCOMPARE(names.at("plain"), std::string("plain"));
    }

    void aSingleRunHasNoDeviation() {
        const ReportedRuns runs = groupRuns(table(), {run("batch", 4, 0.5)});
        QVERIFY(holds(resultMarkdown(table(), runs), "| batch run | 1 | 50.0 | 40.0 | – |"));
        QVERIFY(resultCaption(table(), runs).starts_with("In per cent. Fashion-MNIST"));
    }

    void theCaptionTellsWhatAReaderHasToKnow() {
        const ReportedRuns runs = seeds();
        QCOMPARE(
            QString::fromStdString(conditionsOf(table(), runs)),
            QString("Fashion-MNIST, 6,000 images in 5 sessions, 50 % disjoint classes, 10 % blurry images, method: "
                    "DualPrompt, logit mask: Classes of the batch, random initial prompts, no memory, seeds 1–3, "
                    "computed on cpu, in float32."));
    }

    void theCaptionSaysOnceWhatAllShare() {
        const ReportedRuns runs = groupRuns(table(), {run("batch", 1, 0.5), run("none", 1, 0.4), run("none", 3, 0.4)});
        const QString text = QString::fromStdString(conditionsOf(table(), runs));
        QCOMPARE(text.count("Fashion-MNIST"), 1);
        QVERIFY2(text.endsWith("float32. batch run: logit mask: Classes of the batch, seed 1. none run: logit mask: No "
                               "mask, seeds 1 and 3."),
                 qPrintable(text));
    }

    void lengthsThatNobodyGaveAreToldAsTheyBecame() {
        RunRecord random = run("batch", 1, 0.5), loaded = run("none", 1, 0.5);
        random.prompt_lengths = {{"method.g_length", 3}, {"method.e_length", 7}};
        loaded.prompt_lengths = {{"method.g_length", 10}, {"method.e_length", 20}};
        const ReportedRuns runs = groupRuns(table(), {random, loaded});
        const std::string text = conditionsOf(table(), runs);
        QVERIFY2(holds(text, "prompts of 3 general and 7 expert tokens") &&
                     holds(text, "prompts of 10 general and 20 expert tokens"),
                 text.c_str());
        const Option& length = *table().find("method.g_length");
        QCOMPARE(optionText(table(), runs.groups[1].runs[0], length), std::string("10 (for 0)"));
        loaded.experiment.method.of<PromptOptions>().g_length = 10;
        QCOMPARE(optionText(table(), loaded, length), std::string("10"));
    }

    void aMaskThatWasChangedIsToldWithWhatItBecame() {
        RunRecord record = run("batch", 1, 0.5);
        record.changes = {{"mask.name", "none", 800}, {"training.learning_rate", "0.001", 900}};
        const std::string text = conditionsOf(table(), groupRuns(table(), {record}));
        QVERIFY2(holds(text, "logit mask: batch → none, ") && holds(text, " → 0.001, "), text.c_str());
    }

    void captionsInventNoSettingsOfImportedResults() {
        RunRecord record = run("none", 1, 0.5);
        record.origin = readOrigin(R"({"state": "imported", "source": ["paper.csv"]})");
        record.experiment = table().defaults();
        record.experiment.name = "paper";
        record.state = RecordedState::Imported;
        record.total_samples = 800;
        record.session_starts = {0};
        const ReportedRuns alone = groupRuns(table(), {record});
        QCOMPARE(QString::fromStdString(conditionsOf(table(), alone)),
                 QString("paper: imported from paper.csv, 800 images, settings not known."));
        QVERIFY(!holds(resultLatex(table(), alone), "DualPrompt"));
        // The settings of another run are not presented as its own either.
        const std::string both = conditionsOf(table(), groupRuns(table(), {run("batch", 1, 0.5), record}));
        QVERIFY2(both.starts_with("batch run: Fashion-MNIST, "), both.c_str());
        QVERIFY2(both.ends_with(" paper: imported from paper.csv, 800 images, settings not known."), both.c_str());
    }

    void captionsNameNoFolders() {
        RunRecord record = run("batch", 1, 0.5);
        record.experiment.initial_session.prompts = "/home/somebody/fam.safetensors";
        const std::string text = conditionsOf(table(), groupRuns(table(), {record}));
        QVERIFY(holds(text, "initial prompts: fam.safetensors"));
        QVERIFY(!holds(text, "somebody"));
    }

    void aFigureOfOneExperimentSpeaksOfItAlone() {
        QTemporaryDir folder;
        const std::filesystem::path parent = folder.path().toStdString();
        const Publication all = readPublication(table(), {testing::writeMadeUpRun(table(), parent, "batch"),
                                                          testing::writeMadeUpRun(table(), parent, "none")});
        QCOMPARE(all.pieces.size(), std::size_t{5});
        QCOMPARE(all.pieces[0].file, std::string("anytime-accuracy"));
        QCOMPARE(all.pieces[4].file, std::string("metrics"));
        QVERIFY(holds(all.pieces[0].caption, "batch run: ") && holds(all.pieces[0].caption, "none run: "));
        QVERIFY2(holds(all.pieces[3].caption, "No mask") && !holds(all.pieces[3].caption, "Classes of the batch"),
                 all.pieces[3].caption.c_str());
    }

    void theCaptionsOfOneRunsCurvesSayWhatHappened() {
        const std::filesystem::path run = recordedRunsFolder() / kDemoRuns[0];
        const Publication all = readPublication(table(), {run});
        QVERIFY2(holds(all.story, "Session 5"), all.story.c_str());
        for (const Piece& piece : all.pieces) {
            const bool curves =
                piece.file.starts_with("anytime") || piece.file.starts_with("retention") || piece.file == "session-1";
            QVERIFY2(holds(piece.caption, all.story) == curves, (piece.file + ": " + piece.caption).c_str());
        }
        const RunRecord record = readRun(table(), run);
        const std::int64_t earlier = record.session_starts[2];
        const std::string then = readPublication(table(), {run}, earlier).story;
        QVERIFY2(then.starts_with("Session 2, after "), then.c_str());
        for (const Piece& piece : readPublication(table(), {run}, {}, false).pieces)
            QVERIFY2(!holds(piece.caption, all.story), piece.caption.c_str());
        // A report on two runs has no story.
        QCOMPARE(readPublication(table(), {run, recordedRunsFolder() / kDemoRuns[1]}).story, std::string());
    }

    void everyPieceIsWrittenInItsFormats() {
        QTemporaryDir folder;
        const Publication all =
            readPublication(table(), {testing::writeMadeUpRun(table(), folder.path().toStdString(), "batch")});
        const auto formatsOf = [](const Piece& piece) {
            QStringList names;
            for (const PieceFormatRow& row : pieceFormats())
                if (offers(piece, row.format)) names << QString::fromStdString(pieceFile(piece, row.format));
            return names;
        };
        QCOMPARE(formatsOf(all.pieces.front()),
                 (QStringList{"anytime-accuracy.pdf", "anytime-accuracy.svg", "anytime-accuracy.png",
                              "anytime-accuracy.gif", "anytime-accuracy.tikz", "anytime-accuracy.tex", "anytime.csv"}));
        QCOMPARE(formatsOf(all.pieces.back()), (QStringList{"metrics.tex", "metrics.md", "metrics.csv"}));
        for (const Piece& piece : all.pieces) {
            for (const PieceFormatRow& row : pieceFormats()) {
                if (!offers(piece, row.format) || row.animated) continue;
                const std::string first = pieceBytes(piece, row.format, findFigureStyle("single-column"));
                QVERIFY2(first.size() > 60, row.name);
                QVERIFY2(first == pieceBytes(piece, row.format, findFigureStyle("single-column")), row.name);
                QVERIFY2((first != pieceBytes(piece, row.format, findFigureStyle("slide"))) == row.drawn, row.name);
            }
        }
    }
};

PALIMPSEST_GUILESS_TEST(PublicationTest)

}  // namespace tst_publication

#include "tst_publication.moc"
