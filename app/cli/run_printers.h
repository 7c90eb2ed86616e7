// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output.h"
#include "engine/run/run_events.h"

namespace palimpsest {

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

    TerminalBar bar_;
    std::int64_t sessions_ = 0;  ///< of the whole stream
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
