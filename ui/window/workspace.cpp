// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace.h"

#include <QDir>
#include <QFileInfo>
#include <QScreen>
#include <QUndoStack>
#include <QWidget>

#include "engine/config/experiment_file.h"
#include "engine/record/run_folder.h"
#include "ui/plots/figure_pages.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/engine_text.h"
#include "ui/state/window_state.h"
#include "ui/widgets/fold.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/curves_view.h"
#include "ui/window/window_docks.h"

namespace palimpsest {
namespace {

constexpr int kLaterMs = 1000;
constexpr qsizetype kMostRecent = 8;
const QString kTopic = QStringLiteral("workspace");
const QString kMissing = QStringLiteral("workspace runs");

}  // namespace

Workspace::Workspace(const QString& folder, WindowState& state, const Views& views, QWidget* window)
    : folder_(folder),
      lock_(QDir(folder).filePath(QStringLiteral("workspace.lock"))),
      open_(state),
      views_(views),
      window_(window) {
    // Only the end of the program that holds it frees it, not its age.
    lock_.setStaleLockTime(0);
    timer_.setSingleShot(true);
    timer_.setInterval(kLaterMs);
    connect(&timer_, &QTimer::timeout, this, &Workspace::write);
}

Workspace::~Workspace() {
    write();
}

QString Workspace::screen() const {
    const QScreen* screen = window_->screen();
    const QSize size = screen ? screen->size() : QSize();
    return QString("%1x%2").arg(size.width()).arg(size.height());
}

bool Workspace::claim() {
    QDir().mkpath(folder_);
    if (lock_.tryLock(0) || lock_.error() != QLockFile::LockFailedError) return true;
    views_.messages->showMessage(MessageBar::Kind::Note,
                                 tr("Palimpsest is open in another window, which remembers where you left off."),
                                 tr("This one begins anew. Its runs are kept as ever, its experiment and its layout "
                                    "until it closes. If no other window is open, remove %1.")
                                     .arg(QDir::toNativeSeparators(lock_.fileName())));
    return false;
}

bool Workspace::restore() {
    claimed_ = claim();
    QStringList notes;
    // Reading sets damaged files aside, which is for the one whose they are.
    if (claimed_) state_ = readWorkspace(folder_, &notes);
    for (const QString& sentence : notes)
        views_.messages->showMessage(MessageBar::Kind::Note, sentence,
                                     tr("The window begins anew with what comes with the program."));
    restoreLayout();
    const bool experiment = restoreExperiment();
    restoreLanes();
    for (FigurePages* figure : window_->findChildren<FigurePages*>())
        if (state_.tables.contains(figure->objectName())) figure->setTableShown(true);
    for (Fold* fold : window_->findChildren<Fold*>())
        if (state_.folded.contains(fold->objectName())) fold->setOpen(false);
    if (state_.page > 0 && state_.page < CurvesView::kPages)
        views_.curves->showPage(static_cast<CurvesView::Page>(state_.page));
    connect(&open_.files, &FileWorker::runRecalled, this, &Workspace::addRun);
    connect(&open_.files, &FileWorker::notRecalled, this, &Workspace::missRun);
    open_.figures.runs.keepStyles(state_.styles);
    open_.figures.runs.keepHues(state_.hues);
    views_.list->setGrouped(state_.grouped);
    views_.list->restoreBaseline(state_.baseline);
    awaited_ = state_.runs;
    for (const QString& folder : state_.runs) open_.files.recall(folder);
    watch();
    return experiment;
}

bool Workspace::restoreLayout() {
    const auto layout = state_.layouts.constFind(screen());
    if (layout == state_.layouts.cend()) return false;
    const bool sized = window_->restoreGeometry(layout->geometry);
    if (sized) restorePlace(layout->place);
    views_.docks->restore(layout->arrangement);
    return sized;
}

/// Qt leaves room for the title bar that a frame might have, so that without one the window would come back lower, and
/// smaller where it fills the screen. Where it fits, it stands where it stood.
void Workspace::restorePlace(const QRect& place) {
    QWidget* window = window_;
    const QScreen* screen = window->screen();
    if (!screen || place.isEmpty() || window->isMaximized() || window->isFullScreen()) return;
    const QRect room = screen->availableGeometry();
    const bool upright = place.top() >= room.top() && place.bottom() <= room.bottom();
    // Not narrower than it can be, however small the screen.
    const bool across =
        place.left() >= room.left() && (place.right() <= room.right() || place.width() <= window->minimumWidth());
    if (upright && across) window->setGeometry(place);
}

bool Workspace::restoreExperiment() {
    if (state_.draft.isEmpty()) return false;
    const QString file = draftFile(folder_);
    ExperimentDraft* draft = open_.controller.draft();
    const auto failure = failureOf(
        [&] { draft->restart(parseExperiment(draft->table(), state_.draft.toStdString(), file.toStdString())); });
    if (!failure) {
        open_.saved.recall(state_.file, state_.saved);
        return true;
    }
    const QString aside = setAside(file);
    views_.messages->showMessage(MessageBar::Kind::Note,
                                 tr("The experiment you left cannot be read: %1").arg(failure->message),
                                 aside.isEmpty() ? failure->hint : tr("It was set aside as %1.").arg(aside));
    state_.draft.clear();
    return false;
}

void Workspace::restoreLanes() {
    const OptionTable& table = open_.lane_b.table();
    LaneDraft::State state{state_.lanes, {}};
    for (auto it = state_.lane_b.cbegin(); it != state_.lane_b.cend(); ++it) {
        Experiment with = table.defaults();
        const std::string key = it.key().toStdString();
        // Values that this version of the program does not know are left out.
        if (!failureOf([&] { table.setText(with, key, it.value().toStdString()); }))
            state.changes[key] = table.find(key)->get(with);
    }
    open_.lane_b.restore(state);
}

void Workspace::addRun(const std::shared_ptr<const RunRecord>& run) {
    const QString id = RunSet::idOf(run->folder.string(), 0);
    awaited_.removeAll(QString::fromStdString(run->folder.string()));
    open_.figures.runs.addRecord(*run);
    open_.figures.runs.showAgain(id);
    if (id == state_.selected) open_.figures.runs.select(id);
}

void Workspace::missRun(const QString& folder, const QString& message) {
    awaited_.removeAll(folder);
    state_.runs.removeAll(folder);
    views_.messages->showLatest(MessageBar::Kind::Note, kMissing,
                                tr("A run that was shown last time cannot be shown again: %1").arg(message));
    Q_EMIT runMissed();
}

void Workspace::watch() {
    connect(&open_.saved, &SavedExperiment::changed, this, &Workspace::later);
    connect(&open_.lane_b, &LaneDraft::differencesChanged, this, &Workspace::later);
    connect(&open_.lane_b, &LaneDraft::onChanged, this, &Workspace::later);
    connect(&open_.figures.runs, &RunSet::runsChanged, this, &Workspace::later);
    connect(views_.list, &RunTableModel::baselineChanged, this, &Workspace::later);
    connect(views_.list, &RunTableModel::groupedChanged, this, &Workspace::later);
    connect(views_.docks, &WindowDocks::settled, this, &Workspace::later);
    connect(views_.curves, &CurvesView::pageShown, this, &Workspace::later);
    for (const Fold* fold : window_->findChildren<Fold*>()) connect(fold, &Fold::toggled, this, &Workspace::later);
}

void Workspace::noteRecent(const QString& title, const QString& path) {
    if (path.isEmpty()) return;
    state_.recent.removeIf([&](const WorkspaceState::Recent& each) { return each.path == path; });
    state_.recent.prepend({title, path});
    state_.recent = state_.recent.mid(0, kMostRecent);
    Q_EMIT recentChanged();
    later();
}

WorkspaceState Workspace::currentState() const {
    WorkspaceState state = state_;
    state.layouts[screen()] = {window_->saveGeometry(), views_.docks->save(), window_->normalGeometry()};
    const ExperimentDraft* draft = open_.controller.draft();
    state.draft = QString::fromStdString(formatExperiment(draft->table(), draft->experiment()));
    state.file = open_.saved.file();
    state.saved = QString::fromStdString(open_.saved.text());
    state.lanes = open_.lane_b.on();
    state.lane_b.clear();
    for (const auto& [key, value] : open_.lane_b.state().changes)
        state.lane_b[QString::fromStdString(key)] = QString::fromStdString(toText(value));
    state.runs = awaited_;
    for (const ShownRun* run : open_.figures.runs.visibleRuns())
        if (QFileInfo(run->id).isAbsolute() && !state.runs.contains(run->id)) state.runs.append(run->id);
    state.styles.clear();
    state.hues.clear();
    for (const QString& folder : awaited_) {
        if (state_.styles.contains(folder)) state.styles[folder] = state_.styles.value(folder);
        if (state_.hues.contains(folder)) state.hues[folder] = state_.hues.value(folder);
    }
    for (const ShownRun* run : open_.figures.runs.runs()) {
        if (!QFileInfo(run->id).isAbsolute()) continue;
        state.styles[run->id] = run->display.style;
        if (run->display.visible) state.hues[run->id] = run->display.hue;
    }
    const ShownRun* selected = open_.figures.runs.selected();
    if (selected && awaited_.isEmpty()) state.selected = selected->id;
    state.baseline = views_.list->keptBaseline();
    state.grouped = views_.list->grouped();
    state.page = views_.curves->page();
    state.tables.clear();
    for (const FigurePages* figure : window_->findChildren<FigurePages*>())
        if (figure->tableShown()) state.tables.append(figure->objectName());
    state.folded.clear();
    for (const Fold* fold : window_->findChildren<Fold*>())
        if (!fold->isOpen()) state.folded.append(fold->objectName());
    return state;
}

void Workspace::setHeld(bool held) {
    if (std::exchange(held_, held) && !held) later();
}

void Workspace::write() {
    timer_.stop();
    if (!claimed_ || held_) return;
    WorkspaceState now = currentState();
    if (now == written_) return;
    written_ = now;
    background_.run([folder = folder_, now] { writeWorkspace(folder, now); },
                    [this] { views_.messages->withdraw(kTopic); },
                    [this](const Failure& failure) {
                        views_.messages->showLatest(MessageBar::Kind::Note, kTopic, failure.message, failure.hint);
                    });
}

}  // namespace palimpsest
