// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/replay_notes.h"

namespace palimpsest {

void addNothingReplayedNote(const Experiment& experiment, std::vector<std::string>& notes, const char* with) {
    if (experiment.memory.size > 0) return;
    notes.push_back("memory.size is 0, so nothing is replayed; this is a linear probe" + std::string(with) + ".");
}

void addPublishedUpdatesNote(const Experiment& experiment, std::vector<std::string>& notes) {
    const std::int64_t official = 3 * experiment.training.batch_size;
    if (experiment.training.updates_per_batch >= official) return;
    notes.push_back("The published code of this method makes " + std::to_string(official) +
                    " updates on each batch, where others make 3; training.updates_per_batch makes " +
                    std::to_string(experiment.training.updates_per_batch) + " here.");
}

}  // namespace palimpsest
