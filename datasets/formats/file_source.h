// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/formats/file_table.h"
#include "datasets/table/image_rules.h"
#include "datasets/table/source.h"

#include <functional>

namespace palimpsest {

/// Picture files of a data set, found but not decoded.
struct FileListing {
    std::vector<std::string> class_names;
    LabelledFiles train, test;
};

/// Data set source of picture files: `list` finds them, the rest is the same for all.
DatasetSource fileSource(DatasetInfo info, Statistics statistics,
                         std::function<FileListing(const DatasetRequest&)> list);

}  // namespace palimpsest
