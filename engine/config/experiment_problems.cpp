// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "engine/config/block_list.h"
#include "engine/config/option_table.h"
#include "engine/config/stream_edit.h"
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

void checkEdits(const StreamOptions& stream, std::vector<std::string>& problems) {
    try {
        for (const StreamEdit& edit : editList(stream.edits)) {
            // An imported list has a number of sessions of its own.
            if (std::max(edit.from, edit.to) < stream.sessions || stream.partition == "imported") continue;
            problems.push_back("stream.edits has \"" + toText(edit) + "\", but there are only " +
                               number(stream.sessions) + " sessions (stream.sessions).");
            return;
        }
    } catch (const Error& error) {
        problems.push_back(error.sentence());
    }
}

void checkStream(const StreamOptions& stream, std::vector<std::string>& problems) {
    checkEdits(stream, problems);
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

bool isOneOf(const std::string& word, std::initializer_list<const char*> words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Methods whose memory is a part of them.
bool bringsItsMemory(const std::string& method) {
    return isOneOf(method, {"derpp", "clib"});
}

/// Methods whose mask is a part of them.
bool bringsItsMask(const std::string& method) {
    return method == "er-ace";
}

/// Prompts that are named, but not loaded, would be a silent mistake.
void checkLoaded(const InitialSessionOptions& session, const MethodOptions& method,
                 std::vector<std::string>& problems) {
    if (session.prompts == "none" || !isOneOf(method.name, {"dualprompt", "mvp"})) return;
    for (const auto& [load, key, blocks] : {std::tuple{"general", "method.g_blocks", &method.g_blocks},
                                            std::tuple{"expert", "method.e_blocks", &method.e_blocks}}) {
        if (session.load == load && *blocks == "none") {
            problems.push_back("initial_session.load is " + session.load + ", but " + key +
                               " is none, so nothing would be loaded.");
        }
    }
}

/// Prompts and what belongs to them.
void checkPrompts(const Experiment& experiment, std::vector<std::string>& problems) {
    const MethodOptions& method = experiment.method;
    const bool dual = method.name == "dualprompt", random = experiment.initial_session.prompts == "none";
    bool general = true, expert = true;
    try {
        general = !blockList("method.g_blocks", method.g_blocks).empty();
        expert = !blockList("method.e_blocks", method.e_blocks).empty();
    } catch (const Error& error) {
        problems.push_back(error.sentence());
        return;
    }
    checkLoaded(experiment.initial_session, method, problems);
    const bool learnable = experiment.mask.name == "learnable";
    if (dual && !general && !expert) {
        problems.push_back(
            "method.g_blocks and method.e_blocks are both none, so no prompt is left; name a block, or choose the "
            "linear probe.");
    } else if (dual && !expert && learnable) {
        problems.push_back(
            "mask.name is learnable, but method.e_blocks is none, so there is no pool of prompts that its "
            "rows could belong to.");
    } else if (!dual && learnable) {
        problems.push_back("mask.name is learnable, but method.name is " + method.name +
                           ", and only DualPrompt learns it" +
                           (method.name == "mvp" ? "; MVP has a mask of that kind itself (method.mvp_mask)." : "."));
    }
    if (method.name == "mvp" && !expert)
        problems.push_back("method.e_blocks is none, but MVP chooses from a pool of prompts; name a block.");
    if (method.name == "l2p" && !random && !general)
        problems.push_back(
            "initial_session.prompts names prompts, of which L2P takes the general one, but "
            "method.g_blocks is none; name the blocks they were made for.");
    if (!dual || !method.shift_and_scale) return;
    if (!general) {
        problems.push_back(
            "method.shift_and_scale is true, but method.g_blocks is none, so there is no general prompt "
            "to shift and scale.");
    } else if (random) {
        problems.push_back(
            "method.shift_and_scale is true, but initial_session.prompts is none; it fits prompts that "
            "were learned before to the stream, so name them.");
    }
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

void checkMemory(const Experiment& experiment, std::vector<std::string>& problems) {
    const std::string& method = experiment.method.name;
    const MemoryOptions& memory = experiment.memory;
    if (method == "clib" && memory.size == 0) {
        problems.push_back(
            "memory.size is 0, but CLIB learns from its memory alone; give it one, such as memory.size 500.");
    }
    if (memory.kind == "uncertainty" && method != "rainbow-memory") {
        problems.push_back(
            "memory.kind is uncertainty, which only Rainbow Memory (method.name rainbow-memory) can do; "
            "choose auto, reservoir or balanced.");
    }
}

/// Sizes that leave a part of the method without anything to learn from.
void checkShares(const Experiment& experiment, std::vector<std::string>& problems) {
    const MethodOptions& method = experiment.method;
    const StreamOptions& stream = experiment.stream;
    // Only the list says how many sessions and images an imported stream has; the method refuses those itself.
    if (stream.partition == "imported") return;
    if (method.name == "coda-prompt" && method.pool_size < stream.sessions) {
        problems.push_back("method.pool_size is " + number(method.pool_size) +
                           ", but CODA-Prompt opens new components of its pool in each of " + number(stream.sessions) +
                           " sessions (stream.sessions); make it at least " + number(stream.sessions) + ".");
    }
    if (method.name == "fly-prompt" && stream.train_limit > 0 && method.fly_experts > stream.train_limit) {
        problems.push_back("method.fly_experts is " + number(method.fly_experts) +
                           ", but FlyPrompt's experts share out a stream of at most " + number(stream.train_limit) +
                           " images (stream.train_limit); make it at most " + number(stream.train_limit) + ".");
    }
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
    checkMemory(experiment, problems);
    checkShares(experiment, problems);
    if (experiment.training.cutmix && experiment.training.batch_size == 1 && experiment.memory.size == 0 &&
        idleReason(experiment, *find("training.cutmix")).empty()) {
        problems.push_back(
            "training.cutmix is true, but with training.batch_size 1 and no memory there is no other "
            "image to mix with.");
    }
    checkPrompts(experiment, problems);
    const MethodOptions& method = experiment.method;
    if (method.name == "l2p" && method.l2p_selected > method.pool_size) {
        problems.push_back("method.l2p_selected is " + number(method.l2p_selected) + ", but the pool has only " +
                           number(method.pool_size) + " prompts (method.pool_size).");
    }
    if (find("method.calibration")->isReadBy(method.name) && method.calibration != "none" &&
        method.calibration_file.empty()) {
        problems.push_back("method.calibration is " + method.calibration +
                           ", but method.calibration_file names no covariance.");
    }
    if (experiment.backbone.weights.empty()) {
        problems.push_back("backbone.weights is empty; write embedded, random or the path of a file of weights.");
    }
    if (experiment.backbone.weights == "embedded" && experiment.backbone.name != "palimpsest-vit" &&
        experiment.backbone.name != "any") {
        problems.push_back("backbone.weights is embedded, but those weights are of palimpsest-vit, not of " +
                           experiment.backbone.name + "; write the path of its file, or random.");
    }
    if (experiment.backbone.weights == "random" && experiment.backbone.name == "any") {
        problems.push_back(
            "backbone.name is any, so backbone.weights must be a file that says how large the network "
            "is.");
    }
    checkInitialSession(experiment.initial_session, problems);
    return problems;
}

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

std::vector<std::string> OptionTable::methodNotes(const Experiment& experiment) const {
    const std::string& method = experiment.method.name;
    std::vector<std::string> notes;
    if (experiment.memory.size == 0 && isOneOf(method, {"er", "er-ace", "derpp", "rainbow-memory"})) {
        notes.push_back("memory.size is 0, so nothing is replayed; this is a linear probe" +
                        std::string(method == "er-ace" ? " with the mask of ER-ACE." : "."));
    }
    if (experiment.memory.size > 0 && method == "lwf") {
        notes.push_back("memory.size is " + number(experiment.memory.size) +
                        ", so past images join every batch; LwF itself, paper and code, has no memory.");
    }
    if (method == "l2p" && experiment.initial_session.prompts != "none" &&
        experiment.method.l2p_length < experiment.method.g_length) {
        notes.push_back("method.l2p_length is " + number(experiment.method.l2p_length) + " and method.g_length " +
                        number(experiment.method.g_length) +
                        ", so L2P takes the first tokens of each block of the initial prompt and drops the rest; make "
                        "them equal to take all.");
    }
    const std::int64_t official = 3 * experiment.training.batch_size;
    if (experiment.training.updates_per_batch < official && isOneOf(method, {"finetune", "rainbow-memory", "clib"})) {
        notes.push_back("The published code of this method makes " + number(official) +
                        " updates on each batch, where others make 3; training.updates_per_batch makes " +
                        number(experiment.training.updates_per_batch) + " here.");
    }
    if (isOneOf(method, {"ewcpp", "online-ewc"}) && !experiment.method.ewc_train_backbone) {
        notes.push_back("method.ewc_train_backbone is false, so there is nothing to hold back; only the head learns.");
    }
    const std::int64_t features = experiment.method.random_features;
    if (features > 4096 && idleReason(experiment, *find("method.random_features")).empty()) {
        notes.push_back("method.random_features is " + number(features) + ", so the run keeps sums of " +
                        number(features * features / 250'000) +
                        " MB and solves as many equations for each evaluation, which takes a processor some seconds; "
                        "1000 features take hardly any time.");
    }
    return notes;
}

}  // namespace palimpsest
