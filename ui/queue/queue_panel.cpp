// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/queue_panel.h"

#include <QAction>
#include <QFontMetrics>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <limits>

#include "engine/support/format.h"
#include "ui/queue/queue_model.h"
#include "ui/state/number_text.h"
#include "ui/state/run_queue.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/icons.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/words_after_numbers.h"

namespace palimpsest {
namespace {

constexpr int kSteps = 1000;
constexpr int kQueueRow = 25;  // as high as a row of the runs
constexpr double kShareLine = 2;
constexpr int kSeedWidth = 40, kStateWidth = 100;  // "running, 42 %"
constexpr int kEndedWidth = 60;                    // "failed"
constexpr int kWholeSeed = 10;                     // digits
constexpr int kLeastName = 24;
constexpr int kWordsGap = 10;  // before a state

/// Rows that a finger finds, in the text's size; below the state of what is running a line as long as its share.
class QueueRow : public WordsAfterNumbers {
public:
    using WordsAfterNumbers::WordsAfterNumbers;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const QSize size = WordsAfterNumbers::sizeHint(option, index);
        return {size.width(), std::max(size.height(), scaled(kQueueRow))};
    }
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        WordsAfterNumbers::initStyleOption(option, index);
        if (index.column() != QueueModel::kState || !index.data(QueueModel::FailedRole).toBool()) return;
        const QColor worse = Theme::of(option->palette).worse;
        option->palette.setColor(QPalette::Text, worse);
        option->palette.setColor(QPalette::HighlightedText, worse);
    }
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        WordsAfterNumbers::paint(painter, option, index);
        const double share = index.data(QueueModel::ShareRole).toDouble();
        if (index.column() != QueueModel::kState || share <= 0 || share >= 1) return;
        const QRectF cell = option.rect;
        const Theme& theme = Theme::of(option.palette);
        const QRectF whole(cell.left(), cell.bottom() - kShareLine, cell.width(), kShareLine);
        painter->fillRect(whole, theme.line);
        painter->fillRect(QRectF(whole.topLeft(), QSizeF(whole.width() * share, kShareLine)), theme.accent);
    }
};

}  // namespace

QueuePanel::QueuePanel(RunQueue* queue, QWidget* parent)
    : Panel(tr("Queue"), {}, parent),
      queue_(queue),
      model_(new QueueModel(queue, this)),
      asks_(new QFrame),
      question_(makeTextLabel(text_size::kText, QFont::DemiBold, false)),
      empty_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      status_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      bar_(new QProgressBar),
      list_(new QTreeView),
      pause_(makeLink("queuePause", tr("Pause"), tr("Nothing new begins; what is running goes on"))),
      more_(makeLink("queueMore", tr("More"), tr("Sweeps, and the end of the list"))),
      at_once_(new QSpinBox),
      clear_(new QAction(tr("&Clear ended"), this)) {
    setObjectName("queuePanel");
    setHeading(Heading::Section);
    withIcon(pause_, "pause");
    pause_->setCheckable(true);
    withIcon(more_, "more");
    more_->setPopupMode(QToolButton::InstantPopup);
    auto* others = new QMenu(more_);
    const auto offer = [&](const QString& name, const QString& text, void (QueuePanel::*asked)()) {
        QAction* action = others->addAction(text);
        action->setObjectName(name);
        connect(action, &QAction::triggered, this, asked);
    };
    offer("queueNewSweep", tr("&New sweep …"), &QueuePanel::newSweepAsked);
    offer("queueOpenGrid", tr("Queue a &grid file …"), &QueuePanel::openGridAsked);
    offer("queueOpenSweep", tr("&Open sweep folder …"), &QueuePanel::openSweepAsked);
    others->addSeparator();
    clear_->setObjectName("queueClear");
    clear_->setToolTip(tr("Take what has ended off the list; its folders stay"));
    others->addAction(clear_);
    attachMenu(more_, others);
    for (QWidget* widget : QList<QWidget*>{pause_, more_}) addHeaderWidget(widget);

    asks_->setObjectName("queueAsks");
    asks_->setAccessibleName(tr("Going on with the queue"));
    question_->setObjectName("queueQuestion");
    auto* go = makeButton("queueGoOn", tr("Go on"), tr("Go on with what the queue held when the window was closed"));
    auto* later = makeButton("queueLater", tr("Not now"), tr("Leave the queue paused"));
    go->setProperty("primary", true);
    auto* answers = new QHBoxLayout;
    answers->addWidget(go);
    answers->addWidget(later);
    answers->addStretch(1);
    auto* asking = new QVBoxLayout(asks_);
    asking->setContentsMargins(0, 0, 0, spacing::kRow);
    asking->setSpacing(spacing::kRow);
    asking->addWidget(question_);
    asking->addLayout(answers);
    connect(go, &QPushButton::clicked, queue_, &RunQueue::goOn);
    connect(later, &QPushButton::clicked, this, [this] { queue_->setPaused(true); });

    empty_->setObjectName("queueEmpty");
    empty_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    status_->setObjectName("queueStatus");
    bar_->setObjectName("queueBar");
    bar_->setAccessibleName(tr("Progress of the queue"));
    bar_->setToolTip(tr("How much of what was queued has been done"));
    bar_->setTextVisible(false);
    bar_->setRange(0, kSteps);

    list_->setObjectName("queueList");
    list_->setAccessibleName(tr("Queued runs"));
    list_->setToolTip(tr("Drag rows to reorder them"));
    list_->setModel(model_);
    list_->setRootIsDecorated(false);
    list_->setUniformRowHeights(true);
    list_->setItemDelegate(new QueueRow(list_));
    list_->setAllColumnsShowFocus(true);
    list_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    list_->setDragDropMode(QAbstractItemView::InternalMove);
    list_->setDefaultDropAction(Qt::MoveAction);
    list_->setDragDropOverwriteMode(false);
    list_->setContextMenuPolicy(Qt::ActionsContextMenu);
    list_->setTextElideMode(Qt::ElideRight);
    list_->setProperty("wordsLast", true);
    // Names give way, not the list.
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->header()->setStretchLastSection(false);
    list_->header()->setMinimumSectionSize(1);
    list_->header()->setSectionResizeMode(QHeaderView::Fixed);
    // Of a long list, the rows in sight say how wide names and states are.
    list_->header()->setResizeContentsPrecision(0);
    list_->viewport()->installEventFilter(this);
    fitToText(this, [this] { placeColumns(); });

    hold_ = makeAction("queueHold", tr("&Hold"), "pause",
                       tr("It waits until it is released; a run stops and keeps what it learned"), {},
                       &QueuePanel::holdOrRelease);
    end_ = makeAction("queueEndLearner", tr("&End learner"), "stop",
                      tr("End a learner that does not answer; the run can go on from its newest checkpoint"), {},
                      &QueuePanel::endLearners);
    retry_ = makeAction("queueRetry", tr("&Try again"), "redo", tr("Begin it again, or go on where it ended"), {},
                        &QueuePanel::retry);
    up_ = makeAction("queueUp", tr("Move &up"), "", tr("Before the one above it"), Qt::ALT | Qt::Key_Up,
                     &QueuePanel::moveUp);
    down_ = makeAction("queueDown", tr("Move &down"), "", tr("Behind the one below it"), Qt::ALT | Qt::Key_Down,
                       &QueuePanel::moveDown);
    show_ = makeAction("queueShow", tr("&Show"), "shown",
                       tr("Show the run in the figures, or the sweep as a table; the form stays as it is"),
                       Qt::Key_Return, &QueuePanel::showSelected);
    take_back_ = makeAction("queueTakeBack", tr("Take &back"), "remove", tr("Take it off the list; its folder stays"),
                            QKeySequence::Delete, &QueuePanel::takeBack);
    connect(list_, &QTreeView::doubleClicked, this, &QueuePanel::showSelected);

    at_once_->setObjectName("queueAtOnce");
    at_once_->setAccessibleName(tr("Runs at once"));
    at_once_->setToolTip(tr("Runs at the same time, which share the processor's cores; a sweep takes all of them"));
    at_once_->setButtonSymbols(QAbstractSpinBox::NoButtons);
    at_once_->setRange(1, kMostAtOnce);
    guardWheel(at_once_);
    connect(at_once_, &QSpinBox::valueChanged, queue_, &RunQueue::setAtOnce);
    auto* label = makeLabel(tr("At once"), text_size::kText, QFont::Normal, true);
    label->setBuddy(at_once_);

    auto* foot = new QHBoxLayout;
    foot->addWidget(label);
    foot->addWidget(at_once_);
    foot->addStretch(1);
    body()->addWidget(asks_);
    body()->addWidget(empty_, 1);
    body()->addWidget(list_, 1);
    body()->addWidget(bar_);
    body()->addWidget(status_);
    body()->addLayout(foot);

    connect(pause_, &QToolButton::clicked, queue_, &RunQueue::setPaused);
    connect(clear_, &QAction::triggered, queue_, &RunQueue::clearEnded);
    connect(queue_, &RunQueue::changed, this, &QueuePanel::refresh);
    connect(queue_, &RunQueue::added, this, &QueuePanel::showAdded);
    // Whoever scrolls, or goes to another row, wants to see something else.
    connect(list_->verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { fresh_ = 0; });
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        if (model_->idAt(current.row()) != fresh_) fresh_ = 0;
    });
    connect(queue_, &RunQueue::progressed, this, &QueuePanel::refresh);
    connect(queue_, &RunQueue::asksChanged, this, &QueuePanel::refresh);
    connect(model_, &QAbstractItemModel::modelAboutToBeReset, this, [this] { kept_ = selected(); });
    connect(model_, &QAbstractItemModel::modelReset, this, &QueuePanel::keepSelection);
    connect(list_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePanel::refreshActions);
    refresh();
}

QAction* QueuePanel::makeAction(const QString& name, const QString& text, const QString& sign, const QString& tip,
                                const QKeySequence& keys, void (QueuePanel::*act)()) {
    auto* action = new QAction(text, list_);
    action->setObjectName(name);
    action->setToolTip(tip);
    if (!sign.isEmpty()) action->setIcon(icon(sign));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetShortcut);
    connect(action, &QAction::triggered, this, act);
    list_->addAction(action);
    return action;
}

bool QueuePanel::event(QEvent* event) {
    if (event->type() == QEvent::Show) refresh();
    return Panel::event(event);
}

bool QueuePanel::eventFilter(QObject* watched, QEvent* event) {
    if (watched == list_->viewport() && event->type() == QEvent::Resize) {
        placeColumns();
        // The panel may come into sight for what was added, and finds its size only then.
        reveal();
    }
    return Panel::eventFilter(watched, event);
}

int QueuePanel::seedWidth(qsizetype digits) const {
    const QFontMetrics letters = list_->fontMetrics();
    int width = list_->header()->sectionSizeHint(QueueModel::kSeed);
    for (const int row : model_->longestSeeds()) {
        const QModelIndex index = model_->index(row, QueueModel::kSeed);
        // Another number may be as long, of wider digits.
        const QString text = index.data().toString(), widest(std::min(text.size(), digits), QLatin1Char('8'));
        const int more = letters.horizontalAdvance(widest) - letters.horizontalAdvance(text);
        const int whole = text.size() <= digits ? std::max(0, more) : more;
        width = std::max(width, list_->sizeHintForIndex(index).width() + whole);
    }
    return width;
}

void QueuePanel::placeColumns() {
    QHeaderView* header = list_->header();
    const QAbstractItemView* cells = list_;
    const auto wanted = [&](int column) {
        return std::max(cells->sizeHintForColumn(column), header->sectionSizeHint(column));
    };
    const int room = list_->viewport()->width(), least_seed = scaled(kSeedWidth);
    // What works or waits will have a longer state.
    const int least_state = scaled(queue_->working() + queue_->waiting() > 0 ? kStateWidth : kEndedWidth);
    const int least_name = std::max(scaled(kLeastName), header->sectionSizeHint(QueueModel::kName));
    const int most_seed = std::max({least_seed, room / 3, seedWidth(kWholeSeed)});
    const int seed = std::clamp(seedWidth(std::numeric_limits<int>::max()), least_seed, most_seed);
    const int rest = room - seed;
    // A long state leaves a long name its share; the words of a short one leave it more.
    const int shared = std::max(least_state, rest * 4 / 7);
    const int state = std::min(shared, std::max(least_state, wanted(QueueModel::kState) + scaled(kWordsGap)));
    const int name = std::max(least_name, std::min(wanted(QueueModel::kName), rest - state));
    header->resizeSection(QueueModel::kName, name);
    header->resizeSection(QueueModel::kSeed, seed);
    header->resizeSection(QueueModel::kState, std::max(1, rest - name));
}

void QueuePanel::showAdded(int jobs) {
    const std::vector<QueueJob>& all = queue_->jobs();
    if (jobs <= 0 || all.size() < static_cast<std::size_t>(jobs)) return;
    fresh_ = all[all.size() - static_cast<std::size_t>(jobs)].id;
    list_->selectionModel()->setCurrentIndex(model_->index(model_->rowOf(fresh_), 0),
                                             QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
    reveal();
}

void QueuePanel::reveal() {
    const int row = fresh_ == 0 ? -1 : model_->rowOf(fresh_);
    if (row < 0) return;
    // As many of those behind it as there is room for.
    list_->scrollTo(model_->index(model_->rowCount() - 1, 0));
    list_->scrollTo(model_->index(row, 0));
}

QList<std::int64_t> QueuePanel::selected() const {
    QList<int> rows;
    for (const QModelIndex& index : list_->selectionModel()->selectedRows()) rows.append(index.row());
    std::ranges::sort(rows);
    QList<std::int64_t> ids;
    for (const int row : rows) ids.append(model_->idAt(row));
    return ids;
}

void QueuePanel::keepSelection() {
    QItemSelection selection;
    QModelIndex first;
    for (const std::int64_t id : kept_) {
        const int row = model_->rowOf(id);
        if (row < 0) continue;
        const QModelIndex index = model_->index(row, 0);
        if (!first.isValid()) first = index;
        selection.select(index, model_->index(row, QueueModel::kColumns - 1));
    }
    if (first.isValid()) list_->selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    list_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
}

void QueuePanel::refresh() {
    const auto all = static_cast<int>(queue_->jobs().size());
    int ended = 0, failed = 0;
    double done = 0;
    int counted = 0;
    for (const QueueJob& job : queue_->jobs()) {
        ended += job.ended() ? 1 : 0;
        failed += job.state == QueueState::Failed ? 1 : 0;
        if (job.state == QueueState::Held) continue;
        ++counted;
        done += job.ended() ? 1 : job.working() ? queue_->share(job.id) : 0;
    }
    const bool elsewhere = queue_->elsewhere();
    empty_->setText(elsewhere ? RunQueue::elsewhereText() + ' ' + RunQueue::elsewhereHint()
                              : tr("Nothing is queued. “Add to queue” beside Start puts the experiment here, with as "
                                   "many seeds as you like; each run begins when there is room for it."));
    for (QWidget* widget : QList<QWidget*>{pause_, at_once_}) widget->setEnabled(!elsewhere);
    empty_->setVisible(all == 0);
    list_->setVisible(all > 0);
    bar_->setVisible(queue_->working() > 0 || queue_->waiting() > 0);
    bar_->setValue(counted > 0 ? static_cast<int>(done * kSteps / counted) : 0);
    QStringList parts;
    if (queue_->working() > 0) parts.append(tr("%n running", nullptr, queue_->working()));
    if (queue_->waiting() > 0) parts.append(tr("%n waiting", nullptr, queue_->waiting()));
    if (queue_->held() > 0) parts.append(tr("%n held", nullptr, queue_->held()));
    if (failed > 0) parts.append(tr("%n failed", nullptr, failed));
    if (ended > failed) parts.append(tr("%n ended", nullptr, ended - failed));
    if (queue_->paused()) parts.append(tr("paused"));
    if (const auto left = queue_->left())
        parts.append(unbrokenText(tr("about %1 left").arg(QString::fromStdString(roughDuration(*left)))));
    else if (queue_->leftUnknown())
        parts.append(tr("time left unknown"));
    status_->setText(parts.join(QStringLiteral(" · ")));
    status_->setVisible(!parts.isEmpty());
    const int asked = queue_->asksAbout(), more = queue_->waiting() + queue_->working() - asked;
    QString question = asked == 1 ? tr("The queue was left with one run. Go on with it?")
                                  : tr("The queue was left with %1 runs. Go on with them?").arg(asked);
    if (more > 0)
        question += ' ' + (more == 1 ? tr("One more waits for your answer, too.")
                                     : tr("%1 more wait for your answer, too.").arg(more));
    question_->setText(question);
    asks_->setVisible(queue_->asks());
    pause_->setChecked(queue_->paused());
    showPause();
    clear_->setEnabled(ended > 0);
    const QSignalBlocker blocker(at_once_);
    at_once_->setValue(queue_->atOnce());
    placeColumns();
    refreshActions();
}

void QueuePanel::showPause() {
    const QString text = queue_->paused() ? tr("Go on") : tr("Pause");
    if (pause_->text() == text) return;
    pause_->setText(text);
    pause_->setToolTip(queue_->paused() ? tr("What waits begins again, in its order")
                                        : tr("Nothing new begins; what is running goes on"));
    pause_->setIcon(icon(queue_->paused() ? "play" : "pause"));
}

void QueuePanel::refreshActions() {
    bool holds = false, releases = false, fails = false, ends = false;
    const QList<std::int64_t> ids = selected();
    for (const std::int64_t id : ids) {
        const QueueJob* job = queue_->find(id);
        if (!job) continue;
        releases = releases || job->state == QueueState::Held;
        holds = holds || job->state == QueueState::Waiting || job->state == QueueState::Running;
        fails = fails || job->state == QueueState::Failed;
        ends = ends || queue_->waitsForLearner(id);
    }
    end_->setVisible(ends);
    hold_->setEnabled(holds || releases);
    hold_->setText(holds || !releases ? tr("&Hold") : tr("&Release"));
    hold_->setIcon(icon(holds || !releases ? "pause" : "play"));
    retry_->setEnabled(fails);
    for (QAction* action : {take_back_, up_, down_}) action->setEnabled(!ids.isEmpty());
    show_->setEnabled(ids.size() == 1);
}

void QueuePanel::holdOrRelease() {
    bool holds = false;
    for (const std::int64_t id : selected())
        if (const QueueJob* job = queue_->find(id))
            holds = holds || job->state == QueueState::Waiting || job->state == QueueState::Running;
    queue_->hold(selected(), holds);
}

void QueuePanel::endLearners() {
    queue_->endLearners(selected());
}

void QueuePanel::takeBack() {
    queue_->takeBack(selected());
}

void QueuePanel::retry() {
    queue_->retry(selected());
}

void QueuePanel::moveUp() {
    moveBy(-1);
}

void QueuePanel::moveDown() {
    moveBy(1);
}

void QueuePanel::moveBy(int rows) {
    QList<std::int64_t> ids = selected();
    if (ids.isEmpty()) return;
    const int edge = rows < 0 ? model_->rowOf(ids.constFirst()) - 1 : model_->rowOf(ids.constLast()) + 1;
    if (edge < 0 || edge >= model_->rowCount()) return;
    // The one next to them goes to their other side.
    const int other = rows < 0 ? model_->rowOf(ids.constLast()) + 1 : model_->rowOf(ids.constFirst());
    queue_->move(model_->idAt(edge), static_cast<std::size_t>(other));
}

void QueuePanel::showSelected() {
    const QList<std::int64_t> ids = selected();
    const QueueJob* job = ids.size() == 1 ? queue_->find(ids.constFirst()) : nullptr;
    if (!job) return;
    const QString folder = QString::fromStdString(job->folder.string());
    if (job->isSweep())
        Q_EMIT sweepAsked(folder);
    else
        Q_EMIT runAsked(folder);
}

}  // namespace palimpsest
