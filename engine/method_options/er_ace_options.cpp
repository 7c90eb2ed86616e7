// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/method_declaration.h"
#include "engine/method_options/replay_notes.h"

namespace palimpsest {
namespace {

std::vector<std::string> erAceNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    addNothingReplayedNote(experiment, notes, " with the mask of ER-ACE");
    return notes;
}

}  // namespace

MethodDeclaration declareErAce() {
    return {.choice = {"er-ace", "ER-ACE",
                       "Linear head; new images do not push old classes down, remembered ones see all classes.",
                       method_family::kReplay, "Numbers of past images.", "Twice the images of a linear probe.",
                       "Caccia et al., ER-ACE, ICLR 2022"},
            .own_mask = "ER-ACE has a mask of its own.",
            .notes = erAceNotes};
}

}  // namespace palimpsest
