// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/loss_bands.h"

#include <qcustomplot.h>

#include <algorithm>
#include <limits>
#include <span>

#include "ui/figures/loss_plot.h"
#include "ui/plots/curve_graph.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {

std::size_t SeedLosses::size() const {
    std::size_t least = histories.empty() ? 0 : std::numeric_limits<std::size_t>::max();
    for (const HistoryStore::History& history : histories) least = std::min(least, history->loss.size());
    return least;
}

Spread SeedLosses::at(std::size_t update) const {
    std::vector<double> values;
    for (const HistoryStore::History& history : histories) values.push_back(history->loss.y(update));
    return spread(values);
}

double SeedLosses::place(std::size_t update) const {
    double sum = 0;
    for (const HistoryStore::History& history : histories) sum += history->loss.x(update);
    return sum / static_cast<double>(histories.size());
}

std::vector<LossGroup> lossGroups(const RunSet& store, const HistoryStore& histories) {
    std::vector<LossGroup> groups;
    for (SeedGroup& known : seedGroups(store, CurveKind::Anytime)) {
        LossGroup group{{known.key, {}, known.label}, {}};
        for (const ShownRun* run : known.runs) {
            const HistoryStore::History history = histories.find(run->id);
            if (!history || history->loss.empty()) continue;
            group.group.runs.push_back(run);
            group.losses.histories.push_back(history);
        }
        if (group.group.runs.size() > 1) groups.push_back(std::move(group));
    }
    return groups;
}

struct LossBands::Band {
    std::string group;
    QString label;
    QStringList runs;  ///< ids of those that count in the mean
    SeedLosses losses;
    BandWidth width = BandWidth::Deviation;
    bool selected = false;
    int look = 0, smoothing = 0;
    std::size_t points = 0;  ///< updates that are drawn
    std::size_t step = 1;    ///< each so manieth has its place in the band
    QCPGraph *low = nullptr, *high = nullptr;
    CurveGraph* mean = nullptr;
    CurveGraph* smooth = nullptr;  ///< drawn over it
    std::optional<RunningMean> running;

    bool sameAs(const Band& other) const {
        return group == other.group && runs == other.runs && losses.histories == other.losses.histories &&
               width == other.width && selected == other.selected && smoothing == other.smoothing;
    }
    const CurveGraph& strong() const { return smooth ? *smooth : *mean; }
    QColor colour(const Theme& theme) const { return selected ? runColour(theme, true) : comparedHue(theme, look); }
};

LossBands::LossBands(QCustomPlot& plot, const RunSet& store) : plot_(plot), store_(store) {}

LossBands::~LossBands() = default;

bool LossBands::has(const ShownRun& run) const {
    return std::any_of(bands_.begin(), bands_.end(), [&](const auto& band) { return band->group == run.seed_group; });
}

bool LossBands::averages(const ShownRun& run) const {
    return std::any_of(bands_.begin(), bands_.end(), [&](const auto& band) { return band->runs.contains(run.id); });
}

void LossBands::remove(Band& band) {
    for (QCPGraph* graph : std::initializer_list<QCPGraph*>{band.smooth, band.mean, band.high, band.low})
        if (graph) plot_.removeGraph(graph);
}

void LossBands::update(std::vector<LossGroup> groups, BandWidth width, int smoothing, const Theme& theme) {
    std::vector<std::unique_ptr<Band>> before = std::move(bands_);
    bands_.clear();
    for (LossGroup& known : groups) {
        auto band = std::make_unique<Band>();
        band->group = known.group.key;
        band->losses = std::move(known.losses);
        band->width = width;
        band->smoothing = smoothing;
        band->look = known.group.runs.front()->look.style;
        for (const ShownRun* run : known.group.runs) {
            band->runs.append(run->id);
            band->selected = band->selected || run->look.selected;
        }
        const auto same =
            std::find_if(before.begin(), before.end(), [&](const auto& old) { return old && old->sameAs(*band); });
        if (same != before.end()) {
            band = std::move(*same);
        } else {
            band->low = new QCPGraph(plot_.xAxis, plot_.yAxis);
            band->high = new QCPGraph(plot_.xAxis, plot_.yAxis);
            band->high->setChannelFillGraph(band->low);
            band->mean = new CurveGraph(plot_.xAxis, plot_.yAxis);
            if (smoothing > 0) {
                band->smooth = new CurveGraph(plot_.xAxis, plot_.yAxis);
                band->running.emplace(smoothing);
            }
            style(*band, theme);
        }
        band->label = known.group.label;
        append(*band);
        bands_.push_back(std::move(band));
    }
    for (const auto& old : before)
        if (old) remove(*old);
}

void LossBands::append(Band& band) {
    for (const std::size_t size = band.losses.size(); band.points < size; ++band.points) {
        const Spread value = band.losses.at(band.points);
        const double x = band.losses.place(band.points), half = halfWidth(value, band.width);
        band.mean->addData(x, value.mean);
        if (band.smooth) band.smooth->addData(x, band.running->take(value.mean));
        if (band.points % band.step != 0) continue;
        band.low->addData(x, value.mean - half);
        band.high->addData(x, value.mean + half);
        if (static_cast<std::size_t>(band.low->dataCount()) > 2 * kMostBandPlaces) thinOut(band);
    }
}

/// Every other place goes, so that a band of any length is drawn at once.
void LossBands::thinOut(Band& band) {
    band.step *= 2;
    for (QCPGraph* edge : {band.low, band.high}) {
        QVector<QCPGraphData> kept;
        for (int i = 0; i < edge->dataCount(); i += 2) kept.append(*edge->data()->at(i));
        edge->data()->set(kept, true);
    }
}

void LossBands::style(const Theme& theme) {
    for (const auto& band : bands_) style(*band, theme);
}

void LossBands::style(Band& band, const Theme& theme) {
    const QColor colour = band.colour(theme);
    const QPen pen = runPen(theme, band.selected, band.look, colour);
    band.mean->setPen(pen);
    if (band.smooth) {
        QPen thin = thinBelow(pen, theme);
        thin.setColor(colour);  // the seeds around it are faint
        band.mean->setPen(thin);
        band.smooth->setPen(pen);
    }
    // Above the noise of its seeds.
    const QString layer = band.selected ? QStringLiteral("axes") : QStringLiteral("main");
    band.mean->setLayer(layer);
    if (band.smooth) band.smooth->setLayer(layer);
    QColor ground = colour;
    ground.setAlphaF(band.selected ? 0.30F : 0.18F);
    band.low->setPen(Qt::NoPen);
    band.high->setPen(Qt::NoPen);
    band.high->setBrush(ground);
}

double LossBands::highest(double from, double to) const {
    double most = 0;
    for (const auto& band : bands_) {
        bool found = false;
        const QCPRange range = band->high->getValueRange(found, QCP::sdBoth, {from, to});
        if (found) most = std::max(most, range.upper);
    }
    return most;
}

std::vector<CurveEnd> LossBands::ends(const Theme& theme) const {
    std::vector<CurveEnd> ends;
    for (const auto& band : bands_) {
        if (band->points == 0) continue;
        const Spread last = band->losses.at(band->points - 1);
        CurveEnd end;
        end.id = QString::fromStdString(band->group);
        end.x = band->losses.place(band->points - 1);
        end.y = (band->strong().data()->constEnd() - 1)->value;
        end.text = (band->smooth ? LossPlot::tr("%1, N = %2 · mean %3 ± %4") : LossPlot::tr("%1, N = %2 · %3 ± %4"))
                       .arg(band->label)
                       .arg(band->runs.size())
                       .arg(lossText(last.mean), lossText(halfWidth(last, band->width)));
        if (band->smooth) end.text = LossPlot::tr("%1, smoothed %2").arg(end.text, lossText(end.y));
        end.colour = band->colour(theme);
        end.strong = band->selected;
        end.dot = true;
        end.shape = band->selected ? MarkerShape::Circle : markerOf(band->look);
        ends.push_back(std::move(end));
    }
    return ends;
}

void LossBands::addRows(Readout& out, double place, const Theme& theme) const {
    for (const auto& band : bands_) {
        if (band->points == 0) continue;
        // A person goes along the updates of the selected run; of those on one batch the last.
        const ShownRun* selected = store_.selected();
        const qsizetype own = selected ? band->runs.indexOf(selected->id) : -1;
        const PointSeries& along = band->losses.histories[static_cast<std::size_t>(std::max<qsizetype>(0, own))]->loss;
        const double x = *nearestIn(std::span(along.xs()), place);
        const std::size_t update = along.upper(x) - 1;
        if (update >= band->points) continue;  // the mean does not get there
        const Spread value = band->losses.at(update);
        out.rows.push_back(
            {QPointF(plot_.xAxis->coordToPixel(band->losses.place(update)), plot_.yAxis->coordToPixel(value.mean)),
             LossPlot::tr("%1, mean of N = %2").arg(band->label, QString::number(value.count)),
             LossPlot::tr("%1 ± %2").arg(lossText(value.mean), lossText(halfWidth(value, band->width))),
             band->colour(theme), MarkerShape::Diamond});
    }
}

}  // namespace palimpsest
