// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// What came of decoding the images of a data set.
struct PictureCheck {
    std::int64_t decoded = 0;
    std::vector<std::string> unreadable;  ///< by name, training images first
    std::string fault;                    ///< why a run could not do without them, a sentence; empty when it can
};

/// Decodes images spread evenly over both parts, at most `most` of each; 0: all. Where none of a class's could be read,
/// the rest of that class is tried as well: a run leaves unreadable images out, but needs one of each class to learn
/// from and something to test with.
PictureCheck checkPictures(const ImageDataset& data, std::int64_t most);

}  // namespace palimpsest
