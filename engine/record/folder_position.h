// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace palimpsest {

/// How far a run folder was written at one moment, so that another process can go on from there.
struct FolderPosition {
    std::map<std::string, std::int64_t> lengths;  ///< of the files that only grow, in bytes, by name
    std::string notes;                            ///< what else the writer knows: a JSON object
    bool operator==(const FolderPosition&) const = default;
};

}  // namespace palimpsest
