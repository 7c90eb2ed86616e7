// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/support/file_lock.h"

namespace palimpsest {

/// A run or a sweep on another machine that is followed, with its copy here.
struct Followed {
    bool sweep = false;
    std::string place;             ///< as RemotePlace::text() gives it
    std::filesystem::path folder;  ///< of the copy, absolute
    std::string program = {};      ///< palimpsest-cli there; empty: it is found by itself

    bool operator==(const Followed&) const = default;
};

/// The most that is followed at once.
inline constexpr std::size_t kMostFollowed = 100;

/// JSON.
std::string formatFollowed(const std::vector<Followed>& list);
/// The inverse. `origin` is named in messages. Throws Error(Input) for a damaged text and for one of a newer version,
/// which newerFollowed() tells apart.
std::vector<Followed> parseFollowed(std::string_view text, const std::string& origin);
bool newerFollowed(std::string_view text);

/// The file in a folder of runs that lists what is followed, so that the next window goes on with it. One program at a
/// time has it.
class FollowedFile {
public:
    /// Touches nothing yet.
    explicit FollowedFile(const std::filesystem::path& runs);
    ~FollowedFile();
    FollowedFile(const FollowedFile&) = delete;
    FollowedFile& operator=(const FollowedFile&) = delete;

    struct Found {
        std::vector<Followed> list;
        std::filesystem::path aside;  ///< where a damaged file is kept now; empty: it was not
    };
    /// Reads it, and holds it from then on; none where there is no file. Throws Error(Input) where another program has
    /// it, where a newer version wrote it, where it cannot be read, and where others may change it or its folder:
    /// it names machines to reach and programs to call there.
    Found open();
    /// Replaces it as a whole; what another program left in it that open() did not give stays there for the next
    /// window. Throws Error(Input) as open() does, and where the disk refuses.
    void write(const std::vector<Followed>& list);

private:
    void hold();
    Found take();

    std::filesystem::path folder_, file_;
    std::optional<FileLock> lock_;
    std::vector<Followed> others_;  ///< of the file, which this program does not follow
    bool newer_ = false;            ///< it is left alone
};

}  // namespace palimpsest
