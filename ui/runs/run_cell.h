// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <QVariant>
#include <optional>

#include "engine/config/option_table.h"
#include "engine/library/run_row.h"
#include "ui/state/run_library.h"

namespace palimpsest {

struct ShownRun;

/// What the list of runs writes of one run. `live`: its curves as far as the plots hold them, else null.
struct RunCell {
    const RunRow& row;
    const ShownRun* curves;
    const Catalogue& catalogue;

    QString text(int column) const;
    QVariant sortKey(int column) const;
    /// `record`: the whole run, where it is known.
    QString tip(int column, const RunLibrary::Record& record) const;
    QString state() const;
    bool goesOn() const;
    std::optional<double> number(int column) const;
    /// The whole run stands behind the number.
    bool isFinal(int column) const;

private:
    std::int64_t images() const;
    QString numberText(int column) const;
    QString whenText() const;
    QString lastMoment() const;
    QString numberTip(int column) const;
};

/// "12:30", "10 min ago", "yesterday", "3 May": a moment as people say it.
QString momentText(const QString& isoUtc, const QDateTime& now);

/// Columns of numbers stand at the right.
bool isNumberColumn(int column);
bool isMetricColumn(int column);
bool isDifferenceColumn(int column);
/// The column whose number a difference is of.
int metricOf(int column);

}  // namespace palimpsest
