// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/method_declaration.h"
#include "engine/method_options/replay_notes.h"

namespace palimpsest {
namespace {

std::vector<std::string> experienceReplayNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    addNothingReplayedNote(experiment, notes);
    return notes;
}

}  // namespace

MethodDeclaration declareExperienceReplay() {
    return {.choice = {"er", "ER", "Linear head; images from the memory join every batch.", method_family::kReplay,
                       "Numbers of past images.", "Twice the images of a linear probe.",
                       "Chaudhry et al., On Tiny Episodic Memories, 2019"},
            .cut_mix = CutMixUse::Known,
            .notes = experienceReplayNotes};
}

}  // namespace palimpsest
