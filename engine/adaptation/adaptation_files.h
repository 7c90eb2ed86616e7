// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/files/folder_lock.h"
#include "engine/adaptation/adaptation_state.h"
#include "engine/network/tensor.h"
#include "engine/run/adaptation.h"

namespace palimpsest {

/// Writes the prompts of an adaptation to a file, possibly another one than requested. Throws Error.
using WritePrompts = std::function<void(const std::filesystem::path&)>;

/// Function that writes these prompts, learned in `step` steps, with `metadata`, steps and versions. Throws Error(Run),
/// which says that `place` was left as it was, if the prompts are not finite.
WritePrompts promptsWriter(std::vector<NamedTensor> prompts, std::map<std::string, std::string> metadata,
                           std::int64_t step, const std::filesystem::path& place);

/// The two files of an adaptation: the prompts, and beside them the state to resume from. No other adaptation writes
/// them while this object exists.
class AdaptationFiles {
public:
    using MakeState = std::function<AdaptationState()>;
    /// Throws Error(Input) if they cannot be written, or if another adaptation writes them. `place` and `observer` must
    /// outlive this.
    AdaptationFiles(const AdaptationPlace& place, AdaptationObserver& observer);

    const std::filesystem::path& stateFile() const { return state_->file(); }
    /// Step of this adaptation that the state file holds; 0: none.
    std::int64_t stateStep() const { return state_step_; }
    /// Declares that the existing state file is this adaptation's, after `step`.
    void resumeFrom(std::int64_t step) { state_step_ = first_step_ = step; }
    /// Sentences about the files that a new adaptation will replace.
    std::vector<std::string> replaced() const;

    /// Saves the state. A failure, as on a full disk, is a warning to the observer and does not end the adaptation.
    void save(const MakeState& state);
    /// Writes the prompts, and the state unless the adaptation has finished; `ended` gets the results. Throws Error if
    /// the prompts cannot be written.
    void keep(const WritePrompts& write, const MakeState& state, AdaptationEnded& ended);
    /// Restores the files that existed before, for an adaptation that is discarded.
    void restorePrevious();

private:
    const AdaptationPlace& place_;
    AdaptationObserver& observer_;
    std::unique_ptr<FolderLock> lock_;
    std::optional<AdaptationStateFile> state_;
    std::int64_t state_step_ = 0, first_step_ = 0;
    bool warned_ = false;  // a failure to save the state was reported
};

}  // namespace palimpsest
