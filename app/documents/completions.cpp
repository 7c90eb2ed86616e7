// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/completions.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "app/documents/window_flags.h"
#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {
namespace {

constexpr std::array kShells = {"bash", "zsh", "fish"};

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
    return out;
}

/// In single quotes of bash and zsh.
std::string quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
}

/// In single quotes of fish.
std::string quotedForFish(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += (c == '\'' || c == '\\' ? "\\" : "") + std::string(1, c);
    return out + "'";
}

/// The first sentence, which has room beside a word.
std::string brief(const std::string& help) {
    std::size_t end = 0;
    // A mark within a word, as in a key, ends nothing.
    while (end < help.size() && !(std::string(".;:").find(help[end]) != std::string::npos &&
                                  (end + 1 == help.size() || help[end + 1] == ' ' || help[end + 1] == '\n')))
        ++end;
    return help.substr(0, end);
}

std::string words(const char* name, const std::vector<std::string>& all) {
    return "    local " + std::string(name) + "=" + quoted(joined(all)) + "\n";
}

std::vector<std::string> flagsOf(const DocumentedCommand& command) {
    std::vector<std::string> flags;
    for (const DocumentedArgument& argument : command.arguments)
        flags.insert(flags.end(), argument.names.begin(), argument.names.end());
    return flags;
}

const DocumentedArgument* firstWord(const DocumentedCommand& command) {
    for (const DocumentedArgument& argument : command.arguments)
        if (!argument.isFlag()) return &argument;
    return nullptr;
}

std::vector<std::string> namesOfCommandsWithVerbs(const std::vector<DocumentedCommand>& commands) {
    std::vector<std::string> names;
    for (const DocumentedCommand& command : commands)
        if (!command.path.empty() && !command.verbs.empty()) names.push_back(command.name());
    return names;
}

std::vector<std::string> valuesOf(const WindowFlag& flag) {
    std::vector<std::string> values(1);
    for (const char* c = flag.value; *c; ++c)
        if (*c == '|')
            values.emplace_back();
        else
            values.back() += *c;
    return values.size() > 1 ? values : std::vector<std::string>{};
}

std::vector<std::string> windowFlags() {
    std::vector<std::string> flags;
    for (const WindowFlag& flag : kWindowFlags) flags.emplace_back(flag.flag);
    return flags;
}

// bash and zsh share the shape of the answer: a `case` of "command flag" for values, then one of "command" for its
// flags, its verbs and the word that stands by itself.

/// Bash code that offers a value: calls of _palimpsest_words, _palimpsest_files and _palimpsest_folders.
std::string bashValue(ValueKind kind, const std::vector<std::string>& own) {
    switch (kind) {
        case ValueKind::File:
            return "_palimpsest_files";
        case ValueKind::Folder:
            return "_palimpsest_folders";
        case ValueKind::Experiment:
            return "_palimpsest_words \"$presets\"; _palimpsest_files";
        case ValueKind::Grid:
            return "_palimpsest_words \"$grids\"; _palimpsest_files";
        case ValueKind::Lesson:
            return "_palimpsest_words \"$lessons\"; _palimpsest_files";
        case ValueKind::Setting:
            return "_palimpsest_words \"$settings\"";
        case ValueKind::Words:
            return "_palimpsest_words " + quoted(joined(own));
        case ValueKind::Nothing:
            break;
    }
    return ":";
}

std::string bashCases(const std::vector<DocumentedCommand>& commands) {
    std::string values, flags;
    for (const DocumentedCommand& command : commands) {
        for (const DocumentedArgument& argument : command.arguments) {
            if (!argument.isFlag() || argument.value.empty()) continue;
            std::string pattern;
            for (const std::string& name : argument.names)
                pattern += (pattern.empty() ? "" : " | ") + quoted(command.name() + " " + name);
            values += "        " + pattern + ") " + bashValue(argument.kind, argument.words) + "; return ;;\n";
        }
        flags += "        " + quoted(command.name()) + ")\n            [[ $current != -* ]] || { _palimpsest_words " +
                 quoted(joined(flagsOf(command))) + "; return; }\n";
        if (!command.verbs.empty()) flags += "            _palimpsest_words " + quoted(joined(command.verbs)) + "\n";
        if (const DocumentedArgument* word = firstWord(command))
            flags += "            " + bashValue(word->kind, word->words) + "\n";
        flags += "            ;;\n";
    }
    return "    case \"$command $previous\" in\n" + values + "    esac\n    case $command in\n" + flags + "    esac\n";
}

std::string bashWindow() {
    std::string cases;
    for (const WindowFlag& flag : kWindowFlags) {
        if (!*flag.value) continue;
        const std::vector<std::string> values = valuesOf(flag);
        const bool folder = std::string_view(flag.value) == "DIR";
        cases +=
            "        " + std::string(flag.flag) + ") " +
            (values.empty() ? (folder ? "_palimpsest_folders" : ":") : "_palimpsest_words " + quoted(joined(values))) +
            "; return ;;\n";
    }
    return "    case $previous in\n" + cases + "    esac\n    [[ $current != -* ]] || { _palimpsest_words " +
           quoted(joined(windowFlags())) + "; return; }\n    _palimpsest_words \"$presets\"\n    _palimpsest_files\n";
}

std::string bash(const std::vector<DocumentedCommand>& commands, const CompletionWords& given) {
    std::string out = R"(# SPDX-License-Identifier: GPL-3.0-or-later
# Completions of palimpsest-cli and palimpsest for bash, made by `palimpsest-cli documents completions bash`.

# The word before the cursor; what bash takes for a border within it ("=" and ":") belongs to it.
_palimpsest_line() {
    local line=${COMP_LINE:0:COMP_POINT}
    read -r -a typed <<< "$line"
    current=
    [[ $line == *[[:space:]] ]] || { current=${typed[-1]}; unset 'typed[-1]'; }
    previous=${typed[-1]-}
}

# Offers words; bash replaces only what is behind the last border, so the rest is taken off.
_palimpsest_words() {
    local word known=
    [[ $current != *=* || $COMP_WORDBREAKS != *=* ]] || known=${current%=*}=
    for word in $1; do
        [[ $word == "$current"* ]] && COMPREPLY+=("${word#"$known"}")
    done
    [[ ${#COMPREPLY[@]} -ne 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace 2>/dev/null
}

_palimpsest_files() {
    local word
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -f -- "${COMP_WORDS[COMP_CWORD]}")
}

_palimpsest_folders() {
    local word
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -d -- "${COMP_WORDS[COMP_CWORD]}")
}

_palimpsest_cli() {
    local typed current previous command word
    COMPREPLY=()
    _palimpsest_line
)";
    out += words("presets", given.presets) + words("grids", given.grids) + words("lessons", given.lessons) +
           words("settings", given.settings);
    out += "    local verbs=" + quoted(" " + joined(namesOfCommandsWithVerbs(commands)) + " ") + "\n";
    out += R"(    # The command is the first word, its verb the second where that command has verbs.
    command=
    [[ ${#typed[@]} -lt 2 ]] || command=${typed[1]}
    if [[ $verbs == *" $command "* && ${#typed[@]} -gt 2 && ${typed[2]} != -* ]]; then
        word="$command ${typed[2]}"
        case $word in
)";
    for (const DocumentedCommand& command : commands)
        if (command.path.size() > 1) out += "            " + quoted(command.name()) + ") command=$word ;;\n";
    out += R"(        esac
    fi
    [[ $command != -* ]] || command=
)" + bashCases(commands) +
           R"(}
complete -F _palimpsest_cli palimpsest-cli

_palimpsest() {
    local typed current previous
    COMPREPLY=()
    _palimpsest_line
)" + words("presets", given.presets) +
           bashWindow() + R"(}
complete -F _palimpsest palimpsest
)";
    return out;
}

/// In a specification of zsh's _arguments: brackets and colons have a meaning.
std::string zshText(const std::string& text) {
    std::string out;
    for (const char c : text) out += (c == '[' || c == ']' || c == ':' || c == '\\' ? "\\" : "") + std::string(1, c);
    return out;
}

std::string zshValue(const DocumentedArgument& argument) {
    switch (argument.kind) {
        case ValueKind::File:
            return "_files";
        case ValueKind::Folder:
            return "_files -/";
        case ValueKind::Experiment:
            return "_palimpsest_experiments";
        case ValueKind::Grid:
            return "_palimpsest_grids";
        case ValueKind::Lesson:
            return "_palimpsest_lessons";
        case ValueKind::Setting:
            return "_palimpsest_settings";
        case ValueKind::Words:
            return "(" + joined(argument.words) + ")";
        case ValueKind::Nothing:
            break;
    }
    return " ";
}

std::string zshSpecification(const DocumentedArgument& argument) {
    const std::string value = argument.value.empty() ? "" : ":" + zshText(argument.value) + ":" + zshValue(argument);
    if (!argument.isFlag()) return "            " + quoted((argument.many ? "*" : "") + std::string(value)) + " \\\n";
    std::string out;
    for (const std::string& name : argument.names)
        out += "            " + quoted("*" + name + "[" + zshText(brief(argument.help)) + "]" + value) + " \\\n";
    return out;
}

std::string zshList(const char* name, const std::vector<std::string>& all, const char* what) {
    return std::string(name) + "() {\n    local -a all=(" + joined(all) + ")\n    " + what + "\n}\n\n";
}

std::string zsh(const std::vector<DocumentedCommand>& commands, const CompletionWords& given) {
    std::string out = R"(#compdef palimpsest-cli palimpsest
# SPDX-License-Identifier: GPL-3.0-or-later
# Completions of palimpsest-cli and palimpsest for zsh, made by `palimpsest-cli documents completions zsh`.

)";
    out += zshList("_palimpsest_experiments", given.presets, "compadd -a all; _files");
    out += zshList("_palimpsest_grids", given.grids, "compadd -a all; _files");
    out += zshList("_palimpsest_lessons", given.lessons, "compadd -a all; _files");
    // Keys are followed by "=" and no blank.
    out += "_palimpsest_settings() {\n    local -a all=(";
    for (const std::string& setting : given.settings) out += "\n        " + quoted(setting);
    out += "\n    )\n    compadd -S '' -a all\n}\n\n";
    std::vector<std::string> withVerbs = namesOfCommandsWithVerbs(commands);
    out += "_palimpsest_command() {\n    case $1 in\n";
    for (const DocumentedCommand& command : commands) {
        if (command.path.empty()) continue;
        out += "        " + quoted(command.name()) + ")\n";
        if (!command.verbs.empty())
            out += "            local -a verbs=(" + joined(command.verbs) +
                   ")\n            (( CURRENT == 2 )) && compadd -a verbs\n";
        out += "            _arguments \\\n";
        for (const DocumentedArgument& argument : command.arguments) out += zshSpecification(argument);
        out += "            && return\n            ;;\n";
    }
    out += "    esac\n}\n\n_palimpsest_cli() {\n    local -a commands=(\n";
    for (const DocumentedCommand& command : commands)
        if (command.path.size() == 1)
            out += "        " + quoted(command.path[0] + ":" + zshText(brief(command.help))) + "\n";
    out += "    )\n    if (( CURRENT == 2 )); then\n        _describe command commands\n        compadd --";
    for (const std::string& flag : flagsOf(commands.front())) out += " " + flag;
    out += R"(
        return
    fi
    shift words
    (( CURRENT-- ))
    case "$words[1] $words[2]" in
)";
    for (const DocumentedCommand& command : commands)
        if (command.path.size() > 1)
            out += "        " + quoted(command.name()) +
                   ")\n            if (( CURRENT > 2 )); then\n                shift words\n                (( "
                   "CURRENT-- ))"
                   "\n                _palimpsest_command " +
                   quoted(command.name()) + "\n                return\n            fi\n            ;;\n";
    out += R"(    esac
    _palimpsest_command "$words[1]"
}

_palimpsest() {
    _arguments \
)";
    for (const WindowFlag& flag : kWindowFlags) {
        const std::vector<std::string> values = valuesOf(flag);
        std::string value;
        if (*flag.value)
            value = values.empty()
                        ? ":" + zshText(flag.value) + ":" + (std::string_view(flag.value) == "DIR" ? "_files -/" : " ")
                        : ":value:(" + joined(values) + ")";
        out += "        " + quoted(std::string(flag.flag) + "[" + zshText(brief(flag.help)) + "]" + value) + " \\\n";
    }
    out += R"(        ':what:_palimpsest_experiments'
}

case $service in
    palimpsest) _palimpsest "$@" ;;
    *) _palimpsest_cli "$@" ;;
esac
)";
    return out;
}

std::string fishValue(const DocumentedArgument& argument) {
    switch (argument.kind) {
        case ValueKind::File:
            return " -r -F";
        case ValueKind::Folder:
            return " -x -a '(__fish_complete_directories)'";
        case ValueKind::Experiment:
            return " -r -F -a \"$__palimpsest_presets\"";
        case ValueKind::Grid:
            return " -r -F -a \"$__palimpsest_grids\"";
        case ValueKind::Lesson:
            return " -r -F -a \"$__palimpsest_lessons\"";
        case ValueKind::Setting:
            return " -x -a \"$__palimpsest_settings\"";
        case ValueKind::Words:
            return " -x -a " + quotedForFish(joined(argument.words));
        case ValueKind::Nothing:
            break;
    }
    return " -x";
}

/// "-s h -l help".
std::string fishNames(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names)
        out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    return out;
}

std::string fish(const std::vector<DocumentedCommand>& commands, const CompletionWords& given) {
    std::string out = R"(# SPDX-License-Identifier: GPL-3.0-or-later
# Completions of palimpsest-cli and palimpsest for fish, made by `palimpsest-cli documents completions fish`.

)";
    for (const auto& [name, all] : {std::pair("presets", &given.presets),
                                    {"grids", &given.grids},
                                    {"lessons", &given.lessons},
                                    {"settings", &given.settings}})
        out += "set -g __palimpsest_" + std::string(name) + " " + quotedForFish(joined(*all)) + "\n";
    out += R"(
# The command line so far is that of this command, "runs" or "runs check"; none: of the program itself.
function __palimpsest_is
    set -l typed (commandline -opc)
    set -e typed[1]
    set -l verbs )" +
           joined(namesOfCommandsWithVerbs(commands)) + R"(
    set -l command
    if set -q typed[1]; and not string match -q -- '-*' $typed[1]
        set command $typed[1]
        if contains -- $command $verbs; and set -q typed[2]
            contains -- "$command $typed[2]" $__palimpsest_verbs; and set command "$command $typed[2]"
        end
    end
    test "$command" = "$argv"
end

complete -c palimpsest-cli -f
)";
    std::string known;
    for (const DocumentedCommand& command : commands)
        if (command.path.size() > 1) known += " " + quotedForFish(command.name());
    out += "set -g __palimpsest_verbs" + known + "\n";
    for (const DocumentedCommand& command : commands) {
        const std::string here = "complete -c palimpsest-cli -n " + quotedForFish("__palimpsest_is " + command.name());
        for (const std::string& verb : command.verbs) {
            const auto documented = std::find_if(commands.begin(), commands.end(), [&](const DocumentedCommand& other) {
                return other.path.size() == command.path.size() + 1 && other.path.back() == verb &&
                       std::equal(command.path.begin(), command.path.end(), other.path.begin());
            });
            out += here + " -a " + verb + " -d " + quotedForFish(brief(documented->help)) + "\n";
        }
        for (const DocumentedArgument& argument : command.arguments) {
            if (argument.isFlag())
                out += here + fishNames(argument.names) + (argument.value.empty() ? "" : fishValue(argument)) + " -d " +
                       quotedForFish(brief(argument.help)) + "\n";
            else if (argument.kind != ValueKind::Nothing) {
                // A word that stands by itself requires nothing behind it.
                std::string value = fishValue(argument);
                if (value.starts_with(" -r")) value = value.substr(3);
                if (value.starts_with(" -x")) value = " -f" + value.substr(3);
                out += here + value + "\n";
            }
        }
    }
    out += "\n";
    for (const WindowFlag& flag : kWindowFlags) {
        const std::vector<std::string> values = valuesOf(flag);
        std::string value = *flag.value ? " -x" : "";
        if (!values.empty())
            value += " -a " + quotedForFish(joined(values));
        else if (std::string_view(flag.value) == "DIR")
            value += " -a '(__fish_complete_directories)'";
        out +=
            "complete -c palimpsest" + fishNames({flag.flag}) + value + " -d " + quotedForFish(brief(flag.help)) + "\n";
    }
    out += "complete -c palimpsest -F -a \"$__palimpsest_presets\"\n";
    return out;
}

}  // namespace

std::span<const char* const> completionShells() {
    return kShells;
}

std::string completions(const std::string& shell, const std::vector<DocumentedCommand>& commands,
                        const CompletionWords& words) {
    if (shell == "bash") return bash(commands, words);
    if (shell == "zsh") return zsh(commands, words);
    if (shell == "fish") return fish(commands, words);
    const std::string near = nearestWord(shell, std::vector<std::string>(kShells.begin(), kShells.end()));
    throw inputError("There are no completions for \"" + shell + "\".",
                     "There are those for bash, zsh and fish." + (near.empty() ? "" : " Did you mean " + near + "?"));
}

}  // namespace palimpsest
