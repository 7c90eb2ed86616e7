// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/fuzzy_matcher.h"

#include <algorithm>
#include <vector>

namespace palimpsest {
namespace {

// Beginning of the text, of a word, inside a word, spread: in this order, whatever the length.
constexpr int kFirst = 140, kWord = 110, kInside = 70, kSpread = 30;
constexpr int kNext = 6, kNewWord = 5, kAfterGap = -2;  // of each further letter that is spread
constexpr int kElsewhere = 20;                          // for a word that is found in what is not shown
constexpr int kLeastSpread = 0;                         // below that the letters are there by chance

bool beginsWord(const QString& text, qsizetype place) {
    return text[place].isLetterOrNumber() && (place == 0 || !text[place - 1].isLetterOrNumber());
}

void addRange(FuzzyMatcher::Match& match, qsizetype from, qsizetype length) {
    for (qsizetype i = 0; i < length; ++i) match.places.append(static_cast<int>(from + i));
}

/// The best way to spread `word` over `text`, its first letter at the beginning of a word.
std::optional<FuzzyMatcher::Match> spread(const QString& word, const QString& text) {
    constexpr int kNever = -100000;
    const auto letters = static_cast<std::size_t>(word.size()), places = static_cast<std::size_t>(text.size());
    if (letters < 2 || letters > places) return {};
    // best[i][j]: the score of the letters up to i, with letter i at place j; from[i][j]: where letter i - 1 stands
    // then.
    std::vector<std::vector<int>> best(letters, std::vector<int>(places, kNever)), from = best;
    for (std::size_t j = 0; j < places; ++j)
        if (text[static_cast<qsizetype>(j)] == word[0] && beginsWord(text, static_cast<qsizetype>(j)))
            best[0][j] = kSpread;
    for (std::size_t i = 1; i < letters; ++i)
        for (std::size_t j = i; j < places; ++j) {
            if (text[static_cast<qsizetype>(j)] != word[static_cast<qsizetype>(i)]) continue;
            const int fresh = beginsWord(text, static_cast<qsizetype>(j)) ? kNewWord : kAfterGap;
            for (std::size_t k = i - 1; k < j; ++k) {
                const int score = best[i - 1][k] + (k + 1 == j ? kNext : fresh);
                if (best[i - 1][k] == kNever || score <= best[i][j]) continue;
                best[i][j] = score;
                from[i][j] = static_cast<int>(k);
            }
        }
    const auto last = std::max_element(best.back().begin(), best.back().end());
    if (*last < kSpread + kLeastSpread) return {};
    FuzzyMatcher::Match match{*last, {}};
    auto place = static_cast<int>(last - best.back().begin());
    for (std::size_t i = letters; i-- > 0;) {
        match.places.prepend(place);
        place = from[i][static_cast<std::size_t>(place)];
    }
    return match;
}

std::optional<FuzzyMatcher::Match> findWhole(const QString& word, const QString& text) {
    FuzzyMatcher::Match match;
    qsizetype inside = -1;
    for (qsizetype at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
        if (at == 0 || beginsWord(text, at)) {
            match.score = at == 0 ? kFirst : kWord;
            addRange(match, at, word.size());
            return match;
        }
        if (inside < 0) inside = at;
    }
    if (inside < 0) return {};
    match.score = kInside;
    addRange(match, inside, word.size());
    return match;
}

std::optional<FuzzyMatcher::Match> findAnyhow(const QString& word, const QString& text) {
    const auto whole = findWhole(word, text);
    return whole ? whole : spread(word, text);
}

}  // namespace

FuzzyMatcher::FuzzyMatcher(const QString& query)
    : words_(query.toLower().simplified().split(' ', Qt::SkipEmptyParts)) {}

std::optional<FuzzyMatcher::Match> FuzzyMatcher::match(const QString& text) const {
    return match(text, {});
}

std::optional<FuzzyMatcher::Match> FuzzyMatcher::match(const QString& text, const QString& more) const {
    return match(text, more, findAnyhow);
}

std::optional<FuzzyMatcher::Match> FuzzyMatcher::matchWords(const QString& text) const {
    return match(text, {}, findWhole);
}

std::optional<FuzzyMatcher::Match> FuzzyMatcher::match(const QString& text, const QString& more, Find find) const {
    const QString low = text.toLower(), hidden = more.toLower();
    Match whole;
    for (const QString& word : words_) {
        if (const auto found = find(word, low)) {
            whole.score += found->score;
            whole.places += found->places;
        } else if (hidden.contains(word)) {
            whole.score += kElsewhere;
        } else {
            return {};
        }
    }
    std::sort(whole.places.begin(), whole.places.end());
    whole.places.erase(std::unique(whole.places.begin(), whole.places.end()), whole.places.end());
    // The shorter of two that are found alike is nearer to what was typed.
    whole.score -= static_cast<int>(std::min<qsizetype>(text.size(), 80) / 4);
    return whole;
}

}  // namespace palimpsest
