// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/text_sheet.h"

#include <algorithm>
#include <string_view>

#include "engine/report/tex_text.h"

namespace palimpsest::report {
namespace {

void replaceAll(std::string& text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
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

const char* const kTexNeeds = "% Needs \\usepackage{booktabs}.\n";

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

std::string markdownSheet(const TextSheet& sheet, std::size_t words) {
    std::string text;
    for (std::size_t i = 0; i < sheet.size(); ++i) {
        std::vector<std::string> cells = sheet[i];
        for (std::size_t c = 0; c < words; ++c) cells[c] = markdownText(cells[c]);
        text += "| " + joined(cells, " | ") + " |\n";
        if (i > 0) continue;
        for (std::size_t c = 0; c < cells.size(); ++c) text += c < words ? "|---" : "|---:";
        text += "|\n";
    }
    return text;
}

std::string texSymbol(const std::string& symbol) {
    const std::size_t bar = symbol.find('_');
    if (bar == std::string::npos) return texText(symbol);
    const std::size_t end = std::min(symbol.find(' ', bar), symbol.size());
    return "$" + symbol.substr(0, bar) + "_{\\mathrm{" + symbol.substr(bar + 1, end - bar - 1) + "}}$" +
           texText(symbol.substr(end));
}

std::string texSheet(const TextSheet& sheet, std::size_t words) {
    std::string text = "\\begin{tabular}{" + std::string(words, 'l') + std::string(sheet.front().size() - words, 'r') +
                       "}\n\\toprule\n";
    for (std::size_t i = 0; i < sheet.size(); ++i) {
        std::vector<std::string> cells = sheet[i];
        for (std::size_t c = 0; i > 0 && c < cells.size(); ++c) {
            cells[c] = c < words ? texText(cells[c]) : texNumber(cells[c]);
        }
        text += joined(cells, " & ") + " \\\\\n";
        if (i == 0) text += "\\midrule\n";
    }
    return text + "\\bottomrule\n\\end{tabular}\n";
}

std::string texTable(const std::string& caption, const std::string& body) {
    return "\\begin{table}\n\\centering\n\\caption{" + texText(caption) + "}\n" + body + "\\end{table}\n";
}

}  // namespace palimpsest::report
