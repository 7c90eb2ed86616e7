// SPDX-License-Identifier: GPL-3.0-or-later
// What a RunTableModel compares its runs with.
#include <algorithm>
#include <utility>

#include "ui/runs/run_cell.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

constexpr std::array kMetrics{RunTableModel::AreaUnderCurve, RunTableModel::LastAccuracy,
                              RunTableModel::LastForgetting};

std::size_t placeOf(int difference) {
    return static_cast<std::size_t>((difference - RunTableModel::DeltaArea) / 2);
}

StreamKey streamOf(const RunRow& row) {
    return {row.seed, row.total_samples, row.fingerprint, row.imported()};
}

/// What a row knows of the settings of its stream, without the seed.
std::string kindOf(const RunRow& row) {
    return row.dataset + '\n' + std::to_string(row.sessions);
}

/// `take` gets each run that a mean is of, and its number.
void goThrough(const std::vector<RunRowPtr>& rows, const RunFamily& family, std::size_t metric, const auto& take) {
    for (const std::size_t place : family.counting) {
        const RunRow& row = *rows[place];
        const std::array numbers{&row.a_auc, &row.a_last, &row.f_last};
        if (*numbers[metric] && (metric == 0 ? areaIsFinal(row) : endIsFinal(row))) take(row, **numbers[metric]);
    }
}

std::vector<StreamKey> streamsBehind(const std::vector<RunRowPtr>& rows, const RunFamily& family, std::size_t metric) {
    std::vector<StreamKey> streams;
    goThrough(rows, family, metric, [&](const RunRow& row, double) { streams.push_back(streamOf(row)); });
    return streams;
}

}  // namespace

std::optional<RunTableModel::Baseline> RunTableModel::baselineIn(const std::vector<RunRowPtr>& rows,
                                                                 const QString& id) const {
    const std::string key = id.toStdString(), heading = familyKey({});
    Baseline found;
    if (!key.starts_with(heading)) {
        const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const RunRowPtr& each) { return each->folder.native() == key; });
        if (row == rows.end()) return std::nullopt;
        const RunCell cell{**row, curvesOf(**row), store_->catalogue()};
        for (std::size_t i = 0; i < kMetrics.size(); ++i)
            if (cell.isFinal(kMetrics[i])) found.numbers[i] = cell.number(kMetrics[i]);
        found.streams.fill({streamOf(**row)});
        for (std::size_t i = 0; i < kMetrics.size(); ++i)
            if (found.numbers[i]) found.values[i] = {*found.numbers[i]};
        found.kind = kindOf(**row);
        found.runs = QStringList{id};
        return found;
    }
    const std::string family = key.substr(heading.size());
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (rows[i]->family == family && (order_.hidden || !rows[i]->notes.hidden)) members.push_back(i);
    if (members.empty()) return std::nullopt;
    const RunFamily whole = familiesOf(rows, members).front();
    const std::array spreads{&whole.a_auc, &whole.a_last, &whole.f_last};
    for (std::size_t i = 0; i < spreads.size(); ++i) {
        if (spreads[i]->count > 0) found.numbers[i] = spreads[i]->mean;
        found.streams[i] = streamsBehind(rows, whole, i);
        goThrough(rows, whole, i, [&](const RunRow&, double value) { found.values[i].push_back(value); });
    }
    found.kind = kindOf(*rows[members.front()]);
    for (const std::size_t place : members) found.runs.push_back(QString::fromStdString(rows[place]->folder.native()));
    return found;
}

void RunTableModel::setBaseline(const QString& id) {
    baseline_ = id;
    awaited_baseline_.clear();
    known_baseline_ = {};
    store_->setBaseline({});
    updateBaseline();
    refreshAll();
    Q_EMIT baselineChanged();
}

void RunTableModel::restoreBaseline(const QString& id) {
    awaited_baseline_ = id;
    updateBaseline();
}

/// A run that lies elsewhere comes by another way, if it comes.
void RunTableModel::giveUpBaseline() {
    if (awaited_baseline_.isEmpty() || !library_->complete() || baselineIn(allRows(), awaited_baseline_)) return;
    const std::string key = awaited_baseline_.toStdString();
    const bool here =
        key.starts_with(familyKey({})) || std::filesystem::path(key).parent_path() == wholePath(library_->folder());
    if (!here) return;
    awaited_baseline_.clear();
    Q_EMIT baselineChanged();
}

/// A baseline that the search leaves out keeps its numbers; one that is gone is none.
void RunTableModel::updateBaseline() {
    if (!awaited_baseline_.isEmpty() && baselineIn(list_->rows, awaited_baseline_))
        return setBaseline(QString(awaited_baseline_));
    std::optional<Baseline> now = baselineIn(list_->rows, baseline_);
    if (!now && !baseline_.isEmpty()) {
        if (!library_->row(baseline_) && !store_->find(baseline_)) setBaseline({});
        return;
    }
    const Baseline fresh = now.value_or(Baseline());
    if (std::exchange(known_baseline_, fresh) == fresh) return;
    refreshAll();
    // Figures compare curve by curve, and need all of a run.
    for (const QString& run : fresh.runs)
        if (!store_->find(run) && !waiting_.contains(run)) withStored(run, [] {});
    store_->setBaseline(fresh.runs);
}

std::vector<StreamKey> RunTableModel::streamsOf(const RunLine& line, int column) const {
    if (line.run >= 0) return {streamOf(*rowAt(line))};
    return streamsBehind(list_->rows, familyAt(line), placeOf(column));
}

SeedNumbers RunTableModel::numbersAt(const QModelIndex& index) const {
    SeedNumbers numbers;
    if (!index.isValid() || index.row() >= rowCount() || !isMetricColumn(index.column())) return numbers;
    const RunLine& line = lineAt(index);
    if (line.run >= 0) return numbers;
    numbers.name = text(line, Name).toStdString();
    goThrough(list_->rows, familyAt(line), placeOf(index.column() + 1), [&](const RunRow& row, double value) {
        numbers.runs.push_back({row.seed, value});
    });
    return numbers;
}

SeedNumbers RunTableModel::baselineNumbers(int column) const {
    SeedNumbers numbers{tr("the baseline").toStdString(), {}};
    if (baseline_.isEmpty() || !isMetricColumn(column)) return numbers;
    const std::size_t place = placeOf(column + 1);
    const std::vector<double>& values = known_baseline_.values[place];
    for (std::size_t i = 0; i < values.size(); ++i)
        numbers.runs.push_back({known_baseline_.streams[place][i].seed, values[i]});
    return numbers;
}

bool RunTableModel::comparable(const QModelIndex& index) const {
    return index.isValid() && index.row() < rowCount() &&
           doubt(lineAt(index), index.column()) != StreamDoubt::OtherStream;
}

StreamDoubt RunTableModel::doubt(const RunLine& line, int column) const {
    if (baseline_.isEmpty() || !isDifferenceColumn(column) || baseline_ == keyOf(line)) return StreamDoubt::None;
    const std::size_t first = line.run >= 0 ? static_cast<std::size_t>(line.run) : familyAt(line).members.front();
    return streamDoubt(streamsOf(line, column), known_baseline_.streams[placeOf(column)],
                       [&] { return kindOf(*list_->rows[first]) != known_baseline_.kind; });
}

int RunTableModel::baselineRole(const RunLine& line) const {
    if (baseline_.isEmpty()) return 0;
    if (baseline_ == keyOf(line)) return 1;
    return line.run >= 0 && known_baseline_.runs.contains(keyOf(line)) ? 2 : 0;
}

/// Half a stream cannot be compared with a whole one, nor one stream with another.
std::optional<double> RunTableModel::difference(const RunLine& line, int column) const {
    const std::optional<double>& base = known_baseline_.numbers[placeOf(column)];
    const std::optional<double> own =
        base && isWhole(line, metricOf(column)) && doubt(line, column) != StreamDoubt::OtherStream
            ? number(line, metricOf(column))
            : std::nullopt;
    return own ? std::optional(shownDifference(*own, *base)) : std::nullopt;
}

/// Headings show means of whole streams alone.
bool RunTableModel::isWhole(const RunLine& line, int column) const {
    if (line.run < 0) return true;
    const RunRow& row = *rowAt(line);
    return RunCell{row, curvesOf(row), store_->catalogue()}.isFinal(column);
}

QString RunTableModel::noDifferenceText(const RunLine& line, int column) const {
    if (baseline_.isEmpty() || baseline_ == keyOf(line)) return {};
    const StreamDoubt why = doubt(line, column);
    if (why == StreamDoubt::OtherStream || difference(line, column)) return doubtTip(why, tr("The baseline"));
    if (line.run < 0) return {};
    const RunRow& row = *rowAt(line);
    const RunCell cell{row, curvesOf(row), store_->catalogue()};
    if (cell.goesOn()) return tr("The difference comes when the run has finished");
    if (!cell.isFinal(metricOf(column))) return tr("No difference: the run did not learn its whole stream");
    if (!known_baseline_.numbers[placeOf(column)])
        return tr("No difference: the baseline has no such number of a whole stream");
    return {};
}

}  // namespace palimpsest
