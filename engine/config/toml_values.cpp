// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/toml_values.h"

#include <algorithm>

#include "engine/support/error.h"

namespace palimpsest {

std::string withoutStop(std::string sentence) {
    if (sentence.ends_with('.') || sentence.ends_with('?')) sentence.pop_back();
    return sentence;
}

toml::table parsedToml(std::string_view text, const std::string& origin) {
    try {
        return toml::parse(text, origin);
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        throw inputError(origin + ", line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
                             ": this is not TOML (" + withoutStop(std::string(error.description())) + ").",
                         "Correct that line.");
    }
}

std::optional<OptionValue> optionValue(const toml::node& node) {
    if (const auto* flag = node.as_boolean()) return flag->get();
    if (const auto* whole = node.as_integer()) return whole->get();
    if (const auto* real = node.as_floating_point()) return real->get();
    if (const auto* text = node.as_string()) return text->get();
    return std::nullopt;
}

void throwProblems(const std::string& origin, std::vector<TomlProblem> problems, const std::string& hint) {
    if (problems.empty()) return;
    std::stable_sort(problems.begin(), problems.end(),
                     [](const TomlProblem& a, const TomlProblem& b) { return a.line < b.line; });
    std::string sentence = origin;
    for (const TomlProblem& problem : problems) {
        sentence += (&problem == &problems.front() ? ", line " : "; line ") + std::to_string(problem.line) + ": " +
                    problem.sentence;
    }
    throw inputError(sentence + ".", hint);
}

}  // namespace palimpsest
