// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace palimpsest {

/// Labels, one whole number a line, or an IDX label file, gzipped or not; the content decides. Throws Error(Input).
std::vector<std::int32_t> readLabelFile(const std::filesystem::path& file);

}  // namespace palimpsest
