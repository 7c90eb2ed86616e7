// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/grid_content.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "ui/style/colours.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr std::size_t kMostMoments = 24;

std::optional<double> percent(double share) {
    return std::isnan(share) ? std::nullopt : std::optional(share * 100);
}

report::Figure figureOf(const PublishedTexts& words, report::HeatFigure heat) {
    return {words.file.toStdString(), words.title.toStdString(), "per cent", words.caption.toStdString(),
            std::move(heat)};
}

}  // namespace

float HeatContent::at(std::size_t moment, std::size_t row) const {
    const std::vector<float>& values_then = values[moment];
    return row < values_then.size() ? values_then[row] : std::numeric_limits<float>::quiet_NaN();
}

QRgb HeatContent::colourOf(double value) const {
    const double share = value / top;
    return two_sided ? twoSidedColour(share) : heatColour(share);
}

std::size_t HeatContent::momentAt(double x) const {
    if (between) {
        const auto end = std::ranges::lower_bound(xs, x);
        return static_cast<std::size_t>((end == xs.end() ? std::prev(end) : end) - xs.begin());
    }
    const auto after = static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), x) - xs.begin());
    if (after == xs.size()) return after - 1;
    return after > 0 && x - xs[after - 1] <= xs[after] - x ? after - 1 : after;
}

report::Publication onePiece(const PublishedTexts& words, std::optional<report::Figure> figure, const QString& csv) {
    report::Piece piece;
    piece.file = piece.csv_file = words.file.toStdString();
    piece.title = words.title.toStdString();
    piece.caption = words.caption.toStdString();
    piece.created = "2000-01-01T00:00:00Z";  // what is on screen has no date of its own
    piece.csv = csv.toStdString();
    piece.figure = std::move(figure);
    report::Publication all;
    all.pieces.push_back(std::move(piece));
    return all;
}

report::Figure matrixFigure(const PublishedTexts& words, const MatrixContent& content) {
    report::HeatFigure heat;
    heat.column_caption = content.column_title.toStdString();
    for (const QString& column : content.columns) heat.columns.push_back(column.toStdString());
    for (int row = 0; row < content.rows.size(); ++row) {
        heat.rows.push_back((content.row_title + ' ' + content.rows[row]).toStdString());
        auto& values = heat.values.emplace_back();
        for (int column = 0; column < content.columns.size(); ++column)
            values.push_back(percent(content.share(row, column)));
    }
    return figureOf(words, std::move(heat));
}

report::Figure heatFigure(const PublishedTexts& words, const HeatContent& content) {
    report::HeatFigure heat;
    heat.column_caption = "images seen";
    const std::size_t step = content.xs.size() / kMostMoments + 1;
    std::vector<std::size_t> moments;
    // The last one is always there.
    for (std::size_t i = (content.xs.size() - 1) % step; i < content.xs.size(); i += step) moments.push_back(i);
    for (const std::size_t moment : moments)
        heat.columns.push_back(countText(static_cast<qint64>(content.xs[moment])).toStdString());
    for (int row = 0; row < content.rows.size(); ++row) {
        heat.rows.push_back(content.rows[row].toStdString());
        auto& values = heat.values.emplace_back();
        for (const std::size_t moment : moments)
            values.push_back(percent(content.at(moment, static_cast<std::size_t>(row))));
    }
    return figureOf(words, std::move(heat));
}

}  // namespace palimpsest
