// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace palimpsest {

/// Facts of run.json that a RunRecord does not have.
struct RunOrigin {
    std::vector<std::string> source;    ///< files that an imported run was read from, by name
    std::string versions;               ///< "palimpsest 0.1.0, libtorch 1.13.1"; empty when not recorded
    std::vector<std::string> warnings;  ///< about the stream, as the run gave them
};

/// Never throws: what cannot be read is empty.
RunOrigin readOrigin(const std::filesystem::path& folder);

}  // namespace palimpsest
