// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory_desk.h"

#include "engine/run/dataset_service.h"
#include "ui/curve_store.h"
#include "ui/memory_dialog.h"
#include "ui/run_controller.h"
#include "ui/run_library.h"

namespace palimpsest {
namespace {

constexpr int kTurnMs = 200;

}  // namespace

MemoryDesk::MemoryDesk(std::shared_ptr<const DatasetService> service, RunController* controller, CurveStore* store,
                       RunLibrary* library, QWidget* window)
    : QObject(window),
      service_(std::move(service)),
      controller_(controller),
      store_(store),
      library_(library),
      window_(window),
      pacer_(
          kTurnMs, [this] { refresh(); }, this) {
    connect(controller_->bridge(), &RunBridge::started, this, &MemoryDesk::onStarted);
    connect(controller_->bridge(), &RunBridge::memoryHeld, this, &MemoryDesk::onMemory);
    connect(store_, &CurveStore::runsChanged, &pacer_, &Pacer::ask);
    connect(library_, &RunLibrary::changed, &pacer_, &Pacer::ask);
    connect(controller_->draft(), &ExperimentDraft::changed, &pacer_, &Pacer::ask);
}

MemoryDesk::~MemoryDesk() {
    delete dialog_;
}

void MemoryDesk::onStarted(const RunStarted& event) {
    live_ = {};
    held_.reset();
    live_.run = CurveStore::idOf(event.folder, event.run);
    live_.experiment = event.experiment;
    live_.words = wordsOf(event);
    live_.images_known = true;
    pacer_.ask();
}

void MemoryDesk::onMemory(const MemoryHeld& event) {
    held_ = event;
    pacer_.ask();
}

void MemoryDesk::showDialog() {
    if (!dialog_) dialog_ = new MemoryDialog(service_, window_);
    show();
    dialog_->showDialog();
}

void MemoryDesk::forgetPictures() {
    if (dialog_) dialog_->forgetPictures();
}

void MemoryDesk::refresh() {
    if (dialog_ && dialog_->isVisible()) show();
}

void MemoryDesk::show() {
    const RunCurves* run = store_->primary();
    const QString label = run ? store_->label(run->id) : QString();
    dialog_->nameRun(run ? run->name : QString(), label);
    const Experiment& experiment = run ? run->experiment : controller_->draft()->experiment();
    if (experiment.memory.size == 0)
        return dialog_->showNothing(
            run ? tr("This run keeps no past images; the setting Memory (memory.size) gives the next one some.")
                : tr("This experiment keeps no past images; the setting Memory (memory.size) gives it some."));
    if (!run) return dialog_->showNothing(tr("The memory is empty until a run learns: press F5 to start."));
    const QString title = label.isEmpty() ? run->name : label;
    if (run->id != live_.run) return showRecord(run->id, title);
    showLive(title);
}

void MemoryDesk::showLive(const QString& title) {
    if (!held_) return dialog_->showNothing(tr("The memory is empty until the first batch has been learned."));
    live_.title = title;
    // Counting takes as long as the memory is large, so the same news is counted once.
    if (!live_.kept.shares(held_->kept) || live_.balance.samples_seen != held_->samples_seen)
        live_.balance = balanceOf(*held_, static_cast<std::size_t>(live_.words.names.size()));
    live_.capacity = held_->capacity;
    live_.kept = held_->kept;
    dialog_->showMemory(live_);
}

void MemoryDesk::showRecord(const QString& run, const QString& title) {
    const RunLibrary::Record record = library_->find(run);
    if (record && !record->memory && record->state == "running")
        return dialog_->showNothing(tr("The folder of this run does not say yet what its memory keeps."));
    if (!record || !record->memory)
        return dialog_->showNothing(tr("The folder of this run does not say what its memory kept."));
    MemoryShown shown;
    shown.run = run;
    shown.title = title;
    shown.experiment = record->experiment;
    shown.words = wordsOf(*record);
    shown.capacity = record->experiment.memory.size;
    shown.balance = *record->memory;
    dialog_->showMemory(shown);
}

}  // namespace palimpsest
