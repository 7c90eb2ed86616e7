// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_panel.h"

#include <QApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWidget>
#include <algorithm>

#include "engine/metrics/metric_card.h"
#include "ui/plots/metric_hover.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_columns.h"
#include "ui/runs/run_row_delegate.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/search_chips.h"
#include "ui/state/key_names.h"
#include "ui/state/metric_facts.h"
#include "ui/state/run_follower.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/panel.h"
#include "ui/widgets/pinned_table.h"
#include "ui/widgets/view_painting.h"

namespace palimpsest {
namespace {

constexpr int kShare = 20;  // at most one part in so many of the time goes into scanning

using Answer = MetricHover::Answer;

/// The key in summary.json of a column of runs; null for one that is no such number.
const char* keyOf(int column) {
    return isMetricColumn(column) ? kListedMetrics[listedMetric(column)].key : nullptr;
}

/// Card of the mean in a line that stands for several runs.
std::optional<Answer> ofHeading(const RunTableModel& model, const QModelIndex& index, const char* key,
                                const QRect& place) {
    const SeedNumbers runs = model.numbersAt(index);
    if (runs.runs.size() < 2) return std::nullopt;
    Answer answer{meanCard(key, runs, CardSpread::Deviation), QString::fromStdString(runs.name), place};
    const QModelIndex difference = index.siblingAtColumn(index.column() + 1);
    const SeedNumbers base = model.baselineNumbers(index.column());
    const bool itself = index.data(RunTableModel::BaselineRole).toInt() == 1;
    if (!base.runs.empty() && !itself)
        addDifference(answer.card, runs, base, CardSpread::Deviation, model.comparable(difference));
    return answer;
}

constexpr int kRowHeight = 25;
constexpr int kSearchWidth = 180;
constexpr int kTop = 8, kBottom = 6;  // edges of the panel

QToolButton* makeTool(const QString& name, const QString& sign, const QString& text, const QString& tip) {
    auto* button = new QToolButton;
    button->setObjectName(name);
    button->setText(text);
    withIcon(button, sign);
    button->setAccessibleName(text);
    button->setToolTip(tip);
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

/// What the list does now and what a press changes.
QString groupingTip(bool grouped) {
    return grouped ? RunsPanel::tr(
                         "Seeds are grouped: one line for runs that differ in the seed alone, with mean ± "
                         "standard deviation. Press to list each run by itself")
                   : RunsPanel::tr("One line for runs that differ in the seed alone, with mean ± standard deviation");
}

/// Explains the metrics in the table of runs, of a run or of the mean of a heading.
void explainRuns(QTableView* view, RunSet* store, RunLibrary* library) {
    new MetricHover(
        view->viewport(),
        [=](std::optional<QPoint> point) -> std::optional<Answer> {
            QModelIndex index = point ? view->indexAt(*point) : view->currentIndex();
            // The keyboard chooses a row, hardly a column.
            if (!point && index.isValid() && !keyOf(index.column()))
                index = index.siblingAtColumn(RunTableModel::AreaUnderCurve);
            const char* key = index.isValid() ? keyOf(index.column()) : nullptr;
            if (!key) return std::nullopt;
            if (const auto* model = qobject_cast<const RunTableModel*>(view->model()); model && !model->runAt(index))
                return ofHeading(*model, index, key, view->visualRect(index));
            const QString id = index.data(RunTableModel::IdRole).toString();
            const ShownRun* run = store->find(id);
            const RunLibrary::Record record = library->find(id);
            if (!run && !record) return std::nullopt;
            return Answer{metricCard(key, run ? metricFacts(*run, record.get()) : metricFacts(*record)),
                          index.siblingAtColumn(RunTableModel::Name).data().toString(), view->visualRect(index)};
        },
        view);
}

}  // namespace

RunWatch::RunWatch(RunLibrary* library, QWidget* seen, std::chrono::milliseconds pause, QObject* parent)
    : QObject(parent), library_(library), seen_(seen), pause_(pause) {
    timer_.setSingleShot(true);
    connect(&timer_, &QTimer::timeout, this, &RunWatch::scan);
    connect(library_, &RunLibrary::scanned, this, [this] {
        if (clock_.isValid() && !library_->scanning()) rest();
    });
    timer_.start(pause_);
}

void RunWatch::scan() {
    const QWidget* window = seen_ ? seen_->window() : nullptr;
    if (!window || !seen_->isVisible() || window->isMinimized() || library_->scanning()) return timer_.start(pause_);
    clock_.start();
    library_->refresh();
}

void RunWatch::rest() {
    const std::chrono::milliseconds taken(clock_.elapsed());
    clock_.invalidate();
    timer_.start(std::max(pause_, kShare * taken));
}

RunsPanel::RunsPanel(RunSet* store, RunLibrary* library, QWidget* parent)
    : QWidget(parent),
      store_(store),
      library_(library),
      panel_(new Panel(tr("Runs"))),
      model_(new RunTableModel(store, library, this)),
      view_(new PinnedTable(RunTableModel::Name + 1)),
      search_(new QLineEdit),
      grouping_(makeTool(QStringLiteral("runsGrouping"), "group", tr("Group seeds"), groupingTip(false))),
      filter_(makeTool(QStringLiteral("runsFilter"), "filter", tr("Filter"),
                       tr("Show only runs of a method, mask, tag, …"))),
      more_(makeTool(QStringLiteral("runsMore"), "more", tr("More"), tr("Columns, import, trash"))) {
    setObjectName(QStringLiteral("runsPanel"));
    setAccessibleName(tr("Runs"));
    panel_->setHeading(Panel::Heading::Section);
    store_->setCatalogue(library_->table().catalogue());
    makeView();
    columns_ = new RunColumns(view_);
    actions_ = new RunActions(store_, library_, model_, view_, columns_);
    makeHeader();

    auto* chips = new SearchChips(search_);
    panel_->body()->addWidget(chips);
    panel_->body()->addWidget(view_, 1);
    panel_->body()->setSpacing(4);
    panel_->setEdges(kTop, kBottom);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(panel_);

    connect(library_, &RunLibrary::noted, this, &RunsPanel::noteRequested);
    connect(library_, &RunLibrary::scanned, this, &RunsPanel::onScanned);
    connect(model_, &RunTableModel::arranged, this, &RunsPanel::updateState);
    connect(&KeyNames::instance(), &KeyNames::changed, view_->viewport(), qOverload<>(&QWidget::update));
    new RunFollower(store_, library_, this);
    new RunWatch(library_, this, RunWatch::kUsual, this);
    updateState();
}

void RunsPanel::makeHeader() {
    search_->setObjectName(QStringLiteral("runsSearch"));
    search_->setAccessibleName(tr("Search runs"));
    search_->setToolTip(
        tr("Show only runs that contain all these words. tag:word, method:word, mask:, data:, state: and note: look in "
           "one place; seed:3, seed:1..5, date:2026-11-28, date:>=2026-11, a_auc:>30 ask for numbers and days; a minus "
           "before a word leaves its runs out."));
    search_->setPlaceholderText(tr("Search runs"));
    search_->setClearButtonEnabled(true);
    connect(search_, &QLineEdit::textChanged, model_, &RunTableModel::setQuery);

    grouping_->setCheckable(true);
    grouping_->setProperty("toggle", true);
    connect(grouping_, &QToolButton::toggled, model_, &RunTableModel::setGrouped);
    connect(model_, &RunTableModel::groupedChanged, this, [this](bool grouped) {
        columns_->setSpreads(grouped);
        grouping_->setChecked(grouped);
        grouping_->setToolTip(groupingTip(grouped));
    });
    const auto addMenu = [this](QToolButton* button, auto fill) {
        auto* menu = new QMenu(button);
        menu->setObjectName(button->objectName() + QStringLiteral("Menu"));
        attachMenu(button, menu);
        button->setPopupMode(QToolButton::InstantPopup);
        connect(menu, &QMenu::aboutToShow, this, [fill, menu] { fill(menu); });
    };
    addMenu(filter_, [this](QMenu* menu) { fillFilterMenu(menu, *model_, search_); });
    addMenu(more_, [this](QMenu* menu) { actions_->fillListMenu(menu); });
    for (QWidget* widget : {static_cast<QWidget*>(grouping_), static_cast<QWidget*>(filter_),
                            static_cast<QWidget*>(search_), static_cast<QWidget*>(more_)})
        panel_->addHeaderWidget(widget);
    // Large text widens it by less: the buttons beside it need the room.
    fitToText(this, [this] { search_->setFixedWidth((2 * kSearchWidth + scaled(kSearchWidth)) / 3); });
}

void RunsPanel::makeView() {
    view_->setObjectName(QStringLiteral("runsTable"));
    view_->setAccessibleName(tr("Runs"));
    view_->setToolTip(tr("Click a run to select it, its dot to show or hide it beside the others"));
    view_->setModel(model_);
    view_->setItemDelegate(new RunRowDelegate(view_));
    view_->setFrameShape(QFrame::NoFrame);
    view_->setShowGrid(false);
    view_->setMouseTracking(true);
    view_->setWordWrap(false);
    view_->setTabKeyNavigation(false);
    view_->setSelectionBehavior(QAbstractItemView::SelectRows);
    view_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view_->setDragEnabled(true);
    view_->setDragDropMode(QAbstractItemView::DragOnly);
    view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->setContextMenuPolicy(Qt::CustomContextMenu);
    view_->setSortingEnabled(true);
    view_->sortByColumn(RunTableModel::When, Qt::DescendingOrder);
    view_->verticalHeader()->hide();
    QHeaderView* header = view_->horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionsClickable(true);
    header->setMinimumSectionSize(30);
    fitToText(this, [this] {
        view_->verticalHeader()->setMinimumSectionSize(scaled(kRowHeight));
        view_->verticalHeader()->setDefaultSectionSize(scaled(kRowHeight));
        view_->setMinimumHeight(scaled(kRowHeight));
    });
    const auto idAt = [](const QModelIndex& index) { return index.data(RunTableModel::IdRole).toString(); };
    connect(view_, &QTableView::clicked, this, [this, idAt](const QModelIndex& index) {
        // With a key a click chooses among rows.
        if (index.column() == RunTableModel::Shown || view_->selectionModel()->selectedRows().size() > 1) return;
        if (model_->runAt(index))
            model_->showForNow(idAt(index));
        else
            model_->toggle(idAt(index));
    });
    connect(view_, &QTableView::doubleClicked, this, [this, idAt](const QModelIndex& index) {
        if (index.column() == RunTableModel::Shown || !model_->runAt(index)) return;
        if (model_->flags(index) & Qt::ItemIsEditable)
            actions_->openEditor(index);
        else
            model_->selectRun(idAt(index));
    });
    connect(view_, &QTableView::customContextMenuRequested, this, &RunsPanel::showMenu);
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this, idAt](const QModelIndex& now) {
        if (now.isValid()) current_ = idAt(now);
    });
    connect(model_, &QAbstractItemModel::modelReset, this, [this] {
        const int row = current_.isEmpty() ? -1 : model_->rowOf(current_);
        if (row >= 0) view_->setCurrentIndex(model_->index(row, RunTableModel::Name));
    });
    explainRuns(view_, store_, library_);
    view_->installEventFilter(this);
    view_->viewport()->installEventFilter(this);
}

QString RunsPanel::currentRun() const {
    return model_->runAt(view_->currentIndex()) ? view_->currentIndex().data(RunTableModel::IdRole).toString()
                                                : QString();
}

/// Qt offers drops that a child does not accept to its parents.
void RunsPanel::acceptRunsOn(QWidget* plot) {
    plot->setAcceptDrops(true);
    plot->installEventFilter(this);
}

bool RunsPanel::handleDrop(QEvent* event) {
    const bool drag = event->type() == QEvent::DragEnter || event->type() == QEvent::DragMove;
    if (!drag && event->type() != QEvent::Drop) return false;
    auto* drop = static_cast<QDropEvent*>(event);
    if (!drop->mimeData()->hasFormat(QString::fromLatin1(RunTableModel::kMimeType))) {
        // Files and the like are the window's.
        event->ignore();
        return true;
    }
    drop->setDropAction(Qt::CopyAction);
    drop->accept();
    if (drag) return true;
    for (const QString& id : RunTableModel::idsIn(*drop->mimeData())) model_->setShown(id, true);
    return true;
}

void RunsPanel::updateState() {
    const int count = model_->matching(), all = model_->offered();
    const QString text = all == 0      ? tr("No runs yet")
                         : count < all ? tr("%1 of %2 runs").arg(count).arg(all)
                         : all == 1    ? tr("1 run")
                                       : tr("%1 runs").arg(all);
    view_->setAccessibleDescription(text);
    const bool any = !model_->rows().empty();
    for (QWidget* widget :
         {static_cast<QWidget*>(search_), static_cast<QWidget*>(grouping_), static_cast<QWidget*>(filter_)})
        widget->setVisible(any);
    columns_->setHeadingsShown(any);
    view_->viewport()->update();
}

void RunsPanel::onScanned(const QStringList& unreadable) {
    updateState();
    for (const QString& sentence : unreadable) {
        if (noted_.contains(sentence)) continue;
        noted_.insert(sentence);
        Q_EMIT noteRequested(sentence, tr("The list of runs leaves it out."));
    }
}

void RunsPanel::showMenu(const QPoint& position) {
    // Asked for by keyboard, the menu is for the current row.
    const QModelIndex under = view_->indexAt(position), index = under.isValid() ? under : view_->currentIndex();
    if (!index.isValid()) return;
    // Its cell becomes the current one: selectRow() would choose one that is covered, and scroll to it.
    if (!view_->selectionModel()->isRowSelected(index.row())) view_->setCurrentIndex(index);
    auto* menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("runsMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    actions_->fillMenu(menu, index);
    menu->popup(view_->viewport()->mapToGlobal(position));
}

void RunsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    // Runs of the command line appear at once when the user comes back to the window.
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && !library_->scanning()) library_->refresh();
}

void RunsPanel::toggleShown(const QModelIndex& index) {
    model_->setShownAt(index,
                       index.siblingAtColumn(RunTableModel::Shown).data(Qt::CheckStateRole).toInt() != Qt::Checked);
}

bool RunsPanel::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    const QModelIndex current = view_->currentIndex();
    // Return and Delete in a cell being edited come here, too.
    if (!current.isValid() || view_->viewport()->isAncestorOf(QApplication::focusWidget())) return false;
    const bool enter = key == Qt::Key_Return || key == Qt::Key_Enter;
    if (enter && modifiers & Qt::ShiftModifier)
        toggleShown(current);
    else if (enter && model_->runAt(current))
        model_->selectRun(currentRun());
    else if (enter)
        model_->toggle(current.data(RunTableModel::IdRole).toString());
    else if (key == Qt::Key_Delete)
        actions_->removeSelected();
    else if (key == Qt::Key_F2)
        actions_->edit(current.column() == RunTableModel::Tags ? RunTableModel::Tags : RunTableModel::Note);
    else
        return false;
    return true;
}

void RunsPanel::paintEmpty() {
    QPainter painter(view_->viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = Theme::of(this);
    const QRect area = view_->viewport()->rect();
    if (!model_->rows().empty()) {
        drawEmptyState(painter, area, font(), theme,
                       model_->offered() == 0 ? tr("All runs are hidden") : tr("No run matches this search"));
        return;
    }
    painter.setPen(Qt::NoPen);
    for (int y = 6; y + 10 < area.height(); y += kRowHeight) {
        painter.setBrush(theme.line);
        painter.drawEllipse(QPointF(15, y + 6), 4.5, 4.5);
        for (int x = 40, i = 0; x < area.width() - 60; x += i == 0 ? 240 : 96, ++i)
            painter.drawRoundedRect(QRectF(x, y + 2, i == 0 ? 130 : 52, 8), 4, 4);
    }
    drawEmptyState(painter, area, font(), theme, tr("No runs yet. Press |{startRun}| to start the first"));
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched != view_ && watched != view_->viewport())
        return handleDrop(event) || QWidget::eventFilter(watched, event);
    if (watched == view_ && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (handleKey(key->key(), key->modifiers())) return true;
    }
    if (watched == view_->viewport() && event->type() == QEvent::Resize && columns_) columns_->fit();
    if (watched == view_->viewport() && event->type() == QEvent::Paint && model_->rowCount() == 0) {
        paintEmpty();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace palimpsest
