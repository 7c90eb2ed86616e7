// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_event_wiring.h"

#include "ui/now/memory_controller.h"
#include "ui/now/memory_strip.h"
#include "ui/now/now_panel.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_panel.h"
#include "ui/state/undo_steps.h"
#include "ui/state/window_state.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/unreadable_images_note.h"
#include "ui/window/dataset_controller.h"

namespace palimpsest {
namespace {

const QString kWarning = QStringLiteral("run warning");

QString noteTopic(RunController::Note what) {
    switch (what) {
        case RunController::Note::Refused:
            return QStringLiteral("run refused");
        case RunController::Note::Paused:
            return QStringLiteral("run paused");
        case RunController::Note::Waiting:
            break;
    }
    return QStringLiteral("run waiting");
}

void connectControllerMessages(RunController* controller, MessageBar* messages, DatasetController* datasets,
                               QObject* context) {
    QObject::connect(controller, &RunController::noted, context,
                     [messages](const QString& message, const QString& hint, RunController::Note what) {
                         // A pause that the user asked for is no warning.
                         const bool asked = what == RunController::Note::Paused;
                         messages->showLatest(asked ? MessageBar::Kind::Info : MessageBar::Kind::Note, noteTopic(what),
                                              message, hint);
                     });
    QObject::connect(controller, &RunController::outdated, context,
                     [messages](RunController::Note what) { messages->withdraw(noteTopic(what)); });
    QObject::connect(controller, &RunController::failed, context,
                     [messages, datasets](const QString& message, const QString& hint) {
                         messages->showMessage(MessageBar::Kind::Error, message, hint, {}, kRunFailure);
                         datasets->findRemedy(message);
                     });
    // The next run reports for itself.
    for (const auto over : {&RunController::starting, &RunController::remedied})
        QObject::connect(controller, over, context, [messages] { messages->withdraw(kRunFailure); });
}

/// Says once that runs of other streams leave the figures, and how they come back.
void connectStreamMessages(RunSet* store, MessageBar* messages, QObject* context) {
    QObject::connect(
        store, &RunSet::streamLeft, context,
        [store, messages](const QStringList& ids) {
            const auto bringBack = [store, ids] {
                for (const QString& id : ids) store->setVisible(id, true);
            };
            messages->showNews(
                QStringLiteral("stream left"),
                ids.size() == 1
                    ? QObject::tr("A run of another stream has left the figures, since one axis does not suit both.")
                    : QObject::tr("%1 runs of other streams have left the figures, since one axis does not suit all.")
                          .arg(ids.size()),
                QObject::tr("They stay in the list of runs: a click on the dot before a name shows it again, and what "
                            "is shown by its dot stays."),
                {{QObject::tr("Show again"), bringBack}});
        },
        Qt::SingleShotConnection);
}

void connectLane(WindowState& state, std::size_t lane, const WindowRunListeners& to, QObject* context) {
    RunBridge* bridge = state.controller.bridge(lane);
    NowPanel* now = to.now->panel(lane);
    RunSet* store = &state.figures.runs;
    QObject::connect(bridge, &RunBridge::started, store, &RunSet::onStarted);
    store->listenTo(bridge);
    QObject::connect(bridge, &RunBridge::started, now, &NowPanel::setRun);
    QObject::connect(bridge, &RunBridge::batchLearned, now, &NowPanel::setBatch);
    QObject::connect(bridge, &RunBridge::updatesDone, now, &NowPanel::addUpdates);
    QObject::connect(bridge, &RunBridge::memoryHeld, now, &NowPanel::setMemory);
    QObject::connect(now->memory(), &MemoryStrip::clicked, to.memory,
                     [memory = to.memory, lane] { memory->showLane(lane); });
    const auto touch = [library = &state.library](const std::string& folder) {
        if (!folder.empty()) library->touch(QString::fromStdString(folder));
    };
    QObject::connect(bridge, &RunBridge::started, context, [touch](const RunStarted& event) { touch(event.folder); });
    QObject::connect(bridge, &RunBridge::ended, context, [touch](const RunEnded& event) { touch(event.folder); });
    new UnreadableImagesNote(bridge, to.messages, context);
    QObject::connect(bridge, &RunBridge::warned, context, [messages = to.messages](const RunWarned& event) {
        messages->showLatest(MessageBar::Kind::Note, kWarning, QString::fromStdString(event.text),
                             QObject::tr("The file run.json in the run's folder keeps this note."));
    });
}

}  // namespace

void connectRunEvents(WindowState& state, const WindowRunListeners& to, QObject* context) {
    RunController* controller = &state.controller;
    RunSet* store = &state.figures.runs;
    state.figures.histories.listenTo(controller->bridge(0));
    for (std::size_t lane = 0; lane < RunController::kLanes; ++lane) connectLane(state, lane, to, context);
    state.figures.histories.listenTo(controller->bridge(1));
    connectControllerMessages(controller, to.messages, to.datasets, context);
    connectStreamMessages(store, to.messages, context);
    QObject::connect(controller, &RunController::stateChanged, store,
                     [controller, store] { store->setPaused(controller->state() == RunState::Paused); });
}

void connectRunMessages(RunsPanel* runs, MessageBar* messages, QUndoStack* steps) {
    const auto showAs = [messages](MessageBar::Kind kind) {
        return [messages, kind](const QString& text, const QString& hint) { messages->showMessage(kind, text, hint); };
    };
    QObject::connect(runs->actions(), &RunActions::messageRequested, messages, showAs(MessageBar::Kind::Error));
    QObject::connect(runs, &RunsPanel::noteRequested, messages, showAs(MessageBar::Kind::Note));
    QObject::connect(runs->actions(), &RunActions::doneRequested, messages,
                     [messages, steps](const QString& text, const QString& hint, const std::function<void()>& undo,
                                       const QString& topic) {
                         if (undo)
                             messages->showMessage(
                                 MessageBar::Kind::Done, text, hint,
                                 {RunsPanel::tr("Undo"), addUndoStep(steps, RunsPanel::tr("deletion of runs"), undo)},
                                 topic);
                         else
                             messages->showPassing(QStringLiteral("runs"), text, hint);
                     });
    QObject::connect(runs->actions(), &RunActions::outdated, messages, &MessageBar::withdraw);
}

}  // namespace palimpsest
