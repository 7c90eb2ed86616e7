// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/random_feature_options.h"

#include "engine/config/option_row.h"

namespace palimpsest {

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

}  // namespace palimpsest
