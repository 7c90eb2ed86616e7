// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/record/run_history.h"
#include "ui/plots/matrix_content.h"
#include "ui/state/class_names.h"

namespace palimpsest {

/// What test images were taken for at one moment: a row for each true class that was tested, in the order in which the
/// classes came, and a column for each of them; one more for answers that no class has, where there are any.
struct Confusion {
    MatrixContent matrix;               ///< shares of the images of a row
    std::vector<std::int32_t> labels;   ///< of the rows
    std::vector<std::int32_t> answers;  ///< of the columns; kNoClassYet: none
};

/// Lists of unequal length are compared as far as both go.
Confusion confusionOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                      const std::vector<std::int32_t>& seen, const ClassNames& words);
/// Positions of the test images in one cell, ascending.
std::vector<std::int64_t> imagesOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                                   std::int32_t label, std::int32_t answer);

}  // namespace palimpsest
