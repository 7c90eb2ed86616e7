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

/// What a cache holds: the pictures of one table, loaded in one way.
struct PictureCacheKey {
    std::string identity;  ///< of the table: ImageTable::identity()
    std::int64_t rows = 0;
    LoadShape shape = LoadShape::Native;
    int side = 0;
    bool train = false;
};

/// Loaded pictures, [side, side, 3] bytes each, in a file that runs and processes share. It is filled as pictures are
/// first read, so that only the rows in use take room on the disk.
///
/// Nothing in the file is believed: its head must be exactly the one that this key would be given, or the file is made
/// anew, and every row carries a checksum of its bytes, its place and the key. A row that is absent, half written (by a
/// crash, or by another process at this moment) or damaged is simply not there. So no lock guards the rows, and since
/// they are read and written by calls rather than through a mapping, neither a full disk nor a file that somebody cuts
/// off can end the program; the system's page cache keeps them in memory all the same, where it does not count as the
/// program's own and gives way when memory is short.
class PictureCache {
public:
    /// Null when there is no room within `budget` (bytes of all caches in the folder) or on the disk, or when the
    /// folder cannot be used: then pictures are simply read again. Removes caches that nobody has open, those first
    /// that were opened longest ago, as far as the new one needs their room.
    static std::shared_ptr<PictureCache> open(const std::filesystem::path& folder, const PictureCacheKey& key,
                                              std::int64_t budget);
    ~PictureCache();
    PictureCache(const PictureCache&) = delete;
    PictureCache& operator=(const PictureCache&) = delete;

    /// False when the row is not there. Any thread.
    bool read(std::int64_t row, std::span<std::uint8_t> picture) const;
    /// Does nothing from the moment that the disk is full or nearly so. Any thread.
    void write(std::int64_t row, std::span<const std::uint8_t> picture);

    std::int64_t pictureBytes() const { return picture_bytes_; }
    const std::filesystem::path& file() const { return file_; }

private:
    PictureCache(std::filesystem::path file, int descriptor, const PictureCacheKey& key, std::uint64_t salt);
    bool diskHasRoom();

    std::filesystem::path file_;
    int descriptor_;
    std::int64_t rows_, picture_bytes_;
    std::uint64_t salt_;  // of the rows' checksums
    std::atomic<bool> storing_{true};
    std::atomic<std::int64_t> unchecked_;  // bytes written since the disk was last asked for its room
};

/// $PALIMPSEST_CACHE/pictures, or XDG_CACHE_HOME/palimpsest/pictures.
std::filesystem::path pictureCacheFolder();

/// The cache for a table's pictures, in the folder above; `budget` in bytes. Null without a budget, for pictures that
/// are no files, for those that get a random crop at every use (LoadShape::ShortSideCrop), and where open() is null.
std::shared_ptr<PictureCache> pictureCacheOf(const ImageTable& table, LoadShape shape, std::int64_t side, bool train,
                                             std::int64_t budget);

}  // namespace palimpsest
