// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/loss_plot.h"

#include <qcustomplot.h>
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "ui/plots/curve_graph.h"
#include "ui/plots/dense_lines.h"
#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/run_axis.h"
#include "ui/state/curve_options.h"
#include "ui/state/key_names.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kEmptyLossStream = 6000, kEmptyLoss = 2.5;
constexpr double kHeadroom = 1.06;  // above the highest loss
constexpr double kLogReach = 1e-4;  // of the highest loss, where the logarithmic axis ends at the latest
constexpr int kLeftRoom = 38;       // "50,000"

QVector<QPolygonF> lossGhost() {
    QPolygonF line;
    for (int i = 0; i <= 60; ++i)
        line.push_back({i / 60.0, 0.16 + 0.7 * std::exp(-i / 14.0) + 0.03 * std::sin(i * 1.9)});
    return {line};
}

}  // namespace

QString LossTable::cellText(int line, int column) const {
    const auto row = static_cast<std::size_t>(line);
    if (column == 0) return countText(static_cast<qint64>(shown_->loss.x(row)));
    if (column == 1) return countText(line + 1);
    if (column == 2) return lossText(shown_->loss.y(row));
    if (row >= seeds_.size()) return {};  // the shortest run does not get there
    const Spread mean = seeds_.at(row);
    return lossText(column == 3 ? mean.mean : halfWidth(mean, bandWidth(listed_)));
}

QString LossTable::heading(int column) const {
    if (column == 3) return tr("Mean of N = %1").arg(seeds_.histories.size());
    if (column == 4)
        return bandWidth(listed_) == BandWidth::Error ? tr("± standard error of the mean") : tr("± standard deviation");
    return column == 0 ? tr("Images seen") : column == 1 ? tr("Update") : tr("Loss");
}

void LossTable::refresh() {
    const ShownRun* run = store_->selected();
    const HistoryStore::History history = run ? histories_->find(run->id) : nullptr;
    const int rows = history ? static_cast<int>(history->loss.size()) : 0;
    SeedLosses seeds;
    if (history && band_ != CurveOptions::Band::None)
        for (LossGroup& group : lossGroups(*store_, *histories_))
            if (std::ranges::find(group.group.runs, run) != group.group.runs.end()) seeds = std::move(group.losses);
    const std::size_t averaged = seeds.size();
    if (history != shown_ || rows < rows_ || seeds.histories != seeds_.histories || band_ != listed_) {
        beginResetModel();
        seeds_ = std::move(seeds);
        listed_ = band_;
        shown_ = history;
        rows_ = rows;
        averaged_ = averaged;
        endResetModel();
        return;
    }
    if (rows > rows_) {
        beginInsertRows({}, rows_, rows - 1);
        rows_ = rows;
        endInsertRows();
    }
    // Updates that were listed before the slowest seed had made them.
    if (averaged > averaged_)
        Q_EMIT dataChanged(index(static_cast<int>(averaged_), 3), index(static_cast<int>(averaged) - 1, 4));
    averaged_ = averaged;
}

QString LossTable::csv() const {
    QString text = QStringLiteral("run,samples_seen,update,loss\n");
    for (const ShownRun* run : store_->visibleRuns()) {
        const HistoryStore::History history = histories_->find(run->id);
        if (!history) continue;
        const QString label = csvQuoted(store_->label(run->id));
        for (std::size_t i = 0; i < history->loss.size(); ++i)
            text += label + ',' + QString::number(history->loss.x(i), 'f', 0) + ',' + QString::number(i + 1) + ',' +
                    QString::number(history->loss.y(i), 'g', 10) + '\n';
    }
    return text;
}

struct LossPlot::Curve {
    QString id;
    HistoryStore::History history;
    bool selected = false;
    int look = 0, span = 0;
    QColor colour;        ///< that it was styled with
    bool banded = false;  ///< thin below the mean of its seeds
    std::size_t points = 0;
    CurveGraph* line = nullptr;
    CurveGraph* mean = nullptr;  ///< drawn over it
    std::optional<RunningMean> running;
};

LossPlot::LossPlot(RunSet* store, HistoryStore* histories, QWidget* parent)
    : PlotView(store, new LossTable(store, histories),
               {QStringLiteral("loss"), tr("Loss"), tr("of every update, on the batch being learned"),
                tr("The loss of every update. A high spike is an update on a batch of new classes.\n"
                   "Wheel: zoom. Drag: move. Click: keep the readout here. Double click: show all.")},
               parent),
      histories_(histories),
      bands_(*canvas(), *store) {
    new CrowdLayer(canvas());  // the canvas's own
    useLossTicks(*canvas()->yAxis);
    useImageTicks(*canvas());
    setUnit(tr("images seen"));
    setLeftRoom(scaled(kLeftRoom));
    setWholeRange(0, kEmptyLossStream);
    connect(histories_, &HistoryStore::changed, this, [this](const QString& id) {
        const ShownRun* run = this->store()->find(id);
        if (run && run->display.visible) schedule();
    });
}

LossPlot::~LossPlot() = default;

std::function<report::Publication()> LossPlot::source() const {
    // The figure of several runs is made from their folders, as reports make it.
    if (curves_.size() != 1) return {};
    const PublishedTexts words{QStringLiteral("loss"), tr("Loss"), tr("The loss of every update.")};
    return [words, csv = static_cast<const LossTable&>(table()).csv()] { return onePiece(words, {}, csv); };
}

void LossPlot::applyOptions(const CurveOptions& options) {
    const bool log = options.values().log_loss;
    if (log == log_) return;
    log_ = log;
    QCPAxis* axis = canvas()->yAxis;
    axis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    useLossTicks(*axis);
}

void LossPlot::sync() {
    const CurveOptions::Values values = options() ? options()->values() : CurveOptions::Values();
    const bool averaged = values.band != CurveOptions::Band::None;
    bands_.update(averaged ? lossGroups(*store(), *histories_) : std::vector<LossGroup>(), bandWidth(values.band),
                  values.smoothing, theme());
    updateCurves();
    double whole = 0;
    for (const ShownRun* run : store()->visibleRuns())
        whole = std::max(whole, static_cast<double>(std::max(run->facts->total_samples, run->points.samplesSeen())));
    setWholeRange(0, whole > 0 ? whole : kEmptyLossStream);
    fitHeight();
    decor().setBorders(sessionBorders(store()->selected()));
    decor().setChanges(changeMarks(
        *store(), theme(), [](const ShownRun&, std::int64_t samples) { return static_cast<double>(samples); },
        [this](const ShownRun& run) { return colourOf(run); }));
    updateEnds();
    const bool empty =
        std::none_of(curves_.begin(), curves_.end(), [](const auto& curve) { return curve->points > 0; });
    overlay().setInvitation(whyEmpty(), store()->selected() ? QVector<QPolygonF>() : lossGhost());
    overlay().setEmpty(empty);
}

QString LossPlot::whyEmpty() const {
    const ShownRun* run = store()->selected();
    if (!run) return tr("Press |{startRun}| to start");
    if (!histories_->find(run->id)) return tr("Reading the run folder …");
    return run->inProgress() ? tr("First point at the first update")
                             : tr("The folder of this run says nothing of its loss.");
}

void LossPlot::updateCurves() {
    const std::vector<const ShownRun*> runs = store()->visibleRuns();
    const int span = options() ? options()->values().smoothing : 0;
    const bool was_crowded = std::exchange(crowded_, runs.size() > CrowdLayer::kCrowd);
    std::erase_if(curves_, [&](const std::unique_ptr<Curve>& curve) {
        const ShownRun* run = store()->find(curve->id);
        const bool keep = run && run->display.visible && histories_->find(curve->id) == curve->history &&
                          curve->span == span && curve->banded == bands_.has(*run);
        if (!keep) {
            canvas()->removeGraph(curve->line);
            if (curve->mean) canvas()->removeGraph(curve->mean);
        }
        return !keep;
    });
    for (const ShownRun* run : runs) {
        const HistoryStore::History history = histories_->find(run->id);
        if (!history) continue;
        auto found = std::find_if(curves_.begin(), curves_.end(), [&](const auto& one) { return one->id == run->id; });
        const bool fresh = found == curves_.end();
        if (fresh) {
            auto made = std::make_unique<Curve>();
            made->id = run->id;
            made->history = history;
            made->look = run->display.style;
            made->span = span;
            made->banded = bands_.has(*run);
            made->line = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
            made->line->setPeaked(true);
            if (span > 0 && !made->banded) {
                made->mean = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
                made->running.emplace(span);
            }
            found = curves_.insert(curves_.end(), std::move(made));
        }
        Curve& curve = **found;
        if (fresh || curve.selected != run->display.selected || curve.colour != colourOf(*run) ||
            crowded_ != was_crowded) {
            curve.selected = run->display.selected;
            curve.colour = colourOf(*run);
            curve.line->setCrowded(crowded_ && !run->display.selected);
            style(curve, *run);
        }
        const PointSeries& loss = history->loss;
        for (; curve.points < loss.size(); ++curve.points) {
            curve.line->addData(loss.x(curve.points), loss.y(curve.points));
            if (curve.mean) curve.mean->addData(loss.x(curve.points), curve.running->add(loss.y(curve.points)));
        }
    }
}

QColor LossPlot::colourOf(const ShownRun& run) const {
    return runColour(theme(), crowded_ && !run.display.selected && !bands_.has(run) ? kNoHue : run.display.hue,
                     run.display.colour);
}

void LossPlot::style(Curve& curve, const ShownRun& run) const {
    const QPen pen = runPen(theme(), curve.selected, curve.look, colourOf(run));
    if (curve.mean) curve.mean->setPen(pen);
    // A noisy line is thin, and fainter below its mean, which then has the dashes.
    QPen thin = pen;
    thin.setJoinStyle(Qt::BevelJoin);
    QColor faint = pen.color();
    faint.setAlphaF(curve.mean || curve.banded ? 0.35F : 0.85F);
    if (!curve.line->crowded()) thin.setColor(faint);
    if (curve.mean || curve.banded || curve.line->crowded()) thin.setStyle(Qt::SolidLine);
    thin.setWidthF((curve.selected ? 1.25 : 1) * theme().weight);
    curve.line->setPen(thin);
    const QString layer = curve.selected ? "main" : CrowdLayer::kName;
    curve.line->setLayer(layer);
    if (curve.mean) curve.mean->setLayer(layer);
}

/// The highest loss or edge of a band in sight, so that zooming in shows what is there.
void LossPlot::fitHeight() {
    const QCPRange sight = canvas()->xAxis->range();
    Extremes values;
    for (const auto& curve : curves_) values.add(curve->line->extremes(sight.lower, sight.upper));
    const double top = std::max(values.empty() ? 0 : values.high, bands_.highest(sight.lower, sight.upper));
    const double high = top > 0 ? top : kEmptyLoss;
    if (log_)
        canvas()->yAxis->setRange(std::max(values.low > 0 ? values.low : 0, high * kLogReach) / kHeadroom,
                                  high * kHeadroom);
    else
        canvas()->yAxis->setRange(std::min(0.0, values.empty() ? 0 : values.low), high * kHeadroom);
}

void LossPlot::restyle(const Theme&) {
    for (const auto& curve : curves_)
        if (const ShownRun* run = store()->find(curve->id)) style(*curve, *run);
    bands_.style(theme());
    updateEnds();
}

/// One name for each curve: at the end of its mean where there is one, which then says so.
void LossPlot::updateEnds() {
    std::vector<CurveEnd> ends = bands_.ends(theme());
    int room = 0;
    for (const CurveEnd& end : ends) room = std::max(room, PlotDecor::roomFor(end.text, font(), end.strong));
    for (const auto& curve : curves_) {
        const ShownRun* run = store()->find(curve->id);
        if (!run || bands_.averages(*run) || (crowded_ && !curve->selected)) continue;
        const QString name = curve->mean ? tr("%1 · mean %2") : tr("%1 · %2"), label = store()->label(curve->id);
        // The same whatever the loss is, so that the axes keep their width while a run goes on.
        room = std::max(room, PlotDecor::roomFor(name.arg(label, QStringLiteral("00.000")), font(), curve->selected));
        if (curve->points == 0) continue;
        const CurveGraph* line = curve->mean ? curve->mean : curve->line;
        const auto last = line->data()->constEnd() - 1;
        CurveEnd end;
        end.id = curve->id;
        end.x = last->key;
        end.y = last->value;
        end.text = name.arg(label, lossText(last->value));
        end.colour = colourOf(*run);
        end.strong = curve->selected;
        end.dot = true;
        end.shape = curve->selected ? MarkerShape::Circle : markerOf(curve->look);
        ends.push_back(std::move(end));
    }
    setNameRoom(room);
    decor().setEnds(std::move(ends));
}

QString LossPlot::describe() const {
    QStringList parts;
    for (const auto& curve : curves_)
        if (curve->points > 0)
            parts.push_back(tr("%1: loss %2 after %3 updates")
                                .arg(store()->label(curve->id), lossText(curve->history->loss.y(curve->points - 1)),
                                     countText(static_cast<qint64>(curve->points))));
    return parts.isEmpty() ? KeyNames::instance().filled(whyEmpty().remove('|')) : parts.join(QStringLiteral("; "));
}

/// Only so many places of a long run as can be told apart.
std::vector<double> LossPlot::readingPlaces() const {
    std::vector<double> places;
    const QCPRange sight = canvas()->xAxis->range();
    for (const auto& curve : curves_) {
        if (!curve->selected) continue;
        const PointSeries& loss = curve->history->loss;
        const std::size_t from = loss.lower(sight.lower), to = std::min(curve->points, loss.upper(sight.upper));
        const std::size_t step = std::max<std::size_t>(1, (to - std::min(from, to)) / 4000);
        for (std::size_t i = from; i < to; i += step)
            if (places.empty() || loss.x(i) > places.back()) places.push_back(loss.x(i));
    }
    return places;
}

Readout LossPlot::readoutAt(double place) const {
    Readout out;
    out.x = canvas()->xAxis->coordToPixel(place);
    out.heading = tr("%1 images").arg(countText(static_cast<qint64>(place)));
    constexpr int kMostRows = 12;
    for (const auto& curve : curves_) {
        const PointSeries& loss = curve->history->loss;
        const ShownRun* run = store()->find(curve->id);
        if (!run || curve->points == 0) continue;
        const bool kept = curve->selected || run == store()->compared();
        if (out.rows.size() >= kMostRows && !kept) {
            ++out.more;
            continue;
        }
        // The last of the updates on one batch.
        const double x = *nearestIn(std::span(loss.xs()).first(curve->points), place);
        const std::size_t update = std::min(curve->points, loss.upper(x)) - 1;
        const double value = loss.y(update);
        QString text = lossText(value);
        if (curve->mean)
            text = tr("%1, mean %2").arg(text, lossText(curve->mean->data()->at(static_cast<int>(update))->value));
        if (x != place) text = tr("%1 at %2").arg(text, countText(static_cast<qint64>(x)));
        out.rows.push_back({QPointF(canvas()->xAxis->coordToPixel(x), canvas()->yAxis->coordToPixel(value)),
                            store()->label(curve->id), text, colourOf(*run),
                            curve->selected ? MarkerShape::Circle : markerOf(curve->look), kept});
        const QPointF foot(out.x, canvas()->axisRect()->bottom());
        if (auto change = changeRow(*store(), *run, place, foot, theme())) {
            change->colour = colourOf(*run);
            out.rows.push_back(*change);
        }
    }
    bands_.addRows(out, place, theme());
    return out;
}

std::optional<double> LossPlot::placeOf(std::int64_t moment) const {
    const double place = static_cast<double>(moment);
    return canvas()->xAxis->range().contains(place) ? std::optional(place) : std::nullopt;
}

std::optional<double> LossPlot::newestPlace() const {
    for (const auto& curve : curves_)
        if (curve->selected && curve->points > 0) return curve->history->loss.x(curve->points - 1);
    return std::nullopt;
}

}  // namespace palimpsest
