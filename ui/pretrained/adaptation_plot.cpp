// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/pretrained/adaptation_plot.h"

#include <qcustomplot.h>
#include <QEvent>
#include <QHeaderView>
#include <QMouseEvent>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/plots/curve_graph.h"
#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_style.h"
#include "ui/pretrained/adaptation_log.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr int kPlotFrameMs = 100;
constexpr int kHeaderHeight = 26;
constexpr int kTicks = 4;

QVector<QPolygonF> faintCurves() {
    QPolygonF loss, other;
    for (int i = 0; i <= 40; ++i) {
        const double x = i / 40.0;
        loss.append({x, 0.12 + 0.7 * std::exp(-4 * x)});
        other.append({x, 0.25 + 0.65 * std::exp(-3 * x)});
    }
    return {loss, other};
}

/// Round numbers of steps, so that the axis rarely changes.
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
    graph.addData(step, nextMean(before, value));
}

}  // namespace

/// The curves of an adaptation's loss: each report, the running mean, and the mean of the perturbing pass. They belong
/// to the canvas.
class AdaptationCurves {
public:
    explicit AdaptationCurves(QCustomPlot& canvas)
        : raw_(new CurveGraph(canvas.xAxis, canvas.yAxis)),
          other_(new CurveGraph(canvas.xAxis, canvas.yAxis)),
          mean_(new CurveGraph(canvas.xAxis, canvas.yAxis)) {}

    void clear() {
        for (CurveGraph* graph : {raw_, mean_, other_}) graph->replace({});
        added_ = 0;
        highest_ = lowest_ = 0;
    }

    /// Adds the reports since the last call.
    void append(const AdaptationLog& log) {
        const QVector<AdaptationProgress>& reports = log.reports();
        for (; added_ < reports.size(); ++added_) {
            const AdaptationProgress& report = reports[added_];
            const auto step = static_cast<double>(report.step);
            if (std::isfinite(report.loss)) raw_->addData(step, report.loss);
            addMean(*mean_, step, report.loss);
            if (log.hasOther()) addMean(*other_, step, report.other_loss);
            for (const CurveGraph* graph : {mean_, other_}) {
                if (graph->data()->isEmpty()) continue;
                // The range is that of the means: a lone spike would press the curves flat.
                const double value = (graph->data()->constEnd() - 1)->value;
                highest_ = std::max(highest_, value);
                lowest_ = std::min(lowest_, value);
            }
        }
    }

    void restyle(const Theme& theme) {
        QColor faint = theme.accent;
        faint.setAlphaF(0.25F);
        raw_->setPen(QPen(faint, theme.weight));
        mean_->setPen(QPen(theme.accent, 2.25 * theme.weight));
        QPen dashed(theme.quiet, 1.5 * theme.weight);
        dashed.setDashPattern({4, 3});
        other_->setPen(dashed);
    }

    bool empty() const { return raw_->data()->isEmpty(); }
    /// Values in the curve of the loss.
    int points() const { return mean_->data()->size(); }
    /// 0 while there is none.
    double lastStep() const { return empty() ? 0 : (raw_->data()->constEnd() - 1)->key; }
    /// Range in round numbers, so that the axis rarely changes.
    QCPRange range() const { return {lowest_ < 0 ? -roundUp(-lowest_) : 0, roundUp(1.05 * highest_)}; }

    /// Names and values at the ends of both means.
    std::vector<CurveEnd> ends(const Theme& theme) const {
        std::vector<CurveEnd> ends;
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
            ends.push_back(std::move(end));
        };
        add(*mean_, AdaptationPlot::tr("loss"), theme.accent, true);
        add(*other_, AdaptationPlot::tr("perturbing pass"), theme.quiet, false);
        return ends;
    }

private:
    CurveGraph *raw_, *other_, *mean_;
    qsizetype added_ = 0;  ///< reports in the curves
    double highest_ = 0, lowest_ = 0;
};

AdaptationPlot::AdaptationPlot(AdaptationLog* log, QWidget* parent)
    : QWidget(parent),
      log_(log),
      panel_(new Panel(tr("Loss"), tr("running mean"))),
      pages_(new QStackedWidget),
      canvas_(new QCustomPlot),
      overlay_(new PlotOverlay(canvas_)),
      table_(makeNumbersView("adaptationTable", tr("Loss"), log)),
      export_button_(new QToolButton),
      table_button_(new QToolButton),
      throttle_(
          kPlotFrameMs, [this] { frame(); }, this) {
    setObjectName("adaptationPlot");
    setAccessibleName(tr("Loss"));
    canvas_->setObjectName("adaptationCanvas");
    canvas_->setAccessibleName(tr("Loss, figure"));
    // The seen mask lets the head choose among more and more classes.
    canvas_->setToolTip(
        tr("How wrong the prompts are on the images of each step; lower is better, but it rises while new classes are "
           "met, since each makes the choice harder"));
    canvas_->setFocusPolicy(Qt::StrongFocus);
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
    curves_ = std::make_unique<AdaptationCurves>(*canvas_);
    overlay_->setInvitation(tr("The loss appears here while prompts learn"), faintCurves());
    canvas_->installEventFilter(this);
    connect(canvas_, &QCustomPlot::afterLayout, this, [this] { overlay_->setArea(canvas_->axisRect()->rect()); });
    connect(canvas_, &QCustomPlot::afterReplot, this, [this] { read(reading_); });

    export_button_->setObjectName("adaptationExport");
    export_button_->setText(tr("Export …"));
    withIcon(export_button_, "publish", &Theme::quiet);
    export_button_->setAutoRaise(true);
    export_button_->setProperty("link", true);
    export_button_->setAccessibleName(tr("Loss: export the figure"));
    export_button_->setToolTip(tr("Write the figure as a picture, drawing or print, or its numbers as a table"));
    export_button_->setFocusPolicy(Qt::TabFocus);
    connect(export_button_, &QToolButton::clicked, this, &AdaptationPlot::exportAsked);
    table_button_->setObjectName("adaptationTableButton");
    table_button_->setText(tr("Table"));
    withIcon(table_button_, "table", &Theme::quiet);
    table_button_->setCheckable(true);
    table_button_->setProperty("link", true);
    table_button_->setAccessibleName(tr("Loss: show as a table"));
    table_button_->setToolTip(tr("Show the numbers instead of the figure"));
    table_button_->setFocusPolicy(Qt::TabFocus);
    connect(table_button_, &QToolButton::toggled, this, &AdaptationPlot::setTableShown);

    pages_->addWidget(canvas_);
    pages_->addWidget(table_);
    panel_->addHeaderWidget(export_button_);
    panel_->addHeaderWidget(table_button_);
    panel_->body()->addWidget(pages_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);

    fitToText(this, [this] {
        for (QToolButton* button : {export_button_, table_button_}) {
            button->setMinimumHeight(scaled(kHeaderHeight));
            button->setFont(textFont(button->font(), text_size::kText));
        }
        restyle(Theme::of(this));
    });
    connect(log_, &QAbstractItemModel::modelReset, this, &AdaptationPlot::clear);
    connect(log_, &QAbstractItemModel::rowsInserted, this, [this] { throttle_.ask(); });
}

AdaptationPlot::~AdaptationPlot() {
    // While the canvas deletes its layers, their content must still exist.
    delete canvas_;
    canvas_ = nullptr;
}

void AdaptationPlot::setSteps(std::int64_t first, std::int64_t total) {
    first_ = first;
    total_ = total;
    // Steps learned before in another session of the program are in the prompts, not in the curve.
    panel_->setCaption(first > 0 ? tr("running mean, recorded from step %1 on").arg(countText(first + 1))
                                 : tr("running mean"));
    fitAxes();
    throttle_.ask();
}

int AdaptationPlot::points() const {
    return curves_->points();
}

void AdaptationPlot::setTableShown(bool shown) {
    pages_->setCurrentIndex(shown ? 1 : 0);
    table_button_->setChecked(shown);
    table_button_->setText(shown ? tr("Figure") : tr("Table"));
    table_button_->setToolTip(shown ? tr("Show the figure again") : tr("Show the numbers instead of the figure"));
    if (!shown) return;
    fitColumns(*table_);
    table_->scrollToBottom();
}

void AdaptationPlot::clear() {
    curves_->clear();
    first_ = total_ = 0;
    table_->setColumnHidden(AdaptationLog::OtherLoss, !log_->hasOther());
    fitAxes();
    updateEnds(Theme::of(this));
    overlay_->setEmpty(log_->reports().isEmpty());
    read(std::nullopt);
    throttle_.ask();
}

void AdaptationPlot::frame() {
    curves_->append(*log_);
    fitAxes();
    updateEnds(Theme::of(this));
    overlay_->setEmpty(curves_->empty());
    canvas_->setBufferDevicePixelRatio(devicePixelRatioF());  // the window may have moved to another screen
    if (canvas_->isVisible()) canvas_->replot(QCustomPlot::rpQueuedReplot);
}

void AdaptationPlot::drawNow() {
    throttle_.forget();
    frame();
    canvas_->replot(QCustomPlot::rpImmediateRefresh);
}

void AdaptationPlot::fitAxes() {
    const auto first = static_cast<double>(first_);
    canvas_->xAxis->setRange(first, std::max({static_cast<double>(total_), curves_->lastStep(), first + 1}));
    canvas_->yAxis->setRange(curves_->range());
}

void AdaptationPlot::updateEnds(const Theme& theme) {
    std::vector<CurveEnd> ends = curves_->ends(theme);
    QStringList spoken;
    for (const CurveEnd& end : ends) spoken.append(end.text);
    decor_->setEnds(std::move(ends));
    const QString words = spoken.isEmpty() ? tr("Nothing has been learned yet.") : spoken.join(", ");
    for (QWidget* widget : {static_cast<QWidget*>(this), static_cast<QWidget*>(canvas_)})
        widget->setAccessibleDescription(words);
}

void AdaptationPlot::restyle(const Theme& theme) {
    styleAxes(*canvas_, theme, font(), true, 0);
    decor_->setColours(theme.panel, theme.line, theme.quiet, theme.text, theme.weight);
    decor_->setFont(font());
    curves_->restyle(theme);
    updateEnds(theme);
    throttle_.ask();
}

void AdaptationPlot::read(std::optional<qsizetype> row) {
    const QVector<AdaptationProgress>& reports = log_->reports();
    reading_ = row && *row < reports.size() ? row : std::nullopt;
    overlay_->setReadout(reading_ ? std::optional(readoutOf(reports[*reading_])) : std::nullopt);
}

Readout AdaptationPlot::readoutOf(const AdaptationProgress& report) const {
    const Theme& theme = Theme::of(this);
    const QCPRange sight = canvas_->yAxis->range();
    Readout out;
    out.x = canvas_->xAxis->coordToPixel(static_cast<double>(report.step));
    out.heading = tr("Step %1 · epoch %2 · %3 images")
                      .arg(countText(report.step), countText(report.epoch), countText(report.samples_seen));
    // A spike above the axis, and what is no number, are marked at its border.
    const auto add = [&](const QString& name, double loss, const QColor& colour, MarkerShape shape) {
        const double y = std::isfinite(loss) ? std::clamp(loss, sight.lower, sight.upper) : sight.lower;
        out.rows.push_back({QPointF(out.x, canvas_->yAxis->coordToPixel(y)), name, lossText(loss), colour, shape});
    };
    add(tr("loss"), report.loss, theme.accent, MarkerShape::Circle);
    if (log_->hasOther()) add(tr("perturbing pass"), report.other_loss, theme.quiet, MarkerShape::Square);
    return out;
}

void AdaptationPlot::stepReadout(int direction) {
    const qsizetype count = log_->reports().size();
    if (count == 0) return;
    read(reading_ ? std::clamp<qsizetype>(*reading_ + direction, 0, count - 1) : count - 1);
    const Readout& shown = *overlay_->readout();
    QStringList parts{shown.heading};
    for (const Readout::Row& row : shown.rows) parts.append(row.name + ' ' + row.value);
    canvas_->setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

bool AdaptationPlot::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    if ((key == Qt::Key_Left || key == Qt::Key_Right) && modifiers & Qt::ShiftModifier) {
        stepReadout(key == Qt::Key_Left ? -1 : 1);
        return true;
    }
    // Escape without a readout closes the window around it.
    if (key != Qt::Key_Escape || !reading_) return false;
    read(std::nullopt);
    return true;
}

void AdaptationPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange && canvas_ && curves_) restyle(Theme::of(this));
    QWidget::changeEvent(event);
}

bool AdaptationPlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != canvas_) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::MouseMove: {
            const QPoint at = static_cast<QMouseEvent*>(event)->pos();
            const qsizetype row = log_->nearest(canvas_->xAxis->pixelToCoord(at.x()));
            const bool inside = row >= 0 && canvas_->axisRect()->rect().contains(at);
            read(inside ? std::optional(row) : std::nullopt);
            break;
        }
        case QEvent::Leave:
            read(std::nullopt);
            break;
        case QEvent::KeyPress: {
            const auto* press = static_cast<QKeyEvent*>(event);
            if (handleKey(press->key(), press->modifiers())) return true;
            break;
        }
        default:
            break;
    }
    return QWidget::eventFilter(watched, event);
}

void AdaptationPlot::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    restyle(Theme::of(this));
    throttle_.ask();
}

}  // namespace palimpsest
