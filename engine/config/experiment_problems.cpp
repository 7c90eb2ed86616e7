// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "engine/config/block_list.h"
#include "engine/config/option_table.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

bool isDevice(const std::string& device) {
    if (device == "auto" || device == "cpu" || device == "cuda") return true;
    const std::string prefix = "cuda:";
    return device.starts_with(prefix) && device.size() > prefix.size() && device.size() <= prefix.size() + 3 &&
           device.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
}

std::string number(std::int64_t value) {
    return std::to_string(value);
}

void checkStream(const StreamOptions& stream, std::vector<std::string>& problems) {
    if (stream.partition == "imported") {
        // The list alone says how many sessions and which images there are.
        if (stream.index_list.empty()) {
            problems.push_back("stream.partition is imported, but stream.index_list names no file.");
        }
        return;
    }
    if (stream.train_limit > 0 && stream.train_limit < stream.sessions) {
        problems.push_back("stream.train_limit is " + number(stream.train_limit) + ", too few images for " +
                           number(stream.sessions) + " sessions.");
    }
    if (stream.sampler != "older") return;
    if (stream.partition != "stochastic") {
        problems.push_back("stream.partition is " + stream.partition +
                           ", but stream.sampler is older, which knows only stochastic.");
    } else if (stream.disjoint_percent > 100 || stream.blurry_percent > 100) {
        problems.push_back(
            std::string(stream.disjoint_percent > 100 ? "stream.disjoint_percent" : "stream.blurry_percent") +
            " is above 100, but stream.sampler is older, which knows only shares up to 100 %.");
    }
}

bool methodReads(const Experiment& experiment, const Option& option) {
    const std::vector<std::string>& readers = option.only_methods;
    return readers.empty() || std::find(readers.begin(), readers.end(), experiment.method.name) != readers.end();
}

/// Prompts that are named, but not loaded, would be a silent mistake.
void checkLoaded(const InitialSessionOptions& session, const MethodOptions& method, bool prompted,
                 std::vector<std::string>& problems) {
    if (!prompted || session.prompts == "none") return;
    for (const auto& [load, key, blocks] : {std::tuple{"general", "method.g_blocks", &method.g_blocks},
                                            std::tuple{"expert", "method.e_blocks", &method.e_blocks}}) {
        if (session.load == load && *blocks == "none") {
            problems.push_back("initial_session.load is " + session.load + ", but " + key +
                               " is none, so nothing would be loaded.");
        }
    }
}

/// Prompts and what belongs to them; `prompted`: the method has some.
void checkPrompts(const Experiment& experiment, bool prompted, std::vector<std::string>& problems) {
    const MethodOptions& method = experiment.method;
    bool general = true;
    try {
        general = !blockList("method.g_blocks", method.g_blocks).empty();
        const bool expert = !blockList("method.e_blocks", method.e_blocks).empty();
        if (prompted && !general && !expert) {
            problems.push_back(
                "method.g_blocks and method.e_blocks are both none, so no prompt is left; name a block, or choose the "
                "linear probe.");
        } else if (experiment.mask.name == "learnable" && !(prompted && expert)) {
            problems.push_back("mask.name is learnable, but " +
                               std::string(prompted ? "method.e_blocks is none" : "method.name is " + method.name) +
                               ", so there is no pool of prompts that its rows could belong to.");
        }
    } catch (const Error& error) {
        problems.push_back(error.sentence());
        return;
    }
    checkLoaded(experiment.initial_session, method, prompted, problems);
    if (!prompted || !method.shift_and_scale) return;
    if (!general) {
        problems.push_back("method.shift_and_scale is true, but method.g_blocks is none, so there is no general prompt "
                           "to shift and scale.");
    } else if (experiment.initial_session.prompts == "none") {
        problems.push_back(
            "method.shift_and_scale is true, but initial_session.prompts is none; it fits prompts that "
            "were learned before to the stream, so name them.");
    }
}

/// Why an option of the mask or of the prompts says nothing with the others as they are.
std::string idlePromptReason(const Experiment& experiment, const std::string& key) {
    const std::string& mask = experiment.mask.name;
    if (key == "mask.session_scope" && mask != "session") return "Only the session mask reads it.";
    if (key == "mask.form" && mask == "none") return "Without a mask nothing is hidden.";
    if (key == "method.g_length" && experiment.method.g_blocks == "none") return "There is no general prompt.";
    const bool expert = key == "method.e_length" || key == "method.pool_size" || key == "method.prompt_selection";
    return expert && experiment.method.e_blocks == "none" ? "There is no pool of prompts." : "";
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

/// Only FAM draws images of other classes.
bool takesOthers(const InitialSessionOptions& session) {
    return session.prompts != "naive" && session.prompts != "sam";
}

void checkInitialSession(const InitialSessionOptions& session, std::vector<std::string>& problems) {
    if (session.prompts.empty()) {
        problems.push_back(
            "initial_session.prompts is empty; write none, naive, sam, fam or the path of a file of prompts.");
    }
    if (session.dataset.empty()) {
        problems.push_back(
            "initial_session.dataset is empty; write the name of a data set or the path of a folder of images.");
    }
    if (session.sessions > session.classes) {
        problems.push_back("initial_session.sessions is " + number(session.sessions) + ", but there are only " +
                           number(session.classes) + " classes to share out (initial_session.classes).");
    }
    if (!takesOthers(session)) return;
    if (session.other_drawn > session.other_classes) {
        problems.push_back("initial_session.other_drawn is " + number(session.other_drawn) + ", but there are only " +
                           number(session.other_classes) + " other classes (initial_session.other_classes).");
    }
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

std::vector<std::string> OptionTable::problems(const Experiment& experiment) const {
    std::vector<std::string> problems;
    if (experiment.name.find_first_not_of(' ') == std::string::npos) {
        problems.push_back("name is empty; give the experiment a name.");
    }
    if (!isDevice(experiment.device)) {
        problems.push_back("device is \"" + experiment.device + "\", but must be auto, cpu, cuda or cuda:N.");
    }
    checkStream(experiment.stream, problems);
    if (experiment.memory.size > 0 && experiment.memory.batch_size == 0) {
        problems.push_back("memory.size is " + number(experiment.memory.size) +
                           ", but memory.batch_size is 0, so nothing would ever be replayed.");
    }
    if (experiment.training.cutmix && experiment.training.batch_size == 1 && experiment.memory.size == 0 &&
        idleReason(experiment, *find("training.cutmix")).empty()) {
        problems.push_back("training.cutmix is true, but with training.batch_size 1 and no memory there is no other image "
                           "to mix with.");
    }
    checkPrompts(experiment, methodReads(experiment, *find("method.e_blocks")), problems);
    if (experiment.backbone.weights.empty()) {
        problems.push_back("backbone.weights is empty; write embedded, random or the path of a file of weights.");
    }
    if (experiment.backbone.weights == "embedded" && experiment.backbone.name != "palimpsest-vit" &&
        experiment.backbone.name != "any") {
        problems.push_back("backbone.weights is embedded, but those weights are of palimpsest-vit, not of " +
                           experiment.backbone.name + "; write the path of its file, or random.");
    }
    if (experiment.backbone.weights == "random" && experiment.backbone.name == "any") {
        problems.push_back("backbone.name is any, so backbone.weights must be a file that says how large the network is.");
    }
    checkInitialSession(experiment.initial_session, problems);
    return problems;
}

std::string OptionTable::idleReason(const Experiment& experiment, const Option& option) const {
    if (option.section() == "stream") return idleStreamReason(experiment.stream, option.leaf());
    if (option.section() == "initial_session") {
        const std::string reason = idleAdaptationReason(experiment.initial_session, option.leaf());
        if (!reason.empty()) return reason;
    }
    const bool mixes = experiment.training.cutmix && option.key == "training.augment_scope" &&
                       idleReason(experiment, *find("training.cutmix")).empty();
    if (option.key == "training.augment_scope" && experiment.training.augment == "none" && !mixes) {
        return "Images stay as they are, so nothing is drawn.";
    }
    if (methodReads(experiment, option)) return idlePromptReason(experiment, option.key);
    const std::vector<std::string>& readers = option.only_methods;
    std::string names;
    for (std::size_t i = 0; i < readers.size(); ++i) {
        const auto known = std::find_if(catalogue_.methods.begin(), catalogue_.methods.end(),
                                        [&](const Choice& choice) { return choice.value == readers[i]; });
        names += (i == 0 ? "" : i + 1 == readers.size() ? " and " : ", ") +
                 (known == catalogue_.methods.end() ? readers[i] : known->title);
    }
    return "Only " + names + (readers.size() == 1 ? " reads it." : " read it.");
}

std::vector<std::string> OptionTable::idleNotes(const Experiment& experiment) const {
    const Experiment usual = defaults();
    std::vector<std::string> notes;
    for (const Option& option : options()) {
        const bool concerned = option.section() == "training" || option.section() == "method";
        if (!concerned || text(experiment, option) == text(usual, option)) continue;
        const std::string reason = idleReason(experiment, option);
        if (!reason.empty())
            notes.push_back(option.key + " is " + text(experiment, option) + ", which changes nothing here. " + reason);
    }
    return notes;
}

}  // namespace palimpsest
