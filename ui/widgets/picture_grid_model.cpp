// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/picture_grid_model.h"

#include <algorithm>

#include "ui/style/text_style.h"
#include "ui/widgets/picture_class_model.h"

namespace palimpsest {

void PictureGridModel::setMemory(const ClassNames& words, const KeptSamples& kept, int label) {
    const bool same_words = words == words_;
    if (same_words && label == label_ && kept.shares(kept_)) return;
    words_ = words;
    kept_ = kept;
    label_ = label;
    std::vector<KeptSample> shown;
    for (const KeptSample& sample : kept) {
        if (shown.size() == kMostShown) break;
        if (label == PictureClassModel::kAll || sample.label == label) shown.push_back(sample);
    }
    // Between two looks at a full memory few places change.
    const std::size_t common = std::min(shown.size(), shown_.size());
    std::size_t first = 0, last = common;
    while (same_words && first < last && shown[first] == shown_[first]) ++first;
    while (same_words && last > first && shown[last - 1] == shown_[last - 1]) --last;
    const int before = rowCount(), now = static_cast<int>(shown.size());
    if (now > before) {
        beginInsertRows({}, before, now - 1);
        shown_ = std::move(shown);
        endInsertRows();
    } else if (now < before) {
        beginRemoveRows({}, now, before - 1);
        shown_ = std::move(shown);
        endRemoveRows();
    } else {
        shown_ = std::move(shown);
    }
    if (first < last) Q_EMIT dataChanged(index(static_cast<int>(first)), index(static_cast<int>(last) - 1));
}

int PictureGridModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant PictureGridModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const KeptSample& sample = shown_[static_cast<std::size_t>(index.row())];
    switch (role) {
        case Qt::ToolTipRole:
        case Qt::AccessibleTextRole:
            return (test_ ? tr("%1, test image %2") : tr("%1, training image %2"))
                .arg(words_.text(sample.label), countText(sample.sample));
        case LabelRole:
            return sample.label;
        case SampleRole:
            return static_cast<qlonglong>(sample.sample);
        case KindRole:
            return static_cast<int>(words_.kind(sample.label));
        default:
            return {};
    }
}

}  // namespace palimpsest
