// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace palimpsest {

/// Programs that made a run, files that it was imported from, and warnings about its stream, as run.json names them.
struct RunOrigin {
    std::vector<std::string> source;    ///< files that an imported run was read from, by name
    std::string versions;               ///< "palimpsest 0.1.0, libtorch 1.13.1"; empty when not recorded
    std::vector<std::string> warnings;  ///< about the stream, as the run gave them
    /// Models of the processors that computed it, in order, each once; empty when not recorded. A run with several was
    /// continued elsewhere, and its numbers need not be those of one machine bit for bit.
    std::vector<std::string> processors = {};
};

/// From the text of run.json. Never throws: what it does not say is empty.
RunOrigin readOrigin(const std::string& document);

}  // namespace palimpsest
