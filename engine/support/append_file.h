// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

#include "engine/support/digest.h"

namespace palimpsest {

/// A CSV cell: the shortest text that reads back as the same number; empty when it is not a number.
std::string csvCell(double value);
std::string csvCell(std::int64_t value);
/// Quoted when it holds a comma, a quote or a line break.
std::string csvCell(std::string_view text);

/// Text in a table that people open as a spreadsheet: the same, with an apostrophe before what the program would take
/// for a formula, because it begins with = + - @ or a tab and is no number.
std::string tableCell(std::string_view text);

/// A CSV file in the folder of a run that only grows, and that no other program writes meanwhile. Nothing throws: the
/// first failure is remembered, and what could not be written is kept until retry() succeeds. Neither a link nor
/// anything but a regular file is opened.
class AppendFile {
public:
    AppendFile(std::filesystem::path file, std::string_view header);
    /// Continues behind the first `length` bytes of a file; what stands behind them is cut off. Fails where there are
    /// fewer.
    AppendFile(std::filesystem::path file, std::int64_t length);
    ~AppendFile();
    AppendFile(const AppendFile&) = delete;
    AppendFile& operator=(const AppendFile&) = delete;

    /// Kept in memory until flush(), which hands whole rows over to the system.
    void row(std::span<const std::string> cells);
    void row(std::initializer_list<std::string> cells) { row(std::span(cells.begin(), cells.size())); }
    void flush();
    /// Also on the disk when it returns, so that a loss of power takes none of it.
    void sync();
    /// After a failure: tries again to write what is waiting.
    void retry();
    /// Bytes that the system has taken, the header included.
    std::int64_t length() const { return length_; }
    /// SHA-256 of these bytes as they were handed over. Asking takes the time of no more than the last few bytes.
    std::string hash() const { return digest_.hex(); }
    const std::filesystem::path& file() const { return path_; }
    /// One sentence without a full stop; empty while all is well.
    const std::string& failure() const { return failure_; }

private:
    void open();
    void fail();
    bool isThere();
    bool requeueUnsynced();
    void hashUpTo(std::int64_t end, std::string_view lastBytes);

    std::filesystem::path path_;
    int flags_ = 0;
    int file_ = -1;
    std::int64_t length_ = 0, synced_ = 0;
    std::int64_t hashed_ = 0;  // bytes in digest_; more than length_ while bytes wait to be written once more
    Sha256 digest_;
    bool unsynced_ = false;  // the disk refused what stands behind synced_
    std::string pending_;
    std::string failure_;
};

}  // namespace palimpsest
