// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/sqlite.h"

#include <sqlite3.h>

#include <utility>

namespace palimpsest {

namespace {

constexpr int kPatienceMs = 4000;  // for other programs

}  // namespace

SqlError SqlError::damage(const std::string& what) {
    return {SQLITE_CORRUPT, what};
}

bool SqlError::damaged() const {
    return code_ == SQLITE_CORRUPT || code_ == SQLITE_NOTADB;
}

void SqlStatement::Finalise::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

void SqlDatabase::Close::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

SqlStatement::SqlStatement(sqlite3* database, std::string_view sql) {
    sqlite3_stmt* made = nullptr;
    const int code = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &made, nullptr);
    statement_.reset(made);
    if (code != SQLITE_OK) throw SqlError(code & 0xff, sqlite3_errmsg(database));
}

void SqlStatement::check(int code) const {
    if (code == SQLITE_OK || code == SQLITE_ROW || code == SQLITE_DONE) return;
    throw SqlError(code & 0xff, sqlite3_errmsg(sqlite3_db_handle(statement_.get())));
}

void SqlStatement::restart() {
    // Its result is that of the step before, which was reported then.
    sqlite3_reset(statement_.get());
}

bool SqlStatement::next() {
    const int code = sqlite3_step(statement_.get());
    check(code);
    return code == SQLITE_ROW;
}

void SqlStatement::bind(int place, std::int64_t value) {
    check(sqlite3_bind_int64(statement_.get(), place + 1, value));
}

void SqlStatement::bind(int place, const std::string& value) {
    check(
        sqlite3_bind_text(statement_.get(), place + 1, value.data(), static_cast<int>(value.size()), SQLITE_TRANSIENT));
}

void SqlStatement::bind(int place, const std::optional<double>& value) {
    check(value ? sqlite3_bind_double(statement_.get(), place + 1, *value)
                : sqlite3_bind_null(statement_.get(), place + 1));
}

std::int64_t SqlStatement::whole(int column) const {
    return sqlite3_column_int64(statement_.get(), column);
}

std::string SqlStatement::text(int column) const {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
    return text ? std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)))
                : std::string();
}

std::optional<double> SqlStatement::number(int column) const {
    if (sqlite3_column_type(statement_.get(), column) == SQLITE_NULL) return std::nullopt;
    return sqlite3_column_double(statement_.get(), column);
}

SqlDatabase::SqlDatabase(const std::string& file) {
    sqlite3* made = nullptr;
    const int code = sqlite3_open_v2(file.c_str(), &made, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    database_.reset(made);
    if (code != SQLITE_OK) throw SqlError(code & 0xff, made ? sqlite3_errmsg(made) : "out of memory");
    sqlite3_busy_timeout(made, kPatienceMs);
}

void SqlDatabase::run(const char* sql) {
    const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) throw SqlError(code & 0xff, sqlite3_errmsg(database_.get()));
}

std::int64_t SqlDatabase::value(std::string_view sql) {
    SqlStatement statement = prepare(sql);
    return statement.next() ? statement.whole(0) : 0;
}

SqlTransaction::~SqlTransaction() {
    if (!database_) return;
    try {
        database_->run("ROLLBACK");
    } catch (const SqlError&) {
        // SQLite has taken it back by itself.
    }
}

void SqlTransaction::commit() {
    database_->run("COMMIT");
    database_ = nullptr;
}

}  // namespace palimpsest
