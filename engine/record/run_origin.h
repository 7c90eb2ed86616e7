// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace palimpsest {

/// Programs that made a run, what it was imported from, and warnings about its stream, as run.json names them.
struct RunOrigin {
    std::vector<std::string> source;  ///< files that an imported run was read from, by name
    std::string program;              ///< that measured an imported run; empty: not known
    std::string method, dataset;      ///< of an imported run, in that program's words; empty: not told
    std::vector<std::string> notes;   ///< on an imported run: what was left out or had to be assumed
    std::vector<std::pair<std::string, std::string>> settings;  ///< of an imported run, in that program's words
    std::string versions;               ///< "palimpsest 0.1.0, libtorch 1.13.1"; empty when not recorded
    std::vector<std::string> warnings;  ///< about the stream, as the run gave them
    /// Models of the processors that computed it, in order, each once; empty when not recorded. A run with several was
    /// continued elsewhere, and its numbers need not be those of one machine bit for bit.
    std::vector<std::string> processors = {};
};

/// "Mammoth, logs.pyd": where an imported run comes from; empty: not known.
std::string importedFrom(const RunOrigin& origin);

/// From the text of run.json. Never throws: what it does not say is empty.
RunOrigin readOrigin(const std::string& document);

}  // namespace palimpsest
