// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "engine/adaptation/ood_draws.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// What an adaptation depends on, in words: option keys and a few plain names, and what they are.
using AdaptationFacts = std::map<std::string, std::string>;

/// An adaptation between two steps: all that it takes to go on with the same bits.
struct AdaptationState {
    std::int64_t step = 0;  ///< steps that are done
    std::int64_t samples_seen = 0;
    std::int64_t threads = 0;
    OtherDraws::Position other;
    std::vector<std::int64_t> exposed;  ///< labels in the order of their output units
    TensorsByName learner;              ///< PromptAdapter::state()
    AdaptationFacts facts;
};

void writeAdaptationState(const std::filesystem::path& file, const AdaptationState& state);
/// Throws Error(Input) for a file that is missing or no such state.
AdaptationState readAdaptationState(const std::filesystem::path& file);

/// Throws Error(Input) that names everything in which the facts of a saved state differ from those of the experiment.
void requireSameAdaptation(const std::filesystem::path& file, const AdaptationFacts& saved, const AdaptationFacts& now);
/// Likewise where a state that was saved after `step` leaves none of `steps` to go on with.
void requireStepToCome(const std::filesystem::path& file, std::int64_t step, std::int64_t steps);

/// The state beside the prompts while they are not finished: written now and then, and taken back when the adaptation
/// is thrown away.
class AdaptationStateFile {
public:
    /// Remembers what is there. Throws Error(Input) when it cannot be written.
    explicit AdaptationStateFile(std::filesystem::path file);
    const std::filesystem::path& file() const { return file_; }
    bool wasThere() const { return before_.has_value(); }
    void write(const AdaptationState& state);
    /// As it was when this object was made.
    void takeBack();
    void remove();

private:
    std::filesystem::path file_;
    std::optional<std::string> before_;  // its bytes
    bool written_ = false;
};

}  // namespace palimpsest
