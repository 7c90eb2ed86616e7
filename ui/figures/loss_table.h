// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/figure_pages.h"
#include "ui/plots/seed_means.h"
#include "ui/state/history_store.h"

namespace palimpsest {

/// The loss of each update of the selected run, and the mean over its seeds with their band if one is drawn;
/// in a file, of all visible ones.
class LossTable : public FigureTable {
    Q_OBJECT
public:
    LossTable(RunSet* store, HistoryStore* histories) : store_(store), histories_(histories) {}

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    void refresh() override;
    void obey(const CurveOptions& options) override { band_ = options.values().band; }
    /// Plain numbers, full precision, a header line; shares in per cent.
    QString csv() const;

private:
    RunSet* store_;
    HistoryStore* histories_;
    HistoryStore::History shown_;
    int rows_ = 0;
    CurveOptions::Band band_ = CurveOptions::Band::None;
    SeedLosses seeds_;          ///< whose mean is listed
    std::size_t averaged_ = 0;  ///< rows that have it
    CurveOptions::Band listed_ = CurveOptions::Band::None;
};

}  // namespace palimpsest
