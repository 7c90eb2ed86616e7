// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fstream>
#include <vector>

#include "engine/data/picture_cache.h"
#include "tests/fuzz/target.h"

namespace palimpsest::fuzz_picture_cache {
namespace {

constexpr std::int64_t kRows = 3, kSide = 2, kBytes = 3 * kSide * kSide;

std::vector<std::uint8_t> picture(std::int64_t row) {
    return std::vector<std::uint8_t>(static_cast<std::size_t>(kBytes), static_cast<std::uint8_t>(10 * row + 1));
}

}  // namespace

/// A cache of two pictures whose bytes from a place on are others: the first two bytes of the input say where.
FUZZ_TARGET(picture_cache, 400) {
    const std::filesystem::path folder = fuzz::scratchFolder() / "pictures";
    PictureCacheKey key;
    key.identity = "fuzz";
    key.rows = kRows;
    key.side = kSide;
    std::filesystem::path file;
    {
        const auto cache = PictureCache::open(folder, key, std::int64_t{1} << 30);
        fuzz::require(cache != nullptr, "no cache can be made");
        for (const std::int64_t row : {0, 1}) cache->write(row, picture(row));
        file = cache->file();
    }
    if (input.size() > 2) {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        const auto at = static_cast<unsigned char>(input[0]) * 256 + static_cast<unsigned char>(input[1]);
        bytes.seekp(at % 4300);
        bytes.write(input.data() + 2, static_cast<std::streamsize>(input.size() - 2));
    }
    const auto cache = PictureCache::open(folder, key, std::int64_t{1} << 30);
    fuzz::require(cache != nullptr, "a damaged cache is in the way");
    for (std::int64_t row = 0; row < kRows; ++row) {
        std::vector<std::uint8_t> found(static_cast<std::size_t>(kBytes));
        fuzz::require(!cache->read(row, found) || (row < 2 && found == picture(row)), "a damaged picture is believed");
    }
    std::filesystem::remove(file);
}

}  // namespace palimpsest::fuzz_picture_cache
