// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/config/option_words.h"

namespace palimpsest {

namespace {

using namespace option_words;

/// Methods whose memory is a part of them.
bool bringsItsMemory(const std::string& method) {
    return isOneOf(method, {"derpp", "clib"});
}

/// Methods whose mask is a part of them.
bool bringsItsMask(const std::string& method) {
    return method == "er-ace";
}

/// Why an option of the mask says nothing with the others as they are.
std::string idleMaskReason(const Experiment& experiment, const std::string& leaf) {
    const std::string &mask = experiment.mask.name, &method = experiment.method.name;
    if (leaf == "evaluation") return {};
    if (method == "analytic-head") return "The analytic head learns from no loss, so nothing is hidden from it.";
    const bool brings = bringsItsMask(method);
    if (leaf != "form" && brings) return "ER-ACE has a mask of its own.";
    if (leaf == "session_scope" && mask != "session") return "Only the session mask reads it.";
    return leaf == "form" && mask == "none" && !brings ? "Without a mask nothing is hidden." : "";
}

/// Why an option of the method says nothing with the others as they are.
std::string idleMethodReason(const Experiment& experiment, const std::string& key) {
    const MethodOptions& method = experiment.method;
    if (key.starts_with("method.calibration_") && method.calibration == "none") return "Nothing is calibrated.";
    if (key == "method.g_length" && method.g_blocks == "none") return "There is no general prompt.";
    if (key == "method.e_length" && method.e_blocks == "none") return "There is no pool of prompts.";
    if (method.name == "dualprompt" && method.e_blocks == "none") {
        const bool expert = key == "method.pool_size" || key == "method.prompt_selection";
        return expert ? "There is no pool of prompts." : "";
    }
    if (method.name == "mvp") {
        const bool reinforcement = key == "method.mvp_alpha" || key == "method.mvp_gamma";
        if (reinforcement && method.mvp_reinforcement == "none") return "There is no minor-class reinforcement.";
        if (key == "method.mvp_margin" && !method.mvp_scaling) return "Features are not scaled.";
    }
    if (method.name == "single-prompt" && method.single_head == "linear" && key == "method.single_temperature")
        return "Only the cosine head has a temperature.";
    if (method.name != "analytic-head") return {};
    if (key == "training.optimizer" || key == "training.learning_rate") return "The analytic head takes no steps.";
    const bool regression = key == "method.random_features" || key == "method.analytic_ridge";
    return regression && method.analytic_readout != "ridge" ? "Only ridge regression reads it." : "";
}

/// Why an option that initial session adaptation reads says nothing to a run. The form leaves such ones open.
std::string idleInRunReason(const Experiment& experiment, const std::string& key) {
    if (experiment.method.name != "l2p") return {};
    if (key == "method.e_blocks" || key == "method.e_length")
        return "L2P takes no expert prompt; only initial session adaptation reads it.";
    const bool general = key == "method.g_blocks" || key == "method.g_length";
    return general && experiment.initial_session.prompts == "none"
               ? "L2P takes a general prompt from initial prompts alone."
               : "";
}

/// Why an option of the memory says nothing with the others as they are.
std::string idleMemoryReason(const Experiment& experiment, const std::string& leaf) {
    if (leaf == "size") return {};
    if (experiment.memory.size == 0) return "Nothing is kept: memory.size is 0.";
    return leaf == "kind" && bringsItsMemory(experiment.method.name) ? "The method brings a memory of its own." : "";
}

/// Why an option of the stream says nothing with the others as they are.
std::string idleStreamReason(const StreamOptions& stream, const std::string& leaf) {
    const bool imported = stream.partition == "imported";
    const bool share = leaf == "disjoint_percent" || leaf == "blurry_percent";
    if (imported && (share || leaf == "sessions" || leaf == "sampler")) {
        return "The imported list already says which image comes in which session.";
    }
    if (!imported && leaf == "index_list") return "Only the imported partition reads a list.";
    if (share && stream.partition == "ordered") {
        return "In the ordered partition every class is disjoint and comes in one session.";
    }
    if (share && stream.partition == "one-class") {
        return "With one class at a time, every class is blurry and its last quarter is scattered.";
    }
    return {};
}

/// Of a data set that the catalogue does not know, nothing is said.
std::string idleClassesReason(const std::vector<Choice>& datasets, const std::string& name, bool passed) {
    const auto known =
        std::find_if(datasets.begin(), datasets.end(), [&](const Choice& dataset) { return dataset.value == name; });
    if (known == datasets.end() || known->drawn) return {};
    return passed ? "Only drawn data sets pass over classes, and this one is made of files."
                  : "Only drawn data sets make as many classes as are asked for, and this one is made of files.";
}

/// Why an option of the adaptation says nothing for this kind of it.
std::string idleAdaptationReason(const InitialSessionOptions& session, const std::string& leaf) {
    if (leaf == "load" && session.prompts == "none") return "There are no initial prompts to load.";
    const bool perturbs = leaf == "rho" || leaf == "sign" || leaf == "perturb";
    if (perturbs && session.prompts == "naive") return "Naive adaptation perturbs nothing.";
    // The other classes are kept apart for every kind, so that kinds can be compared.
    const bool others = leaf == "resample" || leaf == "other_drawn" || leaf == "other_units";
    if (others && !takesOthers(session)) return "Only FAM draws images of other classes.";
    return {};
}

}  // namespace

std::string OptionTable::idleReason(const Experiment& experiment, const Option& option) const {
    if (option.key == "stream.first_class" || option.key == "stream.classes")
        return idleClassesReason(catalogue_.datasets, experiment.stream.dataset, option.key == "stream.first_class");
    if (option.section() == "stream") return idleStreamReason(experiment.stream, option.leaf());
    if (option.section() == "initial_session") {
        const std::string reason = idleAdaptationReason(experiment.initial_session, option.leaf());
        if (!reason.empty()) return reason;
    }
    if (option.section() == "memory") return idleMemoryReason(experiment, option.leaf());
    const bool mixes = experiment.training.cutmix && option.key == "training.augment_scope" &&
                       idleReason(experiment, *find("training.cutmix")).empty();
    if (option.key == "training.augment_scope" && experiment.training.augment == "none" && !mixes) {
        return "Images stay as they are, so nothing is drawn.";
    }
    if (option.section() == "mask") return idleMaskReason(experiment, option.leaf());
    if (option.isReadBy(experiment.method.name)) return idleMethodReason(experiment, option.key);
    const std::vector<std::string>& readers = option.only_methods;
    std::string names;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        const auto known = std::find_if(catalogue_.methods.begin(), catalogue_.methods.end(),
                                        [&](const Choice& choice) { return choice.value == readers[i]; });
        names += (i == 0                    ? ""
                  : i + 1 == readers.size() ? " and "
                                            : ", ") +
                 (known == catalogue_.methods.end() ? readers[i] : known->title);
    }
    return "Only " + names + (readers.size() == 1 ? " reads it." : " read it.");
}

bool OptionTable::concernsRun(const std::string& method, const Option& option) const {
    if (!option.isReadBy(method)) return false;
    if (option.section() == "initial_session")
        return option.key == "initial_session.prompts" || option.key == "initial_session.load";
    Experiment usual = defaults();
    usual.method.name = method;
    return idleInRunReason(usual, option.key).empty();
}

std::vector<std::string> OptionTable::idleNotes(const Experiment& experiment) const {
    const Experiment usual = defaults();
    std::vector<std::string> notes;
    for (const Option& option : options()) {
        const bool concerned =
            option.section() == "training" || option.section() == "method" || option.section() == "memory" ||
            option.section() == "mask" ||
            isOneOf(option.key, {"stream.first_class", "initial_session.prompts", "initial_session.load"});
        if (!concerned || text(experiment, option) == text(usual, option)) continue;
        std::string reason = idleReason(experiment, option);
        if (reason.empty()) reason = idleInRunReason(experiment, option.key);
        if (!reason.empty())
            notes.push_back(option.key + " is " + text(experiment, option) + ", which changes nothing here. " + reason);
    }
    return notes;
}

}  // namespace palimpsest
