// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/remote/remote_shell.h"

namespace palimpsest {

/// Tells whether the folder of a sweep, or a copy of it, has all runs that the sweep plans. More may be planned later.
class SweepWhole {
public:
    /// `metrics`: the keys that a grid may ask for. `shell`: of the machine where a copy comes from, which must outlive
    /// this; null for a sweep of this machine.
    SweepWhole(const OptionTable& table, std::vector<std::string> metrics, std::filesystem::path folder,
               const RemoteShell* shell = nullptr);

    /// Number of runs that it plans. Absent where its grid is not here yet, and where it begins with a file that is not
    /// here and was not submitted from another machine. Throws RemoteError.
    std::optional<std::size_t> planned();
    /// True where so many runs are all. Throws RemoteError.
    bool operator()(std::size_t runs);

private:
    const OptionTable& table_;
    std::vector<std::string> metrics_;
    std::filesystem::path folder_;
    const RemoteShell* shell_;
    std::string seen_;  // stamps of the files that were read; empty: none yet
    std::optional<std::size_t> planned_;
};

}  // namespace palimpsest
