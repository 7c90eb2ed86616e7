// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStyledItemDelegate>
#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "engine/report/sweep_watch.h"

namespace palimpsest {

/// Of a row with a curve, in the normal text size.
inline constexpr int kCurveHeight = 26;

using WatchedSweepPtr = std::shared_ptr<const report::WatchedSweep>;

/// The runs of a sweep, or those of one row of its table.
class SweepRunsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kNumber, kRow, kSeed, kCurve, kAuc, kState, kColumns };
    enum Role { CurveRole = Qt::UserRole, FolderRole };

    explicit SweepRunsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setSweep(const WatchedSweepPtr& sweep);
    /// Absent: all.
    void setLine(std::optional<std::size_t> line);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Null where there is no such row.
    const report::WatchedRun* run(int row) const;
    /// The first row with the most digits in the column of numbers or that of seeds; 0 where there is none.
    int longest(Column column) const;

private:
    static bool isNumber(int column) { return column == kNumber || column == kSeed || column == kAuc; }
    std::vector<std::size_t> shown() const;
    /// Says that these runs look otherwise; ascending.
    void announce(const std::vector<std::size_t>& changed);

    WatchedSweepPtr sweep_;
    std::optional<std::size_t> line_;
    std::vector<std::size_t> rows_;  ///< places among the sweep's runs, ascending
};

/// The rows of a sweep's table with one number: mean, and what the difference to the baseline is worth so far.
class SweepLinesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kName, kRuns, kValue, kDifference, kInterval, kFinding, kColumns };

    explicit SweepLinesModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setSweep(const WatchedSweepPtr& sweep);
    /// Place among the table's metrics.
    void setMetric(std::size_t metric);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString text(std::size_t line, int column) const;

    WatchedSweepPtr sweep_;
    std::size_t metric_ = 0;
};

/// Draws the accuracies of a run as a line in the cell; the last one in words is the cell's accessible text.
class CurveDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace palimpsest

Q_DECLARE_METATYPE(std::vector<float>)
