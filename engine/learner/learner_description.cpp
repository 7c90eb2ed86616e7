// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/learner/learner_description.h"

#include <map>
#include <mutex>

#include "engine/support/stop_scope.h"

namespace palimpsest {
namespace {

/// Descriptions that are kept; one is at most 64 options.
constexpr std::size_t kMostDescribed = 100;

std::mutex g_describedMutex;

std::map<std::string, LearnerHello>& describedOnes() {
    static std::map<std::string, LearnerHello> described;
    return described;
}

}  // namespace

LearnerHello describedLearner(const LearnerStart& start, Describe how) {
    const LearnerCommand command = start.found ? *start.found : learnerCommand(start.command);
    if (how == Describe::Known && isLearnerAllowed(command)) {
        const std::lock_guard lock(g_describedMutex);
        if (const auto found = describedOnes().find(command.digest); found != describedOnes().end())
            return found->second;
    }
    LearnerStart asked = start;
    asked.stop = StopScope::token();
    asked.found = command;
    LearnerLink link(asked);
    LearnerHello hello = link.hello();
    link.leave();
    const std::lock_guard lock(g_describedMutex);
    if (describedOnes().size() >= kMostDescribed) describedOnes().clear();
    describedOnes()[command.digest] = hello;
    return hello;
}

}  // namespace palimpsest
