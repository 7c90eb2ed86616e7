// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/drawn/drawn_table.h"
#include "datasets/table/source.h"

#include <string>

namespace palimpsest {

/// Description of one data set of drawn images.
struct DrawnSet {
    DatasetInfo info;  ///< without the numbers of images
    std::int64_t train_each = 0, test_each = 0;
    std::uint64_t purpose = 0;  ///< of the generators of its images
    std::array<float, 3> mean{}, deviation{};
    std::function<std::string(std::int64_t label)> className;
    /// Makes the function that draws images of the first `classes` classes, `side` pixels wide.
    std::function<DrawnTable::Draw(std::uint64_t seed, std::int64_t classes, int side)> drawing;
};

/// Data set source of a drawn set. Classes alternate; `side`, `train_each` and `first_class` of a request are observed.
DatasetSource drawnSource(DrawnSet set);

}  // namespace palimpsest
