// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/recorded_state.h"

#include <algorithm>
#include <array>
#include <utility>

namespace palimpsest {
namespace {

constexpr std::array<std::pair<RecordedState, const char*>, 8> kStateWords = {{{RecordedState::None, ""},
                                                                               {RecordedState::Running, "running"},
                                                                               {RecordedState::Finished, "finished"},
                                                                               {RecordedState::Stopped, "stopped"},
                                                                               {RecordedState::Failed, "failed"},
                                                                               {RecordedState::Crashed, "crashed"},
                                                                               {RecordedState::Imported, "imported"},
                                                                               {RecordedState::Unknown, "unknown"}}};

}  // namespace

const char* toText(RecordedState state) {
    return std::find_if(kStateWords.begin(), kStateWords.end(), [=](const auto& row) { return row.first == state; })
        ->second;
}

RecordedState recordedState(std::string_view word) {
    const auto found =
        std::find_if(kStateWords.begin(), kStateWords.end(), [=](const auto& row) { return row.second == word; });
    return found == kStateWords.end() ? RecordedState::Unknown : found->first;
}

RecordedState recordedState(RunEnd end) {
    switch (end) {
        case RunEnd::Finished:
            return RecordedState::Finished;
        case RunEnd::Stopped:
        case RunEnd::Aborted:
            return RecordedState::Stopped;
        case RunEnd::Failed:
            return RecordedState::Failed;
    }
    return RecordedState::Unknown;
}

}  // namespace palimpsest
