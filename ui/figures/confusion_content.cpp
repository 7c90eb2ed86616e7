// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/confusion_content.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/record/confusion.h"

namespace palimpsest {

Confusion confusionOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                      const std::vector<std::int32_t>& seen, const ClassNames& words) {
    Confusion result;
    ConfusionCounts counts = countConfusion(truth, predictions, seen);
    MatrixContent& matrix = result.matrix;
    matrix.row_title = QCoreApplication::translate("palimpsest::ConfusionView", "is");
    matrix.column_title = QCoreApplication::translate("palimpsest::ConfusionView", "answered as");
    for (const std::int32_t label : counts.labels) matrix.rows.push_back(words.name(label));
    for (const std::int32_t label : counts.answers)
        matrix.columns.push_back(label >= 0 ? words.name(label)
                                            : QCoreApplication::translate("palimpsest::ConfusionView", "no class yet"));
    const std::size_t wide = counts.answers.size();
    matrix.shares.assign(counts.counts.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t row = 0; row < counts.labels.size(); ++row) {
        const std::int64_t sum = counts.images(row);
        for (std::size_t k = 0; sum > 0 && k < wide; ++k)
            matrix.shares[row * wide + k] = static_cast<double>(counts.count(row, k)) / static_cast<double>(sum);
    }
    matrix.counts = std::move(counts.counts);
    result.labels = std::move(counts.labels);
    result.answers = std::move(counts.answers);
    return result;
}

std::vector<std::int64_t> imagesOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                                   std::int32_t label, std::int32_t answer) {
    std::vector<std::int64_t> positions;
    for (std::size_t i = 0; i < std::min(truth.size(), predictions.size()); ++i)
        if (truth[i] == label && predictions[i] == answer) positions.push_back(static_cast<std::int64_t>(i));
    return positions;
}

}  // namespace palimpsest
