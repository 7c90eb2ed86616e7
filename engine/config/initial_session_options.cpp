// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest::option_sections {

using namespace option_row;

std::vector<Option> initialSession(const std::vector<MethodDeclaration>& methods) {
    const std::vector<std::string> methods_with_prompts = methodsWith(
        methods, [](const MethodDeclaration& method) { return method.initial_prompts != InitialPrompts::None; });
    const std::vector<std::string> methods_with_both = methodsWith(methods, [](const MethodDeclaration& method) {
        return method.initial_prompts == InitialPrompts::GeneralAndExpert;
    });
    std::vector<Option> rows{
        text("initial_session.prompts", "Initial prompts", "none", FIELD(initial_session.prompts))
            .help("none starts from random prompts; naive, sam and fam take those that initial session adaptation made "
                  "in that way, and `palimpsest-cli isa` makes them (fam where none is said); anything else is the "
                  "path of a file with g_prompt and e_prompt.")
            .source("MISA, initial session adaptation; --load_pt"),
        choice("initial_session.load", "Prompts to load", "both", FIELD(initial_session.load))
            .onlyFor(methods_with_both)
            .choices({{"both", "Both", "General and expert prompts"},
                      {"general", "General", "The expert prompts begin as random numbers"},
                      {"expert", "Expert", "The general prompt begins as random numbers"}})
            .help("Which of the initial prompts the stream begins with; both learn from it in any case.")
            .source("The paper, Table 9: both; MISA, models/mvp.py: general"),
        text("initial_session.dataset", "Images to adapt to", "fractals", FIELD(initial_session.dataset))
            .help("What initial session adaptation learns from: a data set by its name, or the path of a folder with a "
                  "folder of images for each class.")
            .source("The paper, section 3.1: the data the backbone was pretrained on"),
        integer("initial_session.classes", "Classes to adapt to", 900, FIELD(initial_session.classes))
            .range(1, 100000)
            .unit("classes")
            .help("In-distribution classes, the first ones of the data set: what the prompts learn to tell apart.")
            .source("The paper's appendix: the first 900 of ImageNet-1k (the published class keeps 100)"),
        integer("initial_session.other_classes", "Other classes", 100, FIELD(initial_session.other_classes))
            .range(0, 100000)
            .special("none")
            .unit("classes")
            .help("Out-of-distribution classes, the ones after: FAM takes its perturbation from them; 0 keeps none "
                  "apart, which FAM cannot do with.")
            .source("The paper's appendix: the last 100 of ImageNet-1k"),
        integer("initial_session.images_per_class", "Images of a class", 20, FIELD(initial_session.images_per_class))
            .range(1, 100000)
            .unit("images")
            .help("How many images of each class a procedural data set draws; data sets made of files give all they "
                  "have."),
        integer("initial_session.epochs", "Epochs of adaptation", 3, FIELD(initial_session.epochs))
            .range(1, 10000)
            .help("How often the adaptation sees every image.")
            .source("The paper's appendix: 3"),
        integer("initial_session.batch_size", "Batch of adaptation", 128, FIELD(initial_session.batch_size))
            .range(1, 4096)
            .unit("images")
            .help("Images of one step of the adaptation; FAM takes as many of other classes besides.")
            .source("The paper's appendix: 128 (scripts/misa_fam.sh: 65)"),
        integer("initial_session.updates_per_batch", "Updates per batch of adaptation", 1,
                FIELD(initial_session.updates_per_batch))
            .range(1, 1000)
            .help("Optimiser steps on each batch of the adaptation, every one on newly augmented images.")
            .source("The paper: 1; scripts/misa_fam.sh: --online_iter 3"),
        real("initial_session.learning_rate", "Learning rate of adaptation", 1e-4, FIELD(initial_session.learning_rate))
            .range(1e-8, 10)
            .help("Size of Adam's steps in the adaptation; stays the same throughout.")
            .source("The paper's appendix and scripts/misa_fam.sh: 0.0001"),
        real("initial_session.rho", "Radius of the perturbation", 0, FIELD(initial_session.rho))
            .range(0, 1000)
            .special("automatic")
            .help("How far SAM and FAM move the parameters before they take the gradient; 0 takes 0.05 for SAM and 0.1 "
                  "for FAM.")
            .source("The paper's rho; MISA: 0.05 and 0.1"),
        choice("initial_session.sign", "Sign of the perturbation", "plus", FIELD(initial_session.sign))
            .choices(
                {{"plus", "Plus", "Up the slope: to where the other images are told apart worse, as published"},
                 {"minus", "Minus", "Down the slope: as if the other images were learned, as in the paper's formula"}})
            .help("Which way SAM and FAM move the parameters.")
            .source("The paper's equation for delta: minus; MISA, methods/dualprompt_fam.py: plus"),
        choice("initial_session.perturb", "What is perturbed", "all", FIELD(initial_session.perturb))
            .choices({{"all", "All that learns", "Prompts, keys, head and augmentation, as published"},
                      {"prompts", "Prompts only", "The rest stays where it is"}})
            .help("What SAM and FAM move before they take the gradient.")
            .source("The paper's theta; MISA, methods/dualprompt_fam.py: all"),
        integer("initial_session.other_drawn", "Other classes at a time", 10, FIELD(initial_session.other_drawn))
            .range(1, 100000)
            .unit("classes")
            .help("How many of the other classes FAM draws at once, all of them where there are fewer; it goes through "
                  "all their images before it draws again.")
            .source("The paper's appendix: 10"),
        real("initial_session.resample", "New other classes", 0.67, FIELD(initial_session.resample))
            .range(0, 1)
            .help("Chance that FAM draws new classes when it has gone through the present ones; else it goes through "
                  "them again.")
            .source("The paper's appendix: 1; MISA, methods/dualprompt_fam.py: 0.67"),
        choice("initial_session.other_units", "Outputs of other classes", "separate",
               FIELD(initial_session.other_units))
            .choices({{"separate", "Their own", "Every other class has an output of its own"},
                      {"shared", "Shared",
                       "The classes drawn use the outputs of the first classes to adapt to, as published"}})
            .help("Which outputs of the head stand for FAM's other classes.")
            .source("MISA, methods/dualprompt_fam.py: labels 0 to 9"),
        integer("initial_session.sessions", "Sessions of adaptation", 1, FIELD(initial_session.sessions))
            .range(1, 1000)
            .help(
                "1 mixes all classes; more take them in so many blocks, in their numbered order, each for all epochs.")
            .source("The paper: 1; scripts/misa_fam.sh: 10"),
        choice("initial_session.augment_prompts", "Augmented prompts", "both", FIELD(initial_session.augment_prompts))
            .choices({{"both", "Both", "General and expert prompts, as the published prompts"},
                      {"expert", "Expert", "The expert prompts alone, as the published script"},
                      {"general", "General", "The general prompt alone"},
                      {"none", "None", "Prompts learn as they are"}})
            .help("Which prompts act as p + MLP(p) while they adapt; that sum is what is kept.")
            .source("The paper, prompt augmentation; MISA, --e_proj and --g_proj"),
        choice("initial_session.augment", "Augmentation of adaptation", "auto", FIELD(initial_session.augment))
            .choices(augmentations())
            .help("How the images of the adaptation are varied, anew for every update.")
            .source("MISA, scripts/misa_fam.sh: autoaug")};
    for (Option& row : rows) {
        row.level = OptionLevel::Expert;
        if (row.only_methods.empty()) row.only_methods = methods_with_prompts;
    }
    return rows;
}

}  // namespace palimpsest::option_sections
