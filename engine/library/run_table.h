// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/library/run_row.h"
#include "engine/library/sqlite.h"

namespace palimpsest {

/// The SQLite file of a RunIndex: rows in, rows out.
class IndexedRunTable {
public:
    /// Grows with every change of the columns; an older file is made anew, since it can be.
    static constexpr std::int64_t kVersion = 9;

    /// Opens or makes the file, see RunIndex; an empty name: in memory.
    explicit IndexedRunTable(std::filesystem::path file);

    bool kept() const { return kept_; }
    std::string takeNotice();

    /// Folders relative to `runs`.
    std::vector<RunRow> rows(const std::filesystem::path& runs);
    void put(const std::string& key, const RunRow& row);
    void remove(const std::string& key);
    void clear();
    SqlDatabase& database() { return *database_; }
    /// Keeps a damaged file under another name and begins a new one.
    void startAnew();
    /// Goes on without the file, which is left as it is, and says so once. `reason`: what the file's system said.
    void leaveFile(const std::string& reason);

private:
    enum class Place { File, Memory };
    void open(Place wanted = Place::File);

    std::filesystem::path file_;
    std::optional<SqlDatabase> database_;
    std::optional<SqlStatement> put_, remove_;
    std::string notice_;
    bool kept_ = true;
};

}  // namespace palimpsest
