// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "engine/run/run_events.h"
#include "ui/state/class_names.h"

namespace palimpsest {

/// The images that a memory keeps, place by place; of all classes, or those of one.
class PictureGridModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        LabelRole = Qt::UserRole + 1,
        SampleRole,  ///< position in the training set
        KindRole,
    };
    using QAbstractListModel::QAbstractListModel;

    /// More than a person looks through, and as many as a view lays out within a frame or two.
    static constexpr std::size_t kMostShown = 5000;

    /// `label`: the class that is shown; PictureClassModel::kAll: all. Of more than kMostShown the first are shown.
    /// What is shown keeps its place as far as it can, so that a view does not jump while a run goes on.
    void setMemory(const ClassNames& words, const KeptSamples& kept, int label);
    /// The images are test images instead: their tips say so.
    void setTest() { test_ = true; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    ClassNames words_;
    KeptSamples kept_;  ///< those that were looked through last
    int label_ = 0;     ///< and for which class
    bool test_ = false;
    std::vector<KeptSample> shown_;
};

}  // namespace palimpsest
