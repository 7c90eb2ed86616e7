// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/option_row.h"

namespace palimpsest::option_row {

/// A row for the ridge of a regression.
template <class Field>
Row ridge(const char* key, const char* title, double standard, Field field) {
    return real(key, title, standard, field).range(1e-8, 1e12).expert();
}

}  // namespace palimpsest::option_row
