// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/lwf_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"

namespace palimpsest {
namespace {

std::vector<std::string> lwfNotes(const Experiment& experiment) {
    if (experiment.memory.size == 0) return {};
    return {"memory.size is " + std::to_string(experiment.memory.size) +
            ", so past images join every batch; LwF itself, paper and code, has no memory."};
}

}  // namespace

MethodDeclaration declareLwf() {
    using namespace option_row;
    return {
        .choice = {"lwf", "LwF", "Linear head; keeps to what it said one batch ago, without a memory.",
                   method_family::kHead, "A copy of the head.", "As the linear probe.",
                   "Li and Hoiem, Learning without Forgetting, ECCV 2016"},
        .group = OptionGroup::Past,
        .options = {real("method.lwf_weight", "Distillation", 0.2, OPTION_OF(LwfOptions, weight))
                        .range(0, 1000)
                        .expert()
                        .help("Weight of keeping to what the network said one batch ago.")
                        .source("MISA, methods/lwf.py: 0.2"),
                    real("method.lwf_temperature", "Temperature", 2, OPTION_OF(LwfOptions, temperature))
                        .range(0.01, 1000)
                        .expert()
                        .help("Divides the logits that are compared; above 1 the less likely classes count for more.")
                        .source("MISA, methods/lwf.py: 2")},
        .notes = lwfNotes};
}

}  // namespace palimpsest
