// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

/// The words that an experiment file writes for the values of an enum, in the enum's order.
template <class Enum, std::size_t N>
struct EnumWords {
    const char* noun;  ///< of such a value, for errors
    std::array<std::string_view, N> words;

    /// Absent for an unknown word.
    constexpr std::optional<Enum> find(std::string_view word) const {
        const auto found = std::find(words.begin(), words.end(), word);
        return found == words.end() ? std::nullopt : std::optional(static_cast<Enum>(found - words.begin()));
    }
    /// Throws Error(Input) for an unknown word.
    Enum at(std::string_view word) const {
        if (const std::optional<Enum> value = find(word)) return *value;
        throw inputError("There is no " + std::string(noun) + " called \"" + std::string(word) + "\".",
                         "Choose " + enumeration(std::vector<std::string>(words.begin(), words.end()), " or ") + ".");
    }
};

/// The classes that a training step may see, see MaskPolicy.
enum class MaskKind {
    None,
    Seen,
    Batch,
    Session,
    Learnable,  ///< the seen classes; the method weighs their logits by a row of weights a prompt (MVP; MISA)
};
inline constexpr EnumWords<MaskKind, 5> kMaskKinds{"mask", {"none", "seen", "batch", "session", "learnable"}};

/// The logit of a hidden class.
enum class MaskForm {
    Additive,        ///< minus infinity: probability exactly 0, no gradient (MISA, methods/dualprompt.py)
    Multiplicative,  ///< 0, so that it still competes with exp 0 = 1 (the paper's product, read literally)
};
inline constexpr EnumWords<MaskForm, 2> kMaskForms{"form of masks", {"additive", "multiplicative"}};

/// Division of the classes among the sessions. Ordered and OneClass are the official sampler's modes beyond 100 % under
/// names of their own; an Imported stream is read from a file (index_list.h) instead of planned.
enum class Partition { Stochastic, Uniform, Ordered, OneClass, Imported };
inline constexpr EnumWords<Partition, 5> kPartitions{"partition",
                                                     {"stochastic", "uniform", "ordered", "one-class", "imported"}};

/// Version of the sampler. Current: MISA's, which keeps every class. Older: Si-Blurry's, which rounds the number of
/// blurry classes down to a multiple of the sessions too and drops the others; it has only the stochastic partition.
enum class Sampler { Current, Older };
inline constexpr EnumWords<Sampler, 2> kSamplers{"sampler", {"current", "older"}};

}  // namespace palimpsest
