// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run_observer.h"

namespace palimpsest {

/// A run told in lines on standard output: where it is written, a line an evaluation and a session, the summary. On a
/// terminal a progress bar stands below them (on standard error).
class ConsoleObserver : public RunObserver {
public:
    ConsoleObserver();

    void onStarted(const RunStarted&) override;
    void onState(const StateChanged&) override;
    void onProgress(const Progress&) override;
    void onEvaluated(const Evaluated&) override;
    void onSessionEnded(const SessionEnded&) override;
    void onEnded(const RunEnded&) override;

private:
    void line(const std::string& text);
    void bar(const std::string& text);

    const bool terminal_;
    std::string bar_;
};

}  // namespace palimpsest
