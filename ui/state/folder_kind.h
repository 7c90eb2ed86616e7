// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace palimpsest {

/// Does a folder look as if pictures lay in it or a few folders below? Told from names. Looks at a bounded number of
/// them: of a folder that is full of other things it may say yes, and whoever reads it finds out.
bool looksLikeImages(const std::filesystem::path& folder);
/// Has a run been recorded there?
bool looksLikeRun(const std::filesystem::path& folder);

}  // namespace palimpsest
