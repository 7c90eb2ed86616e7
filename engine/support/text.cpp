// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/support/text.h"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace palimpsest {
namespace {

/// Bytes of the well-formed character at the front of a text that is not empty; 0 where there is none, or a control
/// character or one that turns the direction of writing.
std::size_t plainCharacter(std::string_view text) {
    const auto lead = static_cast<unsigned char>(text[0]);
    if (lead < 0x20 || lead == 0x7f) return 0;
    const std::size_t length = lead < 0x80         ? 1
                               : lead >> 5 == 0x6  ? 2
                               : lead >> 4 == 0xe  ? 3
                               : lead >> 3 == 0x1e ? 4
                                                   : 0;
    if (length == 0 || length > text.size()) return 0;
    std::uint32_t code = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) {
        const auto next = static_cast<unsigned char>(text[k]);
        if (next >> 6 != 0x2) return 0;
        code = code << 6 | (next & 0x3fu);
    }
    // Overlong forms, surrogates and C1 controls are not text.
    const std::uint32_t least[] = {0, 0, 0xa0, 0x800, 0x10000};
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return 0;
    // Separators of lines and paragraphs, embeddings, overrides and isolates: a name could show as another one.
    const bool turns = (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
    return turns ? 0 : length;
}

/// Bytes of the text up to `most` that end with a whole character: continuation bytes begin with the bits 10.
std::size_t wholeCharacters(std::string_view text, std::size_t most) {
    std::size_t end = std::min(most, text.size());
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80) --end;
    return end;
}

}  // namespace

bool isPlainLine(std::string_view text) {
    while (!text.empty()) {
        const std::size_t length = plainCharacter(text);
        if (length == 0) return false;
        text.remove_prefix(length);
    }
    return true;
}

std::string plainLine(std::string_view text) {
    std::string plain;
    while (!text.empty()) {
        const std::size_t length = plainCharacter(text);
        if (length == 0) {
            plain += '?';
        } else {
            plain += text.substr(0, length);
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return plain;
}

std::string asciiLowered(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = asciiLower(c);
    return lower;
}

std::string shortLine(std::string_view text) {
    constexpr std::size_t kMost = 100;
    if (text.size() <= kMost) return plainLine(text);
    return plainLine(text.substr(0, wholeCharacters(text, kMost))) + "...";
}

std::string plainSentence(std::string_view text) {
    constexpr std::size_t kMost = 4000;
    constexpr std::string_view kBlanks = " \t\n\v\f\r";
    std::string line;
    bool blank = false;
    while (!text.empty() && line.size() <= kMost) {
        if (kBlanks.find(text.front()) != std::string_view::npos) {
            // Two blanks in a row may be meant; a line end is one blank, whatever stands around it.
            if (text.front() != ' ')
                blank = true;
            else
                line += ' ';
            text.remove_prefix(1);
            continue;
        }
        if (blank && !line.empty() && line.back() != ' ') line += ' ';
        blank = false;
        const std::size_t length = plainCharacter(text);
        if (length == 0)
            line += '?';
        else
            line += text.substr(0, length);
        text.remove_prefix(length == 0 ? 1 : length);
    }
    if (line.size() > kMost || !text.empty()) return line.substr(0, wholeCharacters(line, kMost)) + "...";
    return line;
}

std::string slug(std::string_view name, std::size_t longest) {
    std::string text;
    for (const char c : name) {
        const char small = asciiLower(c);
        if ((small >= '0' && small <= '9') || (small >= 'a' && small <= 'z'))
            text += small;
        else if (!text.empty() && text.back() != '-')
            text += '-';
        if (text.size() == longest) break;
    }
    while (text.ends_with('-')) text.pop_back();
    return text;
}

std::string shellQuoted(std::string_view word) {
    // These stand behind a backslash outside the quotes: between single ones, fish reads a backslash as an escape, and
    // csh looks for commands of the past behind an exclamation mark; between double ones, csh keeps both backslashes.
    std::string quoted = "'";
    for (const char c : word) {
        if (c == '\'' || c == '\\' || c == '!') {
            quoted += "'\\";
            quoted += c;
            quoted += '\'';
        } else {
            quoted += c;
        }
    }
    return quoted + "'";
}

std::string shellWord(std::string_view word) {
    constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=+,@%-";
    const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
    return plain ? std::string(word) : shellQuoted(word);
}

std::string complaintOf(std::string_view text) {
    constexpr std::string_view kBegin = "palimpsest-cli: ";
    for (std::size_t at = text.rfind(kBegin); at != std::string_view::npos; at = text.rfind(kBegin, at - 1)) {
        if (at == 0 || text[at - 1] == '\n') {
            text.remove_prefix(at + kBegin.size());
            return plainSentence(text.substr(0, text.find('\n')));
        }
    }
    return {};
}

std::string enumeration(std::span<const std::string> words, std::string_view last) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) text += i + 1 == words.size() ? last : ", ";
        text += words[i];
    }
    return text;
}

std::size_t editDistance(std::string_view a, std::string_view b) {
    // Of the table of all beginnings of both words, three rows are enough.
    std::vector<std::size_t> older(b.size() + 1), last(b.size() + 1), cost(b.size() + 1);
    for (std::size_t i = 0; i <= a.size(); ++i) {
        std::swap(older, last);
        std::swap(last, cost);
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                cost[j] = i + j;
                continue;
            }
            cost[j] = std::min({last[j] + 1, cost[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[j] = std::min(cost[j], older[j - 2] + 1);
        }
    }
    return cost[b.size()];
}

std::string nearestWord(std::string_view word, std::span<const std::string> known) {
    // A distance takes time and memory in proportion to both lengths, and files hold words of any length.
    constexpr std::size_t kLongest = 200;
    if (word.size() > kLongest) return {};
    // Two of three letters wrong is another word.
    std::size_t best = (word.size() < 4 ? 1 : std::max<std::size_t>(2, word.size() / 3)) + 1;
    std::string nearest;
    for (const std::string& candidate : known) {
        // At least as many letters differ.
        const std::size_t longer = std::max(word.size(), candidate.size()),
                          shorter = word.size() + candidate.size() - longer;
        if (longer - shorter >= best) continue;
        const std::size_t distance = editDistance(word, candidate);
        // A word that shares no letter in place is no suggestion, however short both are.
        if (distance < best && distance < longer) {
            best = distance;
            nearest = candidate;
        }
    }
    return nearest;
}

std::string didYouMean(const std::string& near) {
    return near.empty() ? "" : ". Did you mean " + near + "?";
}

}  // namespace palimpsest
