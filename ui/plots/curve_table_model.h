// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>
#include <QVector>
#include <functional>
#include <utility>
#include <vector>

#include "ui/plots/figure_pages.h"
#include "ui/state/curve_options.h"

namespace palimpsest {

class RunSet;
enum class CurveKind;
struct ShownRun;

/// The numbers behind a figure: a row a place on its x axis, a column a curve. Rows are appended while a run goes on;
/// only another choice of curves makes the table anew. The selected run's evaluations at the ends of sessions, hollow
/// points in the figure, have a column of their own; so have each mean over seeds that is drawn, and its band or
/// whiskers.
class CurveTableModel : public FigureTable {
    Q_OBJECT
public:
    CurveTableModel(const RunSet* store, CurveKind kind, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(places_.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override {
        return parent.isValid() ? 0 : static_cast<int>(columns_.size()) + 1;
    }

    void refresh() override;
    void applyOptions(const CurveOptions& options) override { band_ = options.values().band; }

protected:
    QString cellText(int row, int column) const override;
    QString heading(int column) const override;

private:
    /// SessionEnds: anytime only.
    enum class Source { Points, SessionEnds, Mean, HalfWidth };
    struct Column {
        QString heading;   ///< on screen, where the figure's panel says what it is about
        QStringList runs;  ///< one, or those whose mean it is
        QVector<int> generations;
        Source source = Source::Points;
        std::int64_t session = 0;                       ///< retention only
        std::size_t appended = 0;                       ///< points of the run that are here
        std::vector<std::pair<qint64, double>> values;  ///< (place, fraction), places ascending

        void add(const ShownRun& run);
        bool sameCurve(const Column& other) const;
        void put(qint64 place, double value);
    };
    using Append = std::function<void(Column& column, qint64 place, double value)>;

    /// As the store has them now, without values.
    std::vector<Column> columns() const;
    void addMeans(std::vector<Column>& list) const;
    void addRetentionMeans(std::vector<Column>& list) const;
    void appendAnytime(Column& column, const Append& append) const;
    void appendRetention(Column& column, const Append& append) const;
    void appendMean(Column& column, const Append& append) const;
    void appendRetentionMean(Column& column, const Append& append) const;
    /// "batch run, ± standard deviation".
    QString widthHeading(const QString& of) const;
    /// Appends what is new to the columns; returns the places that have no row yet, ascending.
    std::vector<qint64> appendPoints();

    const RunSet* store_;
    CurveKind kind_;
    CurveOptions::Band band_ = CurveOptions::Band::None;
    std::vector<Column> columns_;
    std::vector<qint64> places_;  ///< images seen, or after session k from 0
};

}  // namespace palimpsest
