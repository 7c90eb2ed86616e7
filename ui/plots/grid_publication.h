// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <functional>

#include "engine/report/publication.h"

namespace palimpsest {

struct HeatContent;
struct MatrixContent;

/// One figure and its numbers, for papers and talks.
struct PublishedWords {
    QString file;  ///< without ending: "confusion-matrix"
    QString title;
    QString caption;  ///< a sentence
};

/// A publication of one piece; `csv`: its numbers. Without a figure the numbers stand alone.
report::Publication onePiece(const PublishedWords& words, std::optional<report::Figure> figure, const QString& csv);
report::Figure matrixFigure(const PublishedWords& words, const MatrixContent& content);
/// Shares alone: the figure is in per cent. Of many moments only so many as a page has room for.
report::Figure heatFigure(const PublishedWords& words, const HeatContent& content);

}  // namespace palimpsest
