// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest::option_sections {

using namespace option_row;

void addTunedMethods(std::vector<Option>& rows) {
    const std::vector<std::string> ewc = {"ewcpp", "online-ewc"};
    rows.push_back(
        boolean("method.ewc_train_backbone", "Train the backbone", true, FIELD(method.ewc_train_backbone))
            .expert()
            .onlyFor(ewc)
            .help("Whether the backbone learns too, as the paper has it; without it there is nothing to hold "
                  "back, and only the head learns.")
            .source("The paper, section 4: full tuning; Si-Blurry, methods/_trainer.py: frozen"));
    rows.push_back(real("method.ewcpp_strength", "Strength", 100, FIELD(method.ewcpp_strength))
                       .range(0, 1e9)
                       .expert()
                       .onlyFor({"ewcpp"})
                       .help("Weight of what holds parameters back that mattered before.")
                       .source("Si-Blurry, configuration: --reg_coef 100"));
    rows.push_back(choice("method.ewcpp_gradients", "Gradients", "separate", FIELD(method.ewcpp_gradients))
                       .expert()
                       .onlyFor({"ewcpp"})
                       .choices({{"separate", "Separate", "Each of an update's two steps follows its own gradient"},
                                 {"added-up", "Added up",
                                  "The published code: the second step follows the sum of both gradients"}})
                       .help("What the second of an update's two steps follows.")
                       .source("Si-Blurry, methods/ewcpp.py: added up, since the first gradient is not cleared"));
    rows.push_back(real("method.ewc_strength", "Strength", 25, FIELD(method.ewc_strength))
                       .range(0, 1e9)
                       .expert()
                       .onlyFor({"online-ewc"})
                       .help("Weight of what holds parameters back that mattered before.")
                       .source("MISA, module ewcinit: e_lambda 25"));
    rows.push_back(real("method.ewc_decay", "Decay", 1, FIELD(method.ewc_decay))
                       .range(0, 1)
                       .expert()
                       .onlyFor({"online-ewc"})
                       .help("Share of the importance found before that a new session leaves.")
                       .source("MISA, module ewcinit: gamma 1"));
    rows.push_back(real("method.lwf_weight", "Distillation", 0.2, FIELD(method.lwf_weight))
                       .range(0, 1000)
                       .expert()
                       .onlyFor({"lwf"})
                       .help("Weight of keeping to what the network said one batch ago.")
                       .source("MISA, methods/lwf.py: 0.2"));
    rows.push_back(real("method.lwf_temperature", "Temperature", 2, FIELD(method.lwf_temperature))
                       .range(0.01, 1000)
                       .expert()
                       .onlyFor({"lwf"})
                       .help("Divides the logits that are compared; above 1 the less likely classes count for more.")
                       .source("MISA, methods/lwf.py: 2"));
    rows.push_back(real("method.derpp_logit_weight", "Logits", 0.2, FIELD(method.derpp_logit_weight))
                       .range(0, 1000)
                       .expert()
                       .onlyFor({"derpp"})
                       .help("Weight of keeping to the logits that were stored with an image.")
                       .source("MISA, methods/derpp.py: alpha 0.2"));
    rows.push_back(real("method.derpp_replay_weight", "Replay", 0.5, FIELD(method.derpp_replay_weight))
                       .range(0, 1000)
                       .expert()
                       .onlyFor({"derpp"})
                       .help("Weight of the cross-entropy of replayed images.")
                       .source("MISA, methods/derpp.py: beta 0.5"));
    rows.push_back(
        integer("method.rainbow_epochs", "Epochs on the memory", 256, FIELD(method.rainbow_epochs))
            .range(0, 100000)
            .special("none")
            .unit("epochs")
            .expert()
            .onlyFor({"rainbow-memory"})
            .help("Training on the memory alone after each session: so many epochs, each as many passes as whole "
                  "batches fit into the memory; it takes most of the run's time.")
            .source("MISA, configuration: memory_epoch 256; the scripts mostly 100"));
    rows.push_back(
        choice("method.rainbow_evaluation", "Session ends are measured", "after", FIELD(method.rainbow_evaluation))
            .expert()
            .onlyFor({"rainbow-memory"})
            .choices({{"after", "After it", "As Si-Blurry's code: what was learned from the memory counts"},
                      {"before", "Before it", "As MISA's code"}})
            .help("Whether the evaluation at the end of a session comes after or before training on the memory.")
            .source("Si-Blurry and MISA, methods/_trainer.py"));
    rows.push_back(
        choice("method.clib_importance", "Importance", "as-published", FIELD(method.clib_importance))
            .expert()
            .onlyFor({"clib"})
            .choices(
                {{"as-published", "As published", "Always 0: the first image of the largest class leaves the memory"},
                 {"measured", "Measured", "As the paper has it: the image whose replay helped the others least"}})
            .help("What decides which image of the largest class leaves the memory.")
            .source("Koh et al., CLIB (ICLR 2022): measured; MISA, methods/clib.py, and so the default: as published"));
    rows.push_back(real("method.clib_rate_step", "Step of the learning rate", 0.95, FIELD(method.clib_rate_step))
                       .range(0.01, 0.9999)
                       .expert()
                       .onlyFor({"clib"})
                       .help("Ratio of the two learning rates that are tried in turn.")
                       .source("MISA, configuration: lr_step 0.95"));
    rows.push_back(integer("method.clib_rate_period", "Turn", 10, FIELD(method.clib_rate_period))
                       .range(1, 100000)
                       .unit("updates")
                       .expert()
                       .onlyFor({"clib"})
                       .help("Updates at one learning rate before the other is tried.")
                       .source("MISA, configuration: lr_period 10"));
    rows.push_back(integer("method.clib_rate_length", "Turns compared", 10, FIELD(method.clib_rate_length))
                       .range(2, 100000)
                       .expert()
                       .onlyFor({"clib"})
                       .help("Turns of each learning rate that are compared before both move.")
                       .source("MISA, configuration: lr_length 10"));
}

}  // namespace palimpsest::option_sections
