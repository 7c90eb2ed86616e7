// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_settings.h"

#include <algorithm>
#include <system_error>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// True for options that decide the result. The file of weights counts by its digest, wherever it lies; the prompts
/// that a run loads have no influence on how they are made.
bool decides(const Option& option) {
    return (option.section() == "initial_session" && option.key != "initial_session.load") || option.key == "seed" ||
           option.key == "training.augment_scope" ||
           (option.section() == "backbone" && option.key != "backbone.weights");
}

/// True for those options, and for the ones that choose the device and the network.
bool belongsToCommand(const Option& option, const Experiment& experiment) {
    const bool sharesFiles = experiment.initial_session.dataset == experiment.stream.dataset;
    return decides(option) || option.section() == "backbone" || option.section() == "method" ||
           option.key == "device" || option.key == "precision" || option.key == "threads" ||
           (sharesFiles && (option.key == "stream.dataset" || option.key == "stream.root"));
}

/// The text quoted as one word of a shell, if it needs it.
std::string word(const std::string& text) {
    constexpr const char* kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=./:,";
    if (!text.empty() && text.find_first_not_of(kPlain) == std::string::npos) return text;
    return shellQuoted(text);
}

}  // namespace

void checkAdaptationKind(const std::string& prompts) {
    const std::vector<std::string> words = {"naive", "sam", "fam", "none"};
    if (std::ranges::find(words, prompts) != words.end()) return;
    const std::filesystem::path place = prompts;
    std::error_code unreadable;
    if (place.has_parent_path() || place.has_extension() || std::filesystem::exists(place, unreadable)) return;
    const std::string near = nearestWord(prompts, words);
    throw inputError("initial_session.prompts is \"" + plainLine(prompts) + "\", which is no way to adapt prompts.",
                     near.empty() ? "Write naive, sam or fam." : "Did you mean " + near + "?");
}

Experiment withAdaptationKind(Experiment experiment) {
    std::string& prompts = experiment.initial_session.prompts;
    if (prompts != "naive" && prompts != "sam") prompts = "fam";
    return experiment;
}

AdaptationFacts adaptationOptions(const OptionTable& table, const Experiment& experiment) {
    AdaptationFacts facts;
    for (const Option& option : table.options())
        if (decides(option)) facts[option.key] = table.text(experiment, option);
    return facts;
}

std::string adaptationCommand(const OptionTable& table, const Experiment& experiment,
                              const std::filesystem::path& file) {
    const Experiment usual = table.defaults();
    std::string command = "palimpsest-cli isa default --out " + word(file.filename().string());
    for (const Option& option : table.options()) {
        const std::string value = table.text(experiment, option);
        if (belongsToCommand(option, experiment) && value != table.text(usual, option))
            command += " --set " + word(option.key + "=" + value);
    }
    return command;
}

}  // namespace palimpsest
