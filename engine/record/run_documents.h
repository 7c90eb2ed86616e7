// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>

#include "engine/config/experiment.h"
#include "engine/run/run_events.h"
#include "engine/support/json.h"

namespace palimpsest {

/// What stands in run.json and summary.json of a run folder. The order of the keys is that of the files.
namespace run_documents {
/// run.json of a run that has begun and of which nothing more is known.
Json begun(const Experiment& experiment);
/// What is known once the run learns.
void describe(Json& run, const RunStarted& event);
/// The first 20 images are named among the warnings, behind the first `before` of them, the others are counted. False:
/// it need not be written now, since another one or the end of the run writes it.
bool tellLeftOut(Json& run, const ImageLeftOut& event, std::size_t before);
/// summary.json.
Json summary(const Summary& summary, std::int64_t samplesSeen, std::int64_t updates);
}  // namespace run_documents

}  // namespace palimpsest
