// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/number_cards.h"

#include <QCoreApplication>
#include <QLabel>
#include <algorithm>

#include "engine/metrics/metric_catalogue.h"
#include "ui/plots/a_auc_chip.h"
#include "ui/plots/metric_chip.h"
#include "ui/plots/metric_hover.h"
#include "ui/state/metric_facts.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

struct NumberCardText {
    Q_DECLARE_TR_FUNCTIONS(palimpsest::NumberCardText)
};

using Answer = MetricHover::Answer;

}  // namespace

MetricHover* explainCurve(Panel* panel, QWidget* figure, const QString& curve, RunSet* store) {
    auto* title = panel->findChild<QLabel*>(QStringLiteral("panelTitle"));
    if (!title || !findCurve(curve.toStdString())) return nullptr;
    return new MetricHover(
        title,
        [=](std::optional<QPoint>) -> std::optional<Answer> {
            const ShownRun* run = store->selected();
            const MetricFacts facts = run ? metricFacts(*run) : MetricFacts();
            return Answer{curveCard(curve.toStdString(), facts), run ? store->label(run->id) : QString(),
                          title->rect()};
        },
        figure);
}

MetricHover* explainArea(MetricChip* chip, RunSet* store, std::function<const AucChipText&()> area) {
    auto* hover = new MetricHover(chip, [=](std::optional<QPoint>) -> std::optional<Answer> {
        const AucChipText& text = area();
        const ShownRun* run = store->selected();
        if (!run) return std::nullopt;
        MetricFacts facts = metricFacts(*run);
        const auto end =
            std::partition_point(run->points.anytime().begin(), run->points.anytime().end(),
                                 [&](const AnytimePoint& point) { return point.samples_seen <= text.reach; });
        const bool mean = text.own.runs.size() > 1;
        const bool part = end != run->points.anytime().end();
        facts.anytime.resize(static_cast<std::size_t>(end - run->points.anytime().begin()));
        // The chip shortens the name of what it is compared with.
        QStringList about{mean ? QString::fromStdString(text.own.name) : store->label(run->id), chip->comparison()};
        about.removeAll(QString());
        const CardSpread spread = text.width == BandWidth::Error ? CardSpread::Error : CardSpread::Deviation;
        Answer answer{mean ? meanCard("a_auc", text.own, spread) : metricCard("a_auc", facts),
                      about.join(QLatin1Char(' ')), chip->rect()};
        // Beside a shorter run only the stretch that both have seen is compared.
        if (part || (mean && text.reach < run->facts->total_samples))
            answer.card.stage = NumberCardText::tr("up to %1 images").arg(countText(text.reach)).toStdString();
        if (mean || text.other.runs.size() > 1)
            if (!text.other.runs.empty())
                addDifference(answer.card, text.own, text.other, spread, text.chip.comparable);
        return answer;
    });
    chip->setFocusPolicy(Qt::TabFocus);
    hover->answerToReturn();
    return hover;
}

}  // namespace palimpsest
