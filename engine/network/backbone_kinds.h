// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/config/option_table.h"
#include "engine/network/vit_shape.h"

namespace palimpsest {

/// What backbone.name can be.
struct BackboneKind {
    Choice choice;
    VitShape shape;         ///< of random weights
    bool any_size = false;  ///< a file of weights may have another size
};

const std::vector<BackboneKind>& backboneKinds();
/// Throws Error(Input) for an unknown name, with the nearest one.
const BackboneKind& backboneKind(const std::string& name);

/// "ViT-B/16", "CLIP ViT-B/16" or "a vision transformer 128 wide, 6 blocks, patches of 4".
std::string vitName(const VitShape& shape);
/// Is a network of the second shape of the kind that the first describes? The size of images does not matter.
bool sameKind(const VitShape& wanted, const VitShape& given);

}  // namespace palimpsest
