// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/plot_view.h"

#include <qcustomplot.h>

#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "engine/metrics/metric_catalogue.h"
#include "ui/plots/curve_graph.h"
#include "ui/plots/figure_pages.h"
#include "ui/plots/metric_hover.h"
#include "ui/plots/plot_decor.h"
#include "ui/plots/plot_style.h"
#include "ui/state/curve_options.h"
#include "ui/state/key_names.h"
#include "ui/state/metric_facts.h"
#include "ui/state/run_set.h"
#include "ui/state/series.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/panel.h"

namespace palimpsest {
namespace {

constexpr int kFrameMs = 100;
// Parts of the figure's width that names take at most: those that must be read, and those that may be cut.
constexpr int kNameShare = 3, kSpareShare = 6;

constexpr double kNameGrain = 8;  // pixels; how closely a readout looks at names at curves
constexpr int kClickReach = 4;    // pixels; a press that moves farther is a drag

/// A figure's heading explains its curve, "anytime" or "retention", with the last point of the selected run; so does
/// Shift+F1 in the figure. Other figures have no such card.
void explainCurve(Panel* panel, QWidget* figure, const QString& curve, RunSet* store) {
    auto* title = panel->findChild<QLabel*>(QStringLiteral("panelTitle"));
    if (!title || !findCurve(curve.toStdString())) return;
    new MetricHover(
        title,
        [=](std::optional<QPoint>) -> std::optional<MetricHover::Answer> {
            const ShownRun* run = store->selected();
            const MetricFacts facts = run ? metricFacts(*run) : MetricFacts();
            return MetricHover::Answer{curveCard(curve.toStdString(), facts), run ? store->label(run->id) : QString(),
                                       title->rect()};
        },
        figure);
}

}  // namespace

PlotView::PlotView(RunSet* store, CurveKind kind, const Texts& texts, QWidget* parent)
    : PlotView(store, new CurveTableModel(store, kind), texts, parent) {
    connect(store_, &RunSet::changed, this, [this, kind](const QString&, CurveKind which) {
        if (which == kind) schedule();
    });
}

PlotView::PlotView(RunSet* store, FigureTable* table, const Texts& texts, QWidget* parent)
    : QWidget(parent),
      store_(store),
      texts_(texts),
      table_(table),
      canvas_(new QCustomPlot),
      range_(*canvas_),
      pages_(new FigurePages(texts.name, texts.title, texts.caption, canvas_, table, this)),
      overlay_(new PlotOverlay(canvas_)) {
    table_->setParent(this);
    setObjectName(texts.name + "Plot");
    build();
}

void PlotView::build() {
    canvas_->setObjectName(texts_.name + "Canvas");
    canvas_->setAccessibleName(texts_.title + ", figure");
    canvas_->setToolTip(texts_.tip);
    canvas_->setFocusPolicy(Qt::StrongFocus);
    canvas_->setMinimumSize(180, 80);
    canvas_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    canvas_->axisRect()->setRangeDrag(Qt::Horizontal);
    canvas_->axisRect()->setRangeZoom(Qt::Horizontal);
    canvas_->axisRect()->setRangeZoomFactor(0.8);
    prepareAxes(*canvas_);
    decor_ = std::make_unique<PlotDecor>(*canvas_);
    fitToText(this, [this] {
        if (!applied_) return;  // not drawn yet
        applyTheme(*applied_);
        schedule();
    });

    timer_.setObjectName(QStringLiteral("frameTimer"));
    timer_.setSingleShot(true);
    timer_.setInterval(kFrameMs);
    connect(&timer_, &QTimer::timeout, this, &PlotView::frame);
    connect(store_, &RunSet::runsChanged, this, &PlotView::schedule);
    connect(&KeyNames::instance(), &KeyNames::changed, this, &PlotView::schedule);
    connect(canvas_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] { range_.clamp(); });
    connect(canvas_, &QCustomPlot::afterLayout, this, [this] {
        overlay_->setArea(canvas_->axisRect()->rect());
        Q_EMIT laidOut();
    });
    connect(canvas_, &QCustomPlot::afterReplot, this, [this] {
        curves_known_ = false;
        // The shared moment may be in sight now.
        !reading_&& cursor_ && cursor_->moment() ? followCursor() : readAt(reading_);
    });
    canvas_->installEventFilter(this);
    explainCurve(panel(), canvas_, texts_.name, store_);
}

PlotView::~PlotView() {
    // While the canvas takes its layers down, their content must still be there.
    delete canvas_;
    canvas_ = nullptr;
}

std::optional<PlotView::ImageAxis> PlotView::imageAxis() const {
    if (!alongImages() || range_.logarithmic() || range_.lower() != 0) return {};
    const QCPAxisRect* rect = canvas_->axisRect();
    return ImageAxis{static_cast<double>(rect->left()), static_cast<double>(rect->left() + rect->width()),
                     range_.upper()};
}

Panel* PlotView::panel() const {
    return pages_->panel();
}

int PlotView::heightAround() const {
    return minimumSizeHint().height() - canvas_->parentWidget()->minimumSizeHint().height();
}

void PlotView::share(CurveCursor* cursor, CurveOptions* options) {
    cursor_ = cursor;
    options_ = options;
    connect(cursor_, &CurveCursor::moved, this, &PlotView::followCursor);
    const auto apply = [this] {
        applyOptions(*options_);
        table_->applyOptions(*options_);
        // The ticks follow, and a logarithm has no zero.
        if (range_.setLogarithmic(alongImages() && options_->values().log_x) && alongImages()) useImageTicks(*canvas_);
        schedule();
    };
    connect(options_, &CurveOptions::changed, this, apply);
    apply();
    followCursor();
}

const Theme& PlotView::theme() const {
    return applied_ ? *applied_ : Theme::of(this);
}

void PlotView::frame() {
    bringUpToDate();
    replotSoon();
}

void PlotView::replotSoon() {
    if (canvas_->isVisible()) canvas_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::drawNow() {
    timer_.stop();
    bringUpToDate();
    canvas_->replot(QCustomPlot::rpImmediateRefresh);
}

void PlotView::bringUpToDate() {
    if (!applied_) applyTheme(Theme::of(this));
    sync();
    if (cursor_ && cursor_->moment()) followCursor();
    if (tableShown()) table_->refresh();
    const QString now = describe();
    for (QWidget* widget : {static_cast<QWidget*>(this), static_cast<QWidget*>(canvas_)})
        widget->setAccessibleDescription(now);
    canvas_->setBufferDevicePixelRatio(devicePixelRatioF());  // the window may have moved to another screen
}

void PlotView::setTableShown(bool shown) {
    pages_->setTableShown(shown);
}

bool PlotView::tableShown() const {
    return pages_->tableShown();
}

void PlotView::addHeaderWidget(QWidget* widget) {
    pages_->addHeaderWidget(widget);
}

void PlotView::setUnit(const QString& unit) {
    if (unit == unit_) return;
    unit_ = unit;
    decor_->setUnit(unit);
    if (applied_) styleAll(*applied_);
}

void PlotView::setNameRoom(int pixels, int spare) {
    wanted_name_room_ = pixels;
    spare_name_room_ = spare;
    limitNameRoom();
}

void PlotView::limitNameRoom() {
    const int wanted = spare_name_room_ <= canvas_->width() / kSpareShare
                           ? std::max(wanted_name_room_, spare_name_room_)
                           : wanted_name_room_;
    const int room = std::min(wanted, std::max(0, canvas_->width() / kNameShare - kRightGap));
    if (room == name_room_) return;
    name_room_ = room;
    decor_->setNameRoom(room);
    if (applied_) styleAll(*applied_);
}

void PlotView::setLeftRoom(int pixels) {
    if (pixels == left_room_) return;
    left_room_ = pixels;
    if (applied_) styleAll(*applied_);
}

void PlotView::styleAll(const Theme& theme) {
    styleAxes(*canvas_, theme, font(), !unit_.isEmpty(), name_room_, left_room_);
}

void PlotView::setWholeRange(double lower, double upper) {
    range_.setWhole(lower, upper);
    if (!range_.zoomed() || !options_ || !options_->values().follow) return;
    if (const auto newest = newestPlace()) range_.follow(*newest);
}

void PlotView::showAll() {
    range_.showAll();
    replotSoon();
}

void PlotView::applyTheme(const Theme& theme) {
    applied_ = &theme;
    styleAll(theme);
    QColor border = theme.quiet;
    border.setAlphaF(0.45F);
    decor_->setColours(theme.panel, border, theme.quiet, theme.text, theme.weight);
    decor_->setFont(font());
    restyle(theme);
}

void PlotView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange && event->type() != QEvent::FontChange &&
        event->type() != QEvent::StyleChange)
        return;
    if (!applied_) return;  // not drawn yet
    applyTheme(Theme::of(this));
    schedule();
}

void PlotView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    schedule();
    if (cursor_) followCursor();
}

QString PlotView::wordsAt(const QPoint& point) const {
    if (decor_->hollowKeyRect().contains(point))
        return tr(
            "Hollow points do not count in A_AUC. An early look tests a few images soon after a run has begun; at the "
            "end of a session, all classes so far are tested.");
    const std::vector<QRectF> rects = decor_->labelRects();
    const bool at_one =
        std::any_of(rects.begin(), rects.end(), [&](const QRectF& rect) { return rect.contains(point); });
    return at_one || point.x() > canvas_->axisRect()->right() ? decor_->hiddenNames().join('\n') : QString();
}

void PlotView::readAt(std::optional<double> place) {
    reading_ = place;
    // Looked for only where a readout has to keep out of their way.
    if (place && !std::exchange(curves_known_, true)) {
        std::vector<QPointF> points = curvePoints(*canvas_);
        for (const QRectF& name : decor_->labelRects())
            for (double x = name.left(); x < name.right(); x += kNameGrain)
                for (const double y : {name.top(), name.center().y(), name.bottom()}) points.emplace_back(x, y);
        overlay_->setCurves(points);
    }
    overlay_->setReadout(place && canvas_->xAxis->range().contains(*place) ? std::optional(readoutAt(*place))
                                                                           : std::nullopt);
}

void PlotView::moveCursor(std::optional<double> place) {
    const auto moment = place ? momentAt(*place) : std::nullopt;
    if (cursor_ && (moment || !place)) {
        cursor_->hover(moment);
        // Two places may be the same moment: the one that was asked for counts.
        if (place) readAt(place);
    } else {
        readAt(place);
    }
}

void PlotView::pin(std::optional<double> place) {
    if (!cursor_) return;
    cursor_->pin(place ? momentAt(*place) : std::nullopt);
    readAt(place);
}

void PlotView::followCursor() {
    if (!isVisible()) return;  // showEvent() does it
    const CurveCursor::Moment moment = cursor_->moment();
    const auto wanted = moment ? placeOf(*moment) : std::nullopt;
    const std::vector<double> places = wanted ? readingPlaces() : std::vector<double>();
    if (places.empty()) return readAt(std::nullopt);
    readAt(*nearestIn(places, *wanted));
}

/// The nearest place at which the readout can stand.
std::optional<double> PlotView::placeAt(double pixel) const {
    const std::vector<double> places = readingPlaces();
    if (places.empty()) return std::nullopt;
    return *nearestIn(places, canvas_->xAxis->pixelToCoord(pixel));
}

void PlotView::stepReadout(int direction) {
    const std::vector<double> places = readingPlaces();
    if (places.empty()) return;
    if (!reading_) {
        moveCursor(places.back());
    } else {
        const auto at = std::lower_bound(places.begin(), places.end(), *reading_);
        const auto index = std::clamp<std::ptrdiff_t>(at - places.begin() + direction, 0,
                                                      static_cast<std::ptrdiff_t>(places.size()) - 1);
        moveCursor(places[static_cast<std::size_t>(index)]);
    }
    if (const auto& shown = overlay_->readout()) {
        QStringList parts{shown->heading};
        for (const Readout::Row& row : shown->rows) parts.push_back(row.name + ' ' + row.value);
        canvas_->setAccessibleDescription(parts.join(QStringLiteral(", ")));
    }
}

void PlotView::zoomBy(double factor) {
    canvas_->xAxis->scaleRange(factor, reading_.value_or(canvas_->xAxis->range().center()));
    replotSoon();
}

bool PlotView::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    const bool shift = modifiers & Qt::ShiftModifier;
    if (modifiers & Qt::ControlModifier) return false;  // the text size of the window
    switch (key) {
        case Qt::Key_Left:
        case Qt::Key_Right:
            if (!shift) return false;  // Right alone steps the run
            stepReadout(key == Qt::Key_Left ? -1 : 1);
            return true;
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            zoomBy(0.8);
            return true;
        case Qt::Key_Minus:
            zoomBy(1.25);
            return true;
        case Qt::Key_Home:
            showAll();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            if (!reading_ || !cursor_) return false;
            pin(reading_);
            return true;
        case Qt::Key_Escape:
            if (!reading_) return false;
            pin(std::nullopt);
            moveCursor(std::nullopt);
            return true;
        default:
            return false;
    }
}

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != canvas_) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::Resize:
            limitNameRoom();
            break;
        case QEvent::MouseMove: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            hovered(mouse->position());
            moveCursor(canvas_->axisRect()->rect().contains(mouse->pos()) ? placeAt(mouse->pos().x()) : std::nullopt);
            break;
        }
        case QEvent::Leave:
            moveCursor(std::nullopt);
            break;
        case QEvent::MouseButtonPress:
            pressed_ = static_cast<QMouseEvent*>(event)->pos();
            pinned_before_.reset();
            break;
        case QEvent::MouseButtonRelease: {
            const QPoint here = static_cast<QMouseEvent*>(event)->pos();
            const bool click = pressed_ && (here - *pressed_).manhattanLength() <= kClickReach;
            pressed_.reset();
            if (!click || !canvas_->axisRect()->rect().contains(here)) break;
            if (cursor_) pinned_before_ = cursor_->pinned();
            pin(placeAt(here.x()));
            break;
        }
        case QEvent::MouseButtonDblClick:
            // Its first click was no wish to keep the readout here.
            if (cursor_ && pinned_before_) cursor_->pin(*pinned_before_);
            pinned_before_.reset();
            showAll();
            return true;
        case QEvent::ToolTip: {
            const auto* help = static_cast<QHelpEvent*>(event);
            const QString words = wordsAt(help->pos());
            if (words.isEmpty()) break;
            QToolTip::showText(help->globalPos(), words, canvas_);
            return true;
        }
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

}  // namespace palimpsest
