// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/workspace.h"

#include <QFileInfo>
#include <QScreen>
#include <QUndoStack>
#include <QWidget>

#include "engine/config/experiment_file.h"
#include "engine/record/run_folder.h"
#include "ui/plots/figure_pages.h"
#include "ui/runs/run_table_model.h"
#include "ui/state/failure.h"
#include "ui/state/file_worker.h"
#include "ui/state/lane_draft.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_set.h"
#include "ui/state/saved_experiment.h"
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

Workspace::Workspace(const QString& folder, const Parts& parts, QObject* parent)
    : QObject(parent), folder_(folder), parts_(parts) {
    timer_.setSingleShot(true);
    timer_.setInterval(kLaterMs);
    connect(&timer_, &QTimer::timeout, this, &Workspace::write);
}

Workspace::~Workspace() {
    write();
}

QString Workspace::screen() const {
    const QScreen* screen = parts_.window->screen();
    const QSize size = screen ? screen->size() : QSize();
    return QString("%1x%2").arg(size.width()).arg(size.height());
}

bool Workspace::restore() {
    QStringList told;
    state_ = readWorkspace(folder_, &told);
    for (const QString& sentence : told)
        parts_.messages->showMessage(MessageBar::Kind::Note, sentence,
                                     tr("The window begins anew with what comes with the program."));
    restoreLayout();
    const bool experiment = restoreExperiment();
    restoreLanes();
    for (FigurePages* figure : parts_.window->findChildren<FigurePages*>())
        if (state_.tables.contains(figure->objectName())) figure->setTableShown(true);
    if (state_.page > 0 && state_.page < CurvesView::kPages)
        parts_.curves->showPage(static_cast<CurvesView::Page>(state_.page));
    connect(parts_.files, &FileWorker::runRecalled, this, &Workspace::takeRun);
    connect(parts_.files, &FileWorker::notRecalled, this, &Workspace::missRun);
    parts_.store->keepLooks(state_.looks);
    parts_.list->setGrouped(state_.grouped);
    parts_.list->restoreBaseline(state_.baseline);
    awaited_ = state_.runs;
    for (const QString& folder : state_.runs) parts_.files->recall(folder);
    watch();
    return experiment;
}

bool Workspace::restoreLayout() {
    const auto layout = state_.layouts.constFind(screen());
    if (layout == state_.layouts.cend()) return false;
    const bool sized = parts_.window->restoreGeometry(layout->geometry);
    if (sized) restorePlace(layout->place);
    parts_.docks->restore(layout->arrangement);
    return sized;
}

/// Qt leaves room for the title bar that a frame might have, so that without one the window would come back lower, and
/// smaller where it fills the screen. Where it fits, it stands where it stood.
void Workspace::restorePlace(const QRect& place) {
    QWidget* window = parts_.window;
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
    ExperimentDraft* draft = parts_.controller->draft();
    const auto failure = failureOf(
        [&] { draft->restart(parseExperiment(draft->table(), state_.draft.toStdString(), file.toStdString())); });
    if (!failure) {
        parts_.kept->recall(state_.file, state_.saved);
        return true;
    }
    const QString aside = setAside(file);
    parts_.messages->showMessage(MessageBar::Kind::Note,
                                 tr("The experiment you left cannot be read: %1").arg(failure->message),
                                 aside.isEmpty() ? failure->hint : tr("It was set aside as %1.").arg(aside));
    state_.draft.clear();
    return false;
}

void Workspace::restoreLanes() {
    const OptionTable& table = parts_.lanes->table();
    LaneDraft::State state{state_.lanes, {}};
    for (auto it = state_.lane_b.cbegin(); it != state_.lane_b.cend(); ++it) {
        Experiment with = table.defaults();
        const std::string key = it.key().toStdString();
        // What this version of the program does not know is left out.
        if (!failureOf([&] { table.setText(with, key, it.value().toStdString()); }))
            state.changes[key] = table.find(key)->get(with);
    }
    parts_.lanes->restore(state);
}

void Workspace::takeRun(const std::shared_ptr<const RunRecord>& run) {
    const QString id = RunSet::idOf(run->folder.string(), 0);
    awaited_.removeAll(QString::fromStdString(run->folder.string()));
    parts_.store->addRecord(*run);
    parts_.store->setVisible(id, true);
    if (id == state_.primary) parts_.store->setPrimary(id);
}

void Workspace::missRun(const QString& folder, const QString& message) {
    awaited_.removeAll(folder);
    state_.runs.removeAll(folder);
    parts_.messages->showLatest(MessageBar::Kind::Note, kMissing,
                                tr("A run that was shown last time cannot be shown again: %1").arg(message));
    Q_EMIT runMissed();
}

void Workspace::watch() {
    connect(parts_.kept, &SavedExperiment::changed, this, &Workspace::later);
    connect(parts_.lanes, &LaneDraft::differencesChanged, this, &Workspace::later);
    connect(parts_.lanes, &LaneDraft::onChanged, this, &Workspace::later);
    connect(parts_.store, &RunSet::runsChanged, this, &Workspace::later);
    connect(parts_.list, &RunTableModel::baselineChanged, this, &Workspace::later);
    connect(parts_.list, &RunTableModel::groupedChanged, this, &Workspace::later);
    connect(parts_.docks, &WindowDocks::settled, this, &Workspace::later);
    connect(parts_.curves, &CurvesView::pageShown, this, &Workspace::later);
}

void Workspace::noteRecent(const QString& title, const QString& path) {
    if (path.isEmpty()) return;
    state_.recent.removeIf([&](const WorkspaceState::Recent& each) { return each.path == path; });
    state_.recent.prepend({title, path});
    state_.recent = state_.recent.mid(0, kMostRecent);
    Q_EMIT recentChanged();
    later();
}

WorkspaceState Workspace::look() const {
    WorkspaceState state = state_;
    state.layouts[screen()] = {parts_.window->saveGeometry(), parts_.docks->save(), parts_.window->normalGeometry()};
    const ExperimentDraft* draft = parts_.controller->draft();
    state.draft = QString::fromStdString(formatExperiment(draft->table(), draft->experiment()));
    state.file = parts_.kept->file();
    state.saved = QString::fromStdString(parts_.kept->text());
    state.lanes = parts_.lanes->on();
    state.lane_b.clear();
    for (const auto& [key, value] : parts_.lanes->state().changes)
        state.lane_b[QString::fromStdString(key)] = QString::fromStdString(toText(value));
    state.runs = awaited_;
    for (const ShownRun* run : parts_.store->visibleRuns())
        if (QFileInfo(run->id).isAbsolute() && !state.runs.contains(run->id)) state.runs.append(run->id);
    state.looks.clear();
    for (const QString& folder : awaited_)
        if (state_.looks.contains(folder)) state.looks[folder] = state_.looks.value(folder);
    for (const ShownRun* run : parts_.store->runs())
        if (QFileInfo(run->id).isAbsolute()) state.looks[run->id] = run->look;
    const ShownRun* primary = parts_.store->primary();
    if (primary && awaited_.isEmpty()) state.primary = primary->id;
    state.baseline = parts_.list->keptBaseline();
    state.grouped = parts_.list->grouped();
    state.page = parts_.curves->page();
    state.tables.clear();
    for (const FigurePages* figure : parts_.window->findChildren<FigurePages*>())
        if (figure->tableShown()) state.tables.append(figure->objectName());
    return state;
}

void Workspace::write() {
    timer_.stop();
    WorkspaceState now = look();
    if (now == written_) return;
    written_ = now;
    background_.run([folder = folder_, now] { writeWorkspace(folder, now); },
                    [this] { parts_.messages->withdraw(kTopic); },
                    [this](const Failure& failure) {
                        parts_.messages->showLatest(MessageBar::Kind::Note, kTopic, failure.message, failure.hint);
                    });
}

}  // namespace palimpsest
