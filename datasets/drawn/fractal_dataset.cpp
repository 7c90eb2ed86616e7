// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/drawn_source.h"
#include "datasets/drawn/fractal_classes.h"
#include "datasets/table/random_purpose.h"

namespace palimpsest {
namespace {

DrawnTable::Draw drawing(std::uint64_t seed, std::int64_t classes, int side) {
    auto systems = std::make_shared<const FractalClasses>(seed, classes);
    return [systems = std::move(systems), side](std::int32_t label, Random& random) {
        return renderFractal((*systems)[label], random.longWord(), side);
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
         .purpose = kRandomFractalSample,
         // Measured over 20,000 training images of 1000 classes, seed 1; the same on every channel of a grey picture.
         .mean = {0.187F, 0.187F, 0.187F},
         .deviation = {0.301F, 0.301F, 0.301F},
         .className = [](std::int64_t label) { return "fractal " + std::to_string(label + 1); },
         .drawing = drawing});
}

}  // namespace palimpsest
