// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/run/dataset_service.h"

namespace palimpsest {

/// Service for the catalogue's data sets: availability, fetching, and thumbnails.
std::unique_ptr<DatasetService> makeDatasetService();

}  // namespace palimpsest
