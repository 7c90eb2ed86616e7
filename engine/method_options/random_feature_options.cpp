// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/random_feature_options.h"

#include "engine/config/option_row.h"

namespace palimpsest {
namespace {

std::string idleAnalyticHeadReason(const Experiment& experiment, const std::string& key) {
    if (key == "training.optimizer" || key == "training.learning_rate") return "The analytic head takes no steps.";
    const bool regression = key == "method.random_features" || key == "method.analytic_ridge";
    const bool ridge = experiment.method.of<AnalyticHeadOptions>().readout == "ridge";
    return regression && !ridge ? "Only ridge regression reads it." : "";
}

std::vector<std::string> analyticHeadNotes(const Experiment& experiment) {
    const bool ridge = experiment.method.of<AnalyticHeadOptions>().readout == "ridge";
    return ridge ? randomFeatureNotes(experiment) : std::vector<std::string>();
}

}  // namespace

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
                      "400 MB "
                      "and some seconds for each evaluation on a processor, 1000 take 8 MB and hardly any time.")
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

MethodDeclaration declareAnalyticHead() {
    using namespace option_row;
    return {
        .choice = {"analytic-head", "Analytic head",
                   "No training: class statistics of the frozen features decide in closed form.", method_family::kHead,
                   "Sums of features: 400 MB of 10,000 random ones, 8 MB of 1,000.",
                   "One pass an image, and a system of equations for each evaluation.",
                   "McDonnell et al., RanPAC, NeurIPS 2023; Hayes and Kanan, SLDA, CVPRW 2020"},
        .group = OptionGroup::Features,
        .options = {&randomFeatureOptions(),
                    choice("method.analytic_readout", "Read-out", "ridge", OPTION_OF(AnalyticHeadOptions, readout))
                        .expert()
                        .choices({{"ridge", "Ridge regression", "Random features, regressed on the classes (RanPAC)"},
                                  {"ncm", "Nearest class mean", "The class whose mean feature points the same way"},
                                  {"lda", "Linear discriminant",
                                   "Class means, and the covariance all classes share (SLDA)"}})
                        .help("How the gathered statistics decide on a class.")
                        .source("McDonnell et al., RanPAC (NeurIPS 2023); Hayes and Kanan, SLDA (CVPRW 2020)"),
                    real("method.analytic_ridge", "Ridge", 1e5, OPTION_OF(AnalyticHeadOptions, ridge))
                        .range(1e-8, 1e12)
                        .expert()
                        .help("How strongly the regression on the classes is held back.")
                        .source("FlyGCL, RanPAC: 100000")},
        .no_mask = "The analytic head learns from no loss, so nothing is hidden from it.",
        .idleReason = idleAnalyticHeadReason,
        .notes = analyticHeadNotes};
}

}  // namespace palimpsest
