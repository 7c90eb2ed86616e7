// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>
#include <vector>

#include "engine/config/option_table.h"

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

}  // namespace

std::vector<std::string> OptionTable::problems(const Experiment& experiment) const {
    std::vector<std::string> problems;
    if (experiment.name.find_first_not_of(' ') == std::string::npos) {
        problems.push_back("name is empty; give the experiment a name.");
    }
    if (!isDevice(experiment.device)) {
        problems.push_back("device is \"" + experiment.device + "\", but must be auto, cpu, cuda or cuda:N.");
    }
    if (experiment.stream.train_limit > 0 && experiment.stream.train_limit < experiment.stream.sessions) {
        problems.push_back("stream.train_limit is " + number(experiment.stream.train_limit) + ", too few images for " +
                           number(experiment.stream.sessions) + " sessions.");
    }
    if (experiment.memory.size > 0 && experiment.memory.batch_size == 0) {
        problems.push_back("memory.size is " + number(experiment.memory.size) +
                           ", but memory.batch_size is 0, so nothing would ever be replayed.");
    }
    if (experiment.backbone.weights.empty()) {
        problems.push_back("backbone.weights is empty; write embedded, random or the path of a .safetensors file.");
    }
    if (experiment.initial_session.prompts.empty()) {
        problems.push_back("initial_session.prompts is empty; write none or the path of a .safetensors file.");
    }
    return problems;
}

}  // namespace palimpsest
