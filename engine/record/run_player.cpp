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
/// Speed of a run that crashed: nobody knows how long it took.
constexpr double kUsualRate = 100;  // images a second

class Playing {
public:
    Playing(const RecordedEvents& news, std::int64_t run, const std::atomic<double>& speed, RunControl& control,
            RunObserver& observer)
        : news_(news),
          run_(run),
          speed_(speed),
          control_(control),
          observer_(observer),
          last_(static_cast<double>(news.moments().back())) {
        const double seconds = news.record().summary.seconds;
        if (seconds > 0 && last_ > 0) rate_ = last_ / seconds;
    }

    /// False: it was stopped.
    bool play() {
        observer_.onState({run_, RunState::Running, ""});
        before_ = Clock::now();
        for (std::size_t moment = 0; moment < news_.moments().size(); ++moment) {
            const std::int64_t seen = news_.moments()[moment];
            if (!reach(static_cast<double>(seen))) return false;
            news_.tell(moment, observer_);
            tellProgress(seen);
        }
        return true;
    }

private:
    /// Waits until it is time for what happened when so many images had been seen. False: it was stopped.
    bool reach(double images) {
        const auto told = [this](bool paused) {
            observer_.onState({run_, paused ? RunState::Paused : RunState::Running, ""});
            before_ = Clock::now();
        };
        for (;;) {
            if (control_.atBatchBorder(told, static_cast<std::int64_t>(at_)) != RunControl::Verdict::Continue)
                return false;
            if (control_.stepped()) at_ = std::max(at_, images);
            if (at_ >= images) return true;
            control_.waitFor(kSlice);
            const Clock::time_point now = Clock::now();
            const double seconds = std::chrono::duration<double>(now - before_).count();
            at_ = std::min(last_, at_ + seconds * rate_ * speed_.load());
            before_ = now;
            if (at_ < images) tellProgress(static_cast<std::int64_t>(at_));
        }
    }

    void tellProgress(std::int64_t seen) {
        Progress progress;
        progress.run = run_;
        progress.samples_seen = seen;
        progress.total_samples = news_.record().total_samples;
        progress.session = news_.sessionAt(seen);
        progress.seconds_left = std::max(0.0, last_ - static_cast<double>(seen)) / (rate_ * speed_.load());
        observer_.onProgress(progress);
    }

    const RecordedEvents& news_;
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
        const RecordedEvents news(table, folder, run);
        ended.folder = folder.string();
        observer.onStarted(news.started());
        ended.how = Playing(news, run, speed, control, observer).play() ? RunEnd::Finished : RunEnd::Stopped;
        if (ended.how == RunEnd::Finished) ended.summary = news.record().summary;
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
