// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/manual_pages.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "app/documents/window_flags.h"

namespace palimpsest {
namespace {

using Rows = std::vector<std::pair<std::string, std::string>>;

/// The characters that man's language means otherwise, and those that it would print as typographic ones.
std::string characters(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '\\':
                out += "\\e";
                break;
            case '-':
                out += "\\-";
                break;
            case '\'':
                out += "\\(aq";
                break;
            case '~':
                out += "\\(ti";
                break;
            case '^':
                out += "\\(ha";
                break;
            case '`':
                out += "\\(ga";
                break;
            default:
                out += c;
        }
    }
    return out;
}

/// A full stop in the first column begins a request.
std::string noRequest(const std::string& line) {
    return line.starts_with('.') ? "\\&" + line : line;
}

std::string escaped(const std::string& text) {
    return noRequest(characters(text));
}

std::string bold(const std::string& text) {
    return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(const std::string& text) {
    return "\\fI" + escaped(text) + "\\fR";
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

std::string head(const std::string& name, int section, const std::string& what, const std::string& kind) {
    const std::string number = std::to_string(section);
    return ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"
           ".\\\" Made by `palimpsest-cli documents man " +
           name + "`.\n.TH " + escaped(upper(name)) + " " + number + " \"\" \"palimpsest " PALIMPSEST_VERSION "\" \"" +
           kind + "\"\n.SH NAME\n" + escaped(name) + " \\- " + escaped(what) + "\n";
}

std::string section(const std::string& title) {
    return ".SH " + title + "\n";
}

std::string paragraph(const std::string& text) {
    return ".PP\n" + roffText(text) + "\n";
}

/// A term and what is said of it; `term` is in man's language already.
std::string tagged(const std::string& term, const std::string& text) {
    return ".TP\n" + term + "\n" + roffText(text) + "\n";
}

std::string example(const std::string& lines) {
    std::string out = ".PP\n.in +4n\n.nf\n";
    std::size_t from = 0;
    while (from < lines.size()) {
        const std::size_t end = lines.find('\n', from);
        out += escaped(lines.substr(from, end - from)) + "\n";
        if (end == std::string::npos) break;
        from = end + 1;
    }
    return out + ".fi\n.in\n";
}

/// Lines that begin with blanks are a table, kept as it is; the others are sentences, a paragraph each.
std::string footerText(const std::string& footer) {
    std::string out, sentence, table;
    const auto endSentence = [&] {
        if (!sentence.empty()) out += paragraph(std::exchange(sentence, {}));
    };
    const auto endTable = [&] {
        if (!table.empty()) out += example(std::exchange(table, {}));
    };
    std::size_t from = 0;
    while (from < footer.size()) {
        const std::size_t end = std::min(footer.find('\n', from), footer.size());
        const std::string line = footer.substr(from, end - from);
        from = end + 1;
        if (line.starts_with(' ')) {
            endSentence();
            table += line + "\n";
            continue;
        }
        endTable();
        sentence += (sentence.empty() ? "" : " ") + line;
        if (line.ends_with('.') || line.ends_with(':')) endSentence();
    }
    endSentence();
    endTable();
    return out;
}

std::string term(const DocumentedArgument& argument) {
    std::string out;
    for (const std::string& name : argument.names) out += (out.empty() ? "" : ", ") + bold(name);
    if (!argument.value.empty()) out += (out.empty() ? "" : " ") + italic(argument.value);
    return out;
}

std::string usage(const DocumentedCommand& command) {
    std::string out = bold("palimpsest-cli");
    if (!command.path.empty()) out += " " + bold(command.name());
    for (const DocumentedArgument& argument : command.arguments)
        if (!argument.isFlag())
            out += " " + std::string(argument.required ? "" : "[") + italic(argument.value) +
                   (argument.required ? "" : "]");
    for (const DocumentedArgument& argument : command.arguments)
        if (argument.isFlag() && argument.required) out += " " + term(argument);
    if (!command.verbs.empty()) {
        std::string verbs;
        for (const std::string& verb : command.verbs) verbs += (verbs.empty() ? "" : "|") + bold(verb);
        out += command.needs_verb ? " " + verbs : " [" + verbs + "]";
    }
    return out + " [\\fIoptions\\fR]";
}

std::string environment() {
    const Rows rows = {
        {"PALIMPSEST_RUNS", "The folder of runs, instead of the user's own."},
        {"PALIMPSEST_RESOURCES",
         "The folder of presets, networks and the guide, instead of that which belongs to the program."},
        {"PALIMPSEST_ENGINE",
         "The learning engine, a file or its folder, instead of that which belongs to the program."},
        {"XDG_DATA_HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME",
         "Where the user's data, what can be made again, and settings are kept."},
        {"https_proxy, http_proxy, all_proxy, no_proxy", "The proxy, when a data set is fetched."},
    };
    std::string out = section("ENVIRONMENT");
    for (const auto& [name, text] : rows) out += tagged(bold(name), text);
    return out;
}

std::string files() {
    // The guide is named by where Debian's packages put it: a page must not depend on where it was made.
    const Rows rows = {
        {"~/.local/share/palimpsest/runs", "Runs, a folder of plain files each. Nothing removes them but their owner."},
        {"/usr/share/palimpsest/presets", "The experiments that come with the program."},
        {"/usr/share/palimpsest/docs", "The guide, which the window shows under Help."},
    };
    std::string out = section("FILES");
    for (const auto& [name, text] : rows) out += tagged(italic(name), text);
    return out;
}

std::string seeAlso(const std::vector<std::pair<std::string, int>>& pages) {
    std::string text = section("SEE ALSO");
    for (std::size_t i = 0; i < pages.size(); ++i)
        text += ".BR " + escaped(pages[i].first) + " (" + std::to_string(pages[i].second) + ")" +
                (i + 1 < pages.size() ? "," : "") + "\n";
    return text;
}

std::string presetRows(const std::vector<Preset>& presets) {
    std::string out;
    for (const Preset& preset : presets)
        out += tagged(bold(preset.name), preset.summary.empty() ? preset.title + "." : preset.summary);
    return out;
}

std::string smallest(const Option& option) {
    return option.type == OptionType::Integer ? toText(static_cast<std::int64_t>(option.minimum))
                                              : toText(option.minimum);
}

std::string typeText(const Option& option) {
    switch (option.type) {
        case OptionType::Boolean:
            return "true or false";
        case OptionType::Text:
            return "text";
        default:
            break;
    }
    std::string text = allowedText(option);
    if (!option.special.empty()) text += ", where " + smallest(option) + " is " + option.special;
    return text;
}

std::string optionEntry(const Option& option) {
    const bool words = std::holds_alternative<std::string>(option.standard);
    const std::string quote = words ? "\"" : "";
    std::string out = ".TP\n" + bold(option.leaf()) + " = " + escaped(quote + toText(option.standard) + quote) + "\n";
    out += roffText(asSentence(option.help)) + "\n";
    if (option.choices.empty()) {
        const std::string unit = option.unit.empty() ? "" : " (" + option.unit + ")";
        out += ".br\n" + roffText("Allowed: " + asSentence(typeText(option) + unit)) + "\n";
    }
    if (!option.choices.empty()) {
        out += ".RS\n";
        for (const Choice& choice : option.choices)
            out += ".TP\n" + bold(choice.value) + "\n" +
                   roffText(asSentence(choice.help.empty() ? choice.title : choice.help)) + "\n";
        out += ".RE\n";
    }
    if (!option.source.empty()) out += ".IP\n" + roffText("Source: " + asSentence(option.source)) + "\n";
    return out;
}

}  // namespace

std::string roffText(const std::string& text) {
    std::string out;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t open = text.find('`', from);
        const std::size_t close = open == std::string::npos ? open : text.find('`', open + 1);
        if (close == std::string::npos) {
            out += characters(text.substr(from));
            break;
        }
        out += characters(text.substr(from, open - from)) + "\\fB" +
               characters(text.substr(open + 1, close - open - 1)) + "\\fR";
        from = close + 1;
    }
    std::replace(out.begin(), out.end(), '\n', ' ');
    return noRequest(out);
}

std::string commandLinePage(const std::vector<DocumentedCommand>& commands) {
    std::string page =
        head("palimpsest-cli", 1, "watch a neural network learn from a stream, on the command line", "User commands");
    page += section("SYNOPSIS") + ".B palimpsest\\-cli\n.I COMMAND\n[\\fIarguments\\fR]\n";
    page += section("DESCRIPTION");
    page += std::string(kProgramSummary) + ".\n";
    page += paragraph(
        "`palimpsest-cli` runs the same experiments as the window, `palimpsest`, with the same numbers, and needs no "
        "display. An experiment is a file, a run folder or the name of a preset. Every command explains itself with "
        "`--help`.");
    page += example(
        "palimpsest-cli run default --set seed=2 --out runs/batch-2\n"
        "palimpsest-cli run no-mask --set seed=2 --out runs/none-2\n"
        "palimpsest-cli report runs --out report");
    page += section("COMMANDS");
    for (const DocumentedCommand& command : commands) {
        page += ".SS " + (command.path.empty() ? "The program itself" : escaped(command.name())) + "\n";
        if (!command.path.empty()) page += usage(command) + "\n";
        if (!command.path.empty()) page += paragraph(command.help);
        for (const DocumentedArgument& argument : command.arguments)
            if (command.path.empty() || argument.names != std::vector<std::string>{"-h", "--help"})
                page += tagged(term(argument), argument.help.empty() ? "See above." : argument.help);
        page += footerText(command.footer);
    }
    page += section("EXIT STATUS") + tagged("\\fB0\\fR", "Done, or stopped and kept.") +
            tagged("\\fB1\\fR", "A run failed or was thrown away, or a check did not pass.") +
            tagged("\\fB2\\fR", "The input was wrong, or something could not be written. One sentence says what.");
    page += environment() + files() + seeAlso({{"palimpsest", 1}, {"palimpsest-experiment", 5}});
    return page;
}

std::string windowPage(const std::vector<Preset>& presets) {
    std::string page = head("palimpsest", 1, "watch a neural network learn from a stream", "User commands");
    page += section("SYNOPSIS") + ".B palimpsest\n[\\fIWHAT\\fR]\n[\\fIoptions\\fR]\n";
    page += section("DESCRIPTION") + (std::string(kProgramSummary) + ".\n");
    page += paragraph(
        "WHAT is a run folder, a folder of images with one folder for each class, an experiment file "
        "(palimpsest-experiment(5)) or the name of a preset. Without it, what was open last comes back. The guide "
        "is under Help.");
    page += section("OPTIONS");
    for (const WindowFlag& flag : kWindowFlags) {
        std::string help = flag.help;
        help.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(help.front())));
        page += tagged(bold(flag.flag) + (*flag.value ? " " + italic(flag.value) : ""), help + ".");
    }
    page += section("PRESETS") + presetRows(presets);
    page += section("EXIT STATUS") + tagged("\\fB0\\fR", "Done.") +
            tagged("\\fB2\\fR", "The input was wrong, or there is no display. One sentence says what.");
    page += environment() + files() + seeAlso({{"palimpsest-cli", 1}, {"palimpsest-experiment", 5}});
    return page;
}

std::string experimentPage(const OptionTable& table, const std::vector<Preset>& presets) {
    std::string page = head("palimpsest-experiment", 5, "experiment files of Palimpsest", "File formats");
    page += section("DESCRIPTION");
    page += roffText(
                "An experiment file says what a network learns, in which order, by which method, and when it is "
                "tested. It is written in TOML. Every key has a default, so a file need only hold what differs; an "
                "unknown key is an error that names the nearest one. `palimpsest-cli run FILE --set KEY=VALUE` "
                "changes a key for once; there a key is written with its section, as in `stream.sessions`.") +
            "\n";
    page += paragraph(
        "A file that is called `experiment.toml`, or whose name ends in `.palimpsest.toml`, is opened by the window "
        "with a double click.");
    page += section("EXAMPLE") + example(
                                     "name = \"Ten sessions\"\nseed = 2\n\n[stream]\ndataset = \"icons\"\nsessions = "
                                     "10\n\n[method]\nname = \"dualprompt\"\n\n[mask]\nname = \"batch\"");
    page += section("KEYS");
    std::string above = "-";
    for (const Option& option : table.options()) {
        if (option.section() != above) {
            above = option.section();
            page += ".SS " + (above.empty() ? "Top level" : "[" + escaped(above) + "]") + "\n";
        }
        page += optionEntry(option);
    }
    page += section("PRESETS") + presetRows(presets);
    page += files() + seeAlso({{"palimpsest-cli", 1}, {"palimpsest", 1}});
    return page;
}

}  // namespace palimpsest
