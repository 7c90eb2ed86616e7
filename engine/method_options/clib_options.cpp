// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/clib_options.h"

#include "engine/config/method_declaration.h"
#include "engine/config/option_row.h"
#include "engine/method_options/replay_notes.h"

namespace palimpsest {
namespace {

void addClibProblems(const Experiment& experiment, MethodProblems& problems) {
    if (experiment.memory.size == 0)
        problems.memory.push_back(
            "memory.size is 0, but CLIB learns from its memory alone; give it one, such as memory.size 500.");
}

std::vector<std::string> clibNotes(const Experiment& experiment) {
    std::vector<std::string> notes;
    addPublishedUpdatesNote(experiment, notes);
    return notes;
}

}  // namespace

MethodDeclaration declareClib() {
    using namespace option_row;
    return {
        .choice = {"clib", "CLIB",
                   "Linear head; learns from a class-balanced memory alone, at a learning rate it finds itself.",
                   method_family::kReplay, "Numbers of past images, each with its feature.", "As the linear probe.",
                   "Koh et al., CLIB, ICLR 2022"},
        .group = OptionGroup::Past,
        .options =
            {choice("method.clib_importance", "Importance", "as-published", OPTION_OF(ClibOptions, importance))
                 .expert()
                 .choices(
                     {{"as-published", "As published",
                       "Always 0: the first image of the largest class leaves the memory"},
                      {"measured", "Measured", "As the paper has it: the image whose replay helped the others least"}})
                 .help("What decides which image of the largest class leaves the memory.")
                 .source(
                     "Koh et al., CLIB (ICLR 2022): measured; MISA, methods/clib.py, and so the default: as published"),
             real("method.clib_rate_step", "Step of the learning rate", 0.95, OPTION_OF(ClibOptions, rate_step))
                 .range(0.01, 0.9999)
                 .expert()
                 .help("Ratio of the two learning rates that are tried in turn.")
                 .source("MISA, configuration: lr_step 0.95"),
             integer("method.clib_rate_period", "Turn", 10, OPTION_OF(ClibOptions, rate_period))
                 .range(1, 100000)
                 .unit("updates")
                 .expert()
                 .help("Updates at one learning rate before the other is tried.")
                 .source("MISA, configuration: lr_period 10"),
             integer("method.clib_rate_length", "Turns compared", 10, OPTION_OF(ClibOptions, rate_length))
                 .range(2, 100000)
                 .expert()
                 .help("Turns of each learning rate that are compared before both move.")
                 .source("MISA, configuration: lr_length 10")},
        .cut_mix = CutMixUse::Known,
        .own_memory = true,
        .own_learning_rate = "CLIB finds its learning rate by itself.",
        .problems = addClibProblems,
        .notes = clibNotes};
}

}  // namespace palimpsest
