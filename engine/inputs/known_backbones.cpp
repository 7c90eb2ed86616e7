// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/known_backbones.h"

#include <cstdint>
#include <string>
#include <utility>

namespace palimpsest {
namespace {

/// A plain network of 12 blocks.
VitShape ofSize(std::int64_t width, std::int64_t patch) {
    return {.image_size = 16 * patch, .patch_size = patch, .width = width, .depth = 12, .heads = width / 64};
}

VitShape distilled(VitShape shape) {
    shape.extra_tokens = 1;
    shape.readout = VitReadout::TwoTokens;
    return shape;
}

VitShape withRegisters(VitShape shape, std::int64_t registers) {
    shape.extra_tokens = registers;
    return shape;
}

VitShape withAttentionPool(VitShape shape) {
    shape.class_token = false;
    shape.readout = VitReadout::Attention;
    shape.tanh_gelu = true;
    return shape;
}

std::vector<BackboneCard> makeKnownBackbones() {
    std::vector<BackboneCard> cards;
    const auto add = [&](BackboneCard card) { cards.push_back(std::move(card)); };
    // Neither Google nor Meta publishes whole checksums or sizes in bytes; OpenAI's address holds the SHA-256.
    add({.name = "vit-b16-in21k",
         .title = "ViT-B/16, ImageNet-21k",
         .summary = "The original release of the vision transformer, trained on 21,843 classes.",
         .origin = "Google Research, Dosovitskiy et al. 2021",
         .licence = "Apache-2.0",
         .address = "https://storage.googleapis.com/vit_models/imagenet21k/ViT-B_16.npz",
         .file = "ViT-B_16.npz",
         .checksum = {},
         .user = "DualPrompt, L2P and MISA; MVP in the code of Si-Blurry",
         .kind = "vit-b16"});
    add({.name = "vit-s16-augreg",
         .title = "ViT-S/16, ImageNet-21k, then ImageNet-1k",
         .summary = "The small one of \"How to train your ViT\", fine-tuned on ImageNet-1k.",
         .origin = "Google Research, Steiner et al. 2022",
         .licence = "Apache-2.0",
         .address =
             "https://storage.googleapis.com/vit_models/augreg/"
             "S_16-i21k-300ep-lr_0.001-aug_light1-wd_0.03-do_0.0-sd_0.0--imagenet2012-steps_20k-lr_0.03-res_224.npz",
         .file =
             "S_16-i21k-300ep-lr_0.001-aug_light1-wd_0.03-do_0.0-sd_0.0--imagenet2012-steps_20k-lr_0.03-res_224.npz",
         .checksum = {},
         .user = "MVP, ER, DER++, ER-ACE, LwF, CLIB, Rainbow Memory and the linear probe in MISA's code",
         .kind = "vit-s16"});
    add({.name = "vit-b16-augreg",
         .title = "ViT-B/16, ImageNet-21k, then ImageNet-1k",
         .summary =
             "The base one of \"How to train your ViT\", fine-tuned on ImageNet-1k; timm's vit_base_patch16_224.",
         .origin = "Google Research, Steiner et al. 2022",
         .licence = "Apache-2.0",
         .address =
             "https://storage.googleapis.com/vit_models/augreg/"
             "B_16-i21k-300ep-lr_0.001-aug_medium1-wd_0.1-do_0.0-sd_0.0--imagenet2012-steps_20k-lr_0.01-res_224.npz",
         .file =
             "B_16-i21k-300ep-lr_0.001-aug_medium1-wd_0.1-do_0.0-sd_0.0--imagenet2012-steps_20k-lr_0.01-res_224.npz",
         .checksum = {},
         .user = "All methods without prompts in the code of Si-Blurry",
         .kind = "vit-b16"});
    add({.name = "vit-ti16-augreg",
         .title = "ViT-Ti/16, ImageNet-21k, then ImageNet-1k",
         .summary = "The tiny one of \"How to train your ViT\", fine-tuned on ImageNet-1k: the quickest of Google's.",
         .origin = "Google Research, Steiner et al. 2022",
         .licence = "Apache-2.0",
         .address =
             "https://storage.googleapis.com/vit_models/augreg/"
             "Ti_16-i21k-300ep-lr_0.001-aug_none-wd_0.03-do_0.0-sd_0.0--imagenet2012-steps_20k-lr_0.03-res_224.npz",
         .file = "Ti_16-i21k-300ep-lr_0.001-aug_none-wd_0.03-do_0.0-sd_0.0--imagenet2012-steps_20k-lr_0.03-res_224.npz",
         .checksum = {},
         .user = {},
         .kind = "vit-ti16"});
    add({.name = "vit-b16-in21k-hf",
         .title = "ViT-B/16, ImageNet-21k, Hugging Face",
         .summary = "The original release with Hugging Face's names.",
         .origin = "Google, by way of Hugging Face",
         .licence = "Apache-2.0",
         .address = "https://huggingface.co/google/vit-base-patch16-224-in21k",
         .file = "model.safetensors",
         .checksum = {},
         .user = {},
         .urls = {"https://huggingface.co/google/vit-base-patch16-224-in21k/resolve/main/model.safetensors"},
         .kind = "vit-b16"});
    add({.name = "deit-s16",
         .title = "DeiT-S/16, ImageNet-1k",
         .summary =
             "Trained without other data than ImageNet-1k; the file's name ends with the first digits of its SHA-256.",
         .origin = "Meta, Touvron et al. 2021",
         .licence = "Apache-2.0",
         .address = "https://dl.fbaipublicfiles.com/deit/deit_small_patch16_224-cd65a155.pth",
         .file = "deit_small_patch16_224-cd65a155.pth",
         .checksum = {},
         .user = {},
         .kind = "deit-s16"});
    add({.name = "deit-s16-611",
         .title = "DeiT-S/16, 611 classes of ImageNet",
         .summary = "Trained without the 389 classes of ImageNet that are near those of CIFAR and Tiny ImageNet.",
         .origin = "Kim et al. 2022 (MORE)",
         .licence = kLicenceNotStated,
         .address = "https://github.com/k-gyuhak/MORE",
         .file = "best_checkpoint.pth",
         .checksum = {},
         .user = "The experiment without overlap between pretraining and stream (the paper's Table 6)",
         .kind = "deit-s16"});
    add({.name = "clip-vit-b16",
         .title = "CLIP ViT-B/16",
         .summary = "The image network of CLIP, trained on pairs of images and texts.",
         .origin = "OpenAI, Radford et al. 2021",
         .licence = "MIT",
         .address = "https://openaipublic.azureedge.net/clip/models/"
                    "5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f/ViT-B-16.pt",
         .file = "ViT-B-16.pt",
         .checksum = "sha256:5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f",
         .user = "An entry of the code's table that no published experiment uses",
         .kind = "clip-vit-b16"});
    add({.name = "deit-s16-distilled",
         .title = "DeiT-S/16, distilled, ImageNet-1k",
         .summary = "Learned from a teacher through a second token; the file's name ends with the first digits of its "
                    "SHA-256.",
         .origin = "Meta, Touvron et al. 2021",
         .licence = "Apache-2.0",
         .address = "https://dl.fbaipublicfiles.com/deit/deit_small_distilled_patch16_224-649709d9.pth",
         .file = "deit_small_distilled_patch16_224-649709d9.pth",
         .checksum = {},
         .user = {},
         .kind = "any",
         .shape = distilled(ofSize(384, 16))});
    add({.name = "dinov2-s14",
         .title = "DINOv2 ViT-S/14",
         .summary =
             "Trained without labels on 142 million pictures of 518 x 518 pixels; set backbone.image_size to 224 "
             "for quicker runs.",
         .origin = "Meta, Oquab et al. 2023",
         .licence = "Apache-2.0",
         .address = "https://dl.fbaipublicfiles.com/dinov2/dinov2_vits14/dinov2_vits14_pretrain.pth",
         .file = "dinov2_vits14_pretrain.pth",
         .checksum = {},
         .user = {},
         .kind = "any",
         .shape = ofSize(384, 14)});
    add({.name = "dinov2-b14",
         .title = "DINOv2 ViT-B/14",
         .summary = "The base one: four times the weights of ViT-S/14.",
         .origin = "Meta, Oquab et al. 2023",
         .licence = "Apache-2.0",
         .address = "https://dl.fbaipublicfiles.com/dinov2/dinov2_vitb14/dinov2_vitb14_pretrain.pth",
         .file = "dinov2_vitb14_pretrain.pth",
         .checksum = {},
         .user = {},
         .kind = "any",
         .shape = ofSize(768, 14)});
    add({.name = "dinov2-s14-registers",
         .title = "DINOv2 ViT-S/14 with registers",
         .summary = "With four more tokens, in which the network can keep what belongs to no patch.",
         .origin = "Meta, Darcet et al. 2024",
         .licence = "Apache-2.0",
         .address = "https://dl.fbaipublicfiles.com/dinov2/dinov2_vits14/dinov2_vits14_reg4_pretrain.pth",
         .file = "dinov2_vits14_reg4_pretrain.pth",
         .checksum = {},
         .user = {},
         .kind = "any",
         .shape = withRegisters(ofSize(384, 14), 4)});
    add({.name = "mae-b16",
         .title = "MAE ViT-B/16",
         .summary = "Trained without labels to paint hidden patches of ImageNet-1k; better fine-tuned than frozen.",
         .origin = "Meta, He et al. 2022",
         .licence = "CC-BY-NC-4.0",
         .address = "https://dl.fbaipublicfiles.com/mae/pretrain/mae_pretrain_vit_base.pth",
         .file = "mae_pretrain_vit_base.pth",
         .checksum = {},
         .user = {},
         .kind = "vit-b16"});
    add({.name = "siglip-b16",
         .title = "SigLIP ViT-B/16",
         .summary =
             "The image network of SigLIP, trained on pairs of images and texts; its file holds the text network, "
             "too.",
         .origin = "Google, Zhai et al. 2023, by way of Hugging Face",
         .licence = "Apache-2.0",
         .address = "https://huggingface.co/google/siglip-base-patch16-224",
         .file = "model.safetensors",
         .checksum = {},
         .user = {},
         .urls = {"https://huggingface.co/google/siglip-base-patch16-224/resolve/main/model.safetensors"},
         .kind = "any",
         .shape = withAttentionPool(ofSize(768, 16))});
    // An address that ends with the file's name is the file's own, any other a page about it.
    for (BackboneCard& card : cards)
        if (card.urls.empty() && card.address.ends_with("/" + card.file)) card.urls = {card.address};
    return cards;
}

}  // namespace

const std::vector<BackboneCard>& knownBackbones() {
    static const std::vector<BackboneCard> all = makeKnownBackbones();
    return all;
}

}  // namespace palimpsest
