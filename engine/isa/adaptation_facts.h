// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/config/option_table.h"
#include "engine/isa/adaptation_state.h"
#include "engine/method/dual_prompts.h"

namespace palimpsest {

/// The options that an adaptation depends on, by their keys.
AdaptationFacts adaptationOptions(const OptionTable& table, const Experiment& experiment);

/// "10 general tokens in blocks 0 1; 10 prompts of 20 expert tokens in blocks 2 3 4; prompt tuning"
std::string layoutText(const PromptLayout& layout);

/// "sha256:HEX" of the file that a backbone is loaded from, or "random, seed 1". GivenUp when the thread's StopScope
/// asks for it. Throws Error(Input) when the file cannot be read.
std::string backboneDigest(const BackboneOptions& options, std::uint64_t seed);

/// The command line that makes the same prompts again, with every option that differs from its default.
std::string adaptationCommand(const OptionTable& table, const Experiment& experiment,
                              const std::filesystem::path& file);

}  // namespace palimpsest
