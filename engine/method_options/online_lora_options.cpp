// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/online_lora_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/head_average_options.h"
#include "engine/method_options/tuned_backbone_options.h"

namespace palimpsest {
namespace {

std::string idleOnlineLoraReason(const Experiment& experiment, const std::string& key) {
    const OnlineLoraOptions& options = experiment.method.of<OnlineLoraOptions>();
    const bool held = key == "method.lora_strength" || key == "method.lora_buffer";
    return held && options.hard_images == 0 ? "No image is kept that importance could be measured with." : "";
}

std::vector<std::string> onlineLoraNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    if (experiment.memory.size > 0)
        notes.push_back("memory.size is " + std::to_string(experiment.memory.size) +
                        ", so past images join every batch; Online-LoRA itself has its hard images alone.");
    if (experiment.method.of<OnlineLoraOptions>().buffer == "as-published")
        notes.push_back(
            "method.lora_buffer is as-published, so every update also learns from whole batches of the past, up to " +
            std::to_string(experiment.method.of<OnlineLoraOptions>().hard_images) + ".");
    return notes;
}

}  // namespace

MethodDeclaration declareOnlineLora() {
    using namespace option_row;
    return {
        .choice = {"online-lora", "Online-LoRA",
                   "Small changes of low rank to every block learn; where the loss has settled, they are kept and new "
                   "ones begin.",
                   method_family::kBackbone, "The hardest images, four unless you choose otherwise.",
                   "A pass forwards and backwards through the whole network.", "Wei et al., Online-LoRA, WACV 2025"},
        .group = OptionGroup::Backbone,
        .options =
            {&backboneRateOptions(),
             integer("method.lora_rank", "Rank", 4, OPTION_OF(OnlineLoraOptions, rank))
                 .range(1, 256)
                 .expert()
                 .help("Rank of the change that learns in the queries and in the values of each block.")
                 .source("Online-LoRA: 4"),
             real("method.lora_strength", "Strength", 2000, OPTION_OF(OnlineLoraOptions, strength))
                 .range(0, 1e9)
                 .expert()
                 .help("Weight of what keeps changes small where earlier ones mattered.")
                 .source("Online-LoRA: lambda 2000"),
             integer("method.lora_hard_images", "Hard images", 4, OPTION_OF(OnlineLoraOptions, hard_images))
                 .range(0, 256)
                 .special("none")
                 .unit("images")
                 .expert()
                 .help("How many of the images with the largest losses so far are kept and learned with every batch; "
                       "importance is measured with them.")
                 .source("Online-LoRA: 4"),
             choice("method.lora_buffer", "Buffer", "images", OPTION_OF(OnlineLoraOptions, buffer))
                 .expert()
                 .choices({{"images", "Images", "Single images, each with a loss of its own"},
                           {"as-published", "As published",
                            "Whole batches, each with the loss of its neighbour, whose logits are taken for those of "
                            "one image, and importance is measured with the first of them alone, before the newest "
                            "is among them"}})
                 .help("What is kept of the past.")
                 .source("Wei et al., Online-LoRA (WACV 2025): hard images; its code, Si-blurry/online_lora.py: as "
                         "published"),
             integer("method.lora_window", "Window", 5, OPTION_OF(OnlineLoraOptions, window))
                 .range(2, 1000)
                 .unit("batches")
                 .expert()
                 .help("Losses of so many batches, of their first updates, tell whether the loss has settled.")
                 .source("Online-LoRA: 5"),
             real("method.lora_plateau_mean", "Mean of a plateau", 5.2, OPTION_OF(OnlineLoraOptions, plateau_mean))
                 .range(0, 1000)
                 .expert()
                 .help("The loss has settled where its mean over the window lies below this, and its variance below "
                       "its own limit.")
                 .source("Online-LoRA: 5.2"),
             real("method.lora_plateau_variance", "Variance of a plateau", 0.02,
                  OPTION_OF(OnlineLoraOptions, plateau_variance))
                 .range(0, 1000)
                 .expert()
                 .help("The loss has settled where its variance over the window lies below this, and its mean below "
                       "its own limit.")
                 .source("Online-LoRA: 0.02"),
             choice("method.lora_loss", "Loss of a plateau", "scaled", OPTION_OF(OnlineLoraOptions, loss))
                 .expert()
                 .choices({{"scaled", "Scaled",
                            "Times ln 200 / ln C, where C classes compete in the loss, so that the limits mean the "
                            "same for any number of classes and any mask"},
                           {"as-published", "As published",
                            "As it is, with the losses of all hard images added, for which the limits were made"}})
                 .help("What is compared with the two limits of a plateau: the cross-entropy of the batch.")
                 .source("Online-LoRA's code: the whole loss but its penalty, whatever the number of classes"),
             choice("method.lora_merge", "Merging", "products", OPTION_OF(OnlineLoraOptions, merge))
                 .expert()
                 .choices({{"products", "Products",
                            "The change is kept as it is, so that no output moves: as factors, whose rank grows with "
                            "every plateau, and as a matrix once they would be more work than that"},
                           {"factors", "Factors",
                            "As published: factors are added to factors, which is another change from the second "
                            "plateau on"}})
                 .help("How a change that has been learned is kept.")
                 .source("Online-LoRA's code, utils/lora.py: factors; their sum gives (B + B')(A + A'), which is not "
                         "BA + B'A'"),
             &headAverageOptions()},
        .idleReason = idleOnlineLoraReason,
        .notes = onlineLoraNotes};
}

}  // namespace palimpsest
