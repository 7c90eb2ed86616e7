// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <vector>

namespace palimpsest {

/// Rows of numbers over the images seen.
struct HeatContent {
    QStringList rows;                        ///< names, from the top
    std::vector<double> xs;                  ///< moments, ascending
    std::vector<std::vector<float>> values;  ///< by moment, then by row; not a number, or missing at the end: none
    double top = 1;                          ///< where the colours end

    float at(std::size_t moment, std::size_t row) const;
    /// The moment that is drawn at a place; there must be one.
    std::size_t momentAt(double x) const;
};

}  // namespace palimpsest
