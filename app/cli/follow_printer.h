// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/config/option_table.h"
#include "engine/record/run_folder.h"
#include "engine/remote/follow.h"

namespace palimpsest {

/// Prints runs that another program writes: a line for each that has gone on, or one JSON object.
class FollowPrinter {
public:
    /// The table must outlive the printer.
    FollowPrinter(const OptionTable& table, bool json) : table_(table), json_(json) {}

    /// Runs that have changed since the last call.
    void runs(const std::vector<std::filesystem::path>& runs);
    /// Runs of a sweep that have begun, told once where none of them goes on.
    void waiting(std::size_t begun, std::size_t planned) const;
    void copied(const CopiedFiles& files);
    void broken(const Error& error, std::chrono::seconds pause) const;
    void back() const;
    /// Empty: it goes on.
    void paused(const std::string& why) const;
    void crashed(const std::filesystem::path& run, const std::string& last);
    /// Prints the number of files and bytes that were copied, and where the copy is; nothing if there were none.
    void ends(const std::filesystem::path& local) const;
    /// True if a run failed or crashed.
    bool anyFailed() const;

private:
    void print(const RunRecord& run);

    const OptionTable& table_;
    const bool json_;
    CopiedFiles all_;
    std::map<std::filesystem::path, std::string> printed_;
    std::map<std::filesystem::path, std::vector<std::filesystem::file_time_type>> written_;
    std::map<std::filesystem::path, RecordedState> states_;
};

}  // namespace palimpsest
