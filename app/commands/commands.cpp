// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/commands.h"

#include "engine/train/experiment_inputs.h"

namespace palimpsest {

const OptionTable& Shell::table() {
    if (!table_) table_ = std::make_unique<OptionTable>(engineCatalogue());
    return *table_;
}

std::span<const Command> commands() {
    static constexpr Command kCommands[] = {
        {"run", addRun},           {"stream", addStream},       {"methods", addMethods},     {"masks", addMasks},
        {"datasets", addDatasets}, {"backbones", addBackbones}, {"presets", addPresets},     {"options", addOptions},
        {"isa", addIsa},           {"prompts", addPrompts},     {"pretrain", addPretrain},   {"probe", addProbe},
        {"dataset", addDataset},   {"sweep", addSweep},         {"runs", addRuns},           {"report", addReport},
        {"bench", addBench},       {"verify", addVerify},       {"selfcheck", addSelfcheck},
    };
    return kCommands;
}

}  // namespace palimpsest
