// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "engine/config/block_list.h"
#include "engine/config/option_table.h"
#include "engine/config/option_words.h"
#include "engine/config/stream_edit.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace {

using namespace option_words;

bool isDevice(const std::string& device) {
    if (device == "auto" || device == "cpu" || device == "cuda") return true;
    const std::string prefix = "cuda:";
    return device.starts_with(prefix) && device.size() > prefix.size() && device.size() <= prefix.size() + 3 &&
           device.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
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

}  // namespace palimpsest
