// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/markup.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <string_view>

#include "engine/support/text.h"

namespace palimpsest::report {

namespace {

const std::map<std::uint32_t, const char*>& replacements() {
    static const std::map<std::uint32_t, const char*> kTable = {
        {'&', "\\&"},
        {'%', "\\%"},
        {'$', "\\$"},
        {'#', "\\#"},
        {'_', "\\_"},
        {'{', "\\{"},
        {'}', "\\}"},
        {'~', "\\textasciitilde{}"},
        {'^', "\\textasciicircum{}"},
        {'\\', "\\textbackslash{}"},
        {'<', "\\textless{}"},
        {'>', "\\textgreater{}"},
        {'|', "\\textbar{}"},
        {'"', "''"},
        {0xa0, "~"},
        {0xb0, "$^\\circ$"},
        {0xb1, "$\\pm$"},
        {0xb7, "$\\cdot$"},
        {0xd7, "$\\times$"},
        {0x2013, "--"},
        {0x2014, "---"},
        {0x2018, "`"},
        {0x2019, "'"},
        {0x201c, "``"},
        {0x201d, "''"},
        {0x2026, "\\ldots{}"},
        {0x2191, "$\\uparrow$"},
        {0x2193, "$\\downarrow$"},
        {0x2192, "$\\to$"},
        {0x2212, "$-$"},
        {0x2264, "$\\le$"},
        {0x2265, "$\\ge$"},
        {0x3bb, "$\\lambda$"},
        {0x3b1, "$\\alpha$"},
        {0x3b2, "$\\beta$"},
        {0xb5, "$\\mu$"},
        {0x3bc, "$\\mu$"},
    };
    return kTable;
}

/// Bytes of the character that begins with `lead`, in well-formed UTF-8.
std::size_t lengthOf(char lead) {
    const auto byte = static_cast<unsigned char>(lead);
    return byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

std::uint32_t codeOf(const std::string& character) {
    const auto byte = [&](std::size_t k) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(character[k]));
    };
    if (character.size() == 1) return byte(0);
    std::uint32_t code = byte(0) & (0x7fU >> character.size());
    for (std::size_t k = 1; k < character.size(); ++k) code = code << 6 | (byte(k) & 0x3fU);
    return code;
}

std::string hexadecimal(std::uint32_t code) {
    std::array<char, 16> digits{};
    std::string text(digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr);
    for (char& c : text) c = c >= 'a' ? static_cast<char>(c - 'a' + 'A') : c;
    return std::string(text.size() < 4 ? 4 - text.size() : 0, '0') + text;
}

/// T1, the encoding of LaTeX's European fonts, has all letters of Latin-1 and most of Latin Extended-A.
bool inEuropeanFonts(std::uint32_t code) {
    return code < 0x80 || (code >= 0xc0 && code <= 0xff) || (code >= 0x100 && code <= 0x17e && code != 0x149);
}

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

std::string texNumber(std::string text) {
    if (text == "–") return "--";
    replaceAll(text, "±", "\\pm ");
    replaceAll(text, " \\pm  ", " \\pm ");
    replaceAll(text, "−", "-");
    replaceAll(text, ",", "{,}");  // no space behind it
    return "$" + text + "$";
}

}  // namespace

std::string escapeMarkup(const std::string& text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (const char c : text) {
        switch (c) {
            case '&':
                escaped += "&amp;";
                break;
            case '<':
                escaped += "&lt;";
                break;
            case '>':
                escaped += "&gt;";
                break;
            case '"':
                escaped += "&quot;";
                break;
            default:
                escaped += c;
        }
    }
    return escaped;
}

std::string shortName(const std::string& name, std::size_t most) {
    std::vector<std::size_t> places;
    for (std::size_t at = 0; at < name.size(); at += lengthOf(name[at])) places.push_back(at);
    if (places.size() <= most) return name;
    const std::size_t end = most / 2;
    return name.substr(0, places[most - end - 1]) + "…" + name.substr(places[places.size() - end]);
}

std::map<std::string, std::string> texNames(const std::vector<std::string>& names) {
    constexpr std::size_t kMost = 60;
    std::map<std::string, std::vector<std::string>> alike;
    for (const std::string& name : names) {
        std::vector<std::string>& sharing = alike[shortName(name, kMost)];
        if (std::ranges::find(sharing, name) == sharing.end()) sharing.push_back(name);
    }
    std::map<std::string, std::string> shown;
    for (const auto& [text, sharing] : alike)
        for (std::size_t i = 0; i < sharing.size(); ++i)
            shown[sharing[i]] = text + (sharing.size() > 1 ? " (" + std::to_string(i + 1) + ")" : "");
    return shown;
}

std::string texText(const std::string& text) {
    const std::string plain = plainLine(text);
    std::string result;
    for (std::size_t at = 0; at < plain.size();) {
        const std::string character = plain.substr(at, lengthOf(plain[at]));
        at += character.size();
        const std::uint32_t code = codeOf(character);
        const auto known = replacements().find(code);
        if (known != replacements().end())
            result += known->second;
        else
            result += inEuropeanFonts(code) ? character : "[U+" + hexadecimal(code) + "]";
    }
    return result;
}

std::string texComment(const std::string& text) {
    return "% " + plainLine(text) + "\n";
}

std::string texSymbol(const std::string& symbol) {
    const std::size_t bar = symbol.find('_');
    if (bar == std::string::npos) return texText(symbol);
    const std::size_t end = std::min(symbol.find(' ', bar), symbol.size());
    return "$" + symbol.substr(0, bar) + "_{\\mathrm{" + symbol.substr(bar + 1, end - bar - 1) + "}}$" +
           texText(symbol.substr(end));
}

std::string joined(const std::vector<std::string>& cells, const std::string& between) {
    std::string text;
    for (std::size_t i = 0; i < cells.size(); ++i) text += (i == 0 ? "" : between) + cells[i];
    return text;
}

std::string markdownText(const std::string& text) {
    std::string result;
    for (const char c : text) {
        if (std::string_view("\\`*_~<&[|").find(c) != std::string_view::npos) result += '\\';
        result += c;
    }
    return result;
}

TextSheet withTexNames(TextSheet sheet, std::size_t nameColumns) {
    std::vector<std::string> names;
    for (std::size_t row = 1; row < sheet.size(); ++row)
        names.insert(names.end(), sheet[row].begin(), sheet[row].begin() + static_cast<std::ptrdiff_t>(nameColumns));
    const std::map<std::string, std::string> shown = texNames(names);
    for (std::size_t row = 1; row < sheet.size(); ++row)
        for (std::size_t column = 0; column < nameColumns; ++column) sheet[row][column] = shown.at(sheet[row][column]);
    return sheet;
}

std::string texLongNames(const TextSheet& sheet) {
    const TextSheet shown = withTexNames(sheet, 1);
    std::string text;
    for (std::size_t row = 1; row < sheet.size(); ++row)
        if (shown[row].front() != sheet[row].front())
            text += texComment("Row " + std::to_string(row) + ": " + sheet[row].front());
    return text;
}

std::string markdownSheet(const TextSheet& sheet, std::size_t textColumns) {
    std::string text;
    for (std::size_t i = 0; i < sheet.size(); ++i) {
        std::vector<std::string> cells = sheet[i];
        for (std::size_t c = 0; c < textColumns; ++c) cells[c] = markdownText(cells[c]);
        text += "| " + joined(cells, " | ") + " |\n";
        if (i > 0) continue;
        for (std::size_t c = 0; c < cells.size(); ++c) text += c < textColumns ? "|---" : "|---:";
        text += "|\n";
    }
    return text;
}

std::string texSheet(const TextSheet& sheet, std::size_t textColumns) {
    std::string text = "\\begin{tabular}{" + std::string(textColumns, 'l') +
                       std::string(sheet.front().size() - textColumns, 'r') + "}\n\\toprule\n";
    for (std::size_t i = 0; i < sheet.size(); ++i) {
        std::vector<std::string> cells = sheet[i];
        for (std::size_t c = 0; i > 0 && c < cells.size(); ++c)
            cells[c] = c < textColumns ? texText(cells[c]) : texNumber(cells[c]);
        text += joined(cells, " & ") + " \\\\\n";
        if (i == 0) text += "\\midrule\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string texTable(const std::string& caption, const std::string& body) {
    return "\\begin{table}\n\\centering\n\\caption{" + texText(caption) + "}\n" + body + "\\end{table}\n";
}

}  // namespace palimpsest::report
