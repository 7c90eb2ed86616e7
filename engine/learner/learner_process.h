// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/support/child_process.h"
#include "engine/support/stop_scope.h"

namespace palimpsest {

/// GivenUp where a learner was killed because nobody waits for its answer any more.
class LearnerStopped : public GivenUp {
public:
    explicit LearnerStopped(std::string sentence) : sentence_(std::move(sentence)) {}
    /// Plain: "The learner X was stopped when it learned a batch."
    const std::string& sentence() const { return sentence_; }

private:
    std::string sentence_;
};

/// Another program that is asked by lines on its standard input and answers by lines on its standard output, one to
/// one. It has a process group of its own, so that the terminal's Ctrl-C does not reach it, and all of the group goes
/// when the destructor runs; it is killed when the thread that started it ends, which must live as long as this. Used
/// by one thread.
class LearnerProcess {
public:
    struct Limits {
        std::chrono::milliseconds answer{60'000};  ///< longest time for one answer
        std::int64_t memory = 0;                   ///< bytes that each process may take for its data; 0: no limit
        std::string memory_advice{};               ///< what to do where that may be too little; empty: no limit
        std::size_t line = std::size_t{1} << 20U;  ///< most bytes of an answer
        std::stop_token stop{};                    ///< once asked, it is killed and an answer no longer waited for
        std::string answer_setting = "method.external_timeout";                 ///< what sets the longest time
        std::string advice = "`palimpsest-cli learner check` tries it alone.";  ///< where it fails by itself
        /// Told about once a second, from the third one on, how long it has given no answer, and 0 once it waits no
        /// more; may be null.
        std::function<void(std::chrono::seconds)> waiting{};
    };
    /// `words`: the program, an absolute path, and its arguments. Throws Error(Run) where it cannot be started.
    LearnerProcess(const std::vector<std::string>& words, const Limits& limits);
    ~LearnerProcess();
    LearnerProcess(const LearnerProcess&) = delete;
    LearnerProcess& operator=(const LearnerProcess&) = delete;

    /// Sends a line and returns the one that comes back. `who` and `doing` are for messages: "The learner X", "learns a
    /// batch". Throws Error(Run) where none comes: it ended, closed its output, is too slow, says too much;
    /// LearnerStopped once the limits' `stop` is asked. It has been killed then, and every later call throws the same.
    std::string ask(std::string_view line, const std::string& who, const std::string& doing);
    /// Sends a line after which it should end by itself, and waits so long for it. False where it had to be killed.
    bool dismiss(std::string_view line, std::chrono::milliseconds patience);
    /// Ends it and all of its group at once.
    void kill();
    /// What it last wrote to its standard error, as the end of a sentence in plain words: " Its last words: ...";
    /// empty where it wrote nothing.
    std::string lastWords();

private:
    enum class Came { Line, Closed, Late, TooLong, Stopped };
    Came exchange(std::string_view line, std::string& answer);
    /// Sends what it can of `out`; false where the other end is closed.
    bool send(std::string_view& out) const;
    /// Reads what is there; false at the end.
    bool drain(int file, std::string& into, std::size_t most) const;
    bool running() const { return child_ && child_->pid() > 0; }
    /// "with exit code 1" or "by signal 9 (Killed)", after kill().
    std::string endText() const;
    /// The end of a hint: that it may lack memory; empty where nothing limits it.
    std::string memoryHint() const;
    void closeFiles();

    Limits limits_;
    std::optional<ChildProcess> child_;
    int to_ = -1, from_ = -1, errors_ = -1;
    std::string heard_, complaints_;
    bool told_ = false;                   // of a wait that goes on
    std::string failure_, hint_;          // why no more answers come
    std::optional<std::string> stopped_;  // the sentence of LearnerStopped, where that is why
    ChildEnd end_;
};

}  // namespace palimpsest
