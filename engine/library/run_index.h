// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/library/preset_differences.h"
#include "engine/library/run_row.h"
#include "engine/library/run_table.h"

namespace palimpsest {

/// The runs of a folder as a list that opens at once, however many there are: an SQLite file `.library.sqlite` in that
/// folder holds a row a run, and only folders in which something was written since are read again. The folders are the
/// truth; the file may be deleted at any time. Where it cannot be made, read or written, the index lives in memory
/// alone, see takeNotice().
/// One thread at a time may use it.
class RunIndex {
public:
    struct Scan {
        std::vector<RunRowPtr> rows;  ///< of the folders that are runs; the same object when unchanged
        std::vector<std::shared_ptr<const RunRecord>> read;  ///< runs that had to be read, some hundred at most
        std::vector<std::string> unreadable;                 ///< a sentence a folder
        /// A sentence on each folder of runs that could not be looked into. `rows` has what was known of its runs.
        std::vector<std::string> unlisted;
    };

    /// A damaged file is set aside and made anew, see notice(). Throws Error(Input) for a file of a newer version.
    /// The table must outlive the index.
    enum class Keep { File, Memory };
    RunIndex(const OptionTable* table, const std::filesystem::path& runs, Keep keep = Keep::File);

    static std::filesystem::path fileOf(const std::filesystem::path& runs) { return runs / ".library.sqlite"; }
    /// Notice about the file for the user, given once; else empty.
    std::string takeNotice();
    /// False where the index is in memory alone.
    bool kept() const { return table_file_.kept(); }

    /// Scans every folder of runs, those in the trash and `others` too.
    Scan reconcile(const std::vector<std::filesystem::path>& others = {}, const std::atomic<bool>* cancelled = nullptr);
    /// Scans these alone. Folders that are gone are no error.
    Scan scan(const std::vector<std::filesystem::path>& folders, const std::atomic<bool>* cancelled = nullptr);
    /// Forgets all rows; the next reconcile() reads every folder. Throws Error(Input), and forgets nothing, where the
    /// folder of runs cannot be read.
    void clear();
    /// Writes notes into the run's folder; its row then. Throws as writeNotes() does.
    RunRowPtr setNotes(const std::filesystem::path& folder, const RunNotes& notes);

private:
    RunRowPtr scanFolder(const std::filesystem::path& folder, Scan& result);
    std::string keyOf(const std::filesystem::path& folder) const;
    bool inTrash(const std::filesystem::path& folder) const;
    void store(const RunRow& row);
    void forget(const std::filesystem::path& folder);
    /// Does work on the file; one that turns out to be damaged is set aside, and the work is done once more.
    template <class Work>
    void guarded(Work&& work);

    const OptionTable* table_;
    KnownPresets presets_;
    const std::filesystem::path runs_;
    IndexedRunTable table_file_;
    std::map<std::string, RunRowPtr> rows_;  ///< by folder
};

}  // namespace palimpsest
