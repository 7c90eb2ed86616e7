// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_runner.h"

#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <iostream>
#include <set>
#include <stop_token>
#include <string>
#include <tuple>
#include <utility>

#include "app/cli/interrupt_guard.h"
#include "app/cli/sweep_needs.h"
#include "engine/config/experiment_file.h"
#include "engine/learner/learner_permit.h"
#include "engine/method_options/external_options.h"
#include "engine/run/dataset_service.h"
#include "engine/support/error.h"
#include "engine/support/process.h"
#include "engine/support/stop_scope.h"
#include "engine/sweep/queue_takeover.h"
#include "engine/sweep/sweep_slurm.h"
#include "engine/train/experiment_inputs.h"

namespace palimpsest {
namespace {

template <class Work>
void inRow(const SweepPlan& plan, std::size_t place, const std::filesystem::path& grid, const Work& work) {
    const SweepRun& run = plan.runs[place];
    try {
        work(run.experiment);
    } catch (const Error& error) {
        throw errorInRow(grid, plan.lines[run.line].name, error);
    }
}

/// Checks the data sets of these runs as requireSweepFiles() does their files.
void requireSweepData(const SweepPlan& plan, const std::vector<std::size_t>& places,
                      const std::filesystem::path& grid) {
    std::set<std::string> known;
    for (const std::size_t place : places) {
        const bool fresh = known.insert(imagesKey(plan.runs[place].experiment.stream)).second;
        if (fresh) inRow(plan, place, grid, [](const Experiment& experiment) { experimentLabels(experiment); });
    }
}

/// Prompts that are still to be made by the sweep itself.
bool comesLater(const SweepRun& run) {
    return run.prompts && !promptsMade(run.experiment.initial_session.prompts);
}

/// Places in the plan of the prompts that these runs wait for, each once.
std::set<std::size_t> promptsToCome(const SweepPlan& plan, const std::vector<std::size_t>& places) {
    std::set<std::size_t> wanted;
    for (const std::size_t place : places)
        if (comesLater(plan.runs[place])) wanted.insert(*plan.runs[place].prompts);
    return wanted;
}

/// BASE.log, BASE-2.log, ...: the first that is not there.
std::filesystem::path freshLog(const std::filesystem::path& base) {
    std::filesystem::path log;
    std::error_code ignored;
    for (int call = 1;; ++call) {
        log = base;
        log += (call > 1 ? "-" + std::to_string(call) : "") + ".log";
        if (!std::filesystem::exists(log, ignored)) return log;
    }
}

template <class Work>
void inSession(const SweepPrompts& prompts, const std::filesystem::path& grid, const Work& work) {
    try {
        work(prompts.experiment);
    } catch (const Error& error) {
        throw Error(error.kind(), grid.string() + ", initial session \"" + prompts.name + "\": " + error.what(),
                    error.hint());
    }
}

}  // namespace

void requireSweepLearners(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places,
                          const std::filesystem::path& grid) {
    // The files of one command are read and hashed: once is enough.
    std::set<std::string> allowed;
    for (const std::size_t place : places) {
        const SweepRun& run = plan.runs[place];
        if (!learnsByProgram(run.experiment) ||
            !allowed.insert(run.experiment.method.of<ExternalOptions>().command).second)
            continue;
        inRow(plan, place, grid, [&](const Experiment& experiment) {
            if (const auto learner = namedLearner(table, experiment)) requireAllowed(*learner);
        });
    }
}

void requireSweepFiles(const OptionTable& table, const SweepPlan& plan, const std::vector<std::size_t>& places,
                       const std::filesystem::path& grid) {
    requireSweepLearners(table, plan, places, grid);
    const auto known = [&](std::size_t place) {
        const SweepRun& run = plan.runs[place];
        return comesLater(run) ? withoutPromptsToCome(run.experiment) : run.experiment;
    };
    // Missing files are found first, before large ones are read.
    for (const std::size_t place : places)
        inRow(plan, place, grid, [&](const Experiment&) { requireNamedFiles(table, known(place)); });
    // One run a line is enough, since seeds do not matter here. Runs with the same backbone are checked together.
    std::vector<std::size_t> firsts;
    std::set<std::size_t> lines;
    for (const std::size_t place : places)
        if (lines.insert(plan.runs[place].line).second) firsts.push_back(place);
    const auto backbone = [&](std::size_t place) {
        const BackboneOptions& b = plan.runs[place].experiment.backbone;
        return std::tie(b.weights, b.name, b.activation, b.heads, b.image_size);
    };
    std::stable_sort(firsts.begin(), firsts.end(),
                     [&](std::size_t a, std::size_t b) { return backbone(a) < backbone(b); });
    const auto trial = experimentCheck(table);
    for (const std::size_t place : firsts)
        inRow(plan, place, grid, [&](const Experiment&) { trial->check(known(place)); });
    for (const std::size_t prompts : promptsToCome(plan, places))
        inSession(plan.prompts[prompts], grid,
                  [&](const Experiment& experiment) { trial->check(withoutPromptsToCome(experiment)); });
}

SweepRunner::SweepRunner(const OptionTable& table, const SweepPlan& plan, const SweepFolder& folder,
                         SweepPrinter& printer, Settings settings)
    : table_(table),
      plan_(plan),
      folder_(folder),
      printer_(printer),
      settings_(std::move(settings)),
      results_(plan.runs.size()) {}

void SweepRunner::readResults() {
    if (settings_.tables)
        results_ = folder_.read(plan_);
    else
        for (const std::size_t place : settings_.runs) {
            SweepResult& result = results_[place] = readSweepRun(table_, plan_.runs[place], folder_.runs());
            if (result.state == RecordedState::Running && takeOverFromEarlierStart(folder_.runs() / result.folder))
                result = readSweepRun(table_, plan_.runs[place], folder_.runs());
        }
}

void SweepRunner::requireInputs() const {
    std::vector<std::size_t> places;
    for (const std::size_t place : settings_.runs) {
        // A run of another program may have died by the time it is due here.
        if (results_[place].state != RecordedState::Finished) places.push_back(place);
    }
    const std::vector<SweepNeed> needs = missingInputs(table_, plan_, places);
    if (needs.size() > 1) {
        printer_.missing(needs);
        throw inputError(settings_.grid.string() + " needs " + std::to_string(needs.size()) +
                             " things that are not there, so nothing was started.",
                         "Get them as said above, and call the same again.");
    }
    requireSweepFiles(table_, plan_, places, settings_.grid);
    requireSweepData(plan_, places, settings_.grid);
    const std::set<std::size_t> prompts = promptsToCome(plan_, places);
    for (const std::size_t one : prompts)
        inSession(plan_.prompts[one], settings_.grid,
                  [&](const Experiment& experiment) { experimentLabels(sessionData(table_, experiment)); });
    if (!prompts.empty() && !settings_.makes_prompts)
        throw inputError(
            "The prompts of the initial session \"" + plan_.prompts[*prompts.begin()].name + "\" are not made yet.",
            "Call the same with --only-prompts in place of --only first.");
}

void SweepRunner::makePrompts(const std::atomic<bool>& stopping) {
    for (const std::size_t prompts : promptsToCome(plan_, {waiting_.begin(), waiting_.end()}))
        makePrompts(prompts, stopping);
}

void SweepRunner::makePrompts(std::size_t prompts, const std::atomic<bool>& stopping) {
    const SweepPrompts& made = plan_.prompts[prompts];
    const auto first = std::ranges::find_if(
        waiting_, [&](std::size_t place) { return plan_.runs[place].prompts == std::optional(prompts); });
    const std::filesystem::path file = plan_.runs[*first].experiment.initial_session.prompts;
    const auto since = Clock::now();
    std::string problem;
    std::filesystem::path log = file;
    try {
        std::error_code ignored;
        std::filesystem::create_directories(file.parent_path(), ignored);
        std::filesystem::path experiment = file;
        experiment.replace_extension(".toml");
        writeExperiment(table_, made.experiment, experiment);
        log = freshLog(file.parent_path() / file.stem());
        std::vector<std::string> arguments = {"isa", experiment.string(), "--out", file.string()};
        if (std::filesystem::exists(promptsState(file), ignored)) arguments.emplace_back("--resume");
        printer_.promptsBegin(made, file);
        if (!children_.start(arguments, log)) return;  // it was asked to stop
        const ChildEnd end = children_.waitForOne();
        loses_ = loses_ || !promptsMade(file);
        if (promptsMade(file)) {
            printer_.promptsEnded(made, file, "", std::chrono::duration<double>(Clock::now() - since).count());
            return;
        }
        // One that was stopped keeps what it has, and the next call resumes it.
        if (stopping) return;
        problem = complaintIn(log);
        if (problem.empty())
            problem = !end.killed && end.code == 0 ? "Somebody stopped it." : "It ended with " + end.text() + ".";
    } catch (const Error& error) {
        problem = error.sentence();
    }
    printer_.promptsEnded(made, file, problem + " Log: " + log.string(), 0);
    prompts_failed_ = true;
    const std::deque<std::size_t> waiting = std::exchange(waiting_, {});
    for (const std::size_t place : waiting) {
        if (plan_.runs[place].prompts != std::optional(prompts)) {
            waiting_.push_back(place);
            continue;
        }
        noteNotStarted(place,
                       runError("The prompts of its initial session \"" + made.name + "\" were not made: " + problem));
    }
}

void SweepRunner::sortRuns() {
    readResults();
    count_.runs = static_cast<std::int64_t>(settings_.runs.size());
    for (const std::size_t place : settings_.runs) {
        SweepResult& result = results_[place];
        if (result.state == RecordedState::Finished) {
            ++count_.finished;
        } else if (result.state == RecordedState::Running) {
            printer_.elsewhere(plan_.runs[place], result);
        } else {
            // Failed runs are tried again from the beginning: what made them fail may lie in what they learned.
            unfinished_[place] = unfinishedAttempts(table_, plan_.runs[place], folder_.runs());
            result = {};
            waiting_.push_back(place);
        }
    }
    const int wanted = settings_.jobs > 0 ? settings_.jobs : suitableJobs();
    jobs_ = std::max(1, std::min(wanted, static_cast<int>(waiting_.size())));
}

int SweepRunner::suitableJobs() const {
    std::int64_t most = 1;
    for (const std::size_t place : waiting_) {
        const Experiment& experiment = plan_.runs[place].experiment;
        if (learnsOnGpu(experiment)) return 1;
        most = std::max(most, learningMemory(experiment));
    }
    const auto fitting = static_cast<int>(std::min<std::int64_t>(availableMemory() / most, availableCores()));
    return std::max(1, fitting);
}

std::int64_t SweepRunner::threadsOf(const SweepRun& run) const {
    if (run.experiment.threads > 0) return run.experiment.threads;
    // However many runs are left: the same sweep gives the same bits.
    if (settings_.jobs > 0) return std::max(1, availableCores() / settings_.jobs);
    return learnsOnGpu(run.experiment) ? availableCores() : 1;
}

int SweepRunner::run() {
    std::atomic<bool> stopping = false;
    std::atomic<bool> again = false;
    std::stop_source leaving;
    const std::string secondly = secondCtrlC();
    const InterruptGuard guard([&](Interrupt interrupt) {
        const bool first = !stopping.exchange(true);
        leaving.request_stop();
        children_.requestStop();
        // The terminal signals the runs themselves.
        if (interrupt == Interrupt::CtrlCAgain) again = true;
        if (!first) return;
        std::cerr << (isatty(STDERR_FILENO) ? "\n" : "")
                  << "Stopping: every run ends at its next batch; finished ones stay."
                  << (interrupt == Interrupt::CtrlC ? secondly : "") << std::endl;
    });
    readResults();
    try {
        const StopScope scope(leaving.get_token());
        requireInputs();
    } catch (const GivenUp&) {
        sortRuns();
        printer_.begins(count_, 0, 0);
        printer_.ends(results_, count_, true, false);
        return exitCode(true, again);
    }
    settings_.begin();
    // Another sweep may have been running until now.
    sortRuns();
    const bool sameThreads = std::all_of(waiting_.begin(), waiting_.end(), [&](std::size_t place) {
        return threadsOf(plan_.runs[place]) == threadsOf(plan_.runs[waiting_.front()]);
    });
    const std::int64_t threads = waiting_.empty() || !sameThreads ? 0 : threadsOf(plan_.runs[waiting_.front()]);
    printer_.begins(count_, waiting_.empty() ? 0 : jobs_, threads);
    write();
    makePrompts(stopping);
    // Runs whose prompts were not finished before a stop do not begin.
    if (settings_.only_prompts || stopping) waiting_.clear();
    if (settings_.only_prompts) return exitCode(stopping, again);
    for (;;) {
        while (!waiting_.empty() && static_cast<int>(working_.size()) < jobs_ && startNext()) {
        }
        if (working_.empty()) break;
        const ChildEnd end = children_.waitForOne();
        recordEnd(end, stopping);
    }
    printer_.ends(results_, count_, stopping || stopped_outside_, settings_.tables);
    return exitCode(stopping || stopped_outside_, again);
}

std::string SweepRunner::secondCtrlC() const {
    // A program of the user's own is ended, and its run stays.
    const auto external = [&](std::size_t place) { return learnsByProgram(plan_.runs[place].experiment); };
    if (settings_.only_prompts || std::ranges::none_of(settings_.runs, external))
        return " Ctrl-C once more throws away what is unfinished.";
    if (std::ranges::all_of(settings_.runs, external))
        return " Ctrl-C once more ends the learners at once; each run keeps its newest checkpoint.";
    return " Ctrl-C once more throws away what is unfinished, but for runs of programs of your own, which keep their "
           "newest checkpoint.";
}

int SweepRunner::exitCode(bool stopped, bool again) const {
    if ((again && loses_) || (settings_.only_prompts ? prompts_failed_ : count_.failed > 0)) return 1;
    // A job queue must not book as completed what was stopped, or what somebody else still computes.
    if (settings_.only_prompts) return stopped && !promptsToCome(plan_, settings_.runs).empty() ? kStoppedCode : 0;
    if (settings_.tables || count_.remaining() == 0) return 0;
    return stopped ? kStoppedCode : 1;
}

/// Starts the next run. False when no more are to be started.
bool SweepRunner::startNext() {
    const std::size_t place = waiting_.front();
    try {
        return start(place);
    } catch (const Error& error) {
        // A run that cannot be started does not keep the others from starting.
        waiting_.pop_front();
        noteNotStarted(place, error);
        return true;
    }
}

std::optional<bool> SweepRunner::resume(std::size_t place) {
    std::vector<SweepResult>& unfinished = unfinished_[place];
    while (!unfinished.empty()) {
        const SweepResult left = unfinished.front();
        unfinished.erase(unfinished.begin());
        if (const std::string obstacle = obstacleToResuming(table_, left, folder_.runs()); !obstacle.empty()) {
            printer_.notResumed(plan_.runs[place], left.folder, obstacle);
            continue;
        }
        const std::filesystem::path log = freshLog(folder_.runs() / (left.folder + ".resumed"));
        // It has the threads that it began with, whatever others would have now.
        return startProcess(place, {"run", "--resume", (folder_.runs() / left.folder).string()},
                            {place, left.folder, log, true, {}}, left.threads);
    }
    return std::nullopt;
}

bool SweepRunner::start(std::size_t place) {
    const SweepRun& run = plan_.runs[place];
    const std::int64_t threads = threadsOf(run);
    if (const std::optional<bool> resumed = resume(place)) return *resumed;
    const std::filesystem::path runs = folder_.runs();
    const std::string name = beginAttempt(table_, run, runs);
    const std::filesystem::path experiment = runs / (name + ".toml");
    // A run that is not started leaves no file.
    const auto withdraw = [&] {
        std::error_code ignored;
        std::filesystem::remove(experiment, ignored);
    };
    try {
        const bool started = startProcess(place,
                                          {"run", experiment.string(), "--set", "threads=" + std::to_string(threads),
                                           "--out", (runs / name).string()},
                                          {place, name, runs / (name + ".log"), false, {}}, threads);
        if (!started) withdraw();
        return started;
    } catch (const Error&) {
        withdraw();
        throw;
    }
}

bool SweepRunner::startProcess(std::size_t place, const std::vector<std::string>& arguments, Working work,
                               std::int64_t threads) {
    std::vector<std::string> whole = arguments;
    if (allLearnersAllowed()) whole.emplace_back("--allow-learner");
    const std::optional<pid_t> pid = children_.start(whole, work.log);
    if (!pid) return false;
    waiting_.pop_front();
    work.since = Clock::now();
    results_[place].state = RecordedState::Running;
    results_[place].folder = work.name;
    results_[place].threads = threads;
    printer_.runBegins(plan_.runs[place], work.name, threads, work.resumed);
    working_[*pid] = std::move(work);
    return true;
}

void SweepRunner::noteNotStarted(std::size_t place, const Error& error) {
    SweepResult& result = results_[place];
    result = {};
    result.state = RecordedState::Failed;
    result.error = error.sentence();
    ++count_.failed;
    printer_.runEnded(plan_.runs[place], result, "", 0, count_, left());
    write();
}

void SweepRunner::recordEnd(const ChildEnd& end, bool stopping) {
    const auto found = working_.find(end.pid);
    if (found == working_.end()) return;
    const Working work = found->second;
    working_.erase(found);
    const SweepRun& run = plan_.runs[work.place];
    const std::string log = work.log.string();
    const double seconds = std::chrono::duration<double>(Clock::now() - work.since).count();

    SweepResult& result = results_[work.place];
    result = readSweepRun(table_, run, folder_.runs());
    loses_ = loses_ || (result.state != RecordedState::Finished && !learnsByProgram(run.experiment));
    if (work.resumed && !end.killed && isUnfinished(result.state)) {
        // Nothing was learned, and never will be from that checkpoint.
        if (const std::string complaint = complaintIn(work.log); refusedForGood(complaint)) {
            printer_.notResumed(run, work.name, complaint);
            result = {};
            waiting_.push_front(work.place);
            return write();
        }
    }
    if (result.state == RecordedState::Running) {
        // Somebody has resumed it elsewhere.
        printer_.elsewhere(run, result);
        return write();
    }
    if (result.state == RecordedState::Finished) {
        ++count_.finished;
        // A part of a run says nothing about the others.
        if (!work.resumed) pace_.finished(run.line, seconds);
    } else if (!settings_.tables && result.state == RecordedState::Stopped) {
        // A queue signals all processes of a task, so the run may hear of it first.
        stopped_outside_ = true;
    } else if (!stopping || hasFailed(result)) {
        ++count_.failed;
        // It was stopped from outside, or ended before it could write a reason.
        if (result.state != RecordedState::Failed || result.error.empty()) {
            result.error =
                result.state == RecordedState::Stopped ? "Somebody stopped it." : "It ended with " + end.text() + ".";
        }
        if (result.state != RecordedState::Stopped && !hasFailed(result)) result.state = RecordedState::Failed;
    }
    printer_.runEnded(run, result, log, seconds, count_, left());
    write();
}

std::optional<double> SweepRunner::left() const {
    std::vector<std::size_t> waiting;
    for (const std::size_t place : waiting_) waiting.push_back(plan_.runs[place].line);
    std::vector<SweepPace::Running> running;
    for (const auto& [pid, work] : working_) {
        running.push_back(
            {plan_.runs[work.place].line, std::chrono::duration<double>(Clock::now() - work.since).count()});
    }
    return pace_.left(waiting, running, jobs_);
}

/// Writes the tables. A disk that is full for a moment must not end the runs.
void SweepRunner::write() {
    if (!settings_.tables) return;
    try {
        folder_.write(plan_, results_);
    } catch (const Error& error) {
        std::cerr << "Note: " << error.sentence() << " `--table` makes the tables anew." << std::endl;
    }
}

}  // namespace palimpsest
