// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_player.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "engine/record/recorded_events.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{20};
/// Speed of a run that crashed, whose duration is not known.
constexpr double kUsualRate = 100;  // images a second

/// A run that plays, and how far it is.
class Part {
public:
    Part(const OptionTable& table, const std::filesystem::path& folder, std::int64_t run, RunObserver& observer)
        : events_(table, folder, run), run_(run), observer_(&observer) {}

    std::int64_t run() const { return run_; }
    RunObserver& observer() const { return *observer_; }
    const RunRecord& record() const { return events_.record(); }
    std::int64_t last() const { return events_.moments().back(); }
    /// Images seen at its next moment; nothing: it is over.
    std::optional<std::int64_t> next() const {
        return next_ < events_.moments().size() ? std::optional(events_.moments()[next_]) : std::nullopt;
    }
    void start() const { observer_->onStarted(events_.started()); }
    /// Sends all moments up to so many images.
    void sendUpTo(std::int64_t seen) {
        for (; next() && *next() <= seen; ++next_) events_.send(next_, *observer_);
    }
    void sendProgress(std::int64_t seen, double secondsLeft) const {
        Progress progress;
        progress.run = run_;
        progress.samples_seen = std::min(seen, last());
        progress.total_samples = record().total_samples;
        progress.session = events_.sessionAt(progress.samples_seen);
        progress.seconds_left = secondsLeft;
        observer_->onProgress(progress);
    }

private:
    RecordedEvents events_;
    std::int64_t run_;
    RunObserver* observer_;
    std::size_t next_ = 0;
};

class Playing {
public:
    /// The first of the parts leads.
    Playing(std::vector<std::unique_ptr<Part>>& parts, const std::atomic<double>& speed, RunControl& control,
            std::int64_t from)
        : parts_(parts), leader_(*parts.front()), speed_(speed), control_(control) {
        for (const auto& part : parts_) last_ = std::max(last_, static_cast<double>(part->last()));
        at_ = std::clamp(static_cast<double>(from), 0.0, last_);
        const double seconds = leader_.record().summary.seconds, images = static_cast<double>(leader_.last());
        if (seconds > 0 && images > 0) rate_ = images / seconds;
    }

    /// False: it was stopped.
    bool play() {
        leader_.observer().onState({leader_.run(), RunState::Running, ""});
        before_ = Clock::now();
        while (const auto seen = nextMoment()) {
            if (!reach(static_cast<double>(*seen))) return false;
            for (const auto& part : parts_) part->sendUpTo(*seen);
            sendProgress(*seen);
        }
        return true;
    }

private:
    /// The earliest moment that any part has not sent yet; nothing: all are over.
    std::optional<std::int64_t> nextMoment() const {
        std::optional<std::int64_t> next;
        for (const auto& part : parts_)
            if (const auto its = part->next()) next = next ? std::min(*next, *its) : *its;
        return next;
    }

    /// Waits until it is time for what happened when so many images had been seen. False: it was stopped.
    bool reach(double images) {
        const auto onPause = [this](bool paused) {
            leader_.observer().onState({leader_.run(), paused ? RunState::Paused : RunState::Running, ""});
            before_ = Clock::now();
        };
        for (;;) {
            if (control_.atBatchBorder(onPause, static_cast<std::int64_t>(at_)) != RunControl::Verdict::Continue)
                return false;
            if (control_.stepped()) at_ = std::max(at_, images);
            if (at_ >= images) return true;
            control_.waitFor(kSlice);
            const Clock::time_point now = Clock::now();
            const double seconds = std::chrono::duration<double>(now - before_).count();
            at_ = std::min(last_, at_ + seconds * rate_ * speed_.load());
            before_ = now;
            if (at_ < images) sendProgress(static_cast<std::int64_t>(at_));
        }
    }

    void sendProgress(std::int64_t seen) const {
        const double left = std::max(0.0, last_ - static_cast<double>(seen)) / (rate_ * speed_.load());
        for (const auto& part : parts_) part->sendProgress(seen, left);
    }

    const std::vector<std::unique_ptr<Part>>& parts_;
    const Part& leader_;
    const std::atomic<double>& speed_;
    RunControl& control_;
    double last_ = 0;           // images seen when all have ended
    double rate_ = kUsualRate;  // images a second at speed 1
    double at_ = 0;             // images
    Clock::time_point before_;
};

RunEnded failedEnd(std::int64_t run) {
    RunEnded ended;
    ended.run = run;
    ended.how = RunEnd::Failed;
    return ended;
}

/// Does the work with the run of a folder; if that fails, says why in `ended` and returns false.
bool carryOut(const std::function<void()>& work, const std::filesystem::path& folder, RunEnded& ended) {
    try {
        work();
        return true;
    } catch (const Error& error) {
        ended.error = error.what();
        ended.hint = error.hint();
        ended.kind = error.kind();
    } catch (const std::exception& error) {
        ended.error = "The run in " + folder.string() + " cannot be played back: " + error.what() + ".";
        ended.hint = "Try another run.";
    }
    return false;
}

}  // namespace

void playRun(const OptionTable& table, const std::filesystem::path& folder, std::int64_t run,
             const std::atomic<double>& speed, RunControl& control, RunObserver& observer) {
    playRuns(table, folder, run, {}, speed, control, observer);
}

void playRuns(const OptionTable& table, const std::filesystem::path& folder, std::int64_t run,
              const std::vector<PlayedBeside>& beside, const std::atomic<double>& speed, RunControl& control,
              RunObserver& observer, std::int64_t from) {
    observer.onState({run, RunState::Preparing, beside.empty() ? "Reading the recorded run" : "Reading recorded runs"});
    RunEnded ended = failedEnd(run);
    std::vector<RunEnded> others;
    for (const PlayedBeside& other : beside) {
        others.push_back(failedEnd(other.run));
        others.back().folder = other.folder.string();
        others.back().how = RunEnd::Stopped;
    }
    std::vector<std::unique_ptr<Part>> parts;
    std::vector<const Part*> played(beside.size());  // null: not read
    const auto add = [&](const std::filesystem::path& place, std::int64_t number, RunObserver& to) {
        return parts.emplace_back(std::make_unique<Part>(table, place, number, to)).get();
    };
    const auto readAndPlay = [&] {
        add(folder, run, observer);
        ended.folder = folder.string();
        for (std::size_t i = 0; i < beside.size() && !control.ending(); ++i) {
            const PlayedBeside& other = beside[i];
            const auto read = [&] { played[i] = add(other.folder, other.run, *other.observer); };
            if (carryOut(read, other.folder, others[i])) continue;
            others[i].how = RunEnd::Failed;
            other.observer->onEnded(others[i]);
        }
        for (const auto& part : parts) part->start();
        ended.how = Playing(parts, speed, control, from).play() ? RunEnd::Finished : RunEnd::Stopped;
    };
    carryOut(readAndPlay, folder, ended);
    for (std::size_t i = 0; i < beside.size(); ++i) {
        if (others[i].how == RunEnd::Failed) continue;  // said when it was read
        if (ended.how == RunEnd::Finished && played[i]) {
            others[i].how = RunEnd::Finished;
            others[i].summary = played[i]->record().summary;
        }
        beside[i].observer->onEnded(others[i]);
    }
    if (ended.how == RunEnd::Finished) ended.summary = parts.front()->record().summary;
    observer.onEnded(ended);
}

}  // namespace palimpsest
