// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/storage_reach.h"

#include <algorithm>

namespace palimpsest {

bool liesInside(const TorchPickle::Place& place, std::int64_t count) {
    std::int64_t last = place.offset, elements = 1, span = 1;
    bool empty = false, fits = place.offset >= 0;
    for (std::size_t i = 0; i < place.sizes.size(); ++i) {
        std::int64_t reach = 0;
        empty = empty || place.sizes[i] == 0;
        // The other extents of an empty tensor must not overflow either.
        const std::int64_t extent = std::max<std::int64_t>(place.sizes[i], 1);
        fits = fits && !__builtin_mul_overflow(extent - 1, place.strides[i], &reach) &&
               !__builtin_add_overflow(last, reach, &last) && !__builtin_mul_overflow(span, extent, &span);
        elements *= fits && !empty ? extent : 1;
    }
    return fits && (empty || (last < count && elements <= count)) && place.offset <= count;
}

}  // namespace palimpsest
