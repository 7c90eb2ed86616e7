// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/queue_controller.h"

#include <QAction>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QGuiApplication>
#include <QUndoStack>
#include <QWindow>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "engine/learner/learner_permit.h"
#include "engine/record/run_bytes.h"
#include "engine/support/stop_scope.h"
#include "engine/support/text.h"
#include "ui/commands/command.h"
#include "ui/queue/add_to_queue.h"
#include "ui/queue/queue_panel.h"
#include "ui/queue/sweep_editor.h"
#include "ui/queue/sweep_inputs.h"
#include "ui/queue/sweep_page.h"
#include "ui/state/undo_steps.h"
#include "ui/widgets/message_bar.h"
#include "ui/window/learner_question.h"
#include "ui/window/main_menus.h"

namespace palimpsest {
namespace {

constexpr auto kQueueTopic = "queue", kTakenTopic = "queueTaken", kRefusedTopic = "not queued", kShowTopic = "show run";
/// Time for which Undo is offered over the figures; the Edit menu undoes it later, too.
constexpr int kUndoMs = 10'000;
/// Of a failed job: what there is to see of it, and the way on.
QString hintOf(QueueController::Measured measured) {
    using Measured = QueueController::Measured;
    const QString way_on = QueueController::tr("Once that is mended, let it wait for another try.");
    if (measured == Measured::Something)
        return QueueController::tr("What it measured until then is shown.") + ' ' + way_on;
    if (measured == Measured::Nothing)
        return QueueController::tr("It had measured nothing yet, so there is nothing to show.") + ' ' + way_on;
    return QueueController::tr("It had not begun to learn, so there is nothing to show.") + ' ' + way_on;
}

QString nameOf(const QueueJob& job) {
    const QString name = QString::fromStdString(job.name);
    return job.isSweep() ? name : QueueController::tr("%1, seed %2").arg(name).arg(job.seed);
}

}  // namespace

QueueController::QueueController(WindowState& state, MessageBar* messages, QWidget* window)
    : QObject(window), state_(state), messages_(messages), window_(window), panel_(new QueuePanel(&state.queue)) {
    RunQueue* queue = &state_.queue;
    connect(queue, &RunQueue::failed, this, [this](const QString& message, const QString& hint) {
        // In front of what was said before, also where it is said again.
        messages_->showMessage(MessageBar::Kind::Error, message, hint, {}, QString::fromLatin1(kQueueTopic));
        if (state_.queue.elsewhere()) showPanel();
    });
    connect(queue, &RunQueue::added, this, [this](int jobs) {
        messages_->showPassing(QString::fromLatin1(kQueueTopic), tr("%n added to the queue.", nullptr, jobs),
                               state_.queue.asks()     ? tr("Nothing begins before you have said, in the panel Queue, "
                                                                "whether it goes on with what it was left with.")
                               : state_.queue.paused() ? tr("The queue is paused.")
                                                       : QString());
        showPanel();
    });
    connect(queue, &RunQueue::changed, this, [this] {
        const QueueJob* told = state_.queue.find(told_);
        if (told_ == 0 || (told && told->state == QueueState::Failed)) return;
        told_ = 0;
        messages_->withdraw(QString::fromLatin1(kShowTopic));
    });
    connect(queue, &RunQueue::tookBack, this, &QueueController::offerBack);
    // The next action of the user: Undo in the menu would undo that one.
    connect(state_.controller.draft()->undoStack(), &QUndoStack::indexChanged, this,
            [this] { messages_->withdraw(QString::fromLatin1(kTakenTopic)); });
    connect(queue, &RunQueue::asksChanged, this, [this] {
        if (state_.queue.asks()) showPanel();
    });
    connect(queue, &RunQueue::folderChanged, &state_.library, &RunLibrary::touch);
    connect(&state_.library, &RunLibrary::scanned, this, &QueueController::findAskedRun);
    connect(panel_, &QueuePanel::runAsked, this, &QueueController::showRun);
    connect(panel_, &QueuePanel::sweepAsked, this, &QueueController::showQueued);
    connect(panel_, &QueuePanel::openSweepAsked, this, &QueueController::askForSweep);
    connect(panel_, &QueuePanel::openGridAsked, this, &QueueController::askForGrid);
}

QueueController::~QueueController() {
    stop_.request_stop();
}

void QueueController::answer(MainMenus* menus, QAction* show) {
    show_ = show;
    connect(menus->action(Command::AddToQueue), &QAction::triggered, this, &QueueController::addToQueue);
    connect(menus->action(Command::NewSweep), &QAction::triggered, this, &QueueController::newSweep);
    connect(panel_, &QueuePanel::newSweepAsked, menus->action(Command::NewSweep), &QAction::trigger);
    connect(menus->action(Command::OpenSweep), &QAction::triggered, this, &QueueController::askForSweep);
    // Whoever comes to this window may have closed the one that had the queue.
    connect(qGuiApp, &QGuiApplication::applicationStateChanged, this, [this](Qt::ApplicationState state) {
        if (state == Qt::ApplicationActive && state_.queue.elsewhere()) state_.queue.recall();
    });
    state_.queue.recall();
}

void QueueController::showPanel() {
    if (show_ && !show_->isChecked()) show_->trigger();
}

void QueueController::offerBack(const std::vector<RunQueue::Taken>& taken) {
    const QString topic = QString::fromLatin1(kTakenTopic);
    const bool worked = std::ranges::any_of(
        taken, [this](const RunQueue::Taken& one) { return state_.queue.find(one.job.id) != nullptr; });
    const auto undo = [this, taken, topic, offer = ++offers_] {
        if (offer == offers_) messages_->withdraw(topic);
        state_.queue.putBack(taken);
    };
    messages_->showPassing(
        topic,
        taken.size() == 1 ? tr("Took “%1” off the queue").arg(nameOf(taken.front().job))
                          : tr("Took %1 off the queue").arg(taken.size()),
        worked ? tr("What is running stops at its next batch and keeps what it learned.") : QString(), kUndoMs,
        {{tr("Undo"), addUndoStep(state_.controller.draft()->undoStack(), tr("taking back of queued runs"), undo)}});
}

std::filesystem::path QueueController::sweepsFolder() const {
    return (std::filesystem::absolute(state_.queue.places().runs) / ".." / "sweeps").lexically_normal();
}

bool QueueController::allTaken(const QString& undone) {
    forgetRefusal();
    const auto untaken = state_.controller.draft()->notTaken(undone);
    if (untaken)
        messages_->showLatest(MessageBar::Kind::Note, QString::fromLatin1(kRefusedTopic), untaken->message,
                              untaken->hint);
    return !untaken;
}

void QueueController::forgetRefusal() {
    messages_->withdraw(QString::fromLatin1(kRefusedTopic));
}

void QueueController::addToQueue() {
    if (!allTaken(tr("Not queued"))) return;
    const ExperimentDraft* draft = state_.controller.draft();
    if (!draft->problems().isEmpty())
        return refuse({tr("The experiment cannot start: %1").arg(draft->problems().front()),
                       tr("Change that setting and queue it again.")});
    if (state_.queue.elsewhere()) {
        // That window may have been closed meanwhile.
        connect(
            &state_.queue, &RunQueue::opened, this,
            [this] {
                if (state_.queue.elsewhere())
                    sayElsewhere();
                else
                    addToQueue();
            },
            Qt::SingleShotConnection);
        return state_.queue.recall();
    }
    if (!add_) {
        add_ = new AddToQueueDialog(&state_.table, window_);
        connect(add_, &AddToQueueDialog::chosen, this, &QueueController::queueChecked);
    }
    add_->ask(draft->experiment());
}

void QueueController::sayElsewhere() {
    messages_->showLatest(MessageBar::Kind::Note, QString::fromLatin1(kRefusedTopic), RunQueue::elsewhereText(),
                          RunQueue::elsewhereHint());
    showPanel();
}

void QueueController::refuse(const Failure& failure) {
    messages_->showLatest(MessageBar::Kind::Error, QString::fromLatin1(kRefusedTopic), failure.message, failure.hint);
    Q_EMIT refused(failure.message);
}

void QueueController::queueChecked(const Experiment& experiment, const std::vector<std::int64_t>& seeds) {
    addChecked([experiment](const Check& check) { check(experiment); },
               [this, experiment, seeds] { state_.queue.add(experiment, seeds); });
}

void QueueController::queueSweep(const std::filesystem::path& grid, const std::filesystem::path& folder,
                                 const QString& name, double seconds) {
    addChecked(
        [table = &state_.table, grid, folder](const Check& check) { checkSweepInputs(*table, grid, folder, check); },
        [this, grid, folder, name, seconds] { state_.queue.addSweep(grid, folder, name, seconds); });
}

void QueueController::addChecked(const std::function<void(const Check&)>& experiments,
                                 const std::function<void()>& add) {
    // As its start would, before anything waits for what cannot begin.
    checks_.run(
        [labels = state_.laboratory.labels, inputs = state_.laboratory.inputs, experiments, stop = stop_.get_token()] {
            const StopScope scope(stop);
            std::optional<LearnerCommand> asks;
            experiments([&](const Experiment& experiment) {
                StopScope::check();
                if (labels) labels(experiment);
                std::optional<LearnerCommand> program = inputs ? inputs(experiment) : std::nullopt;
                // What was allowed once was allowed to this program, not to those of the queue.
                if (!asks && program && !isLearnerAllowedForGood(*program)) asks = std::move(program);
            });
            return asks;
        },
        [this, experiments, add](const std::optional<LearnerCommand>& program) {
            if (!program) {
                forgetRefusal();
                return add();
            }
            const LearnerRefused refused(*program);
            if (!question_) return refuse({refused.what(), QString::fromStdString(refused.hint())});
            // Rows of a sweep may name several programs, of which each is asked about.
            if (!question_->askToQueue(*program, [this, experiments, add] { addChecked(experiments, add); }))
                refuse({refused.what(), tr("Answer the question that is open, then add it again.")});
        },
        [this](const Failure& failure) { refuse(withOptionTitles(failure)); });
}

void QueueController::newSweep() {
    if (!allTaken(tr("No new sweep"))) return;
    const RunQueue::Places& places = state_.queue.places();
    if (!editor_) {
        editor_ = new SweepEditor(&state_.table, {places.program, places.folder / "jobs", sweepsFolder()}, window_);
        editor_->setEarlier([this](const Experiment& experiment, const std::set<std::string>& varied) {
            return [table = &state_.table, records = state_.library.records(), experiment, varied] {
                // Of thousands of runs, each is compared setting by setting.
                return runsThatKeepAlike(*table, records, experiment, varied);
            };
        });
        connect(editor_, &SweepEditor::chosen, this, &QueueController::queueSweep);
        Q_EMIT editorMade(editor_);
    }
    editor_->ask(state_.controller.draft()->experiment());
}

void QueueController::showRun(const QString& folder) {
    const QString id = RunSet::idOf(folder.toStdString(), 0);
    lookFor(id + QStringLiteral("/run.json"), [this, id, folder](bool there) {
        if (there) {
            asked_run_ = id;
            asked_folder_ = folder;
            state_.library.touch(id);
        } else if (!tellFailure(folder, Measured::NotBegun)) {
            messages_->showLatest(MessageBar::Kind::Note, QString::fromLatin1(kShowTopic),
                                  tr("The run has not begun: there is nothing to show yet."));
        }
    });
}

void QueueController::showQueued(const QString& folder) {
    lookFor(folder, [this, folder](bool there) {
        if (there || !tellFailure(folder, Measured::NotBegun)) showSweep(folder);
    });
}

void QueueController::lookFor(const QString& path, const std::function<void(bool)>& then) {
    told_ = 0;
    asked_run_.clear();
    messages_->withdraw(QString::fromLatin1(kShowTopic));
    looks_.runNewest([path] { return QFileInfo::exists(path); }, then);
}

bool QueueController::tellFailure(const QString& folder, Measured measured) {
    const std::vector<QueueJob>& jobs = state_.queue.jobs();
    const auto failed = std::ranges::find_if(jobs, [&](const QueueJob& job) {
        return job.state == QueueState::Failed && job.folder == folder.toStdString();
    });
    if (failed == jobs.end()) return false;
    told_ = failed->id;
    messages_->showLatest(MessageBar::Kind::Error, QString::fromLatin1(kShowTopic),
                          tr("“%1” failed: %2").arg(nameOf(*failed), withOptionTitles(failed->sentence)),
                          hintOf(measured), {{tr("Try again"), [this, id = told_] { state_.queue.retry({id}); }}});
    return true;
}

void QueueController::findAskedRun(const QStringList& unreadable) {
    if (asked_run_.isEmpty()) return;
    if (const RunRowPtr row = state_.library.row(asked_run_)) {
        const QString id = std::exchange(asked_run_, QString());
        // Somebody may have gone on with it outside the queue.
        const bool goes_on = row->state == RecordedState::Running || row->state == RecordedState::Finished;
        const bool measured = row->samples_seen > 0;
        const bool told = !goes_on && tellFailure(asked_folder_, measured ? Measured::Something : Measured::Nothing);
        // Empty figures would hide why they are empty.
        if (measured || !told) Q_EMIT runReady(id);
        return;
    }
    if (state_.library.scanning()) return;
    asked_run_.clear();
    if (tellFailure(asked_folder_, Measured::Nothing)) return;
    messages_->showLatest(MessageBar::Kind::Error, QString::fromLatin1(kShowTopic), tr("The run cannot be read."),
                          unreadable.join(' '));
}

bool QueueController::eventFilter(QObject* watched, QEvent* event) {
    // It would keep a program without a window going.
    if (watched == window_ && event->type() == QEvent::Hide && !event->spontaneous() && page_) page_->close();
    return QObject::eventFilter(watched, event);
}

void QueueController::askForSweep() {
    auto* dialog = new QFileDialog(window_, tr("Open the folder of a sweep"));
    dialog->setObjectName("openSweepDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this, &QueueController::showSweep);
    dialog->open();
}

void QueueController::askForGrid() {
    auto* dialog = new QFileDialog(window_, tr("Queue a grid file"));
    dialog->setObjectName("openGridDialog");
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    dialog->setNameFilters({tr("Grid files (*.toml)"), tr("All files (*)")});
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
        const QFileInfo grid(file);
        const std::string name = slug(grid.completeBaseName().toStdString(), 60);
        queueSweep(grid.absoluteFilePath().toStdString(), sweepsFolder() / (name.empty() ? "sweep" : name),
                   grid.completeBaseName());
    });
    dialog->open();
}

void QueueController::tellPage() {
    page_->setQueued(state_.queue.unendedSweep(page_->folder().toStdString()) != nullptr);
}

void QueueController::showSweep(const QString& folder) {
    if (!page_) {
        page_ = new SweepPage(&state_.table, window_);
        connect(page_, &SweepPage::runAsked, this, &QueueController::showRun);
        connect(page_, &SweepPage::restAsked, this, &QueueController::queueSweep);
        // The window may stand before it, which a window's dialog does not allow.
        page_->winId();
        if (QWindow* own = page_->windowHandle()) own->setTransientParent(nullptr);
        window_->installEventFilter(this);
        connect(page_, &SweepPage::opened, this, &QueueController::tellPage);
        connect(&state_.queue, &RunQueue::changed, this, &QueueController::tellPage);
        Q_EMIT pageMade(page_);
    }
    page_->open(folder.toStdString());
    page_->show();
    page_->raise();
    page_->activateWindow();
}

}  // namespace palimpsest
