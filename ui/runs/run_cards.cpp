// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_cards.h"

#include <QTableView>

#include "engine/metrics/metric_card.h"
#include "ui/plots/metric_hover.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/metric_facts.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

using Answer = MetricHover::Answer;

/// The key in summary.json of a column of runs; null for one that is no such number.
const char* keyOf(int column) {
    switch (column) {
        case RunTableModel::AreaUnderCurve:
            return "a_auc";
        case RunTableModel::LastAccuracy:
            return "a_last";
        case RunTableModel::LastForgetting:
            return "f_last";
        default:
            return nullptr;
    }
}

/// Card of the mean in a line that stands for several runs.
std::optional<Answer> ofHeading(const RunTableModel& model, const QModelIndex& index, const char* key,
                                const QRect& place) {
    const SeedNumbers runs = model.numbersAt(index);
    if (runs.runs.size() < 2) return std::nullopt;
    Answer answer{meanCard(key, runs, CardSpread::Deviation), QString::fromStdString(runs.name), place};
    const QModelIndex difference = index.siblingAtColumn(index.column() + 1);
    const SeedNumbers base = model.baselineNumbers(index.column());
    const bool itself = index.data(RunTableModel::BaselineRole).toInt() == 1;
    if (!base.runs.empty() && !itself)
        addDifference(answer.card, runs, base, CardSpread::Deviation, model.comparable(difference));
    return answer;
}

}  // namespace

MetricHover* explainRuns(QTableView* view, RunSet* store, RunLibrary* library) {
    return new MetricHover(
        view->viewport(),
        [=](std::optional<QPoint> point) -> std::optional<Answer> {
            QModelIndex index = point ? view->indexAt(*point) : view->currentIndex();
            // The keyboard chooses a row, hardly a column.
            if (!point && index.isValid() && !keyOf(index.column()))
                index = index.siblingAtColumn(RunTableModel::AreaUnderCurve);
            const char* key = index.isValid() ? keyOf(index.column()) : nullptr;
            if (!key) return std::nullopt;
            if (const auto* model = qobject_cast<const RunTableModel*>(view->model()); model && !model->runAt(index))
                return ofHeading(*model, index, key, view->visualRect(index));
            const QString id = index.data(RunTableModel::IdRole).toString();
            const ShownRun* run = store->find(id);
            const RunLibrary::Record record = library->find(id);
            if (!run && !record) return std::nullopt;
            return Answer{metricCard(key, run ? metricFacts(*run, record.get()) : metricFacts(*record)),
                          index.siblingAtColumn(RunTableModel::Name).data().toString(), view->visualRect(index)};
        },
        view);
}

}  // namespace palimpsest
