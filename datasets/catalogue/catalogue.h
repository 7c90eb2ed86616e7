// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// All known data sets.
const std::vector<DatasetInfo>& datasetCatalogue();
/// The data set of that name. Throws Error(Input) with the known names.
const DatasetInfo& catalogueEntry(const std::string& name);

/// Opens a data set. Throws Error(Input): unknown name (with the known ones), missing files (with the package to
/// install or the folder to name), truncated or corrupt files (with file, expected and found). May take long with very
/// many files; GivenUp when the thread's StopScope asks for it.
ImageDataset openDataset(const DatasetRequest& request);
/// The labels alone, without reading or drawing any image; throws likewise.
LabelsOnly openLabels(const DatasetRequest& request);

}  // namespace palimpsest
