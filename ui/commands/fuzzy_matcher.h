// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>
#include <QStringList>
#include <optional>

namespace palimpsest {

/// Finds a title by a few of its letters. Every word of the query must be found: as the beginning of a word,
/// inside one, or spread over it from a word's first letter on ("lr" finds "Learning rate"). Case and order do not
/// matter.
class FuzzyMatcher {
public:
    struct Match {
        int score = 0;      ///< larger is nearer
        QList<int> places;  ///< of the letters found in the text, ascending, each once
    };

    explicit FuzzyMatcher(const QString& query);

    /// The query is empty: everything matches.
    bool isEmpty() const { return words_.isEmpty(); }
    std::optional<Match> match(const QString& text) const;
    /// The same where `more` has words that are not shown: they count less and have no places.
    std::optional<Match> match(const QString& text, const QString& more) const;
    /// The same without spreading a word's letters: for very many titles, where only whole words are meant.
    std::optional<Match> matchWords(const QString& text) const;

private:
    using Find = std::optional<Match> (*)(const QString& word, const QString& text);
    std::optional<Match> match(const QString& text, const QString& more, Find find) const;

    QStringList words_;
};

}  // namespace palimpsest
