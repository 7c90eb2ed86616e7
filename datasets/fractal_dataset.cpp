// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn_table.h"
#include "datasets/fractal_classes.h"
#include "datasets/random_purpose.h"
#include "datasets/source.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kClasses = 20;
constexpr std::int64_t kMostClasses = 10000;
constexpr std::int64_t kTrainEach = 500;
constexpr std::int64_t kTestEach = 100;
constexpr int kSize = 32;

std::int64_t classesOf(const DatasetRequest& request) {
    return request.classes > 0 ? request.classes : kClasses;
}

DatasetInfo info() {
    return {.name = "fractals",
            .title = "Fractals",
            .summary = "Pictures made from random formulas, 32 by 32 pixels, any number of classes.",
            .origin = "Drawn by Palimpsest after Kataoka et al. (ACCV 2020); nothing to download",
            .licence = "No rights attached: made by formula",
            .classes = kClasses,
            .train = kClasses * kTrainEach,
            .test = kClasses * kTestEach,
            .procedural = true};
}

LabelsOnly labels(const DatasetRequest& request) {
    const std::int64_t classes = classesOf(request);
    LabelsOnly out{info().title,
                   {},
                   turnLabels(classes, request.train_each > 0 ? request.train_each : kTrainEach, request.train_limit),
                   turnLabels(classes, kTestEach, request.test_limit)};
    for (std::int64_t c = 0; c < classes; ++c) out.class_names.push_back("fractal " + std::to_string(c + 1));
    return out;
}

ImageDataset open(const DatasetRequest& request) {
    auto made = labels(request);
    auto systems = std::make_shared<const FractalClasses>(request.seed, classesOf(request));
    ImageDataset data;
    data.name = info().name;
    data.title = info().title;
    data.class_names = std::move(made.class_names);
    // Measured over 20,000 training images of 1000 classes, seed 1; the same on every channel of a grey picture.
    data.mean = {0.187F, 0.187F, 0.187F};
    data.deviation = {0.301F, 0.301F, 0.301F};
    const int side = request.side > 0 ? request.side : kSize;
    const auto draw = [systems = std::move(systems), side](std::int32_t label, Random& random) {
        return renderFractal((*systems)[label], random.longWord(), side);
    };
    data.train =
        std::make_shared<DrawnTable>(std::move(made.train), request.seed, kRandomFractalSample, kTrainPart, draw);
    data.test = std::make_shared<DrawnTable>(std::move(made.test), request.seed, kRandomFractalSample, kTestPart, draw);
    return data;
}

}  // namespace

DatasetSource fractalSource() {
    return {.info = info(), .most_classes = kMostClasses, .open = open, .labels = labels};
}

}  // namespace palimpsest
