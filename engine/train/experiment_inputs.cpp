// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/experiment_inputs.h"
#include "datasets/catalogue/catalogue.h"
#include "datasets/table/image_dataset.h"
#include "engine/data/dataset_opening.h"
#include "engine/method/calibration.h"
#include "engine/method/initial_prompts.h"
#include "engine/network/weights.h"
#include "engine/train/method_setup.h"

// Inputs that an experiment names, read before it runs: its files, and the labels of its data set.

namespace palimpsest {

void requireNamedFiles(const OptionTable& table, const Experiment& experiment) {
    requireBackboneFile(experiment.backbone);
    if (readsOption(table, experiment, "initial_session.prompts"))
        initialPrompts(experiment.initial_session, experiment.backbone);
    if (readsOption(table, experiment, "method.calibration_file"))
        requireCalibrationFile(experiment.method.of<CalibrationOptions>());
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
