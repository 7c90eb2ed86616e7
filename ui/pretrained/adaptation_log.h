// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>

#include "engine/report/publication.h"
#include "engine/run/adaptation.h"
#include "ui/plots/figure_pages.h"

namespace palimpsest {

/// Reports of an adaptation so far: a row a report, for the table, and the numbers of the curve.
class AdaptationLog : public FigureTable {
    Q_OBJECT
public:
    enum Column { Step, Epoch, Images, Loss, OtherLoss, Accuracy, kColumns };

    using FigureTable::FigureTable;

    /// Empties it. `other`: there is a second pass whose loss is reported.
    void restart(bool other);
    /// Reports after this step are removed, since those steps are learned again.
    void keepUpTo(std::int64_t step);
    void append(const QVector<AdaptationProgress>& reports);

    const QVector<AdaptationProgress>& reports() const { return reports_; }
    bool hasOther() const { return other_; }
    /// The report nearest to a step; -1: there is none.
    qsizetype nearest(double step) const;

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(reports_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kColumns; }

protected:
    QString cellText(int row, int column) const override;
    QString heading(int column) const override;

private:
    QVector<AdaptationProgress> reports_;
    bool other_ = false;
};

/// Table with a row of headings; a loss that is no number is left empty. `other`: with the loss of the second pass.
QString adaptationCsv(const QVector<AdaptationProgress>& reports, bool other);

/// The running mean after a value more.
double nextMean(double before, double value);

/// The loss of an adaptation as a figure for papers, with its numbers: each report faint, the running mean strong, the
/// mean of the perturbing pass (`other`) dashed. Belongs on no particular thread.
report::Publication adaptationPublication(const QVector<AdaptationProgress>& reports, bool other);

}  // namespace palimpsest
