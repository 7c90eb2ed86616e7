// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <gif_lib.h>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "engine/report/figure_drawing.h"
#include "engine/support/error.h"
#include "tests/support/test_program.h"

using namespace palimpsest;
using namespace palimpsest::report;

namespace tst_animation {

namespace {

/// Two curves, of which the second begins in the middle.
Figure figure() {
    CurveFigure curves;
    curves.x = {0, 1000, {{0, "0"}, {1000, "1000"}}, "images", false};
    curves.y = percentAxis(100);
    Series first, second;
    first.name = "first";
    first.value = "40.0 %";
    first.note = "A_AUC 60.0 %";
    first.points = {{100, 80, 0, 1}, {500, 60, 0, 1}, {1000, 40, 0, 1}};
    first.members = {{{100, 80}, {1000, 40}}};
    second.name = "second";
    second.value = "30.0 %";
    second.points = {{600, 20, 0, 1}, {1000, 30, 0, 1}};
    second.style = seriesStyle(1);
    curves.series = {first, second};
    return {"curves", "Curves", "on all classes", "Two curves", curves};
}

struct Film {
    int width = 0, height = 0;
    bool loops = false;
    std::vector<int> delays;
    std::vector<std::vector<int>> frames;  ///< colours as the viewer sees them, row by row
};

/// Plays a GIF as a viewer does.
Film filmOf(const std::string& bytes) {
    struct Reading {
        const std::string& bytes;
        std::size_t at = 0;
    } reading{bytes};
    int error = 0;
    GifFileType* const gif = DGifOpen(
        &reading,
        [](GifFileType* file, GifByteType* to, int length) {
            auto& from = *static_cast<Reading*>(file->UserData);
            const std::size_t count = std::min(static_cast<std::size_t>(length), from.bytes.size() - from.at);
            std::memcpy(to, from.bytes.data() + from.at, count);
            from.at += count;
            return static_cast<int>(count);
        },
        &error);
    if (!gif || DGifSlurp(gif) != GIF_OK) qFatal("no GIF: %d", error);
    Film film{gif->SWidth, gif->SHeight, false, {}, {}};
    std::vector<int> screen(static_cast<std::size_t>(film.width * film.height), -1);
    for (int i = 0; i < gif->ImageCount; ++i) {
        const SavedImage& image = gif->SavedImages[i];
        for (int k = 0; k < image.ExtensionBlockCount; ++k)
            film.loops = film.loops ||
                         std::string(reinterpret_cast<const char*>(image.ExtensionBlocks[k].Bytes),
                                     static_cast<std::size_t>(image.ExtensionBlocks[k].ByteCount)) == "NETSCAPE2.0";
        GraphicsControlBlock control{};
        DGifSavedExtensionToGCB(gif, i, &control);
        film.delays.push_back(control.DelayTime);
        const GifImageDesc& place = image.ImageDesc;
        for (int y = 0; y < place.Height; ++y)
            for (int x = 0; x < place.Width; ++x) {
                const GifColorType& colour = gif->SColorMap->Colors[image.RasterBits[y * place.Width + x]];
                screen[static_cast<std::size_t>((place.Top + y) * film.width + place.Left + x)] =
                    colour.Red << 16 | colour.Green << 8 | colour.Blue;
            }
        film.frames.push_back(screen);
    }
    DGifCloseFile(gif, &error);
    return film;
}

}  // namespace

class TestAnimation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCurveIsCutBetweenItsPoints() {
        const CurveFigure cut = cutAt(std::get<CurveFigure>(figure().content), 750);
        const Series& first = cut.series[0];
        QCOMPARE(first.points.size(), std::size_t{3});
        QCOMPARE(first.points.back().x, 750.0);
        QCOMPARE(first.points.back().y, 50.0);
        QVERIFY(first.goes_on);
        QCOMPARE(first.whole, std::size_t{3});
        // It says what was measured last, not what will be.
        QCOMPARE(first.value, std::string("60.0 %"));
        QCOMPARE(first.note, std::string());
        QCOMPARE(first.members.front().size(), std::size_t{1});
    }

    void aCurveThatHasNotBegunSaysNothing() {
        const CurveFigure cut = cutAt(std::get<CurveFigure>(figure().content), 550);
        QVERIFY(cut.series[1].points.empty());
        QCOMPARE(cut.series[1].value, std::string());
        QVERIFY(cut.series[0].goes_on);
    }

    void aCurveThatHasEndedIsWhole() {
        const CurveFigure whole = std::get<CurveFigure>(figure().content);
        const CurveFigure cut = cutAt(whole, 1000);
        for (std::size_t i = 0; i < whole.series.size(); ++i) {
            QCOMPARE(cut.series[i].points.size(), whole.series[i].points.size());
            QCOMPARE(cut.series[i].value, whole.series[i].value);
            QVERIFY(!cut.series[i].goes_on);
        }
        QCOMPARE(endOf(whole), std::optional(1000.0));
        QCOMPARE(endOf(CurveFigure{}), std::optional<double>());
    }

    void theFilmGrowsToTheFigureAndStays_data() {
        QTest::addColumn<QString>("style");
        for (const FigureStyle& style : figureStyles()) QTest::newRow(style.name) << style.name;
    }
    void theFilmGrowsToTheFigureAndStays() {
        QFETCH(QString, style);
        const FigureStyle& chosen = findFigureStyle(style.toStdString());
        const std::string bytes = figureGif(figure(), chosen);
        const Film film = filmOf(bytes);
        QVERIFY(film.loops);
        QCOMPARE(film.frames.size(), std::size_t{60});
        QCOMPARE(film.delays.front(), 10);
        QCOMPARE(film.delays.back(), 300);
        QVERIFY(film.width <= kWidestAnimation);
        // Nothing jumps: what a frame paints stays, but for the words and markers at the end of a growing curve.
        std::set<std::vector<int>> different(film.frames.begin(), film.frames.end());
        QVERIFY2(different.size() > 50, qPrintable(QString::number(different.size())));
        // The last frame is the figure, in 256 colours.
        Figure ended = figure();
        std::get<CurveFigure>(ended.content).until = 1000;
        QVERIFY(filmOf(figureGif(ended, chosen)).frames.back() == film.frames.back());
        QVERIFY2(bytes.size() < 1'500'000, qPrintable(QString::number(bytes.size())));
        QVERIFY(bytes == figureGif(figure(), chosen));
    }

    void theAxesStayWhereTheyAre() {
        const Film film = filmOf(figureGif(figure(), findFigureStyle("screen")));
        // The left edge of the plot with its numbers is the same in all frames.
        const int edge = film.width / 20;
        for (const std::vector<int>& frame : film.frames)
            for (int y = 0; y < film.height; ++y)
                for (int x = 0; x < edge; ++x) {
                    const auto at = static_cast<std::size_t>(y * film.width + x);
                    QCOMPARE(frame[at], film.frames.back()[at]);
                }
    }

    void whatHasNoCurvesDoesNotGrow() {
        Figure heat = figure();
        heat.content = HeatFigure{};
        QVERIFY_EXCEPTION_THROWN(figureGif(heat, screenStyle()), Error);
        heat.content = CurveFigure{};
        QVERIFY_EXCEPTION_THROWN(figureGif(heat, screenStyle()), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestAnimation)

}  // namespace tst_animation

#include "tst_animation.moc"
