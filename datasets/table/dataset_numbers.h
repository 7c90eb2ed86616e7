// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// A sentence or two where a data set holds other numbers of images than its makers hand out; empty where it does not,
/// or where its numbers are nobody's but its owner's. A negative number is not looked at.
std::string numbersNote(const DatasetInfo& info, std::int64_t train, std::int64_t test);

}  // namespace palimpsest
