// SPDX-License-Identifier: GPL-3.0-or-later
// What comes in of runs: the records of their folders, and the events of those that learn here.
#include <algorithm>
#include <utility>

#include "engine/record/seed_runs.h"
#include "engine/support/utc_time.h"
#include "ui/state/run_set.h"

namespace palimpsest {
namespace {

/// Where it branched off.
void takeOrigin(ShownRun& run, const RunRecord& record) {
    run.parent = record.parent.empty() ? QString() : RunSet::idOf(record.parent.string(), 0);
    run.forked_at = record.forked_at;
}

std::string seedGroup(const OptionTable& table, const ShownRun& run) {
    return apartFromSeed(table, run.experiment, run.imported, run.changes);
}

}  // namespace

void RunSet::addRecord(const RunRecord& record) {
    const QString id = idOf(record.folder.string(), 0);
    ShownRun* known = findMutable(id);
    if (known && known->live) return;
    if (known && known->growing) {
        const std::size_t points = known->anytime.size() + known->session_ends.size(), rows = known->rows_taken;
        const std::size_t changes = known->changes.size();
        if (append(*known, record)) {
            if (known->anytime.size() + known->session_ends.size() > points) Q_EMIT changed(id, CurveKind::Anytime);
            if (known->rows_taken > rows) Q_EMIT changed(id, CurveKind::Retention);
            if (!known->growing || known->changes.size() > changes) relabel();
            return;
        }
    }
    ShownRun& run = insert(id);
    run.name = QString::fromStdString(record.experiment.name);
    run.experiment = record.experiment;
    run.words = wordsOf(record);
    run.total_samples = record.total_samples;
    run.session_starts = record.session_starts;
    run.fingerprint = record.fingerprint;
    append(run, record);
    relabel();
}

/// Run folders only grow. False, and nothing done, where this one began anew or its stream turned out shorter.
bool RunSet::append(ShownRun& run, const RunRecord& record) const {
    const std::vector<AnytimePoint> ends = sessionEnds(record);
    if (record.total_samples != run.total_samples || record.session_starts != run.session_starts ||
        record.anytime.size() < run.anytime.size() || record.retention.size() < run.rows_taken ||
        ends.size() < run.session_ends.size() || record.changes.size() < run.changes.size())
        return false;
    const auto addNew = [&run](std::vector<AnytimePoint>& known, const std::vector<AnytimePoint>& all) {
        known.insert(known.end(), all.begin() + std::ssize(known), all.end());
        if (!known.empty()) run.samples_seen = std::max(run.samples_seen, known.back().samples_seen);
    };
    addNew(run.anytime, record.anytime);
    addNew(run.session_ends, ends);
    run.learned = std::max({run.learned, run.samples_seen, record.samples_learned});
    for (; run.rows_taken < record.retention.size(); ++run.rows_taken)
        run.addRetention(record.retention[run.rows_taken]);
    run.row = std::make_shared<const RunRow>(rowOf(table_, record));
    const bool fresh = run.seed_group.empty() || record.changes.size() > run.changes.size();
    run.changes.insert(run.changes.end(), record.changes.begin() + std::ssize(run.changes), record.changes.end());
    takeOrigin(run, record);
    run.imported = record.state == RecordedState::Imported;
    run.finished = record.state == RecordedState::Finished || run.imported;
    run.growing = record.state == RecordedState::Running;
    run.started = record.started;
    if (fresh) run.seed_group = seedGroup(table_, run);
    return true;
}

void RunSet::onStarted(const RunStarted& event) {
    const QString id = idOf(event.folder, event.run);
    ShownRun& run = insert(id);
    run.live = true;
    run.name = QString::fromStdString(event.experiment.name);
    run.experiment = event.experiment;
    run.words = wordsOf(event);
    run.total_samples = event.total_samples;
    run.fingerprint = event.fingerprint;
    if (event.plan) {
        std::int64_t start = 0;
        for (const auto& session : event.plan->sessions) {
            run.session_starts.push_back(start);
            start += static_cast<std::int64_t>(session.size());
        }
    }
    if (event.past) {
        // What was changed before stands among its changes.
        const std::int64_t sessions = run.experiment.stream.sessions;
        run.experiment = event.past->experiment;
        run.experiment.stream.sessions = sessions;
        // Images that were left out moved the borders.
        run.total_samples = event.past->total_samples;
        run.session_starts = event.past->session_starts;
        append(run, *event.past);
        run.growing = run.finished = false;
        run.row = nullptr;
    }
    if (event.replayed) {
        run.replayed = event.replayed;
        run.session_starts = event.replayed->session_starts;
        takeOrigin(run, *event.replayed);
        run.imported = event.replayed->state == RecordedState::Imported;
        run.started = event.replayed->started;
    }
    // As its folder says it, give or take the second.
    if (!event.past && !event.replayed) run.started = utcNow();
    run.seed_group = seedGroup(table_, run);
    live_ids_[event.run] = current_ = id;
    makePrimary(run);
    hideOldStarted();
    relabel();
}

void RunSet::onProgress(const Progress& event) {
    ShownRun* run = live(event.run);
    if (!run || event.samples_seen <= run->learned) return;
    run->learned = event.samples_seen;
    Q_EMIT progressed(run->id);
}

void RunSet::onEvaluated(const Evaluated& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    const AnytimePoint point{
        event.samples_seen, event.session, event.accuracy, event.loss, static_cast<std::int64_t>(event.classes.size()),
        event.updates};
    (event.kind == EvaluationKind::Anytime ? run->anytime : run->session_ends).push_back(point);
    run->samples_seen = std::max(run->samples_seen, event.samples_seen);
    run->learned = std::max(run->learned, run->samples_seen);
    Q_EMIT changed(run->id, CurveKind::Anytime);
}

void RunSet::onSessionEnded(const SessionEnded& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    for (const SessionAccuracy& entry : event.accuracies)
        run->addRetention({event.session, entry.session, entry.accuracy, entry.samples});
    run->samples_seen = std::max(run->samples_seen, event.samples_seen);
    run->learned = std::max(run->learned, run->samples_seen);
    Q_EMIT changed(run->id, CurveKind::Retention);
}

void RunSet::onChange(const ChangeMade& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    run->changes.push_back({event.key, event.value, event.samples_seen});
    run->seed_group = seedGroup(table_, *run);
    relabel();
}

void RunSet::onEnded(const RunEnded& event) {
    ShownRun* run = live(event.run);
    live_ids_.remove(event.run);
    if (!run) return;
    run->live = run->paused = false;
    run->finished = event.how == RunEnd::Finished;
    const QString id = run->id;
    if (id == current_) current_.clear();
    // However far it was played, the run is what it was.
    if (const auto record = std::exchange(run->replayed, nullptr)) return addRecord(*record);
    if (event.how == RunEnd::Aborted || (run->anytime.empty() && run->session_ends.empty()))
        remove(id);
    else
        Q_EMIT runsChanged();
}

}  // namespace palimpsest
