// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/catalogue/catalogue.h"

#include "datasets/table/source.h"
#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/own_drawings.h"
#include "engine/support/stop_scope.h"

#include <algorithm>

namespace palimpsest {
namespace {

const std::vector<DatasetSource>& sources() {
    static const std::vector<DatasetSource> all = [] {
        std::vector<DatasetSource> made{fashionMnistSource(), iconSource(),         mnistSource(),     cifar10Source(),
                                        cifar100Source(),     tinyImageNetSource(), imagenetRSource(), cub200Source(),
                                        cub175Source(),       cub25Source(),        gtsrbSource(),     nchSource(),
                                        wikiArtSource(),      wikiArtCodeSource(),  places365Source()};
        for (DatasetSource& source : imageNetSources()) made.push_back(std::move(source));
        for (auto* source : {folderSource, glyphSource, fractalSource, formulaSource, shapeSource})
            made.push_back(source());
        made.push_back(ownDrawingsSource(openDataset, openLabels));
        return made;
    }();
    return all;
}

void checkNotNegative(std::int64_t value, const std::string& what, const std::string& meaningOfZero) {
    if (value < 0)
        throw inputError("The " + what + " of " + std::to_string(value) + " is below zero.",
                         "Use 0 for " + meaningOfZero + ", or a positive number.");
}

/// The data set of a request, after checks of the request.
const DatasetSource& checkedSource(const DatasetRequest& request) {
    const std::string& name = catalogueEntry(request.name).name;
    const DatasetSource& source =
        *std::ranges::find(sources(), name, [](const DatasetSource& one) { return one.info.name; });
    checkNotNegative(request.train_limit, "limit of training images", "all of them");
    checkNotNegative(request.test_limit, "limit of test images", "all of them");
    checkNotNegative(request.classes, "number of classes", "the data set's own number");
    checkNotNegative(request.first_class, "number of classes passed over", "none");
    if (source.info.procedural && request.classes > source.info.most_classes)
        throw inputError("The data set " + name + " cannot have " + std::to_string(request.classes) + " classes.",
                         "Use at most " + std::to_string(source.info.most_classes) + ".");
    const std::int64_t classes = request.classes > 0 ? request.classes : source.info.classes;
    if (source.info.procedural && request.first_class > source.info.most_classes - classes)
        throw inputError("The data set " + name + " has no " + std::to_string(classes) + " classes after the first " +
                             std::to_string(request.first_class) + ".",
                         "Pass over at most " + std::to_string(source.info.most_classes - classes) +
                             " (stream.first_class), or take fewer classes.");
    return source;
}

}  // namespace

const std::vector<DatasetInfo>& datasetCatalogue() {
    static const std::vector<DatasetInfo> all = [] {
        std::vector<DatasetInfo> infos;
        for (const auto& source : sources()) infos.push_back(source.info);
        return infos;
    }();
    return all;
}

const DatasetInfo& catalogueEntry(const std::string& name) {
    std::string known;
    for (const DatasetInfo& info : datasetCatalogue()) {
        if (info.name == name) return info;
        known += (known.empty() ? "" : ", ") + info.name;
    }
    throw inputError("There is no data set called \"" + name + "\".", "Choose one of: " + known + ".");
}

ImageDataset openDataset(const DatasetRequest& request) {
    StopScope::check();
    ImageDataset data = checkedSource(request).open(request);
    // They come with what holds for the data set that they are added to.
    if (data.name == kOwnDrawings) return data;
    data.load_shape = loadShapeOf(data.name);
    data.augment_policy = augmentPolicyOf(data.name);
    return data;
}

LabelsOnly openLabels(const DatasetRequest& request) {
    StopScope::check();
    return checkedSource(request).labels(request);
}

std::string numbersNote(const DatasetInfo& info, std::int64_t train, std::int64_t test) {
    const auto differs = [](std::int64_t expected, std::int64_t found) {
        return expected > 0 && found >= 0 && expected != found;
    };
    if (info.procedural) return {};  // its numbers depend on the request
    if (!differs(info.train, train) && !differs(info.test, test)) return {};
    return info.title + " has " + (info.train > 0 ? grouped(info.train) + " training and " : "") + grouped(info.test) +
           " test images as its makers hand it out. Where the split is drawn, other numbers make another split than "
           "the published one.";
}

LoadShape loadShapeOf(const std::string& name) {
    const auto holds = [&](const char* word) { return name.find(word) != std::string::npos; };
    if (name == "imagenet-r" || name == "gtsrb" || holds("wikiart")) return LoadShape::ShortSideCrop;
    // The user's own pictures and those of Places365 are large like ImageNet's, so they are treated the same.
    if (holds("imagenet") || holds("cub") || name == "places365" || name == "folder") return LoadShape::Square;
    return LoadShape::Native;
}

std::string augmentPolicyOf(const std::string& name) {
    for (const auto& [word, policy] : {std::pair{"cifar", "cifar10"}, std::pair{"imagenet", "imagenet"},
                                       std::pair{"wikiart", "imagenet"}, std::pair{"svhn", "svhn"}})
        if (name.find(word) != std::string::npos) return policy;
    return {};
}

}  // namespace palimpsest
