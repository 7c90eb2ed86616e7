// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// One or two sentences if a data set has other numbers of images than its makers publish; empty if it does not, or if
/// there are no published numbers. A negative number is not checked.
std::string numbersNote(const DatasetInfo& info, std::int64_t train, std::int64_t test);

}  // namespace palimpsest
