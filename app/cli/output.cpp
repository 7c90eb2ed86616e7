// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>
#include <algorithm>
#include <sstream>

namespace palimpsest {

void printLine(const Json& json) {
    std::cout << json.dump(-1, ' ', false, Json::error_handler_t::replace) << std::endl;
}

void noteOnStderr(const std::string& sentence) {
    std::cerr << "Note: " << sentence << std::endl;
}

void printFiles(const std::vector<std::filesystem::path>& files, bool json) {
    for (const std::filesystem::path& file : files)
        if (json)
            printLine({{"file", file.string()}});
        else
            std::cout << file.string() << std::endl;
}

std::size_t terminalWidth(int file) {
    if (!isatty(file)) return 0;
    constexpr std::size_t kUsual = 80;
    winsize size{};
    return ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

std::string firstColumns(const std::string& line, std::size_t columns) {
    std::size_t end = 0;
    for (; end < line.size(); ++end)
        if ((static_cast<unsigned char>(line[end]) & 0xC0U) != 0x80U && columns-- == 0) break;
    return line.substr(0, end);
}

std::string wrapped(const std::string& text, std::size_t indent) {
    constexpr std::size_t kWidth = 80;
    std::string lines;
    std::size_t used = 0;  // of the current line
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        const auto letters = static_cast<std::size_t>(
            std::count_if(word.begin(), word.end(), [](char c) { return (c & 0xC0) != 0x80; }));  // letters of UTF-8
        const bool first = used == 0;
        if (first || used + 1 + letters > kWidth) {
            lines += (first ? "" : "\n") + std::string(indent, ' ') + word;
            used = indent + letters;
        } else {
            lines += ' ' + word;
            used += 1 + letters;
        }
    }
    return lines + "\n";
}

std::string twoColumns(const std::vector<std::pair<std::string, std::string>>& rows) {
    std::size_t width = 0;
    for (const auto& [left, right] : rows) width = std::max(width, left.size());
    std::string text;
    for (const auto& [left, right] : rows) text += left + std::string(width + 2 - left.size(), ' ') + right + "\n";
    return text;
}

TerminalBar::TerminalBar() : terminal_(isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)) {}

void TerminalBar::line(const std::string& text) {
    const std::string shown = shown_;
    show({});
    // A log whose disk was full may have room again.
    std::cout.clear();
    std::cout << text << std::endl;
    show(shown);
}

void TerminalBar::show(const std::string& text) {
    if (!terminal_ || text == shown_) return;
    // Returns to the start of the line, writes the new text, and clears the rest of the old one. A text that fills the
    // line would begin a second one, to which no return leads back.
    const std::size_t width = std::max<std::size_t>(2, terminalWidth(STDERR_FILENO));
    std::cerr << '\r' << firstColumns(text, width - 1) << "\033[K" << std::flush;
    shown_ = text;
}

std::string drawnBar(double share, int width) {
    const auto done = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
    return "[" + std::string(done, '#') + std::string(static_cast<std::size_t>(width) - done, '.') + "]";
}

const char* typeWord(OptionType type) {
    switch (type) {
        case OptionType::Boolean:
            return "boolean";
        case OptionType::Integer:
            return "integer";
        case OptionType::Real:
            return "real";
        case OptionType::Choice:
            return "choice";
        case OptionType::Text:
            break;
    }
    return "text";
}

}  // namespace palimpsest
