// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>

#include "app/cli/output.h"
#include "app/commands/commands.h"

namespace palimpsest {
namespace {

Json plain(const OptionValue& value) {
    return std::visit([](const auto& content) { return Json(content); }, value);
}

void printJson(const OptionTable& table) {
    for (const Option& option : table.options()) {
        Json row = {{"key", option.key},
                    {"title", option.title},
                    {"type", typeWord(option.type)},
                    {"default", plain(option.standard)}};
        if (option.type == OptionType::Integer || option.type == OptionType::Real) {
            row["minimum"] = option.minimum;
            row["maximum"] = option.maximum;
        }
        for (const Choice& choice : option.choices)
            row["choices"].push_back({{"value", choice.value}, {"title", choice.title}, {"help", choice.help}});
        row["unit"] = option.unit;
        row["help"] = option.help;
        row["source"] = option.source;
        row["level"] = option.level == OptionLevel::Basic ? "basic" : "expert";
        row["takes_effect"] = toText(option.effect);
        printLine(row);
    }
}

void printOptions(const OptionTable& table) {
    std::vector<std::pair<std::string, std::string>> rows;
    for (const Option& option : table.options()) {
        std::string text = option.help;
        if (option.type == OptionType::Choice) {
            std::string values;
            for (const Choice& choice : option.choices) values += (values.empty() ? "" : ", ") + choice.value;
            text += " (" + values + ")";
        } else if (option.type == OptionType::Integer) {
            text += " (" + toText(static_cast<std::int64_t>(option.minimum)) + " to " +
                    toText(static_cast<std::int64_t>(option.maximum)) + ")";
        } else if (option.type == OptionType::Real) {
            text += " (" + toText(option.minimum) + " to " + toText(option.maximum) + ")";
        }
        rows.emplace_back(option.key + " = " + toText(option.standard), text);
    }
    std::cout << twoColumns(rows);
}

}  // namespace

void addOptions(CLI::App& app, Shell& shell) {
    struct Arguments {
        bool json = false;
        bool schema = false;
        bool markdown = false;
    };
    auto given = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("options", "List every option with its default and what it allows");
    CLI::Option* json = command->add_flag("--json", given->json, "Print one JSON object a line");
    CLI::Option* schema = command->add_flag("--schema", given->schema, "Print the JSON Schema of an experiment file");
    command->add_flag("--markdown", given->markdown, "Print the reference page")->excludes(json)->excludes(schema);
    json->excludes(schema);
    shell.onChosen(*command, [&shell, given] {
        if (given->schema)
            std::cout << shell.table().jsonSchema();
        else if (given->markdown)
            std::cout << shell.table().markdown();
        else
            given->json ? printJson(shell.table()) : printOptions(shell.table());
        return 0;
    });
}

}  // namespace palimpsest
