// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/config/option_table.h"
#include "engine/run/vit_size.h"

namespace palimpsest {

/// A value that backbone.name can have.
struct BackboneKind {
    Choice choice;
    VitShape shape;         ///< of random weights
    bool any_size = false;  ///< a file of weights may have another size
};

const std::vector<BackboneKind>& backboneKinds();
/// Throws Error(Input) for an unknown name, with the nearest one.
const BackboneKind& backboneKind(const std::string& name);

/// Name such as "ViT-B/16", "CLIP ViT-B/16", "ViT-S/14 with 4 registers" or "a vision transformer 192 wide, 6 blocks,
/// patches of 8".
std::string vitName(const VitShape& shape);
/// True if a network of shape `given` is of the kind that `wanted` describes; the size of images does not matter.
bool sameKind(const VitShape& wanted, const VitShape& given);

}  // namespace palimpsest
