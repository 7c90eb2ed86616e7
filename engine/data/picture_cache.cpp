// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/picture_cache.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <opencv2/core/utility.hpp>

#include "engine/data/cache_folder.h"
#include "engine/support/digest.h"
#include "engine/support/error.h"
#include "engine/support/process.h"

namespace palimpsest {

namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kCacheHeader = 4096;                     // bytes before the rows, one page
constexpr std::int64_t kChecksumBytes = sizeof(std::uint64_t);  // before each row
constexpr std::int64_t kCheckEvery = 64 << 20;                  // bytes written between checks of the free disk space

using Header = std::array<char, kCacheHeader>;

std::int64_t pictureBytesOf(const PictureCacheKey& key) {
    return std::int64_t{3} * key.side * key.side;
}

/// Digest of everything that decides the bytes of the pictures, including the libraries that decode and resize them.
std::string digestOf(const PictureCacheKey& key) {
    constexpr int kFormat = 1;  // version of the file format and of loadedImage()'s result
    const std::string text = std::to_string(kFormat) + "\n" + std::to_string(static_cast<int>(key.shape)) + "\n" +
                             std::to_string(key.side) + "\n" + (key.train ? "train" : "test") + "\n" +
                             std::to_string(key.rows) + "\n" + std::string(cv::getBuildInformation()) + "\n" +
                             key.identity;
    Sha256 hash;
    hash.add(std::as_bytes(std::span(text)));
    return hash.hex();
}

Header headerOf(const PictureCacheKey& key, const std::string& digest) {
    const std::string text = "Pictures that Palimpsest keeps to be fast. May be removed at any time.\n" + digest +
                             "\n" + std::to_string(key.rows) + " rows of " + std::to_string(key.side) + " by " +
                             std::to_string(key.side) + " pixels\n";
    Header header{};
    std::memcpy(header.data(), text.data(), std::min(text.size(), header.size()));
    return header;
}

/// 64-bit checksum that any damage to the bytes changes; never 0. Four lanes, so that a processor computes them in
/// parallel.
std::uint64_t checksumOf(std::span<const std::uint8_t> bytes, std::uint64_t salt) {
    constexpr std::uint64_t kFactor = 0x9e3779b97f4a7c15ULL;
    constexpr std::size_t kLanes = 4, kStep = kLanes * sizeof(std::uint64_t);
    std::array<std::uint64_t, kLanes> lanes{salt, salt + 1, salt + 2, salt + 3};
    const auto add = [&](const std::uint8_t* from) {
        std::array<std::uint64_t, kLanes> words;
        std::memcpy(words.data(), from, kStep);
        for (std::size_t i = 0; i < kLanes; ++i) lanes[i] = std::rotl((lanes[i] ^ words[i]) * kFactor, 29);
    };
    std::size_t done = 0;
    for (; done + kStep <= bytes.size(); done += kStep) add(bytes.data() + done);
    std::array<std::uint8_t, kStep> rest{};
    std::memcpy(rest.data(), bytes.data() + done, bytes.size() - done);
    add(rest.data());
    std::uint64_t checksum = bytes.size();
    for (const std::uint64_t lane : lanes) {
        checksum = (checksum ^ lane) * kFactor;
        checksum ^= checksum >> 32;
    }
    return checksum | 1;
}

std::uint64_t saltOf(const std::string& digest) {
    return std::strtoull(digest.substr(0, 16).c_str(), nullptr, 16);
}

bool holds(int descriptor, const Header& header, std::int64_t size) {
    struct stat status {};
    Header found{};
    return fstat(descriptor, &status) == 0 && status.st_size == size &&
           pread(descriptor, found.data(), found.size(), 0) == static_cast<ssize_t>(found.size()) && found == header;
}

/// Creates a sparse file, which reads as zeros: no row is present.
bool make(int descriptor, const Header& header, std::int64_t size) {
    // Exceeding the file size limit would raise a signal that ends the program.
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur < static_cast<rlim_t>(size)) return false;
    return ftruncate(descriptor, size) == 0 &&
           pwrite(descriptor, header.data(), header.size(), 0) == static_cast<ssize_t>(header.size());
}

}  // namespace

std::shared_ptr<PictureCache> PictureCache::open(const fs::path& folder, const PictureCacheKey& key,
                                                 std::int64_t budget) {
    if (key.rows <= 0 || key.side <= 0) return nullptr;
    const std::int64_t size = kCacheHeader + key.rows * (kChecksumBytes + pictureBytesOf(key));
    if (size > budget) return nullptr;
    const CacheFolder place(folder);
    if (!place.usable()) return nullptr;
    const std::string digest = digestOf(key);
    const Header header = headerOf(key, digest);
    const fs::path file = folder / (digest.substr(0, 32) + CacheFolder::kEnding);
    OwnedDescriptor descriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    struct stat status {};
    if (!descriptor || fstat(descriptor.get(), &status) != 0 || !S_ISREG(status.st_mode)) return nullptr;
    if (!holds(descriptor.get(), header, size)) {
        // Another process uses the file with other contents, so it is left alone.
        if (flock(descriptor.get(), LOCK_EX | LOCK_NB) != 0) return nullptr;
        if (ftruncate(descriptor.get(), 0) != 0 || !place.makeRoom(size, budget) ||
            !make(descriptor.get(), header, size)) {
            unlink(file.c_str());
            return nullptr;
        }
    }
    if (flock(descriptor.get(), LOCK_SH | LOCK_NB) != 0) return nullptr;
    futimens(descriptor.get(), nullptr);  // sets the time of last use
    return std::shared_ptr<PictureCache>(new PictureCache(file, descriptor.release(), key, saltOf(digest)));
}

PictureCache::PictureCache(fs::path file, int descriptor, const PictureCacheKey& key, std::uint64_t salt)
    : file_(std::move(file)),
      descriptor_(descriptor),
      rows_(key.rows),
      picture_bytes_(pictureBytesOf(key)),
      salt_(salt),
      unchecked_(kCheckEvery) {}

PictureCache::~PictureCache() {
    close(descriptor_);
}

bool PictureCache::read(std::int64_t row, std::span<std::uint8_t> picture) const {
    if (row < 0 || row >= rows_ || static_cast<std::int64_t>(picture.size()) != picture_bytes_) return false;
    const std::int64_t record = kChecksumBytes + picture_bytes_;
    std::uint64_t checksum = 0;
    const std::array<iovec, 2> parts{iovec{&checksum, sizeof checksum}, iovec{picture.data(), picture.size()}};
    if (preadv(descriptor_, parts.data(), 2, kCacheHeader + row * record) != record) return false;
    return checksum != 0 && checksum == checksumOf(picture, salt_ ^ static_cast<std::uint64_t>(row));
}

bool PictureCache::diskHasRoom() {
    if (unchecked_.load(std::memory_order_relaxed) < kCheckEvery) return true;
    unchecked_.store(0, std::memory_order_relaxed);
    return freeBytes(file_.parent_path()) > CacheFolder::kSpare;
}

void PictureCache::write(std::int64_t row, std::span<const std::uint8_t> picture) {
    if (!storing_.load(std::memory_order_relaxed)) return;
    if (row < 0 || row >= rows_ || static_cast<std::int64_t>(picture.size()) != picture_bytes_) return;
    const std::int64_t record = kChecksumBytes + picture_bytes_;
    std::uint64_t checksum = checksumOf(picture, salt_ ^ static_cast<std::uint64_t>(row));
    const std::array<iovec, 2> parts{iovec{&checksum, sizeof checksum},
                                     iovec{const_cast<std::uint8_t*>(picture.data()), picture.size()}};
    if (!diskHasRoom() || pwritev(descriptor_, parts.data(), 2, kCacheHeader + row * record) != record)
        storing_.store(false, std::memory_order_relaxed);
    unchecked_.fetch_add(record, std::memory_order_relaxed);
}

fs::path pictureCacheFolder() {
    if (const char* cache = std::getenv("PALIMPSEST_CACHE"); cache != nullptr && *cache != '\0')
        return fs::path(cache) / "pictures";
    return userFolder("PALIMPSEST_CACHE", "XDG_CACHE_HOME", ".cache", "pictures");
}

std::shared_ptr<PictureCache> pictureCacheOf(const ImageTable& table, LoadShape shape, std::int64_t side, bool train,
                                             std::int64_t budget) {
    if (budget <= 0 || shape == LoadShape::ShortSideCrop) return nullptr;
    PictureCacheKey key{table.identity(), table.size(), shape, static_cast<int>(side), train};
    if (key.identity.empty()) return nullptr;
    try {
        return PictureCache::open(pictureCacheFolder(), key, budget);
    } catch (const Error&) {
        // Without a home there is no cache, but a run all the same.
        return nullptr;
    }
}

}  // namespace palimpsest
