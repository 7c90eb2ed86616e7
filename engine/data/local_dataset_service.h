// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/run/dataset_service.h"

namespace palimpsest {

/// The catalogue's data sets: what is there, how to get the rest, and small pictures of what is there.
std::unique_ptr<DatasetService> makeDatasetService();

}  // namespace palimpsest
