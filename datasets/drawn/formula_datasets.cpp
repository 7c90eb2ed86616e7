// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/contours.h"
#include "datasets/drawn/drawn_source.h"
#include "datasets/drawn/fractals.h"
#include "engine/support/random.h"

namespace palimpsest {
namespace {

DrawnTable::Draw fractalDrawing(std::uint64_t seed, std::int64_t classes, int side) {
    auto systems = std::make_shared<const FractalClasses>(seed, classes);
    return [systems = std::move(systems), side](std::int32_t label, Random& random) {
        return renderFractal((*systems)[label], random.longWord(), side);
    };
}

/// True for every second class: fractals and contours alternate, so that the first classes of any number, and the rest,
/// have equally many of both.
bool isFractal(std::int64_t label) {
    return label % 2 == 0;
}

std::string formulaClassName(std::int64_t label) {
    return (isFractal(label) ? "fractal " : "contour ") + std::to_string(label / 2 + 1);
}

DrawnTable::Draw formulaDrawing(std::uint64_t seed, std::int64_t classes, int side) {
    auto systems = std::make_shared<const FractalClasses>(seed, (classes + 1) / 2);
    return [systems = std::move(systems), seed, side](std::int32_t label, Random& random) {
        return isFractal(label) ? renderFractal((*systems)[label / 2], random.longWord(), side)
                                : renderContour(contourClass(seed, label / 2), random.longWord(), side);
    };
}

}  // namespace

DatasetSource fractalSource() {
    return drawnSource(
        {.info = {.name = "fractals",
                  .title = "Fractals",
                  .summary = "Pictures made from random formulas, 32 by 32 pixels, any number of classes.",
                  .origin = "Drawn by Palimpsest after Kataoka et al. (ACCV 2020); nothing to download",
                  .licence = "No rights attached: made by formula",
                  .classes = 20,
                  .most_classes = 10000},
         .train_each = 500,
         .test_each = 100,
         .purpose = purpose::kFractalSample,
         // Measured over 20,000 training images of 1000 classes, seed 1; the same on every channel of a grey picture.
         .statistics = {{0.187F, 0.187F, 0.187F}, {0.301F, 0.301F, 0.301F}},
         .className = [](std::int64_t label) { return "fractal " + std::to_string(label + 1); },
         .drawing = fractalDrawing});
}

DatasetSource formulaSource() {
    return drawnSource({.info = {.name = "formulas",
                                 .title = "Formulas",
                                 .summary = "Fractals and nested outlines in turn, made from random formulas, 32 by 32 "
                                            "pixels, any number of classes.",
                                 .origin = "Drawn by Palimpsest after Kataoka et al. (ACCV 2020 and CVPR 2022); "
                                           "nothing to download",
                                 .licence = "No rights attached: made by formula",
                                 .classes = 20,
                                 .most_classes = 10000,
                                 .classes_of = "fractals"},
                        .train_each = 500,
                        .test_each = 100,
                        .purpose = purpose::kFormulaSample,
                        // Measured over 20,000 training images of 1000 classes, seed 1; the same on every channel of a
                        // grey picture.
                        .statistics = {{0.184F, 0.184F, 0.184F}, {0.299F, 0.299F, 0.299F}},
                        .className = formulaClassName,
                        .drawing = formulaDrawing});
}

}  // namespace palimpsest
