// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/config/option_table.h"
#include "engine/support/json.h"

namespace palimpsest {

namespace {

Json jsonOf(const OptionValue& value) {
    return std::visit([](const auto& plain) { return Json(plain); }, value);
}

std::string described(const Option& option) {
    std::string text = option.help;
    for (const Choice& choice : option.choices) text += "\n" + choice.value + ": " + choice.help;
    return text;
}

Json schemaOf(const Option& option) {
    Json schema;
    schema["title"] = option.title;
    schema["description"] = described(option);
    switch (option.type) {
        case OptionType::Boolean:
            schema["type"] = "boolean";
            break;
        case OptionType::Integer:
            schema["type"] = "integer";
            schema["minimum"] = static_cast<std::int64_t>(option.minimum);
            schema["maximum"] = static_cast<std::int64_t>(option.maximum);
            break;
        case OptionType::Real:
            schema["type"] = "number";
            schema["minimum"] = option.minimum;
            schema["maximum"] = option.maximum;
            break;
        case OptionType::Text:
            schema["type"] = "string";
            break;
        case OptionType::Choice:
            schema["type"] = "string";
            for (const Choice& choice : option.choices) schema["enum"].push_back(choice.value);
            break;
    }
    schema["default"] = jsonOf(option.standard);
    return schema;
}

std::string sentence(const std::string& text) {
    return text.ends_with('.') ? text : text + ".";
}

std::string rangeText(const Option& option) {
    if (option.type == OptionType::Choice) {
        std::string text;
        for (const Choice& choice : option.choices) text += (text.empty() ? "`" : ", `") + choice.value + "`";
        return text;
    }
    if (option.type == OptionType::Integer) {
        return toText(static_cast<std::int64_t>(option.minimum)) +
               (option.special.empty() ? "" : " (" + option.special + ")") + " to " +
               toText(static_cast<std::int64_t>(option.maximum)) + (option.unit.empty() ? "" : " " + option.unit);
    }
    if (option.type == OptionType::Real) return toText(option.minimum) + " to " + toText(option.maximum);
    return option.type == OptionType::Boolean ? "`true`, `false`" : "text";
}

}  // namespace

std::string OptionTable::jsonSchema() const {
    Json root;
    root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    root["title"] = "Palimpsest experiment";
    root["description"] = "Every key has a default; an unknown key is an error.";
    root["type"] = "object";
    root["additionalProperties"] = false;
    for (const Option& option : options_) {
        if (option.section().empty()) {
            root["properties"][option.leaf()] = schemaOf(option);
            continue;
        }
        Json& section = root["properties"][option.section()];
        if (section.is_null()) section = {{"type", "object"}, {"additionalProperties", false}};
        section["properties"][option.leaf()] = schemaOf(option);
    }
    return root.dump(2) + "\n";
}

std::string OptionTable::markdown() const {
    std::string page =
        "# Every option\n\nThe keys of an experiment file (TOML); every key has a default, an unknown key is an "
        "error.\n";
    std::string section = "-";
    for (const Option& option : options_) {
        if (option.section() != section) {
            section = option.section();
            page += section.empty() ? "\n## Top level\n" : "\n## [" + section + "]\n";
            page += "\n| Key | Default | Allowed | Meaning | Source |\n| --- | --- | --- | --- | --- |\n";
        }
        const std::string standard = toText(option.standard);
        page += "| `" + option.leaf() + "` | " + (standard.empty() ? "empty" : "`" + standard + "`") + " | " +
                rangeText(option) + " | " + option.help;
        for (const Choice& choice : option.choices) page += "<br>`" + choice.value + "`: " + sentence(choice.help);
        page += " | " + option.source + " |\n";
    }
    return page;
}

}  // namespace palimpsest
