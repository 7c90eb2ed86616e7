// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/option_table.h"

namespace palimpsest {

/// Methods, masks, data sets and backbones there are.
Catalogue engineCatalogue();

}  // namespace palimpsest
