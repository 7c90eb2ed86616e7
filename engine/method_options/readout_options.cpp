// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method_options/readout_options.h"

#include "engine/config/option_row.h"
#include "engine/method_options/ridge_row.h"

namespace palimpsest {
namespace {

std::string idleReadoutReason(const Experiment& experiment, const std::string& key) {
    const std::string& kind = experiment.method.of<ReadoutOptions>().kind;
    if (key == "method.readout_ridge" && kind != "ridge") return "Only ridge regression reads it.";
    const bool ofHead = key == "method.head_average" || key == "method.fly_ensemble";
    return ofHead && kind != "head" ? "No head answers: method.readout is " + kind + "." : "";
}

}  // namespace

const SharedOptions& readoutOptions() {
    using namespace option_row;
    static const SharedOptions options{
        .group = OptionGroup::Features,
        .rows = {choice("method.readout", "Read-out", "head", OPTION_OF(ReadoutOptions, kind))
                     .expert()
                     .choices({{"head", "Head", "The head that learns"},
                               {"ncm", "Class means", "The class whose mean feature has the smallest angle"},
                               {"ridge", "Ridge regression", "A regression on the classes, in closed form"}})
                     .help("What answers in an evaluation. Class means and regression are made of the features that "
                           "training images had, with the prompts as they were when each was learned; prompts and head "
                           "learn as ever.")
                     .source("A plug-in that nobody has published: RanPAC's read-out on the features of prompts"),
                 ridge("method.readout_ridge", "Ridge of the read-out", 100, OPTION_OF(ReadoutOptions, ridge))
                     .help("How strongly the regression is held back.")},
        .idleReason = idleReadoutReason};
    return options;
}

}  // namespace palimpsest
