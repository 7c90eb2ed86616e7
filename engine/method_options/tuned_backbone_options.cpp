// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/tuned_backbone_options.h"

#include "engine/config/option_row.h"

namespace palimpsest {

const SharedOptions& tunedBackboneOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Backbone,
        .rows = {boolean("method.ewc_train_backbone", "Train the backbone", true,
                         OPTION_OF(TunedBackboneOptions, train_backbone))
                     .expert()
                     .help("Whether the backbone learns too, as the paper has it; without it there is nothing to hold "
                           "back, and only the head learns.")
                     .source("The paper, section 4: full tuning; Si-Blurry, methods/_trainer.py: frozen")}};
    return options;
}

std::vector<std::string> tunedBackboneNotes(const Experiment& experiment) {
    if (experiment.method.of<TunedBackboneOptions>().train_backbone) return {};
    return {"method.ewc_train_backbone is false, so there is nothing to hold back; only the head learns."};
}

}  // namespace palimpsest
