// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/config/choices.h"
#include "engine/config/option_table.h"

namespace palimpsest {

/// Masks for the catalogue: value, title and help.
std::vector<Choice> maskChoices();

/// Classes that a training step may see. All class numbers are *units*: positions in order of first appearance, as
/// the head's outputs are numbered (MISA, methods/_trainer.py, exposed_classes). Pure sets; output_units.h changes
/// the logits of hidden units.
class MaskPolicy {
public:
    MaskPolicy(MaskKind kind, std::int64_t classes, MaskForm form = MaskForm::Additive)
        : kind_(kind), classes_(classes), form_(form), session_(static_cast<std::size_t>(classes), false) {}

    MaskKind kind() const { return kind_; }
    MaskForm form() const { return form_; }
    void setKind(MaskKind kind) { kind_ = kind; }
    void setForm(MaskForm form) { form_ = form; }
    /// The session's classes as far as they have a unit: the paper's session mask shows them from the start. A class
    /// that never came before has none yet; its unit is opened by beginStep() with its first image, so from the first
    /// update that could be about it. Without this call the session begins empty, as in the official code.
    void beginSession(std::span<const std::int64_t> sessionUnits);
    /// The stream batch of a new step: extends the classes seen so far in this session
    /// (MISA, methods/dualprompt.py, online_step).
    void beginStep(std::span<const std::int64_t> streamUnits);
    /// Replayed units are opened too for the session mask (MISA, methods/dualprompt.py, online_train).
    void beginUpdate(std::span<const std::int64_t> replayUnits);
    void endSession();

    /// visible[unit] for a training update on units `batch` (stream and replay together), `seen` classes exposed so
    /// far.
    std::vector<bool> visible(std::span<const std::int64_t> batch, std::int64_t seen) const;

    const std::vector<bool>& sessionUnits() const { return session_; }
    void restoreSessionUnits(std::vector<bool> units) { session_ = std::move(units); }

private:
    MaskKind kind_;
    std::int64_t classes_;
    MaskForm form_;
    std::vector<bool> session_;
};

}  // namespace palimpsest
