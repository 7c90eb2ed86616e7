// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/curve_store.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "engine/metrics/metrics.h"
#include "engine/run/seed_runs.h"
#include "engine/run/session_ends.h"
#include "engine/run/utc_time.h"
#include "ui/curve_look.h"
#include "ui/run_label.h"

namespace palimpsest {
namespace {

/// With more visible runs than these, those that came into the plots by being started or looked at, not by a person's
/// choice, give way.
constexpr qsizetype kMostVisible = 6;

/// Where it branched off.
void takeOrigin(RunCurves& run, const RunRecord& record) {
    run.parent = record.parent.empty() ? QString() : CurveStore::idOf(record.parent.string(), 0);
    run.forked_at = record.forked_at;
}

std::string seedGroup(const OptionTable& table, const RunCurves& run) {
    return apartFromSeed(table, run.experiment, run.imported, run.changes);
}

}  // namespace

std::optional<double> RunCurves::areaUpTo(std::int64_t samples) const {
    // As areaUnderCurve(), without going through a million numbers at each frame.
    if (area_sums.size() > anytime.size()) area_sums.clear();
    while (area_sums.size() < anytime.size())
        area_sums.push_back((area_sums.empty() ? 0.0 : area_sums.back()) + anytime[area_sums.size()].accuracy);
    const auto after = std::upper_bound(anytime.begin(), anytime.end(), samples,
                                        [](std::int64_t x, const AnytimePoint& p) { return x < p.samples_seen; });
    const auto count = static_cast<std::size_t>(after - anytime.begin());
    return count > 0 ? std::optional(area_sums[count - 1] / static_cast<double>(count)) : std::nullopt;
}

std::int64_t RunCurves::reach() const {
    const bool whole = !goesOn() && areaIsWhole(anytime, total_samples, experiment.evaluation.every_samples);
    return whole ? std::max(total_samples, samples_seen) : samples_seen;
}

const std::vector<RetentionPoint>& RunCurves::retentionOf(std::int64_t session) const {
    static const std::vector<RetentionPoint> none;
    const auto it = retention.find(session);
    return it == retention.end() ? none : it->second;
}

void RunCurves::addRetention(const RetentionPoint& point) {
    if (point.samples > 0) retention[point.session].push_back(point);
}

std::int64_t RunCurves::sessions() const {
    return session_starts.empty() ? experiment.stream.sessions : static_cast<std::int64_t>(session_starts.size());
}

CurveStore::CurveStore(QObject* parent) : QObject(parent) {}
CurveStore::~CurveStore() = default;

void CurveStore::setCatalogue(const Catalogue& catalogue) {
    table_ = OptionTable(catalogue);
    relabel();
}

void CurveStore::setPresets(const QStringList& titles) {
    naming_.emplace(&table_, titles);
    for (const auto& run : runs_) run->given = givenName(*run);
    relabel();
}

/// Of an imported run nothing but its name is known.
QString CurveStore::givenName(const RunCurves& run) const {
    return run.imported ? run.name : naming_ ? naming_->given(run.experiment) : QString();
}

QString CurveStore::idOf(const std::string& folder, std::int64_t run) {
    return folder.empty() ? QStringLiteral("run-%1").arg(run)
                          : QDir::cleanPath(QFileInfo(QString::fromStdString(folder)).absoluteFilePath());
}

RunCurves* CurveStore::findMutable(const QString& id) {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->id == id; });
    return it == runs_.end() ? nullptr : it->get();
}

const RunCurves* CurveStore::find(const QString& id) const {
    return const_cast<CurveStore*>(this)->findMutable(id);
}

RunCurves* CurveStore::live(std::int64_t run) {
    const auto it = live_ids_.constFind(run);
    return it == live_ids_.constEnd() ? nullptr : findMutable(*it);
}

RunCurves& CurveStore::insert(const QString& id) {
    if (RunCurves* old = findMutable(id)) {
        const bool visible = old->visible, primary = old->primary, chosen = old->chosen;
        const int look = old->look, generation = old->generation + 1;
        const QColor colour = old->colour;
        *old = RunCurves{};
        old->id = id;
        old->visible = visible;
        old->primary = primary;
        old->chosen = chosen;
        old->look = look;
        old->colour = colour;
        old->generation = generation;
        return *old;
    }
    if (!looks_.contains(id)) {
        std::vector<int> taken;
        for (const auto& run : runs_) taken.push_back(run->look);
        looks_[id] = lookFor(QFileInfo(id).fileName(), taken);
    }
    runs_.push_back(std::make_unique<RunCurves>());
    runs_.back()->id = id;
    runs_.back()->look = looks_.value(id);
    return *runs_.back();
}

void CurveStore::addRecord(const RunRecord& record) {
    const QString id = idOf(record.folder.string(), 0);
    RunCurves* known = findMutable(id);
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
    RunCurves& run = insert(id);
    run.name = QString::fromStdString(record.experiment.name);
    run.experiment = record.experiment;
    run.words = wordsOf(record);
    run.total_samples = record.total_samples;
    run.session_starts = record.session_starts;
    run.fingerprint = record.fingerprint;
    append(run, record);
    run.given = givenName(run);
    relabel();
}

/// Run folders only grow. False, and nothing done, where this one began anew or its stream turned out shorter.
bool CurveStore::append(RunCurves& run, const RunRecord& record) const {
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
    run.imported = record.state == "imported";
    run.finished = record.state == "finished" || run.imported;
    run.growing = record.state == "running";
    run.started = record.started;
    if (fresh) run.seed_group = seedGroup(table_, run);
    return true;
}

void CurveStore::remove(const QString& id) {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [&](const auto& run) { return run->id == id; });
    if (it == runs_.end()) return;
    runs_.erase(it);
    shown_order_.removeAll(id);
    choosePrimary();
    relabel();
}

void CurveStore::setVisible(const QString& id, bool visible) {
    RunCurves* run = findMutable(id);
    if (!run) return;
    run->chosen = visible;
    if (run->visible == visible) return;
    visible ? show(*run) : hide(*run);
    choosePrimary();
    relabel();
}

void CurveStore::setPrimary(const QString& id) {
    RunCurves* run = findMutable(id);
    if (!run) return;
    run->chosen = true;
    makePrimary(*run);
    relabel();
}

void CurveStore::showForNow(const QString& id) {
    RunCurves* run = findMutable(id);
    if (!run || run->primary) return;
    makePrimary(*run);
    hideOldStarted();
    relabel();
}

void CurveStore::setColour(const QString& id, const QColor& colour) {
    RunCurves* run = findMutable(id);
    if (!run || run->colour == colour) return;
    run->colour = colour;
    Q_EMIT runsChanged();
}

void CurveStore::setPaused(bool paused) {
    bool changed = false;
    for (const auto& run : runs_) {
        if (!run->live || run->paused == paused) continue;
        run->paused = paused;
        changed = true;
    }
    if (changed) Q_EMIT runsChanged();
}

void CurveStore::show(RunCurves& run) {
    run.visible = true;
    shown_order_.removeAll(run.id);
    shown_order_.push_back(run.id);
}

void CurveStore::hide(RunCurves& run) {
    run.visible = run.primary = run.chosen = false;
    shown_order_.removeAll(run.id);
}

void CurveStore::makePrimary(RunCurves& chosen) {
    for (const auto& run : runs_) run->primary = run.get() == &chosen;
    show(chosen);
}

void CurveStore::hideOldStarted() {
    const QStringList order = shown_order_;
    for (const QString& id : order) {
        if (shown_order_.size() <= kMostVisible) return;
        RunCurves& run = *findMutable(id);
        if (!run.chosen && !run.primary && id != current_) hide(run);
    }
}

/// There is a primary run whenever anything is visible: the one shown last.
void CurveStore::choosePrimary() {
    if (primary() || shown_order_.isEmpty()) return;
    findMutable(shown_order_.last())->primary = true;
}

const RunCurves* CurveStore::primary() const {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->primary; });
    return it == runs_.end() ? nullptr : it->get();
}

const RunCurves* CurveStore::compared() const {
    for (auto id = shown_order_.crbegin(); id != shown_order_.crend(); ++id)
        if (const RunCurves* run = find(*id); run && !run->primary) return run;
    return nullptr;
}

std::vector<const RunCurves*> CurveStore::runs() const {
    std::vector<const RunCurves*> list;
    for (const auto& run : runs_) list.push_back(run.get());
    return list;
}

std::vector<const RunCurves*> CurveStore::visibleRuns() const {
    std::vector<const RunCurves*> list;
    for (const auto& run : runs_)
        if (run->visible) list.push_back(run.get());
    std::stable_partition(list.begin(), list.end(), [](const RunCurves* run) { return run->primary; });
    return list;
}

QString CurveStore::label(const QString& id) const {
    return labels_.value(id);
}

QString CurveStore::captionFor(const RunCurves* run, const QString& words) const {
    return run ? label(run->id) + QStringLiteral(" · ") + words : words;
}

void CurveStore::relabel() {
    labels_.clear();
    std::vector<LabelledRun> experiments;
    QStringList ids;
    for (const auto& run : runs_) {
        if (run->imported) {
            labels_[run->id] = run->name;
            continue;
        }
        const LabelledRun labelled(&run->experiment, run->changesOfItsOwn(), run->given);
        if (!run->visible) {
            labels_[run->id] = runLabels(table_, {labelled}).first();
            continue;
        }
        experiments.push_back(labelled);
        ids.push_back(run->id);
    }
    const QStringList labels = runLabels(table_, experiments);
    for (int i = 0; i < ids.size(); ++i) labels_[ids[i]] = labels[i];
    Q_EMIT runsChanged();
}

void CurveStore::onStarted(const RunStarted& event) {
    const QString id = idOf(event.folder, event.run);
    RunCurves& run = insert(id);
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
        run.imported = event.replayed->state == "imported";
        run.started = event.replayed->started;
    }
    // As its folder says it, give or take the second.
    if (!event.past && !event.replayed) run.started = utcNow();
    run.given = givenName(run);
    run.seed_group = seedGroup(table_, run);
    live_ids_[event.run] = current_ = id;
    makePrimary(run);
    hideOldStarted();
    relabel();
}

void CurveStore::onProgress(const Progress& event) {
    RunCurves* run = live(event.run);
    if (!run || event.samples_seen <= run->learned) return;
    run->learned = event.samples_seen;
    Q_EMIT progressed(run->id);
}

void CurveStore::onEvaluated(const Evaluated& event) {
    RunCurves* run = live(event.run);
    if (!run) return;
    const AnytimePoint point{
        event.samples_seen, event.session, event.accuracy, event.loss, static_cast<std::int64_t>(event.classes.size()),
        event.updates};
    (event.kind == EvaluationKind::Anytime ? run->anytime : run->session_ends).push_back(point);
    run->samples_seen = std::max(run->samples_seen, event.samples_seen);
    run->learned = std::max(run->learned, run->samples_seen);
    Q_EMIT changed(run->id, CurveKind::Anytime);
}

void CurveStore::onSessionEnded(const SessionEnded& event) {
    RunCurves* run = live(event.run);
    if (!run) return;
    for (const SessionAccuracy& entry : event.accuracies)
        run->addRetention({event.session, entry.session, entry.accuracy, entry.samples});
    run->samples_seen = std::max(run->samples_seen, event.samples_seen);
    run->learned = std::max(run->learned, run->samples_seen);
    Q_EMIT changed(run->id, CurveKind::Retention);
}

void CurveStore::onChange(const ChangeMade& event) {
    RunCurves* run = live(event.run);
    if (!run) return;
    run->changes.push_back({event.key, event.value, event.samples_seen});
    run->seed_group = seedGroup(table_, *run);
    relabel();
}

void CurveStore::onEnded(const RunEnded& event) {
    RunCurves* run = live(event.run);
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
