// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/toml_values.h"

#include <algorithm>

#include "engine/support/error.h"

namespace palimpsest {

namespace {

/// Most parts of a key such as "training.learning_rate" or of a header; ours have two. The parser makes a table for
/// each, and takes some of the stack for each.
constexpr int kMostKeyParts = 20;
constexpr std::size_t kMostProblems = 20;  // in one sentence

/// Place behind a quoted text that begins at `at`: 'a', "a", '''a''' or """a""".
std::size_t behindQuoted(std::string_view text, std::size_t at) {
    const char quote = text[at];
    const std::string_view three = text.substr(at, 3);
    const bool many = three == std::string(3, quote);
    const std::size_t width = many ? 3 : 1;
    for (std::size_t i = at + width; i < text.size(); ++i) {
        if (text[i] == '\\' && quote == '"')
            ++i;
        else if (text[i] == '\n' && !many)
            return i;
        else if (text.substr(i, width) == three.substr(0, width))
            // The last of five quotes in a row ends a text that has two of them at its end.
            return many ? std::min({text.find_first_not_of(quote, i), i + 5, text.size()}) : i + 1;
    }
    return text.size();
}

/// Throws Error(Input) for a key of more parts than kMostKeyParts, wherever it stands.
void requireShortKeys(std::string_view text, const std::string& origin) {
    int parts = 1;
    std::int64_t line = 1;
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        if (c == '"' || c == '\'') {
            const std::size_t end = behindQuoted(text, i);
            line += std::count(text.begin() + static_cast<std::ptrdiff_t>(i),
                               text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
            i = end;
            continue;
        }
        if (c == '#') {
            i = std::min(text.find('\n', i), text.size());
            continue;
        }
        if (c == '.') {
            if (++parts > kMostKeyParts)
                throw inputError(origin + ", line " + std::to_string(line) + ": a key has more than " +
                                     std::to_string(kMostKeyParts) + " parts.",
                                 "Correct that line.");
        } else if (c == '=' || c == ',' || c == '\n' || c == '[' || c == ']' || c == '{' || c == '}') {
            parts = 1;
        }
        if (c == '\n') ++line;
        ++i;
    }
}

}  // namespace

std::string withoutStop(std::string sentence) {
    if (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

toml::table parsedToml(std::string_view text, const std::string& origin) {
    requireShortKeys(text, origin);
    try {
        return toml::parse(text, origin);
    } catch (const toml::parse_error& error) {
        const toml::source_position at = error.source().begin;
        throw inputError(origin + ", line " + std::to_string(at.line) + ", column " + std::to_string(at.column) +
                             ": this is not TOML (" + withoutStop(std::string(error.description())) + ").",
                         "Correct that line.");
    }
}

void addProblem(std::vector<TomlProblem>& problems, std::uint32_t line, std::string sentence) {
    constexpr std::size_t kMost = 1000;
    if (problems.size() == kMost) throw TooManyProblems();
    problems.push_back({line, std::move(sentence)});
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
    const std::size_t left_out = problems.size() - std::min(problems.size(), kMostProblems);
    problems.resize(problems.size() - left_out);
    for (const TomlProblem& problem : problems) {
        const bool first = &problem == &problems.front();
        sentence += (first                     ? ", line "
                     : sentence.ends_with('?') ? " Line "
                                               : "; line ") +
                    std::to_string(problem.line) + ": " + problem.sentence;
    }
    if (left_out > 0) sentence += (sentence.ends_with('?') ? " And " : "; and ") + std::to_string(left_out) + " more";
    throw inputError(sentence + (sentence.ends_with('?') ? "" : "."), hint);
}

}  // namespace palimpsest
