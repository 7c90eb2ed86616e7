// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/config/option_table.h"

namespace palimpsest {

/// Families of methods, neighbours in the list that offers them.
namespace method_family {
inline constexpr const char* kPrompts = "Prompts";
inline constexpr const char* kHead = "A head alone";
inline constexpr const char* kReplay = "A head and a memory";
inline constexpr const char* kBackbone = "The backbone itself";
inline constexpr const char* kOwn = "Your own";
}  // namespace method_family

/// Rows of options stand group by group, within a group in the order of the methods.
enum class OptionGroup {
    Features,     ///< prompts, and heads on features of a network that stays as it is
    Calibration,  ///< calibration of features
    Backbone,     ///< options of learning in the backbone
    Past,         ///< distillation and replay of what was learned or seen before
};

/// Problems of an experiment by what they are about, since they are listed in the order of the form.
struct MethodProblems {
    std::vector<std::string> memory;
    std::vector<std::string> stream;           ///< sizes that do not suit it
    std::vector<std::string> initial_prompts;  ///< prompts to begin with
    std::vector<std::string> options;          ///< the method's own, and how they go with others
};

/// Options that several methods read. Their rows stand where the first of these methods names them.
struct SharedOptions {
    OptionGroup group = OptionGroup::Features;
    std::vector<Option> rows{};
    /// Values that cannot be read at all, a problem whichever the method.
    std::vector<std::string> (*malformed)(const Experiment&) = nullptr;
    /// Problems of a method that reads them.
    std::vector<std::string> (*problems)(const Experiment&) = nullptr;
    /// As MethodDeclaration::idleReason.
    std::string (*idleReason)(const Experiment&, const std::string& key) = nullptr;
};

/// A row of the method's own, or the place of shared ones.
using MethodOption = std::variant<Option, const SharedOptions*>;

/// Prompts learned before that a method can begin with.
enum class InitialPrompts { None, General, GeneralAndExpert };
/// CutMix in a method's official code; `Origin`: this program has it from there.
enum class CutMixUse { Unknown, Known, Origin };

/// Everything that is known of a method without LibTorch: how it is offered, its options, and what it reports on an
/// experiment. Sentences are whole; functions may be absent.
struct MethodDeclaration {
    Choice choice;  ///< `value`: its name in experiment files
    OptionGroup group = OptionGroup::Features;
    std::vector<MethodOption> options{};

    InitialPrompts initial_prompts = InitialPrompts::None;
    CutMixUse cut_mix = CutMixUse::Unknown;
    bool knows_sam = false;             ///< can follow SAM's gradient
    bool own_memory = false;            ///< keeps one itself, whatever memory.kind says
    bool knows_uncertainty = false;     ///< can fill a memory by the network's uncertainty
    bool learns_mask = false;           ///< knows the learnable mask
    std::string learnable_mask_hint{};  ///< end of the sentence that refuses the learnable mask; may be empty
    std::string no_mask{};              ///< reason that no mask changes anything; empty: masks do
    std::string own_mask{};             ///< reason that mask.name changes nothing; empty: it matters
    bool only_told_mask = false;        ///< learns outside this program, which cannot know what it does with the mask
    std::string own_learning_rate{};    ///< reason that it cannot be changed during a run; empty: it can

    void (*problems)(const Experiment&, MethodProblems&) = nullptr;
    /// The reason that the option `key` changes nothing with the others as they are; empty: it matters.
    std::string (*idleReason)(const Experiment&, const std::string& key) = nullptr;
    /// The same of an option that matters for initial session adaptation, but not for a run.
    std::string (*idleInRunReason)(const Experiment&, const std::string& key) = nullptr;
    /// Facts on the method with the options as they are, in a sentence each.
    std::vector<std::string> (*notes)(const Experiment&) = nullptr;
};

/// Every method, in the order in which they are offered: those of engine/method_options/all_methods.inc, whose folder
/// defines this function.
const std::vector<MethodDeclaration>& methodDeclarations();

/// The shared options that a method reads, in its order.
std::vector<const SharedOptions*> sharedOptionsOf(const MethodDeclaration& method);

/// Names of the methods with a property, in their order.
template <class Property>
std::vector<std::string> methodsWith(const std::vector<MethodDeclaration>& methods, Property property) {
    std::vector<std::string> names;
    for (const MethodDeclaration& method : methods)
        if (property(method)) names.push_back(method.choice.value);
    return names;
}

}  // namespace palimpsest
