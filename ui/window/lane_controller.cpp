// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/lane_controller.h"

#include <QAction>
#include <QDateTime>
#include <algorithm>

#include "ui/experiment/lane_forms.h"
#include "ui/now/now_panel.h"
#include "ui/state/history_store.h"
#include "ui/state/key_names.h"
#include "ui/state/run_controller.h"
#include "ui/state/run_label.h"
#include "ui/state/run_library.h"
#include "ui/state/run_set.h"
#include "ui/widgets/lane_marker.h"
#include "ui/widgets/message_bar.h"

namespace palimpsest {
namespace {

constexpr int kLaneTurnMs = 100;
const QString kLaneTopic = QStringLiteral("lanes");

}  // namespace

LaneController::LaneController(const Parts& parts, QObject* parent)
    : QObject(parent),
      parts_(parts),
      draft_(parts.controller->draft()),
      forms_(new LaneForms(parts.form, &draft_)),
      strip_(new LaneStrip),
      pacer_(
          kLaneTurnMs, [this] { refresh(); }, this) {
    RunController* controller = parts_.controller;
    controller->setBeside(
        [this]() -> std::optional<Experiment> {
            if (!draft_.on()) return std::nullopt;
            return draft_.experiment();
        },
        [this] { return obstacle(); });
    for (std::size_t lane = 0; lane < lanes_.size(); ++lane) {
        RunBridge* bridge = controller->bridge(lane);
        connect(bridge, &RunBridge::started, this, [this, lane](const RunStarted& event) { onStarted(lane, event); });
        connect(bridge, &RunBridge::ended, this, [this, lane](const RunEnded& event) { onEnded(lane, event); });
    }
    connect(controller, &RunController::starting, this, [this] {
        lanes_ = {};
        parts_.messages->withdraw(kLaneTopic);
        refresh();
    });
    connect(controller, &RunController::stateChanged, &pacer_, &Throttle::ask);
    connect(parts_.store, &RunSet::changed, &pacer_, &Throttle::ask);
    connect(parts_.store, &RunSet::runsChanged, &pacer_, &Throttle::ask);
    connect(&draft_, &LaneDraft::differencesChanged, &pacer_, &Throttle::ask);
    connect(&draft_, &LaneDraft::onChanged, this, &LaneController::refresh);
    // Why lane B could not start, or that a fork and two lanes exclude each other, may not hold any longer.
    connect(&draft_, &LaneDraft::differencesChanged, controller, &RunController::forgetRefusal);
    connect(&draft_, &LaneDraft::onChanged, this, [this] {
        parts_.messages->withdraw(kLaneTopic);
        parts_.controller->forgetRefusal();
    });
    connect(parts_.compare, &QAction::triggered, &draft_, &LaneDraft::setOn);
    connect(strip_, &LaneStrip::endAsked, &draft_, [this] { draft_.setOn(false); });
    refresh();
}

std::optional<Failure> LaneController::obstacle() const {
    if (!draft_.on()) return std::nullopt;
    if (draft_.differences().empty())
        return Failure{tr("Lane B is the same as lane A, so there is nothing to compare."),
                       KeyNames::instance().filled(
                           tr("Change one thing in lane B, such as its mask, and press {startRun} again."))};
    if (!draft_.problems().isEmpty())
        return Failure{tr("Lane B cannot start: %1").arg(draft_.problems().front()),
                       KeyNames::instance().filled(tr("Change that setting in lane B and press {startRun} again."))};
    return std::nullopt;
}

void LaneController::onStarted(std::size_t lane, const RunStarted& event) {
    if (!parts_.controller->paired()) return;
    if (lane == 1) forms_->setRunning(&event.experiment);
    if (lanes_[1 - lane].run.isEmpty()) {
        tag_ = QStringLiteral("lanes-") + QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyyMMdd-HHmmss"));
        clearFigures();
    }
    lanes_[lane] = {RunSet::idOf(event.folder, event.run), event.fingerprint, {}};
    file(lanes_[lane].run, lane);
    // Whichever is ready first, lane A is the one in full colour, and lane B is seen beside it.
    if (const ShownRun* second = curvesOf(1); second && !second->visible) parts_.store->setVisible(second->id, true);
    parts_.store->showForNow(lanes_[0].run);
    requireOneStream();
    refresh();
}

void LaneController::onEnded(std::size_t lane, const RunEnded& event) {
    if (lane == 1) forms_->setRunning(nullptr);
    if (parts_.controller->paired())
        lanes_[lane].state = event.how == RunEnd::Failed    ? tr("failed")
                             : event.how == RunEnd::Stopped ? tr("stopped")
                                                            : QString();
    refresh();
}

void LaneController::requireOneStream() {
    const std::string &first = lanes_[0].fingerprint, &second = lanes_[1].fingerprint;
    if (first.empty() || second.empty() || first == second) return;
    parts_.messages->showLatest(
        MessageBar::Kind::Error, kLaneTopic,
        tr("The lanes got different streams (%1 and %2), so they cannot be compared.")
            .arg(QString::fromStdString(first), QString::fromStdString(second)),
        tr("Both are stopped. Check whether the files of the data set or of the stream changed meanwhile, and start "
           "again."));
    parts_.controller->stop();
}

void LaneController::clearFigures() {
    QStringList others;
    for (const ShownRun* run : parts_.store->visibleRuns())
        if (!run->chosen && !run->live) others.append(run->id);
    for (const QString& run : std::as_const(others)) parts_.store->setVisible(run, false);
}

void LaneController::file(const QString& run, std::size_t lane) {
    if (lane == 1) parts_.store->setColour(run, QColor(QLatin1String(kLaneColour)));
    if (!HistoryStore::hasFolder(run)) return;
    parts_.library->editNotes({run}, [tag = tag_.toStdString(), lane](RunNotes& notes) {
        notes.tags.push_back(tag);
        if (lane == 1) notes.colour = kLaneColour;
    });
}

const ShownRun* LaneController::curvesOf(std::size_t lane) const {
    return parts_.store->find(lanes_[lane].run);
}

void LaneController::refresh() {
    const bool shown = draft_.on() || (parts_.controller->paired() && parts_.controller->busy());
    parts_.compare->setChecked(draft_.on());
    strip_->setVisible(shown);
    if (!shown) return parts_.now->setLanes({});
    const ShownRun *first = curvesOf(0), *second = curvesOf(1);
    const OptionTable& table = draft_.table();
    // Until both have begun, what will be compared.
    const bool begun = first && second;
    const Experiment& a = begun ? first->experiment : draft_.first().experiment();
    const Experiment& b = begun ? second->experiment : draft_.experiment();
    const QStringList labels = begun ? QStringList{first->label, second->label} : runLabels(table, {&a, &b});
    std::array<int, 2> looks{};
    for (std::size_t lane = 0; lane < looks.size(); ++lane)
        if (const ShownRun* run = curvesOf(lane)) looks[lane] = run->look;
    forms_->setLook(looks[1]);
    std::array<LaneStrip::Lane, 2> told;
    for (std::size_t lane = 0; lane < told.size(); ++lane)
        told[lane] = {labels.value(static_cast<int>(lane)), {}, lanes_[lane].state, looks[lane]};
    bool whole = false;
    if (begun) {
        const std::int64_t reach = std::min(first->reach(), second->reach());
        told[0].area = first->areaUpTo(reach);
        told[1].area = second->areaUpTo(reach);
        whole = first->areaIsFinal() && second->areaIsFinal();
    }
    const auto differences = experimentDifferences(table, a, b);
    QStringList difference{differencesText(differences)};
    if (differences.size() > 1) difference.append(tr("%1 differences").arg(differences.size()));
    strip_->setLanes(told, difference, !whole);
    // A run that goes on by itself is no lane.
    const bool alone = parts_.controller->busy() && !parts_.controller->paired();
    parts_.now->setLanes(alone ? QStringList() : labels, looks);
}

}  // namespace palimpsest
