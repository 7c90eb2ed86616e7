// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/rainbow_memory_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/replay_notes.h"

namespace palimpsest {
namespace {

std::vector<std::string> rainbowMemoryNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    addNothingReplayedNote(experiment, notes);
    addPublishedUpdatesNote(experiment, notes);
    return notes;
}

}  // namespace

MethodDeclaration declareRainbowMemory() {
    using namespace option_row;
    return {
        .choice = {"rainbow-memory", "Rainbow Memory",
                   "Linear head; a class-balanced memory, and many epochs over it after each session.",
                   method_family::kReplay, "Numbers of past images.",
                   "The epochs after each session: more than all the rest.", "Bang et al., Rainbow Memory, CVPR 2021"},
        .group = OptionGroup::Past,
        .options =
            {integer("method.rainbow_epochs", "Epochs on the memory", 256, OPTION_OF(RainbowMemoryOptions, epochs))
                 .range(0, 100000)
                 .special("none")
                 .unit("epochs")
                 .expert()
                 .help("Training on the memory alone after each session: so many epochs, each as many passes as whole "
                       "batches fit into the memory; it takes most of the run's time.")
                 .source("MISA, configuration: memory_epoch 256; the scripts mostly 100"),
             choice("method.rainbow_evaluation", "Session ends are measured", "after",
                    OPTION_OF(RainbowMemoryOptions, evaluation))
                 .expert()
                 .choices({{"after", "After it", "As Si-Blurry's code: what was learned from the memory counts"},
                           {"before", "Before it", "As MISA's code"}})
                 .help("Whether the evaluation at the end of a session comes after or before training on the memory.")
                 .source("Si-Blurry and MISA, methods/_trainer.py")},
        .cut_mix = CutMixUse::Known,
        .knows_uncertainty = true,
        .notes = rainbowMemoryNotes};
}

}  // namespace palimpsest
