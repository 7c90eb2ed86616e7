// SPDX-License-Identifier: GPL-3.0-or-later
#include <cairo.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <exception>
#include <limits>
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

GifByteType channelOf(std::uint32_t pixel, int shift) {
    return static_cast<GifByteType>(pixel >> shift & 0xff);
}

/// The 256 colours that are most frequent in the last frame: the ground and all inks as they are, and most of what is
/// mixed at their edges.
class Palette {
public:
    explicit Palette(const Picture& last) : colours_(GifMakeMapObject(kColours, nullptr), GifFreeMapObject) {
        if (!colours_) throw runError("There is no memory for an animation.");
        std::unordered_map<std::uint32_t, std::int64_t> counts;
        for (const std::uint32_t pixel : last.pixels) ++counts[pixel];
        std::vector<std::pair<std::int64_t, std::uint32_t>> ranked;
        ranked.reserve(counts.size());
        for (const auto& [pixel, count] : counts) ranked.emplace_back(-count, pixel);
        std::ranges::sort(ranked);  // the most frequent first; of equals always the same
        kept_ = std::min<int>(kColours, static_cast<int>(ranked.size()));
        for (int i = 0; i < kept_; ++i) {
            const std::uint32_t pixel = ranked[static_cast<std::size_t>(i)].second;
            colours_->Colors[i] = {channelOf(pixel, 16), channelOf(pixel, 8), channelOf(pixel, 0)};
        }
    }

    const ColorMapObject* colours() const { return colours_.get(); }
    /// Index of the colour that is nearest to a pixel's.
    GifByteType indexOf(std::uint32_t pixel) {
        if (pixel == last_pixel_) return last_index_;
        const auto [found, fresh] = known_.try_emplace(pixel, GifByteType{0});
        if (fresh) found->second = nearest(pixel);
        last_pixel_ = pixel;
        last_index_ = found->second;
        return last_index_;
    }

private:
    GifByteType nearest(std::uint32_t pixel) const {
        int best = 0, least = std::numeric_limits<int>::max();
        for (int i = 0; i < kept_; ++i) {
            const GifColorType& colour = colours_->Colors[i];
            const int red = channelOf(pixel, 16) - colour.Red, green = channelOf(pixel, 8) - colour.Green,
                      blue = channelOf(pixel, 0) - colour.Blue;
            const int distance = red * red + green * green + blue * blue;
            if (distance < least) least = distance, best = i;
        }
        return static_cast<GifByteType>(best);
    }

    std::unique_ptr<ColorMapObject, decltype(&GifFreeMapObject)> colours_;
    int kept_ = 0;
    std::unordered_map<std::uint32_t, GifByteType> known_;
    std::uint32_t last_pixel_ = 0xffffffff;  // none has this value
    GifByteType last_index_ = 0;
};

struct CloseGif {
    void operator()(GifFileType* gif) const {
        int error = 0;
        EGifCloseFile(gif, &error);
    }
};

/// The bytes of an animation, frame after frame; of each only what differs from the one before is kept.
class GifWriter {
public:
    GifWriter(int width, int height, const ColorMapObject* colours) : width_(width), height_(height) {
        int error = 0;
        gif_.reset(EGifOpen(&bytes_, &GifWriter::append, &error));
        check(gif_ != nullptr);
        EGifSetGifVersion(gif_.get(), true);
        // Viewers repeat the frames for ever where this extension says so.
        constexpr std::array<GifByteType, 3> kForEver{1, 0, 0};
        check(EGifPutScreenDesc(gif_.get(), width, height, 8, 0, colours) == GIF_OK &&
              EGifPutExtensionLeader(gif_.get(), APPLICATION_EXT_FUNC_CODE) == GIF_OK &&
              EGifPutExtensionBlock(gif_.get(), 11, "NETSCAPE2.0") == GIF_OK &&
              EGifPutExtensionBlock(gif_.get(), static_cast<int>(kForEver.size()), kForEver.data()) == GIF_OK &&
              EGifPutExtensionTrailer(gif_.get()) == GIF_OK);
    }
    GifWriter(const GifWriter&) = delete;
    GifWriter& operator=(const GifWriter&) = delete;

    /// `indexes`: of its colours, row by row.
    void add(std::vector<GifByteType> indexes, int hundredths) {
        int left = 0, top = 0, right = width_, bottom = height_;
        if (!before_.empty()) {
            left = width_, top = height_, right = bottom = 0;
            for (int y = 0; y < height_; ++y)
                for (int x = 0; x < width_; ++x) {
                    const auto at = index(x, y);
                    if (indexes[at] == before_[at]) continue;
                    left = std::min(left, x), right = std::max(right, x + 1);
                    top = std::min(top, y), bottom = y + 1;
                }
            // Nothing differs: a frame of one pixel, for the time that it takes.
            if (right == 0) left = top = 0, right = bottom = 1;
        }
        GraphicsControlBlock control{DISPOSE_DO_NOT, false, hundredths, NO_TRANSPARENT_COLOR};
        std::array<GifByteType, 4> packed{};
        EGifGCBToExtension(&control, packed.data());
        check(EGifPutExtension(gif_.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(packed.size()), packed.data()) ==
                  GIF_OK &&
              EGifPutImageDesc(gif_.get(), left, top, right - left, bottom - top, false, nullptr) == GIF_OK);
        for (int y = top; y < bottom; ++y)
            check(EGifPutLine(gif_.get(), &indexes[index(left, y)], right - left) == GIF_OK);
        before_ = std::move(indexes);
    }

    std::string finish() {
        int error = 0;
        const bool closed = EGifCloseFile(gif_.release(), &error) == GIF_OK;
        check(closed);
        return std::move(bytes_);
    }

private:
    std::size_t index(int x, int y) const {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
    }
    /// Nothing may be thrown through giflib.
    static int append(GifFileType* gif, const GifByteType* data, int length) {
        try {
            static_cast<std::string*>(gif->UserData)
                ->append(reinterpret_cast<const char*>(data), static_cast<std::size_t>(length));
            return length;
        } catch (const std::exception&) {
            return 0;
        }
    }
    static void check(bool succeeded) {
        if (!succeeded) throw runError("The animation could not be put together; there may be too little memory.");
    }

    int width_, height_;
    std::string bytes_;
    std::unique_ptr<GifFileType, CloseGif> gif_;  // goes before the bytes that it writes to
    std::vector<GifByteType> before_;
};

}  // namespace

std::string figureGif(const Figure& figure, const FigureStyle& style) {
    const auto* curves = std::get_if<CurveFigure>(&figure.content);
    const std::optional<Extent> extent = curves ? extentOf(*curves) : std::nullopt;
    if (!extent || extent->first == extent->last)
        throw inputError("“" + figure.title + "” has no curve that could grow.", "Choose another format for it.");
    const double pixels = std::min(style.pixels, kWidestAnimation / style.width);
    Figure growing = figure;
    const auto upTo = [&](double until) {
        std::get<CurveFigure>(growing.content).until = until;
        return pictureOf(growing, style, pixels);
    };
    const Picture last = upTo(extent->last);
    Palette palette(last);
    GifWriter writer(last.width, last.height, palette.colours());
    const auto add = [&](const Picture& picture, int hundredths) {
        std::vector<GifByteType> indexes;
        indexes.reserve(picture.pixels.size());
        for (const std::uint32_t pixel : picture.pixels) indexes.push_back(palette.indexOf(pixel));
        writer.add(std::move(indexes), hundredths);
    };
    constexpr int kFrames = static_cast<int>(kGrowthSeconds * kFramesASecond);
    for (int frame = 0; frame + 1 < kFrames; ++frame)
        add(upTo(extent->first + (extent->last - extent->first) * frame / (kFrames - 1)), kHundredthsAFrame);
    add(last, kLastHundredths);
    return writer.finish();
}

}  // namespace palimpsest::report
