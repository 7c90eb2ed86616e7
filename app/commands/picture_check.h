// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// Result of decoding the images of a data set.
struct PictureCheck {
    std::int64_t decoded = 0;
    std::vector<std::string> unreadable;  ///< by name, training images first
    std::string fault;                    ///< reason why a run needs some of them, a sentence; empty when it does not
};

/// Decodes images spread evenly over both parts, at most `most` of each; 0: all. If none of a class is readable, the
/// rest of that class is tried as well: a run leaves unreadable images out, but needs at least one of each class to
/// learn from and at least one to test with.
PictureCheck checkPictures(const ImageDataset& data, std::int64_t most);

}  // namespace palimpsest
