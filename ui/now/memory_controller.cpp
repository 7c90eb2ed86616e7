// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/memory_controller.h"

#include <algorithm>

#include "engine/run/dataset_service.h"
#include "ui/now/memory_dialog.h"
#include "ui/state/key_names.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

constexpr int kMemoryTurnMs = 200;

}  // namespace

MemoryController::MemoryController(std::shared_ptr<const DatasetService> service, RunController* controller,
                                   RunSet* store, RunLibrary* library, QWidget* window)
    : QObject(window),
      service_(std::move(service)),
      controller_(controller),
      store_(store),
      library_(library),
      window_(window),
      throttle_(
          kMemoryTurnMs, [this] { refresh(); }, this) {
    for (std::size_t i = 0; i < live_.size(); ++i) {
        RunBridge* bridge = controller_->bridge(i);
        connect(bridge, &RunBridge::started, this, [this, i](const RunStarted& event) { onStarted(live_[i], event); });
        connect(bridge, &RunBridge::memoryHeld, this,
                [this, i](const MemoryHeld& event) { onMemory(live_[i], event); });
        // A replayed run is shown from its folder again.
        connect(bridge, &RunBridge::ended, this, [this, i] {
            if (live_[i].shown.images_known) return;
            live_[i] = {};
            throttle_.ask();
        });
    }
    connect(store_, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(library_, &RunLibrary::changed, &throttle_, &Throttle::ask);
    connect(controller_->draft(), &ExperimentDraft::changed, &throttle_, &Throttle::ask);
}

MemoryController::~MemoryController() {
    delete dialog_;
}

void MemoryController::onStarted(Live& live, const RunStarted& event) {
    live = {};
    live.shown.run = RunSet::idOf(event.folder, event.run);
    live.shown.experiment = event.experiment;
    live.shown.class_names = classNamesOf(event);
    live.shown.images_known = !event.replayed;
    throttle_.ask();
}

void MemoryController::onMemory(Live& live, const MemoryHeld& event) {
    live.held = event;
    throttle_.ask();
}

void MemoryController::showLane(std::size_t lane) {
    showDialog();
    if (!controller_->paired() || live_[lane].shown.run.isEmpty()) return;
    chosen_ = live_[lane].shown.run;
    show();
}

void MemoryController::showDialog() {
    chosen_.clear();
    if (!dialog_) dialog_ = new MemoryDialog(service_, window_);
    show();
    dialog_->showDialog();
}

void MemoryController::forgetPictures() {
    if (dialog_) dialog_->forgetPictures();
}

void MemoryController::refresh() {
    if (dialog_ && dialog_->isVisible()) show();
}

void MemoryController::show() {
    const ShownRun* run = chosen_.isEmpty() ? nullptr : store_->find(chosen_);
    if (!run) run = store_->selected();
    dialog_->nameRun(run ? run->label : QString());
    const Experiment& experiment = run ? run->facts->experiment : controller_->draft()->experiment();
    if (experiment.memory.size == 0)
        return dialog_->showNothing(
            run ? tr("This run keeps no past images; the setting Memory gives the next one some.")
                : tr("This experiment keeps no past images; the setting Memory gives it some."));
    if (!run)
        return dialog_->showNothing(
            KeyNames::instance().filled(tr("The memory is empty until a run learns: press {startRun} to start.")));
    const auto live =
        std::find_if(live_.begin(), live_.end(), [&](const Live& each) { return each.shown.run == run->id; });
    live == live_.end() ? showRecord(run->id, run->label) : showLive(*live, run->label);
}

void MemoryController::showLive(Live& live, const QString& title) {
    if (!live.held) return dialog_->showNothing(tr("The memory is empty until the first batch has been learned."));
    MemoryShown& shown = live.shown;
    shown.title = title;
    // Counting takes as long as the memory is large, so the same news is counted once.
    if (!shown.kept.shares(live.held->kept) || shown.balance.samples_seen != live.held->samples_seen)
        shown.balance = balanceOf(*live.held, static_cast<std::size_t>(shown.class_names.names.size()));
    shown.capacity = live.held->capacity;
    if (shown.images_known) shown.kept = live.held->kept;
    dialog_->showMemory(shown);
}

void MemoryController::showRecord(const QString& run, const QString& title) {
    const RunLibrary::Record record = library_->find(run);
    if (record && !record->memory && record->state == RecordedState::Running)
        return dialog_->showNothing(tr("The folder of this run does not say yet what its memory keeps."));
    if (!record || !record->memory)
        return dialog_->showNothing(tr("The folder of this run does not say what its memory kept."));
    MemoryShown shown;
    shown.run = run;
    shown.title = title;
    shown.experiment = record->experiment;
    shown.class_names = classNamesOf(*record);
    shown.capacity = record->experiment.memory.size;
    shown.balance = *record->memory;
    dialog_->showMemory(shown);
}

}  // namespace palimpsest
