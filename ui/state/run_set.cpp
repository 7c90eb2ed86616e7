// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/state/run_set.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <utility>

#include "engine/record/seed_runs.h"
#include "engine/support/clock.h"
#include "ui/state/run_bridge.h"
#include "ui/state/run_label.h"
#include "ui/style/curve_style.h"

namespace palimpsest {
namespace {

/// Number of visible groups of seeds, most of which are a single run, beyond which those that were only started or
/// opened, not chosen by the user, are hidden.
constexpr std::size_t kMostVisible = 6;
/// The same of the seeds of one group.
constexpr std::size_t kMostSeeds = 20;

/// Sets the facts that a record may only get, or change, after its first points.
void setOrigin(ShownRunFacts& facts, const RunRecord& record) {
    facts.parent = record.parent.empty() ? QString() : RunSet::idOf(record.parent.string(), 0);
    facts.forked_at = record.forked_at;
    facts.imported = record.state == RecordedState::Imported;
    facts.dataset = facts.imported ? record.origin.dataset : record.experiment.stream.dataset;
    facts.measures_area = !facts.imported || record.summary.a_auc.has_value();
    facts.started = record.started;
}

ShownRunFacts shownFacts(const RunRecord& record) {
    ShownRunFacts facts;
    facts.name = QString::fromStdString(record.experiment.name);
    facts.experiment = record.experiment;
    facts.class_names = classNamesOf(record);
    facts.prompt_lengths = record.prompt_lengths;
    facts.total_samples = record.total_samples;
    facts.session_starts = record.session_starts;
    facts.fingerprint = record.fingerprint;
    setOrigin(facts, record);
    return facts;
}

std::vector<std::int64_t> sessionStarts(const StreamPlan& plan) {
    std::vector<std::int64_t> starts;
    std::int64_t start = 0;
    for (const auto& session : plan.sessions) {
        starts.push_back(start);
        start += static_cast<std::int64_t>(session.size());
    }
    return starts;
}

ShownRunFacts shownFacts(const RunStarted& event) {
    ShownRunFacts facts;
    facts.name = QString::fromStdString(event.experiment.name);
    facts.experiment = event.experiment;
    facts.class_names = classNamesOf(event);
    facts.prompt_lengths = event.prompt_lengths;
    facts.total_samples = event.total_samples;
    facts.fingerprint = event.fingerprint;
    facts.dataset = event.experiment.stream.dataset;
    if (event.plan) facts.session_starts = sessionStarts(*event.plan);
    if (event.past) {
        // The settings are those of the past, since the changes made there are among the run's; the number of sessions
        // is its own.
        facts.experiment = event.past->experiment;
        facts.experiment.stream.sessions = event.experiment.stream.sessions;
        // Images that were left out moved the borders.
        facts.total_samples = event.past->total_samples;
        facts.session_starts = event.past->session_starts;
        setOrigin(facts, *event.past);
    }
    if (event.replayed) {
        facts.session_starts = event.replayed->session_starts;
        setOrigin(facts, *event.replayed);
    }
    // The time that the run's folder says may differ by a second.
    if (!event.past && !event.replayed) facts.started = utcNow();
    return facts;
}

std::string seedGroup(const OptionTable& table, const ShownRun& run) {
    return apartFromSeed(table, run.facts->experiment, run.facts->imported, run.changes);
}

/// Runs that are seeds of one another; a run that nothing is known of stands alone.
std::string groupOf(const ShownRun& run) {
    return run.seed_group.empty() ? run.id.toStdString() : run.seed_group;
}

/// The streams have other data or another length, so that one axis does not suit both. Seeds shuffle one stream.
bool ofOtherStream(const ShownRun& run, const ShownRun& other) {
    const ShownRunFacts &own = *run.facts, &its = *other.facts;
    if (run.id == other.id || groupOf(run) == groupOf(other) || own.parent == other.id) return false;
    const bool lengths_known = own.total_samples > 0 && its.total_samples > 0;
    if (own.imported || its.imported) {
        // The settings of imported results are not known, and their last point may lie a little before the end.
        const auto [shorter, longer] = std::minmax({own.total_samples, its.total_samples});
        return lengths_known && shorter < longer - longer / 10;
    }
    if (lengths_known && own.total_samples != its.total_samples) return true;
    const StreamOptions &mine = own.experiment.stream, &theirs = its.experiment.stream;
    return mine.dataset != theirs.dataset || mine.root != theirs.root;
}

/// Labels of runs by id: those of visible runs distinguish them from each other, each hidden one stands alone.
QHash<QString, QString> labelsOf(const OptionTable& table, std::vector<const ShownRun*> runs) {
    // Folders end with the time at which a run began: numbers of those that differ in nothing follow it, whatever order
    // they are read in.
    std::ranges::stable_sort(runs, {}, [](const ShownRun* run) -> const QString& { return run->id; });
    QHash<QString, QString> labels;
    std::vector<LabelledRun> together;
    QStringList ids;
    for (const ShownRun* run : runs) {
        if (run->display.visible) {
            together.push_back(labelled(*run));
            ids.push_back(run->id);
        } else {
            labels[run->id] = runLabels(table, {labelled(*run)}).first();
        }
    }
    const QStringList visible = runLabels(table, together);
    for (qsizetype i = 0; i < ids.size(); ++i) labels[ids[i]] = visible[i];
    return labels;
}

}  // namespace

RunSet::RunSet(QObject* parent) : QObject(parent) {}
RunSet::~RunSet() = default;

void RunSet::listenTo(RunBridge* bridge) {
    connect(bridge, &RunBridge::progressed, this, &RunSet::onProgress);
    connect(bridge, &RunBridge::plateauFound, this, &RunSet::onPlateau);
    connect(bridge, &RunBridge::lookedEarly, this, &RunSet::onEarlyLook);
    connect(bridge, &RunBridge::evaluated, this, &RunSet::onEvaluated);
    connect(bridge, &RunBridge::changed, this, &RunSet::onChange);
    connect(bridge, &RunBridge::sessionEnded, this, &RunSet::onSessionEnded);
    connect(bridge, &RunBridge::ended, this, &RunSet::onEnded);
}

void RunSet::setCatalogue(const Catalogue& catalogue) {
    table_ = OptionTable(catalogue);
    relabel();
}

QString RunSet::idOf(const std::string& folder, std::int64_t run) {
    return folder.empty() ? QStringLiteral("run-%1").arg(run)
                          : QDir::cleanPath(QFileInfo(QString::fromStdString(folder)).absoluteFilePath());
}

ShownRun* RunSet::live(std::int64_t run) const {
    const auto it = live_ids_.constFind(run);
    return it == live_ids_.constEnd() ? nullptr : by_id_.value(*it);
}

int RunSet::styleFor(const QString& id) {
    if (const auto known = styles_.constFind(id); known != styles_.constEnd()) return *known;
    std::vector<int> used;
    for (const auto& run : runs_) used.push_back(run->display.style);
    return styles_[id] = curveStyleFor(QFileInfo(id).fileName(), used);
}

/// A run without points; one that is known keeps its appearance.
ShownRun& RunSet::begin(const QString& id, ShownRunFacts facts) {
    ShownRun fresh;
    fresh.id = id;
    fresh.facts = std::make_shared<const ShownRunFacts>(std::move(facts));
    if (ShownRun* known = by_id_.value(id)) {
        fresh.display = known->display;
        fresh.generation = known->generation + 1;
        return *known = std::move(fresh);
    }
    fresh.display.style = styleFor(id);
    runs_.push_back(std::make_unique<ShownRun>(std::move(fresh)));
    return *(by_id_[id] = runs_.back().get());
}

void RunSet::addRecord(const RunRecord& record) {
    const QString id = idOf(record.folder.string(), 0);
    ShownRun* known = by_id_.value(id);
    if (known && known->live) return;
    if (known && known->growing && appendGrowth(*known, record)) return;
    append(begin(id, shownFacts(record)), record);
    relabel();
}

/// Appends the points that another program has written since, and emits the changes. False, and nothing done, as in
/// append().
bool RunSet::appendGrowth(ShownRun& run, const RunRecord& record) {
    const QString id = run.id;
    const std::size_t looks = run.points.early().size();
    const std::size_t points = run.points.evaluations(), rows = run.points.retentionRead();
    const std::size_t changes = run.changes.size(), plateaus = run.plateaus.size();
    if (!append(run, record)) return false;
    ShownRunFacts facts = *run.facts;
    setOrigin(facts, record);
    run.facts = std::make_shared<const ShownRunFacts>(std::move(facts));
    if (run.points.evaluations() > points || run.points.early().size() > looks || run.plateaus.size() > plateaus)
        Q_EMIT changed(id, CurveKind::Anytime);
    if (run.points.retentionRead() > rows) Q_EMIT changed(id, CurveKind::Retention);
    if (!run.growing || run.changes.size() > changes) relabel();
    return true;
}

/// Appends the points of a record; run folders only grow. False, and nothing done, if this one began anew or its stream
/// turned out shorter.
bool RunSet::append(ShownRun& run, const RunRecord& record) const {
    if (record.total_samples != run.facts->total_samples || record.session_starts != run.facts->session_starts ||
        record.changes.size() < run.changes.size() || record.plateaus.size() < run.plateaus.size() ||
        !run.points.append(record))
        return false;
    run.row = std::make_shared<const RunRow>(rowOf(table_, record));
    const bool fresh = run.seed_group.empty() || record.changes.size() > run.changes.size();
    run.changes.insert(run.changes.end(), record.changes.begin() + std::ssize(run.changes), record.changes.end());
    run.plateaus.insert(run.plateaus.end(), record.plateaus.begin() + std::ssize(run.plateaus), record.plateaus.end());
    run.finished = record.state == RecordedState::Finished || record.state == RecordedState::Imported;
    run.growing = record.state == RecordedState::Running;
    if (fresh) run.seed_group = seedGroup(table_, run);
    return true;
}

void RunSet::remove(const QString& id) {
    const ShownRun* gone = by_id_.take(id);
    if (!gone) return;
    // What is still on its way must not reach a run that comes back under this id.
    live_ids_.removeIf([&](const auto& entry) { return entry.value() == id; });
    shown_order_.removeAll(id);
    std::erase_if(runs_, [gone](const auto& run) { return run.get() == gone; });
    selectLastShown();
    relabel();
}

void RunSet::setVisible(const QString& id, bool visible) {
    ShownRun* run = by_id_.value(id);
    if (!run) return;
    run->display.chosen = run->display.ticked = visible;
    if (run->display.visible == visible) return;
    visible ? show(*run) : hide(*run);
    selectLastShown();
    relabel();
}

void RunSet::showAgain(const QString& id) {
    setVisible(id, true);
    if (ShownRun* run = by_id_.value(id)) run->display.ticked = false;
}

QStringList RunSet::leaveFigures(const QStringList& kept) {
    const QStringList left = hideUnticked([&](const ShownRun& run) { return !kept.contains(run.id); });
    if (left.isEmpty()) return left;
    selectLastShown();
    relabel();
    return left;
}

QStringList RunSet::hideUnticked(const std::function<bool(const ShownRun&)>& goes) {
    QStringList left;
    for (const auto& run : runs_)
        if (run->display.visible && !run->display.ticked && !run->inProgress() && goes(*run)) {
            hide(*run);
            left.append(run->id);
        }
    return left;
}

void RunSet::select(const QString& id) {
    ShownRun* run = by_id_.value(id);
    if (!run) return;
    run->display.chosen = true;
    makeSelected(*run);
    relabel();
}

void RunSet::showForNow(const QString& id) {
    ShownRun* run = by_id_.value(id);
    if (!run || run->display.selected) return;
    makeSelected(*run);
    hideOldStarted();
    relabel();
}

void RunSet::setColour(const QString& id, const QColor& colour) {
    ShownRun* run = by_id_.value(id);
    if (!run || run->display.colour == colour) return;
    run->display.colour = colour;
    Q_EMIT runsChanged();
}

void RunSet::setPaused(bool paused) {
    bool changed = false;
    for (const auto& run : runs_) {
        if (!run->live || run->paused == paused) continue;
        run->paused = paused;
        changed = true;
    }
    if (changed) Q_EMIT runsChanged();
}

void RunSet::show(ShownRun& run) {
    run.display.visible = true;
    shown_order_.removeAll(run.id);
    shown_order_.push_back(run.id);
}

void RunSet::hide(ShownRun& run) {
    run.display.visible = run.display.selected = run.display.chosen = run.display.ticked = false;
    shown_order_.removeAll(run.id);
}

void RunSet::makeSelected(ShownRun& chosen) {
    for (const auto& run : runs_) run->display.selected = run.get() == &chosen;
    show(chosen);
}

void RunSet::hideOldStarted() {
    std::map<std::string, std::vector<ShownRun*>> groups;
    std::vector<std::string> order;  // that whose newest run was shown first leads
    for (const QString& id : shown_order_) {
        ShownRun* run = by_id_.value(id);
        groups[groupOf(*run)].push_back(run);
        std::erase(order, groupOf(*run));
        order.push_back(groupOf(*run));
    }
    const auto mayGo = [this](const ShownRun* run) {
        return !run->display.chosen && !run->display.selected && run->id != current_;
    };
    for (const auto& [group, runs] : groups) {
        std::size_t left = runs.size();
        for (ShownRun* run : runs)
            if (left > kMostSeeds && mayGo(run)) {
                hide(*run);
                --left;
            }
    }
    std::size_t visible = order.size();
    for (const std::string& group : order) {
        if (visible <= kMostVisible) return;
        const std::vector<ShownRun*>& runs = groups[group];
        if (!std::ranges::all_of(runs, mayGo)) continue;
        for (ShownRun* run : runs) hide(*run);
        --visible;
    }
}

std::string RunSet::hueKey(const ShownRun& run) const {
    return seeds_alike_ ? groupOf(run) : run.id.toStdString();
}

void RunSet::setSeedsAlike(bool alike) {
    if (std::exchange(seeds_alike_, alike) == alike) return;
    relabel();
}

void RunSet::giveHues() {
    std::map<std::string, int> before = std::exchange(visible_hues_, {});
    std::array<int, kRunHues> taken{};
    std::vector<std::string> fresh;
    const auto isHue = [](int hue) { return hue >= 0 && hue < kRunHues; };
    // One that came back first may be a seed that was never seen before.
    std::map<std::string, int> kept;
    for (const auto& run : runs_)
        if (const int hue = kept_hues_.value(run->id, kNoHue); run->display.visible && isHue(hue))
            kept.try_emplace(hueKey(*run), hue);
    for (const auto& run : runs_) {
        if (!run->display.visible) continue;
        const std::string group = hueKey(*run);
        if (visible_hues_.contains(group) || std::ranges::find(fresh, group) != fresh.end()) continue;
        const auto known = before.find(group);
        const auto came = kept.find(group);
        const int hue = known != before.end() ? known->second : came != kept.end() ? came->second : kNoHue;
        if (!isHue(hue)) {
            fresh.push_back(group);
            continue;
        }
        visible_hues_[group] = hues_[group] = hue;
        ++taken[static_cast<std::size_t>(hue)];
    }
    // What has a colour of its own looks like one of the hues.
    for (const auto& run : runs_)
        if (run->display.visible && run->display.colour.isValid())
            ++taken[static_cast<std::size_t>(hueLike(run->display.colour))];
    // Runs that are still to come back will have their own.
    for (auto other = kept_hues_.cbegin(); other != kept_hues_.cend(); ++other)
        if (!by_id_.contains(other.key()) && isHue(other.value())) ++taken[static_cast<std::size_t>(other.value())];
    for (const std::string& group : fresh) {
        const auto last = hues_.find(group);
        const int hue = last == hues_.end() ? runHueFor(group, taken) : runHueFor(last->second, taken);
        visible_hues_[group] = hues_[group] = hue;
        ++taken[static_cast<std::size_t>(hue)];
    }
    for (const auto& run : runs_) {
        if (!run->display.visible) continue;
        run->display.hue = visible_hues_[hueKey(*run)];
        kept_hues_.remove(run->id);
    }
}

/// Selects the run shown last where none is selected, so that there is a selected run whenever any is visible.
void RunSet::selectLastShown() {
    if (selected() || shown_order_.isEmpty()) return;
    by_id_.value(shown_order_.last())->display.selected = true;
}

const ShownRun* RunSet::selected() const {
    const auto it = std::find_if(runs_.begin(), runs_.end(), [](const auto& run) { return run->display.selected; });
    return it == runs_.end() ? nullptr : it->get();
}

bool RunSet::isSeedOfSelected(const ShownRun& run) const {
    const ShownRun* chosen = selected();
    return chosen && chosen != &run && groupOf(*chosen) == groupOf(run);
}

const ShownRun* RunSet::compared() const {
    const std::vector<const ShownRun*> list = others();
    return list.empty() ? nullptr : list.front();
}

std::vector<const ShownRun*> RunSet::others() const {
    std::vector<const ShownRun*> list;
    for (auto id = shown_order_.crbegin(); id != shown_order_.crend(); ++id)
        if (const ShownRun* run = find(*id); run && !run->display.selected) list.push_back(run);
    return list;
}

void RunSet::setBaseline(const QStringList& runs) {
    if (runs == baseline_) return;
    baseline_ = runs;
    Q_EMIT runsChanged();
}

std::vector<const ShownRun*> RunSet::runs() const {
    std::vector<const ShownRun*> list;
    for (const auto& run : runs_) list.push_back(run.get());
    return list;
}

std::vector<const ShownRun*> RunSet::visibleRuns() const {
    std::vector<const ShownRun*> list;
    for (const auto& run : runs_)
        if (run->display.visible) list.push_back(run.get());
    std::stable_partition(list.begin(), list.end(), [](const ShownRun* run) { return run->display.selected; });
    return list;
}

QString RunSet::label(const QString& id) const {
    const ShownRun* run = find(id);
    return run ? run->label : QString();
}

QString RunSet::captionFor(const ShownRun* run, const QString& text) const {
    return run ? label(run->id) + QStringLiteral(" · ") + text : text;
}

void RunSet::relabel() {
    giveHues();
    const QHash<QString, QString> labels = labelsOf(table_, runs());
    for (const auto& run : runs_) run->label = labels.value(run->id);
    Q_EMIT runsChanged();
}

ShownRun& RunSet::beginLive(const RunStarted& event) {
    const QString id = idOf(event.folder, event.run);
    ShownRun& run = begin(id, shownFacts(event));
    run.live = true;
    if (event.past) {
        append(run, *event.past);
        run.growing = run.finished = false;
        run.row = nullptr;
    }
    run.replayed = event.replayed;
    run.seed_group = seedGroup(table_, run);
    live_ids_[event.run] = id;
    return run;
}

void RunSet::onStarted(const RunStarted& event) {
    ShownRun& run = beginLive(event);
    current_ = run.id;
    makeSelected(run);
    QStringList left;
    if (!event.replayed) left = hideUnticked([&](const ShownRun& other) { return ofOtherStream(run, other); });
    hideOldStarted();
    relabel();
    if (!left.isEmpty()) Q_EMIT streamLeft(left);
}

void RunSet::onStartedBeside(const RunStarted& event) {
    beginLive(event);
    relabel();
}

void RunSet::onProgress(const Progress& event) {
    ShownRun* run = live(event.run);
    if (!run || event.samples_seen <= run->points.learned()) return;
    run->points.addLearned(event.samples_seen);
    Q_EMIT progressed(run->id);
}

void RunSet::onPlateau(const PlateauFound& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    run->plateaus.push_back({event.samples_seen, event.update, event.mean, event.variance});
    Q_EMIT changed(run->id, CurveKind::Anytime);
}

void RunSet::onEarlyLook(const EarlyLook& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    run->points.addEarlyLook(
        {event.samples_seen, event.session, event.accuracy, event.loss, event.classes_seen, event.updates});
    Q_EMIT changed(run->id, CurveKind::Anytime);
}

void RunSet::onEvaluated(const Evaluated& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    run->points.addEvaluation(event.kind,
                              {event.samples_seen, event.session, event.accuracy, event.loss, std::ssize(event.classes),
                               event.updates, event.reference, event.router, event.agreement});
    Q_EMIT changed(run->id, CurveKind::Anytime);
}

void RunSet::onSessionEnded(const SessionEnded& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    for (const SessionAccuracy& entry : event.accuracies)
        run->points.addRetention({event.session, entry.session, entry.accuracy, entry.samples});
    run->points.addSeen(event.samples_seen);
    Q_EMIT changed(run->id, CurveKind::Retention);
}

void RunSet::onChange(const ChangeMade& event) {
    ShownRun* run = live(event.run);
    if (!run) return;
    run->changes.push_back({event.key, event.value, event.samples_seen});
    const int hue = run->display.hue;
    run->seed_group = seedGroup(table_, *run);
    hues_.try_emplace(hueKey(*run), hue);
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
    // The replay changes nothing in the run, however far it was played.
    if (const auto record = std::exchange(run->replayed, nullptr)) return addRecord(*record);
    if (event.how == RunEnd::Aborted || run->points.evaluations() == 0)
        remove(id);
    else
        Q_EMIT runsChanged();
}

}  // namespace palimpsest
