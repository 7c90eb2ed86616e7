// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datasets/table/image_dataset.h"
#include "tests/datasets/picture_files.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace palimpsest::test {

/// Expected picture of a table: its name and its label.
using Listed = std::pair<std::string, std::int32_t>;

inline std::vector<Listed> listed(const ImageTable& table) {
    std::vector<Listed> all;
    for (std::int64_t i = 0; i < table.size(); ++i)
        all.emplace_back(table.name(i), table.labels()[static_cast<std::size_t>(i)]);
    return all;
}

inline std::vector<Listed> chosen(const std::vector<Listed>& all, const std::vector<std::int64_t>& indices) {
    std::vector<Listed> part;
    for (const auto index : indices) part.push_back(all[static_cast<std::size_t>(index)]);
    return part;
}

/// True if labels without pictures agree with the pictures' own.
inline bool agrees(const LabelsOnly& labels, const ImageDataset& data) {
    const auto same = [](const std::vector<std::int32_t>& a, std::span<const std::int32_t> b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    return same(labels.train, data.train->labels()) && same(labels.test, data.test->labels()) &&
           labels.class_names == data.class_names && labels.title == data.title;
}

/// WordNet number "n" and eight digits, ascending with `number`.
inline QString wnid(int number) {
    return QString("n%1").arg(1'440'000 + number * 37, 8, 10, QChar('0'));
}

}  // namespace palimpsest::test
