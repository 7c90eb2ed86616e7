// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/method_declaration.h"
#include "engine/method_options/replay_notes.h"

namespace palimpsest {
namespace {

std::vector<std::string> finetuneNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    addPublishedUpdatesNote(experiment, notes);
    return notes;
}

}  // namespace

MethodDeclaration declareFinetune() {
    return {.choice = {"finetune", "Fine-tuning", "Every parameter learns; the plainest way to forget.",
                       method_family::kNetwork, "Nothing.", "A pass forwards and backwards through the whole network.",
                       "MISA, ICLR 2025: the lower bound"},
            .cut_mix = CutMixUse::Origin,
            .notes = finetuneNotes};
}

}  // namespace palimpsest
