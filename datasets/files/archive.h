// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace palimpsest {

struct ArchiveProgress {
    std::int64_t bytes = 0;  ///< of the archive file, read so far
    std::int64_t total = 0;  ///< of the archive file
    std::string entry;
};

struct ArchiveSettings {
    std::int64_t most_bytes = 0;  ///< limit for all unpacked entries together; 0: 100 times the archive and 64 MiB more
    std::int64_t most_entries = 5'000'000;  ///< or 50,000 and one for 20 bytes of the archive, if that is less
    std::function<void(const ArchiveProgress&)> progress;  ///< about four times a second
    std::stop_token stop;
};

// Both read tar, tar.gz, tar.bz2 and zip; the content decides, not the name. They refuse an archive with a path outside
// the target ("/x", "../x"), a link, a device or anything else that is neither file nor folder, or more than the
// settings allow; unpacking also refuses one with the same file twice. Every failure is an Error that names archive and
// entry: Error(Input) for the archive, Error(Run) for the disk.

/// Unpacks into TARGET.part, which is renamed when everything is there. `target` must not exist; TARGET.part of an
/// interrupted call is deleted. False when stopped; then, as after an error, nothing is left.
bool extractArchive(const std::filesystem::path& archive, const std::filesystem::path& target,
                    const ArchiveSettings& settings = {});

/// A file inside an archive.
struct ArchiveMember {
    std::string name;       ///< "folder/file", never absolute
    std::int64_t size = 0;  ///< according to the archive; 0 if it does not give the size in advance
    std::function<std::vector<std::uint8_t>()> read;  ///< its content; call it at most once, while visiting
};

/// Visits the files of an archive in their order, without writing any; content that `visit` does not read is skipped.
/// `visit` returns false to end early. False when stopped.
bool visitArchive(const std::filesystem::path& archive, const std::function<bool(const ArchiveMember&)>& visit,
                  const ArchiveSettings& settings = {});

}  // namespace palimpsest
