// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cctype>
#include <iostream>
#include <string_view>

#include "app/cli/output.h"
#include "app/commands/commands.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

/// Options that runs of this method use but those of some other method do not.
std::vector<const Option*> optionsOf(const OptionTable& table, const std::string& method) {
    std::vector<const Option*> found;
    for (const Option& option : table.options())
        if (!option.only_methods.empty() && table.concernsRun(method, option)) found.push_back(&option);
    return found;
}

Json described(const OptionTable& table, const Choice& method) {
    Json object = {{"name", method.value},    {"title", method.title},   {"help", method.help},
                   {"family", method.family}, {"stores", method.stores}, {"costs", method.costs},
                   {"paper", method.paper}};
    for (const Option* option : optionsOf(table, method.value)) {
        object["parameters"].push_back({{"key", option->key},
                                        {"default", toText(option->standard)},
                                        {"allowed", allowedText(*option)},
                                        {"help", option->help}});
    }
    return object;
}

std::string sentence(const std::string& text) {
    return text.ends_with('.') ? text : text + '.';
}

void printFamilies(const std::vector<Choice>& methods) {
    std::string family;
    for (const Choice& method : methods) {
        if (method.family != family) {
            std::cout << (family.empty() ? "" : "\n") << method.family << '\n';
            family = method.family;
        }
        std::cout << "  " << method.value << '\n' << wrapped(method.help, 6);
    }
    std::cout << "\n`palimpsest-cli methods NAME` says what a method stores and costs, and lists its options.\n";
}

void printMethod(const OptionTable& table, const Choice& method) {
    std::cout << method.title << '\n' << wrapped(method.help, 2);
    for (const auto& [heading, text] :
         {std::pair{"Stores", &method.stores}, std::pair{"Costs", &method.costs}, std::pair{"Paper", &method.paper}})
        std::cout << '\n' << heading << '\n' << wrapped(*text, 2);
    const std::vector<const Option*> options = optionsOf(table, method.value);
    std::cout << (options.empty() ? "\nIt has no options of its own.\n" : "\nOptions\n");
    for (const Option* option : options) {
        const std::string standard = toText(option->standard);
        std::cout << "  " << option->key << " = " << (standard.empty() ? "\"\"" : standard) << '\n'
                  << wrapped(option->help, 6);
        if (option->choices.empty()) {
            const std::string unit = option->unit.empty() ? "" : " " + option->unit;
            std::cout << wrapped(sentence("Allowed: " + allowedText(*option) + unit), 6);
        }
        for (const Choice& choice : option->choices)
            std::cout << wrapped(choice.value + ": " + sentence(choice.help), 8);
        if (!option->source.empty()) std::cout << wrapped(sentence("Source: " + option->source), 6);
    }
}

/// Name without case and punctuation: "EWC++", "ER-ACE" and "er ace" are accepted, too.
std::string plainName(std::string_view name) {
    std::string plain;
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        if (std::isalnum(byte) || c == '+') plain += static_cast<char>(std::tolower(byte));
    }
    return plain;
}

/// Similar methods, as in "ewcpp or online-ewc"; empty: none is similar.
std::string nearMethods(const std::string& plain, const std::vector<Choice>& methods) {
    constexpr std::size_t kLeast = 2, kMost = 4;  // fewest significant letters; most names to list
    std::vector<std::string> near, names, values;
    for (const Choice& method : methods) {
        for (const std::string& name : {plainName(method.value), plainName(method.title)}) {
            names.push_back(name);
            values.push_back(method.value);
        }
        const bool within =
            names.back().find(plain) != std::string::npos || names[names.size() - 2].find(plain) != std::string::npos;
        if (plain.size() >= kLeast && within && near.size() < kMost) near.push_back(method.value);
    }
    if (near.empty()) {
        const auto nearest = std::find(names.begin(), names.end(), nearestWord(plain, names));
        if (nearest == names.end()) return {};
        near.push_back(values[static_cast<std::size_t>(nearest - names.begin())]);
    }
    std::string text = near.front();
    for (std::size_t i = 1; i < near.size(); ++i) text += (i + 1 == near.size() ? " or " : ", ") + near[i];
    return text;
}

/// The method of that name or title, whatever the case. Throws Error(Input) that names the nearest ones.
const Choice& methodCalled(const std::string& name, const std::vector<Choice>& methods) {
    const std::string plain = plainName(name);
    for (const Choice& method : methods)
        if (method.value == name || plainName(method.value) == plain || plainName(method.title) == plain) return method;
    const std::string near = nearMethods(plain, methods);
    throw inputError("There is no method \"" + name + "\".",
                     near.empty() ? "`palimpsest-cli methods` lists all of them." : "Did you mean " + near + "?");
}

}  // namespace

void addMethods(CLI::App& app, Shell& shell) {
    struct Arguments {
        std::string name;
        bool json = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("methods", "List the methods, or show one with its options");
    command->add_option("name", given->name, "The method to show")->type_name("NAME");
    command->add_flag("--json", given->json, "Print one JSON object a line");
    shell.onChosen(*command, [&shell, command, given] {
        const bool one = command->count("name") > 0;
        const OptionTable& table = shell.table();
        const std::vector<Choice>& all = table.catalogue().methods;
        if (!one && !given->json) {
            printFamilies(all);
            return 0;
        }
        const std::vector<Choice> chosen = one ? std::vector{methodCalled(given->name, all)} : all;
        for (const Choice& method : chosen)
            given->json ? printLine(described(table, method)) : printMethod(table, method);
        return 0;
    });
}

}  // namespace palimpsest
