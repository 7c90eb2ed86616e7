// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include "engine/report/figure_drawing.h"
#include "engine/report/markup.h"
#include "engine/report/result_tables.h"
#include "tests/support/made_up_runs.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;

namespace tst_pgfplots {

namespace {

const std::string kAwkward = "50 % of \\x_1 & {y}^2 ~ #3 $5 <b> “é” 実";

Figure curves(std::size_t points) {
    CurveFigure figure;
    figure.x = roundAxis(12'000, 8);
    figure.x.caption = "images seen";
    figure.y = percentAxis(100);
    figure.y.caption = "accuracy, %";
    for (std::size_t k = 0; k < 6; ++k) {
        Series series;
        series.name = kAwkward;
        series.note = "A_AUC 67.7 ± 1.9 %, N = 5";
        series.style = seriesStyle(k);
        series.band = k == 0;
        series.area = k == 1;
        for (std::size_t i = 1; i <= points; ++i) {
            const double x = 12'000.0 * static_cast<double>(i) / static_cast<double>(points);
            series.points.push_back({x, 96.0 - static_cast<double>(k), 7});
        }
        figure.series.push_back(series);
    }
    figure.series[0].members = {{{1000, 10}, {2000, 20}}};
    figure.series[5].points = {{6000, 50, 4}};
    figure.series[5].band = true;
    figure.borders = {{0, "session 1", "1"}, {40, "session 2", "2"}, {6000, "session 3", "3"}};
    return {"curves", "Anytime accuracy", "on " + kAwkward, "described", figure};
}

Figure matrix() {
    HeatFigure heat;
    heat.rows = {kAwkward, "after session 2"};
    heat.columns = {"1", "2"};
    heat.values = {{91.26, std::nullopt}, {55, 100}};
    heat.column_caption = "on session";
    return {"matrix", "R matrix", "accuracy, %", "described", heat};
}

/// True if the text is escaped: no character with a meaning in TeX is unescaped.
bool escaped(const QString& text) {
    QString rest = text;
    rest.remove("\\\\");  // a line break; backslashes of names are spelt out
    rest.remove(QRegularExpression(R"(\\[&%$#_{}])"));
    rest.remove(QRegularExpression(R"(\$\\?[A-Za-z\-]+\$)"));
    rest.remove(QRegularExpression(R"(\\[a-zA-Z]+\{\})"));
    return !rest.contains(QRegularExpression(R"([&%$#_^~\\{}])"));
}

}  // namespace

class PgfplotsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textIsEscapedForTex_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("tex");
        QTest::newRow("signs") << "50 % & a_b #1 {c} $d"
                               << "50 \\% \\& a\\_b \\#1 \\{c\\} \\$d";
        QTest::newRow("strokes")
            << "a\\b^c~d<e>|"
            << R"(a\textbackslash{}b\textasciicircum{}c\textasciitilde{}d\textless{}e\textgreater{}\textbar{})";
        QTest::newRow("letters") << "Läufe, Čapek"
                                 << "Läufe, Čapek";
        QTest::newRow("signs of reports") << "“a” – 1 ± 2 − 3 …"
                                          << "``a'' -- 1 $\\pm$ 2 $-$ 3 \\ldots{}";
        QTest::newRow("other letters") << "実"
                                       << "[U+5B9F]";
        QTest::newRow("a broken line") << "a\nb"
                                       << "a?b";
    }
    void textIsEscapedForTex() {
        QFETCH(QString, text);
        QFETCH(QString, tex);
        QCOMPARE(QString::fromStdString(texText(text.toStdString())), tex);
    }

    void awkwardNamesStayNames() {
        const QString tikz = QString::fromStdString(figureTikz(curves(20), screenStyle(), "caption\nof two lines"));
        QVERIFY(tikz.startsWith("% Anytime accuracy\n% caption?of two lines\n"));
        int entries = 0;
        for (const QString& line : tikz.split('\n')) {
            const QString begin = "\\addlegendentry{";
            if (!line.startsWith(begin)) continue;
            ++entries;
            QVERIFY2(line.endsWith("}") && escaped(line.mid(begin.size()).chopped(1)), qPrintable(line));
        }
        QCOMPARE(entries, 6);
        QCOMPARE(tikz.count('{') - tikz.count("\\{"), tikz.count('}') - tikz.count("\\}"));
    }

    void theNumbersStandInTheText() {
        const std::string tikz = figureTikz(curves(4), findFigureStyle("single-column"), "");
        QVERIFY(tikz.find("coordinates {(3000,95)(6000,95)(9000,95)(12000,95)}") != std::string::npos);
        // A band is clipped at 100 %.
        QVERIFY(tikz.find("{(3000,100)(6000,100)(9000,100)(12000,100)(12000,89)") != std::string::npos);
        QVERIFY(tikz.find("width=3.3in") != std::string::npos);
        QVERIFY(tikz.find("\\definecolor{palimpsestSeries1}{HTML}{0072B2}") != std::string::npos);
        QVERIFY(tikz.find("mark=diamond*") != std::string::npos);
        QVERIFY(tikz.find("dash pattern=on 4.9pt off 2.1pt") != std::string::npos);
        QVERIFY(tikz.find("documentclass") == std::string::npos);
    }

    void manyPointsAreThinnedAndItIsSaid() {
        const QString tikz = QString::fromStdString(figureTikz(curves(5000), screenStyle(), ""));
        QVERIFY(tikz.contains("% 501 of 5000 points"));
        QVERIFY2(tikz.contains("(12000,95)}"), "the last point stays");
        QVERIFY(tikz.size() < 200'000);
    }

    void theSameFigureGivesTheSameText() {
        QVERIFY(figureTex(curves(20), screenStyle(), "c") == figureTex(curves(20), screenStyle(), "c"));
        QVERIFY(figureTex(curves(20), screenStyle(), "c") != figureTex(curves(21), screenStyle(), "c"));
    }

    void pdflatexTakesIt_data() {
        QTest::addColumn<QString>("document");
        const auto add = [](const char* name, const std::string& text) {
            QTest::newRow(name) << QString::fromStdString(text);
        };
        for (const FigureStyle& style : figureStyles()) {
            add((std::string("curves, ") + style.name).c_str(), figureTex(curves(20), style, kAwkward));
            add((std::string("matrix, ") + style.name).c_str(), figureTex(matrix(), style, kAwkward));
        }
        Figure empty = curves(1);
        for (Series& series : std::get<CurveFigure>(empty.content).series) series.points.clear();
        std::get<CurveFigure>(empty.content).empty = "No evaluation yet";
        add("no points", figureTex(empty, screenStyle(), ""));
        const OptionTable table(testCatalogue());
        RunRecord record = testing::madeUpRecord("/runs/a", "batch");
        record.experiment.name = kAwkward;
        record.summary.a_auc = 0.5;
        add("table",
            "\\documentclass{article}\n\\usepackage[utf8]{inputenc}\n\\usepackage[T1]{fontenc}\n"
            "\\usepackage{booktabs}\n\\begin{document}\n" +
                resultLatex(table, groupRuns(table, {record})) + "\\end{document}\n");
    }
    void pdflatexTakesIt() {
        QFETCH(QString, document);
        const QString program = QStandardPaths::findExecutable("pdflatex");
        if (program.isEmpty()) QSKIP("There is no pdflatex here.");
        for (const char* package : {"pgfplots.sty", "standalone.cls", "booktabs.sty"}) {
            QProcess which;
            which.start("kpsewhich", {package});
            if (!which.waitForFinished() || which.exitCode() != 0) QSKIP("TeX is here, but not all the packages.");
        }
        QTemporaryDir folder;
        QFile file(folder.filePath("figure.tex"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(document.toUtf8());
        file.close();
        QProcess latex;
        latex.setWorkingDirectory(folder.path());
        latex.start(program, {"-interaction=nonstopmode", "-halt-on-error", "figure.tex"});
        QVERIFY(latex.waitForFinished(300'000));
        QVERIFY2(latex.exitCode() == 0, latex.readAllStandardOutput().right(2000));
        QVERIFY(QFileInfo(folder.filePath("figure.pdf")).size() > 1000);
    }
};

PALIMPSEST_GUILESS_TEST(PgfplotsTest)

}  // namespace tst_pgfplots

#include "tst_pgfplots.moc"
