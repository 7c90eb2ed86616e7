// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace palimpsest {

/// Lines on standard output; on a terminal one more line stands below them (on standard error) and changes in place.
class TerminalBar {
public:
    TerminalBar();

    void line(const std::string& text);
    void show(const std::string& text);  ///< empty: nothing
    bool onTerminal() const { return terminal_; }

private:
    const bool terminal_;
    std::string shown_;
};

/// "[#####.....]", `width` marks wide.
std::string drawnBar(double share, int width);

}  // namespace palimpsest
