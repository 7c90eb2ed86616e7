// SPDX-License-Identifier: GPL-3.0-or-later
#include <cairo.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/report/cairo_canvas.h"
#include "engine/report/figure_drawing.h"
#include "engine/support/error.h"

namespace palimpsest::report {
namespace {

constexpr int kFramesASecond = 10;
constexpr int kHundredthsAFrame = 100 / kFramesASecond;
constexpr int kLastHundredths = 300;
constexpr int kColours = 256;

/// Pixels as cairo has them, 0x00RRGGBB, row by row.
struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint32_t> pixels;
};

Picture pictureOf(const Figure& figure, const FigureStyle& style, double pixels_a_unit) {
    CairoCanvas measure;
    const auto pixels = [&](double units) { return static_cast<int>(std::lround(units * pixels_a_unit)); };
    Picture picture{pixels(style.width), pixels(figureHeight(measure, figure, style)), {}};
    CairoCanvas canvas(cairo_image_surface_create(CAIRO_FORMAT_RGB24, picture.width, picture.height), pixels_a_unit);
    canvas.cover(Ink::Panel);
    drawFigure(canvas, figure, style);
    if (const std::string failure = canvas.failure(); !failure.empty())
        throw runError("The figure “" + figure.title + "” could not be drawn: " + failure + ".");
    cairo_surface_flush(canvas.surface());
    const unsigned char* const bytes = cairo_image_surface_get_data(canvas.surface());
    const int stride = cairo_image_surface_get_stride(canvas.surface());
    picture.pixels.reserve(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height));
    for (int y = 0; y < picture.height; ++y) {
        const auto* row = reinterpret_cast<const std::uint32_t*>(bytes + static_cast<std::ptrdiff_t>(y) * stride);
        for (int x = 0; x < picture.width; ++x) picture.pixels.push_back(row[x] & 0xffffff);
    }
    return picture;
}

GifByteType part(std::uint32_t pixel, int shift) {
    return static_cast<GifByteType>(pixel >> shift & 0xff);
}

/// At most 256 colours for all frames. The last one has them all, but for what is mixed at edges.
class Palette {
public:
    explicit Palette(const Picture& last) : colours_(GifMakeMapObject(kColours, nullptr), GifFreeMapObject) {
        if (!colours_) throw runError("There is no memory for an animation.");
        std::array<std::vector<GifByteType>, 3> planes;
        for (int channel = 0; channel < 3; ++channel)
            for (const std::uint32_t pixel : last.pixels)
                planes[static_cast<std::size_t>(channel)].push_back(part(pixel, 16 - 8 * channel));
        std::vector<GifByteType> unused(last.pixels.size());
        int count = kColours;
        if (GifQuantizeBuffer(static_cast<unsigned>(last.width), static_cast<unsigned>(last.height), &count,
                              planes[0].data(), planes[1].data(), planes[2].data(), unused.data(),
                              colours_->Colors) != GIF_OK)
            throw runError("The colours of the figure could not be reduced to those of a GIF.");
    }

    const ColorMapObject* colours() const { return colours_.get(); }
    /// Place of the colour that is nearest to a pixel's.
    GifByteType placeOf(std::uint32_t pixel) {
        const auto [found, fresh] = known_.try_emplace(pixel, GifByteType{0});
        if (!fresh) return found->second;
        int least = -1;
        for (int i = 0; i < kColours; ++i) {
            const GifColorType& colour = colours_->Colors[i];
            const int red = part(pixel, 16) - colour.Red, green = part(pixel, 8) - colour.Green,
                      blue = part(pixel, 0) - colour.Blue;
            const int distance = red * red + green * green + blue * blue;
            if (least >= 0 && distance >= least) continue;
            least = distance;
            found->second = static_cast<GifByteType>(i);
        }
        return found->second;
    }

private:
    std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> colours_;
    std::unordered_map<std::uint32_t, GifByteType> known_;
};

/// The bytes of an animation, frame after frame; of each only what differs from the one before is kept.
class GifWriter {
public:
    GifWriter(int width, int height, const ColorMapObject* colours) : width_(width), height_(height) {
        int error = 0;
        gif_ = EGifOpen(&bytes_, &GifWriter::append, &error);
        if (!gif_) throw runError("There is no memory for an animation.");
        EGifSetGifVersion(gif_, true);
        // For ever: an extension that browsers brought into the world.
        constexpr std::array<GifByteType, 3> kForEver{1, 0, 0};
        check(EGifPutScreenDesc(gif_, width, height, 8, 0, colours) == GIF_OK &&
              EGifPutExtensionLeader(gif_, APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
              EGifPutExtensionBlock(gif_, 11, "NETSCAPE2.0") == GIF_OK &&
              EGifPutExtensionBlock(gif_, static_cast<int>(kForEver.size()), kForEver.data()) == GIF_OK &&
              EGifPutExtensionTrailer(gif_) == GIF_OK);
    }
    ~GifWriter() {
        int error = 0;
        if (gif_) EGifCloseFile(gif_, &error);
    }
    GifWriter(const GifWriter&) = delete;
    GifWriter& operator=(const GifWriter&) = delete;

    /// `places`: of its colours, row by row.
    void add(std::vector<GifByteType> places, int hundredths) {
        int left = 0, top = 0, right = width_, bottom = height_;
        if (!before_.empty()) {
            left = width_, top = height_, right = bottom = 0;
            for (int y = 0; y < height_; ++y)
                for (int x = 0; x < width_; ++x) {
                    const auto at = index(x, y);
                    if (places[at] == before_[at]) continue;
                    left = std::min(left, x), right = std::max(right, x + 1);
                    top = std::min(top, y), bottom = y + 1;
                }
            // Nothing differs: a frame of one pixel, for the time that it takes.
            if (right == 0) left = top = 0, right = bottom = 1;
        }
        GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, NO_TRANSPARENT_COLOR};
        std::array<GifByteType, 4> packed{};
        EGifGCBToExtension(&control, packed.data());
        check(EGifPutExtension(gif_, GRAPHICS_EXT_FUNC_CODE, static_cast<int>(packed.size()), packed.data()) ==
                  GIF_OK &&
              EGifPutImageDesc(gif_, left, top, right - left, bottom - top, false, nullptr) == GIF_OK);
        for (int y = top; y < bottom; ++y) check(EGifPutLine(gif_, &places[index(left, y)], right - left) == GIF_OK);
        before_ = std::move(places);
    }

    std::string finish() {
        int error = 0;
        const bool closed = EGifCloseFile(std::exchange(gif_, nullptr), &error) == GIF_OK;
        check(closed);
        return std::move(bytes_);
    }

private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    static int append(GifFileType* gif, const GifByteType* data, int length) {
        static_cast<std::string*>(gif->UserData)
            ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(length));
        return length;
    }
    static void check(bool well) {
        if (!well) throw runError("The animation could not be put together.");
    }

    int width_, height_;
    std::string bytes_;
    GifFileType* gif_ = nullptr;
    std::vector<GifByteType> before_;
};

}  // namespace

std::string figureGif(const Figure& figure, const FigureStyle& style) {
    const auto* curves = std::get_if<CurveFigure>(&figure.content);
    const std::optional<double> end = curves ? endOf(*curves) : std::nullopt;
    if (!end)
        throw inputError("“" + figure.title + "” has no curves that could grow.", "Choose another format for it.");
    const double pixels = std::min(style.pixels, kWidestAnimation / style.width);
    const Picture last = pictureOf(figure, style, pixels);
    Palette palette(last);
    GifWriter writer(last.width, last.height, palette.colours());
    const auto add = [&](const Picture& picture, int hundredths) {
        std::vector<GifByteType> places;
        places.reserve(picture.pixels.size());
        for (const std::uint32_t pixel : picture.pixels) places.push_back(palette.placeOf(pixel));
        writer.add(std::move(places), hundredths);
    };
    Figure growing = figure;
    const double begin = curves->x.low;
    constexpr int kFrames = static_cast<int>(kGrowthSeconds * kFramesASecond);
    for (int frame = 1; frame < kFrames; ++frame) {
        std::get<CurveFigure>(growing.content).until = begin + (*end - begin) * frame / kFrames;
        add(pictureOf(growing, style, pixels), kHundredthsAFrame);
    }
    add(last, kLastHundredths);
    return writer.finish();
}

}  // namespace palimpsest::report
