// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/command_tree.h"

#include <algorithm>

namespace palimpsest {
namespace {

std::vector<std::string> dividedAt(const std::string& text, char separator) {
    std::vector<std::string> parts(1);
    for (const char c : text)
        if (c == separator)
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

ValueKind kindOf(const std::string& value) {
    static const std::map<std::string, ValueKind> kKinds = {
        {"KEY=VALUE", ValueKind::Setting},
        {"EXPERIMENT", ValueKind::Experiment},
        {"GRID", ValueKind::Grid},
        {"RUN|EXPERIMENT", ValueKind::Experiment},
        {"LESSON", ValueKind::Lesson},
        {"OTHER", ValueKind::Experiment},
        {"DIR", ValueKind::Folder},
        {"FOLDER", ValueKind::Folder},
        {"RUN", ValueKind::Folder},
        {"RUN|FOLDER", ValueKind::Folder},
        {"FILE|FOLDER", ValueKind::File},
        {"FILE", ValueKind::File},
        {"FILE.safetensors", ValueKind::File},
        {"TALK.toml", ValueKind::File},
        {"PATH", ValueKind::File},
        {"WEIGHTS", ValueKind::File},
    };
    const auto found = kKinds.find(value);
    return found == kKinds.end() ? ValueKind::Nothing : found->second;
}

/// Takes apart "NAME:{a,b}", as CLI11 writes a type and the words that it allows.
void readType(const std::string& type, DocumentedArgument& argument) {
    const std::size_t colon = type.find(':');
    argument.value = type.substr(0, colon);
    if (colon == std::string::npos) return;
    const std::string allowed = type.substr(colon + 1);
    if (allowed.starts_with('{') && allowed.ends_with('}')) {
        argument.words = dividedAt(allowed.substr(1, allowed.size() - 2), ',');
        argument.kind = ValueKind::Words;
        std::string list;
        for (const std::string& word : argument.words) list += (list.empty() ? "" : ", ") + word;
        argument.help = asSentence(argument.help) + " One of " + list + ".";
    }
}

DocumentedArgument documented(const CLI::Option& option, const std::string& command, const ArgumentWords& words) {
    DocumentedArgument argument;
    argument.help = option.get_description();
    argument.required = option.get_required();
    if (!option.get_positional()) {
        for (const std::string& name : option.get_snames()) argument.names.push_back("-" + name);
        for (const std::string& name : option.get_lnames()) argument.names.push_back("--" + name);
    }
    if (option.get_items_expected_max() > 0) readType(option.get_type_name(), argument);
    // A list is written "RUN..." where it stands by itself and "NAME,..." behind a flag.
    argument.many = !argument.isFlag() && argument.value.ends_with("...");
    std::string plain = argument.value;
    for (const std::string ending : {"...", ","})
        if (plain.ends_with(ending)) plain.resize(plain.size() - ending.size());
    if (argument.kind == ValueKind::Nothing) argument.kind = kindOf(plain);
    const std::string name = argument.isFlag() ? argument.names.back() : plain;
    if (const auto known = words.find(command + " " + name); known != words.end()) {
        argument.kind = ValueKind::Words;
        argument.words = known->second;
    }
    argument.help = asSentence(argument.help);
    return argument;
}

void add(const CLI::App& command, const std::vector<std::string>& path, const ArgumentWords& words,
         std::vector<DocumentedCommand>& all) {
    DocumentedCommand documentedOne;
    documentedOne.path = path;
    documentedOne.help = asSentence(command.get_description());
    documentedOne.footer = command.get_footer();
    documentedOne.needs_verb = command.get_require_subcommand_min() > 0;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_group().empty())
            documentedOne.arguments.push_back(documented(*option, documentedOne.name(), words));
    }
    const auto verbs = command.get_subcommands([](const CLI::App* verb) { return !verb->get_group().empty(); });
    for (const CLI::App* verb : verbs) documentedOne.verbs.push_back(verb->get_name());
    all.push_back(std::move(documentedOne));
    for (const CLI::App* verb : verbs) {
        std::vector<std::string> below = path;
        below.push_back(verb->get_name());
        add(*verb, below, words, all);
    }
}

}  // namespace

std::string asSentence(const std::string& text) {
    return text.empty() || text.ends_with('.') ? text : text + '.';
}

std::string DocumentedCommand::name() const {
    std::string text;
    for (const std::string& word : path) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::vector<DocumentedCommand> documentedCommands(const CLI::App& program, const ArgumentWords& words) {
    std::vector<DocumentedCommand> all;
    add(program, {}, words, all);
    return all;
}

}  // namespace palimpsest
