// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/terminal_bar.h"

#include <unistd.h>
#include <algorithm>
#include <iostream>

namespace palimpsest {

TerminalBar::TerminalBar() : terminal_(isatty(STDERR_FILENO) && isatty(STDOUT_FILENO)) {}

void TerminalBar::line(const std::string& text) {
    const std::string shown = shown_;
    show({});
    std::cout << text << std::endl;
    show(shown);
}

void TerminalBar::show(const std::string& text) {
    if (!terminal_ || text == shown_) return;
    // Returns to the start of the line, writes the new text, and clears the rest of the old one.
    std::cerr << '\r' << text << "\033[K" << std::flush;
    shown_ = text;
}

std::string drawnBar(double share, int width) {
    const auto done = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * width);
    return "[" + std::string(done, '#') + std::string(static_cast<std::size_t>(width) - done, '.') + "]";
}

}  // namespace palimpsest
