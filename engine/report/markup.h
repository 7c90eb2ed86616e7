// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace palimpsest::report {

// Text and tables in the languages that reports are written in.

/// Text for the inside of XML or HTML elements and quoted attributes.
std::string escapeMarkup(const std::string& text);

/// A name of the user's as a place of limited width can bear it: with an ellipsis in its middle where it has more than
/// `most` characters, since names of one report often differ at their ends alone.
std::string shortName(const std::string& name, std::size_t most);
/// Names as a line of LaTeX can bear them, by their whole ones. Those that would look alike are numbered.
std::map<std::string, std::string> texNames(const std::vector<std::string>& names);

/// Plain text for LaTeX, pdflatex included: what means something to TeX is escaped, the signs that reports use become
/// its own, Latin letters stay. Letters that its fonts have not are written as their code, [U+5B9F].
std::string texText(const std::string& text);
/// A comment of one line.
std::string texComment(const std::string& text);
/// "A_Last overall" as $A_{\mathrm{Last}}$ overall.
std::string texSymbol(const std::string& symbol);

/// The user's words, in which Markdown is to see neither tags nor signs of its own.
std::string markdownText(const std::string& text);

/// Cells of a table for readers, its header first. The first `textColumns` columns hold words, the others numbers,
/// which stand on the right, written as support/format.h does.
using TextSheet = std::vector<std::vector<std::string>>;

std::string joined(const std::vector<std::string>& cells, const std::string& between);
/// The sheet with texNames() in its first `nameColumns` columns.
TextSheet withTexNames(TextSheet sheet, std::size_t nameColumns);
/// A comment for each row whose name is another one there.
std::string texLongNames(const TextSheet& sheet);
std::string markdownSheet(const TextSheet& sheet, std::size_t textColumns);
/// A tabular that needs the package booktabs. Its header is LaTeX already.
std::string texSheet(const TextSheet& sheet, std::size_t textColumns);
/// A tabular in a table with its caption, which is plain text.
std::string texTable(const std::string& caption, const std::string& body);
/// The comment in front of tables.
inline constexpr const char* kTexNeeds = "% Needs \\usepackage{booktabs}.\n";

}  // namespace palimpsest::report
