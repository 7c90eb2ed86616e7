// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_processors.h"

#include <algorithm>

#include "engine/support/text.h"

namespace palimpsest {

std::vector<std::string> processorsIn(const Json& run) {
    std::vector<std::string> processors;
    const auto add = [&](const Json& from) {
        const auto model = from.is_object() ? from.find("processor") : from.end();
        if (model == from.end() || !model->is_string() || model->get_ref<const std::string&>().empty()) return;
        std::string name = plainSentence(model->get<std::string>());
        if (std::ranges::find(processors, name) == processors.end()) processors.push_back(std::move(name));
    };
    add(run);
    if (const auto resumed = run.find("resumed"); resumed != run.end() && resumed->is_array())
        for (const Json& one : *resumed) add(one);
    return processors;
}

bool continuedElsewhere(const std::vector<std::string>& processors, const std::string& device) {
    return processors.size() > 1 && device == "cpu";
}

}  // namespace palimpsest
