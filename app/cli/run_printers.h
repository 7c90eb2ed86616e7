// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>

#include "app/cli/output.h"
#include "engine/run/run_events.h"

namespace palimpsest {

/// Text of a session's end: the accuracy on the data of each session so far, in one line or, where that is
/// wider than `width` columns, in a second one; where even that is too wide, mean, lowest and the session's own.
/// `width` 0: endless.
std::string sessionEndedText(const SessionEnded& event, std::size_t width);

/// "Waiting for nearest mean, 4 of 60 s ...".
std::string waitText(const LearnerWait& wait);

/// Prints a run in lines on standard output: its folder, one line for each evaluation and session, the summary. A
/// terminal also has a progress bar below them (on standard error).
class ConsoleRunPrinter : public RunObserver {
public:
    void onStarted(const RunStarted&) override;
    void onState(const StateChanged&) override;
    void onProgress(const Progress&) override;
    void onPlateau(const PlateauFound&) override;
    void onChange(const ChangeMade&) override;
    void onImageLeftOut(const ImageLeftOut&) override;
    void onWarned(const RunWarned&) override;
    void onEarlyLook(const EarlyLook&) override;
    void onEvaluated(const Evaluated&) override;
    void onSessionEnded(const SessionEnded&) override;
    void onEnded(const RunEnded&) override;

private:
    void line(const std::string& text) { bar_.line(text); }
    /// The command that goes on with the run in this folder.
    std::string wayOn(const std::string& folder) const;

    TerminalBar bar_;
    std::int64_t sessions_ = 0;  ///< of the whole stream
    bool paused_ = false;
    bool starts_program_ = true;  ///< its method is a program of the user's own, or it is not known yet
};

/// Prints a run in JSON, one object a line: "started", "plateau", "change", "image_left_out", "warning",
/// "early_look", "evaluated", "session_ended", "ended".
class JsonRunPrinter : public RunObserver {
public:
    void onStarted(const RunStarted&) override;
    void onPlateau(const PlateauFound&) override;
    void onChange(const ChangeMade&) override;
    void onImageLeftOut(const ImageLeftOut&) override;
    void onWarned(const RunWarned&) override;
    void onEarlyLook(const EarlyLook&) override;
    void onEvaluated(const Evaluated&) override;
    void onSessionEnded(const SessionEnded&) override;
    void onEnded(const RunEnded&) override;
};

}  // namespace palimpsest
