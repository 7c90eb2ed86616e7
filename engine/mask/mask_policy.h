// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

enum class MaskKind { None, Seen, Batch, Session };
/// Throws Error(Input) for an unknown name.
MaskKind maskKind(std::string_view name);
/// For the catalogue: value, title and help of each mask.
std::vector<Choice> maskChoices();

/// Which classes a training step may see. All class numbers are *units*: positions in order of first appearance, as
/// the head's outputs are numbered (MISA, methods/_trainer.py, exposed_classes). Pure sets; the engine turns hidden units
/// into minus infinity (the additive form of the official code, where a hidden class has probability exactly 0).
class MaskPolicy {
public:
    MaskPolicy(MaskKind kind, std::int64_t classes) : kind_(kind), classes_(classes), session_(classes, false) {}

    MaskKind kind() const { return kind_; }
    void setKind(MaskKind kind) { kind_ = kind; }
    /// The stream batch of a new step: extends the classes seen so far in this session
    /// (MISA, methods/dualprompt.py, online_step).
    void beginStep(std::span<const std::int64_t> streamUnits);
    /// Replayed units are opened too for the session mask (MISA, methods/dualprompt.py, online_train).
    void beginUpdate(std::span<const std::int64_t> replayUnits);
    void endSession();

    /// visible[unit] for a training update on units `batch` (stream and replay together), `seen` classes exposed so far.
    std::vector<bool> visible(std::span<const std::int64_t> batch, std::int64_t seen) const;

    const std::vector<bool>& sessionUnits() const { return session_; }
    void restoreSessionUnits(std::vector<bool> units) { session_ = std::move(units); }

private:
    MaskKind kind_;
    std::int64_t classes_;
    std::vector<bool> session_;
};

}  // namespace palimpsest
