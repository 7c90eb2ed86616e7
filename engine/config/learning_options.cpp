// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest::option_sections {

using namespace option_row;

namespace {

/// The method whose code CutMix is from first, then the others in their order.
std::vector<std::string> methodsWithCutMix(const std::vector<MethodDeclaration>& methods) {
    std::vector<std::string> names;
    for (const CutMixUse cut_mix : {CutMixUse::Origin, CutMixUse::Known})
        for (const MethodDeclaration& method : methods)
            if (method.cut_mix == cut_mix) names.push_back(method.choice.value);
    return names;
}

}  // namespace

std::vector<Choice> augmentations() {
    return {{"auto", "Automatic",
             "As the official scripts: crop and flip, and AutoAugment for data sets that have a policy (CIFAR and "
             "those named after ImageNet)"},
            {"none", "None", "Images as they are"},
            {"crop-flip", "Crop and flip", "Random shift by up to 4 pixels of 224 (at least 1) and mirroring"},
            {"autoaugment", "AutoAugment",
             "Crop and flip, then AutoAugment with the data set's policy, or ImageNet's where it has none"}};
}

std::vector<Option> mask(const Catalogue& catalogue) {
    return {choice("mask.name", "Logit mask", "batch", FIELD(mask.name))
                .live()
                .choices(catalogue.masks)
                .help("Which classes may compete in a training step; the others are hidden from its loss.")
                .source("MISA, non-parametric logit masking, and its published code"),
            choice("mask.session_scope", "Session mask shows", "so-far", FIELD(mask.session_scope))
                .expert()
                .choices({{"so-far", "Classes so far", "Those that came since the session began, as the official code"},
                          {"whole", "The whole session",
                           "All classes of the session, as the paper says; those never met before, once they come"}})
                .help("Which classes belong to a session for the session mask.")
                .source("MISA, eq. of the non-parametric mask; methods/dualprompt.py, online_step: so far"),
            choice("mask.form", "Mask form", "additive", FIELD(mask.form))
                .live()
                .expert()
                .choices({{"additive", "Additive", "A hidden class does not compete: minus infinity"},
                          {"multiplicative", "Multiplicative",
                           "A hidden class keeps the logit 0 and competes: the paper's product, read literally"}})
                .help("What hiding a class from a training step does to its logit.")
                .source("MISA, eq. of logit masking: product; methods/dualprompt.py: additive"),
            choice("mask.evaluation", "Mask while evaluating", "auto", FIELD(mask.evaluation))
                .expert()
                .choices({{"auto", "Automatic", "As the method's official code does"},
                          {"none", "None", "Classes that never appeared compete too"},
                          {"seen", "Seen classes", "Only classes that have appeared compete"}})
                .help("Which classes compete when test images are classified.")
                .source("MISA: DualPrompt evaluates without a mask, the other methods with the seen mask")};
}

std::vector<Option> memory() {
    return {integer("memory.size", "Memory", 0, FIELD(memory.size))
                .range(0, 10000000)
                .special("none")
                .unit("images")
                .help("Past images that are kept for replay; 0 keeps none.")
                .source("MISA, scripts: 0, 500 or 2000"),
            integer("memory.batch_size", "Replayed images", 0, FIELD(memory.batch_size))
                .range(0, 4096)
                .special("as many as arrive")
                .unit("images")
                .expert()
                .help("Images drawn from the memory for every update, which in most methods join the stream's batch; 0 "
                      "draws as many as a batch has (training.batch_size).")
                .source("MISA, scripts: 32, as many as arrive"),
            choice("memory.kind", "Kept images", "auto", FIELD(memory.kind))
                .expert()
                .choices({{"auto", "As the method", "What the method's official code does"},
                          {"reservoir", "Reservoir", "Every image of the stream has the same chance to stay"},
                          {"balanced", "Balanced", "As many of each class as of any other, chosen by chance"},
                          {"uncertainty", "By uncertainty",
                           "Rainbow Memory only: balanced, and at the end of each session chosen anew, from images the "
                           "network is sure of to such it is not"}})
                .help("Which images stay in the memory.")
                .source("MISA, methods/er_baseline.py and rainbow_memory.py; Bang et al., Rainbow Memory (CVPR 2021)")};
}

std::vector<Option> training(const std::vector<MethodDeclaration>& methods) {
    return {integer("training.batch_size", "Batch", 32, FIELD(training.batch_size))
                .range(1, 4096)
                .unit("images")
                .help("Images that arrive together; each is seen in one batch only.")
                .source("MISA, scripts: 32"),
            integer("training.updates_per_batch", "Updates per batch", 3, FIELD(training.updates_per_batch))
                .range(1, 1000)
                .help("Optimiser steps on each batch, every one on newly augmented images.")
                .source("MISA, scripts: --online_iter 3, by which the code of fine-tuning, Rainbow Memory and CLIB "
                        "means 96; 3 for all, so that methods are compared at the same number of steps"),
            choice("training.optimizer", "Optimiser", "adam", FIELD(training.optimizer))
                .expert()
                .choices({{"adam", "Adam", "Betas 0.9 and 0.999, no weight decay"},
                          {"sgd", "SGD", "Nesterov momentum 0.9, weight decay 0.0001"}})
                .help("The rule that turns gradients into steps.")
                .source("MISA, scripts: adam"),
            real("training.learning_rate", "Learning rate", 0.005, FIELD(training.learning_rate))
                .live()
                .range(1e-8, 10)
                .help("Size of the optimiser's steps; stays the same throughout.")
                .source("MISA, scripts: 0.005"),
            choice("training.augment", "Augmentation", "auto", FIELD(training.augment))
                .expert()
                .choices(augmentations())
                .help("How training images are varied, anew for every update.")
                .source("MISA, training transform: pad 4, crop, flip; --transforms autoaug"),
            choice("training.augment_scope", "Augmentation of", "batch", FIELD(training.augment_scope))
                .expert()
                .choices({{"batch", "The whole batch", "One draw for all images of an update, as the official code"},
                          {"image", "Each image", "A draw for every image"}})
                .help("Whether the images of an update are all varied alike or each in its own way.")
                .source("MISA, training transform: applied to the batch as one tensor"),
            boolean("training.cutmix", "CutMix", false, FIELD(training.cutmix))
                .expert()
                .onlyFor(methodsWithCutMix(methods))
                .help("In half of the updates each image gets a box cut from another one, and both classes count; no "
                      "official script of these methods says whether to, the code's own default is to.")
                .source("Yun et al., CutMix (ICCV 2019); MISA, methods/Finetuning.py; --transforms cutmix"),
            integer("training.sam_sessions", "Sessions with SAM", 0, FIELD(training.sam_sessions))
                .range(0, 1000)
                .special("none")
                .unit("sessions")
                .expert()
                .onlyFor(methodsWith(methods, [](const MethodDeclaration& method) { return method.knows_sam; }))
                .help("In so many sessions, from the first on, steps follow the gradient at the steepest place nearby "
                      "(sharpness-aware minimisation), which takes twice the time; the learner is told where they "
                      "end.")
                .source("The paper, Figure 3: the first of two; Foret et al., SAM (ICLR 2021); MISA, "
                        "methods/dualprompt_sam.py"),
            real("training.sam_rho", "Reach of SAM", 0.05, FIELD(training.sam_rho))
                .range(1e-8, 1000)
                .expert()
                .onlyFor(methodsWith(methods, [](const MethodDeclaration& method) { return method.knows_sam; }))
                .help("How far SAM moves the parameters before it takes the gradient.")
                .source("MISA: 0.05")};
}

std::vector<Option> evaluation() {
    return {integer("evaluation.every_samples", "Evaluate every", 1000, FIELD(evaluation.every_samples))
                .live()
                .range(0, 100000000)
                .special("only at session ends")
                .unit("images")
                .help("Distance between the points of the anytime curve; 0 evaluates only at the end of each session.")
                .source("MISA, scripts: eval_period 1000"),
            integer("evaluation.early_look", "Early look", 64, FIELD(evaluation.early_look))
                .range(0, 100000000)
                .special("none")
                .unit("images")
                .expert()
                .help("Images after which the network is looked at for the first time, on at most 256 test images, so "
                      "that the curve begins soon; no number counts this look, and it changes none. There is none "
                      "where the first point of the curve comes as soon, and with closed-form heads."),
            integer("evaluation.anytime_part", "Anytime test images", 5000, FIELD(evaluation.anytime_part))
                .range(0, 100000000)
                .special("all")
                .unit("images")
                .expert()
                .help("Test images, an equal share of every class, that the points between session ends are measured "
                      "on, where there are more; the end of a session is always measured on all.")
                .source("MISA: all test images each time"),
            choice("evaluation.session_data", "Test data of a session", "first-exposed", FIELD(evaluation.session_data))
                .expert()
                .choices({{"first-exposed", "First exposed", "Every class counts for the session it first came in"},
                          {"disjoint", "Disjoint only", "Only disjoint classes count, as the official code prints"}})
                .help("Which test images belong to a session in the retention curves and the R matrix.")
                .source("The paper's R matrix; MISA, end-of-session report of ER"),
            integer("evaluation.checkpoints", "Room for checkpoints", 256, FIELD(evaluation.checkpoints))
                .range(0, 10000000)
                .special("none are kept")
                .unit("MB")
                .expert()
                .help("Room in the run's folder for its state at each evaluation, from which it can be resumed "
                      "exactly; older ones are thinned out, the newest two always stay. It changes no number.")};
}

}  // namespace palimpsest::option_sections
