// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/inputs/backbone_cards.h"

#include "datasets/files/dataset_places.h"
#include "datasets/files/file_content.h"
#include "engine/config/experiment_file.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

BackboneCard embeddedCard(const char* name, const char* title, const char* summary) {
    BackboneCard card;
    card.name = name;
    card.title = title;
    card.summary = summary;
    card.origin = "Palimpsest";
    card.licence = "GPL-3.0-or-later";
    card.file = embeddedBackboneFile(card.name).filename().string();
    card.embedded = true;
    std::error_code missing;
    const auto bytes = std::filesystem::file_size(embeddedBackboneFile(card.name), missing);
    if (missing) return card;
    card.bytes = static_cast<std::int64_t>(bytes);
    if (const auto checksum = fileChecksum(embeddedBackboneFile(card.name), DigestKind::Sha256))
        card.checksum = checksum->text();
    return card;
}

/// Cards of widely used weights that do not come with the program.
std::vector<BackboneCard> externalCards() {
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
         .user = "DualPrompt, L2P and MISA; MVP in the code of Si-Blurry"});
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
         .user = "MVP, ER, DER++, ER-ACE, LwF, CLIB, Rainbow Memory and the linear probe in MISA's code"});
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
         .user = "All methods without prompts in the code of Si-Blurry"});
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
         .user = {}});
    add({.name = "vit-b16-in21k-hf",
         .title = "ViT-B/16, ImageNet-21k, Hugging Face",
         .summary = "The original release with Hugging Face's names.",
         .origin = "Google, by way of Hugging Face",
         .licence = "Apache-2.0",
         .address = "https://huggingface.co/google/vit-base-patch16-224-in21k",
         .file = "model.safetensors",
         .checksum = {},
         .user = {}});
    add({.name = "deit-s16",
         .title = "DeiT-S/16, ImageNet-1k",
         .summary =
             "Trained without other data than ImageNet-1k; the file's name ends with the first digits of its SHA-256.",
         .origin = "Meta, Touvron et al. 2021",
         .licence = "Apache-2.0",
         .address = "https://dl.fbaipublicfiles.com/deit/deit_small_patch16_224-cd65a155.pth",
         .file = "deit_small_patch16_224-cd65a155.pth",
         .checksum = {},
         .user = {}});
    add({.name = "deit-s16-611",
         .title = "DeiT-S/16, 611 classes of ImageNet",
         .summary = "Trained without the 389 classes of ImageNet that are near those of CIFAR and Tiny ImageNet.",
         .origin = "Kim et al. 2022 (MORE)",
         .licence = "not stated",
         .address = "https://github.com/k-gyuhak/MORE",
         .file = "best_checkpoint.pth",
         .checksum = {},
         .user = "The experiment without overlap between pretraining and stream (the paper's Table 6)"});
    add({.name = "clip-vit-b16",
         .title = "CLIP ViT-B/16",
         .summary = "The image network of CLIP, trained on pairs of images and texts.",
         .origin = "OpenAI, Radford et al. 2021",
         .licence = "MIT",
         .address = "https://openaipublic.azureedge.net/clip/models/"
                    "5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f/ViT-B-16.pt",
         .file = "ViT-B-16.pt",
         .checksum = "sha256:5806e77cd80f8b59890b7e101eabd078d9fb84e6937f9e85e4ecb61988df416f",
         .user = "An entry of the code's table that no published experiment uses"});
    return cards;
}

}  // namespace

std::vector<BackboneCard> backboneCards() {
    std::vector<BackboneCard> cards = {
        embeddedCard("palimpsest-stem-vit", "Palimpsest ViT with a stem",
                     "Small, for images of 32 x 32 pixels, trained on formulas, glyphs and free pictures."),
        embeddedCard("palimpsest-vit", "Palimpsest ViT",
                     "For images of 32 x 32 pixels, trained on images drawn by formulas alone; half as fast.")};
    for (BackboneCard& card : externalCards()) cards.push_back(std::move(card));
    return cards;
}

std::filesystem::path embeddedBackboneFile(std::string_view name) {
    return resourceFolder() / "backbones" / (std::string(name) + ".safetensors");
}

std::filesystem::path knownBackboneFile(const std::string& name) {
    for (const BackboneCard& card : externalCards())
        if (card.name == name) return dataFolder() / "backbones" / card.name / card.file;
    return {};
}

std::string knownBackboneRemedy(const std::string& name) {
    const std::string place = shellQuoted(knownBackboneFile(name).string());
    for (const BackboneCard& card : externalCards()) {
        if (card.name != name) continue;
        if (card.address.ends_with(card.file))
            return "Get it with: curl -L --create-dirs -o " + place + " " + card.address;
        return "Get " + card.file + " from " + card.address + " and put it at " + place + ".";
    }
    return {};
}

}  // namespace palimpsest
