// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/network/position_table.h"

#include <cmath>

#include "engine/support/error.h"

namespace palimpsest {

Tensor resizedPositions(const Tensor& table, std::int64_t side, const std::string& origin) {
    const std::int64_t patches = table.dim() == 3 && table.size(0) == 1 ? table.size(1) - 1 : 0;
    const auto before =
        static_cast<std::int64_t>(std::llround(std::sqrt(static_cast<double>(std::max<std::int64_t>(patches, 0)))));
    if (before < 1 || before * before != patches || table.size(2) < 1)
        throw inputError("The weights " + origin + " have a table of positions that is no square of patches.",
                         "Leave backbone.image_size at 0.");
    const std::int64_t width = table.size(2);
    const Tensor numbers = table.to(at::kFloat);
    const Tensor grid =
        numbers.narrow(1, 1, patches).reshape({1, before, before, width}).permute({0, 3, 1, 2}).contiguous();
    const Tensor resized = at::upsample_bicubic2d(grid, {side, side}, /*align_corners=*/false);
    return at::cat({numbers.narrow(1, 0, 1), resized.permute({0, 2, 3, 1}).reshape({1, side * side, width})}, 1);
}

}  // namespace palimpsest
