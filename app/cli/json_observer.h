// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/run/run_events.h"

namespace palimpsest {

/// Prints a run in JSON, one object a line: "started", "image_left_out", "evaluated", "session_ended", "ended".
class JsonObserver : public RunObserver {
public:
    void onStarted(const RunStarted&) override;
    void onChange(const ChangeMade&) override;
    void onImageLeftOut(const ImageLeftOut&) override;
    void onEvaluated(const Evaluated&) override;
    void onSessionEnded(const SessionEnded&) override;
    void onEnded(const RunEnded&) override;
};

}  // namespace palimpsest
