// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace palimpsest {

/// A CSV cell: the shortest text that reads back as the same number; empty when it is not a number.
std::string csvCell(double value);
std::string csvCell(std::int64_t value);
/// Quoted when it holds a comma, a quote or a line break.
std::string csvCell(std::string_view text);

/// A CSV file that only grows. Nothing throws: the first failure is remembered.
class AppendFile {
public:
    AppendFile(std::filesystem::path file, std::string_view header);

    /// Kept in memory until flush(), which hands whole rows over to the system.
    void row(std::span<const std::string> cells);
    void row(std::initializer_list<std::string> cells) { row(std::span(cells.begin(), cells.size())); }
    void flush();
    /// One sentence without a full stop; empty while all is well.
    const std::string& failure() const { return failure_; }

private:
    void note();

    std::filesystem::path file_;
    std::ofstream out_;
    std::string pending_;
    std::string failure_;
};

}  // namespace palimpsest
