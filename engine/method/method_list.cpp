// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/method/builtin.h"
#include "engine/support/error.h"

namespace palimpsest {

const std::vector<MethodEntry>& methodList() {
    static const std::vector<MethodEntry> list = {
        {{"dualprompt", "DualPrompt", "Frozen backbone with a general prompt and a pool of expert prompts that learn."},
         makeDualPrompt},
        {{"linear-probe", "Linear probe", "Frozen backbone; only the linear head learns."}, makeLinearProbe},
        {{"finetune", "Fine-tuning", "Every parameter learns; the plainest way to forget."}, makeFinetune},
    };
    return list;
}

std::unique_ptr<Method> makeMethod(const MethodSetup& setup) {
    std::string known;
    for (const auto& entry : methodList()) {
        if (entry.choice.value == setup.method.name) return entry.make(setup);
        known += (known.empty() ? "" : ", ") + entry.choice.value;
    }
    throw inputError("There is no method \"" + setup.method.name + "\".", "Choose one of: " + known + ".");
}

}  // namespace palimpsest
