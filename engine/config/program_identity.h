// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

/// The program of somebody else's that learned in a run, as it was then.
struct ProgramIdentity {
    std::string name, version;  ///< in its own words; the version may be empty
    std::string digest;         ///< SHA-256 of its command and files, as LearnerCommand has it

    /// "nearest mean, version 2 (3f2a91c04b77)".
    std::string text() const {
        return name + (version.empty() ? "" : ", version " + version) + " (" + digest.substr(0, 12) + ")";
    }
};

}  // namespace palimpsest
