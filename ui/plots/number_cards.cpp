// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/number_cards.h"

#include <QLabel>
#include <QTableView>
#include <algorithm>

#include "engine/metrics/metric_catalogue.h"
#include "ui/plots/a_auc_chip.h"
#include "ui/state/run_set.h"
#include "ui/plots/metric_chip.h"
#include "ui/state/metric_facts.h"
#include "ui/plots/metric_hover.h"
#include "ui/widgets/panel.h"
#include "ui/state/run_library.h"
#include "ui/runs/run_table_model.h"
#include "ui/style/text_style.h"

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

/// Of the mean in a line that stands for several runs.
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

MetricHover* explainCurve(Panel* panel, QWidget* figure, const QString& curve, CurveStore* store) {
    auto* title = panel->findChild<QLabel*>(QStringLiteral("panelTitle"));
    if (!title || !findCurve(curve.toStdString())) return nullptr;
    return new MetricHover(
        title,
        [=](std::optional<QPoint>) -> std::optional<Answer> {
            const RunCurves* run = store->primary();
            const MetricFacts facts = run ? factsOf(*run) : MetricFacts();
            return Answer{curveCard(curve.toStdString(), facts), run ? store->label(run->id) : QString(),
                          title->rect()};
        },
        figure);
}

MetricHover* explainArea(MetricChip* chip, CurveStore* store, std::function<const AreaText&()> area) {
    auto* hover = new MetricHover(chip, [=](std::optional<QPoint>) -> std::optional<Answer> {
        const AreaText& text = area();
        const RunCurves* run = store->primary();
        if (!run) return std::nullopt;
        MetricFacts facts = factsOf(*run);
        const auto end = std::partition_point(run->anytime.begin(), run->anytime.end(), [&](const AnytimePoint& point) {
            return point.samples_seen <= text.reach;
        });
        const bool mean = text.own.runs.size() > 1;
        const bool part = end != run->anytime.end();
        facts.anytime.resize(static_cast<std::size_t>(end - run->anytime.begin()));
        // The chip shortens the name of what it is compared with.
        QStringList about{mean ? QString::fromStdString(text.own.name) : store->label(run->id), chip->comparison()};
        about.removeAll(QString());
        const CardSpread spread = text.width == BandWidth::Error ? CardSpread::Error : CardSpread::Deviation;
        Answer answer{mean ? meanCard("a_auc", text.own, spread) : metricCard("a_auc", facts),
                      about.join(QLatin1Char(' ')), chip->rect()};
        // Beside a shorter run only the stretch that both have seen is compared.
        if (part || (mean && text.reach < run->total_samples))
            answer.card.stage = MetricChip::tr("up to %1 images").arg(countText(text.reach)).toStdString();
        if (mean || text.other.runs.size() > 1)
            if (!text.other.runs.empty())
                addDifference(answer.card, text.own, text.other, spread, text.chip.comparable);
        return answer;
    });
    chip->setFocusPolicy(Qt::TabFocus);
    hover->answerToReturn();
    return hover;
}

MetricHover* explainRuns(QTableView* view, CurveStore* store, RunLibrary* library) {
    return new MetricHover(
        view->viewport(),
        [=](std::optional<QPoint> point) -> std::optional<Answer> {
            QModelIndex index = point ? view->indexAt(*point) : view->currentIndex();
            // By keyboard a row is chosen, hardly a column.
            if (!point && index.isValid() && !keyOf(index.column()))
                index = index.siblingAtColumn(RunTableModel::AreaUnderCurve);
            const char* key = index.isValid() ? keyOf(index.column()) : nullptr;
            if (!key) return std::nullopt;
            if (const auto* model = qobject_cast<const RunTableModel*>(view->model()); model && !model->runAt(index))
                return ofHeading(*model, index, key, view->visualRect(index));
            const QString id = index.data(RunTableModel::IdRole).toString();
            const RunCurves* run = store->find(id);
            const RunLibrary::Record record = library->find(id);
            if (!run && !record) return std::nullopt;
            return Answer{metricCard(key, run ? factsOf(*run, record.get()) : factsOf(*record)),
                          index.siblingAtColumn(RunTableModel::Name).data().toString(), view->visualRect(index)};
        },
        view);
}

}  // namespace palimpsest
