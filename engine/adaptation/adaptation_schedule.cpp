// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_schedule.h"

#include <algorithm>

#include "engine/support/error.h"

namespace palimpsest {

AdaptationSchedule::AdaptationSchedule(const StreamPlan& plan, std::int64_t epochs, std::int64_t batchSize,
                                       std::int64_t updates)
    : plan_(plan), epochs_(epochs), batch_size_(batchSize), updates_(updates) {
    if (epochs < 1 || batchSize < 1 || updates < 1)
        throw inputError("The initial session has " + std::to_string(epochs) + " epochs of batches of " +
                             std::to_string(batchSize) + " with " + std::to_string(updates) + " updates each.",
                         "Use 1 or more of each.");
    std::int64_t batches = 0;
    for (std::size_t s = 0; s < plan.sessions.size(); ++s) {
        const auto size = static_cast<std::int64_t>(plan.sessions[s].size());
        if (size == 0) continue;
        const std::int64_t count = (size + batchSize - 1) / batchSize;
        parts_.push_back({steps_, batches, static_cast<std::int64_t>(s), count});
        batches += count * epochs;
        steps_ = batches * updates;
    }
}

AdaptationSchedule::Position AdaptationSchedule::at(std::int64_t step) const {
    if (step < 0 || step >= steps_) throw runError("The adaptation has no step " + std::to_string(step) + ".");
    const auto after = std::ranges::upper_bound(parts_, step, {}, &Part::first_step);
    const Part& part = *std::prev(after);
    const std::int64_t within = step - part.first_step, batch = within / updates_, inPass = batch % part.batches;
    Position position;
    position.session = part.session;
    position.epoch = batch / part.batches;
    position.batch = part.first_batch + batch + 1;
    position.update = within % updates_;
    const std::span<const std::int64_t> all = plan_.sessions[static_cast<std::size_t>(part.session)];
    const std::span<const std::int64_t> rest = all.subspan(static_cast<std::size_t>(inPass * batch_size_));
    position.samples = rest.first(std::min(rest.size(), static_cast<std::size_t>(batch_size_)));
    position.ends_epoch = inPass + 1 == part.batches && position.update + 1 == updates_;
    return position;
}

}  // namespace palimpsest
