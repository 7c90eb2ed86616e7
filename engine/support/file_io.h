// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace palimpsest {

/// The whole file. Throws Error(Input) that says why it cannot be read.
std::string readTextFile(const std::filesystem::path& file);

enum class Keep { Written, OnDisk };
/// Written beside the file, then renamed over it, so that a reader sees the old text or the new one and never half of
/// either; OnDisk: also after a loss of power. Throws Error(Input) that says why it cannot be written.
void replaceTextFile(const std::filesystem::path& file, std::string_view text, Keep keep = Keep::Written);

/// Brings what was written to a file, or the names in a folder, to the disk. Throws Error(Input) when the disk refuses.
void syncFile(const std::filesystem::path& file);

/// Room kept on the disk from the start of a run, so that its final state and numbers can be written even when
/// the disk has become full meanwhile. It is a file without a name: nothing of it is seen in the folder, and nothing is
/// left after a crash. A file system that cannot reserve room is no reason to refuse a run: then nothing is kept.
class DiskReserve {
public:
    /// More than run.json and summary.json of 1000 classes and 100 sessions take together, in bytes.
    static constexpr std::int64_t kSize = 256 * 1024;

    explicit DiskReserve(const std::filesystem::path& folder);
    ~DiskReserve() { release(); }
    DiskReserve(const DiskReserve&) = delete;
    DiskReserve& operator=(const DiskReserve&) = delete;

    void release() noexcept;

private:
    int file_ = -1;
};

}  // namespace palimpsest
