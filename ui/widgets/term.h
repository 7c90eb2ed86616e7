// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>

namespace palimpsest {

/// Words of the field that the window explains where they stand.
enum class Term { Disjoint, Blurry, EffectiveClasses, Logit, Push, Prompt, Anytime, Forgetting };

inline constexpr std::array kTerms{Term::Disjoint, Term::Blurry, Term::EffectiveClasses, Term::Logit,
                                   Term::Push,     Term::Prompt, Term::Anytime,          Term::Forgetting};

struct TermText {
    QString name;     ///< stable: "disjoint"
    QString title;    ///< "Disjoint class"
    QString text;     ///< two or three sentences
    QString page;     ///< of the guide, where there is more to read: "stream"
    QString section;  ///< a heading of that page as links name it: "how-it-is-made"
    QString words;    ///< further ones that it is looked for by
};

TermText textOf(Term term);

}  // namespace palimpsest
