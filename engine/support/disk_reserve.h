// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace palimpsest {

/// Room kept on the disk from the start of a run, so that its last words (state, numbers) can be written even when
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
