// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/history_store.h"

#include <QFileInfo>
#include <algorithm>

#include "engine/record/predictions.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_set.h"

namespace palimpsest {

HistoryStore::HistoryStore(RunSet* store, QObject* parent) : QObject(parent), store_(store) {
    // A folder that another program still writes has grown.
    connect(store_, &RunSet::changed, this, [this](const QString& id, CurveKind kind) {
        const ShownRun* run = store_->find(id);
        if (kind == CurveKind::Anytime && run && run->growing && histories_.contains(id)) read(id);
    });
}

void HistoryStore::listenTo(RunBridge* bridge) {
    connect(bridge, &RunBridge::started, this, &HistoryStore::onStarted);
    connect(bridge, &RunBridge::updatesDone, this, [this](const QVector<UpdateDone>& updates) {
        const auto live = live_.constFind(updates.first().run);
        if (live == live_.cend()) return;
        for (const UpdateDone& update : updates) histories_[live->run]->add(update);
        Q_EMIT changed(live->run);
    });
    connect(bridge, &RunBridge::memoryHeld, this, [this](const MemoryHeld& event) {
        if (const auto live = live_.find(event.run); live != live_.end()) live->held = event;
    });
    connect(bridge, &RunBridge::evaluated, this, &HistoryStore::onEvaluated);
    connect(bridge, &RunBridge::ended, this, &HistoryStore::onEnded);
}

std::size_t HistoryStore::classesOf(const QString& run) const {
    const ShownRun* curves = store_->find(run);
    return curves ? static_cast<std::size_t>(curves->facts->class_names.names.size()) : 0;
}

bool HistoryStore::hasFolder(const QString& run) {
    return QFileInfo(run).isAbsolute();
}

bool HistoryStore::isLive(const QString& run) const {
    return std::any_of(live_.cbegin(), live_.cend(), [&](const Live& live) { return live.run == run; });
}

void HistoryStore::onStarted(const RunStarted& event) {
    const QString run = RunSet::idOf(event.folder, event.run);
    live_[event.run] = {run, {}};
    histories_[run] = event.history ? event.history : std::make_shared<RunHistory>();
    histories_[run]->add(event);
    Q_EMIT changed(run);
}

void HistoryStore::onEvaluated(const Evaluated& event) {
    const auto live = live_.constFind(event.run);
    if (live == live_.cend()) return;
    const QString run = live->run;
    RunHistory& history = *histories_[run];
    history.add(event);
    // The folder records what is held at an evaluation; events of other moments are for the live view alone.
    if (live->held && live->held->samples_seen == event.samples_seen) history.add(*live->held, classesOf(run));
    Q_EMIT changed(run);
}

void HistoryStore::onEnded(const RunEnded& event) {
    if (!live_.contains(event.run)) return;
    const QString run = live_.take(event.run).run;
    // The folder has what did not pass through the mailbox.
    if (event.how == RunEnd::Aborted)
        histories_.remove(run);
    else if (!event.folder.empty())
        read(run);
}

void HistoryStore::want(const QStringList& runs) {
    for (const QString& run : runs)
        if (!histories_.contains(run)) read(run);
    for (const QString& run : histories_.keys())
        if (!isLive(run) && !runs.contains(run) && hasFolder(run)) histories_.remove(run);
}

void HistoryStore::read(const QString& run) {
    // The id of a run without a folder is no place.
    if (reading_.contains(run) || !hasFolder(run)) return;
    reading_.insert(run);
    background_.run([run, classes = classesOf(
                              run)] { return std::make_shared<RunHistory>(readHistory(run.toStdString(), classes)); },
                    [this, run](const std::shared_ptr<RunHistory>& history) {
                        reading_.remove(run);
                        if (isLive(run)) return;
                        histories_[run] = history;
                        Q_EMIT changed(run);
                    });
}

void HistoryStore::readPredictions(const QString& run, std::int64_t samplesSeen) {
    const History history = find(run);
    if (history && history->newest && !history->predicted.empty() && history->predicted.back() == samplesSeen) {
        Q_EMIT predictionsRead(run, samplesSeen, history->newest, {});
        return;
    }
    if (!hasFolder(run)) {
        Q_EMIT predictionsRead(run, samplesSeen, nullptr,
                               tr("Of a run without a folder only the newest predictions are kept."));
        return;
    }
    background_.run(
        [run, samplesSeen]() -> TestClasses {
            return std::make_shared<const std::vector<std::int32_t>>(
                readClassList(predictionsFile(run.toStdString(), samplesSeen)));
        },
        [this, run, samplesSeen](const TestClasses& predictions) {
            Q_EMIT predictionsRead(run, samplesSeen, predictions, QString());
        },
        [this, run, samplesSeen](const Failure& failure) {
            Q_EMIT predictionsRead(run, samplesSeen, nullptr, failure.message);
        });
}

}  // namespace palimpsest
