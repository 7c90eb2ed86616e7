// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/support/json.h"

// Output of the command line: text for people, JSON for programs.

namespace palimpsest {

/// Prints one line of JSON on standard output and flushes it, so that a reader can follow. Bytes that are not UTF-8 (a
/// strange path) are replaced, numbers that are not finite become null.
void printLine(const Json& json);

/// Prints a sentence on standard error that is no failure.
void noteOnStderr(const std::string& sentence);

/// Prints the paths of files that were written, one a line or one JSON object a line.
void printFiles(const std::vector<std::filesystem::path>& files, bool json);

/// Columns of the terminal that a file leads to; 0 for one that leads to none. A terminal that does not say has 80.
std::size_t terminalWidth(int file);
/// Beginning of a line of UTF-8 that takes at most so many columns, a character each.
std::string firstColumns(const std::string& line, std::size_t columns);

/// Text in lines of at most 80 characters, each indented by `indent` blanks; a longer word has its own line.
std::string wrapped(const std::string& text, std::size_t indent);

/// Two columns, the first as wide as its longest text.
std::string twoColumns(const std::vector<std::pair<std::string, std::string>>& rows);

/// Lines on standard output; a terminal also has a last line (on standard error) that changes in place.
class TerminalBar {
public:
    TerminalBar();

    void line(const std::string& text);
    void show(const std::string& text);  ///< empty: no such line

private:
    const bool terminal_;
    std::string shown_;
};

/// Word of a type in JSON: "boolean", "integer", "real", "choice" or "text".
const char* typeWord(OptionType type);

/// Text such as "[#####.....]", `width` marks wide.
std::string drawnBar(double share, int width);

/// A printer that also keeps the end of the work.
template <class Printer, class Ended>
class WithEnd : public Printer {
public:
    void onEnded(const Ended& event) override {
        ended = event;
        Printer::onEnded(event);
    }
    Ended ended;
};

}  // namespace palimpsest
