// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/confusion_content.h"

#include <QCoreApplication>
#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>

namespace palimpsest {

Confusion confusionOf(const std::vector<std::int32_t>& truth, const std::vector<std::int32_t>& predictions,
                      const std::vector<std::int32_t>& seen, const ClassWords& words) {
    Confusion result;
    const std::size_t images = std::min(truth.size(), predictions.size());
    // Of the classes that came at any time, those that were tested or answered by then.
    std::set<std::int32_t> present;
    for (std::size_t i = 0; i < images; ++i)
        if (predictions[i] != kNotTested) present.insert({truth[i], predictions[i]});
    for (const std::int32_t label : seen)
        if (present.erase(label) > 0) result.labels.push_back(label);
    const bool unnamed = present.erase(kNoClassYet) > 0;
    // A damaged file may name classes that never came.
    for (const std::int32_t label : present)
        if (label >= 0) result.labels.push_back(label);
    result.answers = result.labels;
    if (unnamed) result.answers.push_back(kNoClassYet);

    MatrixContent& matrix = result.matrix;
    matrix.row_title = QCoreApplication::translate("palimpsest::ConfusionView", "is");
    matrix.column_title = QCoreApplication::translate("palimpsest::ConfusionView", "answered as");
    std::unordered_map<std::int32_t, std::size_t> rows, columns;
    for (const std::int32_t label : result.labels) {
        rows[label] = rows.size();
        matrix.rows.push_back(words.name(label));
    }
    for (const std::int32_t label : result.answers) {
        columns[label] = columns.size();
        matrix.columns.push_back(label >= 0 ? words.name(label)
                                            : QCoreApplication::translate("palimpsest::ConfusionView", "no class yet"));
    }
    const std::size_t wide = result.answers.size();
    matrix.counts.assign(result.labels.size() * wide, 0);
    matrix.shares.assign(matrix.counts.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < images; ++i) {
        const auto row = rows.find(truth[i]), column = columns.find(predictions[i]);
        if (row != rows.end() && column != columns.end()) ++matrix.counts[row->second * wide + column->second];
    }
    for (std::size_t row = 0; row < result.labels.size(); ++row) {
        std::int64_t sum = 0;
        for (std::size_t k = 0; k < wide; ++k) sum += matrix.counts[row * wide + k];
        for (std::size_t k = 0; sum > 0 && k < wide; ++k)
            matrix.shares[row * wide + k] =
                static_cast<double>(matrix.counts[row * wide + k]) / static_cast<double>(sum);
    }
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
