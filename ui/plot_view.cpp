// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plot_view.h"

#include <qcustomplot.h>

#include <QApplication>
#include <QHeaderView>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/curve_store.h"
#include "ui/panel.h"
#include "ui/plot_decor.h"
#include "ui/plot_style.h"
#include "ui/text_style.h"
#include "ui/theme.h"

namespace palimpsest {
namespace {

constexpr int kFrameMs = 100;
constexpr int kHeaderHeight = 26;  // of the tallest widget, so that the figure stays where it is when one appears
constexpr int kCellPadding = 16;   // of a table's cell, both sides together
constexpr double kMostZoom = 200;  // times the whole range

}  // namespace

PlotView::PlotView(CurveStore* store, CurveKind kind, const Words& words, QWidget* parent)
    : QWidget(parent),
      store_(store),
      words_(words),
      table_(new CurveTableModel(store, kind, this)),
      panel_(new Panel(words.title, words.caption)),
      pages_(new QStackedWidget),
      canvas_(new QCustomPlot),
      table_view_(new QTableView),
      table_button_(new QToolButton),
      overlay_(new PlotOverlay(canvas_)) {
    setObjectName(words.name + "Plot");
    setAccessibleName(words.title);
    panel_->setObjectName(words.name + "Panel");

    canvas_->setObjectName(words.name + "Canvas");
    canvas_->setAccessibleName(words.title + ", figure");
    canvas_->setToolTip(words.tip);
    canvas_->setFocusPolicy(Qt::StrongFocus);
    canvas_->setMinimumSize(180, 120);
    canvas_->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    canvas_->axisRect()->setRangeDrag(Qt::Horizontal);
    canvas_->axisRect()->setRangeZoom(Qt::Horizontal);
    canvas_->axisRect()->setRangeZoomFactor(0.8);
    prepareAxes(*canvas_);
    decor_ = std::make_unique<PlotDecor>(*canvas_);

    table_view_->setObjectName(words.name + "Table");
    table_view_->setAccessibleName(words.title + ", table");
    table_view_->setToolTip(tr("The numbers of the figure"));
    table_view_->setModel(table_);
    table_view_->setFrameShape(QFrame::NoFrame);
    table_view_->setShowGrid(false);
    table_view_->verticalHeader()->hide();
    table_view_->horizontalHeader()->setHighlightSections(false);
    table_view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table_view_->setTabKeyNavigation(false);

    table_button_->setObjectName(words.name + "TableButton");
    table_button_->setText(tr("Table"));
    table_button_->setCheckable(true);
    table_button_->setAutoRaise(true);
    table_button_->setProperty("link", true);
    table_button_->setAccessibleName(words.title + ": show as a table");
    table_button_->setToolTip(tr("Show the numbers instead of the figure"));
    table_button_->setFocusPolicy(Qt::TabFocus);
    fitToText(this, [this] {
        table_view_->verticalHeader()->setDefaultSectionSize(scaled(24));
        table_button_->setMinimumHeight(scaled(kHeaderHeight));
        table_button_->setFont(textFont(table_button_->font(), text_size::kText));
        if (!applied_) return;  // not drawn yet
        applyTheme(*applied_);
        fitColumns();
        schedule();
    });

    pages_->addWidget(canvas_);
    pages_->addWidget(table_view_);
    panel_->addHeaderWidget(table_button_);
    panel_->body()->addWidget(pages_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);

    timer_.setObjectName(QStringLiteral("frameTimer"));
    timer_.setSingleShot(true);
    timer_.setInterval(kFrameMs);
    connect(&timer_, &QTimer::timeout, this, &PlotView::frame);
    connect(store_, &CurveStore::changed, this, [this, kind](const QString&, CurveKind which) {
        if (which == kind) schedule();
    });
    connect(store_, &CurveStore::runsChanged, this, &PlotView::schedule);
    connect(table_, &QAbstractItemModel::modelReset, this, &PlotView::fitColumns);
    connect(table_button_, &QToolButton::toggled, this, &PlotView::setTableShown);
    connect(canvas_->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, &PlotView::clampRange);
    connect(canvas_, &QCustomPlot::afterLayout, this, [this] { overlay_->setArea(canvas_->axisRect()->rect()); });
    connect(canvas_, &QCustomPlot::afterReplot, this, [this] { read(reading_); });
    canvas_->installEventFilter(this);
}

PlotView::~PlotView() {
    // While the canvas takes its layers down, their content must still be there.
    delete canvas_;
    canvas_ = nullptr;
}

std::vector<QRectF> PlotView::labelRects() const {
    return decor_->labelRects();
}

QString PlotView::hollowKey() const {
    return decor_->hollowKey();
}

const Theme& PlotView::theme() const {
    return applied_ ? *applied_ : Theme::of(this);
}

void PlotView::schedule() {
    if (!timer_.isActive()) timer_.start();
}

void PlotView::frame() {
    takeNews();
    replotSoon();
}

void PlotView::replotSoon() {
    if (canvas_->isVisible()) canvas_->replot(QCustomPlot::rpQueuedReplot);
}

void PlotView::drawNow() {
    timer_.stop();
    takeNews();
    canvas_->replot(QCustomPlot::rpImmediateRefresh);
}

void PlotView::takeNews() {
    if (!applied_) applyTheme(Theme::of(this));
    sync();
    if (tableShown()) table_->refresh();
    const QString now = describe();
    for (QWidget* widget : {static_cast<QWidget*>(this), static_cast<QWidget*>(canvas_)})
        widget->setAccessibleDescription(now);
    canvas_->setBufferDevicePixelRatio(devicePixelRatioF());  // the window may have moved to another screen
}

void PlotView::setTableShown(bool shown) {
    if (shown) table_->refresh();
    // A page that goes away would hand the keyboard to the button, which then takes Space from the run.
    const bool focused = pages_->isAncestorOf(QApplication::focusWidget());
    pages_->setCurrentIndex(shown ? 1 : 0);
    if (focused) pages_->currentWidget()->setFocus();
    fitColumns();
    table_button_->setChecked(shown);
    table_button_->setText(shown ? tr("Figure") : tr("Table"));
    table_button_->setToolTip(shown ? tr("Show the figure again") : tr("Show the numbers instead of the figure"));
}

/// By the headings alone: to measure the cells of a thousand sessions takes seconds.
void PlotView::fitColumns() {
    if (!tableShown()) return;
    const int least = table_view_->fontMetrics().horizontalAdvance(QStringLiteral("100.0 %")) + kCellPadding;
    QHeaderView* header = table_view_->horizontalHeader();
    for (int column = 0; column < header->count(); ++column)
        header->resizeSection(column, std::max(least, header->sectionSizeHint(column)));
}

bool PlotView::tableShown() const {
    return pages_->currentIndex() == 1;
}

void PlotView::addHeaderWidget(QWidget* widget) {
    panel_->addHeaderWidget(widget);
    panel_->addHeaderWidget(table_button_);  // stays the last
}

void PlotView::setUnit(const QString& unit) {
    if (unit == unit_) return;
    unit_ = unit;
    decor_->setUnit(unit);
    if (applied_) styleAxes(*canvas_, *applied_, font(), !unit_.isEmpty(), name_room_);
}

void PlotView::setNameRoom(int pixels) {
    if (pixels == name_room_) return;
    name_room_ = pixels;
    decor_->setNameRoom(pixels);
    if (applied_) styleAxes(*canvas_, *applied_, font(), !unit_.isEmpty(), name_room_);
}

void PlotView::setWholeRange(double lower, double upper) {
    whole_lower_ = lower;
    whole_upper_ = upper;
    if (!zoomed_) setRange(lower, upper);
}

void PlotView::setRange(double lower, double upper) {
    setting_range_ = true;
    canvas_->xAxis->setRange(lower, upper);
    setting_range_ = false;
}

void PlotView::showAll() {
    zoomed_ = false;
    setRange(whole_lower_, whole_upper_);
    replotSoon();
}

void PlotView::clampRange() {
    if (setting_range_) return;
    const double whole = whole_upper_ - whole_lower_;
    const QCPRange wanted = canvas_->xAxis->range();
    const double size = std::clamp(wanted.size(), whole / kMostZoom, whole);
    double lower = wanted.size() == size ? wanted.lower : wanted.center() - size / 2;
    lower = std::clamp(lower, whole_lower_, whole_upper_ - size);
    zoomed_ = size < whole * 0.999;
    setRange(lower, lower + size);
}

void PlotView::read(std::optional<double> place) {
    reading_ = place;
    overlay_->setReadout(place && canvas_->xAxis->range().contains(*place) ? std::optional(readoutAt(*place))
                                                                           : std::nullopt);
}

void PlotView::stepReadout(int direction) {
    const std::vector<double> places = readingPlaces();
    if (places.empty()) return;
    if (!reading_) {
        read(places.back());
    } else {
        const auto at = std::lower_bound(places.begin(), places.end(), *reading_);
        const auto index = std::clamp<std::ptrdiff_t>(at - places.begin() + direction, 0,
                                                      static_cast<std::ptrdiff_t>(places.size()) - 1);
        read(places[static_cast<std::size_t>(index)]);
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
        case Qt::Key_Escape:
            if (!reading_) return false;
            read(std::nullopt);
            return true;
        default:
            return false;
    }
}

bool PlotView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != canvas_) return QWidget::eventFilter(watched, event);
    switch (event->type()) {
        case QEvent::MouseMove: {
            const auto* mouse = static_cast<QMouseEvent*>(event);
            const std::vector<double> places = readingPlaces();
            if (places.empty() || !canvas_->axisRect()->rect().contains(mouse->pos())) {
                read(std::nullopt);
                break;
            }
            const double x = canvas_->xAxis->pixelToCoord(mouse->pos().x());
            auto at = std::lower_bound(places.begin(), places.end(), x);
            if (at == places.end() || (at != places.begin() && x - *(at - 1) < *at - x)) --at;
            read(*at);
            break;
        }
        case QEvent::Leave:
            read(std::nullopt);
            break;
        case QEvent::MouseButtonDblClick:
            showAll();
            return true;
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

void PlotView::applyTheme(const Theme& theme) {
    applied_ = &theme;
    styleAxes(*canvas_, theme, font(), !unit_.isEmpty(), name_room_);
    QColor border = theme.quiet;
    border.setAlphaF(0.45F);
    decor_->setColours(theme.panel, border, theme.quiet, theme.text);
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
}

}  // namespace palimpsest
