// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <filesystem>
#include <string_view>
#include <vector>

namespace palimpsest {

/// What a run keeps on the disk, in bytes.
struct RunBytes {
    double checkpoints = 0, features = 0, predictions = 0, tables = 0;

    double total() const { return checkpoints + features + predictions + tables; }
    /// What takes the most, in words.
    QString most() const;
};

/// Of each on average; nothing of none.
RunBytes meanOf(const std::vector<RunBytes>& runs);
/// What a run's folder holds; nothing where it cannot be read. May take a moment.
RunBytes bytesOf(const std::filesystem::path& run);
/// Of all runs together, as `palimpsest-cli sweep --estimate --json` says; nothing where it does not.
RunBytes bytesIn(std::string_view output);

}  // namespace palimpsest
