// SPDX-License-Identifier: GPL-3.0-or-later
#include "datasets/table/dataset_numbers.h"

#include "engine/support/format.h"

namespace palimpsest {

std::string numbersNote(const DatasetInfo& info, std::int64_t train, std::int64_t test) {
    const auto differs = [](std::int64_t expected, std::int64_t found) {
        return expected > 0 && found >= 0 && expected != found;
    };
    if (info.procedural) return {};  // its numbers depend on the request
    if (!differs(info.train, train) && !differs(info.test, test)) return {};
    return info.title + " has " + (info.train > 0 ? grouped(info.train) + " training and " : "") + grouped(info.test) +
           " test images as its makers hand it out. Where the split is drawn, other numbers make another split than "
           "the "
           "published one.";
}

}  // namespace palimpsest
