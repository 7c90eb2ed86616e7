// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_table.h"

#include <unistd.h>

#include <sstream>
#include <utility>

#include "engine/support/error.h"
#include "engine/support/text.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr const char* kColumns =
    "folder, signature, name, method, mask, prompts, dataset, memory, seed, sessions, batch_size, updates_per_batch, "
    "state, error, started, ended, fingerprint, family, total_samples, samples_seen, sessions_ended, area_whole, "
    "a_auc, a_last_overall, f_last_classwise, a_last, f_last, modified, trashed, tags, note, colour, hidden, parent, "
    "forked_at, changes, prompt_lengths, preset, settings, origin, program";

constexpr const char* kMake =
    "CREATE TABLE runs (folder TEXT PRIMARY KEY, signature TEXT NOT NULL, name TEXT, method TEXT, mask TEXT, "
    "prompts TEXT, dataset TEXT, memory INTEGER, seed INTEGER, sessions INTEGER, batch_size INTEGER, "
    "updates_per_batch INTEGER, state TEXT, error TEXT, started TEXT, ended TEXT, fingerprint TEXT, family TEXT, "
    "total_samples INTEGER, samples_seen INTEGER, sessions_ended INTEGER, area_whole INTEGER, a_auc REAL, "
    "a_last_overall REAL, f_last_classwise REAL, a_last REAL, f_last REAL, modified INTEGER, trashed INTEGER, tags "
    "TEXT, note TEXT, colour TEXT, hidden INTEGER, "
    "parent TEXT, forked_at INTEGER, changes TEXT, prompt_lengths TEXT, preset TEXT, settings TEXT, "
    "origin TEXT, program TEXT) WITHOUT ROWID";

/// "800 mask.name=none", a line each.
std::string changesText(const std::vector<LiveChange>& changes) {
    std::string text;
    for (const LiveChange& change : changes) text += std::to_string(change.at) + ' ' + toText(change) + '\n';
    return text;
}

std::vector<LiveChange> changesIn(const std::string& text) {
    std::vector<LiveChange> changes;
    std::istringstream lines(text);
    std::int64_t at = 0;
    for (std::string change; lines >> at && lines.ignore() && std::getline(lines, change);)
        if (change.find('=') != std::string::npos) changes.push_back(liveChange(change, at));
    return changes;
}

/// "method.g_length 3", a line each.
std::string lengthsText(const PromptLengths& lengths) {
    std::string text;
    for (const auto& [key, tokens] : lengths) text += key + ' ' + std::to_string(tokens) + '\n';
    return text;
}

PromptLengths lengthsIn(const std::string& text) {
    PromptLengths lengths;
    std::istringstream words(text);
    std::int64_t tokens = 0;
    for (std::string key; words >> key >> tokens;) lengths[plainSentence(key)] = tokens;
    return lengths;
}

std::string linesText(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += plainSentence(line) + '\n';
    return text;
}

std::vector<std::string> linesIn(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream all(text);
    for (std::string line; std::getline(all, line);) lines.push_back(plainSentence(line));
    return lines;
}

/// False where SQLite would open something else than a file of this folder: a link, a pipe, a device.
bool isOurs(const fs::path& file) {
    std::error_code ignored;
    for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
        fs::path beside = file;
        const auto status = fs::symlink_status(beside += ending, ignored);
        if (fs::exists(status) && !fs::is_regular_file(status)) return false;
    }
    return true;
}

fs::path freeName(const fs::path& file) {
    std::error_code error;
    for (int i = 1;; ++i) {
        fs::path name = file;
        name += i == 1 ? ".damaged" : ".damaged-" + std::to_string(i);
        if (!fs::exists(name, error)) return name;
    }
}

}  // namespace

IndexedRunTable::IndexedRunTable(fs::path file) : file_(std::move(file)) {
    try {
        open();
    } catch (const SqlError& error) {
        if (error.damaged())
            startAnew();
        else
            leaveFile(error.what());
    }
}

std::string IndexedRunTable::takeNotice() {
    return std::exchange(notice_, {});
}

void IndexedRunTable::open(Place wanted) {
    // The statements go before their database.
    put_.reset();
    remove_.reset();
    database_.reset();
    std::error_code ignored;
    const bool there = fs::exists(file_, ignored);
    const bool plain = isOurs(file_);
    if (!plain) notice_ = "The index " + file_.string() + " or a file beside it is no plain file, so it is not used.";
    kept_ = wanted == Place::File && plain && !file_.empty() &&
            access(there ? file_.c_str() : file_.parent_path().c_str(), W_OK) == 0 &&
            access(file_.parent_path().c_str(), W_OK) == 0;
    database_.emplace(kept_ ? file_.string() : ":memory:");
    const std::int64_t version = database_->value("PRAGMA user_version");
    if (version > kVersion)
        throw inputError("The index " + file_.string() + " was made by a newer version of Palimpsest.",
                         "Use that version, or delete the file: it is made anew from the run folders.");
    // Readers and a writer in several programs do not wait for each other; where the file system cannot, they do.
    database_->run("PRAGMA trusted_schema=OFF");
    database_->run("PRAGMA journal_mode=WAL");
    database_->run("PRAGMA synchronous=NORMAL");
    if (version > 0) {
        SqlStatement check = database_->prepare("PRAGMA quick_check(1)");
        if (check.next() && check.text(0) != "ok") throw SqlError::damage(check.text(0));
    }
    if (version != kVersion) {
        SqlTransaction whole(*database_);
        // Another program may have been faster.
        if (database_->value("PRAGMA user_version") != kVersion) {
            database_->run("DROP TABLE IF EXISTS runs");
            database_->run(kMake);
            database_->run(("PRAGMA user_version=" + std::to_string(kVersion)).c_str());
        }
        whole.commit();
    }
    std::string places = "?";
    for (const char* c = kColumns; *c; ++c)
        if (*c == ',') places += ", ?";
    put_ = database_->prepare("INSERT OR REPLACE INTO runs (" + std::string(kColumns) + ") VALUES (" + places + ")");
    remove_ = database_->prepare("DELETE FROM runs WHERE folder = ?");
}

void IndexedRunTable::startAnew() {
    put_.reset();
    remove_.reset();
    database_.reset();
    const fs::path aside = freeName(file_);
    std::error_code error;
    fs::rename(file_, aside, error);
    if (error) {
        leaveFile("it is damaged and cannot be set aside: " + error.message());
        return;
    }
    for (const char* ending : {"-wal", "-shm"}) {
        fs::path beside = file_;
        fs::remove(beside += ending, error);
    }
    try {
        open();
    } catch (const SqlError& failure) {
        leaveFile(failure.what());
        return;
    }
    notice_ =
        "The index of the runs was damaged and has been made anew from the run folders; the old file is kept as " +
        aside.filename().string() + ".";
}

void IndexedRunTable::leaveFile(const std::string& reason) {
    open(Place::Memory);
    notice_ = "The index " + file_.string() + " cannot be used (" + plainSentence(reason) +
              "), so every run is read anew at each start.";
}

std::vector<RunRow> IndexedRunTable::rows(const fs::path& runs) {
    std::vector<RunRow> rows;
    SqlStatement all = database_->prepare("SELECT " + std::string(kColumns) + " FROM runs");
    while (all.next()) {
        RunRow& row = rows.emplace_back();
        int c = 0;
        row.folder = runs / all.text(c++);
        for (std::string* text : {&row.signature, &row.name, &row.method, &row.mask, &row.prompts, &row.dataset})
            *text = plainSentence(all.text(c++));
        for (std::int64_t* whole : {&row.memory, &row.seed, &row.sessions, &row.batch_size, &row.updates_per_batch})
            *whole = all.whole(c++);
        row.state = recordedState(all.text(c++));
        for (std::string* text : {&row.error, &row.started, &row.ended, &row.fingerprint, &row.family})
            *text = plainSentence(all.text(c++));
        for (std::int64_t* whole : {&row.total_samples, &row.samples_seen, &row.sessions_ended})
            *whole = all.whole(c++);
        row.area_whole = all.whole(c++) != 0;
        for (const ListedMetric& metric : kListedMetrics) row.*metric.value = all.number(c++);
        row.modified = all.whole(c++);
        row.trashed = all.whole(c++) != 0;
        row.notes.tags = tagsIn(all.text(c++));
        row.notes.note = plainNote(all.text(c++));
        row.notes.colour = plainSentence(all.text(c++));
        row.notes.hidden = all.whole(c++) != 0;
        row.parent = all.text(c++);
        row.forked_at = all.whole(c++);
        row.changes = changesIn(all.text(c++));
        row.prompt_lengths = lengthsIn(all.text(c++));
        row.preset.preset = plainSentence(all.text(c++));
        row.preset.settings = linesIn(all.text(c++));
        row.origin = plainSentence(all.text(c++));
        row.program = plainSentence(all.text(c++));
    }
    return rows;
}

void IndexedRunTable::put(const std::string& key, const RunRow& row) {
    put_->with(key, row.signature, row.name, row.method, row.mask, row.prompts, row.dataset, row.memory, row.seed,
               row.sessions, row.batch_size, row.updates_per_batch, std::string(toText(row.state)), row.error,
               row.started, row.ended, row.fingerprint, row.family, row.total_samples, row.samples_seen,
               row.sessions_ended, row.area_whole, row.a_auc, row.a_last_overall, row.f_last_classwise, row.a_last,
               row.f_last, row.modified, row.trashed, tagsText(row.notes.tags), row.notes.note, row.notes.colour,
               row.notes.hidden, row.parent.string(), row.forked_at, changesText(row.changes),
               lengthsText(row.prompt_lengths), row.preset.preset, linesText(row.preset.settings), row.origin,
               row.program)
        .run();
}

void IndexedRunTable::remove(const std::string& key) {
    remove_->with(key).run();
}

void IndexedRunTable::clear() {
    database_->run("DELETE FROM runs");
}

}  // namespace palimpsest
