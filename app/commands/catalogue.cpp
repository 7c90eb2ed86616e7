// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <iostream>

#include "app/commands/commands.h"
#include "app/json_output.h"
#include "app/text_format.h"
#include "datasets/image_dataset.h"

namespace palimpsest {

namespace {

/// The options that a method reads and others do not.
std::vector<const Option*> parametersOf(const OptionTable& table, const std::string& section,
                                        const std::string& choice) {
    std::vector<const Option*> found;
    for (const Option& option : table.options()) {
        const auto& only = option.only_methods;
        if (section == "method" && std::find(only.begin(), only.end(), choice) != only.end()) found.push_back(&option);
    }
    return found;
}

Json described(const Choice& choice) {
    Json object = {{"name", choice.value}, {"title", choice.title}, {"help", choice.help}};
    if (choice.family.empty()) return object;
    object["family"] = choice.family;
    object["stores"] = choice.stores;
    object["costs"] = choice.costs;
    object["paper"] = choice.paper;
    return object;
}

std::string sentences(const Choice& choice) {
    const std::string text = choice.title + ". " + choice.help;
    if (choice.family.empty()) return text;
    return text + " Stores: " + choice.stores + " Costs: " + choice.costs + " " + choice.paper + ".";
}

void print(const OptionTable& table, const std::vector<Choice>& choices, const std::string& section, bool json) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Choice& choice : choices) {
        Json object = described(choice);
        rows.emplace_back(choice.value, sentences(choice));
        for (const Option* option : parametersOf(table, section, choice.value)) {
            object["parameters"].push_back(
                {{"key", option->key}, {"default", toText(option->standard)}, {"help", option->help}});
            rows.emplace_back("", option->key + " = " + toText(option->standard) + ": " + option->help);
        }
        if (json) printLine(object);
    }
    if (!json) std::cout << twoColumns(rows);
}

/// 0: known only once it is opened.
std::string countText(std::int64_t count) {
    return count > 0 ? grouped(count) : "as many as its files hold";
}

void printDatasets(bool json) {
    for (const DatasetInfo& info : datasetCatalogue()) {
        if (json) {
            printLine({{"name", info.name},
                       {"title", info.title},
                       {"help", info.summary},
                       {"origin", info.origin},
                       {"licence", info.licence},
                       {"classes", info.classes},
                       {"train", info.train},
                       {"test", info.test},
                       {"procedural", info.procedural}});
            continue;
        }
        std::cout << info.name << ": " << info.title << ". " << info.summary << "\n"
                  << twoColumns(
                         {{"  Classes", countText(info.classes)},
                          {"  Images",
                           "for training " + countText(info.train) + ", for testing " + countText(info.test)},
                          {"  Origin", info.origin},
                          {"  Licence", info.licence}});
    }
}

void add(CLI::App& app, const char* name, const char* help, Shell& shell, std::function<void(bool json)> printAll) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand(name, help);
    command->add_flag("--json", *json, "Print one JSON object a line");
    command->callback([&shell, json, printAll] {
        shell.action = [json, printAll] {
            printAll(*json);
            return 0;
        };
    });
}

}  // namespace

void addMethods(CLI::App& app, Shell& shell) {
    add(app, "methods", "List the methods and their options", shell,
        [&shell](bool json) { print(shell.table(), shell.table().catalogue().methods, "method", json); });
}

void addMasks(CLI::App& app, Shell& shell) {
    add(app, "masks", "List the logit masks", shell, [&shell](bool json) {
        const OptionTable& table = shell.table();
        print(table, table.catalogue().masks, "mask", json);
        if (json) return;
        // A mask has more settings than its name.
        std::vector<std::pair<std::string, std::string>> rows;
        for (const Option& option : table.options()) {
            if (option.section() != "mask" || option.key == "mask.name") continue;
            std::string choices;
            for (const Choice& known : option.choices) choices += (choices.empty() ? "" : ", ") + known.value;
            rows.emplace_back(option.key, option.help + " One of " + choices + ".");
        }
        std::cout << "\n" << twoColumns(rows);
    });
}

void addDatasets(CLI::App& app, Shell& shell) {
    add(app, "datasets", "List the data sets with origin and licence", shell, printDatasets);
}

}  // namespace palimpsest
