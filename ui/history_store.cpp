// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/history_store.h"

#include <QFileInfo>

#include "engine/run/class_list_file.h"
#include "ui/curve_store.h"
#include "ui/failure.h"
#include "ui/run_bridge.h"

namespace palimpsest {

HistoryStore::HistoryStore(CurveStore* store, QObject* parent) : QObject(parent), store_(store) {
    pool_.setMaxThreadCount(1);
    // A folder that another program still writes has grown.
    connect(store_, &CurveStore::changed, this, [this](const QString& id, CurveKind kind) {
        const RunCurves* run = store_->find(id);
        if (kind == CurveKind::Anytime && run && run->growing && histories_.contains(id)) read(id);
    });
}

HistoryStore::~HistoryStore() {
    pool_.clear();
    pool_.waitForDone();
}

void HistoryStore::listenTo(RunBridge* bridge) {
    connect(bridge, &RunBridge::started, this, &HistoryStore::onStarted);
    connect(bridge, &RunBridge::updatesDone, this, [this](const QVector<UpdateDone>& updates) {
        if (live_.isEmpty()) return;
        for (const UpdateDone& update : updates) histories_[live_]->take(update);
        Q_EMIT changed(live_);
    });
    connect(bridge, &RunBridge::memoryHeld, this, [this](const MemoryHeld& event) { held_ = event; });
    connect(bridge, &RunBridge::evaluated, this, &HistoryStore::onEvaluated);
    connect(bridge, &RunBridge::ended, this, &HistoryStore::onEnded);
}

std::size_t HistoryStore::classesOf(const QString& run) const {
    const RunCurves* curves = store_->find(run);
    return curves ? static_cast<std::size_t>(curves->words.names.size()) : 0;
}

bool HistoryStore::hasFolder(const QString& run) {
    return QFileInfo(run).isAbsolute();
}

void HistoryStore::onStarted(const RunStarted& event) {
    live_ = CurveStore::idOf(event.folder, event.run);
    live_number_ = event.run;
    held_.reset();
    histories_[live_] = std::make_shared<RunHistory>();
    histories_[live_]->take(event);
    Q_EMIT changed(live_);
}

void HistoryStore::onEvaluated(const Evaluated& event) {
    if (live_.isEmpty() || event.run != live_number_) return;
    RunHistory& history = *histories_[live_];
    history.take(event);
    // The folder records what is held at an evaluation; news of other moments is for those who look on.
    if (held_ && held_->samples_seen == event.samples_seen) history.take(*held_, classesOf(live_));
    Q_EMIT changed(live_);
}

void HistoryStore::onEnded(const RunEnded& event) {
    if (live_.isEmpty() || event.run != live_number_) return;
    const QString run = live_;
    live_.clear();
    held_.reset();
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
        if (run != live_ && !runs.contains(run) && hasFolder(run)) histories_.remove(run);
}

void HistoryStore::read(const QString& run) {
    // The id of a run without a folder is no place.
    if (reading_.contains(run) || !hasFolder(run)) return;
    reading_.insert(run);
    pool_.start([this, run, classes = classesOf(run)] {
        auto history = std::make_shared<RunHistory>(readHistory(run.toStdString(), classes));
        QMetaObject::invokeMethod(
            this,
            [this, run, history] {
                reading_.remove(run);
                if (run == live_) return;
                histories_[run] = history;
                Q_EMIT changed(run);
            },
            Qt::QueuedConnection);
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
    pool_.start([this, run, samplesSeen] {
        TestClasses predictions;
        const auto failure = failureOf([&] {
            predictions = std::make_shared<const std::vector<std::int32_t>>(
                readClassList(predictionsFile(run.toStdString(), samplesSeen)));
        });
        QMetaObject::invokeMethod(
            this,
            [this, run, samplesSeen, predictions, text = failure ? failure->message : QString()] {
                Q_EMIT predictionsRead(run, samplesSeen, predictions, text);
            },
            Qt::QueuedConnection);
    });
}

}  // namespace palimpsest
