// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/pretrain/drawings.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

#include "datasets/drawn/contours.h"
#include "datasets/drawn/fractals.h"
#include "engine/pretrain/font_drawings.h"
#include "engine/pretrain/picture_drawings.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

constexpr std::uint64_t kRender = 11;

/// Calls work(label) for all labels on several threads, until one is stopped; false if it was.
bool forAll(std::int64_t count, int threads, const std::function<bool(std::int64_t)>& work) {
    std::atomic<std::int64_t> next{0};
    std::atomic<bool> ended{false};
    std::exception_ptr thrown;
    std::mutex guard;
    const auto loop = [&] {
        try {
            for (std::int64_t i = next++; i < count && !ended; i = next++)
                if (!work(i)) ended = true;
        } catch (...) {
            ended = true;
            const std::lock_guard lock(guard);
            if (!thrown) thrown = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> pool;
        for (int t = 0; t < std::max(1, threads); ++t) pool.emplace_back(loop);
    }
    if (thrown) std::rethrow_exception(thrown);
    return !ended;
}

Drawing labelled(cv::Mat pixels, Drawing::Kind kind, LabelSpace space, std::int64_t label) {
    Drawing drawing{std::move(pixels), kind, true, {-1, -1, -1, -1, -1}};
    drawing.labels[static_cast<std::size_t>(space)] = static_cast<std::int32_t>(label);
    return drawing;
}

/// `render` gives the picture of an instance of a class.
template <class System, class Render>
bool drawFormulas(std::vector<Drawing>& group, std::int64_t classes, const DrawingSources& sources, LabelSpace space,
                  Drawing::Kind kind, System system, Render render, const std::function<bool()>& stopping) {
    group.resize(static_cast<std::size_t>(classes * sources.instances));
    return forAll(classes, sources.threads, [&](std::int64_t label) {
        const auto formula = system(sources.seed, label);
        for (std::int64_t i = 0; i < sources.instances; ++i) {
            if (stopping()) return false;
            const std::uint64_t instance =
                Random(sources.seed, kRender, static_cast<std::uint64_t>(label), static_cast<std::uint64_t>(i))
                    .longWord();
            group[static_cast<std::size_t>(label * sources.instances + i)] =
                labelled(render(formula, instance, kDrawingSide), kind, space, label);
        }
        return true;
    });
}

}  // namespace

std::string labelSpaceName(LabelSpace space) {
    constexpr std::array<const char*, kLabelSpaces> kNames{"fractals", "contours", "characters", "fonts", "pictures"};
    return kNames[static_cast<std::size_t>(space)];
}

bool Drawings::empty() const {
    return std::ranges::all_of(groups, [](const auto& group) { return group.empty(); });
}

Drawings makeDrawings(const DrawingSources& sources, const std::function<bool()>& stopping) {
    Drawings all;
    if (!sources.fonts.empty()) {
        FontDrawings glyphs = drawFonts(sources.fonts, sources.glyphs_a_font, sources.seed, stopping);
        if (glyphs.drawings.empty()) return {};
        all.groups[2] = std::move(glyphs.drawings);
        all.classes[2] = glyphs.characters;
        all.classes[3] = glyphs.fonts;
    }
    if (!sources.pictures.empty()) {
        all.groups[3] = readPictures(sources.pictures, all.classes[4], stopping);
        if (all.groups[3].empty()) return {};
    }
    const bool whole = drawFormulas(all.groups[0], sources.fractals, sources, LabelSpace::Fractal, Drawing::Kind::Dots,
                                    fractalClass, renderFractal, stopping) &&
                       drawFormulas(all.groups[1], sources.contours, sources, LabelSpace::Contour,
                                    Drawing::Kind::Silhouette, contourClass, renderContour, stopping);
    if (!whole) return {};
    all.classes[0] = static_cast<std::int32_t>(sources.fractals);
    all.classes[1] = static_cast<std::int32_t>(sources.contours);
    return all;
}

}  // namespace palimpsest
