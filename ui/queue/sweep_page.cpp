// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/queue/sweep_page.h"

#include <QComboBox>
#include <QFrame>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QMessageBox>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/support/format.h"
#include "ui/queue/more_seeds.h"
#include "ui/state/engine_text.h"
#include "ui/state/number_text.h"
#include "ui/style/text_style.h"
#include "ui/style/theme.h"
#include "ui/widgets/controls.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/words_after_numbers.h"

namespace palimpsest {
namespace {

namespace fs = std::filesystem;

constexpr int kPageWidth = 1000, kPageHeight = 640;

/// Rows as high as those with a curve.
class LineRow : public WordsAfterNumbers {
public:
    using WordsAfterNumbers::WordsAfterNumbers;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        return WordsAfterNumbers::sizeHint(option, index).expandedTo({0, scaled(kCurveHeight)});
    }
};

QTreeView* makeTable(const QString& name, const QString& title, QAbstractItemModel* model, const QList<int>& widths) {
    auto* view = new QTreeView;
    view->setObjectName(name);
    view->setAccessibleName(title);
    view->setToolTip(title);
    view->setModel(model);
    view->setRootIsDecorated(false);
    view->setUniformRowHeights(true);
    view->setAllColumnsShowFocus(true);
    view->setProperty("wordsLast", true);
    view->setItemDelegate(new LineRow(view));
    view->header()->setStretchLastSection(true);
    fitToText(view, [view, widths] {
        for (int column = 0; column < widths.size(); ++column)
            view->header()->resizeSection(column, scaled(widths[column]));
    });
    return view;
}

}  // namespace

SweepPage::SweepPage(const OptionTable* table, QWidget* parent)
    : QDialog(parent),
      table_(table),
      title_(makeTextLabel(text_size::kTitle, QFont::DemiBold, false)),
      status_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      note_(makeTextLabel(text_size::kCaption, QFont::Normal, true)),
      cluster_(makeTextLabel(text_size::kText, QFont::Normal, true)),
      metric_(new QComboBox),
      bar_(new QProgressBar),
      lines_(new SweepLinesModel(this)),
      runs_(new SweepRunsModel(this)),
      lines_view_(makeTable("sweepLines", tr("Rows of the sweep, and what their differences are worth so far"), lines_,
                            {230, 64, 106, 84, 112})),
      runs_view_(makeTable("sweepRuns", tr("Runs of the sweep"), runs_, {44, 250, 50, 170, 70})),
      open_(makeButton("sweepOpenRun", tr("Show run"), tr("Show the selected run in the figures"))),
      seeds_(makeButton("sweepMoreSeeds", tr("Add seeds …"), QString())),
      rest_(makeButton("sweepRest", tr("Queue what is missing"), QString())),
      cancel_(makeButton("sweepCancelJobs", tr("Cancel on the cluster …"),
                         tr("Cancel the sweep's jobs in Slurm: what waits and what runs"))),
      bring_(makeButton("sweepBring", tr("Bring checkpoints here"),
                        tr("Copy checkpoints and prompts, too; they may be many times as large as the rest"))),
      follow_(makeButton("sweepFollow", tr("Follow it again"), tr("Bring what is new, and go on doing so"))) {
    setObjectName("sweepPage");
    setWindowTitle(tr("Sweep"));
    title_->setObjectName("sweepTitle");
    status_->setObjectName("sweepStatus");
    note_->setObjectName("sweepNote");
    cluster_->setObjectName("sweepCluster");
    cluster_->setAccessibleName(tr("Where it runs"));
    metric_->setObjectName("sweepMetric");
    metric_->setAccessibleName(tr("Number"));
    metric_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    metric_->setToolTip(tr("The number whose means and differences the rows show"));
    bar_->setObjectName("sweepBar");
    bar_->setAccessibleName(tr("Runs that have finished"));
    bar_->setToolTip(tr("Runs that have finished"));
    bar_->setTextVisible(false);
    runs_view_->setItemDelegateForColumn(SweepRunsModel::kCurve, new CurveDelegate(runs_view_));
    auto* all = makeButton("sweepAllRows", tr("All rows"), tr("Show the runs of all rows below"));
    auto* label = makeLabel(tr("&Number"), text_size::kText, QFont::Normal, true);
    label->setBuddy(metric_);
    auto* head = new QHBoxLayout;
    head->addWidget(title_, 1);
    head->addWidget(label);
    head->addWidget(metric_);
    auto* split = new QSplitter(Qt::Vertical);
    split->setObjectName("sweepSplitter");
    split->setChildrenCollapsible(false);
    for (QTreeView* view : {lines_view_, runs_view_}) {
        auto* frame = new QFrame;
        frame->setProperty("panel", true);
        auto* room = new QVBoxLayout(frame);
        room->setContentsMargins(spacing::kRow, spacing::kClose, spacing::kRow, spacing::kClose);
        room->addWidget(view);
        split->addWidget(frame);
    }
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    auto* foot = new QHBoxLayout;
    foot->addWidget(status_, 1);
    for (QPushButton* button : {all, open_, seeds_, rest_}) foot->addWidget(button);
    auto* column = new QVBoxLayout(this);
    column->setSpacing(spacing::kRow);
    column->addLayout(head);
    auto* away = new QHBoxLayout;
    away->addWidget(cluster_, 1);
    for (QPushButton* button : {follow_, bring_, cancel_}) away->addWidget(button, 0, Qt::AlignTop);
    column->addLayout(away);
    column->addWidget(note_);
    column->addWidget(split, 1);
    column->addWidget(bar_);
    column->addLayout(foot);
    fitToText(this, [this] { resize(scaled(kPageWidth), scaled(kPageHeight)); });

    connect(metric_, &QComboBox::currentIndexChanged, this,
            [this](int metric) { lines_->setMetric(static_cast<std::size_t>(std::max(0, metric))); });
    connect(metric_, &QComboBox::activated, this, [this] { metric_chosen_ = true; });
    connect(lines_view_->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = lines_view_->selectionModel()->selectedRows();
        runs_->setLine(rows.isEmpty() ? std::nullopt
                                      : std::optional(static_cast<std::size_t>(rows.constFirst().row())));
    });
    connect(all, &QPushButton::clicked, lines_view_, &QAbstractItemView::clearSelection);
    connect(runs_view_, &QTreeView::activated, this, &SweepPage::askForRun);
    connect(open_, &QPushButton::clicked, this, &SweepPage::askForRun);
    connect(runs_view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &SweepPage::refresh);
    connect(runs_, &QAbstractItemModel::modelReset, this, &SweepPage::refresh);
    connect(seeds_, &QPushButton::clicked, this, &SweepPage::askForSeeds);
    connect(rest_, &QPushButton::clicked, this, [this] { queueRest(true); });
    connect(cancel_, &QPushButton::clicked, this, &SweepPage::askToCancel);
    connect(bring_, &QPushButton::clicked, this, [this] { Q_EMIT checkpointsAsked(folder_); });
    connect(follow_, &QPushButton::clicked, this, [this] { Q_EMIT followAsked(folder_); });
    timer_.setInterval(kLookMs);
    connect(&timer_, &QTimer::timeout, this, &SweepPage::look);
    refresh();
}

SweepPage::~SweepPage() = default;

void SweepPage::open(const fs::path& folder) {
    background_.cancelNewest();
    looking_ = false;
    // What it has read is freed on the thread that read it.
    if (watch_) background_.run([old = std::move(watch_)]() mutable { old.reset(); }, [] {});
    watch_ = std::make_shared<report::SweepWatch>(table_, folder);
    folder_ = QString::fromStdString(fs::absolute(folder).lexically_normal().string());
    sweep_ = nullptr;
    standing_.reset();
    busy_ = fitted_ = metric_chosen_ = false;
    lines_->setSweep(nullptr);
    runs_->setSweep(nullptr);
    title_->setText(QString::fromStdString(folder.filename().string()));
    status_->setText(tr("Reading …"));
    note_->clear();
    refreshCluster();
    Q_EMIT opened(folder_);
    look();
}

void SweepPage::setStanding(const std::optional<RemoteRuns::Standing>& standing) {
    standing_ = standing;
    refreshCluster();
    look();
}

void SweepPage::setQueued(bool queued) {
    if (queued == queued_) return;
    queued_ = queued;
    refresh();
}

void SweepPage::setBusy(bool busy) {
    busy_ = busy;
    refreshCluster();
}

void SweepPage::refreshCluster() {
    const bool copied = standing_ || (sweep_ && !sweep_->copied_from.empty());
    const bool slurm = sweep_ && sweep_->slurm;
    const QString place = standing_ ? standing_->place
                          : copied  ? QString::fromStdString(sweep_->copied_from)
                                    : QString();
    QString text;
    if (standing_ && standing_->broken)
        text = tr("%1 The runs go on in %2; copying is tried again by itself.").arg(standing_->message, place);
    else if (standing_ && !standing_->message.isEmpty())
        text = tr("A copy of %1, which grows. Slurm's words are missing: %2").arg(place, standing_->message);
    else if (standing_)
        text = tr("A copy of %1, which grows as that does.").arg(place);
    else if (copied)
        text = tr("A copy of %1, which is not followed now.").arg(place);
    else if (slurm)
        text = tr("A script for Slurm lies in its folder.");
    cluster_->setText(text);
    cluster_->setVisible(!text.isEmpty());
    follow_->setVisible(copied && !standing_);
    bring_->setVisible(copied);
    bring_->setEnabled(!busy_);
    cancel_->setVisible(slurm || standing_);
    cancel_->setEnabled(!busy_);
}

void SweepPage::askToCancel() {
    auto* question =
        new QMessageBox(QMessageBox::Question, tr("Cancel on the cluster"),
                        tr("Cancel the jobs of “%1” in Slurm?").arg(title_->text()), QMessageBox::NoButton, this);
    question->setObjectName("sweepCancelQuestion");
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(
        tr("Tasks that wait no longer begin; runs that go on write a checkpoint and stop. To go on later, submit the "
           "sweep again."));
    QPushButton* yes = question->addButton(tr("Cancel the jobs"), QMessageBox::DestructiveRole);
    yes->setObjectName("sweepCancelYes");
    question->setDefaultButton(question->addButton(tr("Let them run"), QMessageBox::RejectRole));
    connect(yes, &QPushButton::clicked, this, [this, folder = folder_] { Q_EMIT cancelAsked(folder); });
    question->open();
}

void SweepPage::queueRest(bool timed) {
    if (!sweep_) return;
    const std::string title = sweep_->table.title.empty() ? sweep_->folder.filename().string() : sweep_->table.title;
    Q_EMIT restAsked(sweep_->folder / "sweep.toml", sweep_->folder, QString::fromStdString(title),
                     timed ? sweep_->left.value_or(0) : 0);
}

void SweepPage::askForSeeds() {
    if (!sweep_) return;
    std::vector<std::int64_t> seeds;
    std::set<std::int64_t> known;
    for (const report::WatchedRun& run : sweep_->runs)
        if (known.insert(run.seed).second) seeds.push_back(run.seed);
    if (!more_seeds_) {
        more_seeds_ = new MoreSeedsDialog(*table_, this);
        connect(more_seeds_, &MoreSeedsDialog::chosen, this, &SweepPage::addMoreSeeds);
    }
    more_seeds_->ask(title_->text(), std::ssize(sweep_->lines), seeds);
}

void SweepPage::addMoreSeeds(const QString& seeds) {
    if (!sweep_) return;
    work_.run(
        [table = table_, folder = sweep_->folder, seeds = seeds.toStdString()] { addSeeds(*table, folder, seeds); },
        [this, folder = sweep_->folder] {
            more_seeds_->finish();
            // Another folder may be shown by now.
            if (!sweep_ || sweep_->folder != folder) return;
            queueRest(false);
            look();
        },
        [this](const Failure& failure) { more_seeds_->fail(failure); });
}

void SweepPage::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    timer_.start();
    look();
}

void SweepPage::hideEvent(QHideEvent* event) {
    QDialog::hideEvent(event);
    timer_.stop();
}

void SweepPage::look() {
    if (!watch_ || looking_) return;
    looking_ = true;
    background_.runNewest([watch = watch_] { return watch->look(kPart); },
                          [this](const WatchedSweepPtr& news) {
                              looking_ = false;
                              if (news) take(news);
                          },
                          [this](const Failure& failure) {
                              looking_ = false;
                              // What was read stays; the folder may be back at the next look.
                              note_->setText(oneText(failure));
                              if (!sweep_) status_->clear();
                              refresh();
                              Q_EMIT refreshed();
                          });
}

void SweepPage::fitNumbers() {
    if (fitted_ || runs_->rowCount() == 0) return;
    fitted_ = true;
    // A view would lay out every row to find the widest.
    for (const auto column : {SweepRunsModel::kNumber, SweepRunsModel::kSeed}) {
        const int width = runs_view_->sizeHintForIndex(runs_->index(runs_->longest(column), column)).width();
        runs_view_->setColumnWidth(column, std::max(runs_view_->columnWidth(column), width));
    }
}

void SweepPage::take(const WatchedSweepPtr& news) {
    sweep_ = news;
    lines_->setSweep(news);
    runs_->setSweep(news);
    fitNumbers();
    if (news->whole) {
        QStringList symbols;
        for (const Metric* metric : news->table.metrics)
            symbols.append(tr("%1, %2").arg(QString::fromUtf8(metric->symbol), QString::fromUtf8(metric->title)));
        QStringList shown;
        for (int i = 0; i < metric_->count(); ++i) shown.append(metric_->itemText(i));
        if (symbols != shown) {
            const QSignalBlocker blocker(metric_);
            metric_->clear();
            metric_->addItems(symbols);
            lines_->setMetric(0);
            metric_chosen_ = false;
        }
        beginWithMeasured();
        if (!news->table.title.empty()) title_->setText(QString::fromStdString(news->table.title));
    }
    note_->setText(QString::fromStdString(news->note));
    refresh();
    Q_EMIT refreshed();
    if (!news->whole) look();
}

void SweepPage::beginWithMeasured() {
    // While runs go on, what they have not measured may come.
    const auto finished = sweep_->counts.find(RecordedState::Finished);
    if (metric_chosen_ || finished == sweep_->counts.end() || finished->second < std::ssize(sweep_->runs)) return;
    for (int metric = 0; metric < metric_->count(); ++metric)
        if (sweep_->table.isMeasured(static_cast<std::size_t>(metric))) return metric_->setCurrentIndex(metric);
}

void SweepPage::refresh() {
    note_->setVisible(!note_->text().isEmpty());
    open_->setEnabled(runs_->run(runs_view_->currentIndex().row()) &&
                      !runs_view_->currentIndex().data(SweepRunsModel::FolderRole).toString().isEmpty());
    rest_->setEnabled(false);
    rest_->setToolTip(
        queued_ ? tr("The queue has this sweep already")
                : tr("The queue goes on with this sweep: with runs that stopped, and those that have not begun"));
    seeds_->setEnabled(false);
    seeds_->setToolTip(queued_ ? tr("The queue has this sweep; wait for its end, or take it back")
                       : sweep_ && sweep_->slurm
                           ? tr("Slurm has this sweep; add seeds to its grid once its runs have finished")
                           : tr("Run each row with more seeds, behind those that it has"));
    refreshCluster();
    if (!sweep_) {
        bar_->setRange(0, 1);
        bar_->setValue(0);
        return;
    }
    const auto count = [&](RecordedState state) {
        const auto found = sweep_->counts.find(state);
        return found == sweep_->counts.end() ? 0 : found->second;
    };
    const auto all = static_cast<int>(sweep_->runs.size());
    const int finished = count(RecordedState::Finished);
    bar_->setRange(0, std::max(1, all));
    bar_->setValue(finished);
    // What is missing of a copy is computed where it comes from.
    rest_->setEnabled(sweep_->whole && finished < all && count(RecordedState::Running) == 0 &&
                      sweep_->copied_from.empty() && !queued_);
    seeds_->setEnabled(sweep_->whole && count(RecordedState::Running) == 0 && sweep_->copied_from.empty() &&
                       !sweep_->slurm && !queued_);
    if (!sweep_->whole) {
        status_->setText(tr("Reading …"));
        return;
    }
    QStringList parts{tr("%1 of %2 runs finished").arg(finished).arg(all)};
    const auto part = [&](RecordedState state, const QString& text) {
        if (count(state) > 0) parts.append(text.arg(count(state)));
    };
    part(RecordedState::Running, tr("%1 running"));
    part(RecordedState::None, tr("%1 waiting"));
    part(RecordedState::Stopped, tr("%1 stopped"));
    part(RecordedState::Crashed, tr("%1 ended without a word"));
    part(RecordedState::Failed, tr("%1 failed"));
    if (sweep_->left)
        parts.append(unbrokenText(tr("about %1 left").arg(QString::fromStdString(roughDuration(*sweep_->left)))));
    status_->setText(parts.join(QStringLiteral(" · ")));
}

void SweepPage::askForRun() {
    const QString folder = runs_view_->currentIndex().data(SweepRunsModel::FolderRole).toString();
    if (!folder.isEmpty()) Q_EMIT runAsked(folder);
}

}  // namespace palimpsest
