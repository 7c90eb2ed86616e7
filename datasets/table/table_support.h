// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"
#include "engine/support/error.h"

#include <algorithm>
#include <string>

namespace palimpsest {

/// Number of samples that a limit leaves of `count`; 0: no limit.
inline std::int64_t limited(std::int64_t count, std::int64_t limit) {
    return limit > 0 ? std::min(count, limit) : count;
}

inline void checkImageIndex(std::int64_t index, std::int64_t size) {
    if (index >= 0 && index < size) return;
    throw inputError("There is no image " + std::to_string(index) + " in a table of " + std::to_string(size) + ".",
                     "Count from 0.");
}

/// Labels of a drawn data set: the classes alternate, so that the first samples of any number cover all classes evenly.
inline std::vector<std::int32_t> turnLabels(std::int64_t classes, std::int64_t each, std::int64_t limit) {
    std::vector<std::int32_t> labels(static_cast<std::size_t>(limited(classes * each, limit)));
    for (std::size_t i = 0; i < labels.size(); ++i)
        labels[i] = static_cast<std::int32_t>(i % static_cast<std::size_t>(classes));
    return labels;
}

}  // namespace palimpsest
