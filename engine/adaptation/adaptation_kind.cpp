// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/adaptation/adaptation_kind.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/nearest_word.h"
#include "engine/support/utf8.h"

namespace palimpsest {

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

}  // namespace palimpsest
