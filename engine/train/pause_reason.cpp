// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/pause_reason.h"

#include <cstdio>

namespace palimpsest {
namespace {

/// "41.3 %".
template <class Part, class Whole>
std::string percentText(Part part, Whole whole) {
    char text[32];
    std::snprintf(text, sizeof text, "%.1f %%", 100 * static_cast<double>(part) / static_cast<double>(whole));
    return text;
}

}  // namespace

std::string pauseReason(const PauseCondition& when, bool sessionEnded, std::int64_t session,
                        const std::vector<ClassCount>& classes, const Retention& retention) {
    std::string why;
    if (when.session_end && sessionEnded) why = "Session " + std::to_string(session + 1) + " has ended.";
    if (!when.session) return why;
    Hits hits;
    for (const ClassCount& count : classes)
        if (retention.sessionOf(count.label) == *when.session) {
            hits.correct += count.correct;
            hits.samples += count.samples;
        }
    if (hits.samples > 0 && static_cast<double>(hits.correct) < when.below * static_cast<double>(hits.samples))
        why = "The accuracy of session " + std::to_string(*when.session + 1) + " is " +
              percentText(hits.correct, hits.samples) + ", below the " + percentText(when.below, 1) +
              " that were asked for.";
    return why;
}

}  // namespace palimpsest
