// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/now/moment_controller.h"

#include <algorithm>
#include <utility>

#include "ui/now/now_moment.h"
#include "ui/now/now_panel.h"
#include "ui/state/run_bridge.h"
#include "ui/state/window_state.h"

namespace palimpsest {
namespace {

constexpr int kTurnMs = 50;

}  // namespace

MomentController::MomentController(FigureState& figures, const Images& images, const RunBridge* bridge, NowPair* pair,
                                   std::size_t lane)
    : QObject(pair),
      figures_(figures),
      pair_(pair),
      panel_(pair->panel(lane)),
      lane_(lane),
      reader_(new BatchReader(images.labels, images.datasets, this)),
      throttle_(
          kTurnMs, [this] { refresh(); }, this) {
    connect(&figures_.cursor, &CurveCursor::moved, &throttle_, &Throttle::ask);
    connect(&figures_.runs, &RunSet::runsChanged, &throttle_, &Throttle::ask);
    connect(pair_, &NowPair::pairedChanged, &throttle_, &Throttle::ask);
    connect(&figures_.histories, &HistoryStore::changed, this, [this](const QString& run) {
        if (asked_ && asked_->run == run) throttle_.ask();
    });
    connect(reader_, &BatchReader::answered, this, &MomentController::setBatch);
    if (!bridge) return;
    // A replayed run has no images of its own: it is shown as a chosen moment is.
    connect(bridge, &RunBridge::started, this, [this](const RunStarted& event) {
        played_ = event.replayed ? CurveCursor::Moment(0) : std::nullopt;
        throttle_.ask();
    });
    connect(bridge, &RunBridge::progressed, this, [this](const Progress& event) {
        if (!played_) return;
        played_ = event.samples_seen;
        throttle_.ask();
    });
    connect(bridge, &RunBridge::ended, this, [this] {
        if (std::exchange(played_, std::nullopt)) throttle_.ask();
    });
}

void MomentController::showNow() {
    throttle_.forget();
    refresh();
}

CurveCursor::Moment MomentController::moment() const {
    if (const auto chosen = figures_.cursor.pinned()) return chosen;
    return played_ && *played_ > 0 ? played_ : std::nullopt;
}

const ShownRun* MomentController::shownRun() const {
    if (!moment()) return nullptr;
    if (pair_->paired()) return figures_.runs.find(panel_->run());
    const ShownRun* run = lane_ == 0 ? figures_.runs.selected() : nullptr;
    return run && (figures_.cursor.pinned() || run->replayed) ? run : nullptr;
}

QString MomentController::otherRunName() const {
    const ShownRun* selected = figures_.runs.selected();
    if (panel_->run().isEmpty() || (selected && selected->id == panel_->run())) return {};
    // One that was stopped before its first evaluation is not among the runs any more.
    const QString label = figures_.runs.label(panel_->run());
    return label.isEmpty() ? panel_->runName() : label;
}

void MomentController::refresh() {
    const ShownRun* run = shownRun();
    if (!run) {
        asked_.reset();
        batch_.reset();
        reader_->forget();
        panel_->nameRun(otherRunName());
        return panel_->showLive();
    }
    panel_->nameRun({});
    const std::int64_t moment =
        figures_.cursor.pinned() ? std::min(*figures_.cursor.pinned(), run->points.samplesSeen()) : *this->moment();
    const Asked now{run->id, run->generation, moment, figures_.cursor.pinned().has_value()};
    // A run that is played goes on faster than batches are read: each is read to its end, and shown until the next is.
    const bool follows = asked_ && !now.pinned && !asked_->pinned && asked_->run == now.run &&
                         asked_->generation == now.generation && asked_->moment < now.moment;
    if (asked_ != now && (answered_ || !follows)) {
        asked_ = now;
        answered_ = false;
        if (!follows) {
            batch_.reset();
            why_.clear();
        }
        reader_->request(*run, moment);
    }
    const HistoryStore::History history = figures_.histories.find(run->id);
    // All that is shown belongs to one moment: that of the batch.
    NowMoment shown =
        nowMoment(figures_.runs.table(), *run, history.get(), batch_.get(), batch_ ? batch_moment_ : moment);
    shown.run = figures_.runs.label(run->id);
    shown.why = why_;
    shown.reading = !answered_ && !batch_ && why_.isEmpty();
    panel_->showMoment(shown);
}

void MomentController::setBatch(const QString& run, qint64 moment, const BatchReader::Batch& batch,
                                const QString& why) {
    if (!asked_ || asked_->run != run || asked_->moment != moment) return;
    answered_ = true;
    batch_ = batch;
    batch_moment_ = moment;
    why_ = why;
    throttle_.ask();
}

}  // namespace palimpsest
