// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/adaptation/adaptation_state.h"
#include "engine/adaptation/prompt_file_lock.h"
#include "engine/adaptation/prompt_writer.h"
#include "engine/run/adaptation.h"

namespace palimpsest {

/// The two files of an adaptation, which it alone writes while this lives: the prompts, and beside them the state to go
/// on from.
class AdaptationFiles {
public:
    using MakeState = std::function<AdaptationState()>;
    /// Throws Error(Input) where they cannot be written, or where another adaptation writes them. Place and observer
    /// must outlive this.
    AdaptationFiles(const AdaptationPlace& place, AdaptationObserver& observer);

    const std::filesystem::path& stateFile() const { return state_->file(); }
    /// The step that the state holds of this adaptation; 0: none.
    std::int64_t stateStep() const { return state_step_; }
    /// The state that is there is that of this adaptation, after `step`.
    void goOnFrom(std::int64_t step) { state_step_ = first_step_ = step; }
    /// What one that starts anew will replace, in sentences.
    std::vector<std::string> replaced() const;

    /// A state that cannot be saved, as on a full disk, is no reason to give up what was learned: the observer is told.
    void save(const MakeState& state);
    /// The prompts, and the state unless it has finished. Says in `ended` what was written. Throws Error where the
    /// prompts cannot be written.
    void keep(const WritePrompts& write, const MakeState& state, AdaptationEnded& ended);
    /// The adaptation is thrown away: what was there before stays.
    void takeBack();

private:
    const AdaptationPlace& place_;
    AdaptationObserver& observer_;
    std::unique_ptr<FolderLock> claim_;
    std::optional<AdaptationStateFile> state_;
    std::int64_t state_step_ = 0, first_step_ = 0;
    bool warned_ = false;  // of a state that could not be saved
};

}  // namespace palimpsest
