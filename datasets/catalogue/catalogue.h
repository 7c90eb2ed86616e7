// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// All data sets there are.
const std::vector<DatasetInfo>& datasetCatalogue();
/// Throws Error(Input) with the known names.
const DatasetInfo& catalogueEntry(const std::string& name);

/// Throws Error(Input): unknown name (with the known ones), missing files (with the package to install or the folder to
/// give), truncated or corrupt files (with file, what was expected and what was found). May take long with very many
/// files; GivenUp when the thread's StopScope asks for it.
ImageDataset openDataset(const DatasetRequest& request);
/// The same, without reading or making any image.
LabelsOnly openLabels(const DatasetRequest& request);

}  // namespace palimpsest
