// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <vector>

#include "engine/record/memory_balance.h"
#include "ui/state/class_names.h"

namespace palimpsest {

/// How a memory divides its places among the classes: first all of them together, then a row for each class that has
/// come, in the order of the labels.
class PictureClassModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role {
        LabelRole = Qt::UserRole + 1,  ///< kAll in the first row
        CountRole,
        ShareRole,  ///< of the largest class's count, 0 to 1; in the first row not valid
        KindRole,
    };
    static constexpr int kAll = -1;

    using QAbstractListModel::QAbstractListModel;

    /// Rows stay where only counts change or classes come.
    void setMemory(const ClassNames& words, const MemoryBalance& balance);
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    /// That of all classes when there is no such row.
    QModelIndex indexOf(int label) const;

private:
    struct Row {
        int label = kAll;
        std::int64_t count = 0;
    };
    QString tip(const Row& row) const;

    ClassNames words_;
    std::vector<Row> rows_{Row{}};
    std::int64_t most_ = 0;
};

}  // namespace palimpsest
