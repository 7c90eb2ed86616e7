// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/backbone_kinds.h"

#include <algorithm>
#include <array>

#include "engine/config/backbone_names.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

VitShape ofPatch16(std::int64_t width) {
    return {224, 16, 3, width, 12, width / 64, 4};
}

VitShape clipOfPatch16(std::int64_t width) {
    VitShape shape = ofPatch16(width);
    shape.pre_norm = true;
    shape.patch_bias = false;
    shape.quick_gelu = true;
    shape.norm_epsilon = 1e-5;
    return shape;
}

/// The second network that comes with the program (resources/docs/backbone.md).
VitShape stemShape() {
    VitShape shape;
    shape.patch_size = 8;
    shape.width = 192;
    shape.mlp_ratio = 2;
    shape.stem = {16, 32, 64, 64};
    return shape;
}

struct Size {
    std::int64_t width, depth;
    const char* letter;
};
/// Sizes of Dosovitskiy et al. 2021 and Steiner et al. 2022, table of the models.
constexpr std::array<Size, 5> kSizes{
    {{192, 12, "Ti"}, {384, 12, "S"}, {768, 12, "B"}, {1024, 24, "L"}, {1280, 32, "H"}}};

/// Parts of a network that a plain one has not; empty: none.
std::string otherParts(const VitShape& shape) {
    switch (shape.readout) {
        case VitReadout::TwoTokens:
            return "a distillation token";
        case VitReadout::Attention:
            return "an attention pool";
        case VitReadout::MeanThenNorm:
        case VitReadout::NormThenMean:
            return "the mean of its patches as feature";
        case VitReadout::ClassToken:
            break;
    }
    if (shape.extra_tokens == 0) return {};
    return std::to_string(shape.extra_tokens) + (shape.extra_tokens == 1 ? " register" : " registers");
}

}  // namespace

const std::vector<BackboneKind>& backboneKinds() {
    static const std::vector<BackboneKind> all = {
        {{"palimpsest-stem-vit", "Palimpsest ViT with a stem",
          "Small, with convolutions before the blocks; comes with the program, learned from formulas, glyphs and free "
          "pictures of 32 x 32; weights of your own decide their size."},
         stemShape(),
         true},
        {{"palimpsest-vit", "Palimpsest ViT",
          "The first one that came with the program, learned from formulas alone, for images of 32 x 32; weights of "
          "your own decide their size."},
         VitShape{},
         true},
        {{"vit-ti16", "ViT-Ti/16", "192 wide, 12 blocks, patches of 16 pixels; needs a file of weights."},
         ofPatch16(192)},
        {{"vit-s16", "ViT-S/16", "384 wide, 12 blocks, patches of 16 pixels; needs a file of weights."},
         ofPatch16(384)},
        {{"vit-b16", "ViT-B/16",
          "768 wide, 12 blocks, patches of 16 pixels, the paper's backbone; needs a file of weights."},
         ofPatch16(768)},
        {{"deit-s16", "DeiT-S/16",
          "Of the same form as ViT-S/16, trained on ImageNet or on 611 of its classes; needs a file of weights."},
         ofPatch16(384)},
        {{"clip-vit-b16", "CLIP ViT-B/16", "The image network of OpenAI's CLIP; needs a file of weights."},
         clipOfPatch16(768)},
        {{"any", "Any vision transformer", "Of whatever size its file of weights has."}, VitShape{}, true}};
    return all;
}

const BackboneKind& backboneKind(const std::string& name) {
    std::vector<std::string> names;
    for (const BackboneKind& kind : backboneKinds()) {
        if (kind.choice.value == name) return kind;
        names.push_back(kind.choice.value);
    }
    throw inputError("There is no backbone \"" + name + "\".",
                     backboneMeant(name, names, "`palimpsest-cli backbones` lists them."));
}

std::string vitName(const VitShape& shape) {
    const auto size =
        std::ranges::find_if(kSizes, [&](const Size& s) { return s.width == shape.width && s.depth == shape.depth; });
    const std::string patch = std::to_string(shape.patch_size);
    const std::string clip = shape.pre_norm ? "CLIP " : "";
    const std::string others = otherParts(shape);
    if (size != kSizes.end() && shape.mlp_ratio == 4)
        return clip + "ViT-" + size->letter + "/" + patch + (others.empty() ? "" : " with " + others);
    return "a " + clip + "vision transformer " + std::to_string(shape.width) + " wide, " + std::to_string(shape.depth) +
           (shape.depth == 1 ? " block" : " blocks") + ", patches of " + patch + (others.empty() ? "" : ", " + others);
}

bool sameKind(const VitShape& wanted, const VitShape& given) {
    return wanted.width == given.width && wanted.depth == given.depth && wanted.patch_size == given.patch_size &&
           wanted.mlp_ratio == given.mlp_ratio && wanted.pre_norm == given.pre_norm && wanted.stem == given.stem &&
           wanted.class_token == given.class_token && wanted.extra_tokens == given.extra_tokens &&
           wanted.readout == given.readout;
}

}  // namespace palimpsest
