// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_row.h"
#include "engine/config/option_sections.h"

namespace palimpsest::option_sections {

using namespace option_row;

void addFeatureMethods(std::vector<Option>& rows) {
    const std::vector<std::string> calibrated = {"dualprompt", "l2p", "mvp", "coda-prompt"};
    const std::vector<std::string> first_blocks = {"single-prompt", "fly-prompt", "coda-prompt"};
    rows.push_back(integer("method.prompt_blocks", "Prompted blocks", 5, FIELD(method.prompt_blocks))
                       .range(1, 1000)
                       .unit("blocks")
                       .expert()
                       .onlyFor(first_blocks)
                       .help("How many blocks carry prompts, from the first on.")
                       .source("SinglePrompt, scripts: 5; FlyGCL, FlyPrompt and CODA-Prompt: 5"));
    rows.push_back(integer("method.prompt_length", "Prompt length", 20, FIELD(method.prompt_length))
                       .range(1, 256)
                       .unit("tokens")
                       .expert()
                       .onlyFor(first_blocks)
                       .help("Tokens of a prompt in each of its blocks.")
                       .source("SinglePrompt, scripts: 20; FlyGCL, FlyPrompt and CODA-Prompt: 20"));
    rows.push_back(
        choice("method.single_head", "Head", "cosine", FIELD(method.single_head))
            .expert()
            .onlyFor({"single-prompt"})
            .choices({{"cosine", "Cosine", "The angle between feature and class decides, divided by the temperature"},
                      {"linear", "Linear", "One linear layer, as in the other methods"}})
            .help("What turns features into logits.")
            .source("SinglePrompt, scripts: cos_sim"));
    rows.push_back(real("method.single_temperature", "Temperature", 0.1, FIELD(method.single_temperature))
                       .range(0.001, 100)
                       .expert()
                       .onlyFor({"single-prompt"})
                       .help("What cosine logits are divided by; smaller makes decisions sharper.")
                       .source("SinglePrompt: 0.1"));
    rows.push_back(
        integer("method.random_features", "Random features", 10000, FIELD(method.random_features))
            .range(0, 20000)
            .special("none")
            .unit("features")
            .expert()
            .onlyFor({"fly-prompt", "analytic-head"})
            .help(
                "Into how many random features the frozen network's output is expanded before the regression; "
                "0 takes it as it is. Memory grows with the square, the time to solve with the cube: 10000 take 400 MB "
                "and some seconds for each evaluation on a processor, 1000 take 8 MB and hardly any time.")
            .source("FlyGCL, FlyPrompt and RanPAC: 10000"));
    rows.push_back(
        integer("method.fly_experts", "Experts", 5, FIELD(method.fly_experts))
            .range(1, 1000)
            .unit("experts")
            .expert()
            .onlyFor({"fly-prompt"})
            .help("Prompts that learn one after the other, each for the same share of the stream, so no more than "
                  "it has images.")
            .source("FlyGCL: step_num 5"));
    rows.push_back(real("method.fly_ridge", "Ridge of the router", 1e4, FIELD(method.fly_ridge))
                       .range(1e-8, 1e12)
                       .expert()
                       .onlyFor({"fly-prompt"})
                       .help("How strongly the regression that chooses the expert is held back.")
                       .source("FlyGCL, FlyPrompt: 10000"));
    rows.push_back(
        choice("method.fly_ensemble", "Ensemble", "max", FIELD(method.fly_ensemble))
            .expert()
            .onlyFor({"fly-prompt"})
            .choices({{"max", "Maximum", "The highest probability that one of the three heads gives a class"},
                      {"mean", "Mean", "The mean of the three heads' probabilities"},
                      {"entropy", "Surest head", "The probabilities of the head with the least entropy"},
                      {"online", "Online head", "The head that learns, alone"}})
            .help("How the learning head and its two slow copies decide together.")
            .source("FlyPrompt: maximum of the softmax"));
    rows.push_back(
        boolean("method.coda_published", "As published", false, FIELD(method.coda_published))
            .expert()
            .onlyFor({"coda-prompt"})
            .help("Repeats a defect of the published code: from the second session on only the head learns.")
            .source("FlyGCL: the optimiser keeps the prompts of the first session; Smith et al., CODA-Prompt (CVPR "
                    "2023), and so the default: those of each session learn"));
    rows.push_back(
        choice("method.analytic_readout", "Read-out", "ridge", FIELD(method.analytic_readout))
            .expert()
            .onlyFor({"analytic-head"})
            .choices({{"ridge", "Ridge regression", "Random features, regressed on the classes (RanPAC)"},
                      {"ncm", "Nearest class mean", "The class whose mean feature points the same way"},
                      {"lda", "Linear discriminant", "Class means, and the covariance all classes share (SLDA)"}})
            .help("How the gathered statistics decide on a class.")
            .source("McDonnell et al., RanPAC (NeurIPS 2023); Hayes and Kanan, SLDA (CVPRW 2020)"));
    rows.push_back(real("method.analytic_ridge", "Ridge", 1e5, FIELD(method.analytic_ridge))
                       .range(1e-8, 1e12)
                       .expert()
                       .onlyFor({"analytic-head"})
                       .help("How strongly the regression on the classes is held back.")
                       .source("FlyGCL, RanPAC: 100000"));
    rows.push_back(choice("method.calibration", "Calibration", "none", FIELD(method.calibration))
                       .expert()
                       .onlyFor(calibrated)
                       .choices({{"none", "None", "Features go to the head as they are"},
                                 {"exact", "Exact",
                                  "Features get the covariance they were pretrained with; the statistics run along"},
                                 {"as-published", "As published",
                                  "With the published transform, and the statistics of each batch by itself"}})
                       .help("Brings the covariance of the features back to that of the pretraining data.")
                       .source("MePo (arXiv 2602.07940)"));
    rows.push_back(
        text("method.calibration_file", "Covariance", "", FIELD(method.calibration_file))
            .expert()
            .onlyFor(calibrated)
            .help("A .safetensors file with the tensor covariance, width x width: of the pretraining classes' "
                  "mean features."));
    rows.push_back(real("method.calibration_share", "Share of the calibration", 0.5, FIELD(method.calibration_share))
                       .range(0, 1)
                       .expert()
                       .onlyFor(calibrated)
                       .help("How much of the feature that the head gets is calibrated.")
                       .source("MePo: 0.5 for ImageNet-21k weights, 0.7 for others"));
}

}  // namespace palimpsest::option_sections
