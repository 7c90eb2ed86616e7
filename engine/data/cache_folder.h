// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace palimpsest {

/// A file descriptor that its destructor closes, which also releases its lock.
class OwnedDescriptor {
public:
    explicit OwnedDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
    ~OwnedDescriptor();
    OwnedDescriptor(OwnedDescriptor&& other) noexcept : descriptor_(other.release()) {}
    OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

    int get() const { return descriptor_; }
    explicit operator bool() const { return descriptor_ >= 0; }
    int release();

private:
    int descriptor_;
};

/// A folder of cache files, each locked by its users. While an object of this class exists, no other process opens,
/// makes or removes one of them.
class CacheFolder {
public:
    static constexpr const char* kEnding = ".pictures";
    /// Bytes always left free on the disk: results and the user's own files matter more than a cache.
    static constexpr std::int64_t kSpare = std::int64_t{1} << 30;

    /// Makes the folder, readable by its owner alone, and waits up to `patience` for other processes that hold it.
    /// GivenUp when the thread's StopScope asks for it.
    explicit CacheFolder(const std::filesystem::path& folder,
                         std::chrono::milliseconds patience = std::chrono::seconds(5));
    /// False when the folder cannot be made, written to or locked.
    bool usable() const { return static_cast<bool>(lock_); }

    /// True if `bytes` more fit into `budget` for all files and onto the disk. Removes as many unused files as needed,
    /// least recently used first.
    bool makeRoom(std::int64_t bytes, std::int64_t budget) const;

private:
    std::filesystem::path folder_;
    OwnedDescriptor lock_;
};

/// Free bytes on the disk of a file or folder; 0 when the system does not report them.
std::int64_t freeBytes(const std::filesystem::path& place);

}  // namespace palimpsest
