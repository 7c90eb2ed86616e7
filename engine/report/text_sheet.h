// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace palimpsest::report {

/// Cells of a table for readers, its header first. Numbers are written as support/format.h does.
using TextSheet = std::vector<std::vector<std::string>>;

std::string joined(const std::vector<std::string>& cells, const std::string& between);

/// The user's words, in which Markdown is to see neither tags nor signs of its own.
std::string markdownText(const std::string& text);
/// The first `words` columns hold words, the others numbers, which stand on the right.
std::string markdownSheet(const TextSheet& sheet, std::size_t words);

/// "A_Last overall" as $A_{\mathrm{Last}}$ overall.
std::string texSymbol(const std::string& symbol);
/// A tabular that needs the package booktabs. Its header is LaTeX already.
std::string texSheet(const TextSheet& sheet, std::size_t words);
/// In a table with its caption, which is plain text.
std::string texTable(const std::string& caption, const std::string& body);
/// The comment in front of them.
extern const char* const kTexNeeds;

}  // namespace palimpsest::report
