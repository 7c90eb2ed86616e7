// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/head_method_options.h"

#include <algorithm>

#include "engine/config/option_row.h"
#include "engine/method_options/head_average_options.h"
#include "engine/method_options/ridge_row.h"
#include "engine/support/format.h"

namespace palimpsest {
namespace {

std::vector<std::string> lwfNotes(const Experiment& experiment) {
    if (experiment.memory.size == 0) return {};
    return {"memory.size is " + std::to_string(experiment.memory.size) +
            ", so past images join every batch; LwF itself, paper and code, has no memory."};
}

std::string idleAnalyticHeadReason(const Experiment& experiment, const std::string& key) {
    if (key == "training.optimizer" || key == "training.learning_rate") return "The analytic head takes no steps.";
    const auto& head = experiment.method.of<AnalyticHeadOptions>();
    const bool ridge = head.readout == "ridge";
    if (key == "method.random_features")
        return ridge || head.features == "pixels" ? "" : "Only ridge regression and features of pixels read it.";
    if (key == "method.analytic_shrinkage")
        return head.readout == "lda" ? "" : "Only the linear discriminant has a covariance to shrink.";
    const bool regression =
        key == "method.analytic_ridge" || key == "method.analytic_ridge_choice" || key == "method.analytic_balance";
    if (regression && !ridge) return "Only ridge regression reads it.";
    return key == "method.analytic_ridge" && head.ridge_choice == "gcv" ? "The ridge is chosen from the sums." : "";
}

/// The published ridge belongs to features that are large: the length of a network's, times that of a random matrix.
constexpr double kRidgeOfLargeFeatures = 1e3;

std::vector<std::string> analyticHeadNotes(const Experiment& experiment) {
    const auto& head = experiment.method.of<AnalyticHeadOptions>();
    const bool ridge = head.readout == "ridge", pixels = head.features == "pixels";
    std::vector<std::string> notes;
    if (ridge || (pixels && head.readout == "lda")) notes = randomFeatureNotes(experiment);
    if (!ridge) return notes;
    const std::int64_t features = experiment.method.of<RandomFeatureOptions>().count;
    if (features > 4096 && head.ridge_choice == "gcv")
        notes.push_back(
            "method.analytic_ridge_choice is gcv, so each evaluation also takes the eigenvalues of those "
            "sums: minutes on a processor.");
    if (features > 4096 && head.ridge_choice == "prequential")
        notes.push_back(
            "method.analytic_ridge_choice is prequential, so each evaluation solves those equations "
            "fourteen times, and the run keeps as many solutions.");
    const bool small = (pixels || head.features == "all-blocks") && features > 0;
    if (small && head.ridge_choice == "fixed" && head.ridge >= kRidgeOfLargeFeatures)
        notes.push_back("method.analytic_ridge is " + shortestText(head.ridge) + ", which suits random-relu; " +
                        head.features +
                        " makes features of less than 1, so it is far too strong. Let "
                        "method.analytic_ridge_choice find one, or begin with 1.");
    return notes;
}

/// Without a memory such a method is a linear probe, `with` what makes it another one.
std::vector<std::string> nothingReplayedNotes(const Experiment& experiment, const std::string& with) {
    if (experiment.memory.size > 0) return {};
    return {"memory.size is 0, so nothing is replayed; this is a linear probe" + with + "."};
}

std::vector<std::string> plainReplayNotes(const Experiment& experiment) {
    return nothingReplayedNotes(experiment, "");
}

std::vector<std::string> erAceNotes(const Experiment& experiment) {
    return nothingReplayedNotes(experiment, " with the mask of ER-ACE");
}

std::vector<std::string> rainbowMemoryNotes(const Experiment& experiment) {
    std::vector<std::string> notes = plainReplayNotes(experiment);
    for (std::string& note : publishedUpdatesNotes(experiment)) notes.push_back(std::move(note));
    return notes;
}

void addClibProblems(const Experiment& experiment, MethodProblems& problems) {
    if (experiment.memory.size == 0)
        problems.memory.push_back(
            "memory.size is 0, but CLIB learns from its memory alone; give it one, such as memory.size 500.");
}

}  // namespace

std::int64_t rainbowPasses(std::int64_t memory, std::int64_t batch) {
    // The official code fails when the memory is smaller than a batch.
    return std::max<std::int64_t>(1, memory / batch);
}

std::int64_t rainbowUpdates(std::int64_t epochs, std::int64_t memory, std::int64_t batch) {
    if (memory <= 0) return 0;
    return epochs * rainbowPasses(memory, batch) * ((memory + batch - 1) / batch);
}

const SharedOptions& randomFeatureOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Features,
        .rows = {
            integer("method.random_features", "Random features", 10000, OPTION_OF(RandomFeatureOptions, count))
                .range(0, 20000)
                .special("none")
                .unit("features")
                .expert()
                .help("Into how many random features the frozen network's output is expanded before the regression; "
                      "0 takes it as it is. Memory grows with the square, the time to solve with the cube: 10000 take "
                      "400 MB and some seconds for each evaluation on a processor, 1000 take 8 MB and hardly any "
                      "time.")
                .source("FlyGCL, FlyPrompt and RanPAC: 10000")}};
    return options;
}

std::vector<std::string> randomFeatureNotes(const Experiment& experiment) {
    const std::int64_t features = experiment.method.of<RandomFeatureOptions>().count;
    if (features <= 4096) return {};
    return {"method.random_features is " + std::to_string(features) + ", so the run keeps sums of " +
            std::to_string(features * features / 250'000) +
            " MB and solves as many equations for each evaluation, which takes a processor some seconds; "
            "1000 features take hardly any time."};
}

std::vector<std::string> publishedUpdatesNotes(const Experiment& experiment) {
    const std::int64_t official = 3 * experiment.training.batch_size;
    if (experiment.training.updates_per_batch >= official) return {};
    return {"The published code of this method makes " + std::to_string(official) +
            " updates on each batch, where others make 3; training.updates_per_batch makes " +
            std::to_string(experiment.training.updates_per_batch) + " here."};
}

MethodDeclaration declareLinearProbe() {
    return {.choice = {"linear-probe", "Linear probe", "Frozen backbone; only the linear head learns.",
                       method_family::kHead, "Nothing.", "One pass an image, and none of it backwards.",
                       "MISA, ICLR 2025: the lower bound"},
            .options = {&headAverageOptions()},
            .cut_mix = CutMixUse::Known,
            .knows_sam = true};
}

MethodDeclaration declareLwf() {
    using namespace option_row;
    return {
        .choice = {"lwf", "LwF", "Linear head; keeps to what it said one batch ago, without a memory.",
                   method_family::kHead, "A copy of the head.", "As the linear probe.",
                   "Li and Hoiem, Learning without Forgetting, ECCV 2016"},
        .group = OptionGroup::Past,
        .options = {real("method.lwf_weight", "Distillation", 0.2, OPTION_OF(LwfOptions, weight))
                        .range(0, 1000)
                        .expert()
                        .help("Weight of keeping to what the network said one batch ago.")
                        .source("MISA, methods/lwf.py: 0.2"),
                    real("method.lwf_temperature", "Temperature", 2, OPTION_OF(LwfOptions, temperature))
                        .range(0.01, 1000)
                        .expert()
                        .help("Divides the logits that are compared; above 1 the less likely classes count for more.")
                        .source("MISA, methods/lwf.py: 2"),
                    &headAverageOptions()},
        .notes = lwfNotes};
}

MethodDeclaration declareAnalyticHead() {
    using namespace option_row;
    return {
        .choice = {"analytic-head", "Analytic head",
                   "No training: class statistics of the frozen features decide in closed form.", method_family::kHead,
                   "Sums of features: 400 MB of 10,000 random ones, 8 MB of 1,000.",
                   "One pass an image, and a system of equations for each evaluation.",
                   "McDonnell et al., RanPAC, NeurIPS 2023; Hayes and Kanan, SLDA, CVPRW 2020"},
        .group = OptionGroup::Features,
        .options =
            {&randomFeatureOptions(),
             choice("method.analytic_readout", "Read-out", "ridge", OPTION_OF(AnalyticHeadOptions, readout))
                 .expert()
                 .choices({{"ridge", "Ridge regression", "Random features, regressed on the classes (RanPAC)"},
                           {"ncm", "Nearest class mean", "The class whose mean feature points the same way"},
                           {"lda", "Linear discriminant", "Class means, and the covariance all classes share (SLDA)"}})
                 .help("How the gathered statistics decide on a class.")
                 .source("McDonnell et al., RanPAC (NeurIPS 2023); Hayes and Kanan, SLDA (CVPRW 2020)"),
             choice("method.analytic_features", "Features", "random-relu", OPTION_OF(AnalyticHeadOptions, features))
                 .expert()
                 .choices({{"random-relu", "Random ReLU",
                            "The network's features, and for the regression random ones of them (RanPAC)"},
                           {"sparse", "Sparse",
                            "As these, but each random feature looks at a part of the network's, "
                            "and the largest 30 % of an image stay (Fly-CL)"},
                           {"all-blocks", "All blocks",
                            "The mean of the class tokens of all blocks, and for the regression sigmoids (F-OAL)"},
                           {"pixels", "Pixels",
                            "No network at all: random Fourier features of the image (RanDumb), or the image itself "
                            "where method.random_features is 0"}})
                 .help("What of an image is summed up. Pixels, of at most 32 x 32, show what the network is worth.")
                 .source("RanPAC; Fly-CL, main.py: 300 of 768 connections, 30 %; F-OAL, models/pretrained.py; RanDumb, "
                         "src/main.py"),
             choice("method.analytic_balance", "Class balance", "none", OPTION_OF(AnalyticHeadOptions, balance))
                 .expert()
                 .choices({{"none", "None", "Each image weighs the same, so frequent classes weigh more"},
                           {"pooled", "Pooled", "Each class weighs the same; all share the covariance within classes"}})
                 .help("Whether rare classes weigh as much as frequent ones in the regression.")
                 .source("Fang et al., AIR (arXiv 2408.10349), which keeps a matrix for each class; pooled needs one"),
             choice("method.analytic_ridge_choice", "Choice of the ridge", "fixed",
                    OPTION_OF(AnalyticHeadOptions, ridge_choice))
                 .expert()
                 .choices({{"fixed", "Fixed", "method.analytic_ridge"},
                           {"prequential", "By prediction",
                            "Each batch is predicted with every ridge before it is learned; the least error decides"},
                           {"gcv", "By cross-validation",
                            "Generalised cross-validation from the eigenvalues of the sums, at each solution"}})
                 .help("What chooses the ridge of the regression: of 0.0001, 0.001, up to 1e9.")
                 .source("Fly-CL, main.py: gcv; RanPAC tries all on a fifth of a session; FlyGCL: fixed"),
             ridge("method.analytic_ridge", "Ridge", 1e5, OPTION_OF(AnalyticHeadOptions, ridge))
                 .help("How strongly the regression on the classes is held back.")
                 .source(
                     "FlyGCL, models/ranpac.py: 100000, in place of its search; RanPAC itself searches 1e-8 to 1e8"),
             choice("method.analytic_shrinkage", "Shrinkage", "fixed", OPTION_OF(AnalyticHeadOptions, shrinkage))
                 .expert()
                 .choices({{"fixed", "Fixed", "One ten-thousandth of the unit matrix"},
                           {"oas", "Oracle approximating", "As much as so few samples need, computed from them"}})
                 .help("How the covariance of the linear discriminant is drawn towards a multiple of the unit matrix.")
                 .source("SLDA: 0.0001; RanDumb, src/main.py: Chen et al., OAS (2010)")},
        .no_mask = "The analytic head learns from no loss, so nothing is hidden from it.",
        .idleReason = idleAnalyticHeadReason,
        .notes = analyticHeadNotes};
}

MethodDeclaration declareExperienceReplay() {
    return {.choice = {"er", "ER", "Linear head; images from the memory join every batch.", method_family::kReplay,
                       "Numbers of past images.", "Twice the images of a linear probe.",
                       "Chaudhry et al., On Tiny Episodic Memories, 2019"},
            .options = {&headAverageOptions()},
            .cut_mix = CutMixUse::Known,
            .knows_sam = true,
            .notes = plainReplayNotes};
}

MethodDeclaration declareErAce() {
    return {.choice = {"er-ace", "ER-ACE",
                       "Linear head; new images do not push old classes down, remembered ones see all classes.",
                       method_family::kReplay, "Numbers of past images.", "Twice the images of a linear probe.",
                       "Caccia et al., ER-ACE, ICLR 2022"},
            .options = {&headAverageOptions()},
            .own_mask = "ER-ACE has a mask of its own.",
            .notes = erAceNotes};
}

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
                        .source("MISA, methods/derpp.py: beta 0.5"),
                    &headAverageOptions()},
        .own_memory = true,
        .notes = plainReplayNotes};
}

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
                 .source("Si-Blurry and MISA, methods/_trainer.py"),
             &headAverageOptions()},
        .cut_mix = CutMixUse::Known,
        .knows_uncertainty = true,
        .notes = rainbowMemoryNotes};
}

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
                 .source("MISA, configuration: lr_length 10"),
             &headAverageOptions()},
        .cut_mix = CutMixUse::Known,
        .own_memory = true,
        .own_learning_rate = "CLIB finds its learning rate by itself.",
        .problems = addClibProblems,
        .notes = publishedUpdatesNotes};
}

}  // namespace palimpsest
