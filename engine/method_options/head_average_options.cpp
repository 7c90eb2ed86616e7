// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/head_average_options.h"

#include "engine/config/option_row.h"

namespace palimpsest {

const SharedOptions& headAverageOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Features,
        .rows = {real("method.head_average", "Average of the head", 0, OPTION_OF(HeadAverageOptions, decay))
                     .range(0, 0.99999)
                     .special("none")
                     .expert()
                     .help("Whether a moving average of the head answers in its place, and how much of itself it keeps "
                           "at each step of the optimiser: 0.9 follows the last ten steps or so, 0.99 the last "
                           "hundred. Training never sees it.")
                     .source("FlyGCL, FlyPrompt: two slow copies of the head, 0.9 and 0.99; 0 in all other methods' "
                             "code")}};
    return options;
}

}  // namespace palimpsest
