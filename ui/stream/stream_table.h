// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "engine/stream/stream_compare.h"
#include "ui/state/stream_planner.h"

namespace palimpsest {

/// Cells as they are shown; made away from the window's thread where there may be many.
struct StreamTable {
    QStringList headers;
    QStringList tips;  ///< of the headers
    std::vector<QStringList> rows;
    std::vector<int> longest{};  ///< by column: the row with the longest text, the one that decides how wide it is
};

/// One stream, or two side by side, in numbers.
struct StreamNumbers {
    std::optional<StreamComparison> comparison;
    StreamTable sessions, classes;
};
/// `second` may be null. Slow for large streams; any thread.
StreamNumbers numbersOf(const PlannedStream& first, const PlannedStream* second);

/// "5.3 effective classes · imbalance 37 : 1".
QString balanceText(const StreamStatistics& statistics);
/// Explanation of the terms in balanceText().
QString balanceHelp();

class StreamTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    void setTable(StreamTable table);
    /// The cell that decides how wide a column is; invalid for a column without rows.
    QModelIndex longestCell(int column) const;
    /// Tab-separated with its header line, as spreadsheets read it; the rows given, in order, or all.
    QString text(const QList<int>& rows = {}) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

private:
    StreamTable table_;
};

}  // namespace palimpsest
