// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <vector>

namespace palimpsest {

/// Reads labels, one whole number a line, or an IDX label file, gzipped or not; the content decides. Throws
/// Error(Input), which names the line, also for a label beyond the number of classes if that is given.
std::vector<std::int32_t> readLabelFile(const std::filesystem::path& file,
                                        std::optional<std::int64_t> classes = std::nullopt);

}  // namespace palimpsest
