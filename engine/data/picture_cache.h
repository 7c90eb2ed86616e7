// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

#include "datasets/table/image_dataset.h"

namespace palimpsest {

/// Identity of a cache: the pictures of one table, loaded in one way.
struct PictureCacheKey {
    std::string identity;  ///< ImageTable::identity() of the table
    std::int64_t rows = 0;
    LoadShape shape = LoadShape::Native;
    int side = 0;
    bool train = false;
};

/// Loaded pictures, [side, side, 3] bytes each, in a file that runs and processes share. It is filled as pictures are
/// first read, so that only used rows take disk space.
///
/// Nothing in the file is trusted: its header must be exactly the one for this key, or the file is created anew, and
/// every row has a checksum of its bytes, its position and the key. A row that is absent, half written (by a crash, or
/// by another process at this moment) or damaged counts as missing. So no lock guards the rows, and since they are read
/// and written by calls rather than through a mapping, neither a full disk nor a truncated file can end the program.
/// The system's page cache still keeps them in memory, where they do not count as the program's own and are dropped
/// when memory is short.
class PictureCache {
public:
    /// Null when there is no room within `budget` (bytes of all caches in the folder) or on the disk, or when the
    /// folder cannot be used: then pictures are read again each time. Removes as many unused caches as the new one
    /// needs room for, least recently opened first.
    static std::shared_ptr<PictureCache> open(const std::filesystem::path& folder, const PictureCacheKey& key,
                                              std::int64_t budget);
    ~PictureCache();
    PictureCache(const PictureCache&) = delete;
    PictureCache& operator=(const PictureCache&) = delete;

    /// False when the row is missing. Any thread.
    bool read(std::int64_t row, std::span<std::uint8_t> picture) const;
    /// Stops writing once the disk is full or nearly so. Any thread.
    void write(std::int64_t row, std::span<const std::uint8_t> picture);

    std::int64_t pictureBytes() const { return picture_bytes_; }
    const std::filesystem::path& file() const { return file_; }

private:
    PictureCache(std::filesystem::path file, int descriptor, const PictureCacheKey& key, std::uint64_t salt);
    bool diskHasRoom();

    std::filesystem::path file_;
    int descriptor_;
    std::int64_t rows_, picture_bytes_;
    std::uint64_t salt_;  // part of the rows' checksums
    std::atomic<bool> storing_{true};
    std::atomic<std::int64_t> unchecked_;  // bytes written since the disk's free space was last checked
};

/// Folder of the caches: $PALIMPSEST_CACHE/pictures, or XDG_CACHE_HOME/palimpsest/pictures.
std::filesystem::path pictureCacheFolder();

/// The cache for a table's pictures, in that folder; `budget` in bytes. Null without a budget, for pictures that are no
/// files, for those that get a random crop at every use (LoadShape::ShortSideCrop), and where open() is null.
std::shared_ptr<PictureCache> pictureCacheOf(const ImageTable& table, LoadShape shape, std::int64_t side, bool train,
                                             std::int64_t budget);

}  // namespace palimpsest
