// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

#include "engine/run/run_events.h"

namespace palimpsest {

/// State of a run as its folder says it.
enum class RecordedState {
    None,  ///< no run, or none that has begun
    Running,
    Finished,
    Stopped,
    Failed,
    Crashed,   ///< run.json says "running", but its program is gone
    Imported,  ///< another program's results
    Unknown    ///< a word that this version does not know
};

/// Word of run.json: "running", "finished", ...; empty for None.
const char* toText(RecordedState state);
/// State with this word.
RecordedState recordedState(std::string_view word);
/// State that the folder of a run has after this end: what an aborted run leaves behind was stopped.
RecordedState recordedState(RunEnd end);

}  // namespace palimpsest
