// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest::report {

/// The page's style sheet: colours of palette.h by name, light and dark as the reader's system asks, light on paper.
std::string pageStyle();

}  // namespace palimpsest::report
