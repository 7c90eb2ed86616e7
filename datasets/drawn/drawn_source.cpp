// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/drawn/drawn_source.h"

namespace palimpsest {
namespace {

constexpr int kSide = 32;

/// Labels of a drawn data set: the classes alternate, so that the first samples of any number cover all classes evenly.
std::vector<std::int32_t> alternatingLabels(std::int64_t classes, std::int64_t each, std::int64_t limit) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(limited(classes * each, limit)));
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(classes));
    return labels;
}

std::int64_t classesOf(const DrawnSet& set, const DatasetRequest& request) {
    return request.classes > 0 ? request.classes : set.info.classes;
}

LabelsOnly labelsOf(const DrawnSet& set, const DatasetRequest& request) {
    const std::int64_t classes = classesOf(set, request);
    LabelsOnly out{
        set.info.title,
        {},
        alternatingLabels(classes, request.train_each > 0 ? request.train_each : set.train_each, request.train_limit),
        alternatingLabels(classes, set.test_each, request.test_limit)};
    for (std::int64_t c = 0; c < classes; ++c) out.class_names.push_back(set.className(request.first_class + c));
    return out;
}

ImageDataset openDrawn(const DrawnSet& set, const DatasetRequest& request) {
    LabelsOnly made = labelsOf(set, request);
    const std::int64_t first = request.first_class;
    const auto all =
        set.drawing(request.seed, first + classesOf(set, request), request.side > 0 ? request.side : kSide);
    const auto draw = [all, first](std::int32_t label, Random& random) {
        return all(static_cast<std::int32_t>(first) + label, random);
    };
    ImageDataset data = emptyDataset(set.info, std::move(made.class_names), set.statistics);
    data.train = std::make_shared<DrawnTable>(std::move(made.train), request.seed, set.purpose, kTrainPart, draw);
    data.test = std::make_shared<DrawnTable>(std::move(made.test), request.seed, set.purpose, kTestPart, draw);
    return data;
}

}  // namespace

DatasetSource drawnSource(DrawnSet set) {
    set.info.train = set.info.classes * set.train_each;
    set.info.test = set.info.classes * set.test_each;
    set.info.procedural = true;
    const auto kept = std::make_shared<const DrawnSet>(std::move(set));
    return {.info = kept->info,
            .open = [kept](const DatasetRequest& request) { return openDrawn(*kept, request); },
            .labels = [kept](const DatasetRequest& request) { return labelsOf(*kept, request); }};
}

}  // namespace palimpsest
