// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/drawn/drawn_table.h"
#include "datasets/table/source.h"

#include <string>

namespace palimpsest {

/// What tells one data set of drawn images from the next.
struct DrawnSet {
    DatasetInfo info;  ///< less the numbers of images
    std::int64_t train_each = 0, test_each = 0;
    std::uint64_t purpose = 0;  ///< of its images' generators
    std::array<float, 3> mean{}, deviation{};
    std::function<std::string(std::int64_t label)> className;
    /// What draws the images of the first `classes` classes, `side` pixels wide.
    std::function<DrawnTable::Draw(std::uint64_t seed, std::int64_t classes, int side)> drawing;
};

/// Its source. Classes take turns; `side`, `train_each` and `first_class` of a request are kept.
DatasetSource drawnSource(DrawnSet set);

}  // namespace palimpsest
