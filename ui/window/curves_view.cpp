// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/curves_view.h"

#include <qcustomplot.h>

#include <QAbstractButton>
#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/run/dataset_service.h"
#include "ui/commands/action_book.h"
#include "ui/figures/accuracy_plot.h"
#include "ui/figures/confusion_view.h"
#include "ui/figures/feature_map_view.h"
#include "ui/figures/heat_plot.h"
#include "ui/figures/loss_plot.h"
#include "ui/figures/moment_sentence.h"
#include "ui/figures/retention_plot.h"
#include "ui/figures/session_matrix.h"
#include "ui/plots/curve_options_menu.h"
#include "ui/plots/figure_pair.h"
#include "ui/plots/plot_overlay.h"
#include "ui/state/window_state.h"
#include "ui/style/text_style.h"
#include "ui/timeline/time_line.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/tab_row.h"

namespace palimpsest {
namespace {

constexpr int kTabGap = 2, kBetween = 6;
constexpr int kTabWords = 16, kTabRoom = 8;  // height of a tab: what grows with its words, and what stays around them

void fitTab(QToolButton* tab) {
    fitToText(tab, [tab] {
        tab->setMinimumHeight(scaled(kTabWords) + kTabRoom);
        tab->setFont(textFont(tab->font(), text_size::kText));
    });
}

/// Text and tip are the action's.
QToolButton* makeTab(const QString& name, QAction* action) {
    auto* tab = new QToolButton;
    tab->setDefaultAction(action);
    tab->setObjectName(name);
    tab->setAccessibleName(action->text());
    tab->setAutoRaise(true);
    tab->setProperty("link", true);
    tab->setProperty("tab", true);
    tab->setFocusPolicy(Qt::TabFocus);
    fitTab(tab);
    return tab;
}

}  // namespace

CurvesView::CurvesView(FigureState& state, std::shared_ptr<const DatasetService> service, AccuracyPlot* accuracy,
                       RetentionPlot* retention, QWidget* parent)
    : QWidget(parent),
      state_(state),
      menu_(new QMenu(tr("&Curves"), this)),
      page_actions_(new QActionGroup(this)),
      pages_(new QStackedWidget),
      tabs_(makeTabs()),
      sentence_(new MomentSentence(state)),
      time_line_(new TimeLine(&state.runs, &state.cursor)),
      accuracy_(accuracy),
      retention_(retention),
      pair_(new FigurePair(accuracy, retention)),
      focused_(accuracy) {
    setObjectName("curvesView");
    menu_->setObjectName("curvesMenu");

    pair_->setObjectName("curvesSplitter");
    RunSet* store = &state.runs;
    HistoryStore* histories = &state.histories;
    CurveCursor* cursor = &state.cursor;
    auto* classes = new ClassHeatPlot(store, histories);
    auto* sessions = new SessionMatrix(store, cursor);
    auto* confusion = new ConfusionView(store, histories, cursor, service);
    connect(confusion, &ConfusionView::pinAsked, this, &CurvesView::pinAsked);
    auto* loss = new LossPlot(store, histories);
    auto* prompts = new PromptHeatPlot(store, histories);
    auto* memory = new MemoryHeatPlot(store, histories);
    auto* pushes = new PushHeatPlot(store, histories);
    auto* features = new FeatureMapView(store, histories, cursor, std::move(service));
    addPage(kAccuracy, "curves", pair_, "", tr("Accuracy"), tr("Anytime accuracy, and what is left of each session"));
    addPage(kClasses, "classes", classes, "class-accuracy", tr("Classes"),
            tr("Accuracy on each class over the images seen"));
    addPage(kSessions, "sessions", sessions, "r-matrix", tr("Sessions"),
            tr("The R matrix: every session after every session"));
    addPage(kConfusion, "confusion", confusion, "confusion-matrix", tr("Confusion"),
            tr("What test images were taken for"));
    addPage(kLoss, "loss", loss, "loss", tr("Loss"), tr("The loss of every update"));
    addPage(kPrompts, "prompts", prompts, "prompt-use", tr("Prompts"),
            tr("Which prompts were chosen, over the images seen"));
    addPage(kMemory, "memory", memory, "memory-balance", tr("Memory"), tr("How many images of each class are kept"));
    addPage(kPushes, "push", pushes, "pushes", tr("Pushes"), tr("How far each class is pulled up or pushed down"));
    addPage(kFeatures, "features", features, "feature-map", tr("Features"),
            tr("Test images as the head sees them, and the head's rows as arrows"));
    sources_ = {{kClasses, [classes] { return classes->source(); }},
                {kConfusion, [confusion] { return confusion->source(); }},
                {kLoss, [loss] { return loss->source(); }},
                {kPrompts, [prompts] { return prompts->source(); }},
                {kMemory, [memory] { return memory->source(); }},
                {kPushes, [pushes] { return pushes->source(); }},
                {kFeatures, [features] { return features->source(); }}};
    attachMenu(options_button_, addCurveOptions(menu_, &state.options, store, this));
    for (PlotView* plot :
         std::initializer_list<PlotView*>{accuracy, retention, classes, loss, prompts, memory, pushes}) {
        plot->share(cursor, &state.options);
        connect(plot, &PlotView::laidOut, this, &CurvesView::alignTimeLine);
    }

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kBetween);
    column->addWidget(tabs_);
    column->addWidget(pages_, 1);
    column->addWidget(sentence_);
    column->addWidget(time_line_);

    connect(store, &RunSet::runsChanged, this, &CurvesView::wantHistories);
    connect(time_line_, &TimeLine::momentChosen, this, &CurvesView::wantHistories);
    connect(&state.options, &CurveOptions::changed, this, &CurvesView::wantHistories);
    connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
        for (PlotView* plot : std::initializer_list<PlotView*>{accuracy_, retention_})
            if (now && plot->isAncestorOf(now)) focused_ = plot;
    });
    showPage(kAccuracy);
}

CurvesView::~CurvesView() {
    // The focus moves on while the figures go.
    disconnect(qApp, nullptr, this, nullptr);
}

TabRow* CurvesView::makeTabs() {
    auto* tabs = new TabRow(kTabGap);
    tabs->setObjectName("curvesTabs");
    options_button_ = new QToolButton;
    options_button_->setObjectName("curvesOptions");
    options_button_->setText(tr("Drawing"));
    withIcon(options_button_, "settings", &Theme::quiet);
    options_button_->setAccessibleName(tr("How curves are drawn"));
    options_button_->setToolTip(tr("Smoothing, bands over seeds, logarithmic axes, following, alignment by session"));
    options_button_->setAutoRaise(true);
    options_button_->setProperty("link", true);
    options_button_->setPopupMode(QToolButton::InstantPopup);
    options_button_->setFocusPolicy(Qt::TabFocus);
    fitTab(options_button_);
    tabs->setEnd(options_button_);
    return tabs;
}

void CurvesView::addPage(Page page, const char* sign, QWidget* widget, const char* published, const QString& name,
                         const QString& tip) {
    QAction* action = menu_->addAction(name);
    action->setObjectName(QStringLiteral("curvesPage%1").arg(page + 1));
    action->setShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + static_cast<int>(page))));
    action->setCheckable(true);
    page_actions_->addAction(action);
    connect(action, &QAction::triggered, this, [this, page] {
        showPage(page);
        // By keyboard among the tabs, one stays there.
        if (!tabs_->isAncestorOf(QApplication::focusWidget())) focusFigure();
    });
    const auto updateTip = [action, tip] { action->setToolTip(ActionBook::tip(tip, action)); };
    connect(action, &QAction::changed, action, updateTip);  // the user may change its keys
    updateTip();
    QToolButton* tab = makeTab(QStringLiteral("curvesTab%1").arg(page + 1), action);
    tabs_->addTab(tab, icon(sign, &Theme::quiet));
    pages_->addWidget(widget);
    published_.append(QString::fromLatin1(published));
}

CurvesView::Page CurvesView::page() const {
    return static_cast<Page>(pages_->currentIndex());
}

QWidget* CurvesView::figures() const {
    return pages_;
}

int CurvesView::axesFoot() const {
    int lowest = -1;
    for (const PlotView* plot : pages_->findChildren<PlotView*>())
        if (const QCustomPlot* canvas = plot->canvas(); canvas->isVisible())
            lowest = std::max(lowest, canvas->mapTo(pages_, QPoint(0, canvas->axisRect()->bottom())).y());
    return lowest < 0 ? 0 : std::max(0, pages_->height() - lowest);
}

void CurvesView::showPage(Page page) {
    // The keyboard stays with the figures.
    QWidget* focus = QApplication::focusWidget();
    const bool within = focus && pages_->isAncestorOf(focus);
    pages_->setCurrentIndex(page);
    page_actions_->actions().at(page)->setChecked(true);
    if (within) focusFigure();
    wantHistories();
    Q_EMIT pageShown(page);
}

/// On a page without such a figure the time line keeps its distance from both ends.
void CurvesView::alignTimeLine() {
    for (const PlotView* plot : pages_->findChildren<PlotView*>()) {
        const QWidget* canvas = plot->canvas();
        const auto axis = plot->imageAxis();
        if (!axis || !canvas->isVisible()) continue;
        const int shift = time_line_->mapFromGlobal(canvas->mapToGlobal(QPoint())).x();
        aligned_at_ = width();
        return time_line_->alignTo({shift + axis->left, shift + axis->right, axis->images});
    }
    if (const int before = std::exchange(aligned_at_, width()); before > 0 && before != width())
        time_line_->widen(width() - before);
}

void CurvesView::focusFigure() {
    QWidget* page = pages_->currentWidget();
    const auto isFigure = [page](const QWidget* widget) {
        // On a button Space would no longer pause the run; Tab reaches it.
        return page->isAncestorOf(widget) && widget->isVisibleTo(page) && widget->isEnabled() &&
               (widget->focusPolicy() & Qt::StrongFocus) == Qt::StrongFocus &&
               !qobject_cast<const QAbstractButton*>(widget) && !qobject_cast<const QComboBox*>(widget);
    };
    QWidget* next = page->nextInFocusChain();
    while (next && next != page && !isFigure(next)) next = next->nextInFocusChain();
    if (next && next != page)
        next->setFocus(Qt::ShortcutFocusReason);
    else if (page->isAncestorOf(QApplication::focusWidget()))
        setFocus(Qt::OtherFocusReason);  // nothing to read there yet
}

/// Read only where somebody looks: the first two kinds of page need what the plots know anyhow, but the sentence below
/// them needs more. At a chosen moment the panel beside them asks, too.
void CurvesView::wantHistories() {
    const Page now = page();
    const bool chosen = state_.cursor.pinned().has_value();
    if (!chosen && !state_.options.values().story && (now == kAccuracy || now == kSessions)) return;
    QStringList runs;
    for (const ShownRun* run : state_.runs.visibleRuns())
        if (now == kLoss || run->display.selected || (chosen && run == state_.runs.compared())) runs.append(run->id);
    state_.histories.want(runs);
}

std::function<report::Publication()> CurvesView::source() const {
    const auto source = sources_.constFind(page());
    return source == sources_.constEnd() ? nullptr : (*source)();
}

QString CurvesView::publishedAs() const {
    if (page() != kAccuracy) return published_[page()];
    const PlotView* figure = pair_->alone() ? pair_->front() : focused_;
    return figure == retention_ ? QStringLiteral("retention") : QStringLiteral("anytime");
}

int CurvesView::heightFor(int figure) const {
    return tabs_->sizeHint().height() + kBetween + accuracy_->heightAround() + figure + kBetween +
           (sentence_->isHidden() ? 0 : sentence_->height() + kBetween) + time_line_->sizeHint().height();
}

void CurvesView::setBare(bool bare) {
    if (std::exchange(bare_, bare) == bare) return;
    tabs_->setHidden(bare);
    time_line_->showEnds(!bare);
    fitSentence();
}

void CurvesView::showValues(bool shown) {
    for (PlotOverlay* overlay : findChildren<PlotOverlay*>()) overlay->setBoxShown(shown);
}

bool CurvesView::hasValues() const {
    return pages_->currentWidget()->findChild<PlotOverlay*>() != nullptr;
}

void CurvesView::keepAlone(PlotView* plot) {
    pair_->keepAlone(plot);
}

const PlotView* CurvesView::alone() const {
    return pair_->alone() ? pair_->front() : nullptr;
}

void CurvesView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitSentence();
    alignTimeLine();
}

void CurvesView::fitSentence() {
    // Whether it is shown now or not, the sentence must not take the room of the figure.
    const int others = heightFor(static_cast<int>(kFigureShare * window()->height())) -
                       (sentence_->isHidden() ? 0 : sentence_->height() + kBetween);
    sentence_->setRoom(!bare_ && height() >= others + sentence_->height() + kBetween);
}

bool CurvesView::showsOneRun() const {
    return page() != kAccuracy && (page() != kLoss || state_.runs.visibleRuns().size() == 1);
}

}  // namespace palimpsest
