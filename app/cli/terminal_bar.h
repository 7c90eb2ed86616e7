// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

/// Lines on standard output; a terminal also has a last line (on standard error) that changes in place.
class TerminalBar {
public:
    TerminalBar();

    void line(const std::string& text);
    void show(const std::string& text);  ///< empty: no such line
    bool onTerminal() const { return terminal_; }

private:
    const bool terminal_;
    std::string shown_;
};

/// Text such as "[#####.....]", `width` marks wide.
std::string drawnBar(double share, int width);

}  // namespace palimpsest
