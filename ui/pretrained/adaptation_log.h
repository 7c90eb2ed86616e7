// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QVector>

#include "engine/run/adaptation.h"

namespace palimpsest {

/// Reports of an adaptation so far: a row a report, for the table, and the numbers of the curve.
class AdaptationLog : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Step, Epoch, Images, Loss, OtherLoss, Accuracy, kColumns };

    explicit AdaptationLog(QObject* parent = nullptr);

    /// Empties it. `other`: there is a second pass whose loss is reported.
    void restart(bool other);
    /// Reports after this step are removed, since those steps are learned again.
    void keepUpTo(std::int64_t step);
    void append(const QVector<AdaptationProgress>& reports);

    const QVector<AdaptationProgress>& reports() const { return reports_; }
    bool hasOther() const { return other_; }
    /// The report nearest to a step; -1: there is none.
    qsizetype nearest(double step) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QVector<AdaptationProgress> reports_;
    bool other_ = false;
};

/// Table with a row of headings; a loss that is no number is left empty. `other`: with the loss of the second pass.
QString adaptationCsv(const QVector<AdaptationProgress>& reports, bool other);

/// The running mean after a value more.
double nextMean(double before, double value);

}  // namespace palimpsest
