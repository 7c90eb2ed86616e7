// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/record/run_folder.h"
#include "engine/record/talk.h"

namespace palimpsest {

// Captions with numbers of runs. A placeholder stands in braces, and may begin with the name of a run and a point; else
// it is of the scene's first run:
//   {accuracy}               on the test images of all classes so far, at the last evaluation, in per cent
//   {accuracy(1200)}         the same at the last evaluation that is not behind 1,200 images, once these are learned
//   {accuracy(session 2)}    at the end of session 2
//   {retention(1)}           accuracy on the test images of session 1 at the end of the last session
//   {retention(1, 3)}        at the end of session 3
//   {images} {sessions}      learned, and ended: of a run that goes on or was stopped fewer than were planned
//   {classes} {seconds} {name}
//   {no-mask.a_auc}          any number of summary.json, in per cent
// Two braces {{ write one.

/// What captions may say of a run, measured so far.
struct TalkNumbers {
    std::string name;
    std::int64_t images = 0;                ///< learned
    std::int64_t planned = 0;               ///< images at the end of the last session
    std::int64_t sessions = 0;              ///< that have ended
    std::vector<AnytimePoint> evaluations;  ///< on the way and at the ends of sessions, in order
    std::vector<RetentionPoint> retention;
    std::vector<std::int64_t> session_starts;  ///< samples seen when each session begins
    std::optional<Summary> summary;            ///< of a run that has ended
};
TalkNumbers talkNumbers(const RunRecord& record);
/// Brings evaluations of both kinds into one list, in order.
std::vector<AnytimePoint> talkEvaluations(std::vector<AnytimePoint> anytime, const std::vector<AnytimePoint>& ends);

/// The problem of a caption in a sentence without its stop: an unknown placeholder, with the nearest known one, a run
/// that the talk does not have, a brace that is not closed. Empty: none.
std::string captionProblem(const Talk& talk, std::string_view caption);
/// The caption with its numbers. `numbers`: of a run by its name, null where nothing is known of it. What is not
/// measured yet, or not known, is "…". `first`: name of the scene's first run.
std::string filledCaption(std::string_view caption, const std::string& first,
                          const std::function<const TalkNumbers*(const std::string&)>& numbers);

}  // namespace palimpsest
