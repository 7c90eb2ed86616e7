// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_table.h"

#include <algorithm>
#include <cctype>

namespace palimpsest {
namespace {

constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.";

/// Titles are the same whatever can be chosen.
const OptionTable& knownOptions() {
    static const OptionTable table{Catalogue{}};
    return table;
}

bool sameLetter(char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
}

bool endsWith(std::string_view text, std::string_view words) {
    if (text.size() < words.size()) return false;
    const std::string_view end = text.substr(text.size() - words.size());
    const bool whole = text.size() == words.size() || text[text.size() - words.size() - 1] == ' ';
    return whole && std::equal(end.begin(), end.end(), words.begin(), sameLetter);
}

/// Part of a path or of a setting as the command line reads it.
bool isWritten(std::string_view before, std::string_view after) {
    return before.ends_with('/') || after.starts_with('/') || after.starts_with('=');
}

/// " is 0" of an option whose 0 means something; 0 may be the beginning of a longer number.
bool saysNought(const Option& option, std::string_view after) {
    constexpr std::string_view kNought = " is 0";
    if (option.special.empty() || option.minimum != 0 || !after.starts_with(kNought)) return false;
    after.remove_prefix(kNought.size());
    if (after.starts_with('.')) after.remove_prefix(1);
    return after.empty() || !std::isdigit(static_cast<unsigned char>(after.front()));
}

}  // namespace

std::string inTitles(std::string_view sentence) {
    std::string text;
    while (!sentence.empty()) {
        std::string_view word = sentence.substr(0, std::min(sentence.find_first_not_of(kLetters), sentence.size()));
        if (word.empty()) {
            text += sentence.front();
            sentence.remove_prefix(1);
            continue;
        }
        while (word.ends_with('.')) word.remove_suffix(1);
        word = word.empty() ? sentence.substr(0, 1) : word;
        std::string_view after = sentence.substr(word.size());
        // "name" is a word like others.
        const Option* option = word.find('.') == std::string_view::npos ? nullptr : knownOptions().find(word);
        if (!option || isWritten(text, after)) {
            text += word;
        } else if (text.ends_with(" (") && after.starts_with(')') &&
                   endsWith(std::string_view(text).substr(0, text.size() - 2), option->title)) {
            text.resize(text.size() - 2);
            after.remove_prefix(1);
        } else {
            text += option->title;
            if (saysNought(*option, after)) {
                text += " is " + option->special;
                after.remove_prefix(std::string_view(" is 0").size());
            }
        }
        sentence = after;
    }
    return text;
}

}  // namespace palimpsest
