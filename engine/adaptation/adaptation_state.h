// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <optional>

#include "engine/adaptation/ood_source.h"
#include "engine/network/tensor.h"

namespace palimpsest {

/// The values that an adaptation depends on, by option key or a plain name.
using AdaptationFacts = std::map<std::string, std::string>;

/// An adaptation between two steps: everything needed to resume it with the same bits.
struct AdaptationState {
    std::int64_t step = 0;  ///< completed steps
    std::int64_t samples_seen = 0;
    std::int64_t threads = 0;
    OodDraws::Position other;
    std::vector<std::int64_t> exposed;  ///< labels in the order of their output units
    TensorsByName learner;              ///< PromptAdapter::state()
    AdaptationFacts facts;
};

void writeAdaptationState(const std::filesystem::path& file, const AdaptationState& state);
/// Throws Error(Input) for a file that is missing or no such state.
AdaptationState readAdaptationState(const std::filesystem::path& file);

/// Throws Error(Input) that names all differences between the facts of a saved state and those of the experiment.
void requireSameAdaptation(const std::filesystem::path& file, const AdaptationFacts& saved, const AdaptationFacts& now);
/// Throws Error(Input) if a state that was saved after `step` leaves none of `steps` to do.
void requireStepToCome(const std::filesystem::path& file, std::int64_t step, std::int64_t steps);

/// State file beside unfinished prompts: saved regularly, and restored to its former content when the adaptation is
/// discarded.
class AdaptationStateFile {
public:
    /// Remembers an existing file's content. Throws Error(Input) when the file cannot be written.
    explicit AdaptationStateFile(std::filesystem::path file);
    const std::filesystem::path& file() const { return file_; }
    bool existed() const { return before_.has_value(); }
    void write(const AdaptationState& state);
    /// Restores the content that the file had when this object was made.
    void restorePrevious();
    void remove();

private:
    std::filesystem::path file_;
    std::optional<std::string> before_;  // its bytes
    bool written_ = false;
};

}  // namespace palimpsest
