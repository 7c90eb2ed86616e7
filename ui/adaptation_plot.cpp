// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/adaptation_plot.h"

#include <qcustomplot.h>

#include <QEvent>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/adaptation_log.h"
#include "ui/curve_graph.h"
#include "ui/panel.h"
#include "ui/plot_decor.h"
#include "ui/plot_overlay.h"
#include "ui/plot_style.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr int kFrameMs = 100;
constexpr double kMeanWeight = 0.06;  // of a new value in the running mean
constexpr int kHeaderHeight = 26, kCellPadding = 16;
constexpr int kTicks = 4;

/// Steps people count in, so that the axis stays where it is for long.
double roundUp(double value) {
    if (!(value > 0)) return 1;
    const double magnitude = std::pow(10.0, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0})
        if (value <= factor * magnitude) return factor * magnitude;
    return 10 * magnitude;
}

/// Adds a value to a curve of running means.
void addMean(QCPGraph& graph, double step, double value) {
    if (!std::isfinite(value)) return;
    const double before = graph.data()->isEmpty() ? value : (graph.data()->constEnd() - 1)->value;
    graph.addData(step, before + kMeanWeight * (value - before));
}

QVector<QPolygonF> faintCurves() {
    QPolygonF loss, other;
    for (int i = 0; i <= 40; ++i) {
        const double x = i / 40.0;
        loss.append({x, 0.12 + 0.7 * std::exp(-4 * x)});
        other.append({x, 0.25 + 0.65 * std::exp(-3 * x)});
    }
    return {loss, other};
}

}  // namespace

AdaptationPlot::AdaptationPlot(AdaptationLog* log, QWidget* parent)
    : QWidget(parent),
      log_(log),
      panel_(new Panel(tr("Loss"), tr("running mean; lower is better"))),
      pages_(new QStackedWidget),
      canvas_(new QCustomPlot),
      overlay_(new PlotOverlay(canvas_)),
      table_(new QTableView),
      table_button_(new QToolButton),
      pacer_(
          kFrameMs, [this] { frame(); }, this) {
    setObjectName("adaptationPlot");
    setAccessibleName(tr("Loss"));
    canvas_->setObjectName("adaptationCanvas");
    canvas_->setAccessibleName(tr("Loss, figure"));
    canvas_->setToolTip(tr("How wrong the prompts are on the images of each step"));
    canvas_->setMinimumSize(180, 120);
    prepareAxes(*canvas_);
    auto ticker = QSharedPointer<QCPAxisTicker>::create();
    ticker->setTickCount(kTicks);
    canvas_->yAxis->setTicker(ticker);
    canvas_->yAxis->setNumberFormat("gb");
    canvas_->yAxis->setNumberPrecision(3);
    useImageTicks(*canvas_);
    decor_ = std::make_unique<PlotDecor>(*canvas_);
    decor_->setUnit(tr("steps"));
    raw_ = new CurveGraph(canvas_->xAxis, canvas_->yAxis);
    other_ = new CurveGraph(canvas_->xAxis, canvas_->yAxis);
    mean_ = new CurveGraph(canvas_->xAxis, canvas_->yAxis);
    overlay_->setInvitation(tr("The loss appears here while prompts learn"), faintCurves());
    canvas_->installEventFilter(this);
    connect(canvas_, &QCustomPlot::afterLayout, this, [this] { overlay_->setArea(canvas_->axisRect()->rect()); });

    table_->setObjectName("adaptationTable");
    table_->setAccessibleName(tr("Loss, table"));
    table_->setToolTip(tr("The numbers of the figure"));
    table_->setModel(log_);
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setHighlightSections(false);
    table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_->setTabKeyNavigation(false);
    table_button_->setObjectName("adaptationTableButton");
    table_button_->setText(tr("Table"));
    table_button_->setCheckable(true);
    table_button_->setProperty("link", true);
    table_button_->setAccessibleName(tr("Loss: show as a table"));
    table_button_->setToolTip(tr("Show the numbers instead of the figure"));
    table_button_->setFocusPolicy(Qt::TabFocus);
    connect(table_button_, &QToolButton::toggled, this, &AdaptationPlot::setTableShown);

    pages_->addWidget(canvas_);
    pages_->addWidget(table_);
    panel_->addHeaderWidget(table_button_);
    panel_->body()->addWidget(pages_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);

    fitToText(this, [this] {
        table_->verticalHeader()->setDefaultSectionSize(scaled(24));
        table_button_->setMinimumHeight(scaled(kHeaderHeight));
        table_button_->setFont(textFont(table_button_->font(), text_size::kText));
        restyle();
    });
    connect(log_, &QAbstractItemModel::modelReset, this, &AdaptationPlot::clear);
    connect(log_, &QAbstractItemModel::rowsInserted, this, [this] { pacer_.ask(); });
}

AdaptationPlot::~AdaptationPlot() {
    // While the canvas takes its layers down, their content must still be there.
    delete canvas_;
    canvas_ = nullptr;
}

void AdaptationPlot::setSteps(std::int64_t first, std::int64_t total) {
    first_ = first;
    total_ = total;
    fitAxes();
    pacer_.ask();
}

int AdaptationPlot::points() const {
    return mean_->data()->size();
}

void AdaptationPlot::setTableShown(bool shown) {
    pages_->setCurrentIndex(shown ? 1 : 0);
    table_button_->setChecked(shown);
    table_button_->setText(shown ? tr("Figure") : tr("Table"));
    table_button_->setToolTip(shown ? tr("Show the figure again") : tr("Show the numbers instead of the figure"));
    if (!shown) return;
    const int least = table_->fontMetrics().horizontalAdvance(QStringLiteral("100.0 %")) + kCellPadding;
    QHeaderView* header = table_->horizontalHeader();
    for (int column = 0; column < header->count(); ++column)
        header->resizeSection(column, std::max(least, header->sectionSizeHint(column)));
    table_->scrollToBottom();
}

void AdaptationPlot::clear() {
    for (QCPGraph* graph : {raw_, mean_, other_}) graph->data()->clear();
    taken_ = 0;
    highest_ = lowest_ = 0;
    first_ = total_ = 0;
    table_->setColumnHidden(AdaptationLog::OtherLoss, !log_->hasOther());
    fitAxes();
    updateEnds();
    overlay_->setEmpty(true);
    pacer_.ask();
}

void AdaptationPlot::takeReports() {
    const QVector<AdaptationProgress>& reports = log_->reports();
    for (; taken_ < reports.size(); ++taken_) {
        const AdaptationProgress& report = reports[taken_];
        const auto step = static_cast<double>(report.step);
        if (std::isfinite(report.loss)) raw_->addData(step, report.loss);
        addMean(*mean_, step, report.loss);
        if (log_->hasOther()) addMean(*other_, step, report.other_loss);
        for (const QCPGraph* graph : {mean_, other_}) {
            if (graph->data()->isEmpty()) continue;
            // By the means: a lone spike would press the curves flat.
            const double value = (graph->data()->constEnd() - 1)->value;
            highest_ = std::max(highest_, value);
            lowest_ = std::min(lowest_, value);
        }
    }
}

void AdaptationPlot::frame() {
    takeReports();
    fitAxes();
    updateEnds();
    overlay_->setEmpty(raw_->data()->isEmpty());
    canvas_->setBufferDevicePixelRatio(devicePixelRatioF());  // the window may have moved to another screen
    if (canvas_->isVisible()) canvas_->replot(QCustomPlot::rpQueuedReplot);
}

void AdaptationPlot::drawNow() {
    pacer_.forget();
    frame();
    canvas_->replot(QCustomPlot::rpImmediateRefresh);
}

void AdaptationPlot::fitAxes() {
    const double last = raw_->data()->isEmpty() ? 0 : (raw_->data()->constEnd() - 1)->key;
    const auto first = static_cast<double>(first_);
    canvas_->xAxis->setRange(first, std::max({static_cast<double>(total_), last, first + 1}));
    canvas_->yAxis->setRange(lowest_ < 0 ? -roundUp(-lowest_) : 0, roundUp(1.05 * highest_));
}

void AdaptationPlot::updateEnds() {
    const Theme& theme = Theme::of(this);
    std::vector<CurveEnd> ends;
    QStringList spoken;
    const auto add = [&](const QCPGraph& graph, const QString& name, const QColor& colour, bool strong) {
        if (graph.data()->isEmpty()) return;
        const auto last = graph.data()->constEnd() - 1;
        CurveEnd end;
        end.id = strong ? "loss" : "other";
        end.x = last->key;
        end.y = last->value;
        end.text = name + ' ' + lossText(last->value);
        end.colour = colour;
        end.strong = end.dot = strong;
        spoken.append(end.text);
        ends.push_back(std::move(end));
    };
    add(*mean_, tr("loss"), theme.accent, true);
    add(*other_, tr("perturbing pass"), theme.quiet, false);
    decor_->setEnds(std::move(ends));
    const QString words = spoken.isEmpty() ? tr("Nothing has been learned yet.") : spoken.join(", ");
    for (QWidget* widget : {static_cast<QWidget*>(this), static_cast<QWidget*>(canvas_)})
        widget->setAccessibleDescription(words);
}

void AdaptationPlot::restyle() {
    const Theme& theme = Theme::of(this);
    styleAxes(*canvas_, theme, font(), true, 0);
    decor_->setColours(theme.panel, theme.line, theme.quiet, theme.text);
    decor_->setFont(font());
    QColor faint = theme.accent;
    faint.setAlphaF(0.25F);
    raw_->setPen(QPen(faint, 1));
    mean_->setPen(QPen(theme.accent, 2.25));
    QPen dashed(theme.quiet, 1.5);
    dashed.setDashPattern({4, 3});
    other_->setPen(dashed);
    updateEnds();
    pacer_.ask();
}

void AdaptationPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && canvas_ && mean_) restyle();
    QWidget::changeEvent(event);
}

bool AdaptationPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched == canvas_ && event->type() == QEvent::Resize) overlay_->setGeometry(canvas_->rect());
    return QWidget::eventFilter(watched, event);
}

void AdaptationPlot::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    restyle();
    pacer_.ask();
}

}  // namespace palimpsest
