// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace palimpsest {

/// Well-formed UTF-8 without control characters, line separators and marks that turn the direction of writing: what a
/// TOML file, a JSON file, a figure and a terminal can all carry.
bool isPlainLine(std::string_view text);
/// The text with a question mark for every byte that isPlainLine() refuses: file names may hold anything.
std::string plainLine(std::string_view text);
/// The same, cut off where it is longer than a message can bear.
std::string shortLine(std::string_view text);
/// Words of a file or a library as they may reach a terminal, the window and a report: one plain line, with a blank in
/// place of line ends and tabs, and no more than 4,000 bytes of it.
std::string plainSentence(std::string_view text);

/// The text without those characters around it.
constexpr std::string_view trimmed(std::string_view text, std::string_view around = " \t") {
    const std::size_t first = text.find_first_not_of(around);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(around) - first + 1);
}
/// A to Z become a to z whatever the locale; any other byte, also one of UTF-8, stays.
constexpr char asciiLower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
/// The same for every byte of a text.
std::string asciiLowered(std::string_view text);
/// A name as part of a file name: "DualPrompt, batch mask" -> "dualprompt-batch-mask". Empty without a letter or digit.
std::string slug(std::string_view name, std::size_t longest);
/// The word in quotes that make sh, bash, zsh, ksh, fish, csh and tcsh read it as one word, whatever it holds, but for
/// a line break, which csh cannot read in a word; also a text that holds such words.
std::string shellQuoted(std::string_view word);
/// The word itself where no shell needs quotes for it, else shellQuoted().
std::string shellWord(std::string_view word);
/// The sentence of the last line in which palimpsest-cli complains; empty: there is none. `text`: its standard error,
/// or a log of all that it put out.
std::string complaintOf(std::string_view text);
/// "A, B and C"; " or " is the other last separator.
std::string enumeration(std::span<const std::string> words, std::string_view last = " and ");

/// Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other.
std::size_t editDistance(std::string_view a, std::string_view b);
/// The word the user most likely meant; empty when none is near (more than a third of the letters differ; two may, of
/// fewer than four only one) and for one of more than 200 bytes.
std::string nearestWord(std::string_view word, std::span<const std::string> known);
/// ". Did you mean NEAR?", to follow a sentence without its full stop; empty where nothing is near.
std::string didYouMean(const std::string& near);

}  // namespace palimpsest
