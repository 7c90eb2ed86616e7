// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/run/run_events.h"

namespace palimpsest {

const char* toText(RunState state) {
    switch (state) {
        case RunState::Idle:
            return "idle";
        case RunState::Preparing:
            return "preparing";
        case RunState::Running:
            return "running";
        case RunState::Paused:
            return "paused";
        case RunState::Stopping:
            return "stopping";
    }
    return "unknown";
}

const char* toText(RunEnd end) {
    switch (end) {
        case RunEnd::Finished:
            return "finished";
        case RunEnd::Stopped:
            return "stopped";
        case RunEnd::Aborted:
            return "aborted";
        case RunEnd::Failed:
            return "failed";
    }
    return "unknown";
}

}  // namespace palimpsest
