// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/a_auc_chip.h"

#include <QCoreApplication>
#include <algorithm>

#include "engine/config/experiment_differences.h"
#include "ui/plots/metric_hover.h"
#include "ui/state/comparability.h"
#include "ui/state/metric_facts.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"

namespace palimpsest {
namespace {

struct AreaChipText {
    Q_DECLARE_TR_FUNCTIONS(AreaChipText)
};

using Runs = std::vector<const ShownRun*>;

bool hasArea(const ShownRun& run) {
    return run.facts->measures_area && !run.points.anytime().empty();
}

/// One side of the comparison: a run, or those whose mean it is.
struct Side {
    Runs runs;
    QString name;

    bool has(const ShownRun* run) const { return std::find(runs.begin(), runs.end(), run) != runs.end(); }
    bool several() const { return runs.size() > 1; }
    bool goesOn() const {
        return std::any_of(runs.begin(), runs.end(), [](const ShownRun* run) { return run->inProgress(); });
    }
    bool isFinal() const {
        return std::all_of(runs.begin(), runs.end(), [](const ShownRun* run) { return run->areaIsFinal(); });
    }
    /// As far as the shortest goes.
    std::int64_t reach() const {
        std::int64_t least = runs.front()->reach();
        for (const ShownRun* run : runs) least = std::min(least, run->reach());
        return least;
    }
    SeedNumbers numbersUpTo(std::int64_t samples) const {
        SeedNumbers numbers{name.toStdString(), {}};
        for (const ShownRun* run : runs)
            if (const auto area = run->points.areaUpTo(samples))
                numbers.runs.push_back({run->facts->experiment.seed, *area});
        return numbers;
    }
    std::optional<Spread> areaUpTo(std::int64_t samples) const {
        std::vector<double> areas;
        for (const ShownRun* run : runs) {
            const std::optional<double> area = run->points.areaUpTo(samples);
            if (!area) return std::nullopt;
            areas.push_back(*area);
        }
        return spread(areas);
    }
};

Side sideOf(const RunSet& store, const ShownRun& run, const std::vector<SeedGroup>& groups) {
    for (const SeedGroup& group : groups)
        if (const Side side{group.runs, group.label}; side.has(&run)) return side;
    return {{&run}, store.label(run.id)};
}

std::optional<Side> baselineOf(const RunSet& store, const Side& own) {
    Runs runs;
    for (const QString& id : store.baseline())
        if (const ShownRun* run = store.find(id); run && hasArea(*run)) runs.push_back(run);
    if (runs.size() > 1) runs = countingRuns(std::move(runs));
    if (runs.empty()) return std::nullopt;
    // A single run is compared with the one that saw its stream, rather than with a mean over others.
    const ShownRun* single = own.several() ? nullptr : own.runs.front();
    if (single && runs.size() > 1 && !single->facts->fingerprint.empty())
        for (const ShownRun* run : runs)
            if (run != single && run->facts->fingerprint == single->facts->fingerprint &&
                run->facts->experiment.seed == single->facts->experiment.seed)
                return Side{{run}, store.label(run->id)};
    return Side{runs, runs.size() > 1 ? groupLabel(store, runs) : store.label(runs.front()->id)};
}

/// The run that was shown last, or the mean it is part of.
std::optional<Side> lastShown(const RunSet& store, const Side& own, const std::vector<SeedGroup>& groups) {
    for (const ShownRun* run : store.others()) {
        // A seed beside the mean of the others is no comparison.
        const bool seed = own.several() && run->seed_group == own.runs.front()->seed_group;
        if (!own.has(run) && !seed && hasArea(*run)) return sideOf(store, *run, groups);
    }
    return std::nullopt;
}

std::vector<StreamKey> streamsOf(const Side& side) {
    std::vector<StreamKey> streams;
    for (const ShownRun* run : side.runs)
        streams.push_back({run->facts->experiment.seed, run->facts->total_samples, run->facts->fingerprint,
                           run->facts->dataset, run->facts->imported});
    return streams;
}

/// Another seed is another stream of the same kind, over which means can be compared.
StreamDoubt doubtOf(const RunSet& store, const Side& a, const Side& b) {
    return streamDoubt(streamsOf(a), streamsOf(b), [&] {
        const auto differences =
            experimentDifferences(store.table(), a.runs.front()->facts->experiment, b.runs.front()->facts->experiment);
        return std::any_of(differences.begin(), differences.end(), [](const ExperimentDifference& difference) {
            return difference.option->key.starts_with("stream.");
        });
    });
}

std::optional<MetricChip::Number> numberOf(const std::optional<Spread>& area, BandWidth width) {
    if (!area) return std::nullopt;
    return MetricChip::Number{area->mean, halfWidth(*area, width), area->count};
}

void addLine(QString& tip, const QString& line) {
    tip += '\n' + line;
}

/// Fills in the numbers of both sides over as many images as can be compared.
void compare(AucChipText& area, const RunSet& store, const Side& own, const Side& other, BandWidth width) {
    MetricChip::Content& chip = area.chip;
    const StreamDoubt doubt = doubtOf(store, own, other);
    chip.comparable = doubt != StreamDoubt::OtherStream;
    const std::int64_t stretch = std::min(own.reach(), other.reach());
    if (!chip.comparable) {
        // Each in its own right: a stretch of one stream says nothing of the other.
        chip.compared = numberOf(other.areaUpTo(other.reach()), width);
    } else if (own.reach() == other.reach()) {
        chip.compared = numberOf(other.areaUpTo(stretch), width);
    } else if (const auto part = own.areaUpTo(stretch), beside = other.areaUpTo(stretch); part && beside) {
        // Only the stretch that both sides have seen can be compared.
        chip.value = numberOf(part, width);
        chip.compared = numberOf(beside, width);
        area.reach = stretch;
        chip.note = own.goesOn() && stretch == own.reach() ? AreaChipText::tr("so far")
                                                           : AreaChipText::tr("up to %1").arg(countText(stretch));
        addLine(area.tip,
                AreaChipText::tr("Both up to %1 images, as far as the shorter one goes.").arg(countText(stretch)));
    }
    if (!chip.compared) return;
    chip.name = other.name;
    area.own = own.numbersUpTo(area.reach);
    area.other = other.numbersUpTo(chip.comparable ? stretch : other.reach());
    chip.warning = doubtText(doubt);
    if (doubt != StreamDoubt::None) {
        addLine(area.tip, doubtTip(doubt, other.name));
        return;
    }
    const PairedEvidence evidence = pairedEvidence(area.own, area.other);
    chip.evident = evidence.distinguishable();
    addLine(area.tip, evidenceTip(evidence) + '.');
}

}  // namespace

std::optional<AucChipText> areaText(const RunSet& store, const std::vector<SeedGroup>& groups, BandWidth width) {
    const ShownRun* run = store.selected();
    if (!run || !hasArea(*run)) return std::nullopt;
    const Side own = sideOf(store, *run, groups);
    AucChipText area;
    area.tip = AreaChipText::tr("A_AUC: mean of the anytime accuracies, the shaded area.");
    if (own.several())
        addLine(area.tip, (width == BandWidth::Error ? AreaChipText::tr("Mean over %1 seeds ± its standard error.")
                                                     : AreaChipText::tr("Mean over %1 seeds ± standard deviation."))
                              .arg(own.runs.size()));
    area.reach = own.reach();
    area.chip.value = numberOf(own.areaUpTo(area.reach), width);
    area.own = own.numbersUpTo(area.reach);
    area.width = width;
    const std::optional<Side> baseline = baselineOf(store, own);
    if (baseline &&
        std::is_permutation(own.runs.begin(), own.runs.end(), baseline->runs.begin(), baseline->runs.end())) {
        area.chip.note = AreaChipText::tr("baseline");
        addLine(area.tip, AreaChipText::tr("All others are compared with it: it is the baseline in the list of runs."));
    } else if (const auto other = store.baseline().isEmpty() ? lastShown(store, own, groups) : baseline) {
        compare(area, store, own, *other, width);
        if (area.chip.compared)
            addLine(area.tip, (baseline ? AreaChipText::tr("Compared with %1, the baseline in the list of runs.")
                                        : AreaChipText::tr("Compared with %1."))
                                  .arg(other->name));
    }
    if (!own.isFinal()) {
        if (area.chip.note.isEmpty()) area.chip.note = AreaChipText::tr("so far");
        const ShownRun& shortest =
            **std::ranges::min_element(own.runs, {}, [](const ShownRun* each) { return each->points.samplesSeen(); });
        addLine(area.tip, AreaChipText::tr("So far: %1 of %2 images.")
                              .arg(countText(shortest.points.samplesSeen()), countText(shortest.facts->total_samples)));
    }
    return area;
}

void explainArea(MetricChip* chip, RunSet* store, std::function<const AucChipText&()> area) {
    auto* hover = new MetricHover(chip, [=](std::optional<QPoint>) -> std::optional<MetricHover::Answer> {
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
        MetricHover::Answer answer{mean ? meanCard("a_auc", text.own, spread) : metricCard("a_auc", facts),
                                   about.join(QLatin1Char(' ')), chip->rect()};
        // Beside a shorter run only the stretch that both have seen is compared.
        if (part || (mean && text.reach < run->facts->total_samples))
            answer.card.stage = AreaChipText::tr("up to %1 images").arg(countText(text.reach)).toStdString();
        if (mean || text.other.runs.size() > 1)
            if (!text.other.runs.empty())
                addDifference(answer.card, text.own, text.other, spread, text.chip.comparable);
        return answer;
    });
    chip->setFocusPolicy(Qt::TabFocus);
    hover->answerToReturn();
}

}  // namespace palimpsest
