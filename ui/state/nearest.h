// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <functional>
#include <iterator>

namespace palimpsest {

/// Where in an ascending list, which is not empty, the entry nearest to a place stands, before it or after; of two that
/// are equally near the later one. All figures and the time line go by it, so that one moment is the same evaluation in
/// each. `placeOf`: of an entry, or a pointer to the member that holds it.
template <class List, class PlaceOf = std::identity>
auto nearestIn(const List& list, double wanted, PlaceOf placeOf = {}) {
    const auto at = [&placeOf](const auto& entry) { return static_cast<double>(std::invoke(placeOf, entry)); };
    auto found = std::ranges::lower_bound(list, wanted, {}, at);
    if (found == std::end(list)) return std::prev(found);
    if (found != std::begin(list) && wanted - at(*std::prev(found)) < at(*found) - wanted) --found;
    return found;
}

}  // namespace palimpsest
