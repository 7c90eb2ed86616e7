// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/library/run_index.h"

#include <set>

#include "engine/library/run_trash.h"
#include "engine/support/error.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostRead = 500;  // records that are handed on; a first scan may read many thousands

/// Subfolders that hold a run, in no order. `refused`: sentences on links to runs, which are not followed. Throws
/// Error(Input) where the folder cannot be read.
std::vector<fs::path> runsIn(const fs::path& parent, std::vector<std::string>& refused) {
    std::vector<fs::path> found;
    std::error_code ignored;
    // A link in place of the trash leads to runs that were not deleted here.
    if (parent.filename() == kTrashFolder && fs::is_symlink(parent, ignored)) return found;
    for (const fs::path& entry : folderEntries(parent)) {
        // A hidden folder is none of the user's: a copy that is being made.
        if (entry.filename().native().starts_with('.')) continue;
        // One that cannot be looked into is told as a run that cannot be read.
        if (fs::symlink_status(entry / "run.json", ignored).type() == fs::file_type::not_found) continue;
        if (fs::is_symlink(entry, ignored))
            refused.push_back(entry.string() + " is a link, and a library holds its runs itself.");
        else
            found.push_back(entry);
    }
    return found;
}

}  // namespace

RunIndex::RunIndex(const OptionTable* table, const fs::path& runs, Keep keep)
    : table_(table),
      presets_(table),
      runs_(wholePath(runs)),
      table_file_(keep == Keep::File ? fileOf(runs_) : fs::path()) {
    guarded([&] {
        for (RunRow& row : table_file_.rows(runs_)) {
            const std::string folder = row.folder.string();
            rows_[folder] = std::make_shared<const RunRow>(std::move(row));
        }
    });
}

std::string RunIndex::takeNotice() {
    return table_file_.takeNotice();
}

template <class Work>
void RunIndex::guarded(Work&& work) {
    // A new file may fail, too, and memory comes last.
    for (bool anew = false, again = true; again;) {
        again = false;
        try {
            if (anew)
                for (const auto& [folder, row] : rows_) store(*row);
            work();
        } catch (const SqlError& error) {
            if (!kept())
                throw runError("The runs in " + runs_.string() + " cannot be listed: " + error.what() + ".",
                               "Close other programs that take memory.");
            if (error.damaged() && !anew)
                table_file_.startAnew();
            else
                table_file_.leaveFile(error.what());
            anew = again = true;
        }
    }
}

std::string RunIndex::keyOf(const fs::path& folder) const {
    return folder.lexically_relative(runs_).string();
}

bool RunIndex::inTrash(const fs::path& folder) const {
    return folder.parent_path() == trashOf(runs_);
}

/// Runs from elsewhere are not kept in the file.
void RunIndex::store(const RunRow& row) {
    if (row.folder.parent_path() == runs_ || inTrash(row.folder)) table_file_.put(keyOf(row.folder), row);
}

void RunIndex::forget(const fs::path& folder) {
    if (rows_.erase(folder.string()) > 0) table_file_.remove(keyOf(folder));
}

RunRowPtr RunIndex::scanFolder(const fs::path& folder, Scan& result) {
    const auto known = rows_.find(folder.string());
    std::string signature = runSignature(folder);
    if (known != rows_.end() && known->second->signature == signature) {
        // The end of the program that wrote a run changes no file.
        const RunRow& row = *known->second;
        if (row.state != RecordedState::Running || readRunState(folder) == row.state) return known->second;
    }
    try {
        auto record = std::make_shared<const RunRecord>(readRun(*table_, folder));
        RunRow row = rowOf(*table_, *record);
        row.signature = std::move(signature);
        row.trashed = inTrash(folder);
        row.notes = readNotes(folder);
        if (!row.imported()) row.preset = presets_.differencesOf(record->experiment);
        row.modified = modifiedAt(folder);
        // What could not be read now may be readable when the program is started again.
        const bool whole = record->warnings.empty();
        if (result.read.size() < kMostRead) result.read.push_back(std::move(record));
        auto fresh = std::make_shared<const RunRow>(std::move(row));
        rows_[folder.string()] = fresh;
        if (whole) store(*fresh);
        return fresh;
    } catch (const Error& error) {
        result.unreadable.emplace_back(error.what());
    } catch (const SqlError&) {
        throw;
    } catch (const std::exception& error) {
        result.unreadable.push_back(folder.string() + ": " + error.what());
    }
    return nullptr;
}

RunIndex::Scan RunIndex::scan(const std::vector<fs::path>& folders, const std::atomic<bool>* cancelled) {
    Scan result;
    const auto all = [&] {
        // Records that were read before the file failed are not read again.
        result.rows.clear();
        result.unreadable.clear();
        SqlTransaction whole(table_file_.database());
        for (const fs::path& named : folders) {
            if (cancelled && *cancelled) break;
            const fs::path folder = wholePath(named);
            std::error_code ignored;
            // One that cannot be looked at is told as a run that cannot be read.
            const bool there = fs::status(folder, ignored).type() != fs::file_type::not_found;
            const RunRowPtr row = there ? scanFolder(folder, result) : nullptr;
            if (row)
                result.rows.push_back(row);
            else
                forget(folder);
        }
        whole.commit();
    };
    guarded(all);
    return result;
}

RunIndex::Scan RunIndex::reconcile(const std::vector<fs::path>& others, const std::atomic<bool>* cancelled) {
    std::vector<std::string> refused;
    std::vector<fs::path> folders = others;
    std::vector<RunRowPtr> kept;
    std::vector<std::string> unlisted;
    for (const fs::path& parent : {runs_, trashOf(runs_)}) {
        try {
            const std::vector<fs::path> runs = runsIn(parent, refused);
            folders.insert(folders.end(), runs.begin(), runs.end());
        } catch (const Error& error) {
            // A folder that cannot be read now has not lost its runs.
            unlisted.emplace_back(error.what());
            for (const auto& [folder, row] : rows_)
                if (row->folder.parent_path() == parent) kept.push_back(row);
        }
    }
    Scan result = scan(folders, cancelled);
    result.unreadable.insert(result.unreadable.end(), refused.begin(), refused.end());
    result.unlisted = std::move(unlisted);
    result.rows.insert(result.rows.end(), kept.begin(), kept.end());
    if (cancelled && *cancelled) return result;
    std::set<std::string> there;
    for (const RunRowPtr& row : result.rows) there.insert(row->folder.string());
    std::vector<fs::path> gone;
    for (const auto& [folder, row] : rows_)
        if (!there.contains(folder)) gone.push_back(row->folder);
    if (gone.empty()) return result;
    guarded([&] {
        SqlTransaction whole(table_file_.database());
        for (const fs::path& folder : gone) forget(folder);
        whole.commit();
    });
    return result;
}

void RunIndex::clear() {
    // Its runs are read from there next.
    static_cast<void>(folderEntries(runs_));
    rows_.clear();
    guarded([&] { table_file_.clear(); });
}

RunRowPtr RunIndex::setNotes(const fs::path& folder, const RunNotes& notes) {
    writeNotes(folder, notes);
    const Scan result = scan({folder});
    if (result.rows.empty()) throw inputError("The run folder " + folder.string() + " cannot be read any more.");
    return result.rows.front();
}

}  // namespace palimpsest
