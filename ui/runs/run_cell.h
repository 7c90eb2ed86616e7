// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QString>
#include <optional>

#include "engine/config/option_table.h"
#include "engine/library/run_family.h"
#include "engine/library/run_row.h"
#include "ui/state/run_library.h"

namespace palimpsest {

struct ShownRun;

/// Row of a run that the library does not hold: it lies elsewhere, has no folder, or its folder was not read yet.
RunRowPtr briefRow(const ShownRun& run);

/// Heading of a column, and its tool tip; an empty tip: it needs none.
struct ColumnText {
    QString title, tip;
};
const ColumnText& columnText(int column);

/// Text of a cell whose content is not known.
QString unknownText();

/// Texts of one run in the list of runs. `shown`: the run as the plots hold it, or null.
struct RunCell {
    const RunRow& row;
    const ShownRun* shown;
    const Catalogue& catalogue;
    /// When the machine that it runs on was last reached, while there is no connection to it; a null moment: before
    /// this program began. Absent: it is reached, or it runs here.
    std::optional<QDateTime> lost = std::nullopt;
    /// Why it waits on another machine, a sentence; empty: it does not, or runs here.
    QString paused = {};

    QString text(int column) const;
    /// Tool tip of a cell; `record`: the whole run, null if it was not read.
    QString tip(int column, const RunLibrary::Record& record) const;
    QString state() const;
    bool goesOn() const;
    std::optional<double> number(int column) const;
    /// True if the whole run stands behind the number.
    bool isFinal(int column) const;

private:
    std::int64_t images() const;
    QString numberText(int column) const;
    QString whenText() const;
    QString lostText() const;
    QString lastMoment() const;
    QString numberTip(int column) const;
    QString settingsText() const;
    QString importedText() const;
};

/// Texts of the heading of runs that differ in the seed alone.
struct HeadingCell {
    const RunFamily& family;
    const RunRow& first;  ///< of its runs
    const Catalogue& catalogue;

    QString text(int column) const;
    /// Tool tip: how many runs stand behind the number, and why not all.
    QString tip(int column) const;
    /// Numbers of a column of a metric.
    const Spread& spread(int column) const;

private:
    QString countsText() const;
};

/// "12:30", "10 min ago", "yesterday", "3 May": a moment in words, as seen from `now`.
QString momentText(const QString& isoUtc, const QDateTime& now);
/// The same behind another word: "14:02", "3 May", "May 2025".
QString shortMomentText(const QString& isoUtc, const QDateTime& now);

}  // namespace palimpsest
