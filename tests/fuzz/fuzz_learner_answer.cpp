// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cmath>

#include "engine/learner/learner_messages.h"
#include "engine/learner/learner_permit.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_learner_answer {

/// What a learner answers, the header of its logits, its command and its options.
FUZZ_TARGET(learner_answer, 3000) {
    fuzz::answers([&] {
        const Json answer = learnerAnswer(input, "The learner");
        fuzz::answers([&] {
            const LearnerObserved observed = learnerObserved(answer, "The learner");
            fuzz::require(std::isfinite(observed.loss), "a loss is finite");
            fuzz::require(observed.accuracy >= 0 && observed.accuracy <= 1, "an accuracy is a share");
        });
        const LearnerHello hello = learnerHello(answer, "The learner");
        fuzz::requireLine(hello.name);
        fuzz::require(hello.options.size() <= learner_limit::kOptions, "options are bounded");
        for (const Option& option : hello.options) fuzz::requireLines({option.title, option.help});
        const Json values = learnerOptionValues(hello, {});
        fuzz::require(values.size() == hello.options.size(), "each option has a value");
        // What was a default is allowed as a setting.
        for (const Option& option : hello.options) {
            if (toText(option.standard).find('"') != std::string::npos) continue;
            const std::array<std::pair<std::string, std::string>, 1> one{{{option.key, toText(option.standard)}}};
            fuzz::require(learnerOptionValues(hello, one) == values, "a default may be set");
        }
    });
    fuzz::answers([&] {
        const LogitsPlace place = logitsPlace(input, input.size() + 24, 2, 3, "The learner");
        fuzz::require(place.begin <= input.size(), "logits lie behind the header");
    });
    fuzz::answers([&] {
        const auto settings = learnerSettings("method.external_options", input);
        for (const auto& [key, value] : settings) fuzz::require(!key.empty(), "a setting has a key");
        const std::string text = learnerSettingsText(settings);
        fuzz::require(learnerSettings("method.external_options", text) == settings, "settings are written as read");
    });
    fuzz::answers([&] { fuzz::require(!commandWords(std::string(input)).empty(), "a command has words"); });
}

}  // namespace palimpsest::fuzz_learner_answer
