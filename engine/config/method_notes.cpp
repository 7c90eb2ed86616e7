// SPDX-License-Identifier: GPL-3.0-or-later
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/config/option_words.h"

namespace palimpsest {

using namespace option_words;

std::vector<std::string> OptionTable::methodNotes(const Experiment& experiment) const {
    const std::string& method = experiment.method.name;
    std::vector<std::string> notes;
    if (experiment.memory.size == 0 && isOneOf(method, {"er", "er-ace", "derpp", "rainbow-memory"})) {
        notes.push_back("memory.size is 0, so nothing is replayed; this is a linear probe" +
                        std::string(method == "er-ace" ? " with the mask of ER-ACE." : "."));
    }
    if (experiment.memory.size > 0 && method == "lwf") {
        notes.push_back("memory.size is " + number(experiment.memory.size) +
                        ", so past images join every batch; LwF itself, paper and code, has no memory.");
    }
    if (method == "l2p" && experiment.initial_session.prompts != "none" &&
        experiment.method.l2p_length < experiment.method.g_length) {
        notes.push_back("method.l2p_length is " + number(experiment.method.l2p_length) + " and method.g_length " +
                        number(experiment.method.g_length) +
                        ", so L2P takes the first tokens of each block of the initial prompt and drops the rest; make "
                        "them equal to take all.");
    }
    const std::int64_t official = 3 * experiment.training.batch_size;
    if (experiment.training.updates_per_batch < official && isOneOf(method, {"finetune", "rainbow-memory", "clib"})) {
        notes.push_back("The published code of this method makes " + number(official) +
                        " updates on each batch, where others make 3; training.updates_per_batch makes " +
                        number(experiment.training.updates_per_batch) + " here.");
    }
    if (isOneOf(method, {"ewcpp", "online-ewc"}) && !experiment.method.ewc_train_backbone) {
        notes.push_back("method.ewc_train_backbone is false, so there is nothing to hold back; only the head learns.");
    }
    const std::int64_t features = experiment.method.random_features;
    if (features > 4096 && idleReason(experiment, *find("method.random_features")).empty()) {
        notes.push_back("method.random_features is " + number(features) + ", so the run keeps sums of " +
                        number(features * features / 250'000) +
                        " MB and solves as many equations for each evaluation, which takes a processor some seconds; "
                        "1000 features take hardly any time.");
    }
    return notes;
}

}  // namespace palimpsest
