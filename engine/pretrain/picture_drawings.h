// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/pretrain/drawings.h"

namespace palimpsest {

/// Reads the pictures (.png, .jpg) below a folder, each shrunk to a drawing in the middle of its square; the folder
/// that a picture lies in is its class. `classes` receives their number. Empty when stopped. Throws Error(Input).
std::vector<Drawing> readPictures(const std::filesystem::path& folder, std::int32_t& classes,
                                  const std::function<bool()>& stopping);

}  // namespace palimpsest
