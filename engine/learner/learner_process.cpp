// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/learner_process.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/format.h"
#include "engine/support/pipe.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

using LearnerClock = std::chrono::steady_clock;

/// Bytes of its standard error that are kept, and that are shown.
constexpr std::size_t kComplaints = std::size_t{16} << 10U, kShownComplaints = 600;
/// How long a process that has closed its output may take to end.
constexpr std::chrono::milliseconds kEndPatience{2000};
/// How often a wait that may be given up looks whether it is.
constexpr std::int64_t kStopLookMs = 50;
/// The same of a wait that is told of, and seconds of it that are not.
constexpr std::int64_t kWaitLookMs = 250;
constexpr std::chrono::seconds kUntold{1};

/// Less than Python takes with PyTorch.
constexpr std::int64_t kLittleMemory = std::int64_t{1} << 30U;

std::string secondsText(std::chrono::milliseconds time) {
    if (time.count() % 1000 == 0) return counted(time.count() / 1000, "second", "seconds");
    return shortestText(static_cast<double>(time.count()) / 1000) + " seconds";
}

void setNonBlocking(int file) {
    fcntl(file, F_SETFL, fcntl(file, F_GETFL) | O_NONBLOCK);
}

/// While it lives, writing into a pipe that nobody reads is an error and no signal.
class NoPipeSignal {
public:
    NoPipeSignal() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~NoPipeSignal() {
        const timespec now{};
        if (sigismember(&before_, SIGPIPE) == 0)
            while (sigtimedwait(&pipe_, nullptr, &now) < 0 && errno == EINTR) {
            }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    NoPipeSignal(const NoPipeSignal&) = delete;
    NoPipeSignal& operator=(const NoPipeSignal&) = delete;

private:
    sigset_t pipe_{}, before_{};
};

}  // namespace

LearnerProcess::LearnerProcess(const std::vector<std::string>& words, const Limits& limits) : limits_(limits) {
    Pipe input, output, errors;
    child_.emplace(ChildStart{.words = words,
                              .input = input.reading(),
                              .output = output.writing(),
                              .errors = errors.writing(),
                              .usual_signals = {SIGPIPE, SIGINT},
                              .end_signal = SIGKILL,
                              .memory = limits_.memory});
    const int reason = child_->problem();
    if (reason == EAGAIN || reason == ENOMEM)
        throw runError(std::string("Cannot start a learner: no new process: ") + std::strerror(reason) + ".",
                       "Close other programs and try again.");
    if (reason != 0)
        throw runError("The learner " + words.front() + " cannot be started: " + std::strerror(reason) + ".",
                       reason == ENOEXEC ? "A script begins with the line #! and its interpreter, or is started as "
                                           "python3 SCRIPT."
                                         : "Check the path and your permission to start it.");
    to_ = input.takeWriting();
    from_ = output.takeReading();
    errors_ = errors.takeReading();
    for (const int file : {to_, from_, errors_}) setNonBlocking(file);
}

LearnerProcess::~LearnerProcess() {
    kill();
}

void LearnerProcess::closeFiles() {
    for (int* const file : {&to_, &from_, &errors_})
        if (const int open = std::exchange(*file, -1); open >= 0) close(open);
}

void LearnerProcess::kill() {
    if (running()) {
        child_->kill();
        if (errors_ >= 0) drain(errors_, complaints_, kComplaints);
        end_ = child_->wait();
    }
    closeFiles();
}

std::string LearnerProcess::endText() const {
    return (end_.killed ? "by " : "with ") + end_.text();
}

std::string LearnerProcess::memoryHint() const {
    return limits_.memory_advice.empty() ? "" : " It may also lack memory. " + limits_.memory_advice;
}

std::string LearnerProcess::lastWords() {
    if (errors_ >= 0) drain(errors_, complaints_, kComplaints);
    std::string words;
    // Whole lines from the last one back, as many as can be shown.
    std::string_view rest = complaints_;
    while (!rest.empty()) {
        const std::size_t line = rest.find_last_of('\n');
        std::string_view last = line == std::string_view::npos ? rest : rest.substr(line + 1);
        rest = line == std::string_view::npos ? std::string_view() : rest.substr(0, line);
        while (!last.empty() && (last.front() == ' ' || last.front() == '\t')) last.remove_prefix(1);
        if (last.empty()) continue;
        const std::string plain = plainSentence(last.substr(0, kShownComplaints));
        if (!words.empty() && words.size() + plain.size() > kShownComplaints) break;
        words = plain + (words.empty() ? "" : " | " + words);
    }
    if (words.empty()) return {};
    // A sentence brings its own end.
    const bool ended = std::string_view(".!?").find(words.back()) != std::string_view::npos;
    return " Its last words: \"" + words + (ended ? "\"" : "\".");
}

bool LearnerProcess::send(std::string_view& out) const {
    const ssize_t sent = write(to_, out.data(), out.size());
    if (sent >= 0) {
        out.remove_prefix(static_cast<std::size_t>(sent));
        return true;
    }
    return errno == EAGAIN || errno == EINTR;
}

bool LearnerProcess::drain(int file, std::string& into, std::size_t most) const {
    char room[std::size_t{16} << 10U];
    // Bounded, so that one who writes without end does not hold up the clock.
    for (int i = 0; i < 64; ++i) {
        const ssize_t came = read(file, room, sizeof room);
        if (came == 0) return false;
        if (came < 0) {
            if (errno == EINTR) continue;
            return errno == EAGAIN;
        }
        into.append(room, static_cast<std::size_t>(came));
        if (file == errors_) {
            if (into.size() > most) into.erase(0, into.size() - most);
        } else if (into.size() > most) {
            return true;
        }
    }
    return true;
}

LearnerProcess::Came LearnerProcess::exchange(std::string_view line, std::string& answer) {
    const auto until = LearnerClock::now() + limits_.answer;
    std::string whole(line);
    whole += '\n';
    std::string_view out = whole;
    bool complains = true;
    const NoPipeSignal quiet;
    const std::int64_t longest = limits_.stop.stop_possible() ? kStopLookMs : limits_.waiting ? kWaitLookMs : 60'000;
    const auto begun = LearnerClock::now();
    std::chrono::seconds told = kUntold;
    while (true) {
        if (limits_.stop.stop_requested()) return Came::Stopped;
        const auto waited = std::chrono::duration_cast<std::chrono::seconds>(LearnerClock::now() - begun);
        if (limits_.waiting && waited > told) {
            told_ = true;
            limits_.waiting(told = waited);
        }
        const std::size_t end = heard_.find('\n');
        if (end != std::string::npos && end <= limits_.line) {
            answer = heard_.substr(0, end);
            heard_.erase(0, end + 1);
            return Came::Line;
        }
        if (heard_.size() > limits_.line) return Came::TooLong;
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - LearnerClock::now()).count();
        if (left <= 0) return Came::Late;
        pollfd files[3] = {
            {from_, POLLIN, 0}, {complains ? errors_ : -1, POLLIN, 0}, {out.empty() ? -1 : to_, POLLOUT, 0}};
        if (poll(files, 3, static_cast<int>(std::min<std::int64_t>(left, longest))) < 0 && errno != EINTR)
            return Came::Closed;
        if (files[2].revents != 0 && !send(out)) {
            // Its last answer may still lie in the pipe, but it is none to this question.
            return Came::Closed;
        }
        if (files[1].revents != 0) complains = drain(errors_, complaints_, kComplaints);
        if (files[0].revents != 0 && !drain(from_, heard_, limits_.line) && heard_.find('\n') == std::string::npos)
            return Came::Closed;
    }
}

std::string LearnerProcess::ask(std::string_view line, const std::string& who, const std::string& doing) {
    if (stopped_) throw LearnerStopped(*stopped_);
    if (!failure_.empty()) throw runError(failure_, hint_);
    if (!running()) throw runError(who + " has been ended.", "Start the run again.");
    std::string answer;
    hint_ = limits_.advice;
    const auto fail = [&](const std::string& sentence) {
        kill();
        failure_ = sentence + lastWords();
        return runError(failure_, hint_);
    };
    // What it says unasked would be taken for the answer to the next question.
    drain(from_, heard_, limits_.line);
    if (!heard_.empty())
        throw fail(who + " said something unasked: \"" + shortLine(heard_.substr(0, heard_.find('\n'))) + "\".");
    const Came came = exchange(line, answer);
    if (std::exchange(told_, false)) limits_.waiting(std::chrono::seconds(0));
    switch (came) {
        case Came::Line:
            return answer;
        case Came::Closed: {
            const bool ended = child_->hasEnded(kEndPatience);
            kill();
            // One that stops by itself has said why, unless its interpreter or its libraries did not even fit.
            if (ended && (end_.killed || limits_.memory < kLittleMemory)) hint_ += memoryHint();
            throw fail(ended ? who + " ended " + endText() + " when it " + doing + "."
                             : who + " closed its input or output when it " + doing + ".");
        }
        case Came::Late:
            hint_ = "Give it more time (" + limits_.answer_setting + "), or look why it hangs." + memoryHint();
            throw fail(who + " gave no answer within " + secondsText(limits_.answer) + " when it " + doing + ".");
        case Came::Stopped:
            kill();
            stopped_ = plainSentence(who + " was stopped when it " + doing + ".");
            throw LearnerStopped(*stopped_);
        case Came::TooLong:
            break;
    }
    throw fail(who + " answered with a line of more than " + grouped(static_cast<std::int64_t>(limits_.line)) +
               " bytes when it " + doing + ".");
}

bool LearnerProcess::dismiss(std::string_view line, std::chrono::milliseconds patience) {
    bool ended = true;
    if (running() && failure_.empty()) {
        {
            std::string whole(line);
            whole += '\n';
            std::string_view out = whole;
            const NoPipeSignal quiet;
            send(out);
        }
        close(std::exchange(to_, -1));
        const auto until = LearnerClock::now() + patience;
        std::string ignored;
        while (!(ended = child_->hasEnded(std::chrono::milliseconds(10))) && LearnerClock::now() < until &&
               !limits_.stop.stop_requested()) {
            // Nobody waits for a full pipe.
            drain(from_, ignored, limits_.line);
            drain(errors_, complaints_, kComplaints);
            ignored.clear();
        }
    }
    kill();
    return ended;
}

}  // namespace palimpsest
