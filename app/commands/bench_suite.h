// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

/// Prints the names of the single cases, one a line.
int listBenchmarks(bool json);

/// Measures the single cases whose name contains `filter` and prints a line for each. Throws Error(Input) where none
/// does.
int benchSuite(const std::string& filter, bool json);

}  // namespace palimpsest
