// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/retention_plot.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "ui/figures/guess_line.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/dense_lines.h"
#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/run_axis.h"
#include "ui/state/curve_options.h"
#include "ui/state/guess_book.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr std::int64_t kEmptySessions = 5;
constexpr double kRoomLeft = 44, kRoomRight = 160;  // pixels beside the first and the last marker, the latter for names
constexpr double kMostRoomRight = 0.35;             // of the axis, for longer names
constexpr double kLeastLines = 0.3;                 // of the axis, for the lines themselves
constexpr int kMostTicks = 16;
constexpr int kTickGap = 10;                      // pixels between two labels
constexpr std::int64_t kMostSessionMarkers = 40;  // on one line

/// Sketch of the figure to come, in a unit square; the bends stand on the ticks of the sessions.
QVector<QPolygonF> retentionGhost(const QCPRange& range) {
    QVector<QPolygonF> lines{{{1, 0.92}, {2, 0.9}, {3, 0.87}, {4, 0.86}, {5, 0.84}},
                             {{1, 0.92}, {2, 0.5}, {3, 0.34}, {4, 0.24}, {5, 0.16}},
                             {{2, 0.82}, {3, 0.76}, {4, 0.75}, {5, 0.72}}};
    for (QPolygonF& line : lines)
        for (QPointF& point : line) point.setX((point.x() - range.lower) / range.size());
    return lines;
}

QString captionFor(std::int64_t stride) {
    return stride == 1
               ? RetentionPlot::tr("%, what is left of each session")
               : RetentionPlot::tr("%, what is left of sessions 1, %1, %2 …").arg(stride + 1).arg(2 * stride + 1);
}

QString percentWithUnit(double fraction) {
    return percentText(fraction) + QStringLiteral(" %");
}

}  // namespace

struct RetentionPlot::Line {
    QString run;
    int generation = 0;
    std::int64_t session = 0;
    bool selected = false;
    int look = 0, hue = 0;
    QColor colour;
    bool banded = false;       ///< thin below the mean of its seeds
    bool of_selected = false;  ///< likewise, and that mean is the selected one
    bool named = true;         ///< that mean does not speak for it
    std::size_t points = 0;
    double highest = -1;  ///< of them, in per cent; below 0: there are none
    QCPGraph* graph = nullptr;
    double reach = 0;  ///< pixels of its markers
};

RetentionPlot::RetentionPlot(RunSet* store, QWidget* parent)
    : PlotView(store, CurveKind::Retention,
               {QStringLiteral("retention"), tr("Retention"), captionFor(1),
                tr("Accuracy on the test images of each session, after it and after every later session.")},
               parent),
      percent_(canvas()->yAxis),
      bands_(*canvas(), *store) {
    canvas()->xAxis->grid()->setVisible(true);
    updateTicks(kEmptySessions);
}

RetentionPlot::~RetentionPlot() = default;

void RetentionPlot::setGuesses(GuessBook* book) {
    guess_ = new GuessLine(canvas(), store(), book, GuessedCurve::Retention, this);
    connect(guess_, &GuessLine::changed, this, &RetentionPlot::schedule);
}

std::vector<const ShownRun*> RetentionPlot::drawnRuns() const {
    return guess_ && guess_->drawing() ? std::vector<const ShownRun*>() : store()->visibleRuns();
}

void RetentionPlot::sync() {
    const CurveOptions::Band band = options() ? options()->values().band : CurveOptions::Band::None;
    const bool guessing = guess_ && guess_->drawing();
    const ShownRun* selected = guessing ? nullptr : store()->selected();
    const std::int64_t stride = selected ? retentionStride(*selected) : 1;
    bands_.update(band == CurveOptions::Band::None || guessing ? std::vector<SeedGroup>()
                                                               : seedGroups(*store(), CurveKind::Retention),
                  bandWidth(band), stride, theme());
    updateLines();
    double highest = bands_.highest();
    for (const auto& line : lines_) highest = std::max(highest, line->highest);
    if (guess_) {
        guess_->update(theme());
        highest = std::max(highest, guess_->highest());
    }
    percent_.fit(drawnRuns(), highest, guessing || (options() && options()->values().whole_percent));
    updateEnds();
    std::int64_t sessions = 0;
    for (const ShownRun* run : drawnRuns()) sessions = std::max(sessions, run->facts->sessions());
    const QString averaging = bands_.averaging();
    panel()->setCaption(averaging.isEmpty() ? captionFor(stride) : tr("%1, %2").arg(captionFor(stride), averaging));
    if (guessing) sessions = std::max(sessions, guess_->book()->sessions());
    updateTicks(sessions > 0 ? sessions : kEmptySessions);
    overlay().setEmpty(lines_.empty() && !(guess_ && guess_->visible()));
    canvas()->xAxis->grid()->setVisible(true);
}

double RetentionPlot::roomRight() const {
    return std::max(scaled(kRoomRight), std::min<double>(widest_name_, kMostRoomRight * canvas()->axisRect()->width()));
}

void RetentionPlot::updateTicks(std::int64_t sessions) {
    const double steps = static_cast<double>(std::max<std::int64_t>(1, sessions - 1));
    const double width = std::max(1, canvas()->axisRect()->width());
    // However many sessions there are, the names behind them get their room.
    const double pitch = std::max(kLeastLines * width, width - kRoomLeft - roomRight()) / steps;
    setWholeRange(1 - kRoomLeft / pitch, static_cast<double>(sessions) + roomRight() / pitch);
    // A sketch of the answer would be drawn after.
    if (guess_ && guess_->drawing())
        overlay().setInvitation(tr("Drag from left to right: what will be left of session 1?"), {});
    else if (lines_.empty())
        overlay().setInvitation(invitationNow(), retentionGhost(canvas()->xAxis->range()));
    const QString full = tr("after session %1");
    const QFontMetrics metrics(canvas()->xAxis->tickLabelFont());
    const bool longTicks = metrics.horizontalAdvance(full.arg(sessions)) + kTickGap < pitch;
    const double label = metrics.horizontalAdvance(QString::number(sessions)) + kTickGap;
    const std::int64_t step = longTicks ? 1
                                        : std::max((sessions + kMostTicks - 1) / kMostTicks,
                                                   static_cast<std::int64_t>(std::ceil(label / pitch)));
    if (sessions == sessions_ && longTicks == long_ticks_ && step == tick_step_) return;
    sessions_ = sessions;
    long_ticks_ = longTicks;
    tick_step_ = step;
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    for (std::int64_t k = 1; k <= sessions; k += step)
        ticker->addTick(static_cast<double>(k), longTicks ? full.arg(k) : QString::number(k));
    canvas()->xAxis->setTicker(ticker);
    setUnit(longTicks ? QString() : tr("after session"));
}

QString RetentionPlot::invitationNow() const {
    const std::vector<const ShownRun*> runs = store()->visibleRuns();
    if (std::any_of(runs.begin(), runs.end(), [](const ShownRun* run) { return run->inProgress(); }))
        return tr("First point when session 1 has ended");
    // It ended in session 1, or its numbers are those of another program.
    const ShownRun* selected = store()->selected();
    return selected && !selected->points.anytime().empty() ? tr("This run has no accuracy by session")
                                                           : tr("Press |{startRun}| to start");
}

void RetentionPlot::updateLines() {
    const auto wanted = [this](const Line& line) {
        const ShownRun* run = guess_ && guess_->drawing() ? nullptr : store()->find(line.run);
        return run && run->display.visible && run->generation == line.generation &&
               run->display.selected == line.selected && run->display.colour == line.colour &&
               run->display.hue == line.hue && line.session % retentionStride(*run) == 0 &&
               line.banded == banded(*run) && line.of_selected == bands_.isBelowSelected(*run) &&
               line.named == !bands_.averages(*run) && (line.session == 0 || !line.banded);
    };
    std::erase_if(lines_, [&](const std::unique_ptr<Line>& line) {
        if (wanted(*line)) return false;
        canvas()->removeGraph(line->graph);
        return true;
    });
    if (const bool was = std::exchange(crowded_, drawnRuns().size() > CrowdLayer::kCrowd); was != crowded_)
        for (const auto& line : lines_) style(*line);
    std::map<std::pair<QString, std::int64_t>, Line*> known;
    for (const auto& line : lines_) known[{line->run, line->session}] = line.get();
    for (const ShownRun* run : drawnRuns()) {
        const std::int64_t stride = retentionStride(*run);
        for (const auto& [session, points] : run->points.retention()) {
            if (run->display.selected && !banded(*run) ? session % stride != 0 : session != 0) continue;
            Line*& line = known[{run->id, session}];
            if (!line) {
                lines_.push_back(std::make_unique<Line>());
                line = lines_.back().get();
                line->run = run->id;
                line->generation = run->generation;
                line->session = session;
                line->selected = run->display.selected;
                line->look = run->display.style;
                line->hue = run->display.hue;
                line->of_selected = bands_.isBelowSelected(*run);
                line->colour = run->display.colour;
                line->banded = banded(*run);
                line->named = !bands_.averages(*run);
                line->graph = new CurveGraph(canvas()->xAxis, canvas()->yAxis);
                line->graph->setScatterSkip(static_cast<int>(run->facts->sessions() / kMostSessionMarkers));
                style(*line);
            }
            for (; line->points < points.size(); ++line->points) {
                const double accuracy = points[line->points].accuracy * 100;
                line->graph->addData(static_cast<double>(points[line->points].after_session + 1), accuracy);
                line->highest = std::max(line->highest, accuracy);
            }
        }
    }
}

/// The selected run where its mean stands for it, and any other seed of a group that is averaged.
bool RetentionPlot::banded(const ShownRun& run) const {
    return run.display.selected ? bands_.averages(run) : bands_.has(run);
}

bool RetentionPlot::inCrowd(const Line& line) const {
    return crowded_ && line.named && !line.selected;
}

void RetentionPlot::style(Line& line) const {
    const bool lost = inCrowd(line);
    const QPen pen = line.selected || line.of_selected
                         ? sessionPen(theme(), line.session)
                         : runPen(theme(), false, line.look, runColour(theme(), lost ? kNoHue : line.hue, line.colour));
    line.graph->setPen(line.banded || lost ? thinBelow(pen, theme()) : pen);
    if (line.banded || lost)
        line.graph->setScatterStyle({});
    else
        line.reach = styleRetentionMarkers(*line.graph, line.selected, line.session, line.look, theme());
    line.graph->setLayer(retentionLayer(*canvas(), line.selected && !line.banded, line.session));
}

void RetentionPlot::restyle(const Theme&) {
    for (const auto& line : lines_) style(*line);
    bands_.style(theme());
    updateEnds();
}

QString RetentionPlot::nameOf(const Line& line) const {
    if (line.selected && !line.banded) return tr("session %1").arg(line.session + 1);
    return tr("session %1, %2").arg(line.session + 1).arg(store()->label(line.run));
}

void RetentionPlot::updateEnds() {
    std::vector<CurveEnd> ends = bands_.ends(theme());
    widest_name_ = 0;
    for (const QString& name : bands_.widestNames())
        widest_name_ = std::max(widest_name_, PlotDecor::roomFor(name, font(), false));
    std::vector<QPointF> nameless;  // where the other curves of a crowd end
    for (const auto& line : lines_) {
        if (!line->named) continue;
        if (inCrowd(*line)) {
            if (line->graph->dataCount() > 0) {
                const auto last = line->graph->data()->constEnd() - 1;
                nameless.emplace_back(last->key, last->value);
            }
            continue;
        }
        widest_name_ = std::max(widest_name_, PlotDecor::roomFor(nameOf(*line) + QStringLiteral(" · 100.0 %"), font(),
                                                                 line->selected && line->session == 0));
        if (line->graph->dataCount() == 0) continue;
        const auto last = line->graph->data()->constEnd() - 1;
        CurveEnd end;
        end.id = line->run + '#' + QString::number(line->session);
        end.x = last->key;
        end.y = last->value;
        end.text = nameOf(*line) + QStringLiteral(" · ") + percentWithUnit(last->value / 100);
        end.colour =
            line->selected ? sessionColour(theme(), line->session) : runColour(theme(), line->hue, line->colour);
        end.strong = line->selected && line->session == 0;
        end.reach = line->reach;
        ends.push_back(std::move(end));
    }
    if (!nameless.empty()) {
        // So many names cannot be told apart; that there are none is said where most of them end.
        std::ranges::sort(nameless, {}, [](const QPointF& end) { return end.y(); });
        CurveEnd others;
        others.id = QStringLiteral("others");
        others.x = nameless[nameless.size() / 2].x();
        others.y = nameless[nameless.size() / 2].y();
        others.text = tr("session 1 of %1 others").arg(nameless.size());
        others.short_text = tr("%1 others").arg(nameless.size());
        others.colour = theme().quiet;
        widest_name_ = std::max(widest_name_, PlotDecor::roomFor(others.text, font(), false));
        ends.push_back(std::move(others));
    }
    // While a guess is drawn, its figure keeps its width, and no other name stands in it.
    if (guess_ && guess_->drawing()) ends.clear();
    if (guess_ && (guess_->drawing() || guess_->visible()))
        widest_name_ = std::max(widest_name_, PlotDecor::roomFor(GuessLine::widestName(), font(), false));
    if (const auto end = guess_ ? guess_->end(theme()) : std::nullopt) ends.push_back(*end);
    decor().setEnds(std::move(ends));
}

QString RetentionPlot::describe() const {
    QStringList parts = bands_.describe();
    for (const auto& line : lines_)
        if (line->named && line->graph->dataCount() > 0)
            parts.push_back(nameOf(*line) + ' ' + percentWithUnit((line->graph->data()->constEnd() - 1)->value / 100));
    if (const QString guess = guess_ ? guess_->describe() : QString(); !guess.isEmpty()) parts.push_back(guess);
    return parts.isEmpty() ? tr("No session has ended yet.") : parts.join(QStringLiteral("; "));
}

std::vector<double> RetentionPlot::readingPlaces() const {
    std::set<double> places;
    for (const auto& line : lines_)
        for (const QCPGraphData& datum : *line->graph->data()) places.insert(datum.key);
    bands_.addPlaces(places);
    return {places.begin(), places.end()};
}

std::optional<std::int64_t> RetentionPlot::momentAt(double place) const {
    const ShownRun* run = store()->selected();
    if (!run || run->facts->session_starts.empty()) return std::nullopt;
    return static_cast<std::int64_t>(samplesAtSession(*run, place));
}

std::optional<double> RetentionPlot::placeOf(std::int64_t moment) const {
    const ShownRun* run = store()->selected();
    if (!run) return std::nullopt;
    // Nothing that was measured later is shown.
    const std::vector<double> places = readingPlaces();
    const auto later = std::upper_bound(places.begin(), places.end(), static_cast<double>(sessionsEnded(*run, moment)));
    return later == places.begin() ? std::nullopt : std::optional(*(later - 1));
}

Readout RetentionPlot::readoutAt(double place) const {
    Readout out;
    out.x = canvas()->xAxis->coordToPixel(place);
    const QString session = tr("after session %1").arg(static_cast<int>(place));
    const auto images = momentAt(place);
    out.heading = images ? tr("%1 · %2 images").arg(session, countText(*images)) : session;
    bands_.addRows(out, place, theme());
    // The selected run's session 1 and that of the compared run come first, then what else they have, then the others.
    const ShownRun* compared = store()->compared();
    const auto rank = [&](const Line& line) {
        if (line.selected) return line.session == 0 ? 0 : 2;
        return compared && line.run == compared->id && line.session == 0 ? 1 : 3;
    };
    for (const int turn : {0, 1, 2, 3})
        for (const auto& line : lines_) {
            if (rank(*line) != turn) continue;
            const auto at = line->graph->data()->findBegin(place, false);
            if (at == line->graph->data()->constEnd() || at->key != place) continue;
            out.rows.push_back({QPointF(out.x, canvas()->yAxis->coordToPixel(at->value)), nameOf(*line),
                                percentWithUnit(at->value / 100), line->graph->pen().color(),
                                markerOf(line->selected ? static_cast<int>(line->session) : line->look), turn < 3});
        }
    return out;
}

void RetentionPlot::resizeEvent(QResizeEvent* event) {
    PlotView::resizeEvent(event);
    updateTicks(sessions_);
}

}  // namespace palimpsest
