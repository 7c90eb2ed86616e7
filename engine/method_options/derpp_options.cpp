// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/derpp_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/replay_notes.h"

namespace palimpsest {
namespace {

std::vector<std::string> derPlusPlusNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    addNothingReplayedNote(experiment, notes);
    return notes;
}

}  // namespace

MethodDeclaration declareDerPlusPlus() {
    using namespace option_row;
    return {
        .choice = {"derpp", "DER++", "Linear head; the memory also keeps what the network said, and holds it to that.",
                   method_family::kReplay, "Numbers of past images, each with its logits.",
                   "Three times the images of a linear probe.", "Buzzega et al., Dark Experience, NeurIPS 2020"},
        .group = OptionGroup::Past,
        .options = {real("method.derpp_logit_weight", "Logits", 0.2, OPTION_OF(DerPlusPlusOptions, logit_weight))
                        .range(0, 1000)
                        .expert()
                        .help("Weight of keeping to the logits that were stored with an image.")
                        .source("MISA, methods/derpp.py: alpha 0.2"),
                    real("method.derpp_replay_weight", "Replay", 0.5, OPTION_OF(DerPlusPlusOptions, replay_weight))
                        .range(0, 1000)
                        .expert()
                        .help("Weight of the cross-entropy of replayed images.")
                        .source("MISA, methods/derpp.py: beta 0.5")},
        .own_memory = true,
        .notes = derPlusPlusNotes};
}

}  // namespace palimpsest
