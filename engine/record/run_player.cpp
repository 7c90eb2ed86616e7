// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_player.h"

#include <algorithm>
#include <chrono>
#include <exception>

#include "engine/record/recorded_events.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kSlice{20};
/// Speed of a run that crashed, whose duration is not known.
constexpr double kUsualRate = 100;  // images a second

class Playing {
public:
    Playing(const RecordedEvents& events, std::int64_t run, const std::atomic<double>& speed, RunControl& control,
            RunObserver& observer)
        : events_(events),
          run_(run),
          speed_(speed),
          control_(control),
          observer_(observer),
          last_(static_cast<double>(events.moments().back())) {
        const double seconds = events.record().summary.seconds;
        if (seconds > 0 && last_ > 0) rate_ = last_ / seconds;
    }

    /// False: it was stopped.
    bool play() {
        observer_.onState({run_, RunState::Running, ""});
        before_ = Clock::now();
        for (std::size_t moment = 0; moment < events_.moments().size(); ++moment) {
            const std::int64_t seen = events_.moments()[moment];
            if (!reach(static_cast<double>(seen))) return false;
            events_.send(moment, observer_);
            sendProgress(seen);
        }
        return true;
    }

private:
    /// Waits until it is time for what happened when so many images had been seen. False: it was stopped.
    bool reach(double images) {
        const auto onPause = [this](bool paused) {
            observer_.onState({run_, paused ? RunState::Paused : RunState::Running, ""});
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

    void sendProgress(std::int64_t seen) {
        Progress progress;
        progress.run = run_;
        progress.samples_seen = seen;
        progress.total_samples = events_.record().total_samples;
        progress.session = events_.sessionAt(seen);
        progress.seconds_left = std::max(0.0, last_ - static_cast<double>(seen)) / (rate_ * speed_.load());
        observer_.onProgress(progress);
    }

    const RecordedEvents& events_;
    const std::int64_t run_;
    const std::atomic<double>& speed_;
    RunControl& control_;
    RunObserver& observer_;
    const double last_;         // images seen when it ends
    double rate_ = kUsualRate;  // images a second at speed 1
    double at_ = 0;             // images
    Clock::time_point before_;
};

}  // namespace

void playRun(const OptionTable& table, const std::filesystem::path& folder, std::int64_t run,
             const std::atomic<double>& speed, RunControl& control, RunObserver& observer) {
    RunEnded ended;
    ended.run = run;
    ended.how = RunEnd::Failed;
    try {
        observer.onState({run, RunState::Preparing, "Reading the recorded run"});
        const RecordedEvents events(table, folder, run);
        ended.folder = folder.string();
        observer.onStarted(events.started());
        ended.how = Playing(events, run, speed, control, observer).play() ? RunEnd::Finished : RunEnd::Stopped;
        if (ended.how == RunEnd::Finished) ended.summary = events.record().summary;
    } catch (const Error& error) {
        ended.error = error.what();
        ended.hint = error.hint();
        ended.kind = error.kind();
    } catch (const std::exception& error) {
        ended.error = "The run in " + folder.string() + " cannot be played back: " + error.what() + ".";
        ended.hint = "Try another run.";
    }
    observer.onEnded(ended);
}

}  // namespace palimpsest
