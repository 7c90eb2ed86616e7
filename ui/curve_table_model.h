// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QString>
#include <QStringList>
#include <QVector>
#include <map>
#include <vector>

namespace palimpsest {

class CurveStore;
enum class CurveKind;

/// The numbers behind a figure: a row a place on its x axis, a column a curve. Rows are appended while a run goes on;
/// only another choice of curves makes the table anew.
class CurveTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    CurveTableModel(const CurveStore* store, CurveKind kind, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

    /// Takes over what the store has got since the last call.
    void refresh();
    /// Plain numbers, full precision, a header line; accuracies in per cent.
    QString csv() const;

private:
    struct Column {
        QString title;                    ///< names the run
        QString heading;                  ///< on screen, where the figure's panel says what it is about
        std::map<qint64, double> values;  ///< fraction by place
    };
    std::vector<Column> columns() const;

    const CurveStore* store_;
    CurveKind kind_;
    std::vector<Column> columns_;
    std::vector<qint64> places_;  ///< images seen, or after session k from 0
};

}  // namespace palimpsest
