// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

namespace palimpsest {

/// A square or nearly square table of shares, row by row.
struct MatrixContent {
    QString row_title, column_title;  ///< "after session", "answered"
    QStringList rows, columns;
    std::vector<double> shares;        ///< 0 to 1; not a number: nothing was measured
    std::vector<std::int64_t> counts;  ///< behind the shares; may be empty

    std::size_t place(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns.size()) +
               static_cast<std::size_t>(column);
    }
    double share(int row, int column) const { return shares[place(row, column)]; }
    bool empty() const { return rows.isEmpty() || columns.isEmpty(); }
    bool operator==(const MatrixContent&) const = default;
};

}  // namespace palimpsest
