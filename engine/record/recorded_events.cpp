// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/recorded_events.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "engine/record/predictions.h"
#include "engine/run/live_change.h"
#include "engine/support/csv_table.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kMostKept = 1'000'000;  // images of a memory; more stand in no sound folder

/// The element at a moment of a list in their order; null: there is none.
template <class Moments>
auto* momentAt(const Moments& list, std::int64_t samplesSeen) {
    const auto found = std::lower_bound(list.begin(), list.end(), samplesSeen,
                                        [](const auto& each, std::int64_t seen) { return each.samples_seen < seen; });
    return found != list.end() && found->samples_seen == samplesSeen ? &*found : nullptr;
}

}  // namespace

RecordedEvents::RecordedEvents(const OptionTable& table, const fs::path& folder, std::int64_t run) : run_(run) {
    record_ = std::make_shared<const RunRecord>(readRun(table, folder));
    if (record_->state == RecordedState::Running)
        throw inputError("The run in " + folder.string() + " is still going on.", "Play it back when it has ended.");
    history_ = readHistory(folder, record_->class_names.size());
    readUpdates();
    readPlateaus();
    readCounts();
    timed_ = *record_;
    // Images that were left out are not in the stream any more, and the folder says nowhere how many of them there
    // were.
    if (record_->unreadable_images > 0) {
        std::int64_t last = record_->session_starts.empty() ? 0 : record_->session_starts.back();
        if (!updates_.empty()) last = std::max(last, updates_.back().samples_seen);
        if (!counts_.empty()) last = std::max(last, counts_.back().samples_seen);
        for (const AnytimePoint& point : record_->anytime) last = std::max(last, point.samples_seen);
        if (last > 0) timed_.total_samples = std::min(timed_.total_samples, last);
    }
    readEvaluations();
    readSessions();
    readChanges();
    arrange();
    if (moments_.empty())
        throw inputError("The run in " + folder.string() + " recorded nothing that could be played back.",
                         "Choose one that was evaluated at least once.");
}

void RecordedEvents::readUpdates() {
    scanCsv(record_->folder / "training.csv", {"samples_seen", "update", "loss", "batch_accuracy", "learning_rate"},
            [this](std::span<const double> row) {
                const std::int64_t seen = countIn(row[0]);
                if (seen < 0 || (!updates_.empty() && seen < updates_.back().samples_seen)) return;
                UpdateDone update;
                update.run = run_;
                update.samples_seen = seen;
                update.update = std::max<std::int64_t>(0, countIn(row[1]));
                update.loss = row[2];
                update.batch_accuracy = row[3];
                update.learning_rate = row[4];
                updates_.push_back(update);
            });
}

void RecordedEvents::readPlateaus() {
    for (const PlateauPoint& point : record_->plateaus)
        plateaus_.push_back({run_, point.samples_seen, point.update, point.mean, point.variance});
}

void RecordedEvents::readCounts() {
    scanCsv(record_->folder / "classes.csv", {"samples_seen", "class", "accuracy", "samples"},
            [this](std::span<const double> row) {
                const std::int64_t seen = countIn(row[0]), label = countIn(row[1]);
                const bool back = !counts_.empty() && seen < counts_.back().samples_seen;
                if (seen < 0 || label < 0 || label >= static_cast<std::int64_t>(kMostClasses) || back) return;
                if (counts_.empty() || counts_.back().samples_seen != seen) counts_.push_back({seen, {}});
                const std::int64_t samples = std::isnan(row[2]) ? 0 : std::max<std::int64_t>(0, countIn(row[3]));
                const double correct = samples > 0 ? std::round(row[2] * static_cast<double>(samples)) : 0;
                counts_.back().classes.push_back(
                    {static_cast<std::int32_t>(label), std::max<std::int64_t>(0, countIn(correct)), samples});
            });
}

const RecordedEvents::Counts* RecordedEvents::countsAt(std::int64_t samplesSeen) const {
    return momentAt(counts_, samplesSeen);
}

void RecordedEvents::addEvaluation(EvaluationKind kind, const AnytimePoint& point) {
    Evaluated event;
    event.run = run_;
    event.kind = kind;
    event.samples_seen = point.samples_seen;
    event.session = point.session;
    event.updates = point.updates;
    event.accuracy = point.accuracy;
    event.loss = point.loss;
    event.reference = point.reference;
    event.router = point.router;
    event.agreement = point.agreement;
    if (const Counts* counts = countsAt(point.samples_seen)) event.classes = counts->classes;
    if (const PromptMoment* prompts = momentAt(history_.prompts, point.samples_seen)) event.prompt_use = prompts->uses;
    if (const PushMoment* moment = momentAt(history_.pushes, point.samples_seen))
        event.pushes = classPushes(*moment, history_.seen);
    evaluations_.push_back(std::move(event));
}

void RecordedEvents::readEvaluations() {
    for (const AnytimePoint& point : record_->early)
        early_looks_.push_back({run_, point.samples_seen, point.session, point.updates, point.accuracy, point.loss,
                                point.classes_seen, 0});
    std::set<std::int64_t> known;
    for (const AnytimePoint& point : record_->anytime) {
        addEvaluation(EvaluationKind::Anytime, point);
        known.insert(point.samples_seen);
    }
    for (const AnytimePoint& point : sessionEnds(timed_)) {
        addEvaluation(EvaluationKind::SessionEnd, point);
        known.insert(point.samples_seen);
    }
    // Classes are known even for an end of a session whose accuracies do not add up.
    for (const Counts& counts : counts_) {
        if (known.contains(counts.samples_seen)) continue;
        // A damaged file may hold counts whose sum no whole number holds.
        double correct = 0, samples = 0;
        for (const ClassCount& count : counts.classes) {
            correct += static_cast<double>(count.correct);
            samples += static_cast<double>(count.samples);
        }
        if (samples == 0) continue;
        AnytimePoint point;
        point.samples_seen = counts.samples_seen;
        point.session = sessionAt(counts.samples_seen);
        point.accuracy = correct / samples;
        addEvaluation(EvaluationKind::SessionEnd, point);
    }
}

void RecordedEvents::readSessions() {
    for (const RetentionPoint& point : record_->retention) {
        if (sessions_.empty() || sessions_.back().session != point.after_session) {
            SessionEnded event;
            event.run = run_;
            event.session = point.after_session;
            event.samples_seen = samplesAtEndOf(timed_, point.after_session);
            sessions_.push_back(std::move(event));
        }
        sessions_.back().accuracies.push_back({point.session, point.accuracy, point.samples});
    }
}

void RecordedEvents::readChanges() {
    try {
        for (const LiveChange& change : recordedChanges(record_->folder))
            changes_.push_back({run_, change.at, change.key, change.value});
    } catch (const Error&) {
        // An imported run has none.
    }
}

void RecordedEvents::arrange() {
    const auto add = [this](Kind kind, const auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i)
            items_.push_back({std::max<std::int64_t>(0, list[i].samples_seen), kind, i});
    };
    add(Kind::Update, updates_);
    add(Kind::Plateau, plateaus_);
    add(Kind::EarlyLook, early_looks_);
    add(Kind::Memory, history_.memory);
    add(Kind::Evaluated, evaluations_);
    add(Kind::SessionEnded, sessions_);
    add(Kind::Change, changes_);
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
        return std::tie(a.seen, a.kind, a.place) < std::tie(b.seen, b.kind, b.place);
    });
    for (std::size_t i = 0; i < items_.size(); ++i) {
        if (i > 0 && items_[i].seen == items_[i - 1].seen) continue;
        moments_.push_back(items_[i].seen);
        firsts_.push_back(i);
    }
}

RunStarted RecordedEvents::started() const {
    RunStarted event;
    event.run = run_;
    event.folder = record_->folder.string();
    event.experiment = record_->experiment;
    event.class_names = record_->class_names;
    event.fingerprint = record_->fingerprint;
    event.device = record_->device;
    event.precision = record_->precision;
    event.total_samples = record_->total_samples;
    event.trainable_parameters = record_->trainable_parameters;
    event.prompt_lengths = record_->prompt_lengths;
    event.program = record_->program;
    event.test_labels = history_.test_labels;
    event.replayed = record_;
    return event;
}

std::int64_t RecordedEvents::sessionAt(std::int64_t samplesSeen) const {
    const std::vector<std::int64_t>& starts = record_->session_starts;
    // The last image of a session belongs to it.
    const auto next = std::lower_bound(starts.begin(), starts.end(), samplesSeen);
    return std::max<std::int64_t>(0, next - starts.begin() - 1);
}

MemoryHeld RecordedEvents::heldAt(const MemoryBalance& balance) const {
    MemoryHeld held;
    held.run = run_;
    held.samples_seen = balance.samples_seen;
    held.capacity = record_->experiment.memory.size;
    const auto keptOf = [&](std::size_t label) {
        return label < balance.kept.size() ? balance.kept[label] : std::nullopt;
    };
    for (const std::int32_t label : history_.seen)
        if (keptOf(static_cast<std::size_t>(label))) held.seen_classes.push_back(label);
    std::vector<KeptSample> kept;
    for (std::size_t label = 0; label < balance.kept.size(); ++label) {
        const auto raw = static_cast<std::int32_t>(label);
        if (!balance.kept[label]) continue;
        if (std::ranges::find(held.seen_classes, raw) == held.seen_classes.end()) held.seen_classes.push_back(raw);
        kept.insert(kept.end(), static_cast<std::size_t>(*balance.kept[label]), KeptSample{-1, raw});
    }
    held.kept = std::move(kept);
    return held;
}

TestClasses RecordedEvents::predictionsAt(std::int64_t samplesSeen) const {
    if (!std::ranges::binary_search(history_.predicted, samplesSeen)) return nullptr;
    try {
        return std::make_shared<const std::vector<std::int32_t>>(
            readClassList(predictionsFile(record_->folder, samplesSeen)));
    } catch (const Error&) {
        return nullptr;
    }
}

void RecordedEvents::send(std::size_t moment, RunObserver& observer) const {
    const std::size_t end = moment + 1 < firsts_.size() ? firsts_[moment + 1] : items_.size();
    TestClasses predictions;
    for (std::size_t i = firsts_[moment]; i < end; ++i) {
        const std::size_t place = items_[i].place;
        switch (items_[i].kind) {
            case Kind::Update:
                observer.onUpdate(updates_[place]);
                break;
            case Kind::Plateau:
                observer.onPlateau(plateaus_[place]);
                break;
            case Kind::EarlyLook:
                observer.onEarlyLook(early_looks_[place]);
                break;
            case Kind::Memory:
                if (const MemoryBalance& balance = history_.memory[place]; balance.total() <= kMostKept)
                    observer.onMemory(heldAt(balance));
                break;
            case Kind::Evaluated: {
                Evaluated event = evaluations_[place];
                if (!predictions) predictions = predictionsAt(event.samples_seen);
                event.predictions = predictions;
                observer.onEvaluated(event);
                break;
            }
            case Kind::SessionEnded:
                observer.onSessionEnded(sessions_[place]);
                break;
            case Kind::Change:
                observer.onChange(changes_[place]);
                break;
        }
    }
}

}  // namespace palimpsest
