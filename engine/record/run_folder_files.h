// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/config/option_table.h"
#include "engine/record/folder_position.h"
#include "engine/record/memory_balance.h"
#include "engine/run/run_events.h"
#include "engine/support/append_file.h"
#include "engine/support/disk_reserve.h"
#include "engine/support/json.h"

namespace palimpsest {

/// The open files of a run folder, and what is written into them. Nothing throws except where it says so: failures are
/// remembered, and what could not be written waits for retry().
class RunFolderFiles {
public:
    /// Of a new run.
    RunFolderFiles(const OptionTable& table, std::filesystem::path folder);
    /// Goes on behind the mark. Throws Error(Input) for one that cannot be read or does not fit the folder.
    RunFolderFiles(const OptionTable& table, std::filesystem::path folder, const FolderPosition& mark);

    /// One sentence without a full stop; empty while all is well.
    std::string firstFailure() const;
    /// Tries again to write what is waiting.
    void retry();
    /// How far the folder is written; the growing files are on the disk when it returns.
    FolderPosition mark();

    /// run.json. Throws Error(Input).
    void writeRun();
    void writeRunOrNote() { replaceOrNote(folder_ / "run.json", text(run)); }
    void replaceOrNote(const std::filesystem::path& file, const std::string& content);
    void noteFailure(const std::exception& error);
    /// This process as the one that writes the folder.
    void nameProcess();
    /// An imported stream is kept with the run, which can then be repeated wherever its folder goes.
    void keepStream(const Experiment& experiment, const StreamPlan& plan);
    /// Each list is a file of its own, whole or not there.
    void keepClasses(const std::filesystem::path& file, const TestClasses& list);
    void keepPromptUse(std::int64_t samplesSeen, const std::vector<std::int64_t>& use);
    /// A row, unless it would repeat the last one.
    void keepBalance(const MemoryBalance& balance);
    /// The plan's numbers no longer hold once images were left out.
    void moveStarts(std::int64_t session, std::int64_t seen);

    /// JSON text; bytes that are not UTF-8 (a strange path) are replaced rather than refused.
    static std::string text(const Json& json);

    AppendFile anytime, sessions, classes, training, commands;
    DiskReserve reserve;
    Json run;
    std::int64_t samples_seen = 0, updates = 0, classes_written_at = -1;
    std::size_t named_from = 0;  ///< warnings before those of images left out
    bool made = false;           ///< the folder is ours to remove
    bool resumed = false;
    bool forked = false;
    bool ended = false;

private:
    std::vector<AppendFile*> growing();
    std::vector<const AppendFile*> growing() const;

    OptionTable table_;
    std::filesystem::path folder_;
    std::optional<AppendFile> memory_;                      // of a run that has one
    std::optional<AppendFile> prompts_;                     // of a run that chooses from a pool of them
    std::optional<MemoryBalance> balance_;                  // written last
    std::map<std::filesystem::path, std::string> waiting_;  // files that could not be written, and what belongs in them
    std::string failure_;
};

}  // namespace palimpsest
