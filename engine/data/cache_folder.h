// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <utility>

namespace palimpsest {

/// A file descriptor that closes itself, and with it gives up its lock.
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

/// A folder of cache files, each locked by those who use it. While an object of this class lives no other process
/// opens, makes or removes one of them.
class CacheFolder {
public:
    static constexpr const char* kEnding = ".pictures";
    /// Always left free on the disk, in bytes: a cache is never worth more than what people and runs write themselves.
    static constexpr std::int64_t kSpare = std::int64_t{1} << 30;

    /// Makes the folder, for its owner alone, and waits for others to be done with it, but not for ever. GivenUp when
    /// the thread's StopScope asks for it.
    explicit CacheFolder(const std::filesystem::path& folder,
                         std::chrono::milliseconds patience = std::chrono::seconds(5));
    /// False when the folder cannot be made, written to or locked.
    bool usable() const { return static_cast<bool>(lock_); }

    /// Will `bytes` more fit into `budget` for all files and onto the disk? Removes files that nobody uses, those first
    /// that were used longest ago, as far as that makes them fit.
    bool makeRoom(std::int64_t bytes, std::int64_t budget) const;

private:
    std::filesystem::path folder_;
    OwnedDescriptor lock_;
};

/// Bytes that may still be written to the disk of a file or folder; 0 when the system does not say.
std::int64_t freeBytes(const std::filesystem::path& place);

}  // namespace palimpsest
