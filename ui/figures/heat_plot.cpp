// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/figures/heat_plot.h"

#include <algorithm>
#include <cmath>

#include "ui/figures/heat_map.h"
#include "ui/figures/heat_scale.h"
#include "ui/figures/heat_table.h"
#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_style.h"
#include "ui/plots/session_borders.h"
#include "ui/state/run_set.h"
#include "ui/style/heat_colours.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr double kEmptyHeatStream = 6000;
constexpr int kMostNameWidth = 120;  // pixels of a row's name
constexpr int kLeastRow = 13;        // pixels between two names

/// What the figure will look like: blocks that light up later and later, and fade.
QVector<QPolygonF> heatGhost() {
    QVector<QPolygonF> lines;
    for (int i = 0; i < 5; ++i) {
        const double y = 0.9 - 0.19 * i, x = 0.2 * i;
        lines.push_back({{x, y}, {1, y}});
    }
    return lines;
}

}  // namespace

HeatPlot::HeatPlot(RunSet* store, HistoryStore* histories, const Words& words, const Kind& kind, QWidget* parent)
    : PlotView(store, new HeatTable(kind.text, kind.scale), words, parent),
      histories_(histories),
      map_(new HeatMap(canvas()->xAxis, canvas()->yAxis)),
      scale_(new HeatScale(words.name + "Scale")),
      kind_(kind),
      caption_(words.caption) {
    numbers_ = static_cast<HeatTable*>(const_cast<FigureTable*>(&table()));
    numbers_->setContent(&map_->content(), [this] { bringUp(); });
    addHeaderWidget(scale_);
    canvas()->yAxis->setRangeReversed(true);
    canvas()->yAxis->grid()->setVisible(false);
    useImageTicks(*canvas());
    setUnit(tr("images seen"));
    setWholeRange(0, kEmptyHeatStream);
    connect(histories_, &HistoryStore::changed, this, [this](const QString& run) {
        if (shownRun() == run) schedule();
    });
}

HeatPlot::~HeatPlot() {
    // The map goes with the canvas, while the table may still be asked.
    numbers_->setContent(nullptr, {});
}

QString HeatPlot::shownRun() const {
    return store()->selected() ? store()->selected()->id : QString();
}

const HeatContent& HeatPlot::content() const {
    return map_->content();
}

std::function<report::Publication()> HeatPlot::source() const {
    if (content().xs.empty() || content().rows.isEmpty()) return {};
    // Counts are no shares, so their numbers stand alone.
    const bool shares = kind_.scale == 100;
    return [words = kind_.published, content = content(), csv = numbers_->csv(), shares] {
        return onePiece(words, shares ? std::optional(heatFigure(words, content)) : std::nullopt, csv);
    };
}

void HeatPlot::bringUp() {
    HeatContent& content = map_->content();
    const ShownRun* run = store()->selected();
    const HistoryStore::History history = run ? histories_->find(run->id) : nullptr;
    if (history != shown_ || shownRun() != run_) {
        content = {};
        shown_ = history;
        run_ = shownRun();
    }
    if (run && history) fill(content, *run, *history);
}

void HeatPlot::sync() {
    bringUp();
    const HeatContent& content = map_->content();
    const ShownRun* run = store()->selected();
    const bool empty = content.xs.empty() || content.rows.isEmpty();
    double whole = kEmptyHeatStream;
    if (run) whole = static_cast<double>(std::max(run->facts->total_samples, run->points.samplesSeen()));
    setWholeRange(0, whole > 0 ? whole : kEmptyHeatStream);
    canvas()->yAxis->setRange(0, std::max<qsizetype>(1, content.rows.size()));
    decor().setBorders(sessionBorders(run));
    overlay().setInvitation(run ? reason(*run, shown_.get()) : tr("Press |{startRun}| to start"),
                            run ? QVector<QPolygonF>() : heatGhost());
    overlay().setEmpty(empty);
    panel()->setCaption(store()->captionFor(run, caption_));
    const bool whole_share = kind_.scale == 100 && content.top == 1;
    scale_->setEnd(whole_share ? tr("100 %") : kind_.text(content.top));  // as the matrices write it
    scale_->setVisible(!empty);
    nameRows();
}

/// As many names as there is room for.
void HeatPlot::nameRows() {
    const QStringList& rows = content().rows;
    const int height = canvas()->axisRect()->height();
    if (rows == named_ && height == named_height_) return;
    named_ = rows;
    named_height_ = height;
    auto ticker = QSharedPointer<QCPAxisTickerText>::create();
    const QFontMetrics metrics(canvas()->yAxis->tickLabelFont());
    const int most = std::max(1, height / std::max(scaled(kLeastRow), metrics.height()));
    const int step = static_cast<int>((rows.size() + most - 1) / most);
    int widest = 0;
    for (int i = 0; i < rows.size(); i += std::max(1, step)) {
        const QString name = metrics.elidedText(rows[i], Qt::ElideRight, scaled(kMostNameWidth));
        widest = std::max(widest, metrics.horizontalAdvance(name));
        ticker->addTick(i + 0.5, name);
    }
    canvas()->yAxis->setTicker(ticker);
    setLeftRoom(widest);
}

void HeatPlot::restyle(const Theme&) {
    canvas()->yAxis->grid()->setVisible(false);
    named_height_ = 0;
    nameRows();
}

QString HeatPlot::describe() const {
    const HeatContent& now = content();
    if (now.xs.empty()) return overlay().invitation().remove('|');
    QStringList parts;
    const std::size_t last = now.xs.size() - 1;
    for (const std::size_t row : worthReading(now, last))
        parts.push_back(now.rows.value(static_cast<qsizetype>(row)) + ' ' + kind_.text(now.at(last, row)));
    return tr("After %1 images: %2")
        .arg(countText(static_cast<qint64>(now.xs.back())), parts.join(QStringLiteral(", ")));
}

std::vector<std::size_t> HeatPlot::worthReading(const HeatContent& content, std::size_t moment) const {
    constexpr std::size_t kEach = 3;  // highest, and as many lowest
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < static_cast<std::size_t>(content.rows.size()); ++row)
        if (!std::isnan(content.at(moment, row))) rows.push_back(row);
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::size_t a, std::size_t b) { return content.at(moment, a) > content.at(moment, b); });
    if (rows.size() > 2 * kEach) rows.erase(rows.begin() + kEach, rows.end() - static_cast<std::ptrdiff_t>(kEach));
    return rows;
}

Readout HeatPlot::readoutAt(double place) const {
    Readout out;
    const HeatContent& now = content();
    out.x = canvas()->xAxis->coordToPixel(place);
    out.heading = tr("%1 images").arg(countText(static_cast<qint64>(place)));
    if (now.xs.empty()) return out;
    const std::size_t moment = now.momentAt(place);
    std::vector<std::size_t> rows = worthReading(now, moment);
    if (row_ && *row_ >= 0 && *row_ < static_cast<double>(now.rows.size())) {
        const auto under = static_cast<std::size_t>(*row_);
        std::erase(rows, under);
        rows.insert(rows.begin(), under);
    }
    for (const std::size_t row : rows) {
        const float value = now.at(moment, row);
        const bool known = !std::isnan(value);
        out.rows.push_back({QPointF(out.x, canvas()->yAxis->coordToPixel(static_cast<double>(row) + 0.5)),
                            now.rows.value(static_cast<qsizetype>(row)), known ? kind_.text(value) : tr("not yet"),
                            known ? QColor(heatColour(value / now.top)) : theme().line, MarkerShape::Square});
    }
    return out;
}

std::optional<double> HeatPlot::newestPlace() const {
    return content().xs.empty() ? std::nullopt : std::optional(content().xs.back());
}

void HeatPlot::hovered(const QPointF& point) {
    row_ = canvas()->axisRect()->rect().contains(point.toPoint())
               ? std::optional(canvas()->yAxis->pixelToCoord(point.y()))
               : std::nullopt;
}

}  // namespace palimpsest
