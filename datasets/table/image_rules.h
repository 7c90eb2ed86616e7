// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"

#include <string>

namespace palimpsest {

// Decisions that the official code makes by the name of a data set (MISA, datasets/data_loader.py and
// methods/_trainer.py).
LoadShape loadShapeOf(const std::string& name);
/// AutoAugment policy of a data set; "" for none.
std::string augmentPolicyOf(const std::string& name);

/// Mean and standard deviation by channel, of values in 0..1.
struct Statistics {
    std::array<float, 3> mean, deviation;
};

inline constexpr Statistics kImageNetStatistics{{0.485F, 0.456F, 0.406F}, {0.229F, 0.224F, 0.225F}};
inline constexpr Statistics kCifar100Statistics{{0.5071F, 0.4867F, 0.4408F}, {0.2675F, 0.2565F, 0.2761F}};
/// MISA's deviation; the Si-Blurry code has 0.2470, 0.2435, 0.2616.
inline constexpr Statistics kCifar10Statistics{{0.4914F, 0.4822F, 0.4465F}, {0.2023F, 0.1994F, 0.2010F}};
inline constexpr Statistics kTinyImageNetStatistics{{0.4802F, 0.4481F, 0.3975F}, {0.2302F, 0.2265F, 0.2262F}};

}  // namespace palimpsest
