// SPDX-License-Identifier: GPL-3.0-or-later
#include <cairo.h>

#include <QtTest>
#include <cstring>

#include "engine/metrics/metrics.h"
#include "engine/report/figure.h"
#include "engine/report/figure_drawing.h"
#include "engine/support/format.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;

namespace tst_figure {

namespace {

struct DrawnText {
    QRectF box;
    std::string text;
};

/// Records what a figure draws. Every character is 0.62 of its size wide: wider than any real font.
class RecordingCanvas : public Canvas {
public:
    void line(std::span<const Point> points, const Stroke& stroke) override {
        lines.emplace_back(points.begin(), points.end());
        widths.push_back(stroke.width);
    }
    void polygon(std::span<const Point> points, const Fill&, const std::optional<Stroke>&) override {
        polygons.emplace_back(points.begin(), points.end());
    }
    void circle(Point, double, const Fill&, const std::optional<Stroke>&) override {}
    void text(Point at, const std::string& text, const CanvasTextStyle& style) override {
        const double width = textWidth(text, style);
        const double left =
            style.anchor == Anchor::Start ? at.x : at.x - (style.anchor == Anchor::End ? width : width / 2);
        if (style.upwards) {
            texts.push_back({QRectF(at.x - style.size * 0.75, at.y - width, style.size * 0.95, width), text});
            return;
        }
        texts.push_back({QRectF(left, at.y - style.size * 0.75, width, style.size * 0.95), text});
    }
    double textWidth(const std::string& text, const CanvasTextStyle& style) override {
        return static_cast<double>(QString::fromStdString(text).size()) * style.size * 0.62;
    }

    std::vector<std::vector<Point>> lines;
    std::vector<double> widths;
    std::vector<std::vector<Point>> polygons;
    std::vector<DrawnText> texts;
};

Figure curves(int count, double end, bool borders) {
    CurveFigure figure;
    figure.x = roundAxis(12'000, 8);
    figure.x.caption = "images seen";
    figure.y = percentAxis(100);
    figure.y.caption = "accuracy, %";
    for (int k = 0; k < count; ++k) {
        Series series;
        series.name = "a rather long name of experiment number " + std::to_string(k);
        series.note = "A_AUC 67.7 ± 1.9 %, N = 5";
        series.style = seriesStyle(static_cast<std::size_t>(k));
        series.rank = k;
        for (int x = 1; x <= 12; ++x) {
            series.points.push_back({x * 1000.0, end + 0.1 * k, 2});
        }
        figure.series.push_back(series);
    }
    if (borders) {
        for (const double at : {0.0, 40.0, 80.0, 6000.0, 11'990.0}) {
            figure.borders.push_back({at, "session 1", "1"});
        }
    }
    return {"f", "Anytime accuracy", "on all classes seen so far, %", "described", figure};
}

Figure matrix(std::size_t size) {
    HeatFigure heat;
    for (std::size_t r = 0; r < size; ++r) {
        heat.rows.push_back("after session " + std::to_string(r + 1));
        heat.columns.push_back(std::to_string(r + 1));
        heat.values.emplace_back(size);
        for (std::size_t c = 0; c <= r; ++c) {
            heat.values[r][c] = 100.0;
        }
    }
    heat.column_caption = "on the test images of session";
    heat.column_word = "session";
    heat.scale = "accuracy, %";
    return {"m", "R matrix", "accuracy, %", "described", heat};
}

/// A confusion matrix of classes with long names.
Figure answers(std::size_t size) {
    HeatFigure heat;
    for (std::size_t r = 0; r < size; ++r) {
        heat.rows.push_back("Ankle boot or shoe " + std::to_string(r + 1));
        heat.columns.push_back(heat.rows.back());
        heat.values.emplace_back(size, 0.0)[r] = 100;
    }
    heat.column_caption = "answered as";
    heat.scale = "share of the class's test images, %";
    heat.all_columns = heat.quiet_zero = true;
    return {"c", "Confusion matrix", "%", "described", heat};
}

}  // namespace

class FigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void axesTakeRoundSteps_data();
    void axesTakeRoundSteps();
    void aPercentAxisReachesAboveEveryValue();
    void textsNeverOverlapAndStayOnTheFigure_data();
    void textsNeverOverlapAndStayOnTheFigure();
    void everySeriesOfAFewIsNamed();
    void theFirstTwentySeriesLookDifferent();
    void aFigureWithoutPointsSaysSo();
    void aSinglePointShowsItsDeviation_data();
    void aSinglePointShowsItsDeviation();
    void theTableHoldsEveryNumber();
    void picturesAreWhiteUpToTheirEdges();
    void theLegendCutsNoNameThatHasRoom();
    void picturesAreTheSameEachTime_data();
    void picturesAreTheSameEachTime();
    void figuresForPapersHaveTheWidthOfTheirColumn_data();
    void figuresForPapersHaveTheWidthOfTheirColumn();
    void markupInNamesIsEscaped();
    void longNamesAreCutBetweenCharacters();
    void numbersAreWrittenTheSameInEveryLocale_data();
    void numbersAreWrittenTheSameInEveryLocale();
};

void FigureTest::axesTakeRoundSteps_data() {
    QTest::addColumn<double>("high");
    QTest::addColumn<QStringList>("texts");
    QTest::newRow("a small stream") << 12'000.0 << QStringList{"0", "2k", "4k", "6k", "8k", "10k", "12k"};
    QTest::newRow("an odd length") << 5'987.0 << QStringList{"0", "1k", "2k", "3k", "4k", "5k"};
    QTest::newRow("a tiny stream") << 300.0 << QStringList{"0", "50", "100", "150", "200", "250", "300"};
    QTest::newRow("ImageNet") << 1'281'167.0 << QStringList{"0", "200k", "400k", "600k", "800k", "1000k", "1200k"};
    QTest::newRow("several million") << 6e6 << QStringList{"0", "1M", "2M", "3M", "4M", "5M", "6M"};
    QTest::newRow("nothing yet") << 0.0 << QStringList{"0", "0.2", "0.4", "0.6", "0.8", "1"};
}

void FigureTest::axesTakeRoundSteps() {
    QFETCH(double, high);
    QFETCH(QStringList, texts);
    QStringList made;
    for (const Tick& tick : roundAxis(high, 8).ticks) {
        made << QString::fromStdString(tick.text);
    }
    QCOMPARE(made, texts);
}

void FigureTest::aPercentAxisReachesAboveEveryValue() {
    for (double value = 0; value <= 100; value += 0.5) {
        QVERIFY(percentAxis(value).high >= value);
    }
    QCOMPARE(percentAxis(0).high, 20.0);
    QCOMPARE(percentAxis(17).high, 20.0);
    QCOMPARE(percentAxis(46).high, 50.0);
    QCOMPARE(percentAxis(50).high, 60.0);
    QCOMPARE(percentAxis(79).high, 100.0);
}

void FigureTest::textsNeverOverlapAndStayOnTheFigure_data() {
    QTest::addColumn<QVariant>("kind");
    QTest::addColumn<int>("count");
    QTest::addColumn<double>("end");
    QTest::addColumn<QString>("style");
    for (const FigureStyle& style : figureStyles()) {
        const QString name = style.name;
        for (const int count : {1, 2, 5, 12, 40}) {
            for (const double end : {0.0, 50.0, 99.0}) {
                QTest::addRow("%d curves ending at %g, %s", count, end, style.name)
                    << QVariant("curves") << count << end << name;
            }
        }
        for (const int count : {1, 5, 20, 100}) {
            QTest::addRow("%d sessions, %s", count, style.name) << QVariant("matrix") << count << 0.0 << name;
            QTest::addRow("%d classes, %s", count, style.name) << QVariant("classes") << count << 0.0 << name;
        }
    }
}

void FigureTest::textsNeverOverlapAndStayOnTheFigure() {
    QFETCH(QVariant, kind);
    QFETCH(int, count);
    QFETCH(double, end);
    QFETCH(QString, style);
    const Figure figure = kind.toString() == "curves"    ? curves(count, end, true)
                          : kind.toString() == "classes" ? answers(static_cast<std::size_t>(count))
                                                         : matrix(static_cast<std::size_t>(count));
    RecordingCanvas canvas;
    const FigureStyle& sheet = findFigureStyle(style.toStdString());
    drawFigure(canvas, figure, sheet);
    const QRectF page(0, 0, sheet.width, figureHeight(canvas, figure, sheet));
    for (std::size_t a = 0; a < canvas.texts.size(); ++a) {
        const DrawnText& text = canvas.texts[a];
        QVERIFY2(page.contains(text.box), text.text.c_str());
        for (std::size_t b = a + 1; b < canvas.texts.size(); ++b) {
            const std::string both = text.text + " | " + canvas.texts[b].text;
            QVERIFY2(!text.box.intersects(canvas.texts[b].box), both.c_str());
        }
    }
}

void FigureTest::everySeriesOfAFewIsNamed() {
    RecordingCanvas canvas;
    drawFigure(canvas, curves(6, 60, false), screenStyle());
    int named = 0;
    for (const DrawnText& text : canvas.texts) {
        named += text.text.starts_with("a rather long") ? 1 : 0;
    }
    QCOMPARE(named, 6);
}

void FigureTest::theFirstTwentySeriesLookDifferent() {
    for (std::size_t a = 0; a < 20; ++a) {
        for (std::size_t b = a + 1; b < 20; ++b) {
            const SeriesStyle one = seriesStyle(a);
            const SeriesStyle other = seriesStyle(b);
            QVERIFY(one.ink != other.ink || one.dash != other.dash);
            if (b < 5) {
                QVERIFY(one.ink != other.ink);
                QVERIFY(one.dash != other.dash);
                QVERIFY(one.marker != other.marker);
            }
        }
    }
}

void FigureTest::aFigureWithoutPointsSaysSo() {
    Figure figure = curves(1, 50, false);
    auto& content = std::get<CurveFigure>(figure.content);
    content.series.front().points.clear();
    content.empty = "No evaluation yet";
    const std::string svg = figureSvg(figure, screenStyle());
    QVERIFY(svg.find("No evaluation yet") != std::string::npos);
}

void FigureTest::aSinglePointShowsItsDeviation_data() {
    QTest::addColumn<bool>("band");
    QTest::addColumn<int>("uprights");
    QTest::newRow("several seeds") << true << 1;
    QTest::newRow("one seed") << false << 0;
}

void FigureTest::aSinglePointShowsItsDeviation() {
    QFETCH(bool, band);
    QFETCH(int, uprights);
    CurveFigure figure;
    figure.x = roundAxis(12'000, 8);
    figure.y = percentAxis(100);
    Series series;
    series.name = "two seeds";
    series.points = {{6000, 50, 10}};
    series.band = band;
    figure.series.push_back(series);
    RecordingCanvas canvas;
    drawFigure(canvas, {"f", "Anytime accuracy", "%", "described", figure}, screenStyle());
    int found = 0;
    for (const auto& line : canvas.lines) {
        found += line.size() == 2 && line[0].x == line[1].x && std::abs(line[0].y - line[1].y) > 20;
    }
    QCOMPARE(found, uprights);
}

void FigureTest::theTableHoldsEveryNumber() {
    Figure figure = curves(2, 50, false);
    auto& series = std::get<CurveFigure>(figure.content).series;
    series[0].points = {{1000, 10, 0}, {2000, 20.26, 1.5}};
    series[1].points = {{2000, 30, 0}};
    // A single value beside means of several seeds has no spread.
    series[1].band = true;
    const FigureTable table = figureTable(figure);
    QCOMPARE(table.head.size(), std::size_t{3});
    const std::vector<std::vector<std::string>> expected{{"1,000", "10.0", "–"}, {"2,000", "20.3 ± 1.5", "30.0"}};
    QCOMPARE(table.rows, expected);
    QCOMPARE(figureTable(matrix(3)).rows[1], (std::vector<std::string>{"after session 2", "100.0", "100.0", "–"}));
}

void FigureTest::picturesAreWhiteUpToTheirEdges() {
    // Legends of different heights end at different fractions of a pixel.
    for (int count = 1; count < 6; ++count)
        for (const FigureStyle& style : figureStyles()) {
            const std::string png = figurePng(curves(count, 70, true), style);
            struct Rest {
                const char *at, *end;
            } rest{png.data(), png.data() + png.size()};
            const auto read = [](void* from, unsigned char* to, unsigned length) {
                Rest& left = *static_cast<Rest*>(from);
                if (left.end - left.at < static_cast<std::ptrdiff_t>(length)) return CAIRO_STATUS_READ_ERROR;
                std::memcpy(to, left.at, length);
                left.at += length;
                return CAIRO_STATUS_SUCCESS;
            };
            cairo_surface_t* picture = cairo_image_surface_create_from_png_stream(read, &rest);
            QCOMPARE(cairo_surface_status(picture), CAIRO_STATUS_SUCCESS);
            const int width = cairo_image_surface_get_width(picture), height = cairo_image_surface_get_height(picture);
            const unsigned char* pixels = cairo_image_surface_get_data(picture);
            const int stride = cairo_image_surface_get_stride(picture);
            const auto at = [&](int x, int y) {
                std::uint32_t pixel = 0;
                std::memcpy(&pixel, pixels + y * stride + 4 * x, 4);
                return pixel & 0xffffffU;
            };
            for (int x = 0; x < width; ++x) QCOMPARE(at(x, height - 1), 0xffffffU);
            for (int y = 0; y < height; ++y) QCOMPARE(at(width - 1, y), 0xffffffU);
            cairo_surface_destroy(picture);
        }
}

void FigureTest::theLegendCutsNoNameThatHasRoom() {
    for (const char* name :
         {"ER", "Linear probe", "DualPrompt", "Batch mask (edited)", "ER 40", "MVP + MISA", "No mask"}) {
        Figure figure = curves(1, 70, false);
        Series& series = std::get<CurveFigure>(figure.content).series.front();
        series.name = name;
        for (const char* note : {"A_AUC 67.7 %", "A_AUC 1.25 %", ""}) {
            series.note = note;
            const std::string svg = figureSvg(figure, findFigureStyle("single-column"));
            QVERIFY2(svg.find("…") == std::string::npos, name);
        }
    }
}

void FigureTest::picturesAreTheSameEachTime_data() {
    QTest::addColumn<QString>("style");
    for (const FigureStyle& style : figureStyles()) QTest::newRow(style.name) << QString(style.name);
}

void FigureTest::picturesAreTheSameEachTime() {
    QFETCH(QString, style);
    const FigureStyle& sheet = findFigureStyle(style.toStdString());
    const Figure figure = curves(3, 70, true);
    const std::string png = figurePng(figure, sheet);
    QVERIFY(png.starts_with("\x89PNG"));
    QVERIFY(png == figurePng(figure, sheet));
    const std::string pdf = figurePdf(figure, sheet, "2024-05-06T07:08:09Z");
    QVERIFY(pdf.starts_with("%PDF"));
    QVERIFY(pdf == figurePdf(figure, sheet, "2024-05-06T07:08:09Z"));
    // Newer versions of cairo compress the date, so that it cannot be searched for.
    QVERIFY(pdf != figurePdf(figure, sheet, "2023-05-06T07:08:09Z"));
    QVERIFY(figureSvg(figure, sheet) == figureSvg(figure, sheet));
    QVERIFY(figureForPage(figure).find('#') == std::string::npos);
}

void FigureTest::figuresForPapersHaveTheWidthOfTheirColumn_data() {
    QTest::addColumn<QString>("style");
    QTest::addColumn<QString>("width");
    QTest::newRow("one column") << "single-column"
                                << "width=\"237.6pt\"";
    QTest::newRow("two columns") << "double-column"
                                 << "width=\"496.8pt\"";
    QTest::newRow("screen") << "screen"
                            << "width=\"720\"";
}

void FigureTest::figuresForPapersHaveTheWidthOfTheirColumn() {
    QFETCH(QString, style);
    QFETCH(QString, width);
    const FigureStyle& sheet = findFigureStyle(style.toStdString());
    const QString svg = QString::fromStdString(figureSvg(curves(2, 50, false), sheet));
    QVERIFY2(svg.contains(width), qPrintable(svg.left(200)));
    // In a paper the caption replaces the title.
    QCOMPARE(svg.contains(">Anytime accuracy</text>"), sheet.headed);
}

void FigureTest::markupInNamesIsEscaped() {
    Figure figure = curves(1, 50, false);
    std::get<CurveFigure>(figure.content).series.front().name = "<b>&\"";
    const QByteArray svg = QByteArray::fromStdString(figureSvg(figure, screenStyle()));
    QXmlStreamReader reader(svg);
    bool found = false;
    while (!reader.atEnd()) {
        reader.readNext();
        found = found || reader.text() == QStringLiteral("<b>&\"");
    }
    QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
    QVERIFY(found);
}

void FigureTest::longNamesAreCutBetweenCharacters() {
    RecordingCanvas canvas;
    const CanvasTextStyle style{10, false, Ink::Text, Anchor::Start};
    QCOMPARE(elided(canvas, "äöü äöü", style, 31), std::string("äöü…"));
    QCOMPARE(elided(canvas, "short", style, 31), std::string("short"));
}

void FigureTest::numbersAreWrittenTheSameInEveryLocale_data() {
    QTest::addColumn<QString>("written");
    QTest::addColumn<QString>("expected");
    const auto text = [](const std::string& value) { return QString::fromStdString(value); };
    QTest::newRow("fixed") << text(fixedText(1234.567, 2)) << "1234.57";
    QTest::newRow("tie") << text(fixedText(12.5, 0)) << "13";
    QTest::newRow("least tie") << text(fixedText(0.5, 0)) << "1";
    QTest::newRow("tie below zero") << text(fixedText(-2.5, 0)) << "-3";
    QTest::newRow("tie behind the point") << text(fixedText(6.25, 1)) << "6.3";
    QTest::newRow("below a tie") << text(fixedText(0.15, 1)) << "0.1";  // 0.15 is 0.1499...
    QTest::newRow("no tie") << text(fixedText(99.4, 0)) << "99";
    QTest::newRow("no negative zero") << text(fixedText(-0.001, 2)) << "0.00";
    QTest::newRow("thousands") << text(grouped(1'234'567)) << "1,234,567";
    QTest::newRow("negative thousands") << text(grouped(-1234)) << "-1,234";
    QTest::newRow("hundreds") << text(grouped(999)) << "999";
    QTest::newRow("spread") << text(spreadPerCent({0.677, 0.0193, 5})) << "67.7 ± 1.9";
    QTest::newRow("single run") << text(spreadPerCent({0.677, 0, 1})) << "67.7";
    QTest::newRow("no run") << text(spreadPerCent({})) << "–";
    QTest::newRow("gain") << text(signedPerCent(0.1834)) << "+18.3";
    QTest::newRow("loss") << text(signedPerCent(-0.05)) << "−5.0";
    QTest::newRow("no difference") << text(signedPerCent(-0.0001)) << "±0.0";
}

void FigureTest::numbersAreWrittenTheSameInEveryLocale() {
    QFETCH(QString, written);
    QFETCH(QString, expected);
    QCOMPARE(written, expected);
}

PALIMPSEST_APPLESS_TEST(FigureTest)

}  // namespace tst_figure

#include "tst_figure.moc"
