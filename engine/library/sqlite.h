// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace palimpsest {

/// Error that SQLite reports.
class SqlError : public std::runtime_error {
public:
    SqlError(int code, const std::string& what) : std::runtime_error(what), code_(code) {}
    static SqlError damage(const std::string& what);
    /// The file is no database, or a broken one.
    bool damaged() const;

private:
    int code_;
};

/// A prepared statement. Parameters and columns count from 0.
class SqlStatement {
public:
    SqlStatement(sqlite3* database, std::string_view sql);

    /// Restarts the statement with these parameters.
    template <class... Values>
    SqlStatement& with(const Values&... values) {
        restart();
        int place = 0;
        (bind(place++, values), ...);
        return *this;
    }
    /// Moves to the next row; false after the last one.
    bool next();
    /// Executes a statement without rows.
    void run() {
        while (next()) {
        }
        restart();
    }

    std::int64_t whole(int column) const;
    std::string text(int column) const;
    std::optional<double> number(int column) const;

private:
    void restart();
    void bind(int place, std::int64_t value);
    void bind(int place, bool value) { bind(place, static_cast<std::int64_t>(value)); }
    void bind(int place, const std::string& value);
    void bind(int place, const std::optional<double>& value);
    void check(int code) const;

    struct Finalise {
        void operator()(sqlite3_stmt* statement) const;
    };
    std::unique_ptr<sqlite3_stmt, Finalise> statement_;
};

/// A database file, or ":memory:". Waits a few seconds for other programs that write to it.
class SqlDatabase {
public:
    explicit SqlDatabase(const std::string& file);

    void run(const char* sql);
    SqlStatement prepare(std::string_view sql) { return {database_.get(), sql}; }
    std::int64_t value(std::string_view sql);

private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    std::unique_ptr<sqlite3, Close> database_;
};

/// Rolls back what was not committed.
class SqlTransaction {
public:
    explicit SqlTransaction(SqlDatabase& database) : database_(&database) { database.run("BEGIN IMMEDIATE"); }
    ~SqlTransaction();
    void commit();

private:
    SqlDatabase* database_;
};

}  // namespace palimpsest
