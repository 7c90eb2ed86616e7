// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/option_table.h"

#include <algorithm>
#include <utility>

#include "engine/config/option_sections.h"
#include "engine/config/option_value.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace {

std::vector<Option> declareOptions(const Catalogue& catalogue, const std::vector<MethodDeclaration>& methods) {
    using namespace option_sections;
    std::vector<Option> rows;
    addGeneral(rows);
    addStream(rows, catalogue);
    addBackbone(rows, catalogue);
    addMethods(rows, catalogue, methods);
    addMask(rows, catalogue);
    addInitialSession(rows, methods);
    addMemory(rows);
    addTraining(rows, methods);
    addEvaluation(rows);
    return rows;
}

/// The key whose last part begins with the words typed, the typed section's first: "stream.disjoint" begins
/// stream.disjoint_percent. Empty when there is none.
std::string begunWith(const std::vector<Option>& options, std::string_view key, std::string_view leaf) {
    std::string elsewhere;
    for (const Option& option : options) {
        if (!option.leaf().starts_with(std::string(leaf) + "_")) continue;
        if (std::string_view(option.key).starts_with(key)) return option.key;
        if (elsewhere.empty()) elsewhere = option.key;
    }
    return elsewhere;
}

}  // namespace

std::string Option::section() const {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

std::string Option::leaf() const {
    const std::size_t dot = key.find('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

bool Option::isReadBy(const std::string& method) const {
    return only_methods.empty() || std::find(only_methods.begin(), only_methods.end(), method) != only_methods.end();
}

OptionTable::OptionTable(Catalogue catalogue, const std::vector<MethodDeclaration>& methods)
    : catalogue_(std::move(catalogue)), methods_(&methods), options_(declareOptions(catalogue_, methods)) {}

const MethodDeclaration& OptionTable::method(const std::string& name) const {
    static const MethodDeclaration unknown{};
    const auto found =
        std::ranges::find_if(*methods_, [&](const MethodDeclaration& method) { return method.choice.value == name; });
    return found == methods_->end() ? unknown : *found;
}

const Option* OptionTable::find(std::string_view key) const {
    const auto found = std::find_if(options_.begin(), options_.end(), [&](const Option& o) { return o.key == key; });
    return found == options_.end() ? nullptr : &*found;
}

std::string OptionTable::nearest(std::string_view key) const {
    std::vector<std::string> keys;
    std::vector<std::string> leaves;
    for (const Option& option : options_) {
        keys.push_back(option.key);
        leaves.push_back(option.leaf());
    }
    // The right leaf in the wrong section, or without one, is the commonest slip.
    const std::string_view leaf = key.substr(key.rfind('.') == std::string_view::npos ? 0 : key.rfind('.') + 1);
    const std::string near = nearestWord(key, keys);
    if (!near.empty() && editDistance(key, near) <= 2) return near;
    // Among several such, a basic one comes before an expert one.
    const Option* same = nullptr;
    for (const Option& option : options_)
        if (option.leaf() == leaf && (!same || (same->level > option.level))) same = &option;
    if (same) return same->key;
    if (const std::string whole = begunWith(options_, key, leaf); !whole.empty()) return whole;
    if (!near.empty()) return near;
    const auto like = std::find(leaves.begin(), leaves.end(), nearestWord(leaf, leaves));
    return like == leaves.end() ? std::string() : keys[static_cast<std::size_t>(like - leaves.begin())];
}

Experiment OptionTable::defaults() const {
    Experiment experiment;
    for (const Option& option : options_) option.assign(experiment, option.standard);
    return experiment;
}

void OptionTable::set(Experiment& experiment, const Option& option, const OptionValue& value) const {
    OptionValue converted = value;
    const std::int64_t* whole = std::get_if<std::int64_t>(&value);
    if (option.type == OptionType::Real && whole) converted = static_cast<double>(*whole);
    if (!accepts(option, converted)) throw refusal(option, value);
    option.assign(experiment, converted);
}

void OptionTable::setText(Experiment& experiment, std::string_view key, std::string_view text) const {
    const Option* option = find(key);
    if (!option) {
        const std::string near = nearest(key);
        throw inputError("There is no option \"" + std::string(key) + "\".",
                         near.empty() ? "`palimpsest-cli options` lists all of them." : "Did you mean " + near + "?");
    }
    set(experiment, *option, interpreted(*option, text));
}

std::string OptionTable::text(const Experiment& experiment, const Option& option) const {
    return toText(option.get(experiment));
}

}  // namespace palimpsest
