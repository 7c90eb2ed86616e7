// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "engine/mask/mask_policy.h"
#include "engine/network/tensor.h"

// The head's output units: the classes that they stand for, and masks that hide some of them.

namespace palimpsest {

class StateArchive;

/// Raw labels in order of first appearance; a class's position there is its output unit (MISA, methods/_trainer.py,
/// exposed_classes).
class ClassRegistry {
public:
    /// Appends labels not seen before, in order.
    void expose(const std::vector<std::int32_t>& labels);
    /// -1 for a class not seen yet.
    std::int64_t unit(std::int32_t label) const;
    std::vector<std::int64_t> units(const std::vector<std::int32_t>& labels) const;
    const std::vector<std::int32_t>& exposed() const { return exposed_; }
    std::int64_t count() const { return static_cast<std::int64_t>(exposed_.size()); }
    void keep(StateArchive& archive);

private:
    std::vector<std::int32_t> exposed_;
    std::unordered_map<std::int32_t, std::int64_t> units_;
};

/// Visible units become 0, hidden ones minus infinity: float32 [C], to be added to the logits.
Tensor additiveMask(const std::vector<bool>& visible, at::Device device);
/// The seen-class mask of evaluation: units 0..seen-1 visible.
Tensor seenMask(std::int64_t seen, std::int64_t classes, at::Device device);
/// Logits [B, C] under a mask [C] of zeros and minus infinities. Multiplicative: those of hidden units become 0, and no
/// gradient reaches them either.
Tensor maskedLogits(const Tensor& logits, const Tensor& mask, MaskForm form);

}  // namespace palimpsest
