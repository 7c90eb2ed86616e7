// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cairo.h>
#include <gif_lib.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
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
    std::vector<std::size_t> frames;   ///< a hash of the picture that the viewer sees
    std::vector<std::size_t> margins;  ///< a hash of its upper left edge, with the numbers beside the plot
    std::vector<std::uint32_t> last;   ///< colours of the last picture, row by row
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
    Film film{gif->SWidth, gif->SHeight, false, {}, {}, {}, {}};
    std::vector<std::uint32_t>& screen = film.last;
    screen.resize(static_cast<std::size_t>(film.width * film.height));
    const auto hashOf = [&](int columns, int rows) {
        std::size_t hash = 0;
        for (int y = 0; y < rows; ++y)
            hash = qHashBits(&screen[static_cast<std::size_t>(y * film.width)],
                             static_cast<std::size_t>(columns) * sizeof screen[0], hash);
        return hash;
    };
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
                    static_cast<std::uint32_t>(colour.Red << 16 | colour.Green << 8 | colour.Blue);
            }
        film.frames.push_back(hashOf(film.width, film.height));
        film.margins.push_back(hashOf(film.width / 20, film.height / 2));
    }
    DGifCloseFile(gif, &error);
    return film;
}

/// Pixels of a PNG of this size; empty for another one.
std::vector<std::uint32_t> pixelsOf(const std::string& png, int width, int height) {
    struct Reading {
        const std::string& bytes;
        std::size_t at = 0;
    } reading{png};
    cairo_surface_t* const surface = cairo_image_surface_create_from_png_stream(
        [](void* from, unsigned char* to, unsigned length) {
            auto& source = *static_cast<Reading*>(from);
            if (source.at + length > source.bytes.size()) return CAIRO_STATUS_READ_ERROR;
            std::memcpy(to, source.bytes.data() + source.at, length);
            source.at += length;
            return CAIRO_STATUS_SUCCESS;
        },
        &reading);
    std::vector<std::uint32_t> pixels;
    if (cairo_image_surface_get_width(surface) == width && cairo_image_surface_get_height(surface) == height)
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x) {
                std::uint32_t pixel = 0;
                std::memcpy(&pixel,
                            cairo_image_surface_get_data(surface) + y * cairo_image_surface_get_stride(surface) + 4 * x,
                            4);
                pixels.push_back(pixel & 0xffffff);
            }
    cairo_surface_destroy(surface);
    return pixels;
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
        QVERIFY(first.interpolated_end);
        QCOMPARE(first.whole_count, std::size_t{3});
        // It says what was measured last, not what will be.
        QCOMPARE(first.value, std::string("60.0 %"));
        QCOMPARE(first.note, std::string());
        QCOMPARE(first.members.front().size(), std::size_t{2});
        QVERIFY(std::abs(first.members.front().back().y - (80 - 40.0 * 650 / 900)) < 1e-9);
    }

    void aValueOnTheWayIsWrittenAsThatAtTheEnd_data() {
        QTest::addColumn<QString>("end");
        QTest::addColumn<QString>("there");
        QTest::newRow("per cent") << "40.0 %"
                                  << "60.3 %";
        QTest::newRow("with its deviation") << "40.0 ± 1.5 %"
                                            << "60.3 ± 2.3 %";
        QTest::newRow("a number") << "0.532"
                                  << "60.250";
        QTest::newRow("whole") << "40 %"
                               << "60 %";
        QTest::newRow("nothing") << ""
                                 << "";
    }
    void aValueOnTheWayIsWrittenAsThatAtTheEnd() {
        QFETCH(QString, end);
        QFETCH(QString, there);
        CurveFigure curves;
        Series series;
        series.value = end.toStdString();
        series.points = {{100, 60.25, 2.25, 3}, {200, 40, 1.5, 3}};
        curves.series = {series};
        QCOMPARE(QString::fromStdString(cutAt(curves, 150).series[0].value), there);
    }

    void aCurveThatHasNotBegunSaysNothing() {
        const CurveFigure cut = cutAt(std::get<CurveFigure>(figure().content), 550);
        QVERIFY(cut.series[1].points.empty());
        QCOMPARE(cut.series[1].value, std::string());
        QVERIFY(cut.series[0].interpolated_end);
    }

    void aCurveThatHasEndedIsWhole() {
        const CurveFigure whole = std::get<CurveFigure>(figure().content);
        const CurveFigure cut = cutAt(whole, 1000);
        for (std::size_t i = 0; i < whole.series.size(); ++i) {
            QCOMPARE(cut.series[i].points.size(), whole.series[i].points.size());
            QCOMPARE(cut.series[i].value, whole.series[i].value);
            QVERIFY(!cut.series[i].interpolated_end);
        }
        QCOMPARE(extentOf(whole)->first, 100.0);
        QCOMPARE(extentOf(whole)->last, 1000.0);
        QVERIFY(!extentOf(CurveFigure{}));
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
        const std::set<std::size_t> different(film.frames.begin(), film.frames.end());
        QVERIFY2(different.size() > 50, qPrintable(QString::number(different.size())));
        QVERIFY2(bytes.size() < 1'500'000, qPrintable(QString::number(bytes.size())));
        QVERIFY(bytes == figureGif(figure(), chosen));
        // The axes with their numbers stay where they are.
        QCOMPARE(std::set<std::size_t>(film.margins.begin(), film.margins.end()).size(), std::size_t{1});
    }

    void theLastFrameIsTheFigure() {
        FigureStyle style = screenStyle();
        style.pixels = std::min(style.pixels, kWidestAnimation / style.width);
        Figure ended = figure();
        std::get<CurveFigure>(ended.content).until = 1000;
        const Film film = filmOf(figureGif(figure(), style));
        const std::vector<std::uint32_t> picture = pixelsOf(figurePng(ended, style), film.width, film.height);
        QCOMPARE(picture.size(), film.last.size());
        std::size_t equal = 0;
        for (std::size_t i = 0; i < picture.size(); ++i) {
            if (picture[i] == film.last[i]) ++equal;
            for (int shift = 0; shift < 24; shift += 8)
                QVERIFY(std::abs(int(picture[i] >> shift & 0xff) - int(film.last[i] >> shift & 0xff)) < 64);
        }
        // Ground, curves and words as they are; of what is mixed at edges, a little is near.
        QVERIFY2(equal > picture.size() * 99 / 100, qPrintable(QString::number(equal)));
        QCOMPARE(film.last.front(), picture.front());
    }

    void whatHasNoCurvesDoesNotGrow() {
        Figure heat = figure();
        heat.content = HeatFigure{};
        QVERIFY_EXCEPTION_THROWN(figureGif(heat, screenStyle()), Error);
        heat.content = CurveFigure{};
        QVERIFY_EXCEPTION_THROWN(figureGif(heat, screenStyle()), Error);
        Figure point = figure();
        for (Series& series : std::get<CurveFigure>(point.content).series) series.points = {{100, 80, 0, 1}};
        QVERIFY_EXCEPTION_THROWN(figureGif(point, screenStyle()), Error);
    }
};

PALIMPSEST_APPLESS_TEST(TestAnimation)

}  // namespace tst_animation

#include "tst_animation.moc"
