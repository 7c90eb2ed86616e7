// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QRgb>
#include <QString>
#include <QStringList>
#include <cstdint>
#include <vector>

#include "engine/report/publication.h"

namespace palimpsest {

/// Rows of numbers over the images seen.
struct HeatContent {
    QStringList rows;                        ///< names, from the top
    std::vector<double> xs;                  ///< moments, ascending
    std::vector<std::vector<float>> values;  ///< by moment, then by row; not a number, or missing at the end: none
    double top = 1;                          ///< where the colours end
    bool between = false;                    ///< a value is of the time since the moment before
    bool two_sided = false;                  ///< they go from -top to top, by the square root of a value

    float at(std::size_t moment, std::size_t row) const;
    QRgb colourOf(double value) const;
    /// The moment that is drawn at a place; there must be one.
    std::size_t momentAt(double x) const;
};

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

/// One figure and its numbers, for papers and talks.
struct PublishedTexts {
    QString file;  ///< without ending: "confusion-matrix"
    QString title;
    QString caption;  ///< a sentence
};

/// A publication of one piece; `csv`: its numbers. Without a figure the numbers stand alone.
report::Publication onePiece(const PublishedTexts& words, std::optional<report::Figure> figure, const QString& csv);
report::Figure matrixFigure(const PublishedTexts& words, const MatrixContent& content);
/// Shares alone: the figure is in per cent. Of many moments only so many as a page has room for.
report::Figure heatFigure(const PublishedTexts& words, const HeatContent& content);

}  // namespace palimpsest
