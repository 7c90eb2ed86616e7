// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"
#include "engine/config/experiment.h"

namespace palimpsest {

/// Request for the data set that an experiment streams.
inline DatasetRequest datasetRequest(const Experiment& experiment) {
    DatasetRequest request;
    request.name = experiment.stream.dataset;
    request.root = experiment.stream.root;
    request.classes = experiment.stream.classes;
    request.first_class = experiment.stream.first_class;
    request.train_limit = experiment.stream.train_limit;
    request.test_limit = experiment.stream.test_limit;
    return request;
}

}  // namespace palimpsest
