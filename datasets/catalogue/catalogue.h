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

/// One or two sentences if a data set has other numbers of images than its makers publish; empty if it does not, or if
/// there are no published numbers. A negative number is not checked.
std::string numbersNote(const DatasetInfo& info, std::int64_t train, std::int64_t test);

// Decisions that the official code makes by the name of a data set (MISA, datasets/data_loader.py and
// methods/_trainer.py).
LoadShape loadShapeOf(const std::string& name);
/// AutoAugment policy of a data set; "" for none.
std::string augmentPolicyOf(const std::string& name);

}  // namespace palimpsest
