// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/retention_bands.h"

#include <qcustomplot.h>

#include <algorithm>

#include "ui/figures/retention_plot.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/retention_means.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"

namespace palimpsest {
namespace {

constexpr double kWhisker = 6;              // pixels that its ends are wide
constexpr std::int64_t kMostWhiskers = 10;  // sessions; more would cover the lines
constexpr std::int64_t kMostMarkers = 40;   // on one line

/// Of one run no deviation is known.
QString valueText(const Spread& value, BandWidth width) {
    if (value.count < 2) return percentText(value.mean) + QStringLiteral(" %");
    return RetentionPlot::tr("%1 ± %2 %").arg(percentText(value.mean), percentText(halfWidth(value, width)));
}

}  // namespace

struct RetentionBands::Line {
    std::int64_t session = 0;
    RetentionMean mean;
    CurveGraph* graph = nullptr;
    QCPGraph *low = nullptr, *high = nullptr;  ///< a band
    QCPErrorBars* whiskers = nullptr;          ///< in its place
    double reach = 0;                          ///< pixels of its markers
};

struct RetentionBands::Band {
    std::string group;
    QString label;
    QStringList runs;                ///< ids of those that count in the mean
    std::vector<std::size_t> state;  ///< what the lines were made from
    BandWidth width = BandWidth::Deviation;
    bool selected = false;
    int look = 0;
    std::vector<report::SessionSeeds> seeds;  ///< by session
    std::vector<std::unique_ptr<Line>> lines;
};

QString retentionLayer(QCustomPlot& plot, bool selected, std::int64_t session) {
    for (const char* name : {"compared", "later sessions", "first session"})
        if (!plot.layer(name)) plot.addLayer(name, plot.layer(QStringLiteral("axes")), QCustomPlot::limBelow);
    return !selected      ? QStringLiteral("compared")
           : session == 0 ? QStringLiteral("first session")
                          : QStringLiteral("later sessions");
}

RetentionBands::RetentionBands(QCustomPlot& plot, const RunSet& store) : plot_(plot), store_(store) {}

RetentionBands::~RetentionBands() = default;

bool RetentionBands::has(const ShownRun& run) const {
    return std::any_of(bands_.begin(), bands_.end(), [&](const auto& band) { return band->group == run.seed_group; });
}

bool RetentionBands::averages(const ShownRun& run) const {
    return std::any_of(bands_.begin(), bands_.end(), [&](const auto& band) { return band->runs.contains(run.id); });
}

void RetentionBands::remove(Line& line) {
    if (line.whiskers) plot_.removePlottable(line.whiskers);
    if (line.high) {
        plot_.removeGraph(line.high);
        plot_.removeGraph(line.low);
    }
    plot_.removeGraph(line.graph);
}

void RetentionBands::update(const std::vector<SeedGroup>& groups, BandWidth width, std::int64_t stride,
                            const Theme& theme) {
    std::vector<std::unique_ptr<Band>> before = std::move(bands_);
    bands_.clear();
    for (const SeedGroup& group : groups) {
        auto band = std::make_unique<Band>();
        band->group = group.key;
        band->label = group.label;
        band->width = width;
        band->look = group.runs.front()->look.style;
        band->state = {static_cast<std::size_t>(stride)};
        std::int64_t sessions = 1;
        for (const ShownRun* run : group.runs) {
            band->runs.append(run->id);
            band->selected = band->selected || run->look.selected;
            sessions = std::max(sessions, run->facts->sessions());
            std::size_t points = 0;
            for (const auto& [session, known] : run->points.retention()) points += known.size();
            band->state.insert(band->state.end(), {static_cast<std::size_t>(run->generation), points});
        }
        const auto same = std::find_if(before.begin(), before.end(), [&](const auto& old) {
            return old && old->group == band->group && old->runs == band->runs && old->state == band->state &&
                   old->width == band->width && old->selected == band->selected;
        });
        if (same != before.end()) {
            (*same)->label = band->label;
            bands_.push_back(std::move(*same));
            continue;
        }
        if (!band->selected) sessions = 1;
        band->seeds.resize(static_cast<std::size_t>(sessions));
        for (std::int64_t session = 0; session < sessions; session += stride) {
            auto line = std::make_unique<Line>();
            line->session = session;
            line->mean = retentionMean(group.runs, session);
            band->seeds[static_cast<std::size_t>(session)] = seedsOf(line->mean);
            if (line->mean.empty()) continue;
            draw(*band, *line);
            style(*band, *line, theme);
            band->lines.push_back(std::move(line));
        }
        bands_.push_back(std::move(band));
    }
    for (const auto& old : before)
        if (old)
            for (const auto& line : old->lines) remove(*line);
}

void RetentionBands::draw(Band& band, Line& line) {
    QVector<QCPGraphData> mean, low, high;
    QVector<double> half;
    for (const auto& [after, value] : line.mean) {
        const double x = static_cast<double>(after + 1), y = 100 * value.mean, h = 100 * halfWidth(value, band.width);
        mean.append({x, y});
        low.append({x, y - h});
        high.append({x, y + h});
        half.append(h);
    }
    // One band is readable, several on top of each other are not.
    if (line.session == 0) {
        line.low = new QCPGraph(plot_.xAxis, plot_.yAxis);
        line.high = new QCPGraph(plot_.xAxis, plot_.yAxis);
        line.low->data()->set(low, true);
        line.high->data()->set(high, true);
        line.high->setChannelFillGraph(line.low);
    }
    line.graph = new CurveGraph(plot_.xAxis, plot_.yAxis);
    line.graph->replace(mean);
    line.graph->setScatterSkip(static_cast<int>(std::ssize(line.mean) / kMostMarkers));
    if (line.session > 0 && std::ssize(band.seeds) <= kMostWhiskers) {
        line.whiskers = new QCPErrorBars(plot_.xAxis, plot_.yAxis);
        line.whiskers->setDataPlottable(line.graph);
        line.whiskers->setErrorType(QCPErrorBars::etValueError);
        line.whiskers->setData(half);
        line.whiskers->setWhiskerWidth(kWhisker);
    }
}

void RetentionBands::style(const Theme& theme) {
    for (const auto& band : bands_)
        for (const auto& line : band->lines) style(*band, *line, theme);
}

void RetentionBands::style(const Band& band, Line& line, const Theme& theme) {
    const QPen pen = band.selected ? sessionPen(theme, line.session) : runPen(theme, false, band.look);
    line.graph->setPen(pen);
    line.reach = styleRetentionMarkers(*line.graph, band.selected, line.session, band.look, theme);
    const QString layer = retentionLayer(plot_, band.selected, line.session);
    line.graph->setLayer(layer);
    if (line.whiskers) {
        line.whiskers->setPen(QPen(pen.color(), theme.weight));
        line.whiskers->setLayer(layer);
    }
    if (!line.high) return;
    QColor ground = pen.color();
    ground.setAlphaF(band.selected ? 0.30F : 0.18F);
    for (QCPGraph* edge : {line.low, line.high}) {
        edge->setPen(Qt::NoPen);
        edge->setLayer(retentionLayer(plot_, false, 0));  // below all lines
    }
    line.high->setBrush(ground);
}

QString RetentionBands::nameOf(const Band& band, const Line& line) const {
    QString name = band.selected ? RetentionPlot::tr("session %1").arg(line.session + 1)
                                 : RetentionPlot::tr("session %1, %2").arg(line.session + 1).arg(band.label);
    // What the caption says of the other sessions is not said again.
    const report::SessionSeeds& own = band.seeds[static_cast<std::size_t>(line.session)];
    if (band.selected && line.session > 0 && own == report::usualSeeds(band.seeds)) return name;
    return RetentionPlot::tr("%1, N = %2").arg(name, QString::fromStdString(report::seedsText(own)));
}

std::vector<CurveEnd> RetentionBands::ends(const Theme& theme) const {
    std::vector<CurveEnd> ends;
    for (const auto& band : bands_)
        for (const auto& line : band->lines) {
            const auto& [after, value] = *line->mean.rbegin();
            CurveEnd end;
            end.id = QString::fromStdString(band->group) + '#' + QString::number(line->session);
            end.x = static_cast<double>(after + 1);
            end.y = 100 * value.mean;
            end.text = nameOf(*band, *line) + QStringLiteral(" · ") + valueText(value, band->width);
            end.colour = band->selected ? sessionColour(theme, line->session) : runColour(theme, false);
            end.strong = band->selected && line->session == 0;
            end.reach = line->reach;
            ends.push_back(std::move(end));
        }
    return ends;
}

std::vector<QString> RetentionBands::widestNames() const {
    std::vector<QString> names;
    for (const auto& band : bands_)
        for (const auto& line : band->lines)
            names.push_back(nameOf(*band, *line) + QStringLiteral(" · 100.0 ± 10.0 %"));
    return names;
}

void RetentionBands::addPlaces(std::set<double>& places) const {
    for (const auto& band : bands_)
        for (const auto& line : band->lines)
            for (const auto& [after, value] : line->mean) places.insert(static_cast<double>(after + 1));
}

void RetentionBands::addRows(Readout& out, double place, const Theme& theme) const {
    for (const auto& band : bands_)
        for (const auto& line : band->lines) {
            const auto at = line->mean.find(static_cast<std::int64_t>(place) - 1);
            if (at == line->mean.end()) continue;
            const QString session = RetentionPlot::tr("session %1").arg(line->session + 1);
            const QString name = band->selected ? session : session + QStringLiteral(", ") + band->label;
            out.rows.push_back({QPointF(out.x, plot_.yAxis->coordToPixel(100 * at->second.mean)),
                                RetentionPlot::tr("%1, mean of N = %2").arg(name, QString::number(at->second.count)),
                                valueText(at->second, band->width),
                                band->selected ? sessionColour(theme, line->session) : runColour(theme, false),
                                markerOf(band->selected ? static_cast<int>(line->session) : band->look)});
        }
}

QStringList RetentionBands::describe() const {
    QStringList parts;
    for (const auto& band : bands_)
        for (const auto& line : band->lines)
            parts.push_back(nameOf(*band, *line) + ' ' + valueText(line->mean.rbegin()->second, band->width));
    return parts;
}

QString RetentionBands::averaging() const {
    for (const auto& band : bands_) {
        if (!band->selected) continue;
        const std::string seeds = report::seedsText(band->seeds);
        if (!seeds.empty()) return RetentionPlot::tr("mean of %1").arg(QString::fromStdString(seeds));
    }
    return {};
}

}  // namespace palimpsest
