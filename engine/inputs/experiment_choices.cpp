// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/experiment_choices.h"

#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/config/method_declaration.h"
#include "engine/inputs/backbone_kinds.h"
#include "engine/inputs/dataset_opening.h"
#include "engine/mask/mask_policy.h"
#include "engine/support/error.h"

namespace palimpsest {

Catalogue engineCatalogue() {
    Catalogue catalogue;
    for (const MethodDeclaration& method : methodDeclarations()) catalogue.methods.push_back(method.choice);
    catalogue.masks = maskChoices();
    for (const auto& info : datasetCatalogue())
        catalogue.datasets.push_back({.value = info.name,
                                      .title = info.title,
                                      .help = info.summary,
                                      .drawn = info.procedural,
                                      .crops_test = loadShapeOf(info.name) == LoadShape::ShortSideCrop});
    for (const BackboneKind& kind : backboneKinds()) catalogue.backbones.push_back(kind.choice);
    return catalogue;
}

void requireNoProblems(const OptionTable& table, const Experiment& experiment, const std::string& hint) {
    std::string all;
    for (const std::string& problem : table.problems(experiment)) all += (all.empty() ? "" : " ") + problem;
    if (!all.empty()) throw inputError(all, hint);
}

std::shared_ptr<const DatasetLabels> experimentLabels(const Experiment& experiment) {
    const LabelsOnly labels = openLabels(datasetRequest(experiment));
    auto result = std::make_shared<DatasetLabels>();
    result->name = experiment.stream.dataset;
    result->title = labels.title;
    result->class_names = labels.class_names;
    result->train = labels.train;
    result->test = labels.test;
    return result;
}

}  // namespace palimpsest
