// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

#include "engine/support/error.h"

namespace palimpsest {

/// Error for a failed disk operation on `path`; `code` is an errno.
Error diskError(const std::filesystem::path& path, int code);

/// A file being written. Every failure throws diskError().
class DatasetOutputFile {
public:
    enum class Mode { Fresh, Append };  ///< Fresh: the file must not exist; Append: created if missing

    DatasetOutputFile(std::filesystem::path path, Mode mode);
    ~DatasetOutputFile();
    DatasetOutputFile(const DatasetOutputFile&) = delete;
    DatasetOutputFile& operator=(const DatasetOutputFile&) = delete;

    void write(std::span<const std::byte> bytes);
    /// Truncates the file.
    void empty();
    /// Returns when all content is on the disk, so that a file renamed afterwards is complete.
    void sync();

private:
    std::filesystem::path path_;
    int file_ = -1;
};

/// Returns when everything below a folder is on the disk.
void syncFolder(const std::filesystem::path& folder);

/// Creates a folder with its parents, if it does not exist.
void makeFolder(const std::filesystem::path& folder);

/// Renames a complete file, replacing an older file of that name.
void publish(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace palimpsest
