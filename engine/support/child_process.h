// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <sys/types.h>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// Other programs that this one starts: each is made, waited for and ended here.

namespace palimpsest {

/// A file for a program that is started, closed by the destructor. It is not passed on by itself, and has never the
/// number of a standard file, which dup2() onto itself would leave to be closed at that start.
class ChildFile {
public:
    /// `flags` of open(2); what it makes may be read and written as the umask says.
    ChildFile(const std::filesystem::path& path, int flags);
    ~ChildFile();
    ChildFile(const ChildFile&) = delete;
    ChildFile& operator=(const ChildFile&) = delete;
    int number() const { return number_; }
    /// An errno: why it is not open; 0: it is.
    int problem() const { return problem_; }

private:
    int number_ = -1, problem_ = 0;
};

/// How a program is started. It has this one's environment and blocks no signal.
struct ChildStart {
    std::vector<std::string> words;       ///< the program and its arguments
    std::string program = {};             ///< its file where that is not the first word
    bool searched = false;                ///< the first word is looked for in $PATH
    int input = -1, output = -1;          ///< files that become its standard ones; -1: those of this program
    int errors = -1;                      ///< the same
    bool own_group = true;                ///< a process group of its own: the terminal's Ctrl-C does not reach it
    std::vector<int> usual_signals = {};  ///< not ignored and not handled, whatever this program does with them
    int end_signal = 0;                   ///< sent to it when the thread that started it ends; 0: none
    std::int64_t memory = 0;              ///< bytes that each of its processes may take for its data; 0: no limit
};

/// How a process ended.
struct ChildEnd {
    pid_t pid = 0;
    bool killed = false;       ///< by a signal
    int code = 0;              ///< exit code, or the signal
    std::string text() const;  ///< "exit code 1" or "signal 9 (Killed)"
    /// As a shell gives it: 128 and the signal.
    int exitCode() const { return killed ? 128 + code : code; }
};

/// A program that was started. The destructor kills it with its group and reaps it, unless that was done or it was
/// released. Used by one thread.
class ChildProcess {
public:
    /// None.
    ChildProcess() = default;
    /// problem() says whether it runs. Throws Error(Run) where the system has no pipe for its report.
    explicit ChildProcess(const ChildStart& start);
    ~ChildProcess();
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;

    /// An errno: why it could not be started; 0: it was.
    int problem() const { return problem_; }
    /// 0: there is none, or none any more.
    pid_t pid() const { return pid_; }
    /// Waits so long for its end, without reaping it. True when it has ended.
    bool hasEnded(std::chrono::milliseconds patience = {}) const;
    /// Kills it, and all of its group where it has one. It is still to be waited for.
    void kill() const;
    /// Waits for its end and reaps it.
    ChildEnd wait();
    /// It lives on without this object; its number.
    pid_t release();

private:
    pid_t pid_ = 0;
    bool own_group_ = false;
    int problem_ = 0;
};

/// What is known of a process by its number, once it was released.
struct ChildLook {
    bool ours = false;                 ///< false: no child of this program, or one that was reaped
    std::optional<ChildEnd> end = {};  ///< of a child; absent while it works
};
/// Does not wait. A child that has ended is reaped, so its end is told once.
ChildLook lookAtChild(pid_t pid);
/// Waits for the end of a child and reaps it; returns at once where there is none.
void waitForChild(pid_t pid);

}  // namespace palimpsest
